/* The value of terms under an assignment: exact and slow, or compiled and fast.
 *
 * The exact one is for the checker of evidence and for tests. The compiled one works on 64-bit words, checks every
 * operation, and says so when a value does not fit. */
#ifndef WHET_TERM_EVALUATE_H
#define WHET_TERM_EVALUATE_H

#include "term/term.h"

/* `values[v.x]` is the value of variable v; booleans are 0 and 1. Of a node variable it is 0 for null, else twice the
 * number of its node plus the node's data: that is all that heap tests ask for. The data of null is false. Of an array variable it is the number of an array value (array_value.h). Those of integer variables are
 * integers. */
number term_evaluate(const terms *ts, term t, const number *values);

typedef struct code code;

typedef enum code_status { CODE_FINE, CODE_OVERFLOW } code_status;

/* Compiles `roots` together, sharing what they share. Node variables are read as term_evaluate reads them. `slots[v.x]`
 * says where in the state vector variable v is; it must have an entry for every variable that occurs. Constants that do
 * not fit in 64 bits, and all that is real, make running it an overflow. */
GIVE code *code_compile(const terms *ts, size_t count, const term *roots, const uint32_t *slots);
void code_free(TAKE code *c);
/* Values of the roots into `out`, one word each. */
code_status code_run(const code *c, const int64_t *state, int64_t *out);

/* A condition, compiled so that a false conjunct ends the evaluation: 1, 0, or -1 for overflow. */
typedef struct condition condition;
GIVE condition *condition_compile(const terms *ts, term t, const uint32_t *slots);
void condition_free(TAKE condition *c);
int condition_holds(const condition *c, const int64_t *state);

#endif
