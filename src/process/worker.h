/* Child processes that do the work which may go wrong: engines, the checker of evidence, the simulator, the parser of
 * SMT-LIB text.
 *
 * A worker has a session of its own, a pipe to its parent for messages (process/channel.h), and a page shared with
 * it: its statistics, which so survive it, and the flag that asks it to stop. Its limits are kept from inside (the
 * budget it is given; allocation fails beyond the memory limit) and, if it does not listen, from outside: it is
 * killed with its whole session. Nothing it does can harm its parent, and none is left behind when the parent dies.
 *
 *     worker *w = worker_start(body, context, &limits);
 *     while (worker_state(w) == WORKER_RUNS) {
 *       workers_wait(1, &w, 0.1);
 *       for (message m; worker_receive(w, &m);) ..
 *     }
 *     worker_free(w);
 */
#ifndef WHET_PROCESS_WORKER_H
#define WHET_PROCESS_WORKER_H

#include "base/budget.h"
#include "base/statistics.h"
#include "base/vector.h"
#include "process/channel.h"

typedef struct worker worker;

typedef struct worker_limits {
  double deadline;            /* in seconds of clock_seconds(); 0 = none */
  double grace;               /* seconds after the deadline when a worker that still runs is killed */
  uint64_t memory;            /* bytes of resident memory; 0 = no limit */
  uint64_t processor_seconds; /* 0 = no limit; a process that has used them is ended by the system */
  uint64_t turn;              /* the count of work (base/work.h) at which its first turn ends; 0 = it takes no turns */
} worker_limits;

/* Three quarters of the memory that the machine, or the container, has: beyond that it would only swap or be killed. */
uint64_t worker_memory_by_default(void);

/* What the body has in the child. */
typedef struct worker_inside {
  int pipe;
  statistics *statistics;
  budget budget;
  channel orders; /* from the parent, for one that takes turns */
  VECTOR(char *) news;
} worker_inside;

/* Runs in the child with a copy of all memory; when it returns, the child ends. */
typedef void worker_body(worker_inside *inside, void *context);

typedef enum worker_end {
  WORKER_RUNS,
  WORKER_RETURNED,      /* the body returned */
  WORKER_OUT_OF_TIME,   /* killed after its deadline, or when its processor time was used up */
  WORKER_OUT_OF_MEMORY, /* killed above its limit, or an allocation failed */
  WORKER_STOPPED,       /* was asked to stop and killed */
  WORKER_CRASHED,
  WORKER_GARBLED, /* what it sent is no message */
} worker_end;

GIVE worker *worker_start(worker_body *body, void *context, const worker_limits *limits);
/* Returns when some worker has sent something or has ended, or after `seconds`. Keeps their limits meanwhile: call it
 * often. */
void workers_wait(size_t count, worker *const *workers, double seconds);
/* The next message, valid until the next call about this worker. Also after the end there may be some left. */
bool worker_receive(worker *w, message *out);
worker_end worker_state(const worker *w);
/* After the end: why, in words ("time limit reached", "crashed: Segmentation fault"). */
KEEP const char *worker_reason(const worker *w);
/* So far, or at the end. */
KEEP const statistics *worker_statistics(const worker *w);
/* Asks it to stop; what does not stop by itself within half a second is killed. */
void worker_stop(worker *w);

/* For workers that take turns. The worker announces the end of a turn by MESSAGE_TURN and waits, using nothing but
 * memory. What is sent to it, at any time, is in `news` when its next turn begins, which ends at the count of work
 * `turn`. */
void worker_send_news(worker *w, const char *news);
/* For one that has announced the end of its turn. */
void worker_next_turn(worker *w, uint64_t turn);
/* Holds it in the middle of a turn, and lets it go on. */
void worker_hold(worker *w);
void worker_release(worker *w);
/* True if it waits for something other than the processor; one that only lacks processor time is awake. */
bool worker_is_asleep(const worker *w);
/* Seconds of processor time that it has used. */
double worker_seconds(const worker *w);

/* Waits until it has ended and passes on what it sends. In between, `listen` is called with NULL about ten times a
 * second; `stop`, which may be NULL, asks the worker to stop once it is set. */
typedef void worker_listener(void *context, const message *m);
void worker_attend(worker *w, const atomic_bool *stop, worker_listener *listen, void *context);
/* Kills it if it still runs. */
void worker_free(TAKE worker *w);

#endif
