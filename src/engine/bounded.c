/* Violations as formulas, the growing formula in the solver, and runs read from its models. */
#include "engine/bounded.h"

#include "proof/type_and_input_conditions.h"
#include "term/evaluate.h"

/* ---- what is bad ---- */

static void inputs_of(const model *m, term t, variable_vector *out) {
  variable_vector all = {0};
  term_variables(m->terms, 1, &t, &all);
  for (size_t i = 0; i < all.count; i++)
    if (!model_is_state_variable(m, all.at[i])) VECTOR_PUSH(*out, all.at[i]);
  VECTOR_FREE(all);
}

static bounded_violation deadlocks(const model *m) {
  term_vector stuck = {0};
  bounded_violation v = {.is_of_states = true};
  for (size_t i = 0; i < m->transitions.count; i++)
    VECTOR_PUSH(stuck, term_not(condition_can_be_taken(m, &m->transitions.at[i], &v.is_of_states)));
  v.bad = v.bad_states = term_and_all(m->terms, stuck.count, stuck.at);
  if (!v.is_of_states) v.trouble = "deadlocks of steps whose inputs could not be eliminated";
  VECTOR_FREE(stuck);
  return v;
}

bounded_violation violation_of(const model *m, size_t property) {
  const struct property *p = &m->properties.at[property];
  if (p->kind == PROPERTY_DEADLOCKFREE) return deadlocks(m);
  bounded_violation v = {.bad = p->bad, .is_of_states = true};
  variable_vector inputs = {0};
  inputs_of(m, p->bad, &inputs);
  v.bad_states = condition_for_some(m->terms, p->bad, inputs.count, inputs.at, &v.is_of_states);
  VECTOR_FREE(inputs);
  return v;
}

bool violation_find_fault(const model *m, const number *values, evidence *out) {
  for (uint32_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    for (uint32_t j = 0; j < t->faults.count; j++) {
      if (number_is(term_evaluate(m->terms, t->faults.at[j].when, values), 0)) continue;
      out->fault_transition = i;
      out->fault = j;
      for (size_t k = 0; k < t->inputs.count; k++) VECTOR_PUSH(out->fault_inputs, values[t->inputs.at[k].x]);
      return true;
    }
  }
  return false;
}

/* ---- runs ---- */

struct bounded {
  engine_environment *env;
  const model *model;
  terms *ts;
  unrolling *u;
  const bounded_violation *violation;
  solver *solver;
  size_t length;
  term_vector facts;
  term asks; /* stands for: the last state is bad */
};

static term fresh_truth(terms *ts, const char *stem) {
  type truth = {.sort = SORT_BOOL};
  return term_of_variable(ts, variable_fresh(ts, stem, &truth));
}

/* The state at the end of the runs: what is known of it, and the question about it. */
static void enter_time(bounded *b) {
  for (size_t i = 0; i < b->facts.count; i++) solver_assert(b->solver, unrolling_at(b->u, b->facts.at[i], b->length));
  b->asks = fresh_truth(b->ts, "bad");
  solver_assert(b->solver, term_implies(b->ts, b->asks, unrolling_at(b->u, b->violation->bad, b->length)));
}

bounded *bounded_new(engine_environment *env, unrolling *u, const bounded_violation *v) {
  bounded *b = MEMORY_NEW(bounded);
  b->env = env;
  b->model = env->model;
  b->ts = env->model->terms;
  b->u = u;
  b->violation = v;
  b->solver = solver_new_for_assumptions(b->ts, env->budget);
  solver_assert(b->solver, b->model->init);
  enter_time(b);
  return b;
}

void bounded_free(bounded *b) {
  if (!b) return;
  solver_free(b->solver);
  VECTOR_FREE(b->facts);
  memory_free(b);
}

size_t bounded_length(const bounded *b) { return b->length; }

const solver_statistics *bounded_statistics(const bounded *b) { return solver_statistics_of(b->solver); }

void bounded_assume(bounded *b, term fact) {
  VECTOR_PUSH(b->facts, fact);
  for (size_t i = 0; i <= b->length; i++) solver_assert(b->solver, unrolling_at(b->u, fact, i));
}

/* ---- reading a run ---- */

static bool read_variable(bounded *b, variable v, size_t time, number *out) {
  variable copy = unrolling_variable(b->u, v, time);
  return solver_values(b->solver, 1, &copy, out);
}

static bool read_inputs(bounded *b, const transition *t, size_t time, number_vector *out) {
  for (size_t i = 0; i < t->inputs.count; i++) {
    number value;
    if (!read_variable(b, t->inputs.at[i], time, &value)) return false;
    VECTOR_PUSH(*out, value);
  }
  return true;
}

bool unrolling_read_choice(unrolling *u, solver *s, size_t time, uint32_t *out) {
  const variable_vector *digits = unrolling_choice(u, time);
  *out = 0;
  for (size_t i = 0; i < digits->count; i++) {
    number digit;
    if (!solver_values(s, 1, &digits->at[i], &digit)) return false;
    if (number_is(digit, 1)) *out |= UINT32_C(1) << i;
  }
  return true;
}

static bool read_state(bounded *b, size_t time, trace_step *out) {
  for (size_t i = 0; i < b->model->variables.count; i++) {
    number value;
    if (!read_variable(b, b->model->variables.at[i].var, time, &value)) return false;
    VECTOR_PUSH(out->values, value);
  }
  if (!time) return true;
  return unrolling_read_choice(b->u, b->solver, time - 1, &out->transition) &&
         read_inputs(b, &b->model->transitions.at[out->transition], time - 1, &out->inputs);
}

/* The fault that the inputs of the last time make happen in the last state. */
static bool find_fault(bounded *b, evidence *out) {
  const model *m = b->model;
  number_vector values = {0};
  trace_assignment(m, VECTOR_LAST(out->steps).values.at, NULL, NULL, &values);
  bool read = true;
  for (size_t i = 0; i < m->transitions.count && read; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count && read; j++) {
      variable input = m->transitions.at[i].inputs.at[j];
      read = read_variable(b, input, b->length, &values.at[input.x]);
    }
  bool found = read && violation_find_fault(m, values.at, out);
  VECTOR_FREE(values);
  return found;
}

static bool read_run(bounded *b, evidence *out) {
  out->kind = EVIDENCE_TRACE;
  for (size_t i = 0; i <= b->length; i++) {
    trace_step made = {0};
    bool read = read_state(b, i, &made);
    VECTOR_PUSH(out->steps, made);
    if (!read) return false;
  }
  return b->model->properties.at[b->env->property].kind != PROPERTY_NO_FAULT || find_fault(b, out);
}

/* ---- the question ---- */

answer bounded_ask(bounded *b, double seconds, evidence *out) {
  answer a = solver_check_assuming(b->solver, 1, &b->asks, seconds);
  if (answer_is_yes(a) && !read_run(b, out)) {
    evidence_clear(out);
    return answer_unsure("the run found cannot be read");
  }
  if (!answer_is_no(a)) return a;
  solver_assert(b->solver, term_not(unrolling_at(b->u, b->violation->bad, b->length)));
  solver_assert(b->solver, term_not(b->asks));
  solver_assert(b->solver, unrolling_step(b->u, b->length));
  b->length++;
  enter_time(b);
  return a;
}
