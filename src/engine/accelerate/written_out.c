/* Writes runs out, and looks whether each round can be taken: one by one if they are few, else by one question. */
#include "engine/accelerate/written_out.h"

#include "model/rounds.h"
#include "term/evaluate.h"

/* So many rounds, at most, become single steps. */
enum { FEW_ROUNDS = 50 };

static void add_step(const model *m, uint32_t transition, const number *inputs, trace *out) {
  trace_step made = {.transition = transition};
  for (size_t i = 0; i < m->transitions.at[transition].inputs.count; i++) VECTOR_PUSH(made.inputs, inputs[i]);
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(made.values, number_of(0)); /* computed later */
  VECTOR_PUSH(*out, made);
}

static void add_round(const model *m, const transition_cycle *c, const number *inputs, trace *out) {
  for (size_t i = 0; i < c->length; i++) {
    add_step(m, c->transitions[i], inputs, out);
    inputs += m->transitions.at[c->transitions[i]].inputs.count;
  }
}

static void add_rounds(const model *m, const transition_cycle *c, const number_vector *inputs, trace *out) {
  number times = VECTOR_LAST(*inputs);
  add_round(m, c, inputs->at, out);
  if (number_compare(times, number_of(FEW_ROUNDS)) <= 0) {
    for (int64_t i = 1; i < times.small; i++) add_round(m, c, inputs->at, out);
    return;
  }
  const trace_step *last = &VECTOR_LAST(*out);
  add_step(m, last->transition, inputs->at + inputs->count - 1 - last->inputs.count, out);
  VECTOR_LAST(*out).round = (uint32_t)c->length;
  VECTOR_LAST(*out).times = number_sub(times, number_of(1));
}

/* ---- can they be taken? ---- */

static bool can_take(const model *m, const trace_step *before, const trace_step *step, number_vector *values) {
  const transition *t = &m->transitions.at[step->transition];
  trace_step_assignment(m, before, t, step->inputs.at, values);
  if (number_is(term_evaluate(m->terms, t->guard, values->at), 0)) return false;
  for (size_t i = 0; i < t->faults.count; i++)
    if (!number_is(term_evaluate(m->terms, t->faults.at[i].when, values->at), 0)) return false;
  return true;
}

static answer can_take_rounds(engine_environment *env, const trace_step *step) {
  model *m = env->model;
  terms *ts = m->terms;
  round_effect form;
  if (!rounds_find(m, step - step->round, step->round, (step - 1)->values.at, &form)) return answer_no();
  type integer = {.sort = SORT_INT};
  term times = term_of_variable(ts, variable_fresh(ts, "rounds", &integer));
  solver *s = solver_new(ts, env->budget);
  solver_assert(s, term_ge(ts, times, term_int(ts, 0)));
  solver_assert(s, term_lt(ts, times, term_number(ts, step->times)));
  solver_assert(s, term_not(rounds_go_on(m, &form, (step - 1)->values.at, times)));
  answer stops = solver_check(s, 0);
  solver_free(s);
  rounds_clear(&form);
  return answer_is_unsure(stops) ? stops : answer_is_no(stops) ? answer_yes() : answer_no();
}

static answer can_take_all(engine_environment *env, const trace *t) {
  number_vector values = {0};
  answer all = answer_yes();
  for (size_t i = 1; i < t->count && answer_is_yes(all); i++) {
    const trace_step *s = &t->at[i];
    if (s->round)
      all = can_take_rounds(env, s);
    else if (!can_take(env->model, s - 1, s, &values))
      all = answer_no();
  }
  VECTOR_FREE(values);
  return all;
}

answer written_out(engine_environment *env, const repeated_transitions *r, trace *steps, transition_cycle *wrong) {
  trace made = {0};
  answer all = answer_yes();
  VECTOR_PUSH(made, (trace_step){0});
  VECTOR_COPY(made.at[0].values, steps->at[0].values);
  for (size_t i = 1; i < steps->count && answer_is_yes(all); i++) {
    const trace_step *s = &steps->at[i];
    if (s->transition < r->first) {
      add_step(env->model, s->transition, s->inputs.at, &made);
      continue;
    }
    *wrong = r->of.at[s->transition - r->first];
    add_rounds(env->model, wrong, &s->inputs, &made);
    all = trace_recompute(env->model, &made) ? can_take_all(env, &made) : answer_no();
  }
  trace_clear(steps);
  *steps = made;
  if (!answer_is_yes(all)) return all;
  return trace_recompute(env->model, steps) ? can_take_all(env, steps) : answer_no();
}
