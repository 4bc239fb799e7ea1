/* CGR (Cousot, Ganty, Raskin: Fixpoint-Guided Abstraction Refinements, SAS 2007; Ranzato, Rossi Doria, Tapparo 2008,
 * section 3), in the way the steps go or against it.
 *
 *   Z_0 = Safe
 *   R_i = lfp X. mu_i(Z_i and (Init or post X))       safe if mu_i(Init or post R_i) is within Z_i
 *   S_i = gfp X. mu_i(R_i and pre~ X)                  unsafe if Init is not within S_i
 *   Z_i+1 = S_i and pre~ S_i, made a set of the domain */
#include "engine/fbar/rounds_inside.h"

static view own_view(const rounds *r) { return (view){r->p, r->how == METHOD_CGR_DUAL}; }

void cgr_start(rounds *r) {
  bits *z = &r->values[VALUE_Z];
  bits_fill(z);
  bits_minus(z, view_last(own_view(r)));
  rounds_report(r, 0, "Z", z);
}

static round_end refine(rounds *r, const bits *stay) {
  view v = own_view(r);
  if (!bits_is_within(view_first(v), stay)) return ROUND_UNSAFE;
  cut next;
  fixpoint_cut(v, &r->values[VALUE_M], stay, &next);
  rounds_refine(r, &next, VALUE_Z, NULL);
  r->statistics.refinements++;
  rounds_report(r, 0, "Z", &r->values[VALUE_Z]);
  return ROUND_REFINED;
}

/* The states that were reached, or against the steps all others. */
static void keep_invariant(rounds *r, const bits *reached) {
  bits *invariant = &r->values[VALUE_INVARIANT];
  bits_assign(invariant, reached);
  if (r->how == METHOD_CGR) return;
  bits_assign(invariant, &r->values[VALUE_M]);
  bits_minus(invariant, reached);
}

round_end cgr_next(rounds *r) {
  view v = own_view(r);
  const bits *all = &r->values[VALUE_M];
  bits reached = bits_new(all->size), next = bits_new(all->size), stay = bits_new(all->size);
  round_end end = ROUND_SAFE;
  fixpoint_reach(v, &r->values[VALUE_Z], &reached);
  r->statistics.fixpoints++;
  rounds_report(r, 0, "R", &reached);
  fixpoint_image(v, all, &reached, &next);
  if (bits_is_within(&next, &r->values[VALUE_Z])) {
    keep_invariant(r, &reached);
  } else {
    fixpoint_stay(v, all, &reached, &stay);
    r->statistics.fixpoints++;
    rounds_report(r, 0, "S", &stay);
    end = partition_trouble(r->p) ? ROUND_TROUBLE : refine(r, &stay);
  }
  bits_free(&reached);
  bits_free(&next);
  bits_free(&stay);
  return end;
}
