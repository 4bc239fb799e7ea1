/* Each step shuffles the transitions and takes the first that can be taken. */
#include "run/simulate/simulation.h"

#include "base/random.h"
#include "model/heap.h"
#include "model/semantics.h"
#include "solver/solver.h"
#include "term/substitute.h"

enum {
  MOST_CHOICES_ENUMERATED = 4096,
  WISHES = 3,
  WIDEST_WISH = 10,
  WIDEST_ENUMERATED_WISH = 1000,
  MOST_VARIABLES_WISHED = 64,
  MOST_NODES = 10000
};

struct simulation {
  model *model;
  semantics *semantics;
  solver *solver;
  random_source random;
  int64_t *state, *next, *inputs;
  size_t *order; /* of the transitions: they are tried in this one */
};

static int64_t clamp(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

/* A value of the type: any of a small one, else near 0 or near the bound that is nearest to it. */
static int64_t random_value(simulation *s, const type *t) {
  const int64_t far = INT64_MAX / 4;
  int64_t low = -far, high = far, bound;
  if (t->sort == SORT_BOOL) return (int64_t)random_below(&s->random, 2);
  if (t->has_low && number_to_int64(t->low, &bound)) low = clamp(bound, -far, far);
  if (t->has_high && number_to_int64(t->high, &bound)) high = clamp(bound, low, far);
  if (high - low <= WIDEST_ENUMERATED_WISH) return random_between(&s->random, low, high);
  int64_t centre = clamp(0, low, high);
  return random_between(&s->random, clamp(centre - WIDEST_WISH, low, high), clamp(centre + WIDEST_WISH, low, high));
}

static term equals(terms *ts, variable v, int64_t value) {
  term t = term_of_variable(ts, v);
  return variable_type(ts, v)->sort == SORT_BOOL ? (value ? t : term_not(t)) : term_eq(ts, t, term_int(ts, value));
}

/* Fixes `v` to a random value if the solver finds that possible. True if it is fixed. */
static bool wish(simulation *s, variable v, int64_t *out) {
  for (int i = 0; i < WISHES; i++) {
    int64_t value = random_value(s, variable_type(s->model->terms, v));
    solver_push(s->solver);
    solver_assert(s->solver, equals(s->model->terms, v, value));
    if (answer_is_yes(solver_check(s->solver, 0))) {
      *out = value;
      return true;
    }
    solver_pop(s->solver);
  }
  return false;
}

/* Values of `variables` that satisfy `condition`; random ones if several do. NULL if they were found, else why
 * not. */
static const char *choose(simulation *s, term condition, size_t count, const variable *variables, int64_t *out,
                          bool *impossible) {
  size_t depth = 1;
  const char *problem = NULL;
  solver_push(s->solver);
  solver_assert(s->solver, condition);
  answer a = solver_check(s->solver, 0);
  if (!answer_is_yes(a)) {
    *impossible = answer_is_no(a);
    solver_pop(s->solver);
    return answer_is_no(a) ? "nothing satisfies it" : a.reason;
  }
  bool *fixed = MEMORY_ARRAY(bool, count);
  for (size_t i = 0; i < count && i < MOST_VARIABLES_WISHED; i++) depth += fixed[i] = wish(s, variables[i], &out[i]);
  a = solver_check(s->solver, 0);
  if (!answer_is_yes(a)) problem = a.reason ? a.reason : "the solver changed its mind";
  for (size_t i = 0; i < count && !problem; i++)
    if (!fixed[i] && !number_to_int64(solver_value(s->solver, variables[i]), &out[i]))
      problem = "a value does not fit in 64 bits";
  while (depth--) solver_pop(s->solver);
  memory_free(fixed);
  *impossible = false;
  return problem;
}

static void add_step(simulation *s, evidence *out, uint32_t transition_index, size_t input_count) {
  trace_step step = {.transition = transition_index};
  for (size_t i = 0; i < input_count; i++) VECTOR_PUSH(step.inputs, number_of(s->inputs[i]));
  for (size_t i = 0; i < s->model->variables.count; i++) VECTOR_PUSH(step.values, number_of(s->state[i]));
  VECTOR_PUSH(out->steps, step);
}

static void decide_heap(const simulation *s, substitution *state) {
  const model *m = s->model;
  int64_t *words = MEMORY_ARRAY(int64_t, m->variables.count + 1);
  number *tagged = MEMORY_ARRAY(number, variable_count(m->terms) + 1);
  heap_words_tag(m, s->state, words);
  for (size_t i = 0; i < m->variables.count; i++) tagged[m->variables.at[i].var.x] = number_of(words[i]);
  heap_decide(m, tagged, state);
  memory_free(words);
  memory_free(tagged);
}

/* The heap is empty at first: what `init` says of it is decided, and only other variables are chosen. */
static const char *choose_first(simulation *s, bool *impossible) {
  const model *m = s->model;
  size_t count = 0;
  variable *variables = MEMORY_ARRAY(variable, m->variables.count);
  int64_t *values = MEMORY_ARRAY(int64_t, m->variables.count + 1);
  substitution *heap = substitution_new(m->terms);
  if (m->has_heap) decide_heap(s, heap);
  for (size_t i = 0; i < m->variables.count; i++)
    if (variable_type(m->terms, m->variables.at[i].var)->sort != SORT_NODE) variables[count++] = m->variables.at[i].var;
  const char *problem = choose(s, substitution_apply(heap, m->init), count, variables, values, impossible);
  for (size_t i = 0; i < count; i++) s->state[model_position(m, variables[i])] = values[i];
  substitution_free(heap);
  memory_free(variables);
  memory_free(values);
  return problem;
}

char *simulation_start(simulation *s, evidence *out) {
  bool impossible;
  memset(s->state, 0, semantics_width(s->semantics) * sizeof *s->state);
  const char *problem = choose_first(s, &impossible);
  if (problem && impossible) return memory_copy_string("there is no initial state");
  if (problem) return text_format("no initial state was found: %s", problem);
  add_step(s, out, 0, 0);
  return NULL;
}

/* More than MOST_CHOICES_ENUMERATED if there are. */
static uint64_t choices_of_inputs(const model *m, const transition *t) {
  uint64_t choices = 1;
  for (size_t i = 0; i < t->inputs.count && choices <= MOST_CHOICES_ENUMERATED; i++) {
    const type *of = variable_type(m->terms, t->inputs.at[i]);
    choices *= type_is_finite(of) ? type_size(of, MOST_CHOICES_ENUMERATED + 1) : MOST_CHOICES_ENUMERATED + 1;
  }
  return choices;
}

/* One of the choices that do not leave the transition disabled, each as likely as another. */
static step_status enumerate_inputs(simulation *s, size_t index) {
  const transition *t = &s->model->transitions.at[index];
  int64_t *tried = MEMORY_ARRAY(int64_t, t->inputs.count + 1);
  step_status result = STEP_DISABLED;
  uint64_t found = 0;
  inputs_first(s->model, t, tried);
  do {
    step_status status = semantics_step(s->semantics, index, s->state, tried, s->next, NULL);
    if (status == STEP_DISABLED || random_below(&s->random, ++found)) continue;
    result = status;
    memcpy(s->inputs, tried, t->inputs.count * sizeof *tried);
  } while (inputs_advance(s->model, t, tried));
  memory_free(tried);
  return result;
}

static term guard_in_state(simulation *s, const transition *t) {
  terms *ts = s->model->terms;
  substitution *state = substitution_new(ts);
  for (size_t i = 0; i < s->model->variables.count; i++) {
    variable v = s->model->variables.at[i].var;
    if (variable_type(ts, v)->sort == SORT_NODE) continue;
    bool is_bool = variable_type(ts, v)->sort == SORT_BOOL;
    substitution_set(state, v, is_bool ? term_of_bool(s->state[i]) : term_int(ts, s->state[i]));
  }
  if (s->model->has_heap) decide_heap(s, state);
  term guard = substitution_apply(state, t->guard);
  substitution_free(state);
  return guard;
}

static step_status solve_inputs(simulation *s, size_t index, const char **problem) {
  const transition *t = &s->model->transitions.at[index];
  bool impossible;
  const char *why = choose(s, guard_in_state(s, t), t->inputs.count, t->inputs.at, s->inputs, &impossible);
  if (why && !impossible) *problem = why;
  return why ? STEP_DISABLED : STEP_TAKEN;
}

/* STEP_TAKEN with `s->next` set, or what else the transition does here. */
static step_status try_transition(simulation *s, size_t index, evidence *out, const char **problem) {
  const transition *t = &s->model->transitions.at[index];
  bool few = choices_of_inputs(s->model, t) <= MOST_CHOICES_ENUMERATED;
  step_status chosen = few ? enumerate_inputs(s, index) : solve_inputs(s, index, problem);
  if (chosen == STEP_DISABLED) return chosen;
  size_t broken = 0;
  step_status status = semantics_step(s->semantics, index, s->state, s->inputs, s->next, &broken);
  if (status == STEP_FAULT) {
    out->fault_transition = (uint32_t)index;
    out->fault = (uint32_t)broken;
    for (size_t i = 0; i < t->inputs.count; i++) VECTOR_PUSH(out->fault_inputs, number_of(s->inputs[i]));
  }
  return status;
}

static void shuffle(simulation *s, size_t count, size_t *order) {
  for (size_t i = count; i > 1; i--) {
    size_t j = random_below(&s->random, i), swapped = order[i - 1];
    order[i - 1] = order[j];
    order[j] = swapped;
  }
}

static GIVE char *fault_string(const model *m, const evidence *e) {
  const transition *t = &m->transitions.at[e->fault_transition];
  return text_format("run-time error in %s: %s", t->name, t->faults.at[e->fault].what);
}

char *simulation_step(simulation *s, evidence *out) {
  size_t count = s->model->transitions.count, *order = s->order;
  const char *problem = NULL;
  shuffle(s, count, order);
  for (size_t i = 0; i < count; i++) {
    step_status status = try_transition(s, order[i], out, &problem);
    if (status == STEP_DISABLED) continue;
    if (status == STEP_FAULT) return fault_string(s->model, out);
    if (status == STEP_OVERFLOW) return memory_copy_string("a value does not fit in 64 bits");
    if (status == STEP_NO_NODES) return memory_copy_string("the list is longer than simulation follows");
    simulation_take(s);
    add_step(s, out, (uint32_t)order[i], s->model->transitions.at[order[i]].inputs.count);
    return NULL;
  }
  return problem ? text_format("no step was found: %s", problem)
                 : memory_copy_string("deadlock: no action can be taken");
}

static size_t most_inputs(const model *m) {
  size_t most = 0;
  for (size_t i = 0; i < m->transitions.count; i++)
    if (m->transitions.at[i].inputs.count > most) most = m->transitions.at[i].inputs.count;
  return most;
}

simulation *simulation_new(model *m, uint64_t seed, budget *b) {
  simulation *s = MEMORY_NEW(simulation);
  s->model = m;
  s->semantics = m->has_heap ? semantics_new_bounded(m, MOST_NODES) : semantics_new(m);
  s->solver = solver_new(m->terms, b);
  s->random = (random_source){seed};
  size_t width = semantics_width(s->semantics);
  s->state = MEMORY_ARRAY(int64_t, width);
  s->next = MEMORY_ARRAY(int64_t, width);
  s->inputs = MEMORY_ARRAY(int64_t, most_inputs(m));
  s->order = MEMORY_ARRAY(size_t, m->transitions.count);
  for (size_t i = 0; i < m->transitions.count; i++) s->order[i] = i;
  return s;
}

void simulation_free(simulation *s) {
  if (!s) return;
  memory_free(s->order);
  memory_free(s->state);
  memory_free(s->next);
  memory_free(s->inputs);
  solver_free(s->solver);
  semantics_free(s->semantics);
  memory_free(s);
}

const int64_t *simulation_state(const simulation *s) { return s->state; }

step_status simulation_try(simulation *s, size_t index, const int64_t *inputs, size_t *fault) {
  return semantics_step(s->semantics, index, s->state, inputs, s->next, fault);
}

const int64_t *simulation_next(const simulation *s) { return s->next; }

void simulation_take(simulation *s) {
  int64_t *old = s->state;
  s->state = s->next;
  s->next = old;
}

/* False if a number does not fit. */
static bool words_of(const number_vector *v, int64_t *out) {
  for (size_t i = 0; i < v->count; i++)
    if (!number_to_int64(v->at[i], &out[i])) return false;
  return true;
}

bool simulation_replay(simulation *s, size_t count, const trace_step *steps) {
  memset(s->state, 0, semantics_width(s->semantics) * sizeof *s->state);
  if (!words_of(&steps[0].values, s->state)) return false;
  for (size_t i = 1; i < count; i++) {
    if (steps[i].round || !words_of(&steps[i].inputs, s->inputs)) return false;
    if (simulation_try(s, steps[i].transition, s->inputs, NULL) != STEP_TAKEN) return false;
    simulation_take(s);
  }
  return true;
}

bool simulation_inputs_are_few(const simulation *s, size_t index) {
  return choices_of_inputs(s->model, &s->model->transitions.at[index]) <= MOST_CHOICES_ENUMERATED;
}

bool simulation_draw_inputs(simulation *s, size_t index, int64_t *inputs) {
  const char *problem = NULL;
  if (solve_inputs(s, index, &problem) != STEP_TAKEN) return false;
  memcpy(inputs, s->inputs, s->model->transitions.at[index].inputs.count * sizeof *inputs);
  return true;
}
