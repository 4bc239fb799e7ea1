/* What the abstraction of a pair of cells distinguishes. */
#include "engine/cells/pairs/pairs.h"

enum { MOST_ATOMS = 64, MOST_NUMBERS = 8 };

/* A number of the relation: an argument, an element of a cell, or the index of one. */
typedef struct pair_value {
  term value;
  uint32_t class;
  bool is_index;
} pair_value;

typedef struct pair_words {
  const cell_problem *cells;
  terms *ts;
  term_classes *classes;
  const clause_predicate *predicate;
  const cell_predicate *of;
  VECTOR(pair_value) values;
  term_vector *out;
} pair_words;

static void add_atom(pair_words *w, term t) {
  t = term_positive(t);
  if (term_is_true(t) || term_is_false(t) || w->out->count >= MOST_ATOMS) return;
  for (size_t i = 0; i < w->out->count; i++)
    if (term_same(w->out->at[i], t)) return;
  VECTOR_PUSH(*w->out, t);
}

static void add_value(pair_words *w, term value, uint32_t class, bool is_index) {
  if (term_sort(w->ts, value) == SORT_BOOL)
    add_atom(w, value);
  else if (term_sort(w->ts, value) == SORT_INT)
    VECTOR_PUSH(w->values, ((pair_value){value, class, is_index}));
}

static void find_values(pair_words *w) {
  const variable_vector *parameters = &w->predicate->parameters;
  size_t places = w->of->places.count;
  for (size_t i = 0; i < w->of->scalars.count; i++) {
    variable v = parameters->at[w->of->scalars.at[i]];
    add_value(w, term_of_variable(w->ts, v), term_classes_of(w->classes, v, CLASS_OF_VALUE), false);
  }
  for (size_t i = 0; i < w->of->values.count; i++) {
    variable array = parameters->at[w->of->places.at[i % places].parameter];
    add_value(w, term_of_variable(w->ts, w->of->values.at[i]), term_classes_of(w->classes, array, CLASS_OF_ELEMENT),
              false);
  }
  for (size_t i = 0; i < w->cells->count && w->of->arrays.count; i++) {
    variable array = parameters->at[w->of->arrays.at[0]];
    add_value(w, term_of_variable(w->ts, w->cells->indices.at[i]), term_classes_of(w->classes, array, CLASS_OF_INDEX),
              true);
  }
}

/* How two values of one class are related; of an index and something else, only whether it is at most that. */
static void compare(pair_words *w, const pair_value *a, const pair_value *b) {
  terms *ts = w->ts;
  if (a->is_index != b->is_index)
    add_atom(w, a->is_index ? term_le(ts, a->value, b->value) : term_le(ts, b->value, a->value));
  else if (a->is_index || term_classes_is_ordered(w->classes, a->class)) {
    add_atom(w, term_le(ts, a->value, b->value));
    add_atom(w, term_le(ts, b->value, a->value));
  } else
    add_atom(w, term_eq(ts, a->value, b->value));
}

static void compare_with_numbers(pair_words *w, const pair_value *a) {
  terms *ts = w->ts;
  number_vector found = {0};
  term_classes_numbers(w->classes, a->class, &found);
  for (size_t i = 0; i < found.count && i < MOST_NUMBERS; i++) {
    if (!number_is_integer(found.at[i])) continue;
    term n = term_number(ts, found.at[i]);
    if (a->is_index) /* where the range of an array ends */
      add_atom(w, term_le(ts, a->value, n));
    else if (term_classes_is_ordered(w->classes, a->class)) {
      add_atom(w, term_le(ts, a->value, n));
      add_atom(w, term_ge(ts, a->value, n));
    } else
      add_atom(w, term_eq(ts, a->value, n));
  }
  VECTOR_FREE(found);
}

void pair_atoms(const cell_problem *c, term_classes *k, uint32_t predicate, term_vector *out) {
  pair_words w = {.cells = c, .ts = c->ts, .classes = k, .out = out};
  w.predicate = &c->env->model->clauses->predicates.at[predicate];
  w.of = &c->predicates.at[predicate];
  find_values(&w);
  for (size_t i = 0; i < w.values.count; i++) {
    for (size_t j = 0; j < i; j++)
      if (w.values.at[i].class == w.values.at[j].class) compare(&w, &w.values.at[i], &w.values.at[j]);
    compare_with_numbers(&w, &w.values.at[i]);
  }
  VECTOR_FREE(w.values);
}
