/* A model of the formula, the literals that make it true there, without booleans that nobody asks for; then a model outside of those. Unlike a
 * case for each way through the formula's connectives, none of these is empty. */
#include "engine/widen/trees/clause_split.h"

#include "engine/project.h"

struct clause_split {
  terms *ts;
  term formula;
  solver *solver;
  variable_vector all, gone;
};

/* The booleans that are not kept. */
static void find_gone(clause_split *s, const variable_vector *kept) {
  for (size_t i = 0; i < s->all.count; i++) {
    bool is_kept = variable_type(s->ts, s->all.at[i])->sort != SORT_BOOL;
    for (size_t j = 0; j < kept->count && !is_kept; j++) is_kept = variable_same(s->all.at[i], kept->at[j]);
    if (!is_kept) VECTOR_PUSH(s->gone, s->all.at[i]);
  }
}

clause_split *clause_split_new(terms *ts, budget *b, term formula, const variable_vector *kept) {
  clause_split *s = MEMORY_NEW(clause_split);
  *s = (clause_split){.ts = ts, .formula = formula, .solver = solver_new(ts, b)};
  term_variables(ts, 1, &formula, &s->all);
  find_gone(s, kept);
  solver_assert(s->solver, formula);
  return s;
}

void clause_split_free(clause_split *s) {
  if (!s) return;
  solver_free(s->solver);
  VECTOR_FREE(s->all);
  VECTOR_FREE(s->gone);
  memory_free(s);
}

static bool has_choice(const terms *ts, term formula) {
  index_vector all = {0};
  bool found = false;
  terms_cone(ts, 1, &formula, &all);
  for (size_t i = 0; i < all.count && !found; i++) found = term_kind_of(ts, (term){2 * all.at[i]}) == TERM_INT_ITE;
  VECTOR_FREE(all);
  return found;
}

bool clause_split_is_needed(const terms *ts, term formula) {
  term_vector parts = {0};
  bool needed = has_choice(ts, formula);
  term_conjuncts(ts, formula, &parts);
  for (size_t i = 0; i < parts.count && !needed; i++) needed = !term_is_atom(ts, parts.at[i]);
  VECTOR_FREE(parts);
  return needed;
}

/* The part around the model that the solver has. */
static bool part_of_model(clause_split *s, term *part) {
  number *values = MEMORY_ARRAY(number, variable_count(s->ts) + 1);
  term_vector literals = {0};
  for (size_t i = 0; i < s->all.count; i++) values[s->all.at[i].x] = solver_value(s->solver, s->all.at[i]);
  bool fine = project(s->ts, s->formula, s->gone.count, s->gone.at, values, &literals);
  if (fine) *part = term_and_all(s->ts, literals.count, literals.at);
  VECTOR_FREE(literals);
  memory_free(values);
  return fine;
}

answer clause_split_next(clause_split *s, term among, term *part) {
  solver_push(s->solver);
  solver_assert(s->solver, among);
  answer a = solver_check(s->solver, 0);
  if (answer_is_yes(a) && !part_of_model(s, part)) a = answer_unsure("");
  solver_pop(s->solver);
  if (answer_is_yes(a)) solver_assert(s->solver, term_not(*part));
  return answer_is_unsure(a) ? answer_unsure("the cases of a clause could not be found") : a;
}
