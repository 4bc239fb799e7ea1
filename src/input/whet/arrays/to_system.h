/* A model with arrays of any length as a transition system without arrays that has the same answers (`--without-arrays`).
 *
 *   forall in properties   `forall i : l..h . E` fails in some state for some i: a constant of its own, of which nothing is
 *                          known, stands for that i. So does `exists` in what must not be reached.
 *   fixed cells            An array that is read only at indices that never change is, at each of them, a variable. A step
 *                          that writes the array at an index sets those variables whose index it is.
 *   positions              An array of data that is never written, and read at any index: positions.h.
 *
 * All of that is exact. What does not fit is refused, by name. */
#ifndef WHET_INPUT_WHET_ARRAYS_TO_SYSTEM_H
#define WHET_INPUT_WHET_ARRAYS_TO_SYSTEM_H

#include "input/whet/lower.h"

/* Changes `l->model`, which was lowered; with messages if some array has to stay. */
void arrays_to_system(lowering *l);

/* A formula or expression of the model, and what it is for. */
typedef enum part_kind {
  PART_START, /* the initial condition */
  PART_TEST,  /* decides whether something happens: guards, faults */
  PART_VALUE, /* of `target` after a step */
  PART_BAD,
  PART_HINT, /* of which nothing depends */
} part_kind;

typedef struct model_part {
  term *at;
  part_kind kind;
  variable target;
  const char *of; /* the action, the property: for messages, as the place is */
  place place;
} model_part;

typedef VECTOR(model_part) model_parts;

/* Of all formulas but those of definitions. They stand where they are until the model gets more of them. */
void model_parts_find(model *m, model_parts *out);

/* Where the variable was declared, for messages. */
uint32_t arrays_declared_at(const lowering *l, variable v);

#endif
