/* Life and death of clauses. */
#include "model/clauses.h"

GIVE clauses *horn_clauses_new(void) { return MEMORY_NEW(clauses); }

void clause_clear(clause *c) {
  VECTOR_FREE(c->variables);
  VECTOR_FREE(c->body_arguments);
  VECTOR_FREE(c->head_arguments);
}

void horn_clauses_free(TAKE clauses *c) {
  if (!c) return;
  for (size_t i = 0; i < c->predicates.count; i++) VECTOR_FREE(c->predicates.at[i].parameters);
  for (size_t i = 0; i < c->clauses.count; i++) clause_clear(&c->clauses.at[i]);
  for (size_t i = 0; i < c->images.count; i++) {
    VECTOR_FREE(c->images.at[i].arguments);
    VECTOR_FREE(c->images.at[i].values);
  }
  VECTOR_FREE(c->predicates);
  VECTOR_FREE(c->clauses);
  VECTOR_FREE(c->images);
  VECTOR_FREE(c->otherwise);
  VECTOR_FREE(c->of_transition);
  memory_free(c);
}

GIVE char *clause_variable_name(const terms *ts, variable v) {
  const char *name = variable_name(ts, v), *end = strrchr(name, '!');
  return memory_copy_bytes(name, end ? (size_t)(end - name) : strlen(name));
}
