/* Quantifiers whose range is not constant, or so large that they are not written out; and comparisons of whole arrays.
 *
 * Evaluation of `forall` goes up from the lowest index and stops at the first one for which the formula is false; of
 * `exists` at the first for which it is true. So a run-time error at an index counts if evaluation comes there. */
#include "input/whet/lower.h"
#include "term/bounds.h"

enum { MOST_WRITTEN_OUT = 8 };

/* ---- what is known ---- */

/* s of `s <= 0`, of an atom of integers of either polarity; false if it is no such atom. */
static bool upper_form(terms *ts, term atom, term *sum) {
  if (term_kind_of(ts, atom) != TERM_LE || term_is_real_atom(ts, atom)) return false;
  term s = term_argument(ts, atom, 0);
  *sum = term_is_negated(atom) ? term_sub(ts, term_int(ts, 1), s) : s;
  return true;
}

bool lower_is_refuted(lowering *l, term atom) {
  terms *ts = l->terms;
  term_vector known = {0};
  term sum, other;
  number n;
  bool found = false;
  if (!upper_form(ts, atom, &sum)) return false;
  for (size_t i = 0; i < l->path.count; i++) term_conjuncts(ts, l->path.at[i], &known);
  for (size_t i = 0; i < known.count && !found; i++)
    found =
        upper_form(ts, known.at[i], &other) && term_is_number(ts, term_add(ts, sum, other), &n) && number_sign(n) > 0;
  VECTOR_FREE(known);
  return found;
}

/* ---- quantifiers ---- */

static quantifier open_binder(lowering *l, const expression *e, const binder *b) {
  quantifier q = {.is_forall = e->kind == EXPRESSION_FORALL, .at = e, .has_range = b->low};
  if (!q.has_range) return q;
  q.low = lower_expression(l, b->low);
  q.high = lower_expression(l, b->high);
  return q;
}

/* How many values the index has, if that is a constant. */
static bool is_small(const lowering *l, const quantifier *q, int64_t *first, size_t *count) {
  number low, high;
  int64_t last;
  if (!q->has_range || !term_is_number(l->terms, q->low, &low) || !term_is_number(l->terms, q->high, &high))
    return false;
  if (!number_to_int64(low, first) || !number_to_int64(high, &last)) return false;
  if (number_compare(number_sub(high, low), number_of(MOST_WRITTEN_OUT)) >= 0) return false;
  *count = last < *first ? 0 : (size_t)(last - *first) + 1;
  return !l->keeps_arrays || *count <= l->kept_above;
}

static term lower_binders(lowering *l, const expression *e, size_t k);

/* A range that is not constant, in a model without arrays that are kept: between which constants it lies. */
static bool find_limits(const lowering *l, const quantifier *q, int64_t *first, int64_t *last) {
  if (!q->has_range) return false;
  interval low = term_interval(l->terms, q->low), high = term_interval(l->terms, q->high);
  return low.has_low && high.has_high && number_to_int64(low.low, first) && number_to_int64(high.high, last);
}

static term report_no_limits(lowering *l, const expression *e, size_t k) {
  report_error(l->reporter, e->binders[k].at.start, "the range of `%s` is not limited by constants",
               e->binders[k].word->text);
  report_hint(l->reporter,
              "that is allowed beside arrays of any length only; a variable of a bounded type, `i : 0..9`, has limits");
  return TERM_TRUE;
}

/* The formula for each value that the index may have, if it has it. */
static term write_out_between(lowering *l, const expression *e, size_t k, const quantifier *q) {
  terms *ts = l->terms;
  size_t path = l->path.count;
  int64_t first, last;
  term result = term_of_bool(q->is_forall);
  if (!find_limits(l, q, &first, &last)) return report_no_limits(l, e, k);
  for (int64_t i = first; i <= last && lowering_spend(l, INSTANCE_WORK, e->at.start); i++) {
    term value = term_int(ts, i), inside = term_and(ts, term_le(ts, q->low, value), term_le(ts, value, q->high));
    size_t here = l->path.count;
    if (term_is_false(inside)) continue;
    e->binders[k].symbol->value = value;
    VECTOR_PUSH(l->path, inside);
    l->open_ranges += !term_is_true(inside);
    term t = lower_binders(l, e, k + 1);
    l->open_ranges -= !term_is_true(inside);
    l->path.count = here;
    t = q->is_forall ? term_implies(ts, inside, t) : term_and(ts, inside, t);
    result = q->is_forall ? term_and(ts, result, t) : term_or(ts, result, t);
    VECTOR_PUSH(l->path, q->is_forall ? t : term_not(t));
  }
  l->path.count = path;
  return result;
}

static term write_out(lowering *l, const expression *e, size_t k, int64_t first, size_t count) {
  bool is_forall = e->kind == EXPRESSION_FORALL;
  size_t path = l->path.count;
  term result = term_of_bool(is_forall);
  for (size_t i = 0; i < count && lowering_spend(l, INSTANCE_WORK, e->at.start); i++) {
    e->binders[k].symbol->value = term_int(l->terms, first + (int64_t)i);
    term t = lower_binders(l, e, k + 1);
    result = is_forall ? term_and(l->terms, result, t) : term_or(l->terms, result, t);
    VECTOR_PUSH(l->path, is_forall ? t : term_not(t));
  }
  l->path.count = path;
  return result;
}

/* Errors of the formula count if it does not end evaluation at an index before. */
static void add_earlier_indices(lowering *l, const quantifier *q, size_t first_fault) {
  terms *ts = l->terms;
  if (!l->faults || l->faults->count == first_fault) return;
  quantifier before = *q;
  before.index = variable_fresh(ts, variable_name(ts, q->index), &(type){.sort = SORT_INT});
  before.high = term_sub(ts, term_of_variable(ts, q->index), term_int(ts, 1));
  substitution *by = substitution_new(ts);
  substitution_set(by, q->index, term_of_variable(ts, before.index));
  before.is_forall = true;
  before.body = quantifiers_apply(&l->quantifiers, ts, by, q->is_forall ? q->body : term_not(q->body));
  substitution_free(by);
  if (!q->has_range) {
    report_error(l->reporter, q->at->at.start, "something can fail here for some of all integers");
    report_hint(l->reporter, "give the index a range: `i : 0..n-1`");
    return;
  }
  term earlier = quantifiers_add(&l->quantifiers, ts, before);
  for (size_t i = first_fault; i < l->faults->count; i++)
    l->faults->at[i].when = term_and(ts, l->faults->at[i].when, earlier);
}

/* The formula behind binder `k` and those after it. */
static term lower_binders(lowering *l, const expression *e, size_t k) {
  if (k == e->binder_count) return lower_expression(l, e->parts[0]);
  const binder *b = &e->binders[k];
  quantifier q = open_binder(l, e, b);
  int64_t first;
  size_t count, path = l->path.count, first_fault = l->faults ? l->faults->count : 0;
  if (is_small(l, &q, &first, &count)) return write_out(l, e, k, first, count);
  if (!l->keeps_arrays) return write_out_between(l, e, k, &q);
  q.index = variable_fresh(l->terms, b->word->text, &(type){.sort = SORT_INT});
  b->symbol->value = term_of_variable(l->terms, q.index);
  VECTOR_PUSH(l->path, quantifier_range(l->terms, &q));
  q.body = lower_binders(l, e, k + 1);
  l->path.count = path;
  add_earlier_indices(l, &q, first_fault);
  return quantifiers_add(&l->quantifiers, l->terms, q);
}

bool lower_has_long_range(const expression *e) {
  for (size_t i = 0; i < e->binder_count; i++)
    if (e->binders[i].symbol->depends > DEPENDS_CONSTANTS) return true;
  return false;
}

term lower_long_quantifier(lowering *l, const expression *e) { return lower_binders(l, e, 0); }

/* ---- whole arrays ---- */

static bool have_same_indices(const value_type *a, const value_type *b) {
  if (a->kind != VALUE_ARRAY) {
    return a->has_low == b->has_low && a->has_high == b->has_high && number_equal(a->low, b->low) &&
           number_equal(a->high, b->high);
  }
  if (a->is_kept != b->is_kept) return false;
  bool same = !a->is_kept ? number_equal(a->low, b->low) && number_equal(a->high, b->high)
                          : a->has_range == b->has_range &&
                                (!a->has_range || (term_same(a->first, b->first) && term_same(a->last, b->last)));
  return same && have_same_indices(a->element, b->element);
}

bool lower_check_arrays(lowering *l, const value_type *a, const value_type *b, const expression *at) {
  if (have_same_indices(a, b)) return true;
  report_error(l->reporter, at->at.start, "the two arrays do not have the same indices and types of elements");
  return false;
}

static const value_type *kept_part(const value_type *t) {
  while (t->kind == VALUE_ARRAY && !t->is_kept) t = t->element;
  return t->kind == VALUE_ARRAY ? t : NULL;
}

/* Some index of the array, or of those in it, has a range. */
static bool has_ranges(const value_type *kept) {
  return kept && (kept->has_range || has_ranges(kept_part(kept->element)));
}

/* All elements that the arrays have are equal. */
static term same_elements(lowering *l, term a, term b, const value_type *kept, const expression *e) {
  terms *ts = l->terms;
  if (!has_ranges(kept)) return term_eq(ts, a, b);
  quantifier q = {.is_forall = true, .has_range = kept->has_range, .low = kept->first, .high = kept->last, .at = e};
  q.index = variable_fresh(ts, "i", &(type){.sort = SORT_INT});
  term i = term_of_variable(ts, q.index);
  q.body = same_elements(l, term_select(ts, a, i), term_select(ts, b, i), kept_part(kept->element), e);
  return quantifiers_add(&l->quantifiers, ts, q);
}

term lower_array_equality(lowering *l, const expression *e) {
  const value_type *t = e->parts[0]->type;
  access a, b;
  term all = TERM_TRUE;
  access_open(l, &a, e->parts[0]);
  access_open(l, &b, e->parts[1]);
  bool fine = lower_check_arrays(l, t, e->parts[1]->type, e) && !a.is_outside && !b.is_outside;
  for (size_t i = 0; fine && i < t->cells && lowering_spend(l, INSTANCE_WORK, e->at.start); i++)
    all = term_and(
        l->terms, all,
        same_elements(l, access_value(l, &a, i, e->parts[0]), access_value(l, &b, i, e->parts[1]), kept_part(t), e));
  access_close(&a);
  access_close(&b);
  return all;
}
