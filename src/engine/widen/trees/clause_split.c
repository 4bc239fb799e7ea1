/* A model of the formula, the literals that make it true there, without booleans that nobody asks for; then a model outside of those; until there
 * is none. Unlike a case for each way through the formula's connectives, none of these is empty. */
#include "engine/widen/trees/clause_split.h"

#include "engine/project.h"

enum { MOST_PARTS = 500 };

static bool is_conjunction(const terms *ts, term formula) {
  term_vector parts = {0};
  bool yes = true;
  term_conjuncts(ts, formula, &parts);
  for (size_t i = 0; i < parts.count && yes; i++) yes = term_is_atom(ts, parts.at[i]);
  VECTOR_FREE(parts);
  return yes;
}

/* The booleans that are not kept. */
static void find_gone(const terms *ts, const variable_vector *all, const variable_vector *kept, variable_vector *out) {
  for (size_t i = 0; i < all->count; i++) {
    bool is_kept = variable_type(ts, all->at[i])->sort != SORT_BOOL;
    for (size_t j = 0; j < kept->count && !is_kept; j++) is_kept = variable_same(all->at[i], kept->at[j]);
    if (!is_kept) VECTOR_PUSH(*out, all->at[i]);
  }
}

/* One more part, around the model that the solver has. */
static bool add_part(terms *ts, solver *s, term formula, const variable_vector *all, const variable_vector *gone,
                     term_vector *out) {
  number *values = MEMORY_ARRAY(number, variable_count(ts) + 1);
  term_vector literals = {0};
  for (size_t i = 0; i < all->count; i++) values[all->at[i].x] = solver_value(s, all->at[i]);
  bool fine = project(ts, formula, gone->count, gone->at, values, &literals);
  if (fine) VECTOR_PUSH(*out, term_and_all(ts, literals.count, literals.at));
  if (fine) solver_assert(s, term_not(VECTOR_LAST(*out)));
  VECTOR_FREE(literals);
  memory_free(values);
  return fine;
}

const char *clause_split(terms *ts, budget *b, term formula, const variable_vector *kept, term_vector *out) {
  if (is_conjunction(ts, formula)) {
    VECTOR_PUSH(*out, formula);
    return NULL;
  }
  const char *why = NULL;
  variable_vector all = {0}, gone = {0};
  solver *s = solver_new(ts, b);
  term_variables(ts, 1, &formula, &all);
  find_gone(ts, &all, kept, &gone);
  solver_assert(s, formula);
  while (!why) {
    answer a = solver_check(s, 0);
    if (answer_is_no(a)) break;
    if (answer_is_unsure(a))
      why = "the cases of a clause could not be found";
    else if (out->count >= MOST_PARTS)
      why = "too many cases in a clause";
    else if (!add_part(ts, s, formula, &all, &gone, out))
      why = "a case of a clause is not what was asked for";
  }
  solver_free(s);
  VECTOR_FREE(all);
  VECTOR_FREE(gone);
  return why;
}
