/* Bounds on one linear form: those of the left side and of the types on one hand, the denial of the right side on the
 * other.
 *
 *   x - y <= 3  implies  x - y <= 5  and  y - x >= -7;  0 <= x  and  x /= 0  imply  x >= 1
 *
 * Yes, if one conjunct of the denial leaves no value. No, if the left side is satisfiable and implies the denial;
 * and if there is no left side, the right side is one atom, and the types let its form have every value: an atom is
 * never true of all integers. */
#include "solver/layers.h"

static bool below(number a, number b) { return number_compare(a, b) < 0; }

/* Do `values` leave none for which the claim is true? */
static bool refuted(const interval *values, const shape_claim *c, bool excluded) {
  switch (c->kind) {
    case CLAIM_AT_MOST: return values->has_low && below(c->bound, values->low);
    case CLAIM_AT_LEAST: return values->has_high && below(values->high, c->bound);
    case CLAIM_EQUAL:
      return excluded || (values->has_low && below(c->bound, values->low)) ||
             (values->has_high && below(values->high, c->bound));
    case CLAIM_DIFFERENT:
      return values->has_low && values->has_high && number_equal(values->low, c->bound) &&
             number_equal(values->high, c->bound);
  }
  return false;
}

static shape_claim opposite(const shape_claim *c) {
  switch (c->kind) {
    case CLAIM_AT_MOST: return (shape_claim){CLAIM_AT_LEAST, number_add(c->bound, number_of(1))};
    case CLAIM_AT_LEAST: return (shape_claim){CLAIM_AT_MOST, number_sub(c->bound, number_of(1))};
    case CLAIM_EQUAL: return (shape_claim){CLAIM_DIFFERENT, c->bound};
    case CLAIM_DIFFERENT: break;
  }
  return (shape_claim){CLAIM_EQUAL, c->bound};
}

answer layer_interval(prover *p, const question *q) {
  context *c = p->context;
  bool denied = context_is_satisfiable(c) && q->count > 0;
  bool single_form_is_free = false;
  for (size_t i = 0; i < q->count; i++) {
    const shape *s = shape_of(p->shapes, q->denial[i]);
    if (!s->form) {
      denied = false;
      continue;
    }
    interval values = context_interval(c, s->form);
    shape_claim what = claim_of(s, q->denial[i]), contrary = opposite(&what);
    bool excluded = context_excludes(c, s->form, what.bound);
    if (refuted(&values, &what, excluded)) return answer_yes();
    denied = denied && refuted(&values, &contrary, excluded);
    single_form_is_free = q->count == 1 && s->form->takes_every_value;
  }
  if (context_is_refuted(c)) return answer_yes();
  if (denied || (single_form_is_free && !context_count(c))) return answer_no();
  return layer_passes();
}
