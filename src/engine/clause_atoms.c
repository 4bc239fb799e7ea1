/* Parameters and arguments. */
#include "engine/clause_atoms.h"

#include "engine/project.h"
#include "term/evaluate.h"

const term_vector *clause_atom_arguments(const clause *c, size_t atom) {
  return atom == HEAD_ATOM ? &c->head_arguments : &c->body.at[atom].arguments;
}

/* Of "false", which has no arguments, any. */
static const variable_vector *parameters_of(const clauses *all, const clause *c, size_t atom) {
  static const variable_vector none = {0};
  uint32_t predicate = atom == HEAD_ATOM ? c->head : c->body.at[atom].predicate;
  return predicate == NO_PREDICATE ? &none : &all->predicates.at[predicate].parameters;
}

substitution *clause_atom_substitution(terms *ts, const clauses *all, const clause *c, size_t atom) {
  substitution *s = substitution_new(ts);
  const variable_vector *parameters = parameters_of(all, c, atom);
  const term_vector *arguments = clause_atom_arguments(c, atom);
  for (size_t i = 0; i < arguments->count; i++) substitution_set(s, parameters->at[i], arguments->at[i]);
  return s;
}

/* The variable of the clause that the argument is, if it is one of the parameter's sort and not yet replaced. */
static bool is_replaceable(terms *ts, const clause *c, term argument, variable parameter,
                           const variable_vector *replaced, variable *out) {
  bool found = false;
  for (size_t j = 0; j < c->variables.count && !found; j++) {
    *out = c->variables.at[j];
    found = term_same(term_of_variable(ts, *out), argument);
  }
  for (size_t j = 0; j < replaced->count && found; j++) found = !variable_same(replaced->at[j], *out);
  return found && variable_type(ts, *out)->sort == variable_type(ts, parameter)->sort;
}

term clause_atom_with_parameters(terms *ts, const clauses *all, const clause *c, size_t atom, term formula) {
  const term_vector *arguments = clause_atom_arguments(c, atom);
  const variable_vector *parameters = parameters_of(all, c, atom);
  substitution *to = substitution_new(ts);
  variable_vector replaced = {0};
  term_vector parts = {0};
  VECTOR_PUSH(parts, formula);
  for (size_t i = 0; i < arguments->count; i++) {
    term parameter = term_of_variable(ts, parameters->at[i]);
    variable v;
    if (is_replaceable(ts, c, arguments->at[i], parameters->at[i], &replaced, &v)) {
      substitution_set(to, v, parameter);
      VECTOR_PUSH(replaced, v);
    } else {
      VECTOR_PUSH(parts, term_eq(ts, parameter, arguments->at[i]));
    }
  }
  term result = substitution_apply(to, term_and_all(ts, parts.count, parts.at));
  substitution_free(to);
  VECTOR_FREE(replaced);
  VECTOR_FREE(parts);
  return result;
}

bool clause_atom_project(terms *ts, const clauses *all, const clause *c, size_t atom, term formula,
                         number_vector *values, term_vector *out) {
  const term_vector *arguments = clause_atom_arguments(c, atom);
  const variable_vector *parameters = parameters_of(all, c, atom);
  while (values->count < variable_count(ts)) VECTOR_PUSH(*values, number_of(0));
  for (size_t i = 0; i < arguments->count; i++)
    values->at[parameters->at[i].x] = term_evaluate(ts, arguments->at[i], values->at);
  term whole = clause_atom_with_parameters(ts, all, c, atom, formula);
  return project(ts, whole, c->variables.count, c->variables.at, values->at, out);
}
