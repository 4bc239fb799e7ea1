/* Constrained Horn clauses, and how a model stands for them.
 *
 * A clause says: for all values of its variables, if the constraint holds and every atom of the body does, then so does
 * the head (a fact has no body, a query no head: then the constraint and the body must never hold together). The
 * predicates have an interpretation that makes every clause true exactly if no query can be derived.
 *
 * A model made from clauses (input/chc) keeps them, for what is found out about the model is said and checked about the
 * clauses: an invariant becomes an interpretation of every predicate, a run a derivation (proof/clause_evidence.h). */
#ifndef WHET_MODEL_CLAUSES_H
#define WHET_MODEL_CLAUSES_H

#include "model/place.h"
#include "term/term.h"

#define NO_PREDICATE UINT32_MAX

#define NO_ARGUMENT UINT32_MAX

/* An argument that rewritten clauses do without, by its number in those as read: in every atom that can be derived it is equal to another
 * one, or (NO_ARGUMENT) no clause reads it. */
typedef struct dropped_argument {
  uint32_t argument, same_as;
} dropped_argument;

typedef struct clause_predicate {
  const char *name;
  variable_vector parameters;       /* stand for its arguments in formulas about it */
  VECTOR(dropped_argument) dropped; /* of rewritten clauses; `parameters` are the others */
  place place;
  /* Of the entry of a procedure, by parameter: it is given by the call; of its exit: it is given back. The others are
   * variables of the whole program, or what was given at first. Of other predicates NULL. In the arena of the terms. */
  const bool *is_own;
} clause_predicate;

typedef struct clause_atom {
  uint32_t predicate;
  term_vector arguments;
} clause_atom;

/* Of a clause that stands for a way through a program: an input, by its variable of the clause and by the variable of
 * the program that has its type; and a call, by the atom of the body that says what it gives back, with how many inputs
 * and characters of the statements come before it. */
typedef struct clause_input {
  variable of_clause, of_program;
} clause_input;
typedef struct clause_call {
  uint32_t atom, inputs, words;
} clause_call;

typedef struct clause {
  variable_vector variables;
  VECTOR(clause_atom) body;
  uint32_t head; /* a predicate, or NO_PREDICATE */
  term_vector head_arguments;
  term constraint;
  uint32_t property;  /* of a query: the property that it breaks */
  bool has_constants; /* one of the variables is a constant of the whole text, so that not every instance is meant */
  place place;
  bool is_call;           /* of a program: the head says that a procedure is called */
  const char *statements; /* of a program: the statements on the way; NULL of others */
  VECTOR(clause_input) inputs;
  VECTOR(clause_call) calls;
} clause;

/* What has become of a predicate by rewriting. */
typedef enum predicate_treatment {
  PREDICATE_KEPT,
  PREDICATE_UNFOLDED, /* clauses were resolved with those that derive it */
  PREDICATE_FALSE,    /* no facts lead to it */
  PREDICATE_TRUE      /* it leads to no query */
} predicate_treatment;

/* States of the model that stand for atoms of a predicate. */
typedef struct clause_image {
  uint32_t predicate;
  term at;               /* over state variables: such a state */
  term_vector arguments; /* over state variables: what the arguments are in it */
  term when;             /* over the parameters: such an atom */
  term_vector values;    /* over the parameters: the values of the state variables, in the model's order */
} clause_image;

/* An instance of a clause as read inside a clause that was made from several. */
typedef struct clause_part {
  uint32_t clause;
  term_vector values;    /* of its variables, over those of the clause made */
  index_vector premises; /* of each atom of its body: the part that derives it, or IS_ATOM + the atom's number */
} clause_part;
enum { IS_ATOM = 1 << 30 };
/* A variable that the clause made does not speak of: the value of an argument, by its number in the clauses as read, of what the atom of
 * its body is derived by; or (NO_ATOM) of a term over other variables. */
typedef struct clause_value {
  variable var;
  uint32_t atom, argument;
  term value;
} clause_value;
#define NO_ATOM UINT32_MAX
/* What a clause was made from: each part after its premises; the last one derives the head. Values speak of the clause's variables and of
 * earlier ones. */
typedef struct clause_origin {
  VECTOR(clause_part) parts;
  VECTOR(clause_value) values;
} clause_origin;

/* A sort of the text whose values are named: integers from 0 on, of a type that has the names. */
typedef struct clause_enumeration {
  const char *name;
  type type;
} clause_enumeration;

typedef struct clauses {
  bool is_horn;    /* read as clauses; else what was read says the same as these */
  bool is_program; /* each clause stands for a way through a program with procedures */
  VECTOR(clause_enumeration) enumerations;
  VECTOR(clause_predicate) predicates;
  VECTOR(clause) clauses;
  /* Simpler clauses about some of the predicates, if there are any; owned. They say the same about the queries. The
   * table of predicates is the same but for arguments that were dropped. Of predicates that stand in none of them only `treatments` is known here. */
  struct clauses *rewritten;
  VECTOR(clause_origin) origins;          /* of rewritten clauses, by clause */
  VECTOR(predicate_treatment) treatments; /* of rewritten clauses, by predicate */
  bool are_trees;                         /* several atoms in a body, or arrays: there is no transition system */
  bool have_arrays;                       /* some variable or parameter is an array; nothing was rewritten then */
  /* The way back from the transition system, which was made from the rewritten clauses if there are any. */
  VECTOR(clause_image) images;
  VECTOR(term) otherwise;         /* what holds of each predicate outside its images: true or false */
  VECTOR(uint32_t) of_transition; /* which clause a transition is an instance of */
} clauses;

GIVE clauses *horn_clauses_new(void);
void horn_clauses_free(TAKE clauses *c);
/* What the transition system was made from: the rewritten clauses, or the clauses as read. */
KEEP const clauses *clauses_lowered(const clauses *c);
/* Some clauses were made of several. */
bool clauses_were_unfolded(const clauses *c);
/* A transition system was made. */
static inline bool clauses_have_system(const clauses *c) { return !c->are_trees; }
/* The type of the enumeration of this name; NULL if there is none. */
KEEP const type *clauses_enumeration_named(const clauses *c, const char *name);
/* Whether it is the type of an enumeration of the text: its values then go by their names. */
bool clauses_have_enumeration(const clauses *c, const type *of);
/* The name of the sort that a parameter or variable of this type has in the text: Int, Bool, Real or an enumeration's. */
KEEP const char *clauses_sort_name(const clauses *c, const type *of);
/* Of a clause of a program: the atom of its body that says where the run stands, which is not what a call has given back; NO_ATOM if the
 * program starts there. */
uint32_t clause_place_atom(const clause *c);
/* Runs go on from this predicate: it is the place atom of a clause with a head. */
bool clauses_go_on_from(const clauses *all, uint32_t predicate);
void clause_clear(clause *c);               /* what it holds */
void clause_origin_clear(clause_origin *o); /* what it holds */
/* Of a clause, the one of that number, that is rewritten to itself. */
clause_origin clause_origin_of_itself(terms *ts, const clause *c, uint32_t number);
void clause_add_body(clause *c, uint32_t predicate, size_t count, const term *arguments);
/* The variables that occur in the clause, as a new list. */
void clause_find_variables(const terms *ts, clause *c);
/* The constraint and all arguments, appended. */
void clause_terms(const clause *c, term_vector *out);
/* The name of a clause's variable as it was written: variables of clauses are called "x!0" and the like. */
GIVE char *clause_variable_name(const terms *ts, variable v);

#endif
