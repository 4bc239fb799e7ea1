/* Atoms of guards and of the property, and what weakest preconditions make of them. */
#include "predicate/first_predicates.h"

/* Weakest preconditions are followed atom by atom; more atoms than this are not collected. */
enum { MOST_INITIAL = 200 };

/* Whether the atom splits the states at all, under the facts and the types. */
static bool tells_apart(allsat *a, term atom) {
  return !answer_is_no(allsat_satisfiable(a, atom)) && !answer_is_no(allsat_satisfiable(a, term_not(atom)));
}

static bool has(const term_vector *all, term t) {
  for (size_t i = 0; i < all->count; i++)
    if (term_same(all->at[i], t)) return true;
  return false;
}

size_t first_predicates_add(const predicate_model *s, allsat *a, term t, term_vector *out) {
  term_vector atoms = {0};
  size_t before = out->count;
  predicate_model_data_atoms(s, predicate_model_prepare(s, t), &atoms);
  for (size_t i = 0; i < atoms.count; i++)
    if (!has(out, atoms.at[i]) && predicate_model_is_of_state(s, atoms.at[i]) && tells_apart(a, atoms.at[i]))
      VECTOR_PUSH(*out, atoms.at[i]);
  VECTOR_FREE(atoms);
  return out->count - before;
}

/* The property's atoms, then those that they become by each action, and so on. The guards of the actions are in the
 * weakest preconditions too. */
static void add_preconditions(const predicate_model *s, allsat *a, seeds_choice choice, term_vector *out) {
  term_vector level = {0}, next = {0};
  VECTOR_PUSH(level, s->bad);
  for (size_t depth = 0; depth < choice.depth && out->count < MOST_INITIAL; depth++) {
    VECTOR_CLEAR(next);
    for (size_t i = 0; i < s->actions.count; i++) {
      const predicate_action *action = &s->actions.at[i];
      for (size_t j = 0; j < level.count; j++) {
        term after = predicate_model_after(s, action, level.at[j]);
        if (term_same(after, level.at[j])) continue;
        first_predicates_add(s, a, after, out);
        if (!choice.no_guards) first_predicates_add(s, a, action->enabled, out);
        term before = choice.no_guards ? after : term_and(s->ts, action->enabled, after);
        if (!has(&next, before)) VECTOR_PUSH(next, before);
      }
    }
    VECTOR_CLEAR(level);
    for (size_t i = 0; i < next.count && i < MOST_INITIAL; i++) VECTOR_PUSH(level, next.at[i]);
  }
  VECTOR_FREE(level);
  VECTOR_FREE(next);
}

void first_predicates_initial(const predicate_model *s, allsat *a, seeds_choice choice, term_vector *out) {
  for (size_t i = 0; i < s->model->predicates.count; i++) first_predicates_add(s, a, s->model->predicates.at[i], out);
  first_predicates_add(s, a, s->bad, out);
  add_preconditions(s, a, choice, out);
  first_predicates_add(s, a, s->init, out);
  for (size_t i = 0; i < s->actions.count && !choice.no_guards; i++)
    first_predicates_add(s, a, s->actions.at[i].enabled, out);
}
