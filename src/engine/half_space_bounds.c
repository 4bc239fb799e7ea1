/* Half-spaces that bound one leaf, found without a solver: an inequality about a leaf alone is a bound of it. */
#include "engine/half_space.h"
#include "term/evaluate.h"

/* So many are shown to the one who wishes. */
enum { MOST_SHOWN = 4 };

term half_space_of_leaf(terms *ts, term leaf, number by, number bound, bool is_strict) {
  number then;
  bool is_indicator = term_kind_of(ts, leaf) == TERM_INT_ITE && term_is_number(ts, term_argument(ts, leaf, 1), &then) &&
                      (number_is(then, 0) || number_is(then, 1)) && term_sort(ts, leaf) == SORT_INT;
  if (!is_indicator) {
    number scale = number_denominator(number_quotient(bound, number_abs(by)));
    number sign = number_of(number_sign(by));
    term sum = term_scale(ts, number_mul(sign, scale), leaf);
    term most = term_number(ts, number_mul(scale, number_quotient(bound, number_abs(by))));
    return is_strict ? term_lt(ts, sum, most) : term_le(ts, sum, most);
  }
  term condition = number_is(then, 1) ? term_argument(ts, leaf, 0) : term_not(term_argument(ts, leaf, 0));
  int at_one = number_compare(by, bound), at_zero = number_compare(number_of(0), bound);
  bool one = is_strict ? at_one < 0 : at_one <= 0, zero = is_strict ? at_zero < 0 : at_zero <= 0;
  return one && zero ? TERM_TRUE : one ? condition : zero ? term_not(condition) : TERM_FALSE;
}

/* An end of the values of a leaf, or of its negation. */
typedef struct leaf_end {
  bool is_known, is_strict;
  number at;
} leaf_end;

static bool is_strict_sum(const sample *s, size_t sum) {
  for (size_t i = 0; i < s->strict.count; i++)
    if (s->strict.at[i] == sum) return true;
  return false;
}

/* What `sign` times the leaf is at most in the set. */
static leaf_end upper_end(const terms *ts, const sample *s, term leaf, int sign) {
  leaf_end found = {0};
  if (s->is_point) return (leaf_end){true, false, number_mul(number_of(sign), term_evaluate(ts, leaf, s->values.at))};
  for (size_t i = 0; i < s->sums.count; i++) {
    linear l = term_linear(ts, s->sums.at[i]);
    if (l.count != 1 || !term_same(l.leaves[0], leaf) || number_sign(l.coefficients[0]) != sign) continue;
    number at = number_negate(number_quotient(l.constant, number_abs(l.coefficients[0])));
    if (!found.is_known || number_compare(at, found.at) < 0)
      found = (leaf_end){true, is_strict_sum(s, i), at};
    else if (number_equal(at, found.at))
      found.is_strict |= is_strict_sum(s, i);
  }
  return found;
}

/* The largest of the upper ends of all sets; not known if one of them has none. */
static leaf_end largest_end(const terms *ts, const sample_group *group, term leaf, int sign) {
  leaf_end all = {0};
  for (size_t i = 0; i < group->count; i++) {
    leaf_end one = upper_end(ts, group->at[i], leaf, sign);
    if (!one.is_known) return one;
    int order = i ? number_compare(one.at, all.at) : 1;
    if (order > 0 || (order == 0 && !one.is_strict)) all = one;
  }
  return all;
}

/* sign * leaf is at most `inside.at` on one side and at least -`outside.at` on the other. */
static bool are_apart(leaf_end inside, leaf_end outside) {
  if (!inside.is_known || !outside.is_known) return false;
  int order = number_compare(inside.at, number_negate(outside.at));
  return order < 0 || (order == 0 && (inside.is_strict || outside.is_strict));
}

bool half_space_find_bound(terms *ts, const term_vector *leaves, const sample_group *inside,
                           const sample_group *outside, half_space_wish *wish, bool *found, term *out) {
  size_t shown = 0;
  for (size_t i = 0; i < 2 * leaves->count && shown < MOST_SHOWN; i++) {
    term leaf = leaves->at[i / 2];
    int sign = i % 2 ? -1 : 1;
    leaf_end most = largest_end(ts, inside, leaf, sign), least = largest_end(ts, outside, leaf, -sign);
    if (!are_apart(most, least)) continue;
    /* It is strict only if it must be. */
    bool is_strict = most.is_strict && number_equal(most.at, number_negate(least.at)) && !least.is_strict;
    term made = half_space_of_leaf(ts, leaf, number_of(sign), most.at, is_strict);
    bool is_liked = !wish || wish->likes(wish->context, made);
    if (is_liked || !*found) *out = made;
    *found = true;
    if (is_liked) return true;
    shown++;
  }
  return false;
}
