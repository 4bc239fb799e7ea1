/* The obligations of a ranking of calls as formulas. */
#include "proof/call_ranking.h"

#include "proof/ranking.h"
#include "term/substitute.h"

size_t call_ranking_width(const model *m, const evidence *e) {
  size_t predicates = m->clauses->predicates.count;
  return predicates ? e->measures.count / predicates : 0;
}

bool call_ranking_is_step(const clauses *all, const clause *c) {
  return c->head != NO_PREDICATE && clause_place_atom(c) != NO_ATOM && clauses_go_on_from(all, c->head);
}

/* Says a formula or a measure of the predicate about these arguments. */
static term of_atom(const model *m, uint32_t predicate, const term_vector *arguments, term what) {
  substitution *s = substitution_new(m->terms);
  const variable_vector *parameters = &m->clauses->predicates.at[predicate].parameters;
  for (size_t i = 0; i < parameters->count; i++) substitution_set(s, parameters->at[i], arguments->at[i]);
  term result = substitution_apply(s, what);
  substitution_free(s);
  return result;
}

term call_ranking_body(const model *m, const evidence *e, const clause *c) {
  term_vector parts = {0};
  VECTOR_PUSH(parts, c->constraint);
  for (size_t i = 0; i < c->body.count; i++) {
    const clause_atom *a = &c->body.at[i];
    VECTOR_PUSH(parts, of_atom(m, a->predicate, &a->arguments, e->interpretation.at[a->predicate]));
  }
  term result = term_and_all(m->terms, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

term call_ranking_head(const model *m, const evidence *e, const clause *c) {
  if (c->head == NO_PREDICATE) return TERM_FALSE;
  return of_atom(m, c->head, &c->head_arguments, e->interpretation.at[c->head]);
}

term call_ranking_falls(const model *m, const evidence *e, const clause *c) {
  size_t width = call_ranking_width(m, e);
  const clause_atom *from = &c->body.at[clause_place_atom(c)];
  term_vector before = {0}, after = {0};
  for (size_t i = 0; i < width; i++) {
    VECTOR_PUSH(before, of_atom(m, from->predicate, &from->arguments, e->measures.at[from->predicate * width + i]));
    VECTOR_PUSH(after, of_atom(m, c->head, &c->head_arguments, e->measures.at[c->head * width + i]));
  }
  term result = ranking_falls(m->terms, width, before.at, after.at);
  VECTOR_FREE(before);
  VECTOR_FREE(after);
  return result;
}
