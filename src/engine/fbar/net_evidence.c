/* Evidence about well-structured models, without any solver: sets back to formulas. */
#include "engine/fbar/net.h"

term net_above(const net *n, const int64_t *vector) {
  term_vector all = {0};
  for (size_t i = 0; i < n->space.width; i++)
    if (vector[i] > 0)
      VECTOR_PUSH(all, term_ge(n->ts, term_of_variable(n->ts, n->model->variables.at[i].var),
                               term_int(n->ts, vector[i] + n->least[i])));
  term result = term_and_all(n->ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

static term upward_term(const net *n, const upward *u) {
  term_vector any = {0};
  for (size_t i = 0; i < upward_count(u); i++) VECTOR_PUSH(any, net_above(n, upward_at(u, i)));
  term result = term_or_all(n->ts, any.count, any.at);
  VECTOR_FREE(any);
  return result;
}

/* All that is above some state outside `which`. */
static upward above_others(const net *n, const partition *blocks, const bits *which) {
  upward above = upward_none(n->space.width);
  for (size_t b = 0; b < partition_count(blocks); b++) {
    if (bits_has(which, b)) continue;
    const points *of = partition_block(blocks, b);
    for (size_t i = 0; i < upward_points_count(of); i++) upward_unite(&above, &upward_points_at(of, i)->up);
  }
  return above;
}

static bool lies_outside(const points *of, const upward *above) {
  for (size_t i = 0; i < upward_points_count(of); i++) {
    const upward_difference *d = upward_points_at(of, i);
    upward both = upward_meet(&d->up, above);
    bool outside = upward_is_within(&both, &d->without);
    upward_clear(&both);
    if (!outside) return false;
  }
  return true;
}

/* If the blocks are closed downwards they are what is not above the others; else they are written one by one. */
bool evidence_of_net(net *n, const partition *blocks, const bits *which, evidence *out) {
  upward above = above_others(n, blocks, which);
  bool closed = true;
  BITS_EACH (b, which) closed = closed && lies_outside(partition_block(blocks, b), &above);
  out->kind = EVIDENCE_INVARIANT;
  if (closed) {
    evidence_add_part(n->ts, out, term_not(upward_term(n, &above)));
  } else {
    BITS_EACH (b, which)
      for (size_t i = 0; i < upward_points_count(partition_block(blocks, b)); i++) {
        const upward_difference *d = upward_points_at(partition_block(blocks, b), i);
        evidence_add_part(n->ts, out, term_and(n->ts, upward_term(n, &d->up), term_not(upward_term(n, &d->without))));
      }
  }
  upward_clear(&above);
  return true;
}
