/* Arrays by cells (Monniaux and Gonnord): one cell of each array first, then two, as long as what is found out about
 * cells breaks the property, and three if two break it. That is no verdict: it leads to more cells.
 *
 *   equations.c        clauses with fewer variables
 *   without_arrays.c   a clause without arrays
 *   problem.c          all of them, and the way back
 *   constants.c        clauses with variables for large numbers
 *   general.c          those, and the clauses as they are, take turns
 *   here               Z3's Horn engine is asked about them */
#include "engine/cells/cells.h"

#include "base/work.h"
#include "engine/cells/guess/guess.h"
#include "engine/cells/pairs/pairs.h"

/* A query of Z3 may never end. So each gets so much work at first, and all of them more when the last was asked. There
 * are two for each number of cells, which differ in how Spacer works; the first of as few as may do is the most promising. */
enum { FIRST_WORK = 60 * 1000, MORE_WORK = 4, WORK_OF_FIRST = 2, WORK_OF_GUESS = 4, MOST_EFFORT = 3 };

struct cells_engine {
  cell_problem cells;
  guess_run *guess;  /* NULL after the last guess */
  unsigned effort;   /* of it */
  bool guesses_next; /* before the next query */
  bool saw_all;      /* short runs came to every predicate */
  pair_run *pairs;   /* if cells are copies of a process; NULL if it has found nothing */
  bool pairs_next;
  fixedpoint *fixedpoint;
  uint64_t work, ends_at;         /* of a query */
  bool is_second;                 /* of the two */
  bool is_enough[MOST_CELLS + 1]; /* false: with so many cells the property is broken */
};

cells_engine *cells_engine_new(engine_environment *env) {
  cells_engine *e = MEMORY_NEW(cells_engine);
  e->cells = (cell_problem){.env = env, .ts = env->model->terms};
  e->work = FIRST_WORK;
  e->guesses_next = true;
  e->guess = guess_run_new(env, 0);
  e->pairs = env->model->has_copies ? pair_run_new(env) : NULL;
  e->pairs_next = true;
  size_t depth = cells_depth(e->cells.ts, env->model->clauses);
  for (size_t i = 0; i <= MOST_CELLS; i++) e->is_enough[i] = i * depth <= MOST_INDICES;
  return e;
}

void cells_engine_free(cells_engine *e) {
  if (!e) return;
  guess_run_free(e->guess);
  pair_run_free(e->pairs);
  fixedpoint_free(e->fixedpoint);
  cells_clear_problem(&e->cells);
  VECTOR_FREE(e->cells.predicates);
  VECTOR_FREE(e->cells.indices);
  VECTOR_FREE(e->cells.sought);
  memory_free(e);
}

static bool observe(void *context) {
  cells_engine *e = context;
  fixedpoint_counts counts = fixedpoint_counts_of(e->fixedpoint);
  e->cells.env->statistics->depth = counts.levels;
  e->cells.env->statistics->queries = counts.predecessors;
  events_progress(e->cells.env->events, "%zu cells, level %llu", e->cells.count, (unsigned long long)counts.levels);
  return work_done() >= e->ends_at;
}

static void report_query(cells_engine *e, const char *answer) {
  fixedpoint_counts counts = fixedpoint_counts_of(e->fixedpoint);
  size_t atoms = 0;
  for (size_t i = 0; i < e->cells.problem.rules.count; i++) atoms += e->cells.problem.rules.at[i].body.count;
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "cells", e->cells.count);
  json_field_count(&w, "clauses", e->cells.problem.rules.count);
  json_field_count(&w, "atoms", atoms);
  json_field_count(&w, "levels", counts.levels);
  json_field_string(&w, "answer", answer);
  events_iteration(e->cells.env->events, &w);
}

/* More than two only if two are known to be too few. */
static size_t next_count(const cells_engine *e, size_t from) {
  while (from <= MOST_CELLS && !e->is_enough[from]) from++;
  return from <= (e->is_enough[2] ? 2 : MOST_CELLS) ? from : 0;
}

/* The number of cells of the next query, one that may be enough; 0 if there is none. */
static size_t next_query(cells_engine *e) {
  size_t now = e->cells.count, next;
  if (now && e->is_enough[now] && !e->is_second) {
    e->is_second = true;
    return now;
  }
  e->is_second = false;
  next = next_count(e, now + 1);
  if (next) return next;
  e->work *= MORE_WORK;
  e->guesses_next = true;
  return next_count(e, 1);
}

static engine_status claim_proof(cells_engine *e, claim *out) {
  cell_problem *c = &e->cells;
  term_vector formulas = {0};
  variable_vector indices = {0};
  const char *reason = NULL;
  bool fine = fixedpoint_interpretation(e->fixedpoint, &formulas, &indices, &reason);
  if (fine && indices.count) reason = "Z3's answer has quantifiers";
  out->evidence.kind = EVIDENCE_INTERPRETATION;
  for (uint32_t i = 0; i < c->predicates.count && !reason; i++)
    VECTOR_PUSH(out->evidence.interpretation, cells_formula(c, i, formulas.at[i]));
  for (size_t i = 0; i < c->count * c->depth && !reason; i++) VECTOR_PUSH(out->evidence.indices, c->indices.at[i]);
  VECTOR_FREE(formulas);
  VECTOR_FREE(indices);
  if (reason) return claim_give_up(out, reason);
  out->verdict = VERDICT_SAFE;
  return ENGINE_DONE;
}

static engine_status conclude(cells_engine *e, answer derivable, claim *out) {
  report_query(e, answer_is_no(derivable) ? "safe" : answer_is_yes(derivable) ? "more cells" : "unknown");
  if (answer_is_no(derivable)) return claim_proof(e, out);
  if (answer_is_yes(derivable)) e->is_enough[e->cells.count] = false;
  if (answer_is_yes(derivable) && e->guess) guess_run_allow(e->guess, e->cells.count + 1);
  if (answer_is_unsure(derivable) && !fixedpoint_was_ended(e->fixedpoint)) return claim_give_up(out, derivable.reason);
  return ENGINE_GOES_ON;
}

static void report_guess(cells_engine *e, guess_end end) {
  guess_counts counts = guess_run_counts(e->guess);
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "cells", counts.cells);
  json_field_count(&w, "guessed", counts.guessed);
  json_field_count(&w, "refuting_points", counts.refuted);
  json_field_count(&w, "inductive", counts.kept);
  json_field_string(&w, "answer", end == GUESS_PROVED ? "safe" : end == GUESS_MORE ? "more cells" : "unknown");
  events_iteration(e->cells.env->events, &w);
}

/* Formulas by predicate, for any values of the indices. */
static engine_status claim_formulas(const term_vector *formulas, const variable *indices, size_t count, claim *out) {
  out->evidence.kind = EVIDENCE_INTERPRETATION;
  for (size_t i = 0; i < formulas->count; i++) VECTOR_PUSH(out->evidence.interpretation, formulas->at[i]);
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(out->evidence.indices, indices[i]);
  out->verdict = VERDICT_SAFE;
  return ENGINE_DONE;
}

bool cells_engine_saw_all(const cells_engine *e) { return e->saw_all; }

/* True if that is the end. */
static bool guess_on(cells_engine *e, claim *out) {
  guess_end end = guess_run_go_on(e->guess, e->work * WORK_OF_GUESS);
  e->saw_all |= guess_run_saw_all(e->guess);
  e->guesses_next = end == GUESS_MORE;
  if (end == GUESS_PAUSED) return false;
  report_guess(e, end);
  const variable *indices;
  size_t count;
  const term_vector *formulas = guess_run_interpretation(e->guess, &indices, &count);
  if (end == GUESS_PROVED) claim_formulas(formulas, indices, count, out);
  if (end == GUESS_NONE) {
    guess_run_free(e->guess);
    e->guess = ++e->effort < MOST_EFFORT ? guess_run_new(e->cells.env, e->effort) : NULL;
    for (size_t i = 1; i <= MOST_CELLS && e->guess; i++)
      if (!e->is_enough[i]) guess_run_allow(e->guess, i + 1);
  }
  return end == GUESS_PROVED;
}

static void report_pairs(cells_engine *e, pair_end end) {
  pair_counts counts = pair_run_counts(e->pairs);
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "cells", 2);
  json_field_count(&w, "atoms", counts.atoms);
  json_field_count(&w, "combinations", counts.combinations);
  json_field_count(&w, "scans", counts.scans);
  json_field_string(&w, "answer", end == PAIRS_PROVED ? "safe" : "unknown");
  events_iteration(e->cells.env->events, &w);
}

/* True if that is the end. */
static bool look_at_pairs(cells_engine *e, claim *out) {
  pair_end end = pair_run_go_on(e->pairs, e->work * WORK_OF_GUESS);
  const variable *indices;
  size_t count;
  e->pairs_next = false;
  if (end == PAIRS_PAUSED) return false;
  report_pairs(e, end);
  const term_vector *formulas = pair_run_interpretation(e->pairs, &indices, &count);
  if (end == PAIRS_PROVED) {
    claim_formulas(formulas, indices, count, out);
    return true;
  }
  pair_run_free(e->pairs);
  e->pairs = NULL;
  return false;
}

engine_status cells_engine_step(cells_engine *e, claim *out) {
  if (e->pairs && e->pairs_next) return look_at_pairs(e, out) ? ENGINE_DONE : ENGINE_GOES_ON;
  e->pairs_next = true;
  if (e->guess && e->guesses_next) return guess_on(e, out) ? ENGINE_DONE : ENGINE_GOES_ON;
  fixedpoint_free(e->fixedpoint);
  e->fixedpoint = NULL;
  cells_clear_problem(&e->cells);
  e->cells.count = next_query(e);
  if (!e->cells.count && e->guess) return ENGINE_GOES_ON;
  if (!e->cells.count) return claim_give_up(out, "what a few cells of each array show is not enough");
  if (!cells_make_problem(&e->cells))
    return claim_give_up(out, "a limit was reached while clauses about cells were made");
  e->fixedpoint = (e->is_second ? fixedpoint_new_without_equations : fixedpoint_new)(e->cells.ts, &e->cells.problem,
                                                                                     e->cells.env->budget);
  bool is_promising = e->cells.count == next_count(e, 1) && !e->is_second;
  e->ends_at = work_done() + e->work * (is_promising ? WORK_OF_FIRST : 1);
  return conclude(e, fixedpoint_query(e->fixedpoint, observe, e), out);
}
