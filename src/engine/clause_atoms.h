/* The atoms of a Horn clause, the head and those of the body: formulas about a predicate's parameters said of an atom's
 * arguments, and the other way round. */
#ifndef WHET_ENGINE_CLAUSE_ATOMS_H
#define WHET_ENGINE_CLAUSE_ATOMS_H

#include "model/clauses.h"
#include "model/trace.h"
#include "term/substitute.h"

/* An atom of a clause: its number in the body, or the head. */
#define HEAD_ATOM SIZE_MAX

KEEP const term_vector *clause_atom_arguments(const clause *c, size_t atom);
/* Puts the arguments of the atom in the place of its predicate's parameters. */
GIVE substitution *clause_atom_substitution(terms *ts, const clauses *all, const clause *c, size_t atom);
/* `formula`, over the clause's variables, and that the parameters are what the atom says; an argument that is a variable
 * is replaced by its parameter. */
term clause_atom_with_parameters(terms *ts, const clauses *all, const clause *c, size_t atom, term formula);
/* Atoms around the one that `values`, which has values of the clause's variables, gives: literals over the parameters
 * under which the formula holds for some values of the clause's variables. The parameters get their values. False if the
 * formula does not hold under the values. */
bool clause_atom_project(terms *ts, const clauses *all, const clause *c, size_t atom, term formula,
                         number_vector *values, term_vector *out);

#endif
