/* Life and death of clauses. */
#include "model/clauses.h"

GIVE clauses *horn_clauses_new(void) { return MEMORY_NEW(clauses); }

uint32_t clause_place_atom(const clause *c) {
  for (uint32_t i = 0; i < c->body.count; i++) {
    bool is_call = false;
    for (size_t j = 0; j < c->calls.count; j++) is_call |= c->calls.at[j].atom == i;
    if (!is_call) return i;
  }
  return NO_ATOM;
}

bool clauses_go_on_from(const clauses *all, uint32_t predicate) {
  for (size_t i = 0; i < all->clauses.count; i++) {
    const clause *c = &all->clauses.at[i];
    uint32_t at = c->head == NO_PREDICATE ? NO_ATOM : clause_place_atom(c);
    if (at != NO_ATOM && c->body.at[at].predicate == predicate) return true;
  }
  return false;
}

void clause_clear(clause *c) {
  VECTOR_FREE(c->variables);
  for (size_t i = 0; i < c->body.count; i++) VECTOR_FREE(c->body.at[i].arguments);
  VECTOR_FREE(c->body);
  VECTOR_FREE(c->head_arguments);
  VECTOR_FREE(c->inputs);
  VECTOR_FREE(c->calls);
}

void clause_add_body(clause *c, uint32_t predicate, size_t count, const term *arguments) {
  clause_atom made = {.predicate = predicate};
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(made.arguments, arguments[i]);
  VECTOR_PUSH(c->body, made);
}

void clause_terms(const clause *c, term_vector *out) {
  VECTOR_PUSH(*out, c->constraint);
  for (size_t i = 0; i < c->body.count; i++)
    for (size_t j = 0; j < c->body.at[i].arguments.count; j++) VECTOR_PUSH(*out, c->body.at[i].arguments.at[j]);
  for (size_t i = 0; i < c->head_arguments.count; i++) VECTOR_PUSH(*out, c->head_arguments.at[i]);
}

void clause_find_variables(const terms *ts, clause *c) {
  term_vector all = {0};
  clause_terms(c, &all);
  VECTOR_CLEAR(c->variables);
  term_variables(ts, all.count, all.at, &c->variables);
  VECTOR_FREE(all);
}

const clauses *clauses_lowered(const clauses *c) { return c->rewritten ? c->rewritten : c; }

const type *clauses_enumeration_named(const clauses *c, const char *name) {
  for (size_t i = 0; i < c->enumerations.count; i++)
    if (!strcmp(c->enumerations.at[i].name, name)) return &c->enumerations.at[i].type;
  return NULL;
}

static const clause_enumeration *enumeration_of(const clauses *c, const type *of) {
  for (size_t i = 0; i < c->enumerations.count; i++)
    if (c->enumerations.at[i].type.names == of->names) return &c->enumerations.at[i];
  return NULL;
}

bool clauses_have_enumeration(const clauses *c, const type *of) { return enumeration_of(c, of) != NULL; }

const char *clauses_sort_name(const clauses *c, const type *of) {
  const clause_enumeration *found = enumeration_of(c, of);
  if (found) return found->name;
  return type_smtlib_sort(of);
}

bool clauses_were_unfolded(const clauses *c) {
  for (size_t i = 0; c->rewritten && i < c->rewritten->treatments.count; i++)
    if (c->rewritten->treatments.at[i] != PREDICATE_KEPT) return true;
  return false;
}

void clause_origin_clear(clause_origin *o) {
  for (size_t i = 0; i < o->parts.count; i++) {
    VECTOR_FREE(o->parts.at[i].values);
    VECTOR_FREE(o->parts.at[i].premises);
  }
  VECTOR_FREE(o->parts);
  VECTOR_FREE(o->values);
}

clause_origin clause_origin_of_itself(terms *ts, const clause *c, uint32_t number) {
  clause_origin made = {0};
  clause_part part = {.clause = number};
  for (size_t i = 0; i < c->variables.count; i++) VECTOR_PUSH(part.values, term_of_variable(ts, c->variables.at[i]));
  for (size_t i = 0; i < c->body.count; i++) VECTOR_PUSH(part.premises, IS_ATOM + (uint32_t)i);
  VECTOR_PUSH(made.parts, part);
  return made;
}

void horn_clauses_free(TAKE clauses *c) {
  if (!c) return;
  for (size_t i = 0; i < c->predicates.count; i++) {
    VECTOR_FREE(c->predicates.at[i].parameters);
    VECTOR_FREE(c->predicates.at[i].dropped);
  }
  for (size_t i = 0; i < c->clauses.count; i++) clause_clear(&c->clauses.at[i]);
  for (size_t i = 0; i < c->images.count; i++) {
    VECTOR_FREE(c->images.at[i].arguments);
    VECTOR_FREE(c->images.at[i].values);
  }
  VECTOR_FREE(c->enumerations);
  VECTOR_FREE(c->predicates);
  VECTOR_FREE(c->clauses);
  VECTOR_FREE(c->images);
  VECTOR_FREE(c->otherwise);
  VECTOR_FREE(c->of_transition);
  for (size_t i = 0; i < c->origins.count; i++) clause_origin_clear(&c->origins.at[i]);
  VECTOR_FREE(c->origins);
  VECTOR_FREE(c->treatments);
  horn_clauses_free(c->rewritten);
  memory_free(c);
}

GIVE char *clause_variable_name(const terms *ts, variable v) {
  const char *name = variable_name(ts, v), *end = strrchr(name, '!');
  return memory_copy_bytes(name, end ? (size_t)(end - name) : strlen(name));
}
