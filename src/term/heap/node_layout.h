/* The fields of the nodes of a model: pointers to nodes, and data of finite types.
 *
 * All data of a node are one number, its *value*: field k with `size` values counts for `stride` times the position of
 * its own value, 0 for the lowest, `false` or the first of an enumeration. There are at most NODE_MOST_VALUES, so sets of
 * them are bits of a word. A node that was freed has the value NODE_FREED and no other. */
#ifndef WHET_TERM_HEAP_NODE_LAYOUT_H
#define WHET_TERM_HEAP_NODE_LAYOUT_H

#include "base/text.h"
#include "term/term.h"

enum { NODE_MOST_POINTERS = 4, NODE_MOST_FIELDS = 4, NODE_MOST_VALUES = 60, NODE_FREED = 60 };
#define NODE_VALUE(V) (UINT64_C(1) << (V))

typedef struct node_field {
  const char *name;
  type of;
  unsigned size, stride;
} node_field;

typedef struct node_layout {
  size_t pointer_count, field_count;
  const char *pointers[NODE_MOST_POINTERS];
  node_field fields[NODE_MOST_FIELDS];
  unsigned values; /* of all fields together; 1 if there are none */
} node_layout;

/* `data : bool`, `next : node`. */
extern const node_layout node_layout_default;

/* Of a type of nodes. */
static inline const node_layout *type_layout(const type *t) { return t->layout ? t->layout : &node_layout_default; }

/* Field `f` of a node with this value: a position, from 0. */
static inline unsigned node_part(const node_layout *l, size_t f, unsigned value) {
  return value / l->fields[f].stride % l->fields[f].size;
}
/* The value after field `f` is set. */
static inline unsigned node_with(const node_layout *l, size_t f, unsigned value, unsigned part) {
  return value + part * l->fields[f].stride - node_part(l, f, value) * l->fields[f].stride;
}
/* The values in which field `f` is `part`; all values; all values and NODE_FREED. */
uint64_t node_values_with(const node_layout *l, size_t f, unsigned part);
static inline uint64_t node_values(const node_layout *l) { return NODE_VALUE(l->values) - 1; }

/* A node variable as evaluation reads it: 0 for null, else this. */
static inline int64_t node_tagged(int64_t node, unsigned value) { return 64 * node + value; }
/* Its value is among these. */
bool node_value_is_among(number tagged, number values);

/* Field `f` as a term: a truth value or a number, by cases. */
term node_field_term(terms *ts, variable p, size_t f);
/* Position `part` of a field, as it is written: `true`, `red`, `7`. */
void node_part_print(const node_layout *l, size_t f, unsigned part, text *out);
/* Which position of which field a test of data asks for; false if it asks whether the node was freed. */
bool node_test_of(const node_layout *l, uint64_t values, size_t *f, unsigned *part);

#endif
