/* One step of resolution: variables of the definition are renamed apart from those of its user. An argument of its head
 * that is a variable is replaced by what the user has there, others become equations. */
#include "input/chc/form.h"
#include "input/chc/unfold.h"
#include "term/substitute.h"

struct resolver {
  terms *ts;
  substitution *renaming;
  VECTOR(uint32_t) stamps; /* by variable: the number of the last resolution that it is taken in */
  uint32_t now;
};

resolver *resolver_new(terms *ts) {
  resolver *r = MEMORY_NEW(resolver);
  r->ts = ts;
  r->renaming = substitution_new(ts);
  return r;
}

void resolver_free(resolver *r) {
  substitution_free(r->renaming);
  VECTOR_FREE(r->stamps);
  memory_free(r);
}

static bool take(resolver *r, variable v) {
  while (r->stamps.count <= v.x) VECTOR_PUSH(r->stamps, 0);
  bool is_new = r->stamps.at[v.x] != r->now;
  r->stamps.at[v.x] = r->now;
  return is_new;
}

static variable rename_apart(resolver *r, variable v, size_t hint) {
  char *name = clause_variable_name(r->ts, v);
  variable made;
  do made = clause_variable(r->ts, name, variable_type(r->ts, v), hint++);
  while (!take(r, made));
  memory_free(name);
  return made;
}

static bool is_variable(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  return !term_is_negated(t) && (kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE || kind == TERM_REAL_VARIABLE);
}

/* Sets the renaming; the equations that are left over are appended. */
static void unify(resolver *r, const unfolded_clause *user, const term_vector *arguments,
                  const unfolded_clause *definition, term_vector *out) {
  const term_vector *head = &definition->clause.head_arguments;
  bool *is_given = MEMORY_ARRAY(bool, head->count + 1);
  VECTOR(uint32_t) given = {0};
  substitution_clear(r->renaming);
  for (size_t i = 0; i < head->count; i++) {
    if (!is_variable(r->ts, head->at[i])) continue;
    variable v = term_variable(r->ts, head->at[i]);
    bool is_known = false;
    for (size_t j = 0; j < given.count && !is_known; j++) is_known = given.at[j] == v.x;
    if (is_known || !sort_fits(term_sort(r->ts, arguments->at[i]), variable_type(r->ts, v)->sort)) continue;
    VECTOR_PUSH(given, v.x);
    substitution_set(r->renaming, v, arguments->at[i]);
    is_given[i] = true;
  }
  for (size_t i = 0; i < definition->clause.variables.count; i++) {
    variable v = definition->clause.variables.at[i];
    bool is_known = false;
    for (size_t j = 0; j < given.count && !is_known; j++) is_known = given.at[j] == v.x;
    if (is_known) continue;
    variable made = rename_apart(r, v, user->origin.parts.count);
    substitution_set(r->renaming, v, term_of_variable(r->ts, made));
  }
  for (size_t i = 0; i < head->count; i++)
    if (!is_given[i]) VECTOR_PUSH(*out, term_eq(r->ts, substitution_apply(r->renaming, head->at[i]), arguments->at[i]));
  memory_free(is_given);
  VECTOR_FREE(given);
}

static void add_atom(resolver *r, clause *to, const clause_atom *a, bool renamed) {
  clause_add_body(to, a->predicate, 0, NULL);
  for (size_t i = 0; i < a->arguments.count; i++) {
    term t = renamed ? substitution_apply(r->renaming, a->arguments.at[i]) : a->arguments.at[i];
    VECTOR_PUSH(VECTOR_LAST(to->body).arguments, t);
  }
}

/* The parts of the definition, then those of the user. Atoms of the definition stand where the user's atom was. */
static void join_origins(resolver *r, const unfolded_clause *user, uint32_t atom, const unfolded_clause *definition,
                         clause_origin *out) {
  uint32_t defining = (uint32_t)definition->origin.parts.count, atoms = (uint32_t)definition->clause.body.count;
  for (size_t i = 0; i < definition->origin.parts.count; i++) {
    const clause_part *p = &definition->origin.parts.at[i];
    clause_part made = {.clause = p->clause};
    for (size_t j = 0; j < p->values.count; j++)
      VECTOR_PUSH(made.values, substitution_apply(r->renaming, p->values.at[j]));
    for (size_t j = 0; j < p->premises.count; j++)
      VECTOR_PUSH(made.premises, p->premises.at[j] >= IS_ATOM ? p->premises.at[j] + atom : p->premises.at[j]);
    VECTOR_PUSH(out->parts, made);
  }
  for (size_t i = 0; i < user->origin.parts.count; i++) {
    const clause_part *p = &user->origin.parts.at[i];
    clause_part made = {.clause = p->clause};
    for (size_t j = 0; j < p->values.count; j++) VECTOR_PUSH(made.values, p->values.at[j]);
    for (size_t j = 0; j < p->premises.count; j++) {
      uint32_t premise = p->premises.at[j];
      if (premise < IS_ATOM)
        premise += defining;
      else if (premise == IS_ATOM + atom)
        premise = defining - 1;
      else if (premise > IS_ATOM + atom)
        premise += atoms - 1;
      VECTOR_PUSH(made.premises, premise);
    }
    VECTOR_PUSH(out->parts, made);
  }
}

unfolded_clause resolver_apply(resolver *r, const unfolded_clause *user, size_t atom,
                               const unfolded_clause *definition) {
  const clause *u = &user->clause, *d = &definition->clause;
  unfolded_clause made = {.size = user->size + definition->size};
  term_vector parts = {0};
  r->now++;
  for (size_t i = 0; i < u->variables.count; i++) take(r, u->variables.at[i]);
  VECTOR_PUSH(parts, u->constraint);
  unify(r, user, &u->body.at[atom].arguments, definition, &parts);
  VECTOR_PUSH(parts, substitution_apply(r->renaming, d->constraint));
  made.clause.constraint = term_and_all(r->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  for (size_t i = 0; i < u->body.count; i++) {
    if (i != atom) add_atom(r, &made.clause, &u->body.at[i], false);
    for (size_t j = 0; i == atom && j < d->body.count; j++) add_atom(r, &made.clause, &d->body.at[j], true);
  }
  made.clause.head = u->head;
  for (size_t i = 0; i < u->head_arguments.count; i++) VECTOR_PUSH(made.clause.head_arguments, u->head_arguments.at[i]);
  made.clause.property = u->property;
  made.clause.has_constants = u->has_constants || d->has_constants;
  made.clause.place = u->place;
  join_origins(r, user, (uint32_t)atom, definition, &made.origin);
  clause_find_variables(r->ts, &made.clause);
  return made;
}
