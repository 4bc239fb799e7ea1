/* What can be said of predicates by looking at which leads to which. */
#include "input/chc/lower.h"

/* The query, or clause with a forbidden head, forbids its body whatever the arguments are. */
static bool forbids_body(const chc_lowering *l, const clause *c) {
  if (!c->body.count || !term_is_true(c->constraint)) return false;
  const term_vector *arguments = &c->body.at[0].arguments;
  for (size_t i = 0; i < arguments->count; i++) {
    term t = arguments->at[i];
    term_kind kind = term_kind_of(l->ts, t);
    bool is_variable = kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE || kind == TERM_REAL_VARIABLE;
    variable parameter = l->clauses->predicates.at[lower_body(c)].parameters.at[i];
    if (term_is_negated(t) || !is_variable || term_sort(l->ts, t) != variable_type(l->ts, parameter)->sort)
      return false;
    for (size_t j = 0; j < i; j++)
      if (term_same(arguments->at[j], t)) return false;
  }
  return true;
}

static bool is_forbidden(const chc_lowering *l, uint32_t head) { return head == NO_PREDICATE || l->forbidden.at[head]; }

/* Temporal properties are about everything that can be reached. */
static bool has_temporal(const chc_lowering *l) {
  for (size_t i = 0; i < l->model->properties.count; i++)
    if (property_is_temporal(&l->model->properties.at[i])) return true;
  return false;
}

/* With several properties no predicate is forbidden for all of them. */
static void find_forbidden(chc_lowering *l) {
  bool changed = l->model->properties.count == 1 && !has_temporal(l);
  while (changed) {
    changed = false;
    for (size_t i = 0; i < l->clauses->clauses.count; i++) {
      const clause *c = &l->clauses->clauses.at[i];
      if (!is_forbidden(l, c->head) || !forbids_body(l, c) || l->forbidden.at[lower_body(c)]) continue;
      l->forbidden.at[lower_body(c)] = changed = true;
    }
  }
}

/* Marks what can be reached along clauses, from the facts or, backwards, from the queries. */
static void mark(const chc_lowering *l, bool backwards, bool *reached) {
  size_t count = l->clauses->clauses.count;
  VECTOR(uint32_t) pending = {0};
  VECTOR(uint32_t) next = {0}, first = {0}; /* lists of clauses by the predicate they lead on from */
  for (size_t i = 0; i < l->clauses->predicates.count; i++) VECTOR_PUSH(first, UINT32_MAX);
  for (size_t i = 0; i < count; i++) {
    const clause *c = &l->clauses->clauses.at[i];
    uint32_t source = backwards ? c->head : lower_body(c), target = backwards ? lower_body(c) : c->head;
    VECTOR_PUSH(next, UINT32_MAX);
    if (source != NO_PREDICATE) {
      next.at[i] = first.at[source];
      first.at[source] = (uint32_t)i;
    } else if (target != NO_PREDICATE && !reached[target] && !term_is_false(c->constraint)) {
      reached[target] = true;
      VECTOR_PUSH(pending, target);
    }
  }
  while (pending.count) {
    uint32_t predicate = VECTOR_POP(pending);
    for (uint32_t i = first.at[predicate]; i != UINT32_MAX; i = next.at[i]) {
      const clause *c = &l->clauses->clauses.at[i];
      uint32_t target = backwards ? lower_body(c) : c->head;
      if (target == NO_PREDICATE || reached[target] || term_is_false(c->constraint)) continue;
      reached[target] = true;
      VECTOR_PUSH(pending, target);
    }
  }
  VECTOR_FREE(pending);
  VECTOR_FREE(next);
  VECTOR_FREE(first);
}

void lower_predicate_meanings(chc_lowering *l) {
  size_t count = l->clauses->predicates.count;
  bool *from_facts = MEMORY_ARRAY(bool, count + 1), *to_queries = MEMORY_ARRAY(bool, count + 1);
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(l->forbidden, false);
  find_forbidden(l);
  mark(l, false, from_facts);
  mark(l, true, to_queries);
  for (size_t i = 0; i < count && has_temporal(l); i++) to_queries[i] = true;
  for (size_t i = 0; i < count; i++) {
    predicate_meaning f = l->forbidden.at[i] || !from_facts[i] ? MEANING_FALSE
                          : !to_queries[i]                     ? MEANING_TRUE
                                                               : MEANING_PLACE;
    VECTOR_PUSH(l->meanings, f);
    VECTOR_PUSH(l->clauses->otherwise, term_of_bool(f == MEANING_TRUE));
  }
  memory_free(from_facts);
  memory_free(to_queries);
}
