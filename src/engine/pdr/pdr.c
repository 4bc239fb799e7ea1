/* Property-directed reachability over integers (Bradley 2011; with projection as in Komuravelli, Gurfinkel, Chaki
 * 2014; with implicit predicate abstraction as in Cimatti, Griggio, Mover, Tonetta 2014).
 *
 *   frames.c      the frames, and the questions about them
 *   block.c       obligations and how they are met
 *   generalise.c  lemmas that say more
 *   run.c         a run, if there is one
 *   implicit.c    the implicit abstraction: cubes over predicates
 *   path.c        an abstract counterexample, and a run along it
 *   refine.c      predicates that exclude one; half_spaces.c those that interpolate
 *   share.c       lemmas for other engines, and predicates from them
 *   here          frame after frame, and the lemmas that hold further up; if all of one level do, they are inductive
 *
 * Cubes of literals and cubes of predicates take turns on the same frames: a lemma of either holds for both. */
#include "base/instruments/log.h"
#include "base/work.h"
#include "engine/pdr/block.h"
#include "engine/pdr/path.h"
#include "engine/pdr/share.h"

/* In work (base/work.h): the first turn without predicates and the first with them; each later turn is longer. */
enum { FIRST_TURN = 500 * 1000, FIRST_ABSTRACT_TURN = 500 * 1000, TURN_FACTOR = 2 };

typedef struct pdr {
  engine_environment *env;
  bounded_violation violation;
  unrolling *unrolling;
  frames *frames; /* NULL before the first step */
  blocking blocking;
  sharing sharing;
  size_t facts_taken;
  option_abstraction way;
  implicit predicates; /* empty before the first turn that needs them */
  uint64_t turn_ends;  /* in work; UINT64_MAX: never */
  uint64_t turns[2];   /* how long the next turn is, without predicates and with them */
  uint64_t refinements;
} pdr;

static void *pdr_open(engine_environment *env) {
  pdr *p = MEMORY_NEW(pdr);
  p->env = env;
  p->way = env->options ? env->options->abstraction : ABSTRACTION_OPTION_BOTH;
  return p;
}

static void pdr_close(void *state) {
  pdr *p = state;
  blocking_clear(&p->blocking);
  sharing_clear(&p->sharing);
  implicit_clear(&p->predicates);
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

/* ---- cubes of predicates, or of literals ---- */

static bool is_abstract(const pdr *p) { return p->blocking.predicates != NULL; }

static void begin_turn(pdr *p, bool abstract) {
  if (abstract && !p->predicates.env) implicit_init(&p->predicates, p->env, p->violation.bad);
  if (abstract) {
    implicit_take(&p->predicates);
    implicit_tell(&p->predicates);
  }
  blocking_abstract(&p->blocking, abstract ? &p->predicates : NULL);
  p->turn_ends = p->way == ABSTRACTION_OPTION_BOTH ? work_done() + p->turns[abstract] : UINT64_MAX;
  p->turns[abstract] *= TURN_FACTOR;
}

/* What cannot be decided about predicates is no reason to end, if there is another way. */
static engine_status end_abstraction(pdr *p, const char *why, claim *out) {
  const char *spent = budget_spent_now(p->env->budget);
  if (spent || p->way == ABSTRACTION_OPTION_IMPLICIT) return claim_give_up(out, spent ? spent : why);
  events_note(p->env->events, "no more predicates: %s", why);
  p->way = ABSTRACTION_OPTION_OFF;
  begin_turn(p, false);
  return ENGINE_GOES_ON;
}

static void report_refinement(pdr *p, const path *path, size_t before) {
  p->env->statistics->refinements = ++p->refinements;
  LOG(abstraction, "an abstract counterexample of %zu steps is spurious; %zu predicates, %zu of them new",
      path_steps(path), p->predicates.all.count, p->predicates.all.count - before);
  implicit_take(&p->predicates);
  implicit_tell(&p->predicates);
}

/* Claims the run, or adds predicates. */
static engine_status decide_path(pdr *p, path *path, solver *s, claim *out) {
  const char *reason = NULL;
  size_t before = p->predicates.all.count;
  answer a = path_run(path, s, &out->evidence);
  if (answer_is_no(a) && path_refine(path, &p->predicates, &reason)) {
    report_refinement(p, path, before);
    blocking_abstract(&p->blocking, &p->predicates);
    return ENGINE_GOES_ON;
  }
  if (answer_is_no(a) && !reason) a = path_run_elsewhere(path, s, &out->evidence);
  if (answer_is_unsure(a)) reason = a.reason;
  if (!answer_is_yes(a)) return end_abstraction(p, reason ? reason : "a spurious path gives no new predicate", out);
  out->verdict = VERDICT_UNSAFE;
  return ENGINE_DONE;
}

static engine_status treat_path(pdr *p, size_t start, claim *out) {
  path path;
  solver *s = solver_new(p->env->model->terms, p->env->budget);
  engine_status status = path_open(&path, &p->blocking, p->unrolling, start)
                             ? decide_path(p, &path, s, out)
                             : end_abstraction(p, "a state that the solver found is not what was asked for", out);
  path_close(&path);
  solver_free(s);
  return status;
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
  p->turns[false] = FIRST_TURN;
  p->turns[true] = FIRST_ABSTRACT_TURN;
  begin_turn(p, p->way == ABSTRACTION_OPTION_IMPLICIT);
  return NULL;
}

static engine_status pdr_step(void *state, claim *out) {
  pdr *p = state;
  const char *trouble = p->frames ? NULL : start(p);
  size_t begin = 0;
  if (trouble) return claim_give_up(out, trouble);
  if (work_done() >= p->turn_ends) begin_turn(p, !is_abstract(p));
  block_end end = block(&p->blocking, &begin);
  count_questions(p);
  events_progress(p->env->events, "%zu frames, %zu lemmas", frames_top(p->frames), frames_lemmas(p->frames)->count);
  switch (end) {
    case BLOCK_GOES_ON: return ENGINE_GOES_ON;
    case BLOCK_DONE: return next_frame(p, out);
    case BLOCK_REACHED: return is_abstract(p) ? treat_path(p, begin, out) : claim_run(p, begin, out);
    case BLOCK_TROUBLE: break;
  }
  return is_abstract(p) ? end_abstraction(p, p->blocking.trouble, out) : claim_give_up(out, p->blocking.trouble);
}

const engine engine_pdr = {
    .name = "pdr",
    .title = "frames of lemmas, each blocking states that lead to a bad one (IC3, property-directed reachability)",
    .paper =
        "Bradley: SAT-Based Model Checking without Unrolling (VMCAI 2011); Komuravelli, Gurfinkel, Chaki: SMT-Based "
        "Model Checking for Recursive Programs (CAV 2014); Cimatti, Griggio, Mover, Tonetta: IC3 Modulo Theories via "
        "Implicit Predicate Abstraction (TACAS 2014)",
    .limits = ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL,
    .open = pdr_open,
    .step = pdr_step,
    .close = pdr_close,
    .treats_reals = true,
    .uses_facts = true,
    .learn = pdr_learn,
};
