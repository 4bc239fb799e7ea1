/* A model with arrays that are kept: its transition system as a graph, and the clauses of that. */
#ifndef WHET_INPUT_WHET_ARRAYS_TO_CLAUSES_H
#define WHET_INPUT_WHET_ARRAYS_TO_CLAUSES_H

#include "input/whet/lower.h"

/* Gives `whole` the clauses of the model that was lowered, `l->model`. */
void arrays_to_clauses(lowering *l, model *whole);

#endif
