/* Property-directed reachability by Z3: its Horn engine Spacer, as one engine among others.
 *
 *   from_model.c, from_clauses.c   the property as Horn rules
 *   divisions.c                    divisions by terms approximated, which Z3's rules cannot have
 *   solver/fixedpoint.h            Z3 is asked
 *   evidence.c, instances.c        its answer as evidence, which is checked like that of any engine
 *   lemmas.c                       facts of others go in, what it knows to hold always goes out
 *   here                           queries
 *
 * A step is one query. In the middle of it, at every predecessor that Spacer computes, its work is counted. The query
 * is ended only if others have proved something: the next one begins with that, and with what this one had learned.
 */
#include "engine/spacer/spacer.h"

#include "base/work.h"
#include "engine/spacer/divisions.h"

/* In work. Sending lemmas means a check, which may take as long as all that Spacer did before. */
enum { FIRST_SENDING = 200 * 1000, SENDING_FACTOR = 3 };

static void *spacer_open(engine_environment *env) {
  spacer *s = MEMORY_NEW(spacer);
  s->env = env;
  s->ts = env->model->terms;
  s->own = names_new();
  return s;
}

static void spacer_close(void *state) {
  spacer *s = state;
  fixedpoint_free(s->fixedpoint);
  solver_free(s->solver);
  horn_problem_clear(&s->problem);
  horn_problem_clear(&s->approximated);
  VECTOR_FREE(s->known);
  VECTOR_FREE(s->sent);
  names_free(s->own);
  memory_free(s->trouble);
  memory_free(s);
}

/* Clauses that say something about the property. */
static bool has_clauses(const model *m, size_t property) {
  if (!m->clauses || m->properties.at[property].kind != PROPERTY_SAFE) return false;
  for (size_t i = 0; i < m->clauses->clauses.count; i++)
    if (m->clauses->clauses.at[i].head == NO_PREDICATE && m->clauses->clauses.at[i].property == property) return true;
  return false;
}

static const char *start(spacer *s) {
  s->is_of_clauses = has_clauses(s->env->model, s->env->property);
  s->send_at = FIRST_SENDING;
  s->is_as_read |= s->env->model->clauses && s->env->model->clauses->have_arrays; /* nothing was rewritten */
  if (!s->is_of_clauses) return problem_of_model(s);
  problem_of_clauses(s);
  return NULL;
}

static void spacer_learn(void *state) {
  spacer *s = state;
  if (s->problem.relations.count) spacer_lemmas_take_facts(s);
}

/* ---- a query ---- */

/* What it has learned: of all levels, for the next query. */
static void keep_covers(spacer *s) {
  const char *reason = NULL;
  VECTOR_CLEAR(s->known);
  s->facts_taken = 0;
  fixedpoint_covers(s->fixedpoint, true, &s->known, &reason);
}

static bool observe(void *context) {
  spacer *s = context;
  const engine_environment *env = s->env;
  fixedpoint_counts counts = fixedpoint_counts_of(s->fixedpoint);
  env->statistics->depth = counts.levels;
  env->statistics->queries = counts.predecessors;
  events_progress(env->events, "level %llu, %llu predecessors", (unsigned long long)counts.levels,
                  (unsigned long long)counts.predecessors);
  if (work_done() >= s->send_at && work_takes_turns()) {
    horn_covers covers = {0};
    const char *reason = NULL;
    fixedpoint_covers(s->fixedpoint, false, &covers, &reason);
    spacer_lemmas_send(s, &covers);
    VECTOR_FREE(covers);
    s->send_at = SENDING_FACTOR * work_done();
  }
  if (!spacer_lemmas_wait(s)) return false;
  keep_covers(s);
  return true;
}

static void prepare(spacer *s) {
  s->waiting_seen = 0;
  spacer_lemmas_take_facts(s);
  fixedpoint_free(s->fixedpoint);
  horn_problem_clear(&s->approximated);
  s->approximated = (horn_problem){0};
  s->is_approximated = divisions_approximate(s->ts, &s->problem, &s->approximated);
  s->fixedpoint = fixedpoint_new(s->ts, s->is_approximated ? &s->approximated : &s->problem, s->env->budget);
  for (size_t i = 0; i < s->known.count; i++) fixedpoint_add_cover(s->fixedpoint, &s->known.at[i]);
}

static void report_query(spacer *s, const char *answer) {
  fixedpoint_counts counts = fixedpoint_counts_of(s->fixedpoint);
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "levels", counts.levels);
  json_field_count(&w, "predecessors", counts.predecessors);
  json_field_count(&w, "covers", s->known.count);
  json_field_string(&w, "answer", answer);
  events_iteration(s->env->events, &w);
}

/* Nothing could be said about the clauses as read: they are asked about themselves. */
static engine_status begin_as_read(spacer *s, claim *out) {
  evidence_clear(&out->evidence);
  out->evidence = (evidence){0};
  events_note(s->env->events, "%s; asking about the clauses as read", s->trouble);
  fixedpoint_free(s->fixedpoint);
  s->fixedpoint = NULL;
  horn_problem_clear(&s->problem);
  s->problem = (horn_problem){0};
  VECTOR_CLEAR(s->known);
  s->facts_taken = 0;
  s->is_as_read = true;
  return ENGINE_GOES_ON;
}

static engine_status conclude(spacer *s, answer derivable, claim *out) {
  bool is_safe = answer_is_no(derivable);
  const char *reason = is_safe ? evidence_of_proof(s, &out->evidence) : evidence_of_derivation(s, &out->evidence);
  report_query(s, is_safe ? "safe" : "unsafe");
  bool may_go_on = reason && !budget_spent(s->env->budget);
  if (may_go_on && reason == s->trouble) return begin_as_read(s, out);
  if (may_go_on && s->is_approximated && !is_safe)
    return claim_give_up(out, "the derivation found rests on a quotient by a variable, of which only bounds are used");
  if (reason) return claim_give_up(out, reason);
  out->verdict = is_safe ? VERDICT_SAFE : VERDICT_UNSAFE;
  return ENGINE_DONE;
}

/* Clauses that never break the property, of which there is no transition system to ask about: anything may hold. */
static bool is_never_broken(const model *m, size_t property) {
  return m->clauses && m->clauses->are_trees && !has_clauses(m, property);
}

static engine_status claim_anything_may_hold(const model *m, claim *out) {
  out->evidence.kind = EVIDENCE_INTERPRETATION;
  for (size_t i = 0; i < m->clauses->predicates.count; i++) VECTOR_PUSH(out->evidence.interpretation, TERM_TRUE);
  out->verdict = VERDICT_SAFE;
  return ENGINE_DONE;
}

static engine_status spacer_step(void *state, claim *out) {
  spacer *s = state;
  if (is_never_broken(s->env->model, s->env->property)) return claim_anything_may_hold(s->env->model, out);
  if (!s->problem.relations.count) {
    const char *trouble = start(s);
    if (trouble) return claim_give_up(out, trouble);
  }
  prepare(s);
  answer derivable = fixedpoint_query(s->fixedpoint, observe, s);
  if (!answer_is_unsure(derivable)) return conclude(s, derivable, out);
  report_query(s, "unknown");
  return fixedpoint_was_ended(s->fixedpoint) ? ENGINE_GOES_ON : claim_give_up(out, derivable.reason);
}

static bool spacer_wants_model_as_read(const options *o, const model *m, size_t property) {
  (void)o;
  return has_clauses(m, property);
}

const engine engine_spacer = {
    .name = "spacer",
    .title = "property-directed reachability by Z3's Horn engine Spacer; of Horn clauses, on the clauses as read",
    .paper = "Komuravelli, Gurfinkel, Chaki: SMT-Based Model Checking for Recursive Programs (CAV 2014)",
    .limits = ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL,
    .open = spacer_open,
    .step = spacer_step,
    .close = spacer_close,
    .treats_trees = true,
    .treats_arrays = true,
    .treats_reals = true,
    .uses_facts = true,
    .learn = spacer_learn,
    .wants_model_as_read = spacer_wants_model_as_read,
};
