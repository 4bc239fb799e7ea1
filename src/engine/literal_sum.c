/* Takes inequalities apart. */
#include "engine/literal_sum.h"

bool literal_sum(terms *ts, term literal, term *sum, bool *is_strict) {
  if (term_kind_of(ts, literal) != TERM_LE) return false;
  bool is_real = term_is_real_atom(ts, literal), negated = term_is_negated(literal);
  *sum = term_argument(ts, literal, 0);
  *is_strict = is_real && negated;
  if (negated) *sum = is_real ? term_negate(ts, *sum) : term_sub(ts, term_int(ts, 1), *sum);
  return true;
}
