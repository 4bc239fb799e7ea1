/* Depth first over the levels of the error, from the beginning on. A state is symbolic: each variable a term over the
 * first state and the inputs so far. What the levels say of the states between (from there, the error is reached) keeps
 * the search from going astray. */
#include "engine/widen/confirm.h"

#include "engine/widen/numeric.h"
#include "term/evaluate.h"
#include "term/substitute.h"

enum { MOST_CHECKS = 2000, SECONDS_A_CHECK = 10 };

typedef struct step_taken {
  uint32_t transition;
  variable_vector inputs; /* that stand for the transition's */
} step_taken;

typedef VECTOR(uint32_t) path_list;

/* How far the search has come: a head, on a level. */
typedef struct stand {
  size_t level;
  uint32_t head;
  term *state;    /* by position; owned */
  size_t steps;   /* how many led here */
  path_list ways; /* paths that may be taken; on the last level, error paths */
  size_t next;
} stand;

typedef struct confirming {
  const program *program;
  const model *model;
  terms *ts;
  const refinement *error;
  property_kind kind;
  term bad;
  solver *solver;
  VECTOR(stand) stands;
  VECTOR(step_taken) steps;
  uint32_t first_location;
  size_t checks;
  bool unsure;
} confirming;

/* ---- symbolic steps ---- */

static substitution *as_substitution(const confirming *c, const term *state) {
  substitution *s = substitution_new(c->ts);
  for (size_t i = 0; i < c->model->variables.count; i++) substitution_set(s, c->model->variables.at[i].var, state[i]);
  return s;
}

static void pin_control(const confirming *c, uint32_t location, term *state) {
  const graph *g = c->program->graph;
  for (size_t i = 0; i < g->control.count; i++) {
    number value = g->locations.at[location].values[i];
    bool is_bool = variable_type(c->ts, g->control.at[i])->sort == SORT_BOOL;
    state[model_position(c->model, g->control.at[i])] =
        is_bool ? term_of_bool(!number_is(value, 0)) : term_number(c->ts, value);
  }
}

static void begin_at(confirming *c, uint32_t start, term *state) {
  uint32_t location = c->program->graph->initial.at[start].at;
  c->first_location = location;
  pin_control(c, location, state);
  substitution *s = as_substitution(c, state);
  solver_assert(c->solver, substitution_apply(s, c->model->init));
  substitution_free(s);
}

static void take_edge(confirming *c, uint32_t edge, term *state) {
  const graph_edge *e = &c->program->graph->edges.at[edge];
  const transition *t = &c->model->transitions.at[e->transition];
  substitution *s = as_substitution(c, state);
  step_taken taken = {.transition = e->transition};
  for (size_t i = 0; i < t->inputs.count; i++) {
    type of = *variable_type(c->ts, t->inputs.at[i]); /* the table it stands in may move */
    variable fresh = variable_fresh(c->ts, "input", &of);
    substitution_set(s, t->inputs.at[i], term_of_variable(c->ts, fresh));
    VECTOR_PUSH(taken.inputs, fresh);
  }
  solver_assert(c->solver, substitution_apply(s, transition_enabled(c->model, t)));
  term *after = MEMORY_ARRAY(term, c->model->variables.count + 1);
  for (size_t i = 0; i < c->model->variables.count; i++)
    after[i] = substitution_apply(s, transition_value_after(c->model, t, c->model->variables.at[i].var));
  substitution_free(s);
  /* A step may go several ways from here; this edge is one of them. */
  for (size_t i = 0; i < c->program->graph->control.count; i++) {
    variable v = c->program->graph->control.at[i];
    term now = after[model_position(c->model, v)];
    number value = c->program->graph->locations.at[e->to].values[i];
    bool is_bool = term_sort(c->ts, now) == SORT_BOOL;
    solver_assert(c->solver,
                  term_eq(c->ts, now, is_bool ? term_of_bool(!number_is(value, 0)) : term_number(c->ts, value)));
  }
  memcpy(state, after, c->model->variables.count * sizeof(term));
  pin_control(c, e->to, state);
  memory_free(after);
  VECTOR_PUSH(c->steps, taken);
}

static void follow(confirming *c, const program_path *path, term *state) {
  if (path->start != NO_STATES) begin_at(c, path->start, state);
  for (size_t i = 0; i < path->edges.count; i++) take_edge(c, path->edges.at[i], state);
}

static void assert_in_state(confirming *c, const term *state, term t) {
  substitution *s = as_substitution(c, state);
  solver_assert(c->solver, substitution_apply(s, t));
  substitution_free(s);
}

/* ---- the search ---- */

static const element *states_of(const confirming *c, size_t level, uint32_t head) {
  const error_level *l = &c->error->levels.at[level];
  const cut_graph *cuts = &c->program->cuts;
  if (cuts->component_of.at[head] != l->component) return NULL;
  const component *at = &cuts->components.at[l->component];
  size_t k = 0;
  while (at->heads.at[k] != head) k++;
  return l->states[k];
}

static void find_ways(const confirming *c, stand *s) {
  const program *p = c->program;
  if (s->level == 0) {
    for (size_t i = 0; i < p->bad_paths.count; i++)
      if (p->bad_from.at[i] == s->head) VECTOR_PUSH(s->ways, (uint32_t)i);
    return;
  }
  uint32_t only = c->error->levels.at[s->level].path;
  for (size_t i = 0; i < p->paths.count; i++) {
    const cut_path *way = &p->cuts.paths.at[i];
    if (way->from != s->head || (only != ANY_PATH && only != i)) continue;
    const element *next = states_of(c, s->level - 1, way->to);
    if (next && !powerset_is_empty(element_set(next))) VECTOR_PUSH(s->ways, (uint32_t)i);
  }
}

static void drop_steps(confirming *c, size_t count) {
  while (c->steps.count > count) {
    VECTOR_FREE(VECTOR_LAST(c->steps).inputs);
    c->steps.count--;
  }
}

static void stand_free(stand *s) {
  memory_free(s->state);
  VECTOR_FREE(s->ways);
}

/* False if what is asserted cannot be. If it is not known, it may be; the last check decides. */
static bool may_go_on(confirming *c) {
  c->checks++;
  answer a = solver_check(c->solver, SECONDS_A_CHECK);
  if (answer_is_unsure(a)) c->unsure = true;
  return !answer_is_no(a);
}

/* The last part of the way, into the error. True if there is a run. */
static bool try_error_path(confirming *c, const stand *from, uint32_t bad_path) {
  const program_path *path = &c->program->bad_paths.at[bad_path];
  term *state = MEMORY_ARRAY(term, c->model->variables.count + 1);
  memcpy(state, from->state, c->model->variables.count * sizeof(term));
  solver_push(c->solver);
  follow(c, path, state);
  assert_in_state(c, state, c->bad);
  memory_free(state);
  c->checks++;
  answer a = solver_check(c->solver, SECONDS_A_CHECK);
  if (answer_is_unsure(a)) c->unsure = true;
  if (answer_is_yes(a)) return true;
  solver_pop(c->solver);
  drop_steps(c, from->steps);
  return false;
}

static void try_path(confirming *c, uint32_t index) {
  const stand *from = &VECTOR_LAST(c->stands);
  stand next = {.level = from->level - 1, .head = c->program->cuts.paths.at[index].to};
  next.state = MEMORY_ARRAY(term, c->model->variables.count + 1);
  memcpy(next.state, from->state, c->model->variables.count * sizeof(term));
  size_t steps_before = from->steps;
  bool had_choice = from->ways.count > 1;
  solver_push(c->solver);
  follow(c, &c->program->paths.at[index], next.state);
  assert_in_state(c, next.state,
                  elements_term(&c->program->graph->frame, element_set(states_of(c, next.level, next.head))));
  if (had_choice && !may_go_on(c)) {
    solver_pop(c->solver);
    drop_steps(c, steps_before);
    stand_free(&next);
    return;
  }
  next.steps = c->steps.count;
  find_ways(c, &next);
  VECTOR_PUSH(c->stands, next);
}

/* True at a run's end; its last solver model stands. */
static bool search(confirming *c, budget *b) {
  while (c->stands.count) {
    stand *at = &VECTOR_LAST(c->stands);
    if (c->checks > MOST_CHECKS || budget_spent(b)) {
      c->unsure = true;
      return false;
    }
    if (at->next == at->ways.count) {
      stand_free(at);
      c->stands.count--;
      if (c->stands.count) {
        solver_pop(c->solver);
        drop_steps(c, VECTOR_LAST(c->stands).steps);
      }
      continue;
    }
    uint32_t way = at->ways.at[at->next++];
    if (at->level)
      try_path(c, way);
    else if (try_error_path(c, at, way))
      return true;
  }
  return false;
}

/* ---- the run ---- */

static void read_first_state(confirming *c, trace_step *out) {
  const graph *g = c->program->graph;
  for (size_t i = 0; i < c->model->variables.count; i++) {
    variable v = c->model->variables.at[i].var;
    number value = number_of(0);
    size_t k = 0;
    while (k < g->control.count && !variable_same(g->control.at[k], v)) k++;
    value = k < g->control.count ? g->locations.at[c->first_location].values[k] : solver_value(c->solver, v);
    VECTOR_PUSH(out->values, value);
  }
}

/* Which fault it is that holds in the last state, with which inputs. */
static bool read_fault(confirming *c, evidence *out) {
  const trace_step *last = &VECTOR_LAST(out->steps);
  number_vector values = {0};
  for (size_t i = 0; i < c->model->transitions.count; i++) {
    const transition *t = &c->model->transitions.at[i];
    if (!t->faults.count) continue;
    VECTOR_CLEAR(out->fault_inputs);
    for (size_t j = 0; j < t->inputs.count; j++)
      VECTOR_PUSH(out->fault_inputs, solver_value(c->solver, t->inputs.at[j]));
    trace_assignment(c->model, last->values.at, t, out->fault_inputs.at, &values);
    for (size_t j = 0; j < t->faults.count; j++) {
      if (!number_is(term_evaluate(c->ts, t->faults.at[j].when, values.at), 1)) continue;
      out->fault_transition = (uint32_t)i;
      out->fault = (uint32_t)j;
      VECTOR_FREE(values);
      return true;
    }
  }
  VECTOR_FREE(values);
  return false;
}

static bool read_run(confirming *c, evidence *out) {
  out->kind = EVIDENCE_TRACE;
  trace_step first = {0};
  read_first_state(c, &first);
  VECTOR_PUSH(out->steps, first);
  for (size_t i = 0; i < c->steps.count; i++) {
    trace_step s = {.transition = c->steps.at[i].transition};
    for (size_t j = 0; j < c->steps.at[i].inputs.count; j++)
      VECTOR_PUSH(s.inputs, solver_value(c->solver, c->steps.at[i].inputs.at[j]));
    for (size_t j = 0; j < c->model->variables.count; j++) VECTOR_PUSH(s.values, number_of(0));
    VECTOR_PUSH(out->steps, s);
  }
  trace_recompute(c->model, &out->steps);
  return c->kind != PROPERTY_NO_FAULT || read_fault(c, out);
}

confirmation confirm(const program *p, const refinement *f, property_kind kind, term bad, budget *b, evidence *out) {
  const model *m = p->graph->frame.model;
  confirming c = {.program = p,
                  .model = m,
                  .ts = m->terms,
                  .error = f,
                  .kind = kind,
                  .bad = bad,
                  .solver = solver_new(m->terms, b)};
  stand first = {.level = f->levels.count - 1, .state = MEMORY_ARRAY(term, m->variables.count + 1)};
  for (size_t i = 0; i < m->variables.count; i++) first.state[i] = term_of_variable(m->terms, m->variables.at[i].var);
  find_ways(&c, &first);
  VECTOR_PUSH(c.stands, first);
  bool found = search(&c, b);
  confirmation result = found ? CONFIRM_TRACE : c.unsure ? CONFIRM_UNSURE : CONFIRM_NONE;
  if (found && !read_run(&c, out)) {
    evidence_clear(out);
    result = CONFIRM_UNSURE;
  }
  for (size_t i = 0; i < c.stands.count; i++) stand_free(&c.stands.at[i]);
  VECTOR_FREE(c.stands);
  drop_steps(&c, 0);
  VECTOR_FREE(c.steps);
  solver_free(c.solver);
  return result;
}
