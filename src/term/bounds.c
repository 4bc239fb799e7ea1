/* Intervals of integer terms and simplification by them. Both go over the cone from below and keep one result a term. */
#include "term/bounds.h"

#include "base/map.h"
#include "term/fold.h"
#include "term/table.h"

static const interval everything = {0};

static interval exactly(number n) { return (interval){true, true, n, n}; }

static interval interval_meet(interval a, interval b) {
  if (b.has_low && (!a.has_low || number_compare(b.low, a.low) > 0)) a.has_low = true, a.low = b.low;
  if (b.has_high && (!a.has_high || number_compare(b.high, a.high) < 0)) a.has_high = true, a.high = b.high;
  return a;
}

static interval interval_join(interval a, interval b) {
  a.has_low = a.has_low && b.has_low;
  a.has_high = a.has_high && b.has_high;
  if (a.has_low && number_compare(b.low, a.low) < 0) a.low = b.low;
  if (a.has_high && number_compare(b.high, a.high) > 0) a.high = b.high;
  return a;
}

static interval interval_add(interval a, interval b) {
  interval r = {.has_low = a.has_low && b.has_low, .has_high = a.has_high && b.has_high};
  if (r.has_low) r.low = number_add(a.low, b.low);
  if (r.has_high) r.high = number_add(a.high, b.high);
  return r;
}

/* False if the result would be too large. */
static bool multiply(number a, number b, number *out) {
  if (bits_are_too_many(number_bits(a), number_bits(b))) return false;
  *out = number_mul(a, b);
  return true;
}

static interval interval_scale(number k, interval a) {
  if (number_is(k, 0)) return exactly(k);
  interval r = number_sign(k) > 0 ? a : (interval){a.has_high, a.has_low, a.high, a.low};
  r.has_low = r.has_low && multiply(k, r.low, &r.low);
  r.has_high = r.has_high && multiply(k, r.high, &r.high);
  return r;
}

/* What is known in addition to the types: an interval for each linear form without its constant, and terms known to
 * hold. */
typedef struct shared_facts {
  VECTOR(interval) intervals;
  map *forms;  /* index of the form -> position in `intervals` */
  map *truths; /* index -> 1 if the positive term holds, 0 if its negation does */
} shared_facts;

static interval form_interval(const shared_facts *k, term form) {
  uint64_t at;
  return k && map_get(k->forms, term_index(form), &at) ? k->intervals.at[at] : everything;
}

typedef struct results {
  map *position; /* index -> position in `intervals` */
  VECTOR(interval) intervals;
} results;

static interval result_of(const results *r, term t) {
  uint64_t at;
  return map_get(r->position, term_index(t), &at) ? r->intervals.at[at] : everything;
}

static interval type_interval(const type *t) { return (interval){t->has_low, t->has_high, t->low, t->high}; }

static interval division_interval(const terms *ts, term t, const results *r) {
  number k;
  if (!term_is_number(ts, term_argument(ts, t, 1), &k) || number_is(k, 0)) return everything;
  interval a = result_of(r, term_argument(ts, t, 0));
  if (term_kind_of(ts, t) == TERM_MOD)
    return (interval){true, true, number_of(0), number_sub(number_abs(k), number_of(1))};
  if (number_sign(k) < 0) return everything;
  if (a.has_low) a.low = number_div(a.low, k);
  if (a.has_high) a.high = number_div(a.high, k);
  return a;
}

static interval product_interval(const terms *ts, term t, const results *r) {
  interval product = exactly(number_of(1));
  for (size_t i = 0; i < term_arguments(ts, t); i++) {
    interval a = result_of(r, term_argument(ts, t, i));
    bool positive = product.has_low && a.has_low && number_sign(product.low) >= 0 && number_sign(a.low) >= 0;
    if (!positive) return everything;
    if (!multiply(product.low, a.low, &product.low)) product.low = number_of(0);
    product.has_high = product.has_high && a.has_high && multiply(product.high, a.high, &product.high);
  }
  return product;
}

/* The interval of one integer term whose leaves have theirs already. */
static interval interval_of(const terms *ts, term t, const results *r, const shared_facts *k) {
  interval own = everything;
  linear l;
  switch (term_kind_of(ts, t)) {
    case TERM_INT_VARIABLE: own = type_interval(variable_type(ts, term_variable(ts, t))); break;
    case TERM_SUM:
      l = term_linear(ts, t);
      own = exactly(l.constant);
      for (size_t i = 0; i < l.count; i++)
        own = interval_add(own, interval_scale(l.coefficients[i], result_of(r, l.leaves[i])));
      return own;
    case TERM_PRODUCT: own = product_interval(ts, t, r); break;
    case TERM_DIV:
    case TERM_MOD: own = division_interval(ts, t, r); break;
    case TERM_INT_ITE:
      own = interval_join(result_of(r, term_argument(ts, t, 1)), result_of(r, term_argument(ts, t, 2)));
      break;
    default: return everything;
  }
  return interval_meet(own, form_interval(k, t));
}

static void results_set(results *r, uint32_t index, interval i) {
  map_set(r->position, index, r->intervals.count);
  VECTOR_PUSH(r->intervals, i);
}

static void interval_rule(const term_fold *f, term t, void *unused) {
  (void)unused;
  if (term_sort(f->ts, t) == SORT_INT) results_set(f->context, term_index(t), interval_of(f->ts, t, f->context, NULL));
}

interval term_interval(const terms *ts, term t) {
  REQUIRE(term_sort(ts, t) == SORT_INT, "an integer term");
  results r = {.position = map_new()};
  term_fold f = {.ts = ts, .size = 1, .rule = interval_rule, .context = &r};
  term_fold_value(&f, t);
  interval result = result_of(&r, t);
  term_fold_close(&f);
  map_free(r.position);
  VECTOR_FREE(r.intervals);
  return result;
}

/* `sum` without its constant, and with a positive first coefficient; `*flipped` if the sign was changed. */
static term form_of(terms *ts, term sum, bool *flipped) {
  linear l = term_linear(ts, sum);
  *flipped = l.count && number_sign(l.coefficients[0]) < 0;
  term form = term_sub(ts, sum, term_number(ts, l.constant));
  return *flipped ? term_negate(ts, form) : form;
}

static term simplify_atom(terms *ts, term atom, const results *r, const shared_facts *k) {
  term sum = term_argument(ts, atom, 0);
  number constant = term_linear(ts, sum).constant;
  bool flipped; /* never here: atoms are normalised */
  term form = form_of(ts, sum, &flipped);
  interval i = interval_meet(result_of(r, sum), interval_add(form_interval(k, form), exactly(constant)));
  int low = i.has_low ? number_sign(i.low) : -1, high = i.has_high ? number_sign(i.high) : 1;
  if (term_kind_of(ts, atom) == TERM_EQ) {
    if (low > 0 || high < 0) return TERM_FALSE;
    return i.has_low && i.has_high && low == 0 && high == 0 ? TERM_TRUE : atom;
  }
  if (high <= 0) return TERM_TRUE;
  if (low > 0) return TERM_FALSE;
  if (i.has_low && low == 0) return term_equals_zero(ts, sum);
  if (i.has_high && number_is(i.high, 1)) return term_not(term_equals_zero(ts, term_sub(ts, sum, term_int(ts, 1))));
  return atom;
}

/* The one pass behind both simplifications. */
typedef struct simplification {
  terms *ts;
  const shared_facts *facts; /* may be NULL */
  results intervals;         /* of what terms have become */
} simplification;

/* A rebuilt sum may have leaves that are new. */
static void find_interval(simplification *s, term t) {
  results *r = &s->intervals;
  if (map_get(r->position, term_index(t), NULL)) return;
  linear l = term_linear(s->ts, t);
  for (size_t i = 0; i < l.count; i++)
    if (!map_get(r->position, term_index(l.leaves[i]), NULL))
      results_set(r, term_index(l.leaves[i]), interval_of(s->ts, l.leaves[i], r, s->facts));
  if (!map_get(r->position, term_index(t), NULL)) results_set(r, term_index(t), interval_of(s->ts, t, r, s->facts));
}

static void simplify_rule(const term_fold *f, term t, void *out) {
  simplification *s = f->context;
  uint64_t truth;
  bool is_known = s->facts && map_get(s->facts->truths, term_index(t), &truth);
  term now = is_known ? term_of_bool(truth) : fold_rebuilt(f, s->ts, t);
  term_kind kind = term_kind_of(s->ts, now);
  if (term_sort(s->ts, now) == SORT_INT) {
    find_interval(s, now);
  } else if ((kind == TERM_LE || kind == TERM_EQ) && !term_is_real_atom(s->ts, now)) {
    term atom = simplify_atom(s->ts, term_positive(now), &s->intervals, s->facts);
    now = term_is_negated(now) ? term_not(atom) : atom;
  }
  *(term *)out = now;
}

static term simplify(terms *ts, term t, const shared_facts *k) {
  simplification s = {.ts = ts, .facts = k, .intervals = {.position = map_new()}};
  term_fold f = {.ts = ts, .size = sizeof(term), .rule = simplify_rule, .context = &s};
  term_fold_value(&f, t);
  term result = fold_term(&f, t);
  term_fold_close(&f);
  map_free(s.intervals.position);
  VECTOR_FREE(s.intervals.intervals);
  return result;
}

term term_simplify_in_types(terms *ts, term t) { return simplify(ts, t, NULL); }

/* form + c <= 0, or its negation, as an interval of the form. */
static interval literal_interval(const terms *ts, term literal) {
  number c = term_linear(ts, term_argument(ts, literal, 0)).constant;
  if (term_kind_of(ts, literal) == TERM_EQ) return term_is_negated(literal) ? everything : exactly(number_negate(c));
  if (term_is_negated(literal)) return (interval){.has_low = true, .low = number_sub(number_of(1), c)};
  return (interval){.has_high = true, .high = number_negate(c)};
}

static void learn(terms *ts, shared_facts *k, term fact) {
  map_set(k->truths, term_index(fact), !term_is_negated(fact));
  if ((term_kind_of(ts, fact) != TERM_LE && term_kind_of(ts, fact) != TERM_EQ) || term_is_real_atom(ts, fact)) return;
  bool flipped;
  term form = form_of(ts, term_argument(ts, fact, 0), &flipped);
  interval known = interval_meet(form_interval(k, form), literal_interval(ts, fact));
  map_set(k->forms, term_index(form), k->intervals.count);
  VECTOR_PUSH(k->intervals, known);
}

term term_simplify_under(terms *ts, term t, size_t count, const term *facts) {
  shared_facts k = {.forms = map_new(), .truths = map_new()};
  term_vector all = {0};
  for (size_t i = 0; i < count; i++) term_conjuncts(ts, facts[i], &all);
  for (size_t i = 0; i < all.count; i++) learn(ts, &k, all.at[i]);
  term result = simplify(ts, t, &k);
  map_free(k.forms);
  map_free(k.truths);
  VECTOR_FREE(k.intervals);
  VECTOR_FREE(all);
  return result;
}

/* ---- if-then-else out of atoms ---- */

/* Atoms with more choices than this stay as they are: the result would be too large to use. */
enum { LIFT_LIMIT = 12 };

/* The topmost integer if-then-else below `atom`, or false. */
static bool find_ite(const terms *ts, term atom, term *found, size_t *count) {
  index_vector cone = {0};
  terms_cone(ts, 1, &atom, &cone);
  *count = 0;
  for (size_t i = 0; i < cone.count; i++)
    if (ts->nodes.at[cone.at[i]].kind == TERM_INT_ITE) *found = (term){2 * cone.at[i]}, ++*count;
  VECTOR_FREE(cone);
  return *count > 0;
}

typedef struct exchange {
  terms *ts;
  term what, by;
} exchange;

static void exchange_rule(const term_fold *f, term t, void *out) {
  const exchange *e = f->context;
  *(term *)out = term_same(t, e->what) ? e->by : fold_rebuilt(f, e->ts, t);
}

/* `t` with the subterm `what` replaced. */
static term replace_term(terms *ts, term t, term what, term by) {
  exchange e = {ts, what, by};
  term_fold f = {.ts = ts, .size = sizeof(term), .rule = exchange_rule, .context = &e};
  term_fold_value(&f, t);
  term result = fold_term(&f, t);
  term_fold_close(&f);
  return result;
}

/* Depth is at most LIFT_LIMIT: every level removes one if-then-else. */
static term lift_atom(terms *ts, term atom) {
  term ite = TERM_TRUE;
  size_t count;
  if (!term_is_atom(ts, atom) || !find_ite(ts, atom, &ite, &count) || count > LIFT_LIMIT) return atom;
  term condition = term_argument(ts, ite, 0);
  term a = term_argument(ts, ite, 1), b = term_argument(ts, ite, 2);
  return term_ite(ts, lift_atom(ts, condition), lift_atom(ts, replace_term(ts, atom, ite, a)),
                  lift_atom(ts, replace_term(ts, atom, ite, b)));
}

term term_lift_ite(terms *ts, term t) {
  term_vector atoms = {0};
  term_atoms(ts, t, &atoms);
  for (size_t i = atoms.count; i-- > 0;) {
    term lifted = lift_atom(ts, atoms.at[i]);
    if (!term_same(lifted, atoms.at[i])) t = replace_term(ts, t, atoms.at[i], lifted);
  }
  VECTOR_FREE(atoms);
  return t;
}
