/* Procedures that are not recursive: at each call stands a copy of the body, so that the model is a transition system like
 * any other. The variables of a procedure are there once for each copy of a program that uses it: it has one call at a
 * time. Between calls they have fixed values, so that what a call leaves behind makes no states different. */
#ifndef WHET_INPUT_WHET_CALLS_LOWER_IN_PLACE_H
#define WHET_INPUT_WHET_CALLS_LOWER_IN_PLACE_H

#include "input/whet/program_graph.h"

/* Puts bodies into the graphs of procedures and programs, and finds out which program uses which procedures. */
void in_place_expand(lowering *l);
/* The variables of procedures that one copy of the program `f` uses; their names begin with `prefix`. */
void in_place_variables(lowering *l, const family *f, size_t copy, const char *prefix);
/* The same copy is the current one of all procedures that `f` uses. */
void in_place_set_copy(const family *f, size_t copy);
/* What their variables hold at first, in the current copy. */
void in_place_initial(lowering *l, const family *f);

/* What the step of `e` assigns, for calls, starts and returns. */
KEEP const assignments *in_place_updates(lowering *l, const program_edge *e);
/* What else it does, and what is checked where it starts; `here` holds there. */
void in_place_complete(lowering *l, const program_edge *e, term here, uint32_t transition);
/* What the procedure of `e` requires (at its start) or ensures (at its return). */
term in_place_contract(lowering *l, const program_edge *e);

typedef VECTOR(size_t) cell_numbers;
/* Adds the cells of all variables that the current copy of the procedure has; `unset_only`: of results, and of variables
 * without a first value. */
void in_place_cells(const process_tree *p, bool unset_only, cell_numbers *out);
/* Calls give any value to what can be read before it is set. The transitions of the graph begin with `first`. */
void in_place_unset(lowering *l, const family *f, uint32_t first);

#endif
