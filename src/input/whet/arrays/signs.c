/* Signs are handed down from the root, one term after the other. */
#include "input/whet/arrays/signs.h"

void term_signs_clear(term_signs *s) {
  VECTOR_FREE(s->terms);
  VECTOR_FREE(s->signs);
}

static size_t place_of(const term_signs *s, term t) {
  size_t low = 0, high = s->terms.count;
  while (low + 1 < high) {
    size_t middle = (low + high) / 2;
    if (s->terms.at[middle] <= term_index(t))
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* What argument `i` of a term with that sign has. */
static unsigned sign_of_argument(const terms *ts, term t, size_t i, unsigned sign) {
  term_kind kind = term_kind_of(ts, t);
  bool is_connective = kind == TERM_AND || (kind == TERM_BOOL_ITE && i > 0);
  if (!is_connective) return SIGN_BOTH;
  return term_is_negated(term_argument(ts, t, i)) ? sign_flip(sign) : sign;
}

void term_signs_find(const terms *ts, term root, term_signs *out) {
  VECTOR_CLEAR(out->terms);
  VECTOR_CLEAR(out->signs);
  terms_cone(ts, 1, &root, &out->terms);
  for (size_t i = 0; i < out->terms.count; i++) VECTOR_PUSH(out->signs, 0);
  sort of = term_sort(ts, root);
  VECTOR_LAST(out->signs) = of != SORT_BOOL ? SIGN_BOTH : term_is_negated(root) ? SIGN_SHRINKS : SIGN_GROWS;
  for (size_t i = out->terms.count; i-- > 0;) {
    term t = {2 * out->terms.at[i]};
    for (size_t j = 0; j < term_arguments(ts, t); j++)
      out->signs.at[place_of(out, term_argument(ts, t, j))] |= (uint8_t)sign_of_argument(ts, t, j, out->signs.at[i]);
  }
}
