/* FBAR (Ranzato, Rossi Doria, Tapparo 2008, section 6), with the figure that the paper's text has lost restored; the
 * numbers are lines of the pseudo-code in docs/engines/fbar.md.
 *
 *    2      fbar_start
 *    4-12   sweep: over-approximations U from the initial and V from the bad states, each within M, which they make
 *           smaller
 *   14-22   narrow: X over-approximates what may stay safe, Y under-approximates what must go bad, each makes the other
 *           better
 *   23-25   refine
 * Our own variant does 14 to 25 also against the steps, with P for X and Q for Y, and refines by both sets. */
#include "engine/fbar/rounds_inside.h"

void fbar_start(rounds *r) {
  bits *m = &r->values[VALUE_M];
  static const enum value safe[] = {VALUE_U, VALUE_X}, not_initial[] = {VALUE_V, VALUE_P};
  for (int i = 0; i < 2; i++) {
    bits_assign(&r->values[safe[i]], m);
    bits_minus(&r->values[safe[i]], partition_last(r->p));
    bits_assign(&r->values[not_initial[i]], m);
    bits_minus(&r->values[not_initial[i]], partition_first(r->p));
  }
  bits_assign(&r->values[VALUE_Y], partition_last(r->p));
  partition_under(r->p, &r->values[VALUE_Y]);
  bits_assign(&r->values[VALUE_Q], partition_first(r->p));
  partition_under(r->p, &r->values[VALUE_Q]);
  rounds_report(r, 2, "M", m);
  rounds_report(r, 2, "U", &r->values[VALUE_U]);
  rounds_report(r, 2, "V", &r->values[VALUE_V]);
  rounds_report(r, 2, "X", &r->values[VALUE_X]);
  rounds_report(r, 2, "Y", &r->values[VALUE_Y]);
}

/* ---- lines 4 to 12 ---- */

/* Lines 5 to 7, or 8 to 10 against the steps: `old` is U or V, `made` becomes U' or V'. Safe if nothing leaves
 * `old`; else M is made smaller. */
static round_end sweep_once(rounds *r, view v, const bits *old, bits *made) {
  bits *m = &r->values[VALUE_M];
  bits within = bits_copy(old), next = bits_new(m->size);
  int line = v.against ? 8 : 5;
  bits_meet(&within, m);
  fixpoint_reach(v, &within, made);
  r->statistics.fixpoints++;
  rounds_report(r, line, v.against ? "V'" : "U'", made);
  fixpoint_image(v, m, made, &next);
  rounds_report(r, line + 1, "", &next);
  bool safe = bits_is_within(&next, old) && !partition_trouble(r->p);
  if (safe) {
    bits *invariant = &r->values[VALUE_INVARIANT];
    bits_assign(invariant, v.against ? m : made);
    if (v.against) bits_minus(invariant, made);
  } else {
    m_update u = {.is_line_10 = v.against, .reached = bits_copy(made)};
    if (v.against) u.before = bits_copy(m), u.after = bits_copy(&next);
    VECTOR_PUSH(r->updates, u);
    bits_assign(m, &next);
    rounds_report(r, line + 2, "M", m);
  }
  bits_free(&within);
  bits_free(&next);
  return safe ? ROUND_SAFE : ROUND_REFINED;
}

static round_end sweep(rounds *r) {
  bits *u = &r->values[VALUE_U], *v = &r->values[VALUE_V];
  bits made_u = bits_new(u->size), made_v = bits_new(u->size);
  view forward = {r->p, false};
  round_end end;
  for (;;) {
    end = sweep_once(r, forward, u, &made_u);
    if (end == ROUND_REFINED) end = sweep_once(r, view_turned(forward), v, &made_v);
    if (end != ROUND_REFINED || partition_trouble(r->p)) break;
    bool stable = bits_same(&made_u, u) && bits_same(&made_v, v);
    bits_assign(u, &made_u);
    bits_assign(v, &made_v);
    if (stable) break;
    rounds_report(r, 12, "U", u);
    rounds_report(r, 12, "V", v);
  }
  bits_free(&made_u);
  bits_free(&made_v);
  return end;
}

/* ---- lines 14 to 22 ---- */

typedef struct narrowing {
  const rounds *r;
  view v;
  const bits *m;
  bits *x, *y, made_x, made_y, scratch;
} narrowing;

static bool meets(const bits *a, const bits *b) {
  for (size_t i = 0; i < bits_words(a->size); i++)
    if (a->words[i] & b->words[i]) return true;
  return false;
}

/* Lines 15 to 17: false if some first state does not stay safe. */
static bool narrow_over(narrowing *n) {
  bits_assign(&n->scratch, n->m);
  bits_minus(&n->scratch, n->y);
  partition_over(n->v.p, &n->scratch);
  bits_meet(n->x, &n->scratch);
  rounds_report(n->r, 15, n->v.against ? "P" : "X", n->x);
  fixpoint_stay(n->v, n->m, n->x, &n->made_x);
  rounds_report(n->r, 16, n->v.against ? "P'" : "X'", &n->made_x);
  bits_assign(&n->scratch, view_first(n->v));
  bits_meet(&n->scratch, n->m);
  return bits_is_within(&n->scratch, &n->made_x);
}

/* Lines 18 to 20: false if some first state must go bad. */
static bool narrow_under(narrowing *n) {
  bits_assign(&n->scratch, n->m);
  bits_minus(&n->scratch, &n->made_x);
  partition_under(n->v.p, &n->scratch);
  bits_unite(n->y, &n->scratch);
  rounds_report(n->r, 18, n->v.against ? "Q" : "Y", n->y);
  fixpoint_must(n->v, n->m, n->y, &n->made_y);
  rounds_report(n->r, 19, n->v.against ? "Q'" : "Y'", &n->made_y);
  return !meets(view_first(n->v), &n->made_y);
}

static round_end narrow(rounds *r, view v, enum value over, enum value under) {
  size_t size = r->values[VALUE_M].size;
  narrowing n = {.r = r,
                 .v = v,
                 .m = &r->values[VALUE_M],
                 .x = &r->values[over],
                 .y = &r->values[under],
                 .made_x = bits_new(size),
                 .made_y = bits_new(size),
                 .scratch = bits_new(size)};
  round_end end = ROUND_REFINED;
  for (;;) {
    r->statistics.fixpoints++;
    if (!narrow_over(&n)) end = ROUND_UNSAFE;
    if (end == ROUND_REFINED) {
      r->statistics.fixpoints++;
      if (!narrow_under(&n)) end = ROUND_UNSAFE;
    }
    if (end != ROUND_REFINED || partition_trouble(r->p)) break;
    bool stable = bits_same(&n.made_x, n.x) && bits_same(&n.made_y, n.y);
    bits_assign(n.x, &n.made_x);
    bits_assign(n.y, &n.made_y);
    if (stable) break;
  }
  bits_free(&n.made_x);
  bits_free(&n.made_y);
  bits_free(&n.scratch);
  return end;
}

/* ---- lines 13 and 23 to 25 ---- */

/* X: the blocks of M outside P, against the steps. */
static void keep_invariant(rounds *r, enum value over) {
  bits *invariant = &r->values[VALUE_INVARIANT];
  bits_assign(invariant, &r->values[over]);
  if (over == VALUE_X) return;
  bits_assign(invariant, &r->values[VALUE_M]);
  bits_minus(invariant, &r->values[VALUE_P]);
}

static round_end halve(rounds *r, view v, enum value over, enum value under, cut *out) {
  bits_meet(&r->values[over], &r->values[VALUE_M]);
  bits_meet(&r->values[under], &r->values[VALUE_M]);
  rounds_report(r, 13, v.against ? "P" : "X", &r->values[over]);
  rounds_report(r, 13, v.against ? "Q" : "Y", &r->values[under]);
  round_end end = narrow(r, v, over, under);
  if (end != ROUND_REFINED || partition_trouble(r->p)) return end;
  if (fixpoint_cut(v, &r->values[VALUE_M], &r->values[over], out) || partition_trouble(r->p)) return ROUND_REFINED;
  cut_free(r->p, out);
  keep_invariant(r, over);
  return ROUND_SAFE;
}

round_end fbar_next(rounds *r) {
  view forward = {r->p, false};
  cut cuts[2] = {0};
  round_end end = sweep(r);
  bool both = r->how == METHOD_FBAR_SYM;
  if (end == ROUND_REFINED && !partition_trouble(r->p)) end = halve(r, forward, VALUE_X, VALUE_Y, &cuts[0]);
  if (both && end == ROUND_REFINED && !partition_trouble(r->p))
    end = halve(r, view_turned(forward), VALUE_P, VALUE_Q, &cuts[1]);
  if (end != ROUND_REFINED || partition_trouble(r->p)) {
    for (int i = 0; i < 2; i++) cut_free(r->p, &cuts[i]);
    return end;
  }
  rounds_refine(r, &cuts[0], VALUE_X, both ? &cuts[1] : NULL);
  if (both) rounds_refine(r, &cuts[1], VALUE_P, NULL);
  r->statistics.refinements++;
  rounds_report(r, 25, "Ref", &r->values[VALUE_X]);
  return ROUND_REFINED;
}

/* ---- the invariant ---- */

bits fbar_invariant(const rounds *r) {
  bits invariant = bits_copy(&r->values[VALUE_INVARIANT]);
  for (size_t i = r->updates.count; i-- > 0;) {
    const m_update *u = &r->updates.at[i];
    if (u->is_line_10) {
      bits bad = bits_copy(&u->after);
      bits_minus(&bad, &invariant);
      bits_meet(&bad, &u->reached);
      bits_assign(&invariant, &u->before);
      bits_minus(&invariant, &bad);
      bits_free(&bad);
    } else {
      bits_meet(&invariant, &u->reached);
    }
  }
  return invariant;
}
