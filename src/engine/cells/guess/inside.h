/* The inside of guesses: what a run of guesses holds, and what is asked about them. */
#ifndef WHET_ENGINE_CELLS_GUESS_INSIDE_H
#define WHET_ENGINE_CELLS_GUESS_INSIDE_H

#include "engine/cells/guess/guess.h"
#include "engine/cells/guess/guesses.h"
#include "engine/clause_walk.h"
#include "term/substitute.h"

struct guess_run {
  cell_problem own_cells, *cells; /* the second is the first */
  unsigned effort;
  size_t most; /* cells */
  terms *ts;
  term_classes *classes;
  clause_walk *walk;
  solver *solver;
  substitution *substitution;
  guesses *of;                 /* by predicate */
  VECTOR(term_vector) facts;   /* by predicate: proved, without cells */
  VECTOR(term_vector) lemmas;  /* by predicate: proved about one cell, over the relation with one cell */
  VECTOR(variable_vector) own; /* by predicate: the elements of that relation */
  size_t round;
  enum { ROUND_BEGINS, ROUND_HAS_FACTS, ROUND_HAS_GOALS } stage;
  bool has_walked;
  uint64_t ends_at;     /* the work of this call */
  VECTOR(bool) is_open; /* by rule: it may refute guesses */
  term_vector interpretation;
  guess_counts counts;
  const char *unsure;
};

/* ---- questions.c ---- */

/* The guesses about the relation of the atom, said of the atom; appended. */
void guess_instances(guess_run *r, const horn_atom *a, term_vector *out);
/* What was proved about one cell, said of each cell of the atom, all of the first cell first; appended. */
void guess_lemma_instances(guess_run *r, const horn_atom *a, term_vector *out);
/* The rule derives the query. */
bool guess_is_query(const guess_run *r, const horn_rule *rule);
/* All rules may refute guesses. */
void guess_open_rules(guess_run *r);
bool guess_has_open_rules(const guess_run *r);
/* If no rule is open afterwards and the solver was sure, what is left is inductive. Ends when the work of the call is done. */
void guess_make_inductive(guess_run *r);
/* The guesses make all queries false. */
bool guess_refutes_queries(guess_run *r);

/* ---- needs.c ---- */

/* The interpretation, of a proof: of what is inductive only that which the proof needs. */
void guess_interpret(guess_run *r);

#endif
