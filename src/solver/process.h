/* A child process that is talked to over pipes. It may die, hang, flood us or never read: none of that blocks us beyond
 * the limits. */
#ifndef WHET_SOLVER_PROCESS_H
#define WHET_SOLVER_PROCESS_H

#include "base/text.h"
#include "solver/limits.h"

typedef struct process process;

/* `command` is run by the shell, in a process group of its own, with at most `memory` bytes (0: no limit). NULL where
 * the system has no room for it. */
GIVE process *process_start(const char *command, uint64_t memory);
/* Kills the whole group and leaves no zombie. */
void process_free(TAKE process *p);

/* Takes note of what is to be written; `process_receive` does it. */
void process_send(process *p, const char *bytes, size_t count);
typedef enum process_status { PROCESS_RECEIVED, PROCESS_ENDED, PROCESS_LIMIT } process_status;
/* Writes what is to be written and waits for output of the child, at least one byte of which is added to `out`. */
process_status process_receive(process *p, const limits *l, text *out);
/* After PROCESS_ENDED: how it ended and the first line it wrote to its standard error. */
void process_epitaph(process *p, text *out);

#endif
