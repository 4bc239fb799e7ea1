/* Steps of a program with procedures, taken on its clauses, which say one step each (input/procedures/flow.h).
 *
 * A frame of the call stack is a list of facts: the one that says where the procedure stands, and with which values;
 * then what calls on the way to its next place have given back. The frame of a program that has not started is empty. */
#ifndef WHET_ENGINE_PROGRAM_STEPS_H
#define WHET_ENGINE_PROGRAM_STEPS_H

#include "engine/facts.h"
#include "store/enumerate.h"

typedef struct program_steps program_steps;

/* One instance of a clause: the values of its variables, and the head's arguments. False to stop. */
typedef bool program_visitor(void *context, uint32_t clause, const number_vector *values, const number_vector *derived);

/* All of it outlives the steps. `starts`: how many starts of the program are tried if they cannot be counted. */
GIVE program_steps *program_steps_new(const ground_facts *known, uint64_t starts, budget *b);
void program_steps_free(TAKE program_steps *s);
/* True if facts of this predicate say that a procedure returns. */
bool program_steps_is_exit(const program_steps *s, uint32_t predicate);
/* Visits what the clauses derive from the frame: steps, calls and queries. The result says whether that is all; if some
 * clause was not counted out, what the first of those ended with. */
enumeration program_steps_take(program_steps *s, const index_vector *frame, program_visitor *visit, void *context);
/* Why the steps taken were not all there are, of a result that says so. */
GIVE char *program_steps_gap(const program_steps *s, const enumeration *result);

#endif
