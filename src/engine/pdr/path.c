/* The literals of a path, and a run along it. */
#include "engine/pdr/path.h"

#include "engine/concrete_run.h"
#include "engine/project.h"
#include "term/evaluate.h"

/* ---- literals ---- */

/* Bounds of types are literals like others: a proof may need them. */
static void add_types(const path *p, const transition *t, term_vector *out) {
  const model *m = p->b->model;
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(*out, variable_in_type(p->b->ts, m->variables.at[i].var));
  for (size_t i = 0; t && i < t->inputs.count; i++) VECTOR_PUSH(*out, variable_in_type(p->b->ts, t->inputs.at[i]));
}

/* The values of the obligation's state, and of its inputs. */
static void recall(const path *p, size_t place) { blocking_recall(p->b, p->places.at[place]); }

static term conjunction(const path *p, TAKE term_vector parts) {
  term result = term_and_all(p->b->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

/* The literals that make `f` true under the values. */
static bool add_group(path *p, term f) {
  term_vector literals = {0};
  bool fine = project(p->b->ts, f, 0, NULL, p->b->values.at, &literals);
  VECTOR_PUSH(p->groups, literals);
  return fine;
}

static bool add_initial(path *p) {
  term_vector parts = {0};
  add_types(p, NULL, &parts);
  VECTOR_PUSH(parts, p->b->model->init);
  return add_group(p, conjunction(p, parts));
}

/* Also sets the values after the step. */
static bool add_step(path *p, size_t place) {
  const model *m = p->b->model;
  terms *ts = p->b->ts;
  const transition *t = &m->transitions.at[p->transitions.at[place]];
  term_vector parts = {0};
  recall(p, place);
  add_types(p, t, &parts);
  VECTOR_PUSH(parts, transition_enabled(m, t));
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var, after = unrolling_variable(p->unrolling, v, 1);
    if (variable_same(v, after)) continue;
    term value = transition_value_after(m, t, v);
    p->b->values.at[after.x] = term_evaluate(ts, value, p->b->values.at);
    VECTOR_PUSH(parts, term_eq(ts, term_of_variable(ts, after), value));
  }
  return add_group(p, conjunction(p, parts));
}

static bool add_bad(path *p) {
  const model *m = p->b->model;
  term_vector parts = {0};
  recall(p, p->places.count - 1);
  add_types(p, NULL, &parts);
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count; j++)
      VECTOR_PUSH(parts, variable_in_type(p->b->ts, m->transitions.at[i].inputs.at[j]));
  VECTOR_PUSH(parts, p->b->violation->bad);
  return add_group(p, conjunction(p, parts));
}

bool path_open(path *p, blocking *b, unrolling *u, size_t start) {
  *p = (path){.b = b, .unrolling = u};
  for (size_t at = start; at != NO_OBLIGATION; at = b->obligations.at[at].next) {
    VECTOR_PUSH(p->places, at);
    if (b->obligations.at[at].next != NO_OBLIGATION) VECTOR_PUSH(p->transitions, b->obligations.at[at].transition);
  }
  bool fine = add_initial(p);
  for (size_t i = 0; fine && i < path_steps(p); i++) fine = add_step(p, i);
  return fine && add_bad(p);
}

void path_close(path *p) {
  for (size_t i = 0; i < p->groups.count; i++) VECTOR_FREE(p->groups.at[i]);
  VECTOR_FREE(p->groups);
  VECTOR_FREE(p->places);
  VECTOR_FREE(p->transitions);
}

/* ---- a run ---- */

static bool is_of_before(const path *p, term t) {
  const model *m = p->b->model;
  variable_vector inside = {0};
  term_variables(p->b->ts, 1, &t, &inside);
  bool is = true;
  for (size_t i = 0; i < m->variables.count && is; i++) {
    variable v = m->variables.at[i].var, after = unrolling_variable(p->unrolling, v, 1);
    for (size_t j = 0; j < inside.count && !variable_same(v, after); j++) is &= !variable_same(inside.at[j], after);
  }
  VECTOR_FREE(inside);
  return is;
}

/* The literals of a step without what they say of the state after it. */
static term condition_of(const path *p, size_t step) {
  const term_vector *literals = &p->groups.at[step + 1];
  term_vector kept = {0};
  for (size_t i = 0; i < literals->count; i++)
    if (is_of_before(p, literals->at[i])) VECTOR_PUSH(kept, literals->at[i]);
  return conjunction(p, kept);
}

static answer run_through(const path *p, solver *s, const term *where, evidence *out) {
  const blocking *b = p->b;
  bool is_fault = b->model->properties.at[b->env->property].kind == PROPERTY_NO_FAULT;
  concrete_run q = {.model = b->model,
                    .solver = s,
                    .count = path_steps(p),
                    .transitions = p->transitions.at,
                    .where = where,
                    .loop = RUN_HAS_NO_LOOP,
                    .at_end = b->violation->bad,
                    .end = is_fault ? RUN_ENDS_IN_ANY_FAULT : RUN_ENDS_WITHOUT_INPUTS};
  answer a = concrete_run_find(&q, out);
  if (answer_is_yes(a)) out->kind = EVIDENCE_TRACE;
  return a;
}

answer path_run(const path *p, solver *s, evidence *out) {
  terms *ts = p->b->ts;
  term_vector literals = {0}, cubes = {0};
  for (size_t i = 0; i < p->places.count; i++) {
    const cube *c = &p->b->obligations.at[p->places.at[i]].cube;
    VECTOR_PUSH(literals, i < path_steps(p) ? condition_of(p, i) : TERM_TRUE);
    VECTOR_PUSH(cubes, term_and_all(ts, c->count, c->at));
  }
  answer a = run_through(p, s, literals.at, out);
  if (answer_is_no(a)) a = run_through(p, s, cubes.at, out);
  VECTOR_FREE(literals);
  VECTOR_FREE(cubes);
  return a;
}

answer path_run_elsewhere(const path *p, solver *s, evidence *out) { return run_through(p, s, NULL, out); }
