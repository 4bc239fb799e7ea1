/* C's types, read from the texts by which clang names them. */
#ifndef WHET_INPUT_C_TYPES_H
#define WHET_INPUT_C_TYPES_H

#include "base/map.h"
#include "base/number.h"
#include "base/vector.h"
#include "input/c/tree.h"

typedef enum c_type_kind {
  TYPE_VOID,
  TYPE_INTEGER,
  TYPE_ARRAY,
  TYPE_POINTER,
  TYPE_STRUCT,
  TYPE_FUNCTION,
  TYPE_OTHER
} c_type_kind;

typedef struct c_field {
  uint64_t id; /* of its declaration */
  const char *name;
  const struct c_type *type;
  size_t cell; /* where its first cell is */
} c_field;

/* Every value is made of cells, each of which holds an integer (or a pointer, which no cell is read as). */
typedef struct c_type {
  c_type_kind kind;
  const char *text; /* as clang writes it */
  unsigned bits;    /* integers */
  bool is_signed, is_bool, is_volatile;
  bool is_function;             /* a number that stands for a function (function_pointers.c); `target` is its type */
  bool is_address;              /* a number that is a pointer into memory (heap/heap.h); `target` is its type */
  number low, high;             /* integers: the least and the greatest value */
  const struct c_type *element; /* arrays */
  size_t count;                 /* arrays */
  const char *length;           /* arrays without a constant size: it, as text; `count` and `cells` are then unknown */
  const char *target;           /* pointers, also to functions: the type pointed to, as text */
  VECTOR(c_field) fields;       /* structs */
  size_t cells;
  uint64_t bytes, alignment; /* 0 if unknown */
  const char *refusal;       /* TYPE_OTHER: what it is, in words: "floating point" */
} c_type;

typedef struct c_types {
  arena *arena;
  bool is_32;
  names *typedefs, *records, *enums; /* name -> node */
  bool has_aligned_names;            /* some typedef has an alignment of its own: how large structs are is not known */
  names *known;                      /* text -> c_type */
  names *in_memory;                  /* keys of types: pointers to them are addresses */
  VECTOR(c_type *) structs;          /* whose vectors are to be freed */
} c_types;

void c_types_open(c_types *ts, arena *a, bool is_32, const c_node *tree);
void c_types_close(c_types *ts);
/* Never NULL. */
KEEP const c_type *c_type_of(c_types *ts, const char *text);
KEEP const c_type *c_type_target(c_types *ts, const c_type *pointer);
/* What is the same for all texts that name one type, also by typedefs: "struct node", "i32", "struct node*". In the
 * arena of `ts`. */
KEEP const char *c_type_key(c_types *ts, const char *text);
/* From now on, pointers to the types with these keys are addresses. All types are read again. */
void c_types_move_to_memory(c_types *ts);
/* The signed integer type of so many bits. */
KEEP const c_type *c_type_signed(c_types *ts, unsigned bits);
number number_power_of_two(unsigned exponent);
static inline bool c_type_is_integer(const c_type *t) { return t->kind == TYPE_INTEGER; }

#endif
