/* The heap of a concrete state: nodes numbered from 1, each with its data and its next node; 0 is null.
 *
 * In a trace nodes are numbered in the order in which they are made, and none ever goes away. In the words of a state
 * that is searched (model/semantics.h) only nodes that a variable leads to are kept, numbered as a walk from the
 * variables meets them, so that states that no program can distinguish are the same words. */
#ifndef WHET_MODEL_HEAP_H
#define WHET_MODEL_HEAP_H

#include "model/model.h"
#include "term/substitute.h"

typedef struct heap_cell {
  bool data;
  uint32_t next;
} heap_cell;

typedef VECTOR(heap_cell) heap_cells; /* node n is cell n - 1 */

/* What evaluation of heap tests reads in place of a node variable: 0 for null, else this. */
static inline int64_t heap_tagged(int64_t node, bool data) { return 2 * node + data; }

/* Puts tagged values of the node variables into an assignment (trace_assignment) made of their numbers. A number
 * without a cell counts as null. */
void heap_tag(const model *m, const heap_cells *cells, number *assignment);
/* Does `h` with `value` of its term: `before` and `after` are states by position, the same but for what plain updates
 * change. A command that has its fault changes nothing. */
void heap_run(const model *m, const heap_command *h, bool value, const number *before, number *after,
              heap_cells *cells);

/* Decides every heap test as it is if node variables have these tagged values, by variable. */
void heap_decide(const model *m, const number *tagged, substitution *s);

/* ---- words of a search: those of the variables, then one for each of `nodes` nodes, 2 * next + data or 0 ---- */

/* `words` hold the variables, tagged; `state` is what they were made of. */
void heap_words_tag(const model *m, const int64_t *state, int64_t *words);
/* As heap_run, on words; `out` has the variables' plain updates. False if more than `nodes` nodes are needed. */
bool heap_words_run(const model *m, const heap_command *h, bool value, size_t nodes, const int64_t *state,
                    int64_t *out);

#endif
