/* A conjunction is taken apart: conjuncts about one copy are instances of a template, one for each copy, and so say the same of each local
 * state that somebody is in; conjuncts about two copies are instances of a template for all pairs. A disjunction is the negation of one, and what speaks
 * of more copies is taken apart in turn. Sums over all copies are sums over local states. */
#include "base/map.h"
#include "model/counted/inside.h"

enum { MOST_TOLD_APART = 3 };

term counting_constant(terms *ts, variable v, number n) {
  return variable_type(ts, v)->sort == SORT_BOOL ? term_of_bool(number_is(n, 1)) : term_number(ts, n);
}

static uint32_t owner_of(const counting *c, variable v) { return v.x < c->known ? c->owner[v.x] : 0; }

/* The copies that it speaks of, from 0, as far as there are at most so many; how many. */
static size_t copies_in(counting *c, term t, size_t found[MOST_TOLD_APART]) {
  variable_vector all = {0};
  size_t count = 0;
  term_variables(c->ts, 1, &t, &all);
  for (size_t i = 0; i < all.count && count < MOST_TOLD_APART; i++) {
    uint32_t owner = owner_of(c, all.at[i]);
    bool is_new = owner != 0;
    for (size_t j = 0; j < count; j++) is_new &= found[j] != owner - 1;
    if (is_new) found[count++] = owner - 1;
  }
  VECTOR_FREE(all);
  if (count == 2 && found[0] > found[1]) {
    size_t kept = found[0];
    found[0] = found[1];
    found[1] = kept;
  }
  return count;
}

bool counting_speaks_of_copies(counting *c, term t) {
  size_t found[MOST_TOLD_APART];
  return copies_in(c, t, found) > 0;
}

static void set_to_copy(counting *c, size_t copy, size_t by) {
  size_t width = c->out->width;
  for (size_t v = 0; v < width; v++)
    substitution_set(c->by, c->out->locals.at[copy * width + v],
                     term_of_variable(c->ts, c->out->locals.at[by * width + v]));
}

static void set_to_state(counting *c, size_t copy, size_t local_state) {
  size_t width = c->out->width;
  for (size_t v = 0; v < width; v++) {
    variable local = c->out->locals.at[copy * width + v];
    substitution_set(c->by, local, counting_constant(c->ts, local, c->out->values.at[local_state * width + v]));
  }
}

term counting_in_state(counting *c, term t, size_t copy, size_t local_state) {
  substitution_clear(c->by);
  set_to_state(c, copy, local_state);
  return substitution_apply(c->by, t);
}

static size_t states_of(const counting *c) { return c->out->counters.count; }
static size_t others_of(const counting *c) { return c->out->copies - (c->mover != SIZE_MAX); }
/* Two copies that templates are about. */
static size_t one_of(const counting *c) { return c->mover == 0 ? 1 : 0; }
static size_t other_of(const counting *c) { return c->mover == 0 || c->mover == 1 ? 2 : 1; }

term counting_number(counting *c, size_t local_state) {
  term n = term_of_variable(c->ts, c->out->counters.at[local_state]);
  return c->mover != SIZE_MAX && c->state == local_state ? term_sub(c->ts, n, term_int(c->ts, 1)) : n;
}

static term at_most(counting *c, size_t local_state, int64_t most) {
  return term_le(c->ts, counting_number(c, local_state), term_int(c->ts, most));
}

static bool fail(counting *c) {
  if (!c->why) c->why = "formulas tell its copies apart";
  return false;
}

/* ---- conjunctions ---- */

/* What is said of one copy, or of an ordered pair, and how often. */
typedef struct template {
  term of;
  size_t pairs; /* 0: of one copy; 1: both orders are the same; 2: of ordered pairs */
  size_t seen;
}
template;
typedef VECTOR(template) templates;

static void add_instance(templates *all, term of, size_t pairs) {
  for (size_t i = 0; i < all->count; i++)
    if (term_same(all->at[i].of, of) && all->at[i].pairs == pairs) {
      all->at[i].seen++;
      return;
    }
  VECTOR_PUSH(*all, ((template){of, pairs, 1}));
}

static void add_pair(counting *c, templates *all, term t, const size_t *copies) {
  substitution_clear(c->by);
  set_to_copy(c, copies[0], one_of(c));
  set_to_copy(c, copies[1], other_of(c));
  term straight = substitution_apply(c->by, t);
  substitution_clear(c->by);
  set_to_copy(c, copies[0], other_of(c));
  set_to_copy(c, copies[1], one_of(c));
  term turned = substitution_apply(c->by, t);
  add_instance(all, straight.x < turned.x ? straight : turned, term_same(straight, turned) ? 1 : 2);
}

/* Every copy, or pair of copies, has its instance: hash-consed conjuncts are all different. */
static bool is_complete(const counting *c, const template *t) {
  size_t n = others_of(c);
  return t->seen == (t->pairs == 0 ? n : t->pairs == 1 ? n * (n - 1) / 2 : n * (n - 1));
}

static void say_of_one(counting *c, term of, term_vector *out) {
  for (size_t s = 0; s < states_of(c); s++)
    VECTOR_PUSH(*out, term_or(c->ts, at_most(c, s, 0), counting_in_state(c, of, one_of(c), s)));
}

static void say_of_pairs(counting *c, term of, term_vector *out) {
  for (size_t s = 0; s < states_of(c); s++) {
    term with_first = counting_in_state(c, of, one_of(c), s);
    for (size_t u = 0; u < states_of(c); u++) {
      term with_both = counting_in_state(c, with_first, other_of(c), u);
      if (term_is_true(with_both)) continue;
      term nobody = s == u ? at_most(c, s, 1) : term_or(c->ts, at_most(c, s, 0), at_most(c, u, 0));
      VECTOR_PUSH(*out, term_or(c->ts, nobody, with_both));
    }
  }
}

static bool conjunct(counting *c, term t, templates *all, term_vector *out) {
  size_t copies[MOST_TOLD_APART];
  size_t count = copies_in(c, t, copies);
  if (!count) {
    VECTOR_PUSH(*out, t);
  } else if (count == 1) {
    substitution_clear(c->by);
    set_to_copy(c, copies[0], one_of(c));
    add_instance(all, substitution_apply(c->by, t), 0);
  } else if (count == 2) {
    add_pair(c, all, t, copies);
  } else {
    term with_counters;
    if (!counting_formula(c, t, &with_counters)) return false;
    VECTOR_PUSH(*out, with_counters);
  }
  return true;
}

static bool conjunction(counting *c, term t, term *out) {
  term_vector parts = {0}, made = {0};
  templates all = {0};
  bool fine = true;
  term_conjuncts(c->ts, t, &parts);
  for (size_t i = 0; i < parts.count && fine; i++) fine = conjunct(c, parts.at[i], &all, &made);
  for (size_t i = 0; i < all.count && fine; i++) {
    fine = is_complete(c, &all.at[i]) || fail(c);
    if (fine && all.at[i].pairs) say_of_pairs(c, all.at[i].of, &made);
    if (fine && !all.at[i].pairs) say_of_one(c, all.at[i].of, &made);
  }
  if (fine) *out = term_and_all(c->ts, made.count, made.at);
  VECTOR_FREE(parts);
  VECTOR_FREE(made);
  VECTOR_FREE(all);
  return fine;
}

/* ---- other formulas ---- */

static bool arguments(counting *c, term t, size_t count, term *out) {
  for (size_t i = 0; i < count; i++) {
    term part = term_argument(c->ts, t, i);
    bool is_formula = term_sort(c->ts, part) == SORT_BOOL;
    if (!(is_formula ? counting_formula : counting_value)(c, part, &out[i])) return false;
  }
  return true;
}

static bool positive_formula(counting *c, term t, term *out) {
  term parts[3];
  switch (term_kind_of(c->ts, t)) {
    case TERM_AND: return conjunction(c, t, out);
    case TERM_IFF:
      if (!arguments(c, t, 2, parts)) return false;
      *out = term_iff(c->ts, parts[0], parts[1]);
      return true;
    case TERM_BOOL_ITE:
      if (!arguments(c, t, 3, parts)) return false;
      *out = term_ite(c->ts, parts[0], parts[1], parts[2]);
      return true;
    case TERM_LE:
    case TERM_EQ:
      if (!arguments(c, t, 1, parts)) return false;
      *out = term_kind_of(c->ts, t) == TERM_LE ? term_le(c->ts, parts[0], term_int(c->ts, 0))
                                               : term_eq(c->ts, parts[0], term_int(c->ts, 0));
      return true;
    default: return fail(c);
  }
}

/* With one or two other copies alone, one part may speak of all of them. */
bool counting_formula(counting *c, term t, term *out) {
  size_t copies[MOST_TOLD_APART];
  size_t count = copies_in(c, t, copies);
  *out = t;
  if (!count) return true;
  term positive = term_positive(t);
  bool is_all = count == others_of(c) && count < MOST_TOLD_APART;
  bool fine = is_all ? conjunction(c, positive, out) : positive_formula(c, positive, out);
  if (!fine && is_all) {
    c->why = NULL;
    fine = positive_formula(c, positive, out);
  }
  if (fine && term_is_negated(t)) *out = term_not(*out);
  return fine;
}

/* ---- values ---- */

/* The leaf for every copy with this coefficient is one leaf for every local state. */
static bool sum_over_copies(counting *c, term leaf, number coefficient, size_t seen, term *sum) {
  if (seen != others_of(c)) return fail(c);
  for (size_t s = 0; s < states_of(c); s++) {
    number n;
    if (!term_is_number(c->ts, counting_in_state(c, leaf, one_of(c), s), &n)) return fail(c);
    *sum = term_add(c->ts, *sum, term_scale(c->ts, number_mul(n, coefficient), counting_number(c, s)));
  }
  return true;
}

typedef struct summand {
  term of;
  number coefficient;
  size_t seen;
} summand;
typedef VECTOR(summand) summands;

static void add_summand(summands *all, term of, number coefficient) {
  for (size_t i = 0; i < all->count; i++)
    if (term_same(all->at[i].of, of) && number_equal(all->at[i].coefficient, coefficient)) {
      all->at[i].seen++;
      return;
    }
  VECTOR_PUSH(*all, ((summand){of, coefficient, 1}));
}

static bool leaf_of_sum(counting *c, term leaf, number coefficient, summands *all, term *sum) {
  size_t copies[MOST_TOLD_APART];
  size_t count = copies_in(c, leaf, copies);
  term value = leaf, parts[3];
  if (count == 1) {
    substitution_clear(c->by);
    set_to_copy(c, copies[0], one_of(c));
    add_summand(all, substitution_apply(c->by, leaf), coefficient);
    return true;
  }
  if (count && term_kind_of(c->ts, leaf) != TERM_INT_ITE) return fail(c);
  if (count && !arguments(c, leaf, 3, parts)) return false;
  if (count) value = term_ite(c->ts, parts[0], parts[1], parts[2]);
  *sum = term_add(c->ts, *sum, term_scale(c->ts, coefficient, value));
  return true;
}

static bool sum_value(counting *c, term t, term *out) {
  linear l = term_linear(c->ts, t);
  VECTOR(summand) leaves = {0};
  summands all = {0};
  bool fine = true;
  *out = term_number(c->ts, l.constant);
  l = term_linear(c->ts, t);
  for (size_t i = 0; i < l.count; i++) VECTOR_PUSH(leaves, ((summand){l.leaves[i], l.coefficients[i], 1}));
  for (size_t i = 0; i < leaves.count && fine; i++)
    fine = leaf_of_sum(c, leaves.at[i].of, leaves.at[i].coefficient, &all, out);
  for (size_t i = 0; i < all.count && fine; i++)
    fine = sum_over_copies(c, all.at[i].of, all.at[i].coefficient, all.at[i].seen, out);
  VECTOR_FREE(leaves);
  VECTOR_FREE(all);
  return fine;
}

bool counting_value(counting *c, term t, term *out) {
  *out = t;
  if (!counting_speaks_of_copies(c, t)) return true;
  if (term_sort(c->ts, t) == SORT_BOOL) return counting_formula(c, t, out);
  return term_sort(c->ts, t) == SORT_INT ? sum_value(c, t, out) : fail(c);
}
