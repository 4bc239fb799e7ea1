/* One search on clauses: frames by the height of derivation trees, until the lemmas of a frame are inductive or a tree is
 * found.
 *
 *   tree_frames.c        lemmas and sets of derivable atoms
 *   clause_questions.c   the questions about one clause
 *   tree_block.c         obligations
 *   tree_lemma.c         lemmas that say more
 *   tree_evidence.c      a derivation, an interpretation */
#include "engine/pdr/trees/trees.h"

#include "proof/clause_rewriting.h"

struct tree_search {
  tree_frames frames;
  tree_blocking blocking;
};

tree_search *tree_search_new(engine_environment *env) {
  tree_search *s = MEMORY_NEW(tree_search);
  tree_frames_open(&s->frames, env);
  s->blocking.frames = &s->frames;
  s->frames.top = 1;
  tree_blocking_begin(&s->blocking);
  return s;
}

void tree_search_free(tree_search *s) {
  if (!s) return;
  tree_blocking_clear(&s->blocking);
  tree_frames_close(&s->frames);
  memory_free(s);
}

/* ---- the end ---- */

/* What was found is about the rewritten clauses, if there are any. */
static engine_status conclude(tree_search *s, verdict v, claim *out) {
  engine_environment *env = s->frames.env;
  out->verdict = v;
  char *why = clause_rewriting_back(env->model, env->property, &out->evidence, env->budget);
  if (why) claim_give_up(out, why);
  memory_free(why);
  return ENGINE_DONE;
}

static engine_status claim_derivation(tree_search *s, claim *out) {
  const char *trouble = tree_derivation(&s->frames, &out->evidence);
  return trouble ? claim_give_up(out, trouble) : conclude(s, VERDICT_UNSAFE, out);
}

static engine_status claim_interpretation(tree_search *s, size_t level, claim *out) {
  tree_interpretation(&s->frames, level, &out->evidence);
  return conclude(s, VERDICT_SAFE, out);
}

/* ---- one frame more ---- */

/* Lemmas of this level that hold one further up are raised; whether all were. */
static bool raise_lemmas(tree_frames *f, size_t level) {
  bool all = true;
  for (uint32_t p = 0; p < f->predicates.count; p++) {
    const lemma_vector *lemmas = &f->predicates.at[p].lemmas;
    for (size_t i = 0; i < lemmas->count; i++) {
      if (lemmas->at[i].level != level) continue;
      if (budget_spent(f->env->budget)) return false;
      if (answer_is_no(tree_ask_all(f, p, &lemmas->at[i].cube, level + 1, false, NULL, NULL)))
        tree_frames_raise(f, p, i);
      else
        all = false;
    }
  }
  return all;
}

static size_t count_lemmas(const tree_frames *f) {
  size_t count = 0;
  for (size_t i = 0; i < f->predicates.count; i++) count += f->predicates.at[i].lemmas.count;
  return count;
}

static void report_iteration(const tree_frames *f) {
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "frames", f->top);
  json_field_count(&w, "lemmas", count_lemmas(f));
  json_field_count(&w, "sets", f->reached.count);
  json_field_count(&w, "queries", f->checks);
  events_iteration(f->env->events, &w);
}

static engine_status next_frame(tree_search *s, claim *out) {
  tree_frames *f = &s->frames;
  report_iteration(f);
  for (size_t level = 1; level <= f->top; level++)
    if (raise_lemmas(f, level)) return claim_interpretation(s, level + 1, out);
  f->top++;
  tree_blocking_begin(&s->blocking);
  return ENGINE_GOES_ON;
}

static void report(tree_search *s) {
  statistics *st = s->frames.env->statistics;
  st->queries = st->answered_solver = s->frames.checks;
  st->unsure = s->frames.unsure;
  st->lemmas = count_lemmas(&s->frames);
  st->depth = s->frames.top;
  events_progress(s->frames.env->events, "trees of height %zu, %zu lemmas, %zu sets of derivable atoms", s->frames.top,
                  (size_t)st->lemmas, s->frames.reached.count);
}

engine_status tree_search_step(tree_search *s, claim *out) {
  const char *spent = budget_spent(s->frames.env->budget);
  if (spent) return claim_give_up(out, spent);
  tree_end end = tree_block(&s->blocking);
  report(s);
  switch (end) {
    case TREE_GOES_ON: return ENGINE_GOES_ON;
    case TREE_DONE: return next_frame(s, out);
    case TREE_REACHED: return claim_derivation(s, out);
    case TREE_TROUBLE: break;
  }
  return claim_give_up(out, s->blocking.trouble);
}
