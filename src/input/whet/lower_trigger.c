/* What a property is about, from its text: the states in which `a => b` says more than that a is false.
 *
 *   a => b               a, and what b is about
 *   G f, AG f, A f       what f is about
 *   f && g, forall i. f  what one of them is about
 *   anything else        every state
 *
 * If no state that can be reached is among them, the property holds without saying anything. */
#include "input/whet/lower.h"

/* In the state in which the implication is read: what comes later in time does not count. */
static term trigger_of_implication(lowering *l, const expression *e) {
  const expression *last = e->parts[e->count - 1];
  term t = last->is_temporal ? TERM_TRUE : lower_trigger(l, last);
  for (size_t i = 0; i + 1 < e->count; i++) {
    if (e->parts[i]->is_temporal) return TERM_TRUE;
    t = term_and(l->terms, t, lower_condition(l, e->parts[i]));
  }
  return t;
}

static term trigger_of_instances(lowering *l, const expression *e, size_t binder_index) {
  if (binder_index == e->binder_count) return lower_trigger(l, e->parts[0]);
  const binder *b = &e->binders[binder_index];
  int64_t first;
  size_t count;
  term any = TERM_FALSE;
  if (!lower_range(l, b->low, b->high, NULL, &first, &count)) return TERM_TRUE;
  for (size_t i = 0; i < count && !term_is_true(any); i++) {
    if (!lowering_spend(l, INSTANCE_WORK, e->at.start)) return TERM_TRUE;
    b->symbol->value = term_int(l->terms, first + (int64_t)i);
    any = term_or(l->terms, any, trigger_of_instances(l, e, binder_index + 1));
  }
  return count ? any : TERM_TRUE;
}

static term trigger_of_any(lowering *l, const expression *e) {
  term any = TERM_FALSE;
  for (size_t i = 0; i < e->count && !term_is_true(any); i++)
    any = term_or(l->terms, any, lower_trigger(l, e->parts[i]));
  return any;
}

term lower_trigger(lowering *l, const expression *e) {
  if (l->exhausted || !lowering_spend(l, 1, e->at.start)) return TERM_TRUE;
  switch ((expression_kind)e->kind) {
    case EXPRESSION_IMPLIES: return trigger_of_implication(l, e);
    case EXPRESSION_AND: return trigger_of_any(l, e);
    case EXPRESSION_FORALL: return lower_has_long_range(e) ? TERM_TRUE : trigger_of_instances(l, e, 0);
    case EXPRESSION_LET: return lower_trigger(l, lower_locals(l, e));
    case EXPRESSION_TEMPORAL:
      return e->temporal == TEMPORAL_G || e->temporal == TEMPORAL_AG || e->temporal == TEMPORAL_A
                 ? lower_trigger(l, e->parts[0])
                 : TERM_TRUE;
    default: return TERM_TRUE;
  }
}
