/* Formulas as gates over numbered leaves (their atoms), evaluated while some leaves are still open. */
#ifndef WHET_PREDICATE_CIRCUIT_H
#define WHET_PREDICATE_CIRCUIT_H

#include "term/term.h"

typedef enum truth { TRUTH_NO, TRUTH_YES, TRUTH_OPEN } truth;

typedef struct circuit circuit;

GIVE circuit *circuit_new(const terms *ts, size_t count, const term *roots);
void circuit_free(TAKE circuit *c);
/* The atoms, positive, in a fixed order. */
size_t circuit_leaves(const circuit *c);
term circuit_leaf(const circuit *c, size_t leaf);
/* `leaves` has a truth for each leaf. What the roots are then: circuit_root. */
void circuit_evaluate(circuit *c, const uint8_t *leaves);
truth circuit_root(const circuit *c, size_t root);
/* An open leaf that decides something about this open root. */
size_t circuit_open_leaf(const circuit *c, size_t root);

#endif
