/* Breadth first, by the compiled steps of the model. Inputs of small types are tried all; of others those that the run has, and those nearest
 * to zero that a guard allows. */
#include "run/lasso/near_graph.h"

#include "base/work.h"
#include "store/enumerate.h"
#include "store/store.h"

enum { MOST_INITIAL = 64, MOST_UNBOUNDED = 8, MOST_INPUTS = 256, MOST_TRIED = 400000, TRIED_A_UNIT = 64 };

typedef struct growing {
  near_graph *graph;
  const trace *run;
  budget *budget;
  semantics *semantics;
  enumerator **choices; /* by transition: of its inputs, if there are too many of them; else NULL */
  store *numbers;       /* of states */
  size_t most, tried;
  int64_t *next;
  uint32_t from, transition; /* of the step that is tried */
  bool lacks_steps;          /* the state that is gone on from */
} growing;

/* SIZE_MAX: there is no more room. */
static size_t number_of_state(growing *w, const int64_t *state) {
  near_graph *g = w->graph;
  uint64_t index = 0;
  if (store_find(w->numbers, (const uint64_t *)state, &index)) return index;
  if (g->count >= w->most) return SIZE_MAX;
  REQUIRE(store_add(w->numbers, (const uint64_t *)state, &index) == STORE_NEW, "a state that is new");
  for (size_t i = 0; i < g->width; i++) VECTOR_PUSH(g->states, state[i]);
  return g->count++;
}

/* ---- where it begins ---- */

static bool add_initial(void *context, const int64_t *values) {
  growing *w = context;
  return number_of_state(w, values) != SIZE_MAX;
}

static bool add_state_of_run(growing *w, const trace_step *s) {
  for (size_t i = 0; i < w->graph->width; i++)
    if (!number_to_int64(s->values.at[i], &w->next[i])) return false;
  return number_of_state(w, w->next) != SIZE_MAX;
}

static bool begin(growing *w) {
  near_graph *g = w->graph;
  const model *m = g->model;
  if (!w->run->count || !add_state_of_run(w, &w->run->at[0])) return false;
  variable *variables = MEMORY_ARRAY(variable, g->width + 1);
  for (size_t i = 0; i < g->width; i++) variables[i] = m->variables.at[i].var;
  enumerator *e = enumerator_new(m->terms, m->init, g->width, variables, 0, NULL, NULL);
  enumeration_limits limits = {.all = MOST_INITIAL, .some = MOST_UNBOUNDED, .far = MOST_INITIAL};
  enumerator_run(e, NULL, limits, w->budget, add_initial, w);
  enumerator_free(e);
  memory_free(variables);
  g->initial = g->count;
  bool fits = true;
  for (size_t i = 1; i < w->run->count && fits; i++) fits = add_state_of_run(w, &w->run->at[i]);
  return fits;
}

/* ---- steps ---- */

/* False if no more are to be tried. */
static bool try_step(void *context, const int64_t *inputs) {
  growing *w = context;
  near_graph *g = w->graph;
  size_t count = g->model->transitions.at[w->transition].inputs.count;
  step_status status = semantics_step(w->semantics, w->transition, near_graph_state(g, w->from), inputs, w->next, NULL);
  if (status == STEP_TAKEN) {
    size_t to = number_of_state(w, w->next);
    if (to == SIZE_MAX)
      w->lacks_steps = true;
    else
      VECTOR_PUSH(g->steps, (near_step){w->from, (uint32_t)to, w->transition, g->inputs.count});
    for (size_t i = 0; i < count && to != SIZE_MAX; i++) VECTOR_PUSH(g->inputs, inputs[i]);
  }
  if (status == STEP_OVERFLOW || status == STEP_NO_NODES) w->lacks_steps = true;
  return ++w->tried < MOST_TRIED;
}

static void try_inputs_of_run(growing *w, int64_t *inputs) {
  size_t count = w->graph->model->transitions.at[w->transition].inputs.count;
  for (size_t i = 1; i < w->run->count; i++) {
    const trace_step *s = &w->run->at[i];
    bool fits = s->transition == w->transition && s->inputs.count == count;
    for (size_t j = 0; j < count && fits; j++) fits = number_to_int64(s->inputs.at[j], &inputs[j]);
    if (fits) try_step(w, inputs);
  }
}

static void try_transition(growing *w) {
  const model *m = w->graph->model;
  const transition *t = &m->transitions.at[w->transition];
  int64_t *inputs = MEMORY_ARRAY(int64_t, t->inputs.count + 1);
  size_t left = MOST_INPUTS;
  if (w->choices[w->transition]) {
    try_inputs_of_run(w, inputs);
    int64_t *state = MEMORY_ARRAY(int64_t, w->graph->width + 1); /* states move when one is added */
    memcpy(state, near_graph_state(w->graph, w->from), w->graph->width * sizeof *state);
    enumeration_limits limits = {.all = MOST_UNBOUNDED, .some = MOST_UNBOUNDED, .far = MOST_UNBOUNDED};
    enumeration found = enumerator_run(w->choices[w->transition], state, limits, w->budget, try_step, w);
    w->lacks_steps |= found.end != ENUMERATION_ALL;
    memory_free(state);
  } else {
    inputs_first(m, t, inputs);
    bool more = true;
    while (more && left--) more = try_step(w, inputs) && inputs_advance(m, t, inputs);
    w->lacks_steps |= more;
  }
  memory_free(inputs);
}

static bool has_few_inputs(const model *m, const transition *t) {
  uint64_t all = 1;
  if (!transition_has_finite_inputs(m, t)) return false;
  for (size_t i = 0; i < t->inputs.count && all <= MOST_INPUTS; i++)
    all *= type_size(variable_type(m->terms, t->inputs.at[i]), MOST_INPUTS + 1);
  return all <= MOST_INPUTS;
}

static void open_choices(growing *w) {
  const model *m = w->graph->model;
  variable *variables = MEMORY_ARRAY(variable, w->graph->width + 1);
  for (size_t i = 0; i < w->graph->width; i++) variables[i] = m->variables.at[i].var;
  w->choices = MEMORY_ARRAY(enumerator *, m->transitions.count + 1);
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    if (!has_few_inputs(m, t))
      w->choices[i] =
          enumerator_new(m->terms, t->guard, t->inputs.count, t->inputs.at, w->graph->width, variables, NULL);
  }
  memory_free(variables);
}

static void grow(growing *w) {
  near_graph *g = w->graph;
  size_t transitions = g->model->transitions.count;
  for (w->from = 0; w->from < g->count && w->tried < MOST_TRIED && !budget_spent(w->budget); w->from++) {
    size_t before = w->tried;
    VECTOR_PUSH(g->first, (uint32_t)g->steps.count);
    w->lacks_steps = false;
    for (w->transition = 0; w->transition < transitions && w->tried < MOST_TRIED; w->transition++) try_transition(w);
    VECTOR_PUSH(g->lacks_steps, w->lacks_steps || w->transition < transitions);
    work_add((w->tried - before) / TRIED_A_UNIT);
  }
  VECTOR_PUSH(g->first, (uint32_t)g->steps.count);
}

bool near_graph_init(near_graph *g, const model *m, const trace *run, size_t most, budget *b) {
  *g = (near_graph){.model = m, .width = m->variables.count};
  growing w = {.graph = g, .run = run, .budget = b, .most = most};
  if (!g->width) return false;
  w.next = MEMORY_ARRAY(int64_t, g->width + 1);
  w.numbers = store_new(g->width * sizeof(int64_t), 1);
  bool fine = begin(&w);
  if (fine) {
    w.semantics = semantics_new(m);
    open_choices(&w);
    grow(&w);
    for (size_t i = 0; i < m->transitions.count; i++) enumerator_free(w.choices[i]);
    memory_free(w.choices);
    semantics_free(w.semantics);
  }
  store_free(w.numbers);
  memory_free(w.next);
  return fine && !budget_spent(b);
}

void near_graph_clear(near_graph *g) {
  VECTOR_FREE(g->states);
  VECTOR_FREE(g->steps);
  VECTOR_FREE(g->first);
  VECTOR_FREE(g->lacks_steps);
  VECTOR_FREE(g->inputs);
}

bool near_graph_is_known(const near_graph *g, size_t state) {
  return state < g->lacks_steps.count && !g->lacks_steps.at[state];
}

void near_graph_add_to(const near_graph *g, size_t state, const near_step *step, trace *out) {
  trace_step made = {.transition = step ? step->transition : 0};
  size_t inputs = step ? g->model->transitions.at[step->transition].inputs.count : 0;
  for (size_t i = 0; i < inputs; i++) VECTOR_PUSH(made.inputs, number_of(g->inputs.at[step->inputs + i]));
  for (size_t i = 0; i < g->width; i++) VECTOR_PUSH(made.values, number_of(near_graph_state(g, state)[i]));
  VECTOR_PUSH(*out, made);
}
