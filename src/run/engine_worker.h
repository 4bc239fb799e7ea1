/* An engine in its worker: steps, what it gets from others meanwhile, and its claim about the model as read. The model
 * after the passes is inherited from the parent, which runs them once for all engines (run/portfolio.h). */
#ifndef WHET_RUN_ENGINE_WORKER_H
#define WHET_RUN_ENGINE_WORKER_H

#include "model/passes.h"
#include "process/worker.h"
#include "run/settings.h"

typedef struct engine_worker_task {
  const run_settings *settings;
  const engine *engine;
  size_t property;
  passes *passes;  /* of this property; an engine that wants the model as read leaves them aside */
  bool facts_only; /* no verdict is asked for, only what holds in every reachable state */
} engine_worker_task;

/* How many processes may work at the same time: as the options say, or one for each core. */
size_t engine_worker_jobs(const options *o);

/* What others found out is sent as a text: one of these letters, then formulas (proof/formulas.h). */
enum { NEWS_FACTS = 'f', NEWS_PREDICATES = 'p', NEWS_HINTS = 'h' };

/* A worker_body; `context` is an engine_worker_task. Sends events as they come, and at last MESSAGE_CERTIFICATE or
 * MESSAGE_UNKNOWN. */
void engine_worker_run(worker_inside *inside, void *context);

#endif
