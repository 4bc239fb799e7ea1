/* The one place that forks: a child that is its parent's alone, and its end. */
#ifndef WHET_PROCESS_CHILD_H
#define WHET_PROCESS_CHILD_H

#include <sys/resource.h>
#include <sys/types.h>

#include "base/base.h"

typedef enum child_place {
  CHILD_IN_SESSION, /* of its own: all that it starts, in whatever group, can be ended with it */
  CHILD_IN_GROUP,   /* of its own, in its parent's session */
} child_place;

/* A pipe whose ends do not survive an exec: to read from, to write to. False if there is none to be had. */
bool child_pipe(int ends[2]);
/* As fork: 0 in the child, negative if there is none. The child is alone in its place, dies with its parent, and takes
 * signals as a program that has just been started. What it does before an exec is safe in a program with threads. */
pid_t child_fork(child_place place);
/* As child_fork(CHILD_IN_GROUP), for a command that may start processes of its own: the child is the guard of the one that gets 0. The
 * guard ends as that one does, and if the parent is gone however that came about, it kills the whole group. */
pid_t child_fork_guarded(void);
/* In the child. */
void child_limit(int resource, uint64_t most);
void child_kill(pid_t child); /* with its group */
/* Kills it with its group and waits for it; what is left of its session goes too, unless it had returned by itself. The
 * status is that of waitpid; `used` may be NULL. */
int child_end(pid_t child, child_place place, struct rusage *used);
/* True if it has ended by itself; it is still to be waited for. */
bool child_has_ended(pid_t child);

#endif
