/* Freeing what problems and derivations hold. */
#include "solver/horn.h"

void horn_rule_free(horn_rule *r) {
  VECTOR_FREE(r->variables);
  for (size_t i = 0; i < r->body.count; i++) VECTOR_FREE(r->body.at[i].arguments);
  VECTOR_FREE(r->body);
  VECTOR_FREE(r->head.arguments);
}

void horn_problem_free(horn_problem *p) {
  for (size_t i = 0; i < p->relations.count; i++) VECTOR_FREE(p->relations.at[i].parameters);
  VECTOR_FREE(p->relations);
  for (size_t i = 0; i < p->rules.count; i++) horn_rule_free(&p->rules.at[i]);
  VECTOR_FREE(p->rules);
}

void horn_derivation_free(horn_derivation *d) {
  for (size_t i = 0; i < d->count; i++) {
    VECTOR_FREE(d->at[i].values);
    VECTOR_FREE(d->at[i].premises);
  }
  VECTOR_FREE(*d);
}
