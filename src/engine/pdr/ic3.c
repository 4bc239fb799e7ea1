/* Frame after frame, and the lemmas that hold further up; if all of one level do, they are inductive. */
#include "engine/pdr/ic3.h"

#include "base/instruments/log.h"

ic3 *ic3_new(engine_environment *env, unrolling *u, const bounded_violation *v, bool is_abstract) {
  ic3 *s = MEMORY_NEW(ic3);
  s->env = env;
  s->unrolling = u;
  s->frames = frames_new(env, u, v);
  blocking_init(&s->blocking, env, s->frames, v);
  sharing_init(&s->sharing, env, u, s->frames);
  if (is_abstract) {
    implicit_init(&s->predicates, env, v->bad);
    blocking_abstract(&s->blocking, &s->predicates);
  }
  return s;
}

void ic3_free(ic3 *s) {
  if (!s) return;
  blocking_clear(&s->blocking);
  sharing_clear(&s->sharing);
  implicit_clear(&s->predicates);
  frames_free(s->frames);
  memory_free(s);
}

void ic3_assume(ic3 *s, term fact) { frames_assume(s->frames, fact); }

/* ---- the end ---- */

static engine_status claim_run(ic3 *s, size_t start, claim *out) {
  if (!run_from(&s->blocking, start, &out->evidence)) {
    evidence_clear(&out->evidence);
    return claim_give_up(out, "the run found cannot be repeated");
  }
  out->verdict = VERDICT_UNSAFE;
  return ENGINE_DONE;
}

/* The lemmas above `level` are inductive, and exclude what is bad. */
static engine_status claim_invariant(ic3 *s, size_t level, claim *out) {
  terms *ts = s->env->model->terms;
  term_vector clauses = {0};
  const lemma_vector *all = frames_lemmas(s->frames);
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].level > level)
      VECTOR_PUSH(clauses, term_not(term_and_all(ts, all->at[i].cube.count, all->at[i].cube.at)));
  out->verdict = VERDICT_SAFE;
  out->evidence.kind = EVIDENCE_INVARIANT;
  evidence_add_part(ts, &out->evidence, term_and_all(ts, clauses.count, clauses.at));
  VECTOR_FREE(clauses);
  return ENGINE_DONE;
}

/* ---- abstract counterexamples ---- */

static void exchange_predicates(ic3 *s) {
  if (!ic3_is_abstract(s)) return;
  implicit_take(&s->predicates);
  implicit_tell(&s->predicates);
}

static void report_refinement(ic3 *s, const path *p, size_t before) {
  s->env->statistics->refinements = ++s->refinements;
  LOG(abstraction, "an abstract counterexample of %zu steps is spurious; %zu predicates, %zu of them new",
      path_steps(p), s->predicates.all.count, s->predicates.all.count - before);
  exchange_predicates(s);
}

/* Claims the run, or adds predicates. */
static engine_status decide_path(ic3 *s, path *p, solver *own, claim *out) {
  const char *reason = NULL;
  size_t before = s->predicates.all.count;
  answer a = path_run(p, own, &out->evidence);
  if (answer_is_no(a) && path_refine(p, own, &s->predicates, &reason)) {
    report_refinement(s, p, before);
    blocking_abstract(&s->blocking, &s->predicates);
    return ENGINE_GOES_ON;
  }
  if (answer_is_no(a) && !reason) a = path_run_elsewhere(p, own, &out->evidence);
  if (answer_is_unsure(a)) reason = a.reason;
  if (!answer_is_yes(a)) return claim_give_up(out, reason ? reason : "a spurious path gives no new predicate");
  out->verdict = VERDICT_UNSAFE;
  return ENGINE_DONE;
}

static engine_status treat_path(ic3 *s, size_t start, claim *out) {
  path p;
  solver *own = solver_new(s->env->model->terms, s->env->budget);
  engine_status status = path_open(&p, &s->blocking, s->unrolling, start)
                             ? decide_path(s, &p, own, out)
                             : claim_give_up(out, "a state that the solver found is not what was asked for");
  path_close(&p);
  solver_free(own);
  return status;
}

/* ---- one frame more ---- */

/* Lemmas of this level that hold one further up are raised; whether all were. */
static bool raise_lemmas(ic3 *s, size_t level) {
  bool all = true;
  const lemma_vector *lemmas = frames_lemmas(s->frames);
  for (size_t i = 0; i < lemmas->count; i++) {
    if (lemmas->at[i].level != level) continue;
    if (budget_spent(s->env->budget)) return false;
    if (answer_is_no(frames_ask_step(s->frames, level, &lemmas->at[i].cube, false, NULL)))
      frames_raise(s->frames, i);
    else
      all = false;
  }
  return all;
}

static void report_iteration(const ic3 *s) {
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "frames", frames_top(s->frames));
  json_field_count(&w, "lemmas", frames_lemmas(s->frames)->count);
  json_field_count(&w, "queries", s->env->statistics->queries);
  if (ic3_is_abstract(s)) json_field_count(&w, "predicates", s->predicates.all.count);
  events_iteration(s->env->events, &w);
}

static engine_status next_frame(ic3 *s, claim *out) {
  size_t top = frames_top(s->frames);
  report_iteration(s);
  if (s->env->statistics->clear_depth < top) s->env->statistics->clear_depth = top;
  frames_extend(s->frames);
  sharing_take(&s->sharing);
  exchange_predicates(s);
  for (size_t level = 1; level <= top; level++)
    if (raise_lemmas(s, level)) return claim_invariant(s, level, out);
  sharing_send(&s->sharing);
  return ENGINE_GOES_ON;
}

engine_status ic3_step(ic3 *s, claim *out) {
  size_t begin = 0;
  switch (block(&s->blocking, &begin)) {
    case BLOCK_GOES_ON: return ENGINE_GOES_ON;
    case BLOCK_DONE: return next_frame(s, out);
    case BLOCK_REACHED: return ic3_is_abstract(s) ? treat_path(s, begin, out) : claim_run(s, begin, out);
    case BLOCK_TROUBLE: break;
  }
  return claim_give_up(out, s->blocking.trouble);
}
