/* Tries richer and richer measures; what is known of the predicates is kept. */
#include "engine/rank/calls/call_rank.h"

#include "engine/rank/calls/call_measure.h"
#include "engine/rank/overflow.h"

/* What is tried, one after the other. */
static const call_effort efforts[] = {
    {false, false, {1, false, false}}, {false, false, {1, false, true}}, {false, true, {10, true, false}},
    {true, false, {1, false, false}},  {true, false, {1, false, true}},  {true, false, {10, true, false}},
    {true, true, {1, false, false}},   {true, true, {10, true, true}},
};

struct call_rank {
  engine_environment *env;
  call_steps *steps;
  size_t effort;             /* in the table */
  call_measuring *measuring; /* NULL: with this effort there is none yet */
};

call_rank *call_rank_new(engine_environment *env) {
  call_rank *r = MEMORY_NEW(call_rank);
  r->env = env;
  r->steps = call_steps_new(env);
  return r;
}

void call_rank_free(call_rank *r) {
  if (!r) return;
  call_measuring_free(r->measuring);
  call_steps_free(r->steps);
  memory_free(r);
}

static engine_status next_effort(call_rank *r, claim *out) {
  call_measuring_free(r->measuring);
  r->measuring = NULL;
  if (++r->effort < ARRAY_LENGTH(efforts)) return ENGINE_GOES_ON;
  return claim_give_up(out, "no measures were found that fall until the program ends");
}

/* Measures that fall only because of numbers that overflow are not claimed. */
static engine_status claim_ranking(call_rank *r, claim *out) {
  const term_vector *known = call_steps_known(r->steps);
  for (size_t i = 0; i < known->count; i++) VECTOR_PUSH(out->evidence.interpretation, known->at[i]);
  call_measuring_claim(r->measuring, &out->evidence.measures);
  if (overflow_ends_calls(r->env, &out->evidence)) {
    evidence_clear(&out->evidence);
    return next_effort(r, out);
  }
  out->verdict = VERDICT_HOLDS;
  out->evidence.kind = EVIDENCE_CALL_RANKING;
  return ENGINE_DONE;
}

engine_status call_rank_step(call_rank *r, claim *out) {
  if (!r->env->model->clauses->predicates.count) return claim_give_up(out, "the program has no places");
  if (!r->measuring) r->measuring = call_measuring_new(r->env, r->steps, &efforts[r->effort]);
  measuring_end end = call_measuring_step(r->measuring);
  r->env->statistics->queries = r->env->statistics->answered_solver = call_steps_questions(r->steps);
  events_progress(r->env->events, "%zu measures", call_measuring_count(r->measuring));
  switch (end) {
    case MEASURING_GOES_ON: return ENGINE_GOES_ON;
    case MEASURING_DONE: return claim_ranking(r, out);
    case MEASURING_NONE: return next_effort(r, out);
    default: return claim_give_up(out, call_measuring_trouble(r->measuring));
  }
}
