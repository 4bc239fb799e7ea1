/* `post(Z)` meets a block if some block of Z may have a step into it; a block lies within `pre(Z)` if the blocks
 * of Z cover it; it meets `pre~_m(Z)` if the blocks of m without Z do not. */
#include "engine/fbar/fixpoint.h"

static bool may_step(view v, size_t from, size_t to) {
  return v.against ? partition_may(v.p, to, from) : partition_may(v.p, from, to);
}

static const bits *may_come_from(view v, size_t to) {
  return partition_candidates(v.p, v.against ? WAY_AFTER : WAY_BEFORE, to);
}

static const bits *may_go_to(view v, size_t from) {
  return partition_candidates(v.p, v.against ? WAY_BEFORE : WAY_AFTER, from);
}

static bool covered(view v, cover_use use, size_t b, const bits *others) {
  return partition_covers(v.p, v.against ? WAY_AFTER : WAY_BEFORE, use, b, others);
}

static bool has_step_from(view v, const bits *z, size_t to) {
  bits candidates = bits_copy(may_come_from(v, to));
  bits_meet(&candidates, z);
  bool found = false;
  BITS_EACH (from, &candidates) {
    found = may_step(v, from, to);
    if (found) break;
  }
  bits_free(&candidates);
  return found;
}

void fixpoint_image(view v, const bits *within, const bits *z, bits *out) {
  bits_assign(out, within);
  BITS_EACH (b, within)
    if (!bits_has(view_first(v), b) && !has_step_from(v, z, b)) bits_remove(out, b);
  partition_over(v.p, out);
}

/* Adds `b` and what is below it; what was not there before is to be looked at. */
static void add_below(view v, size_t b, bits *out, bits *fresh) {
  bits more = bits_new(out->size);
  bits_add(&more, b);
  partition_over(v.p, &more);
  bits_minus(&more, out);
  bits_unite(out, &more);
  bits_unite(fresh, &more);
  bits_free(&more);
}

/* mu does not preserve unions then: the definition, iterated. */
static void reach_in_moore_family(view v, const bits *within, bits *out) {
  bits before = bits_new(within->size);
  bits_clear(out);
  do {
    bits_assign(&before, out);
    fixpoint_image(v, within, &before, out);
  } while (!bits_same(&before, out) && !partition_trouble(v.p));
  bits_free(&before);
}

void fixpoint_reach(view v, const bits *within, bits *out) {
  if (partition_is_moore(v.p)) {
    reach_in_moore_family(v, within, out);
    return;
  }
  bits fresh = bits_new(within->size);
  bits_clear(out);
  BITS_EACH (b, within)
    if (bits_has(view_first(v), b) && !bits_has(out, b)) add_below(v, b, out, &fresh);
  for (size_t from = bits_next(&fresh, 0); from < fresh.size; from = bits_next(&fresh, 0)) {
    bits_remove(&fresh, from);
    bits targets = bits_copy(may_go_to(v, from));
    bits_meet(&targets, within);
    BITS_EACH (to, &targets)
      if (!bits_has(out, to) && may_step(v, from, to)) add_below(v, to, out, &fresh);
    bits_free(&targets);
  }
  bits_free(&fresh);
}

void fixpoint_stay(view v, const bits *m, const bits *x, bits *out) {
  bits before = bits_new(x->size), outside = bits_new(x->size);
  bits_assign(out, x);
  do {
    bits_assign(&before, out);
    bits_assign(&outside, m);
    bits_minus(&outside, out);
    BITS_EACH (b, &before)
      if (covered(v, COVER_OVER, b, &outside)) bits_remove(out, b);
    partition_over(v.p, out);
  } while (!bits_same(&before, out) && !partition_trouble(v.p));
  bits_free(&before);
  bits_free(&outside);
}

void fixpoint_must(view v, const bits *m, const bits *y, bits *out) {
  bits before = bits_new(y->size);
  bits_assign(out, y);
  do {
    bits_assign(&before, out);
    BITS_EACH (b, m)
      if (!bits_has(&before, b) && covered(v, COVER_UNDER, b, &before)) bits_add(out, b);
    partition_under(v.p, out);
  } while (!bits_same(&before, out) && !partition_trouble(v.p));
  bits_free(&before);
}

/* Whether some block outside may be entered from `b`. */
static bool leaves(view v, size_t b, const bits *outside) {
  bits candidates = bits_copy(may_go_to(v, b));
  bits_meet(&candidates, outside);
  bool some = false;
  BITS_EACH (c, &candidates) {
    some = may_step(v, b, c);
    if (some) break;
  }
  bits_free(&candidates);
  return some;
}

bool fixpoint_cut(view v, const bits *m, const bits *x, cut *out) {
  bits outside = bits_copy(m);
  bool smaller = false;
  bits_minus(&outside, x);
  *out = cut_new(v.p);
  BITS_EACH (b, x) {
    if (partition_trouble(v.p)) break;
    bool some = leaves(v, b, &outside);
    smaller |= some;
    if (some && covered(v, COVER_OVER, b, &outside)) continue;
    points *part = some ? partition_uncovered(v.p, v.against ? WAY_AFTER : WAY_BEFORE, COVER_OVER, b) : NULL;
    if (part)
      cut_add_part(v.p, out, b, part);
    else
      bits_add(&out->inside, b);
  }
  bits_free(&outside);
  return smaller;
}
