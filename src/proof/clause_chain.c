/* A time has a copy of the parameters of every predicate, and the number of the predicate that there is an atom of. An argument that is a
 * variable of the clause is replaced by the parameter; the others are equal to theirs, and what variables are left have a copy for each
 * time. */
#include "proof/clause_chain.h"

#include "base/map.h"
#include "term/substitute.h"

typedef struct instant {
  variable predicate;
  VECTOR(variable_vector) parameters; /* by predicate */
} instant;

struct clause_chain {
  terms *ts;
  const clauses *all;
  VECTOR(instant) instants;
  variable_vector variables;
  substitution *substitution;
};

const char *clause_chain_refusal(const clauses *all) {
  for (size_t i = 0; i < all->clauses.count; i++) {
    if (all->clauses.at[i].body.count > 1) return "a clause has several atoms in its body";
    if (all->clauses.at[i].has_constants) return "a clause is about a declared constant";
  }
  if (all->enumerations.count) return "a sort is an enumeration";
  return NULL;
}

clause_chain *clause_chain_new(terms *ts, const clauses *all) {
  REQUIRE(!clause_chain_refusal(all), "at most one atom in a body, and no constants");
  clause_chain *c = MEMORY_NEW(clause_chain);
  *c = (clause_chain){.ts = ts, .all = all, .substitution = substitution_new(ts)};
  return c;
}

void clause_chain_free(clause_chain *c) {
  if (!c) return;
  for (size_t i = 0; i < c->instants.count; i++) {
    for (size_t j = 0; j < c->instants.at[i].parameters.count; j++) VECTOR_FREE(c->instants.at[i].parameters.at[j]);
    VECTOR_FREE(c->instants.at[i].parameters);
  }
  VECTOR_FREE(c->instants);
  VECTOR_FREE(c->variables);
  substitution_free(c->substitution);
  memory_free(c);
}

const variable_vector *clause_chain_variables(const clause_chain *c) { return &c->variables; }

/* ---- copies ---- */

static variable add_variable(clause_chain *c, const char *name, size_t time, type of) {
  char *stem = text_format("%s@%zu", name, time);
  variable made = variable_fresh(c->ts, stem, &of);
  memory_free(stem);
  VECTOR_PUSH(c->variables, made);
  return made;
}

static variable copy_at(clause_chain *c, variable v, size_t time) {
  type of = *variable_type(c->ts, v); /* a copy: making a variable moves the table of types */
  char *name = memory_copy_string(variable_name(c->ts, v));
  variable made = add_variable(c, name, time, of);
  memory_free(name);
  return made;
}

static void make_instant(clause_chain *c, size_t time) {
  instant made = {.predicate = add_variable(c, "predicate", time, (type){.sort = SORT_INT})};
  for (size_t i = 0; i < c->all->predicates.count; i++) {
    const variable_vector *of = &c->all->predicates.at[i].parameters;
    variable_vector copies = {0};
    for (size_t j = 0; j < of->count; j++) VECTOR_PUSH(copies, copy_at(c, of->at[j], time));
    VECTOR_PUSH(made.parameters, copies);
  }
  VECTOR_PUSH(c->instants, made);
}

static const instant *instant_at(clause_chain *c, size_t time) {
  while (c->instants.count <= time) make_instant(c, c->instants.count);
  return &c->instants.at[time];
}

static term is_of_predicate(clause_chain *c, uint32_t predicate, size_t time) {
  term number = term_of_variable(c->ts, instant_at(c, time)->predicate);
  return term_eq(c->ts, number, term_int(c->ts, predicate));
}

/* ---- clauses ---- */

/* An atom of a clause that is there at a time. */
typedef struct placed_atom {
  uint32_t predicate;
  const term_vector *arguments;
  size_t time;
} placed_atom;

/* An argument that is a variable of the parameter's sort. */
static bool is_plain_variable(const terms *ts, term argument, variable parameter) {
  sort of = variable_type(ts, parameter)->sort;
  term_kind kind = term_kind_of(ts, argument);
  bool is_variable = kind == TERM_BOOL_VARIABLE || kind == TERM_INT_VARIABLE || kind == TERM_REAL_VARIABLE;
  return is_variable && !term_is_negated(argument) && variable_type(ts, term_variable(ts, argument))->sort == of;
}

/* Variables of the clause that are arguments become the parameters. */
static void replace_by_parameters(clause_chain *c, placed_atom a, map *replaced) {
  for (size_t i = 0; i < a.arguments->count; i++) {
    variable parameter = instant_at(c, a.time)->parameters.at[a.predicate].at[i];
    if (!is_plain_variable(c->ts, a.arguments->at[i], parameter)) continue;
    variable v = term_variable(c->ts, a.arguments->at[i]);
    if (map_get(replaced, v.x, NULL)) continue;
    substitution_set(c->substitution, v, term_of_variable(c->ts, parameter));
    map_set(replaced, v.x, 1);
  }
}

static void replace_others(clause_chain *c, const clause *of, size_t time, map *replaced, term_vector *parts) {
  for (size_t i = 0; i < of->variables.count; i++) {
    variable v = of->variables.at[i];
    if (map_get(replaced, v.x, NULL)) continue;
    variable copy = copy_at(c, v, time);
    substitution_set(c->substitution, v, term_of_variable(c->ts, copy));
    VECTOR_PUSH(*parts, variable_in_type(c->ts, copy));
  }
}

static void place_atom(clause_chain *c, placed_atom a, term_vector *parts) {
  VECTOR_PUSH(*parts, is_of_predicate(c, a.predicate, a.time));
  for (size_t i = 0; i < a.arguments->count; i++) {
    variable parameter = instant_at(c, a.time)->parameters.at[a.predicate].at[i];
    term argument = substitution_apply(c->substitution, a.arguments->at[i]);
    VECTOR_PUSH(*parts, term_eq(c->ts, term_of_variable(c->ts, parameter), argument));
    VECTOR_PUSH(*parts, variable_in_type(c->ts, parameter));
  }
}

/* The clause is applied to what there is at that time; what it derives is at `after`. */
static term application(clause_chain *c, const clause *of, size_t time, size_t after) {
  placed_atom atoms[2];
  size_t count = 0;
  map *replaced = map_new();
  term_vector parts = {0};
  substitution_clear(c->substitution);
  if (of->body.count) atoms[count++] = (placed_atom){of->body.at[0].predicate, &of->body.at[0].arguments, time};
  if (of->head != NO_PREDICATE) atoms[count++] = (placed_atom){of->head, &of->head_arguments, after};
  for (size_t i = 0; i < count; i++) replace_by_parameters(c, atoms[i], replaced);
  replace_others(c, of, time, replaced, &parts);
  for (size_t i = 0; i < count; i++) place_atom(c, atoms[i], &parts);
  VECTOR_PUSH(parts, substitution_apply(c->substitution, of->constraint));
  term result = term_and_all(c->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  map_free(replaced);
  return result;
}

term clause_chain_start(clause_chain *c) {
  term_vector ways = {0};
  for (size_t i = 0; i < c->all->clauses.count; i++) {
    const clause *of = &c->all->clauses.at[i];
    if (!of->body.count && of->head != NO_PREDICATE) VECTOR_PUSH(ways, application(c, of, 0, 0));
  }
  term result = term_or_all(c->ts, ways.count, ways.at);
  VECTOR_FREE(ways);
  return result;
}

term clause_chain_step(clause_chain *c, size_t time) {
  term_vector ways = {0};
  for (size_t i = 0; i < c->all->clauses.count; i++) {
    const clause *of = &c->all->clauses.at[i];
    if (of->body.count && of->head != NO_PREDICATE) VECTOR_PUSH(ways, application(c, of, time, time + 1));
  }
  term result = term_or_all(c->ts, ways.count, ways.at);
  VECTOR_FREE(ways);
  return result;
}

term clause_chain_query(clause_chain *c, size_t query) { return application(c, &c->all->clauses.at[query], 0, 0); }

term clause_chain_at(clause_chain *c, const term *of_predicates, size_t time) {
  term_vector parts = {0};
  instant_at(c, time);
  for (uint32_t i = 0; i < c->all->predicates.count; i++) {
    const variable_vector *parameters = &c->all->predicates.at[i].parameters;
    substitution_clear(c->substitution);
    for (size_t j = 0; j < parameters->count; j++)
      substitution_set(c->substitution, parameters->at[j],
                       term_of_variable(c->ts, instant_at(c, time)->parameters.at[i].at[j]));
    VECTOR_PUSH(
        parts, term_implies(c->ts, is_of_predicate(c, i, time), substitution_apply(c->substitution, of_predicates[i])));
  }
  term result = term_and_all(c->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}
