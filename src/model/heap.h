/* The heap of a concrete state: nodes numbered from 1, each with its value and its pointers (term/heap/node_layout.h); 0 is
 * null.
 *
 * A node that was freed stays, with the value NODE_FREED and null pointers, as long as a variable leads to it. If the
 * model frees nodes, its variable `lost` is null until a command takes away the last way from another variable to a
 * node that was not freed; it then is that node, for good. Of several, it is the first in the order of fields.
 *
 * In a trace nodes are numbered in the order in which they are made, and none ever goes away. In the words of a state
 * that is searched (model/semantics.h) only nodes that a variable leads to are kept, numbered as a walk from the
 * variables meets them, so that states that no program can distinguish are the same words. */
#ifndef WHET_MODEL_HEAP_H
#define WHET_MODEL_HEAP_H

#include "model/model.h"
#include "term/heap/node_layout.h"
#include "term/substitute.h"

typedef struct heap_cell {
  uint8_t value;
  uint32_t next[NODE_MOST_POINTERS]; /* by pointer field */
} heap_cell;

typedef VECTOR(heap_cell) heap_cells; /* node n is cell n - 1 */

static inline bool heap_has_value(heap_kind k) { return k == HEAP_NEW || k == HEAP_SET_DATA; }
static inline bool heap_has_source(heap_kind k) { return k == HEAP_COPY || k == HEAP_NEXT || k == HEAP_SET_NEXT; }

/* Puts tagged values of the node variables (node_tagged) into an assignment (trace_assignment) made of their numbers. A
 * number without a cell counts as null. */
void heap_tag(const model *m, const heap_cells *cells, number *assignment);
/* Does `h` with `value` of its term: `before` and `after` are states by position, the same but for what plain updates
 * change. A command that has its fault changes nothing. */
void heap_run(const model *m, const heap_command *h, unsigned value, const number *before, number *after,
              heap_cells *cells);

/* Decides every heap test as it is if node variables have these tagged values, by variable. */
void heap_decide(const model *m, const number *tagged, substitution *s);
/* Decides the tests of the data of `p` as they are if its node has this value. */
void heap_decide_data(const model *m, variable p, unsigned value, substitution *s);

/* ---- words of a search: those of the variables, then one for each of `nodes` nodes ---- */

/* A node as a word, and back; 0 is none. */
int64_t heap_word_of(const heap_cell *c);
heap_cell heap_word_cell(int64_t word);
/* `words` hold the variables, tagged; `state` is what they were made of. */
void heap_words_tag(const model *m, const int64_t *state, int64_t *words);
/* As heap_run, on words; `out` has the variables' plain updates. False if more than `nodes` nodes are needed. */
bool heap_words_run(const model *m, const heap_command *h, unsigned value, size_t nodes, const int64_t *state,
                    int64_t *out);

#endif
