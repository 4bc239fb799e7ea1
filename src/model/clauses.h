/* Linear constrained Horn clauses, and how a model stands for them.
 *
 * A clause says: for all values of its variables, if the constraint holds and the body's atom does, then so does the
 * head's (a fact has no body, a query no head: then the constraint and the body must never hold together). The
 * predicates have an interpretation that makes every clause true exactly if no query can be derived.
 *
 * A model made from clauses (input/chc) keeps them, for what is found out about the model is said and checked about the
 * clauses: an invariant becomes an interpretation of every predicate, a run a derivation (proof/clause_evidence.h). */
#ifndef WHET_MODEL_CLAUSES_H
#define WHET_MODEL_CLAUSES_H

#include "model/place.h"
#include "term/term.h"

#define NO_PREDICATE UINT32_MAX

typedef struct clause_predicate {
  const char *name;
  variable_vector parameters; /* stand for its arguments in formulas about it */
  place place;
} clause_predicate;

typedef struct clause {
  variable_vector variables;
  uint32_t body, head; /* predicates, or NO_PREDICATE */
  term_vector body_arguments, head_arguments;
  term constraint;
  uint32_t property;  /* of a query: the property that it breaks */
  bool has_constants; /* one of the variables is a constant of the whole text, so that not every instance is meant */
  place place;
} clause;

/* States of the model that stand for atoms of a predicate. */
typedef struct clause_image {
  uint32_t predicate;
  term at;               /* over state variables: such a state */
  term_vector arguments; /* over state variables: what the arguments are in it */
  term when;             /* over the parameters: such an atom */
  term_vector values;    /* over the parameters: the values of the state variables, in the model's order */
} clause_image;

typedef struct clauses {
  bool is_horn; /* read as clauses; else what was read says the same as these */
  VECTOR(clause_predicate) predicates;
  VECTOR(clause) clauses;
  /* The way back. */
  VECTOR(clause_image) images;
  VECTOR(term) otherwise;         /* what holds of each predicate outside its images: true or false */
  VECTOR(uint32_t) of_transition; /* which clause a transition is an instance of */
} clauses;

GIVE clauses *horn_clauses_new(void);
void horn_clauses_free(TAKE clauses *c);
void clause_clear(clause *c); /* what it holds */
/* The name of a clause's variable as it was written: variables of clauses are called "x!0" and the like. */
GIVE char *clause_variable_name(const terms *ts, variable v);

#endif
