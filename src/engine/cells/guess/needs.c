/* What a proof needs of the formulas that are inductive: the queries first, then what leads to that, by the solver's cores.
 * Proofs are then short enough to read, and quick to check. */
#include "engine/cells/guess/inside.h"

/* Guesses and lemmas of all predicates go by numbers: `first` of a predicate is that of its first guess; its lemmas
 * follow. */
typedef struct needs {
  VECTOR(uint32_t) first;
  VECTOR(bool) is_needed, is_done;
} needs;

/* Of the atom, by number from `first` on; of a lemma, for each cell of the atom. */
static void assert_named(guess_run *r, const needs *n, const horn_atom *a) {
  const guesses *g = &r->of[a->relation];
  size_t lemmas = r->lemmas.at[a->relation].count;
  uint32_t first = n->first.at[a->relation];
  term_vector parts = {0};
  guess_instances(r, a, &parts);
  if (lemmas) guess_lemma_instances(r, a, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    size_t of_lemma = i < g->list.count ? i : g->list.count + (i - g->list.count) % lemmas;
    solver_assert_named(r->solver, parts.at[i], first + (uint32_t)of_lemma);
  }
  VECTOR_FREE(parts);
}

/* What is needed of the head and was not looked at so far; of lemmas at its first cell. */
static term new_needs(guess_run *r, const needs *n, const horn_atom *head) {
  size_t count = r->of[head->relation].list.count + r->lemmas.at[head->relation].count;
  term_vector parts = {0}, needed = {0};
  guess_instances(r, head, &parts);
  if (r->lemmas.at[head->relation].count) guess_lemma_instances(r, head, &parts);
  for (size_t i = 0; i < count; i++) {
    size_t number = n->first.at[head->relation] + i;
    if (n->is_needed.at[number] && !n->is_done.at[number]) VECTOR_PUSH(needed, parts.at[i]);
  }
  term all = term_and_all(r->ts, needed.count, needed.at);
  VECTOR_FREE(parts);
  VECTOR_FREE(needed);
  return all;
}

/* Marks what the rule needs to lead to `head` alone. False if the solver does not say. */
static bool mark_needs(guess_run *r, needs *n, const horn_rule *rule, term head) {
  core_names core = {0};
  if (term_is_true(head)) return true;
  solver_push(r->solver);
  solver_assert(r->solver, term_and(r->ts, rule->constraint, term_not(head)));
  for (size_t i = 0; i < rule->body.count; i++) assert_named(r, n, &rule->body.at[i]);
  bool fine = answer_is_no(solver_check(r->solver, 0));
  if (fine) solver_core(r->solver, &core);
  for (size_t i = 0; i < core.count; i++) n->is_needed.at[core.at[i]] = true;
  solver_pop(r->solver);
  VECTOR_FREE(core);
  return fine;
}

static bool mark_needs_of_relation(guess_run *r, needs *n, uint32_t relation) {
  uint32_t first = n->first.at[relation], end = n->first.at[relation + 1];
  VECTOR(bool) before = {0};
  bool fine = true;
  for (uint32_t i = first; i < end; i++) VECTOR_PUSH(before, n->is_needed.at[i]);
  for (size_t i = 0; i < r->cells->problem.rules.count && fine; i++) {
    const horn_rule *rule = &r->cells->problem.rules.at[i];
    if (rule->head.relation == relation) fine = mark_needs(r, n, rule, new_needs(r, n, &rule->head));
  }
  for (uint32_t i = first; i < end; i++) n->is_done.at[i] |= before.at[i - first];
  VECTOR_FREE(before);
  return fine;
}

static bool has_new_needs(const needs *n, uint32_t relation) {
  for (uint32_t i = n->first.at[relation]; i < n->first.at[relation + 1]; i++)
    if (n->is_needed.at[i] && !n->is_done.at[i]) return true;
  return false;
}

/* From the queries backwards. If the solver is ever unsure, all is needed. */
static void find_needs(guess_run *r, needs *n) {
  bool fine = true, more = true;
  for (size_t i = 0; i < r->cells->problem.rules.count && fine; i++) {
    const horn_rule *rule = &r->cells->problem.rules.at[i];
    if (guess_is_query(r, rule)) fine = mark_needs(r, n, rule, TERM_FALSE);
  }
  while (more && fine) {
    more = false;
    for (uint32_t i = 0; i < r->facts.count && fine; i++) {
      if (!has_new_needs(n, i)) continue;
      more = true;
      fine = mark_needs_of_relation(r, n, i);
    }
  }
  for (size_t i = 0; i < n->is_needed.count && !fine; i++) n->is_needed.at[i] = true;
}

static void interpret_predicate(guess_run *r, const needs *n, uint32_t predicate) {
  term_vector parts = {0};
  size_t kept = 0, count = r->of[predicate].list.count + r->lemmas.at[predicate].count;
  horn_atom own = {.relation = predicate};
  const variable_vector *parameters = &r->cells->problem.relations.at[predicate].parameters;
  for (size_t j = 0; j < parameters->count; j++) VECTOR_PUSH(own.arguments, term_of_variable(r->ts, parameters->at[j]));
  guess_instances(r, &own, &parts);
  if (r->lemmas.at[predicate].count) guess_lemma_instances(r, &own, &parts);
  for (size_t i = 0; i < count; i++)
    if (n->is_needed.at[n->first.at[predicate] + i]) parts.at[kept++] = parts.at[i];
  VECTOR_PUSH(r->interpretation, cells_formula(r->cells, predicate, term_and_all(r->ts, kept, parts.at)));
  VECTOR_FREE(parts);
  VECTOR_FREE(own.arguments);
}

void guess_interpret(guess_run *r) {
  needs n = {0};
  uint32_t next = 0;
  for (size_t i = 0; i < r->facts.count; i++) {
    VECTOR_PUSH(n.first, next);
    next += (uint32_t)(r->of[i].list.count + r->lemmas.at[i].count);
  }
  VECTOR_PUSH(n.first, next);
  for (uint32_t i = 0; i < next; i++) {
    VECTOR_PUSH(n.is_needed, false);
    VECTOR_PUSH(n.is_done, false);
  }
  find_needs(r, &n);
  for (uint32_t i = 0; i < r->facts.count; i++) interpret_predicate(r, &n, i);
  VECTOR_FREE(n.first);
  VECTOR_FREE(n.is_needed);
  VECTOR_FREE(n.is_done);
}
