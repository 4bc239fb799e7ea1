/* What is to be verified, as the competition on software verification says it: a task definition (.yml), or a file with
 * properties (.prp). */
#ifndef WHET_INPUT_WITNESS_TASK_H
#define WHET_INPUT_WITNESS_TASK_H

#include "base/memory.h"
#include "base/vector.h"

typedef struct c_task_property {
  const char *name;     /* of whet; NULL if whet has no such property */
  const char *as_named; /* "termination.prp" */
  const char *expected; /* "true", "false" or "" */
} c_task_property;

typedef struct c_task {
  arena *arena;
  const char *file;     /* the program, with the folder of the definition; NULL of a file with properties */
  const char *machine;  /* "32", "64", or "" */
  const char *violated; /* while it is read: which of several properties is expected to be violated, or "" */
  VECTOR(c_task_property) properties;
} c_task;

/* By its ending. */
bool c_task_is_named(const char *path);
/* NULL, or why the file cannot be read as one (owned by the caller). Either way, clear the task. */
GIVE char *c_task_read(c_task *t, const char *path);
void c_task_clear(c_task *t);

#endif
