/* What an engine hands over with its verdict, and what the checker reads.
 *
 * An invariant is a disjunction of parts; each part fixes some finite variables (places of processes, control) to values and gives a formula for
 * the rest. One part without fixed variables is the plain case. A trace is a list of exact states with the transitions and inputs between them. */
#ifndef WHET_PROOF_EVIDENCE_H
#define WHET_PROOF_EVIDENCE_H

#include "model/trace.h"

typedef struct fixed_value {
  variable var;
  number value;
} fixed_value;

typedef struct invariant_part {
  VECTOR(fixed_value) fixed; /* sorted by variable */
  term formula;
} invariant_part;

typedef enum evidence_kind { EVIDENCE_NONE, EVIDENCE_INVARIANT, EVIDENCE_TRACE } evidence_kind;

typedef struct evidence {
  evidence_kind kind;
  VECTOR(invariant_part) parts;
  trace steps;
  /* For PROPERTY_NO_FAULT the trace ends in a state where this transition, with these inputs, has this fault. */
  uint32_t fault_transition, fault;
  number_vector fault_inputs;
} evidence;

void evidence_free(evidence *e); /* what it holds, not the struct */
/* The invariant as one formula. */
term evidence_formula(terms *ts, const evidence *e);

#endif
