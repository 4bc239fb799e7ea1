/* What an engine gives with its verdict, and what the checker reads.
 *
 * An invariant is a disjunction of parts; each part fixes some variables (places of processes, control, whatever is
 * constant there) to values and gives a formula for the rest. One part without fixed variables is the plain case; no
 * part at all is `false`. A trace is a list of exact states with the transitions and inputs between
 * them. A set of states is listed, as a diagram; it is checked by trying every step from every state. Of a model with a
 * heap an invariant has a graph of the heap in each part; its formulas are about the other variables.
 *
 * Temporal properties have two kinds. A trace with a loop is a run that breaks the property. A quotient is a finite
 * graph whose nodes are the parts, read as sets of states (blocks), and on which the property can be looked at: see
 * `quotient`. */
#ifndef WHET_PROOF_EVIDENCE_H
#define WHET_PROOF_EVIDENCE_H

#include "model/counted/counted.h"
#include "model/heap_graph.h"
#include "model/trace.h"
#include "proof/diagram.h"

typedef struct fixed_value {
  variable var;
  number value; /* booleans are 0 and 1 */
} fixed_value;

typedef struct invariant_part {
  VECTOR(fixed_value) fixed; /* sorted by variable, none twice */
  term formula;
  heap_graph *graph; /* EVIDENCE_HEAP: the heaps that go with it, NULL if it may be any; owned */
} invariant_part;

#define EVIDENCE(CONSTANT, ...) EVIDENCE_##CONSTANT,
typedef enum evidence_kind {
  EVIDENCE_NONE,
#include "proof/evidence.def"
  EVIDENCE_KINDS /* how many, with EVIDENCE_NONE */
} evidence_kind;
#undef EVIDENCE

/* Which members of `struct evidence` it is in. */
typedef enum evidence_content {
  CONTENT_PARTS,
  CONTENT_STEPS,
  CONTENT_DIAGRAM,
  CONTENT_CLAUSES,
  CONTENT_OTHER,
  CONTENT_ABOVE
} evidence_content;

/* What it says something about, as a set. */
typedef enum evidence_about {
  ABOUT_STATES = 1,  /* properties of states, of a model without a heap */
  ABOUT_HEAP = 2,    /* properties of states, of a model with one */
  ABOUT_RUNS = 4,    /* temporal properties */
  ABOUT_CLAUSES = 8, /* the clauses that the model was made from, not the model */
  ABOUT_END = 16,    /* of clauses that are a program with procedures: whether every run ends (PROPERTY_ENDS) */
} evidence_about;

typedef enum evidence_shows { SHOWS_HOLDS, SHOWS_FAILS, SHOWS_CLAIM } evidence_shows;

typedef enum evidence_shown_as {
  SHOWN_AS_FORMULA,     /* the invariant, written for people */
  SHOWN_AS_RUN,         /* `steps`, if there are any */
  SHOWN_AS_GRAPHS,      /* as JSON and as a drawing */
  SHOWN_AS_DERIVATION,  /* instances of clauses */
  SHOWN_AS_DEFINITIONS, /* nothing but the certificate is shown */
} evidence_shown_as;

/* A row of evidence.def; the functions of a kind are known to certificate.c and check.c alone. */
typedef struct evidence_row {
  const char *name;
  evidence_content content;
  unsigned about; /* evidence_about */
  evidence_shows shows;
  evidence_shown_as shown_as;
  const char *format;
  const char *first_words;
} evidence_row;

/* REQUIREs a kind of the table: not EVIDENCE_NONE. */
KEEP const evidence_row *evidence_row_of(evidence_kind kind);
/* True if it is shown in this way; false of EVIDENCE_NONE. */
bool evidence_is_shown_as(evidence_kind kind, evidence_shown_as how);

/* An instance of a clause. What its premises derive, which are earlier steps, are the atoms of its body; the last step
 * derives nothing, it is a query's. */
typedef struct derivation_step {
  uint32_t clause;
  index_vector premises; /* one for each atom of the body, in its order */
  number_vector values;  /* of the clause's variables */
  bool has_atom;         /* what it derives is given too */
  uint32_t predicate;    /* of that, or NO_PREDICATE */
  number_vector atom;
} derivation_step;

/* Steps of a run of clauses: the clause is used so many times one after the other, each time with these values of what is
 * open in it (proof/replay/clause_replay.h). */
typedef struct clause_run_step {
  uint32_t clause;
  uint64_t times;
  number_vector choices;
} clause_run_step;

/* A division in the interpretation of a predicate by what may be 0. SMT-LIB leaves the value open then, but for one
 * dividend it is always the same: a variable stands for it, one for the predicate as a body and one for it as a
 * head. */
typedef struct open_division {
  bool is_mod;
  term dividend; /* over the parameters and the values of other open divisions */
  variable in_body, in_head;
} open_division;
typedef VECTOR(open_division) open_divisions;

typedef struct quotient_edge {
  uint32_t from, transition, to; /* blocks are numbered from 0 */
} quotient_edge;

/* Blocks may overlap; every reachable state is in one. The edges of a block cover what its states do: whichever takes a
 * step comes to a block that an edge of that transition leads to. If it `is_exact`, the other way round too: every
 * state of a block can take every edge of it, and so the graph is bisimilar to the system. A block without edges has no
 * states that can move. */
typedef struct quotient {
  bool is_exact;
  bool fails;               /* the claim: the property does not hold. Else it does */
  VECTOR(uint32_t) initial; /* blocks that cover the initial states; of an exact quotient that fails, each has one */
  VECTOR(quotient_edge) edges;
} quotient;

/* Of a ranking: a measure that need not fall by steps that leave a fairness constraint unsatisfied. */
typedef struct ranking_help {
  uint32_t measure, fairness; /* positions: in `measures`, and in the fairness of the model */
  term helpful;               /* over state variables: where the constraint is waited for */
} ranking_help;

/* Of a transition invariant: in a run from the earlier state to the later one, no step took the fairness constraint, and it was possible before
 * each of them; of `fair strong`: before one of them, if it `was_possible`. Of others that is always true. */
typedef struct relation_wait {
  uint32_t relation, fairness; /* positions: in `relations`, and in the fairness of the model */
  bool was_possible;
} relation_wait;

/* States of a model with channels of any length (model/queue/queue.h). */
typedef struct states_above {
  size_t width, channels; /* variables outside of channels, in the order of the model; channels */
  size_t count;
  VECTOR(int64_t) values;      /* `width` for each state */
  VECTOR(queue_word) contents; /* `channels` for each state; owned */
} states_above;

typedef struct evidence {
  evidence_kind kind;
  struct evidence *
      other; /* EVIDENCE_ANY_COPIES: about a property of `any_copies` of the model; EVIDENCE_COUNTED: of `counted`; owned */
  size_t other_property;
  counter_model *counted; /* EVIDENCE_COUNTED: made from the model for the property; owned */
  VECTOR(invariant_part) parts;
  /* EVIDENCE_K_INDUCTIVE: `parts` hold wherever they held in the `depth` states before, which all differ if
   * `states_differ`; and in the first `depth` states of every run. EVIDENCE_K_INTERPRETATION: the same of atoms and derivations. */
  size_t depth;
  bool states_differ;
  trace steps;
  /* For PROPERTY_NO_FAULT the trace ends in a state where this transition, with these inputs, has this fault. */
  uint32_t fault_transition, fault;
  number_vector fault_inputs;
  /* Of a trace that breaks a temporal property: the last state is state `loop` again; if `loop` is the last state
   * itself, nothing can be done there and it idles. */
  bool has_loop;
  size_t loop;
  quotient quotient; /* EVIDENCE_QUOTIENT: the graph of `parts`; `steps` may have a run to look at */
  /* EVIDENCE_RANKING: from where the promise (temporal_promise) is open on, `region` holds until it is kept, and of `measures`, integers over
   * state variables, one falls at each step that is at least 0 before it, while those before it in the list do not grow. A measure with one of
   * `helps` need not fall where the constraint is waited for (ranking.h). */
  term region;
  VECTOR(ranking_help) helps; /* at most one for a measure, in their order */
  /* EVIDENCE_TRANSITION_INVARIANT: as of a ranking, but a state of a run with `cut` and any later one while the promise is open are in one of
   * `relations`, over state variables and variable_next of them for the later one, and if that has `cut` too, the measure of the same
   * position has fallen from at least 0, or a fairness constraint was not satisfied in between. `between` falls from at least 0 by steps to
   * states without `cut` (transition_invariant.h). */
  term_vector relations;
  VECTOR(relation_wait) waits; /* sorted by relation and constraint, each at most once */
  term cut, between;
  /* EVIDENCE_RECURRENCE: `steps` lead to a state of `region`, in which the promise is open; in each of its states one of `choices`, a
   * transition with inputs and no values of states, can be taken and leads to a state of it. */
  trace choices;
  /* EVIDENCE_CALL_RANKING: as many for each predicate, over its parameters: all of the first one, then all of the second and so on. Along
   * each clause that leads from a place to another one, or to what is called there, one falls in the same way. */
  term_vector measures;
  diagram *states; /* EVIDENCE_STATES: all that can be reached, and maybe others; owned */
  states_above
      above; /* EVIDENCE_ABOVE: none of these can be reached, and none with more in its channels (check/above) */
  term_vector interpretation;         /* of each kind: of each predicate, over its parameters */
  variable_vector indices;            /* of the interpretation: integers, for all of which each formula is to hold */
  open_divisions divisions;           /* of the interpretation, which has their values as in bodies */
  VECTOR(derivation_step) derivation; /* EVIDENCE_DERIVATION: from facts to a query */
  VECTOR(clause_run_step) run;        /* EVIDENCE_CLAUSE_RUN: the same, each step from the one before it alone */
} evidence;

void evidence_clear(evidence *e); /* what it holds, not the struct */
/* True if it says plainly that no state can be reached: accepted, it means that the model has no initial state. */
bool evidence_is_empty(const evidence *e);
/* Accepted, it means that the property does not hold. */
bool evidence_is_against(const evidence *e);
/* The invariant, or the set of states, as one formula; true if it is about another model. */
term evidence_formula(terms *ts, const evidence *e);

/* `facts` hold in every reachable state: the invariant, or the set of states, says so too from now on. Of a set only
 * facts that give a variable a value are stated; traces stay as they are. */
void evidence_add_facts(terms *ts, evidence *e, term facts);

/* One part as a formula: its fixed values and its formula. */
term part_formula(terms *ts, const invariant_part *p);
/* Adds `formula` as a part; its conjuncts of the form `v = c`, `b` and `not b` become fixed values. */
void evidence_add_part(terms *ts, evidence *e, term formula);
/* `v = value` (for a boolean: `v` or `not v`). */
term fixed_term(terms *ts, variable v, number value);
/* True if `literal` says nothing but that one variable has one value. */
bool fixed_of_literal(const terms *ts, term literal, fixed_value *out);

#endif
