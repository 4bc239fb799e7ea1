/* Arguments that are equal in every atom that can be derived: all of one type at first; then those stay together that every clause for
 * the predicate gives the same value, if the arguments in its body that are still together are equal. Terms are compared after the
 * equations of the clause are solved. */
#include "input/chc/arguments.h"
#include "term/substitute.h"

/* Of one clause so many equations are solved; and so often are clauses looked at, for each. */
enum { MOST_EQUATIONS = 300, MOST_LOOKS = 40 };

typedef struct comparing {
  terms *ts;
  const clauses *all;
  argument_classes *classes;
  substitution *solved;
  size_t equations; /* solved, of the clause at hand */
} comparing;

static bool is_variable(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  return !term_is_negated(t) && (kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE || kind == TERM_REAL_VARIABLE);
}

/* Solutions speak of variables that were solved for later: as often as there are of those. */
static term normal(const comparing *c, term t) {
  term before = t;
  for (size_t i = 0; i <= c->equations; i++) {
    t = substitution_apply(c->solved, before);
    if (term_same(t, before)) break;
    before = t;
  }
  return t;
}

static void set(comparing *c, variable v, term value) {
  substitution_set(c->solved, v, value);
  c->equations++;
}

static void solve_sum(comparing *c, term sum) {
  for (size_t i = 0; i < term_linear(c->ts, sum).count; i++) {
    linear l = term_linear(c->ts, sum); /* anew, for terms are built below */
    term leaf = l.leaves[i];
    if (!is_variable(c->ts, leaf)) continue;
    bool is_unit = number_is(l.coefficients[i], 1) || number_is(l.coefficients[i], -1);
    bool is_real = term_sort(c->ts, leaf) == SORT_REAL;
    if (!is_real && (!is_unit || term_sort(c->ts, sum) != SORT_INT)) continue;
    term value = term_add(c->ts, leaf, term_scale(c->ts, number_quotient(number_of(-1), l.coefficients[i]), sum));
    if (term_mentions(c->ts, value, term_variable(c->ts, leaf))) continue;
    set(c, term_variable(c->ts, leaf), value);
    return;
  }
}

/* Solves `equation`, a literal, if that is simple. */
static void solve(comparing *c, term equation) {
  if (c->equations >= MOST_EQUATIONS) return;
  term t = normal(c, equation);
  term_kind kind = term_kind_of(c->ts, t);
  if (kind == TERM_BOOL_VARIABLE)
    set(c, term_variable(c->ts, t), term_of_bool(!term_is_negated(t)));
  else if (kind == TERM_EQ && !term_is_negated(t))
    solve_sum(c, term_argument(c->ts, t, 0));
}

static void equate(comparing *c, term a, term b) {
  bool is_bool = term_sort(c->ts, a) == SORT_BOOL;
  term x = normal(c, a), y = normal(c, b);
  if (term_same(x, y) || c->equations >= MOST_EQUATIONS) return;
  if (is_bool && is_variable(c->ts, x) && !term_mentions(c->ts, y, term_variable(c->ts, x)))
    set(c, term_variable(c->ts, x), y);
  else if (!is_bool)
    solve(c, term_eq(c->ts, x, y));
}

static void solve_clause(comparing *c, const clause *of) {
  term_vector conjuncts = {0};
  substitution_clear(c->solved);
  c->equations = 0;
  for (size_t i = 0; i < of->body.count; i++) {
    const clause_atom *a = &of->body.at[i];
    const index_vector *same = &c->classes->at[a->predicate];
    for (size_t j = 0; j < a->arguments.count; j++)
      if (same->at[j] != j) equate(c, a->arguments.at[same->at[j]], a->arguments.at[j]);
  }
  term_conjuncts(c->ts, of->constraint, &conjuncts);
  for (size_t i = 0; i < conjuncts.count; i++) solve(c, conjuncts.at[i]);
  VECTOR_FREE(conjuncts);
}

/* True if arguments came apart. */
static bool split(comparing *c, const clause *of) {
  index_vector *same = &c->classes->at[of->head];
  bool has_some = false, changed = false;
  for (size_t j = 0; j < same->count; j++) has_some |= same->at[j] != j;
  if (!has_some) return false;
  solve_clause(c, of);
  term_vector values = {0};
  index_vector made = {0};
  for (size_t j = 0; j < same->count; j++) {
    VECTOR_PUSH(values, normal(c, of->head_arguments.at[j]));
    uint32_t first = 0;
    while (first < j && (same->at[first] != same->at[j] || !term_same(values.at[first], values.at[j]))) first++;
    changed |= first != same->at[j];
    VECTOR_PUSH(made, first);
  }
  VECTOR_FREE(*same);
  *same = made;
  VECTOR_FREE(values);
  return changed;
}

static bool is_same_type(const type *a, const type *b) { return a->sort == b->sort && a->names == b->names; }

/* All of one type together; of a predicate that nothing derives, or if `apart`, none. */
static void open_classes(const terms *ts, const clauses *all, bool apart, argument_classes *out) {
  bool *is_derived = MEMORY_ARRAY(bool, all->predicates.count + 1);
  for (size_t i = 0; i < all->clauses.count; i++)
    if (all->clauses.at[i].head != NO_PREDICATE) is_derived[all->clauses.at[i].head] = true;
  for (size_t i = 0; i < all->predicates.count; i++) {
    const variable_vector *parameters = &all->predicates.at[i].parameters;
    index_vector made = {0};
    for (uint32_t j = 0; j < parameters->count; j++) {
      uint32_t first = is_derived[i] && !apart ? 0 : j;
      while (!is_same_type(variable_type(ts, parameters->at[first]), variable_type(ts, parameters->at[j]))) first++;
      VECTOR_PUSH(made, first);
    }
    VECTOR_PUSH(*out, made);
  }
  memory_free(is_derived);
}

static void close_classes(argument_classes *classes) {
  for (size_t i = 0; i < classes->count; i++) VECTOR_FREE(classes->at[i]);
  VECTOR_CLEAR(*classes);
}

void chc_find_equal(terms *ts, const clauses *all, argument_classes *out) {
  comparing c = {.ts = ts, .all = all, .classes = out, .solved = substitution_new(ts)};
  open_classes(ts, all, false, out);
  size_t looks = 0;
  for (bool more = true; more && looks <= MOST_LOOKS; looks++) {
    more = false;
    for (size_t i = 0; i < all->clauses.count; i++)
      if (all->clauses.at[i].head != NO_PREDICATE) more |= split(&c, &all->clauses.at[i]);
  }
  if (looks > MOST_LOOKS) {
    close_classes(out);
    open_classes(ts, all, true, out);
  }
  substitution_free(c.solved);
}
