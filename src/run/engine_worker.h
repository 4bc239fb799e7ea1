/* An engine in its worker: passes, steps, what it hears from others meanwhile, and its claim about the model as read.
 */
#ifndef WHET_RUN_ENGINE_WORKER_H
#define WHET_RUN_ENGINE_WORKER_H

#include "process/worker.h"
#include "run/outcome.h"

typedef struct engine_worker_task {
  const run_settings *settings;
  const engine *engine;
  size_t property;
  bool facts_only; /* no verdict is asked for, only what holds in every reachable state */
} engine_worker_task;

/* How many processes may work at the same time: as the options say, or one for each core. */
size_t engine_worker_jobs(const options *o);

/* What others found out is told as a text: one of these letters, then formulas in whet's language, a line each. */
enum { NEWS_FACTS = 'f', NEWS_PREDICATES = 'p', NEWS_HINTS = 'h' };

/* A worker_body; `context` is an engine_worker_task. Sends events as they come, and at last MESSAGE_CERTIFICATE or
 * MESSAGE_UNKNOWN. */
void engine_worker_run(worker_inside *inside, void *context);

#endif
