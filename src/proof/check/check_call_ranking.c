/* The obligations of a ranking of calls (check.h): of a program with procedures, given as clauses, every run ends.
 *
 * Every clause but the queries is valid with the interpretation, so it holds of all that can be derived. A clause that leads from a place to
 * another one, or to the entry of a procedure that is called there, makes a measure fall. A run without end would either go on for ever in
 * one call, where what other calls give back is in the bodies, or be in deeper and deeper calls: both are such clauses one after the other,
 * and of the measures that fall infinitely often, the first one would do so from values of at least 0, and not grow from some time on. */
#include "proof/call_ranking.h"
#include "proof/check/checkers.h"
#include "term/fold.h"

static bool speaks_of_parameters(const terms *ts, const clause_predicate *p, term measure) {
  variable_vector inside = {0};
  term_variables(ts, 1, &measure, &inside);
  bool closed = term_sort(ts, measure) == SORT_INT;
  for (size_t i = 0; i < inside.count && closed; i++) {
    closed = false;
    for (size_t j = 0; j < p->parameters.count; j++) closed |= variable_same(p->parameters.at[j], inside.at[i]);
  }
  VECTOR_FREE(inside);
  return closed;
}

static bool is_whole(const model *m, const evidence *e) {
  size_t width = call_ranking_width(m, e), predicates = m->clauses->predicates.count;
  if (e->measures.count != width * predicates || e->indices.count || e->divisions.count) return false;
  for (size_t i = 0; i < e->measures.count; i++)
    if (!speaks_of_parameters(m->terms, &m->clauses->predicates.at[i / width], e->measures.at[i])) return false;
  return true;
}

static bool check_step(const model *m, const evidence *e, size_t number, questions *q, check_result *result) {
  const clause *c = &m->clauses->clauses.at[number];
  if (!check_within_budget(q, result)) return false;
  char *which = check_clause_name(m->clauses, number), *what = text_format("a measure falls by %s", which);
  memory_free(which);
  term parts[] = {call_ranking_body(m, e, c), term_not(call_ranking_falls(m, e, c))};
  return check_refute_all(q, parts, ARRAY_LENGTH(parts), what, result);
}

void check_call_ranking(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  const clauses *all = m->clauses;
  if (p->kind != PROPERTY_ENDS || !all->is_program) {
    check_end(result, CHECK_UNSURE, text_format("a ranking of calls only says whether a program ends"), NULL);
    return;
  }
  check_interpretation(m, p, e, q, result);
  if (result->kind != CHECK_ACCEPTED) return;
  if (!is_whole(m, e)) {
    check_end(result, CHECK_REJECTED, text_format("integers over the arguments of each predicate"), NULL);
    return;
  }
  for (size_t i = 0; i < all->clauses.count; i++)
    if (call_ranking_is_step(all, &all->clauses.at[i]) && !check_step(m, e, i, q, result)) return;
}
