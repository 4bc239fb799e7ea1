/* What a machine is made of: shared by the compiler (machine.c) and the stepper (stepper.c) only. */
#ifndef WHET_ENGINE_EXPLICIT_COMPILED_H
#define WHET_ENGINE_EXPLICIT_COMPILED_H

#include "engine/explicit/machine.h"
#include "term/evaluate.h"

typedef enum change_kind {
  CHANGE_BY_PATCH, /* done by a patch */
  CHANGE_CONSTANT, /* := constant, which does not fit the field as it is */
  CHANGE_SHIFT,    /* := state[source] + constant */
  CHANGE_TEST,     /* := test */
  CHANGE_CODE,     /* := output `source` of the action's code */
} change_kind;

typedef struct change {
  change_kind kind;
  uint32_t position; /* of the variable that changes */
  uint32_t source;
  int64_t constant;
  condition *test;
} change;

/* Constants written into one word of the packed state. */
typedef struct patch {
  uint32_t word;
  uint64_t keep, bits;
} patch;

typedef struct fault_test {
  condition *when;
  uint32_t fault;
} fault_test;

typedef struct input_range {
  int64_t low, high;
} input_range;

typedef struct compiled_action {
  uint32_t transition;
  condition *guard;                /* the conjuncts without inputs, but for the one looked up; NULL if there are none */
  condition *input_guard;          /* those with inputs */
  VECTOR(fault_test) early_faults; /* may hold although the guard does not */
  VECTOR(fault_test) late_faults;  /* tested only if it does */
  VECTOR(change) changes;
  VECTOR(patch) patches;
  code *code;
  size_t code_count;
  VECTOR(input_range) inputs;
  bool counts_out; /* inputs by store/enumerate.h */
} compiled_action;

typedef struct switch_table {
  size_t position;
  int64_t low;
  size_t size;
  VECTOR(uint32_t) * lists; /* for each value, the actions */
} switch_table;

struct machine {
  const model *model;
  const layout *layout;
  uint32_t *slots;     /* while compiling: where a variable stands */
  uint32_t *switch_of; /* variable position -> index into `switches` plus 1, or 0 */
  VECTOR(compiled_action) actions;
  VECTOR(switch_table) switches;
  VECTOR(uint32_t) always;
  size_t most_inputs, most_codes;
  bool has_endless_input;
  variable endless_input;
};

#endif
