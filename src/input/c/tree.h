/* The syntax tree of a C program as clang gives it: nodes with what the reader needs of them. Types are clang's texts
 * (input/c/types.h reads them). */
#ifndef WHET_INPUT_C_TREE_H
#define WHET_INPUT_C_TREE_H

#include "base/memory.h"

typedef enum c_kind {
  C_ABSENT, /* a part that is not there, such as the condition of for (;;) */
#define KIND(CONSTANT, NAME, LEAST) CONSTANT,
#include "input/c/kinds.def"
#undef KIND
  C_OTHER, /* see kind_name */
} c_kind;

typedef struct c_node {
  c_kind kind;
  const char *kind_name; /* clang's */
  uint32_t start, end;   /* offsets in the text, if `is_here` */
  bool is_here;          /* in the file itself, not in a header */
  bool is_of_system;     /* in a header of the system */
  const char *name;      /* "" if it has none */
  const char *opcode, *value, *cast, *storage;
  const char *type;          /* the type as clang writes it, typedefs of the outermost level resolved */
  bool has_length_in_type;   /* its type is written with `[..]` at the end, not by the name of another type */
  const char *argument_type; /* of sizeof (type) */
  const char *compute_type;  /* of `a op= b`: the type of `a op b` */
  uint64_t id;
  uint64_t reference; /* the declaration, label or member that this is about */
  c_kind reference_kind;
  const char *reference_name;
  bool is_postfix, is_arrow, is_bit_field, has_else, has_filler;
  bool has_label; /* it is, or holds, a label, `case` or `default` */
  size_t count;
  struct c_node **inner;
} c_node;

/* The tree of clang's JSON, in `a`. NULL and `*error` (to be freed) if the text is no such tree. */
KEEP c_node *c_tree_read(arena *a, const char *json, size_t length, char **error);

/* NULL, or (to be freed) in what the tree is not made as the reader takes it for granted: how many parts nodes have, which
 * operators there are. */
GIVE char *c_tree_mistake(const c_node *tree);

#endif
