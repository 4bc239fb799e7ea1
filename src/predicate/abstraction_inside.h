/* The inside of an abstraction, for the files abstraction*.c only. */
#ifndef WHET_PREDICATE_ABSTRACTION_INSIDE_H
#define WHET_PREDICATE_ABSTRACTION_INSIDE_H

#include "predicate/abstraction.h"
#include "term/substitute.h"

typedef struct control_bits {
  uint32_t first, count; /* for state variables counted in state bits, for inputs in variables of the diagrams */
} control_bits;

/* What one formula or action needs in addition to the state bits. */
typedef struct frame_of_action {
  term_vector extra;    /* atoms that are no predicates */
  struct map *extra_of; /* index of the atom -> 2 * variable of the diagrams + 1 if it is the opposite */
  VECTOR(control_bits) input_bits;
  uint32_t next_variable;
  term_vector after; /* of each predicate */
  term context;      /* about data: holds in the states in question */
  term mixed;        /* the same, about data and control */
} frame_of_action;

typedef struct abstract_action {
  VECTOR(uint32_t) changed; /* state bits, ascending */
  obdd steps;               /* over the state bits and the next ones of those that change */
  obdd now, next;           /* cubes of the changed bits */
  const renaming *to_now;
} abstract_action;

typedef struct implicit_search implicit_search;

struct abstraction {
  const predicate_model *system;
  allsat *allsat;
  budget *budget;
  obdds *obdds;
  term_vector predicates;
  struct map *predicate_of;  /* index of the atom -> which */
  VECTOR(control_bits) bits; /* of the controls that are of the state */
  size_t first_predicate, state_bits;
  VECTOR(abstract_action) actions;
  obdd init, bad, reached;
  VECTOR(obdd) rings;
  size_t bad_ring;
  bool is_implicit;
  implicit_search *search; /* if it is implicit */
  size_t most_states;
  bool exact;
  const char *trouble;
};

/* A formula whose data atoms are predicates or extra atoms of the frame. */
obdd abstraction_obdd(abstraction *a, const frame_of_action *f, term t);

/* Every control variable has a value of its type. */
obdd abstraction_legal_states(abstraction *a);

/* The state with these bits, in the order of `bits` and then of the predicates. */
abstract_state abstraction_decode(const abstraction *a, const bool *bits);

#endif
