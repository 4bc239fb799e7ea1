/* Facts are kept as a set of terms with their polarity, and as bounds of linear forms.
 *
 * The form of an atom `sum <= 0` or `sum = 0` is its sum without the constant. Atoms are normalised (term.h), so a form
 * and its multiples are one term. */
#include "proof/check/literal_facts.h"

#include "base/map.h"

typedef struct form_bounds {
  bool has_low, has_high;
  number low, high;
} form_bounds;

struct facts {
  terms *ts;
  const facts *under;
  map *polarities; /* index of a term -> polarity of the fact */
  map *by_form;    /* index of a form -> index into `bounds` */
  VECTOR(form_bounds) bounds;
};

facts *literal_facts_new(terms *ts, const facts *under) {
  facts *f = MEMORY_NEW(facts);
  *f = (facts){.ts = ts, .under = under, .polarities = map_new(), .by_form = map_new()};
  return f;
}

void literal_facts_free(facts *f) {
  if (!f) return;
  map_free(f->polarities);
  map_free(f->by_form);
  VECTOR_FREE(f->bounds);
  memory_free(f);
}

void literal_facts_clear(facts *f) {
  map_clear(f->polarities);
  map_clear(f->by_form);
  VECTOR_CLEAR(f->bounds);
}

/* Splits the sum of an atom into its form and its constant. */
static term form_of(terms *ts, term atom, number *constant) {
  term sum = term_argument(ts, atom, 0);
  *constant = term_linear(ts, sum).constant;
  return number_is(*constant, 0) ? sum : term_sub(ts, sum, term_number(ts, *constant));
}

static bool is_comparison(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  return kind == TERM_LE || kind == TERM_EQ;
}

static void raise_low(form_bounds *b, number low) {
  if (!b->has_low || number_compare(low, b->low) > 0) b->low = low;
  b->has_low = true;
}

static void lower_high(form_bounds *b, number high) {
  if (!b->has_high || number_compare(high, b->high) < 0) b->high = high;
  b->has_high = true;
}

static void add_comparison(facts *f, term t) {
  bool equality = term_kind_of(f->ts, t) == TERM_EQ;
  if (equality && term_is_negated(t)) return;
  number constant;
  term form = form_of(f->ts, t, &constant);
  uint64_t slot;
  if (!map_get(f->by_form, term_index(form), &slot)) {
    slot = f->bounds.count;
    VECTOR_PUSH(f->bounds, (form_bounds){0});
    map_set(f->by_form, term_index(form), slot);
  }
  form_bounds *b = &f->bounds.at[slot];
  number limit = number_negate(constant);
  if (equality || !term_is_negated(t)) lower_high(b, limit);
  if (equality) raise_low(b, limit);
  if (equality || !term_is_negated(t)) return;
  /* Strict: of integers the next one. Of reals only that it is not below is kept. */
  raise_low(b, term_is_real_atom(f->ts, t) ? limit : number_add(limit, number_of(1)));
}

void literal_facts_add(facts *f, term t) {
  term_vector conjuncts = {0};
  term_conjuncts(f->ts, t, &conjuncts);
  VECTOR_PUSH(conjuncts, t);
  for (size_t i = 0; i < conjuncts.count; i++) {
    term c = conjuncts.at[i];
    map_set(f->polarities, term_index(c), term_is_negated(c));
    if (is_comparison(f->ts, c)) add_comparison(f, c);
  }
  VECTOR_FREE(conjuncts);
}

static form_bounds bounds_of(const facts *f, term form) {
  form_bounds all = {0};
  for (; f; f = f->under) {
    uint64_t slot;
    if (!map_get(f->by_form, term_index(form), &slot)) continue;
    if (f->bounds.at[slot].has_low) raise_low(&all, f->bounds.at[slot].low);
    if (f->bounds.at[slot].has_high) lower_high(&all, f->bounds.at[slot].high);
  }
  return all;
}

/* The positive atom. */
static decision decide_comparison(const facts *f, term atom) {
  number constant;
  term form = form_of(f->ts, atom, &constant);
  form_bounds b = bounds_of(f, form);
  number limit = number_negate(constant);
  bool below = b.has_high && number_compare(b.high, limit) < 0,
       at_most = b.has_high && number_compare(b.high, limit) <= 0;
  bool above = b.has_low && number_compare(b.low, limit) > 0, at_least = b.has_low && number_compare(b.low, limit) >= 0;
  if (above) return DECIDED_FALSE;
  if (term_kind_of(f->ts, atom) == TERM_LE) return at_most ? DECIDED_TRUE : UNDECIDED;
  if (below) return DECIDED_FALSE;
  return at_least && at_most ? DECIDED_TRUE : UNDECIDED;
}

static decision opposite(decision d) {
  return d == DECIDED_TRUE ? DECIDED_FALSE : d == DECIDED_FALSE ? DECIDED_TRUE : UNDECIDED;
}

static decision decide_simple(const facts *f, term t) {
  if (term_index(t) == 0) return term_is_true(t) ? DECIDED_TRUE : DECIDED_FALSE;
  for (const facts *level = f; level; level = level->under) {
    uint64_t negated;
    if (map_get(level->polarities, term_index(t), &negated))
      return negated == term_is_negated(t) ? DECIDED_TRUE : DECIDED_FALSE;
  }
  if (!is_comparison(f->ts, t)) return UNDECIDED;
  decision d = decide_comparison(f, term_positive(t));
  return term_is_negated(t) ? opposite(d) : d;
}

enum { DEPTH = 2 }; /* how many layers of `and` and `or` are looked into */

static decision decide(const facts *f, term t, int depth) {
  decision d = decide_simple(f, t);
  if (d != UNDECIDED || depth == 0 || term_kind_of(f->ts, t) != TERM_AND) return d;
  d = DECIDED_TRUE;
  for (size_t i = 0; i < term_arguments(f->ts, t) && d != DECIDED_FALSE; i++) {
    decision one = decide(f, term_argument(f->ts, t, i), depth - 1);
    if (one != DECIDED_TRUE) d = one;
  }
  return term_is_negated(t) ? opposite(d) : d;
}

decision literal_facts_decide(const facts *f, term t) { return decide(f, t, DEPTH); }
