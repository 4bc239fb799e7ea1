/* What a pointer variable may point into: up to some objects, each by a number that a cell of the pointer holds. */
#ifndef WHET_INPUT_C_POINTERS_TARGETS_H
#define WHET_INPUT_C_POINTERS_TARGETS_H

#include "input/c/heap/heap.h"

enum { C_MOST_TARGETS = 8 };

typedef struct c_target {
  const c_object *object;
  size_t count, leaf;
  term outer; /* of a pointer that is assigned; others have it in a cell if there are several targets */
} c_target;

typedef struct c_targets {
  c_target at[C_MOST_TARGETS];
  size_t count;
} c_targets;

#define C_NO_TARGET SIZE_MAX

/* The number of the target into which a pointer with this value points, which is not null. */
size_t c_target_of(const c_targets *targets, const c_operand *value, bool has_outer);
/* Another target; false, after a refusal, if there cannot be so many, or not of this kind. */
bool c_target_add(c_lowering *l, c_targets *targets, const c_operand *value, const c_node *at, const char *name);
/* What earlier readings found that the variable is assigned. */
void c_targets_recall(c_lowering *l, const c_node *variable, c_targets *out);
/* The variable was used before this target was known: another reading will know it. Refuses the program in this one. */
void c_target_remember(c_lowering *l, const c_node *variable, const c_operand *value, const c_node *at);

#endif
