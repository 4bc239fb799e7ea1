/* A number is large if no one would unroll a loop so often. Limits of types are left as they are. Others that are near a
 * small multiple of a number that has a variable are said by that variable; those that are much smaller than the largest
 * are left, for they are mostly values of elements, not lengths. */
#include "engine/cells/constants.h"

#include <stdlib.h>

#include "term/fold.h"
#include "term/substitute.h"

enum {
  LEAST_LARGE = 20,
  LARGEST_FACTOR = 3,
  LARGEST_DISTANCE = 4,
  MOST_NUMBERS = 3,
  LEAST_VALUE = 5,
  SMALLEST_PART = 16
};

typedef struct generaliser {
  terms *ts;
  general_numbers *numbers;
  term_fold fold;
} generaliser;

/* ---- which ---- */

static bool is_limit_of_type(number n) {
  static const unsigned widths[] = {7, 8, 15, 16, 31, 32, 63, 64, 70, 127};
  for (size_t i = 0; i < ARRAY_LENGTH(widths); i++) {
    number power = number_of(1), distance;
    for (unsigned j = 0; j < widths[i]; j++) power = number_add(power, power);
    distance = number_abs(number_sub(n, power));
    if (number_compare(distance, number_of(2)) <= 0) return true;
  }
  return false;
}

static bool is_large(number n) {
  return number_compare(number_abs(n), number_of(LEAST_LARGE)) >= 0 && !is_limit_of_type(number_abs(n));
}

/* n = factor * value + distance of one of the variables. */
static bool find_multiple(const generaliser *g, number n, size_t *which, int64_t *factor, int64_t *distance) {
  for (size_t i = 0; i < g->numbers->count; i++)
    for (int64_t f = 1; f <= LARGEST_FACTOR; f++) {
      number rest = number_sub(n, number_mul(number_of(f), g->numbers->at[i].value));
      if (number_compare(number_abs(rest), number_of(LARGEST_DISTANCE)) > 0 || !number_to_int64(rest, distance))
        continue;
      *which = i;
      *factor = f;
      return true;
    }
  return false;
}

static void add_number(generaliser *g, number n) {
  size_t which;
  int64_t factor, distance;
  type integer = {.sort = SORT_INT};
  if (g->numbers->count >= MOST_NUMBERS || find_multiple(g, n, &which, &factor, &distance)) return;
  general_number made = {.value = n};
  made.parameter = variable_fresh(g->ts, "large", &integer);
  made.inside = variable_fresh(g->ts, "large!", &integer);
  VECTOR_PUSH(*g->numbers, made);
}

static int by_value(const void *a, const void *b) { return number_compare(*(const number *)a, *(const number *)b); }

/* Smaller ones first, so that the larger ones are multiples. */
static void find_numbers(generaliser *g, const clauses *from) {
  term_vector roots = {0};
  index_vector cone = {0};
  VECTOR(number) found = {0};
  for (size_t i = 0; i < from->clauses.count; i++) clause_terms(&from->clauses.at[i], &roots);
  terms_cone(g->ts, roots.count, roots.at, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    term t = {cone.at[i] << 1};
    if (term_kind_of(g->ts, t) != TERM_SUM || term_sort(g->ts, t) != SORT_INT) continue;
    if (is_large(term_constant(g->ts, t))) VECTOR_PUSH(found, number_abs(term_constant(g->ts, t)));
  }
  if (found.count) qsort(found.at, found.count, sizeof *found.at, by_value);
  for (size_t i = 0; i < found.count; i++)
    if (number_compare(number_mul(found.at[i], number_of(SMALLEST_PART)), VECTOR_LAST(found)) >= 0)
      add_number(g, found.at[i]);
  VECTOR_FREE(found);
  VECTOR_FREE(cone);
  VECTOR_FREE(roots);
}

/* ---- terms ---- */

static void generalise(const term_fold *f, term t, void *out) {
  const generaliser *g = f->context;
  term made = fold_rebuilt(f, g->ts, t);
  size_t which;
  int64_t factor, distance;
  if (term_kind_of(g->ts, t) == TERM_SUM && term_sort(g->ts, t) == SORT_INT && is_large(term_constant(g->ts, t))) {
    number n = term_constant(g->ts, t), size = number_abs(n);
    if (find_multiple(g, size, &which, &factor, &distance)) {
      term variable = term_of_variable(g->ts, g->numbers->at[which].inside);
      term by = term_add(g->ts, term_scale(g->ts, number_of(factor), variable), term_int(g->ts, distance));
      if (number_sign(n) < 0) by = term_negate(g->ts, by);
      made = term_add(g->ts, term_sub(g->ts, made, term_number(g->ts, n)), by);
    }
  }
  *(term *)out = made;
}

static term generalised(generaliser *g, term t) {
  term_fold_value(&g->fold, t);
  return fold_term(&g->fold, t);
}

/* ---- clauses ---- */

/* They are of the order that they have, and none is small. */
static term what_is_known(generaliser *g) {
  term known = TERM_TRUE, before = term_int(g->ts, LEAST_VALUE);
  for (size_t i = 0; i < g->numbers->count; i++) {
    term now = term_of_variable(g->ts, g->numbers->at[i].inside);
    known = term_and(g->ts, known, term_gt(g->ts, now, before));
    before = now;
  }
  return known;
}

/* None is larger than the number that it stands for. This is said in every clause, so that nobody has to find it out. */
static term upper_bounds(generaliser *g) {
  term known = TERM_TRUE;
  for (size_t i = 0; i < g->numbers->count; i++) {
    term now = term_of_variable(g->ts, g->numbers->at[i].inside);
    known = term_and(g->ts, known, term_le(g->ts, now, term_number(g->ts, g->numbers->at[i].value)));
  }
  return known;
}

static void add_arguments(const generaliser *g, term_vector *out) {
  for (size_t i = 0; i < g->numbers->count; i++) VECTOR_PUSH(*out, term_of_variable(g->ts, g->numbers->at[i].inside));
}

static clause generalised_clause(generaliser *g, const clause *from) {
  clause made = {.head = from->head,
                 .property = from->property,
                 .has_constants = from->has_constants,
                 .place = from->place,
                 .constraint = generalised(g, from->constraint)};
  if (!from->body.count) made.constraint = term_and(g->ts, made.constraint, what_is_known(g));
  made.constraint = term_and(g->ts, made.constraint, upper_bounds(g));
  for (size_t i = 0; i < from->body.count; i++) {
    term_vector arguments = {0};
    for (size_t j = 0; j < from->body.at[i].arguments.count; j++)
      VECTOR_PUSH(arguments, generalised(g, from->body.at[i].arguments.at[j]));
    add_arguments(g, &arguments);
    clause_add_body(&made, from->body.at[i].predicate, arguments.count, arguments.at);
    VECTOR_FREE(arguments);
  }
  for (size_t i = 0; i < from->head_arguments.count; i++)
    VECTOR_PUSH(made.head_arguments, generalised(g, from->head_arguments.at[i]));
  if (from->head != NO_PREDICATE) add_arguments(g, &made.head_arguments);
  clause_find_variables(g->ts, &made);
  return made;
}

static clause_predicate with_numbers(const generaliser *g, const clause_predicate *from) {
  clause_predicate made = {.name = from->name, .place = from->place};
  VECTOR_COPY(made.parameters, from->parameters);
  for (size_t i = 0; i < g->numbers->count; i++) VECTOR_PUSH(made.parameters, g->numbers->at[i].parameter);
  return made;
}

clauses *clauses_generalise(terms *ts, const clauses *from, general_numbers *numbers) {
  generaliser g = {.ts = ts, .numbers = numbers};
  find_numbers(&g, from);
  if (!numbers->count) return NULL;
  clauses *made = horn_clauses_new();
  made->is_horn = made->are_trees = true;
  made->have_arrays = from->have_arrays;
  g.fold = (term_fold){.ts = ts, .size = sizeof(term), .rule = generalise, .context = &g};
  for (size_t i = 0; i < from->predicates.count; i++)
    VECTOR_PUSH(made->predicates, with_numbers(&g, &from->predicates.at[i]));
  for (size_t i = 0; i < from->clauses.count; i++) {
    clause one = generalised_clause(&g, &from->clauses.at[i]);
    VECTOR_PUSH(made->clauses, one);
  }
  term_fold_close(&g.fold);
  return made;
}

term general_formula_back(terms *ts, const general_numbers *numbers, term formula) {
  substitution *s = substitution_new(ts);
  for (size_t i = 0; i < numbers->count; i++)
    substitution_set(s, numbers->at[i].parameter, term_number(ts, numbers->at[i].value));
  term made = substitution_apply(s, formula);
  substitution_free(s);
  return made;
}
