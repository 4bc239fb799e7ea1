/* Operators of the past. For each of them a variable remembers its value one step earlier:
 *
 *   Y f       y            y := f
 *   O f       f or o       o := f or o
 *   H f       f and h      h := f and h, true at first
 *   f S g     g or f and s    s := g or f and s
 *
 * Idling is no step: it adds nothing to the past. */
#include "input/whet/history/history.h"

static term operand(lowering *l, const expression *e) { return temporal_as_term(l->terms, lower_temporal(l, e)); }

term lower_past(lowering *l, const expression *e) {
  terms *ts = l->terms;
  temporal_kind kind = (temporal_kind)e->temporal;
  bool is_yesterday = kind == PAST_YESTERDAY, is_always = kind == PAST_HISTORICALLY;
  term f = operand(l, e->parts[0]), g = e->count > 1 ? operand(l, e->parts[1]) : TERM_TRUE;
  history_variable what = {.kind = (uint8_t)kind, .f = f, .g = g, .value = TERM_TRUE}, *made;
  l->uses_past = true;
  term before = history_variable_of(l, is_always, &what, is_yesterday ? "" : "Y (", e->at, &made);
  term now = is_always           ? term_and(ts, f, before)
             : kind == PAST_ONCE ? term_or(ts, f, before)
                                 : term_or(ts, g, term_and(ts, f, before));
  if (made) made->value = is_yesterday ? f : now;
  return is_yesterday ? before : now;
}
