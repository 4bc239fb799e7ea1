/* Types as formulas, and the elimination of inputs.
 *
 * Elimination is by test points. A finite input is tried with each of its values. For an integer input v, a condition
 * made of linear atoms in v changes its truth only if an atom c*v + r <= 0 or c*v + r = 0 does, next to floor(-r /
 * c); so if it holds for some v within the type, it holds for one of: floor(-r / c) + {-1, 0, 1} for some atom, an end
 * of the type, or (nothing else bounding v) any value at all.
 *
 * For a real input the truth changes only at -r / c, next to which there are other values: it holds at such a point,
 * between two of them, or beyond all. */
#include "proof/type_and_input_conditions.h"

#include "term/substitute.h"

/* At most this many values of one finite input, and this many instances of a condition in all. */
enum { CHOICES = 256, INSTANCES = 4096 };

term condition_within(terms *ts, const type *t, term value) {
  if (t->sort != SORT_INT) return TERM_TRUE;
  term low = t->has_low ? term_ge(ts, value, term_number(ts, t->low)) : TERM_TRUE;
  term high = t->has_high ? term_le(ts, value, term_number(ts, t->high)) : TERM_TRUE;
  return term_and(ts, low, high);
}

static term all_of(terms *ts, term_vector *parts) {
  term result = term_and_all(ts, parts->count, parts->at);
  VECTOR_FREE(*parts);
  return result;
}

term condition_types(const model *m) {
  term_vector parts = {0};
  for (size_t i = 0; i < m->variables.count; i++)
    VECTOR_PUSH(parts, variable_in_type(m->terms, m->variables.at[i].var));
  return all_of(m->terms, &parts);
}

term condition_input_types(const model *m, const transition *t) {
  term_vector parts = {0};
  for (size_t i = 0; i < t->inputs.count; i++) VECTOR_PUSH(parts, variable_in_type(m->terms, t->inputs.at[i]));
  return all_of(m->terms, &parts);
}

term condition_types_after(const model *m, const transition *t) {
  term_vector parts = {0};
  for (size_t i = 0; i < t->updates.count; i++) {
    const update *u = &t->updates.at[i];
    VECTOR_PUSH(parts, condition_within(m->terms, variable_type(m->terms, u->var), u->value));
  }
  return all_of(m->terms, &parts);
}

/* ---- inputs ---- */

typedef struct elimination {
  terms *ts;
  substitution *substitution;
  size_t instances; /* so far */
  bool exact;
} elimination;

/* floor(-r / c) if `sum` is c*v + r, or -r / c if v is real; false if v also stands inside r, and for an integer v if r is
 * real. */
static bool turning_point(terms *ts, term sum, variable v, term *out) {
  bool is_real = variable_type(ts, v)->sort == SORT_REAL;
  term leaf = term_of_variable(ts, v);
  linear l = term_linear(ts, sum);
  number c = number_of(0);
  for (size_t i = 0; i < l.count; i++)
    if (term_same(l.leaves[i], leaf)) c = l.coefficients[i];
  term rest = term_sub(ts, sum, term_scale(ts, c, leaf));
  if (number_is(c, 0) || term_mentions(ts, rest, v)) return false;
  if (is_real) {
    *out = term_scale(ts, number_quotient(number_of(-1), c), rest);
    return true;
  }
  if (term_sort(ts, rest) == SORT_REAL) return false;
  term above = number_sign(c) > 0 ? term_negate(ts, rest) : rest;
  *out = term_div(ts, above, term_number(ts, number_abs(c)));
  return true;
}

static void add_turning_points(elimination *e, term t, variable v, term_vector *points) {
  terms *ts = e->ts;
  term_vector atoms = {0};
  term_atoms(ts, t, &atoms);
  for (size_t i = 0; i < atoms.count; i++) {
    if (!term_mentions(ts, atoms.at[i], v)) continue;
    term at;
    if (turning_point(ts, term_argument(ts, atoms.at[i], 0), v, &at))
      VECTOR_PUSH(*points, at);
    else
      e->exact = false;
  }
  VECTOR_FREE(atoms);
}

/* Next to each point; of reals, between each two. */
static void add_neighbours(terms *ts, bool is_real, term_vector *points) {
  size_t count = points->count;
  number half = number_quotient(number_of(1), number_of(2));
  for (size_t i = 0; i < count; i++) {
    VECTOR_PUSH(*points, term_sub(ts, points->at[i], term_int(ts, 1)));
    VECTOR_PUSH(*points, term_add(ts, points->at[i], term_int(ts, 1)));
    for (size_t j = 0; is_real && j < i; j++)
      VECTOR_PUSH(*points, term_scale(ts, half, term_add(ts, points->at[i], points->at[j])));
  }
}

static void add_every_value(terms *ts, const type *of, term_vector *points) {
  if (of->sort == SORT_BOOL) {
    VECTOR_PUSH(*points, TERM_FALSE);
    VECTOR_PUSH(*points, TERM_TRUE);
    return;
  }
  for (number n = of->low; number_compare(n, of->high) <= 0; n = number_add(n, number_of(1)))
    VECTOR_PUSH(*points, term_number(ts, n));
}

static void find_points(elimination *e, term t, variable v, term_vector *points) {
  const type *of = variable_type(e->ts, v);
  if (type_is_finite(of) && type_size(of, CHOICES + 1) <= CHOICES) {
    add_every_value(e->ts, of, points);
    return;
  }
  add_turning_points(e, t, v, points);
  add_neighbours(e->ts, of->sort == SORT_REAL, points);
  if (of->has_low) VECTOR_PUSH(*points, term_number(e->ts, of->low));
  if (of->has_high) VECTOR_PUSH(*points, term_number(e->ts, of->high));
  if (!points->count) VECTOR_PUSH(*points, term_int(e->ts, 0));
}

static bool type_is_empty(const type *t) { return t->has_low && t->has_high && number_compare(t->low, t->high) > 0; }

static term eliminate(elimination *e, term t, variable v) {
  const type *of = variable_type(e->ts, v);
  if (type_is_empty(of)) return TERM_FALSE;
  if (!term_mentions(e->ts, t, v)) return t;
  term_vector points = {0}, cases = {0};
  find_points(e, t, v, &points);
  for (size_t i = 0; i < points.count; i++) {
    if (++e->instances > INSTANCES) {
      e->exact = false;
      break;
    }
    substitution_clear(e->substitution);
    substitution_set(e->substitution, v, points.at[i]);
    term one = substitution_apply(e->substitution, t);
    VECTOR_PUSH(cases, term_and(e->ts, condition_within(e->ts, of, points.at[i]), one));
  }
  term result = term_or_all(e->ts, cases.count, cases.at);
  VECTOR_FREE(points);
  VECTOR_FREE(cases);
  return result;
}

term condition_for_some(terms *ts, term t, size_t count, const variable *inputs, bool *exact) {
  elimination e = {.ts = ts, .substitution = substitution_new(ts), .exact = true};
  for (size_t i = 0; i < count; i++) t = eliminate(&e, t, inputs[i]);
  substitution_free(e.substitution);
  if (!e.exact) *exact = false;
  return t;
}

term condition_can_be_taken(const model *m, const transition *t, bool *exact) {
  return condition_for_some(m->terms, transition_enabled(m, t), t->inputs.count, t->inputs.at, exact);
}
