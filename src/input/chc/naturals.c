/* Parameters that are never negative: the largest set such that facts begin there and cases stay there, as far as
 * intervals can show. They become the type of state variables, and spare engines and guards the trouble of finding out.
 */
#include "input/chc/lower.h"
#include "term/bounds.h"

/* Reading stays quick: beyond so many questions nothing is assumed. */
enum { MOST_QUESTIONS = 100000 };

static term not_negative(terms *ts, term t) { return term_ge(ts, t, term_int(ts, 0)); }

static void known_at(chc_lowering *l, const clause_case *c, term_vector *facts) {
  VECTOR_PUSH(*facts, c->guard);
  if (c->from == NO_PREDICATE) return;
  const variable_vector *parameters = &l->clauses->predicates.at[c->from].parameters;
  for (size_t i = 0; i < parameters->count; i++)
    if (bits_has(&l->natural.at[c->from], i))
      VECTOR_PUSH(*facts, not_negative(l->ts, term_of_variable(l->ts, parameters->at[i])));
}

/* True if something was given up. */
static bool narrow(chc_lowering *l, const clause_case *c) {
  bits *to = &l->natural.at[c->to];
  bool changed = false;
  term_vector facts = {0};
  known_at(l, c, &facts);
  for (size_t i = 0; i < to->size; i++) {
    if (!bits_has(to, i)) continue;
    term stays = term_simplify_under(l->ts, not_negative(l->ts, c->values.at[i]), facts.count, facts.at);
    if (term_is_true(stays)) continue;
    bits_remove(to, i);
    changed = true;
  }
  VECTOR_FREE(facts);
  return changed;
}

static size_t questions(const chc_lowering *l) {
  size_t count = 0;
  for (size_t i = 0; i < l->cases.count; i++) count += l->cases.at[i].values.count;
  return count;
}

void lower_naturals(chc_lowering *l) {
  bool too_many = questions(l) > MOST_QUESTIONS;
  for (size_t i = 0; i < l->clauses->predicates.count; i++) {
    const variable_vector *parameters = &l->clauses->predicates.at[i].parameters;
    bits all = bits_new(parameters->count);
    for (size_t j = 0; j < parameters->count; j++)
      if (!too_many && variable_type(l->ts, parameters->at[j])->sort == SORT_INT) bits_add(&all, j);
    VECTOR_PUSH(l->natural, all);
  }
  for (bool changed = !too_many; changed;) {
    changed = false;
    for (size_t i = 0; i < l->cases.count; i++)
      if (l->cases.at[i].to != NO_PREDICATE) changed |= narrow(l, &l->cases.at[i]);
  }
}
