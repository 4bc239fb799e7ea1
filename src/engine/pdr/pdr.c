/* Property-directed reachability over integers (Bradley 2011; with projection as in Komuravelli, Gurfinkel, Chaki
 * 2014).
 *
 *   frames.c      the frames, and the questions about them
 *   block.c       obligations and how they are met
 *   generalise.c  lemmas that say more
 *   run.c         a run, if there is one
 *   share.c       lemmas for other engines, and predicates from them
 *   here          frame after frame, and the lemmas that hold further up; if all of one level do, they are inductive */
#include "engine/pdr/block.h"
#include "engine/pdr/share.h"

typedef struct pdr {
  engine_environment *env;
  bounded_violation violation;
  unrolling *unrolling;
  frames *frames; /* NULL before the first step */
  blocking blocking;
  sharing sharing;
  size_t facts_taken;
} pdr;

static void *pdr_open(engine_environment *env) {
  pdr *p = MEMORY_NEW(pdr);
  p->env = env;
  return p;
}

static void pdr_close(void *state) {
  pdr *p = state;
  blocking_clear(&p->blocking);
  sharing_clear(&p->sharing);
  frames_free(p->frames);
  unrolling_free(p->unrolling);
  memory_free(p);
}

static void take_facts(pdr *p) {
  for (; p->facts_taken < p->env->facts.count; p->facts_taken++)
    frames_assume(p->frames, p->env->facts.at[p->facts_taken]);
  p->env->used_facts = p->facts_taken > 0;
}

static void pdr_learn(void *state) {
  pdr *p = state;
  if (p->frames) take_facts(p);
}

static void count_questions(const pdr *p) {
  statistics *s = p->env->statistics;
  s->queries = s->answered_solver = frames_questions(p->frames, &s->unsure);
  s->depth = frames_top(p->frames);
  s->lemmas = frames_lemmas(p->frames)->count;
}

/* ---- the end ---- */

static engine_status claim_run(pdr *p, size_t start, claim *out) {
  if (!run_from(&p->blocking, start, &out->evidence)) {
    evidence_clear(&out->evidence);
    return claim_give_up(out, "the run found cannot be repeated");
  }
  out->verdict = VERDICT_UNSAFE;
  return ENGINE_DONE;
}

/* The lemmas above `level` are inductive, and exclude what is bad. */
static engine_status claim_invariant(pdr *p, size_t level, claim *out) {
  terms *ts = p->env->model->terms;
  term_vector clauses = {0};
  const lemma_vector *all = frames_lemmas(p->frames);
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].level > level)
      VECTOR_PUSH(clauses, term_not(term_and_all(ts, all->at[i].cube.count, all->at[i].cube.at)));
  out->verdict = VERDICT_SAFE;
  out->evidence.kind = EVIDENCE_INVARIANT;
  evidence_add_part(ts, &out->evidence, term_and_all(ts, clauses.count, clauses.at));
  VECTOR_FREE(clauses);
  return ENGINE_DONE;
}

/* ---- one frame more ---- */

/* Lemmas of this level that hold one further up are raised; whether all were. */
static bool raise_lemmas(pdr *p, size_t level) {
  bool all = true;
  const lemma_vector *lemmas = frames_lemmas(p->frames);
  for (size_t i = 0; i < lemmas->count; i++) {
    if (lemmas->at[i].level != level) continue;
    if (budget_spent(p->env->budget)) return false;
    if (answer_is_no(frames_ask_step(p->frames, level, &lemmas->at[i].cube, false, NULL)))
      frames_raise(p->frames, i);
    else
      all = false;
  }
  return all;
}

static void report_iteration(const pdr *p) {
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "frames", frames_top(p->frames));
  json_field_count(&w, "lemmas", frames_lemmas(p->frames)->count);
  json_field_count(&w, "queries", p->env->statistics->queries);
  events_iteration(p->env->events, &w);
}

static engine_status next_frame(pdr *p, claim *out) {
  size_t top = frames_top(p->frames);
  report_iteration(p);
  p->env->statistics->clear_depth = top;
  frames_extend(p->frames);
  sharing_take(&p->sharing);
  for (size_t level = 1; level <= top; level++)
    if (raise_lemmas(p, level)) return claim_invariant(p, level, out);
  sharing_send(&p->sharing);
  return ENGINE_GOES_ON;
}

static const char *start(pdr *p) {
  p->violation = violation_of(p->env->model, p->env->property);
  if (p->violation.trouble) return p->violation.trouble;
  p->unrolling = unrolling_new(p->env->model);
  p->frames = frames_new(p->env, p->unrolling, &p->violation);
  blocking_init(&p->blocking, p->env, p->frames, &p->violation);
  sharing_init(&p->sharing, p->env, p->unrolling, p->frames);
  take_facts(p);
  return NULL;
}

static engine_status pdr_step(void *state, claim *out) {
  pdr *p = state;
  const char *trouble = p->frames ? NULL : start(p);
  size_t begin = 0;
  if (trouble) return claim_give_up(out, trouble);
  block_end end = block(&p->blocking, &begin);
  count_questions(p);
  events_progress(p->env->events, "%zu frames, %zu lemmas", frames_top(p->frames), frames_lemmas(p->frames)->count);
  switch (end) {
    case BLOCK_GOES_ON: return ENGINE_GOES_ON;
    case BLOCK_DONE: return next_frame(p, out);
    case BLOCK_REACHED: return claim_run(p, begin, out);
    case BLOCK_TROUBLE: break;
  }
  return claim_give_up(out, p->blocking.trouble);
}

const engine engine_pdr = {
    .name = "pdr",
    .title = "frames of lemmas, each blocking states that lead to a bad one (IC3, property-directed reachability)",
    .paper =
        "Bradley: SAT-Based Model Checking without Unrolling (VMCAI 2011); Komuravelli, Gurfinkel, Chaki: SMT-Based "
        "Model "
        "Checking for Recursive Programs (CAV 2014)",
    .limits = ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL,
    .open = pdr_open,
    .step = pdr_step,
    .close = pdr_close,
    .treats_reals = true,
    .uses_facts = true,
    .learn = pdr_learn,
};
