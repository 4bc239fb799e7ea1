/* Arguments of predicates that clauses can do without.
 *
 * equal_arguments.c: two arguments that are equal in every atom that can be derived become one.
 *
 * unread_arguments.c: an argument that no clause reads goes. It is read if a clause with the predicate in its body has something else
 * there than a variable, or a variable that also stands in another atom, in the constraint, or in an argument of the head that is read.
 * Equations that only say what a variable is that nothing else speaks of read nothing.
 *
 * arguments.c: leaves them out of the rewritten clauses. What is left out is noted in the table of predicates and in the origins of
 * clauses, so that what is found out can be said about the clauses as read (proof/clause_rewriting.h). Clauses that were not rewritten have
 * a transition system, whose passes do the same (model/passes.h). */
#ifndef WHET_INPUT_CHC_ARGUMENTS_H
#define WHET_INPUT_CHC_ARGUMENTS_H

#include "base/bits.h"
#include "model/model.h"

/* All parameters are there. Nothing happens to clauses that were not rewritten. */
void chc_drop_arguments(model *m);

/* ---- inside ---- */

/* By predicate and argument: the first argument that it is equal to, itself if there is none before it. */
typedef VECTOR(index_vector) argument_classes;
/* `out` is empty; owned by the caller. */
void chc_find_equal(terms *ts, const clauses *all, argument_classes *out);

/* An equation of a clause that gives a variable which nothing else speaks of, and the variable's value. */
typedef struct clause_definition {
  size_t conjunct;
  variable var;
  term value;
} clause_definition;

/* What a clause says beyond what it defines for nobody: its conjuncts, those among them that do not matter, in the order in which they
 * were found (a value speaks of variables that later ones define), and the variables that something reads. */
typedef struct clause_reads {
  term_vector conjuncts;
  VECTOR(clause_definition) definitions;
  bool *is_left_out;    /* by conjunct */
  variable_vector read; /* sorted */
} clause_reads;

/* `read` by predicate: which arguments are read, of those in heads. */
clause_reads clause_reads_of(terms *ts, const clause *c, const bits *read);
void clause_reads_clear(clause_reads *r);
bool clause_reads_variable(const clause_reads *r, variable v);
/* By predicate, an array to be freed with its sets: the arguments that are read. */
GIVE bits *chc_find_read(terms *ts, const clauses *all);

#endif
