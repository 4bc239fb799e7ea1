/* SMT-LIB expressions after Z3 has parsed them: a flat table, arguments before those who use them. `let` and
 * definitions are gone; what they named is shared. */
#ifndef WHET_INPUT_SMTLIB_NODES_H
#define WHET_INPUT_SMTLIB_NODES_H

#include "base/text.h"
#include "term/term.h"

typedef enum node_operator {
  NODE_TRUE,
  NODE_FALSE,
  NODE_NUMBER, /* name: its digits, with a sign; of a fraction as 7/2 */
  NODE_SYMBOL, /* name: a declared constant, predicate or function, with its arguments */
  NODE_BOUND,  /* index: counts quantifiers from the inside, as Z3 does */
  NODE_FORALL, /* one argument, and what is bound */
  NODE_EXISTS,
  NODE_NOT,
  NODE_AND,
  NODE_OR,
  NODE_XOR,
  NODE_IMPLIES,
  NODE_EQUAL,
  NODE_DISTINCT,
  NODE_ITE,
  NODE_LESS,
  NODE_AT_MOST,
  NODE_GREATER,
  NODE_AT_LEAST,
  NODE_ADD,
  NODE_SUBTRACT,
  NODE_NEGATE,
  NODE_MULTIPLY,
  NODE_DIV,
  NODE_MOD,
  NODE_ABS,
  NODE_DIVIDE, /* of reals */
  NODE_TO_REAL,
  NODE_TO_INT,
  NODE_IS_INT,
  NODE_SELECT,
  NODE_STORE,
  NODE_CONSTANT_ARRAY, /* its sort is that of the array */
  NODE_CONSTRUCTOR,    /* name: of an enumeration's value */
  NODE_IS_VALUE,       /* name: the value that its argument is compared with */
  NODE_OTHER,          /* name: an operator that whet does not know */
} node_operator;

/* Arrays are by Int. NODE_DATATYPE: of an enumeration, or of a datatype that the text did not declare. */
typedef enum node_sort {
  NODE_BOOL,
  NODE_INT,
  NODE_REAL,
  NODE_ARRAY_OF_BOOL,
  NODE_ARRAY_OF_INT,
  NODE_ARRAY_OF_REAL,
  NODE_LAST_ARRAY = NODE_ARRAY_OF_BOOL + 3 * MOST_NESTING + 2, /* arrays of arrays: 3 more for each nesting */
  NODE_DATATYPE,
  NODE_OTHER_SORT
} node_sort;

static inline bool node_sort_is_array(unsigned s) { return s >= NODE_ARRAY_OF_BOOL && s <= NODE_LAST_ARRAY; }
static inline type node_array_type(unsigned s) {
  static const sort elements[] = {SORT_BOOL, SORT_INT, SORT_REAL};
  unsigned at = s - NODE_ARRAY_OF_BOOL;
  return (type){.sort = SORT_ARRAY, .element = elements[at % 3], .nesting = (uint8_t)(at / 3)};
}

typedef struct node {
  uint8_t op, sort;
  uint32_t count, first;             /* arguments, in `arguments` */
  uint32_t bound_count, bound_first; /* quantifiers: what is bound, in `bound`, outermost first */
  uint32_t name;                     /* offset into `strings`, or the index of NODE_BOUND */
} node;

typedef struct bound_name {
  uint32_t name, sort_name;
  uint8_t sort;
} bound_name;

typedef struct nodes {
  VECTOR(node) nodes;
  VECTOR(uint32_t) arguments;
  VECTOR(bound_name) bound;
  VECTOR(uint32_t) roots; /* the assertions, in their order */
  VECTOR(char) strings;   /* each ends with a zero */
} nodes;

static inline const char *node_string(const nodes *n, uint32_t offset) { return n->strings.at + offset; }

static inline uint32_t node_argument(const nodes *n, const node *of, size_t i) {
  return n->arguments.at[of->first + i];
}

static inline void nodes_free(nodes *n) {
  VECTOR_FREE(n->nodes);
  VECTOR_FREE(n->arguments);
  VECTOR_FREE(n->bound);
  VECTOR_FREE(n->roots);
  VECTOR_FREE(n->strings);
}

#endif
