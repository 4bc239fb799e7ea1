/* Promises that are kept (F p, G (q => F p)): measures that fall as long as one is open (measure.h).
 *
 * The invariant is what others have proved. The region, in which promises are open, is where `q` holds and p does not, if `q` stays
 * until then; else it is everywhere. */
#include "engine/rank/calls/call_rank.h"
#include "engine/rank/measure.h"
#include "engine/rank/overflow.h"
#include "engine/rank/own_facts.h"
#include "engine/rank/recur.h"
#include "engine/rank/relate.h"
#include "model/transform.h"
#include "proof/ranking.h"
#include "proof/recurrence.h"

/* What is tried, one after the other: measures, or a transition invariant. */
typedef struct attempt {
  bool has_relations;
  measuring_effort measures;
  relation_level relations;
} attempt;

static const attempt attempts[] = {
    {.measures = {FEATURES_PLAIN, {1, false, false}, HELPS_POSSIBLE, false}},
    {.measures = {FEATURES_PLAIN, {10, true, true}, HELPS_NONE, true}},
    {.has_relations = true, .relations = RELATIONS_PLAIN},
    {.has_relations = true, .relations = RELATIONS_PAIRS},
    {.measures = {FEATURES_BY_PLACE, {1, false, false}, HELPS_AT_PLACES, false}},
    {.measures = {FEATURES_BY_CASE, {1, true, false}, HELPS_POSSIBLE, false}},
    {.measures = {FEATURES_PLAIN, {1, false, true}, HELPS_NONE, false}},
    {.measures = {FEATURES_PLAIN, {10, true, true}, HELPS_AT_PLACES, false}},
    {.measures = {FEATURES_BY_PLACE, {10, true, true}, HELPS_NONE, false}},
    {.measures = {FEATURES_BY_CASE, {10, true, true}, HELPS_POSSIBLE, false}},
    {.measures = {FEATURES_BY_CASE, {100, true, false}, HELPS_NONE, false}},
};

/* Random runs that are tried, and how many steps of the search for measures there are to one of them. */
enum { MOST_RUNS = 100, STEPS_A_RUN = 2 };

typedef struct rank {
  engine_environment *env;
  temporal_promise promise;
  term region;
  term_vector own; /* facts of the environment that this engine found: they are part of what it claims */
  bool has_begun;
  bool is_careful;      /* measures shall not fall for the reason alone that numbers overflow */
  size_t attempt;       /* in the table */
  recur *recur;         /* NULL: none is looked for */
  size_t runs, steps;   /* random ones that were tried; steps of this engine */
  const char *why;      /* there can be no measures; NULL if that is not known */
  measuring *measuring; /* NULL: with this attempt there is none yet */
  relating *relating;   /* the same */
  call_rank *calls;     /* of a program with recursive procedures, instead of all the others */
} rank;

static void *rank_open(engine_environment *env) {
  rank *r = MEMORY_NEW(rank);
  r->env = env;
  if (env->model->properties.at[env->property].kind == PROPERTY_ENDS) r->calls = call_rank_new(env);
  return r;
}

static void rank_close(void *state) {
  rank *r = state;
  measuring_free(r->measuring);
  relating_free(r->relating);
  recur_free(r->recur);
  call_rank_free(r->calls);
  VECTOR_FREE(r->own);
  memory_free(r);
}

static void assert_facts(const rank *r, solver *s) {
  for (size_t i = 0; i < r->env->facts.count; i++) solver_assert(s, r->env->facts.at[i]);
}

/* What the promise asks for holds until it is kept. */
static bool asks_until_kept(const rank *r) {
  const model *m = r->env->model;
  solver *s = solver_new(m->terms, r->env->budget);
  assert_facts(r, s);
  solver_assert(s, term_and(m->terms, r->promise.asks, term_not(r->promise.gives)));
  bool stays = true;
  for (size_t i = 0; i < m->transitions.count && stays; i++) {
    const transition *t = &m->transitions.at[i];
    term lost = term_not(transform_after(m, t, term_or(m->terms, r->promise.asks, r->promise.gives)));
    stays = answer_is_no(solver_satisfiable(s, term_and(m->terms, transition_enabled(m, t), lost)));
  }
  solver_free(s);
  return stays;
}

/* NULL, or why there can be no measures: the promise is open in a state without a step. */
static const char *ends_open(const rank *r, const evidence *e) {
  const model *m = r->env->model;
  ranking obligations = {m, r->promise, e};
  bool exact = true;
  solver *s = solver_new(m->terms, r->env->budget);
  assert_facts(r, s);
  answer a = solver_satisfiable(s, ranking_stuck(&obligations, &exact));
  const char *why = answer_is_no(a)    ? NULL
                    : answer_is_yes(a) ? "as far as is known, a run may end before what is promised"
                                       : "whether a run may end before what is promised could not be decided";
  solver_free(s);
  return why;
}

/* If nobody else finds facts. */
static void find_own_facts(rank *r) {
  if (r->env->facts_waiting) return;
  own_facts_find(r->env, &r->own);
  for (size_t i = 0; i < r->own.count; i++) VECTOR_PUSH(r->env->facts, r->own.at[i]);
}

static const char *begin(rank *r) {
  const model *m = r->env->model;
  const property *p = &m->properties.at[r->env->property];
  evidence nothing = {0};
  ranking shape;
  const char *why = ranking_open(m, p, &nothing, &shape);
  if (why) return why;
  r->promise = shape.promise;
  find_own_facts(r);
  bool has_region = r->promise.is_always && !term_is_true(r->promise.asks) && asks_until_kept(r);
  r->region = nothing.region = has_region ? r->promise.asks : TERM_TRUE;
  r->has_begun = true;
  r->is_careful = overflow_may_end_runs(r->env);
  temporal_promise unused;
  if (!recurrence_open(m, p, &unused)) r->recur = recur_new(r->env, &r->promise);
  return ends_open(r, &nothing);
}

static engine_status claim_ranking(rank *r, claim *out) {
  evidence *e = &out->evidence;
  out->verdict = VERDICT_HOLDS;
  e->kind = r->relating ? EVIDENCE_TRANSITION_INVARIANT : EVIDENCE_RANKING;
  e->region = r->region;
  if (r->relating)
    relating_write(r->relating, e);
  else
    measuring_write(r->measuring, e);
  evidence_add_part(r->env->model->terms, e, term_and_all(r->env->model->terms, r->own.count, r->own.at));
  r->env->used_facts = r->env->facts.count > r->own.count;
  return ENGINE_DONE;
}

static engine_status next_attempt(rank *r) {
  measuring_free(r->measuring);
  relating_free(r->relating);
  r->measuring = NULL;
  r->relating = NULL;
  r->attempt++;
  return ENGINE_GOES_ON;
}

/* There are no measures: only runs are left to try. */
static engine_status try_more_runs(rank *r, const char *why, claim *out) {
  if (why) r->attempt = ARRAY_LENGTH(attempts), r->why = why;
  if (r->recur && r->runs < MOST_RUNS && !budget_spent(r->env->budget)) return ENGINE_GOES_ON;
  return claim_give_up(out, r->why ? r->why : "no measures were found that fall until what is promised");
}

static void report(const rank *r) {
  uint64_t questions = r->relating ? relating_questions(r->relating) : measuring_questions(r->measuring);
  r->env->statistics->queries = r->env->statistics->answered_solver = questions;
  if (r->relating)
    events_progress(r->env->events, "%zu relations", relating_count(r->relating));
  else
    events_progress(r->env->events, "%zu measures", measuring_count(r->measuring));
}

/* A step of the attempt, which is begun if it has not. */
static measuring_end try(rank *r) {
  const attempt *a = &attempts[r->attempt];
  term open = term_and(r->env->model->terms, r->region, term_not(r->promise.gives));
  if (!r->relating && a->has_relations) r->relating = relating_new(r->env, open, a->relations, r->is_careful);
  if (!r->measuring && !a->has_relations) r->measuring = measuring_new(r->env, open, &a->measures, r->is_careful);
  measuring_end end = a->has_relations ? relating_step(r->relating) : measuring_step(r->measuring);
  report(r);
  return end;
}

static engine_status rank_step(void *state, claim *out) {
  rank *r = state;
  if (r->calls) return call_rank_step(r->calls, out);
  const char *why = r->has_begun ? NULL : begin(r);
  if (r->recur && r->runs < MOST_RUNS && r->runs <= r->steps / STEPS_A_RUN) {
    r->runs++;
    if (recur_try(r->recur, out)) return ENGINE_DONE;
  }
  r->steps++;
  if (why || r->attempt == ARRAY_LENGTH(attempts)) return try_more_runs(r, why, out);
  switch (try(r)) {
    case MEASURING_GOES_ON: return ENGINE_GOES_ON;
    case MEASURING_DONE: return claim_ranking(r, out);
    case MEASURING_NONE: return next_attempt(r);
    default: return claim_give_up(out, r->relating ? relating_trouble(r->relating) : measuring_trouble(r->measuring));
  }
}

static bool rank_wants_model_as_read(const options *o, const model *m, size_t property) {
  (void)o;
  return m->properties.at[property].kind == PROPERTY_ENDS;
}

const engine engine_rank = {
    .name = "rank",
    .title = "measures that fall until what a temporal property promises",
    .paper =
        "Alias, Darte, Feautrier, Gonnord: Multi-dimensional Rankings, Program Termination, and Complexity Bounds (SAS "
        "2010)",
    .limits = ENGINE_NO_HEAP,
    .open = rank_open,
    .step = rank_step,
    .close = rank_close,
    .treats_procedures = true,
    .treats_end_of_procedures = true,
    .uses_facts = true,
    .wants_model_as_read = rank_wants_model_as_read,
};
