/* Random programs over lists, as text for whet and as instructions that run here: a meaning that shares nothing with
 * whet's. */
#ifndef WHET_TESTS_LIST_PROGRAM_H
#define WHET_TESTS_LIST_PROGRAM_H

#include "base/random.h"
#include "base/text.h"

enum { LIST_POINTERS = 3, LIST_MOST_INSTRUCTIONS = 24 };

typedef enum list_operation {
  LIST_NEW,
  LIST_COPY,
  LIST_CLEAR,
  LIST_NEXT,
  LIST_SET_NEXT,
  LIST_CUT,
  LIST_SET_DATA,  /* p.data := value */
  LIST_READ_DATA, /* flag := p.data */
  LIST_FLAG,      /* flag := value */
  LIST_COUNT,     /* n := n + step */
  LIST_FREE,      /* only of programs with memory */
  LIST_JUMP,      /* if condition { goto target } */
  LIST_ASSERT,
} list_operation;

typedef enum list_condition { IF_ANY, IF_NULL, IF_SAME, IF_DATA, IF_FLAG, IF_COUNT } list_condition;

typedef struct list_instruction {
  list_operation operation;
  list_condition condition;
  int p, q;
  bool value; /* what is written, or what the condition is to be */
  int step, target;
  int field; /* of programs with memory: 0 is next, 1 is prev */
  int color; /* of programs with memory: what data are written or compared with */
} list_instruction;

typedef struct list_program {
  list_instruction code[LIST_MOST_INSTRUCTIONS];
  int count;
  bool has_count;  /* uses n */
  bool has_memory; /* nodes have a second pointer and data of three colors, and are freed */
} list_program;

void list_program_random(random_source *r, bool with_count, list_program *out);
void list_program_random_memory(random_source *r, list_program *out);
void list_program_print(const list_program *p, text *out);

/* What can happen in runs whose states have at most `nodes` nodes and n between -9 and 9. */
typedef struct list_meaning {
  bool fails[LIST_MOST_INSTRUCTIONS]; /* by assertion */
  bool faults;
  bool leaks;       /* of programs with memory */
  bool is_complete; /* no run was cut short */
} list_meaning;

list_meaning list_program_explore(const list_program *p, int nodes);

#endif
