/* What an engine hands over with its verdict, and what the checker reads.
 *
 * An invariant is a disjunction of parts; each part fixes some variables (places of processes, control, whatever is
 * constant there) to values and gives a formula for the rest. One part without fixed variables is the plain case; no
 * part at all is `false`. A trace is a list of exact states with the transitions and inputs between
 * them. A set of states is listed, as a diagram; it is checked by trying every step from every state. Of a model with a
 * heap an invariant has a graph of the heap in each part; its formulas are about the other variables. */
#ifndef WHET_PROOF_EVIDENCE_H
#define WHET_PROOF_EVIDENCE_H

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
  heap_graph *graph; /* EVIDENCE_HEAP: the heaps that go with it, NULL where it may be any; owned */
} invariant_part;

typedef enum evidence_kind { EVIDENCE_NONE, EVIDENCE_INVARIANT, EVIDENCE_TRACE, EVIDENCE_STATES, EVIDENCE_HEAP } evidence_kind;

typedef struct evidence {
  evidence_kind kind;
  VECTOR(invariant_part) parts;
  trace steps;
  /* For PROPERTY_NO_FAULT the trace ends in a state where this transition, with these inputs, has this fault. */
  uint32_t fault_transition, fault;
  number_vector fault_inputs;
  diagram *states; /* EVIDENCE_STATES: all that can be reached, and maybe others; owned */
} evidence;

void evidence_free(evidence *e); /* what it holds, not the struct */
/* True where it says plainly that no state can be reached: accepted, it means that the model has no initial state. */
bool evidence_is_empty(const evidence *e);
/* The invariant as one formula. */
term evidence_formula(terms *ts, const evidence *e);

/* `facts` hold in every reachable state: the invariant, or the set of states, says so too from now on. Of a set only
 * facts that give a variable a value are told; traces stay as they are. */
void evidence_add_facts(terms *ts, evidence *e, term facts);

/* One part as a formula: its fixed values and its formula. */
term part_formula(terms *ts, const invariant_part *p);
/* Adds `formula` as a part; its conjuncts of the form `v = c`, `b` and `not b` become fixed values. */
void evidence_add_part(terms *ts, evidence *e, term formula);
/* `v = value` (for a boolean: `v` or `not v`). */
term fixed_term(terms *ts, variable v, number value);
/* True where `literal` says nothing but that one variable has one value. */
bool fixed_of_literal(const terms *ts, term literal, fixed_value *out);

#endif
