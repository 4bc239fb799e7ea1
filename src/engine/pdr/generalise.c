/* Lemmas that exclude more than the cube at hand: the literals that a proof has used, and of these as few as will do.
 */
#include "engine/pdr/block.h"
#include "term/evaluate.h"

static bool contains(const cube *c, term t) {
  for (size_t i = 0; i < c->count; i++)
    if (term_same(c->at[i], t)) return true;
  return false;
}

/* A literal of `c` that is false in the initial state just found, and not yet in `lemma`. */
static bool add_false_literal(blocking *b, const cube *c, cube *lemma) {
  uint32_t none = 0;
  if (!frames_read(b->frames, &b->values, &none)) return false;
  for (size_t i = 0; i < c->count; i++) {
    if (contains(lemma, c->at[i]) || !number_is(term_evaluate(b->ts, c->at[i], b->values.at), 0)) continue;
    VECTOR_PUSH(*lemma, c->at[i]);
    return true;
  }
  return false;
}

/* Adds literals of `c`, which has no initial state, until `lemma` has none either. */
static bool keep_off_initial(blocking *b, const cube *c, cube *lemma) {
  for (;;) {
    answer a = frames_ask_initial(b->frames, lemma);
    if (answer_is_no(a)) return true;
    if (answer_is_unsure(a)) {
      b->trouble = a.reason;
      return false;
    }
    if (!add_false_literal(b, c, lemma)) {
      b->trouble = "an initial state cannot be read";
      return false;
    }
  }
}

static void take_core(const cube *c, const core_names *core, cube *out) {
  VECTOR_CLEAR(*out);
  for (size_t i = 0; i < core->count; i++) VECTOR_PUSH(*out, c->at[core->at[i]]);
}

/* Whether `lemma` without its literal number `i` will do; it is then replaced by what the proof has used. */
static bool drop(blocking *b, size_t level, cube *lemma, size_t i) {
  cube fewer = {0}, smaller = {0};
  core_names core = {0};
  for (size_t j = 0; j < lemma->count; j++)
    if (j != i) VECTOR_PUSH(fewer, lemma->at[j]);
  bool fine = fewer.count && answer_is_no(frames_ask_initial(b->frames, &fewer)) &&
              answer_is_no(frames_ask_step(b->frames, level - 1, &fewer, true, &core));
  if (fine) {
    take_core(&fewer, &core, &smaller);
    fine = keep_off_initial(b, &fewer, &smaller);
  }
  if (fine) {
    VECTOR_FREE(*lemma);
    *lemma = smaller;
  } else {
    VECTOR_FREE(smaller);
  }
  VECTOR_FREE(fewer);
  VECTOR_FREE(core);
  return fine;
}

bool generalise(blocking *b, size_t level, const cube *c, const core_names *core, cube *out) {
  take_core(c, core, out);
  if (!keep_off_initial(b, c, out)) return false;
  for (size_t i = 0; i < out->count && !budget_spent(b->env->budget);)
    if (!drop(b, level, out, i)) i++;
  return true;
}
