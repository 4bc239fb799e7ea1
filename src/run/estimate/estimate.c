/* The worker that makes an estimate, and what is heard from it. */
#include "run/estimate/estimate.h"

#include "base/work.h"
#include "engine/engine.h"
#include "model/passes.h"
#include "process/channel.h"

typedef struct estimate_task {
  model *model;
  size_t property;
  const options *options;
  estimate_printer *print;
} estimate_task;

typedef struct telling {
  const estimate_task *task;
  int pipe;
} telling;

static void tell(void *context, const space_estimate *e) {
  const telling *t = context;
  text out = {0};
  t->task->print(e, t->task->options, &out);
  channel_send(t->pipe, e->is_final && !e->spent ? MESSAGE_ACCEPTED : MESSAGE_TEXT, text_string(&out), out.count);
  text_clear(&out);
}

/* A property that nothing breaks, so that the search does not end before it has seen all. */
static size_t neutral_property(model *m) {
  model_add_property(m, "whole-space", PROPERTY_SAFE, (place){0});
  return m->properties.count - 1;
}

static void estimate_in_worker(worker_inside *inside, void *context) {
  const estimate_task *task = context;
  model *m = task->model;
  passes *small = NULL;
  space_estimate e;
  telling t = {task, inside->pipe};
  if (task->property != SIZE_MAX) small = passes_run(m, task->property, &inside->budget);
  if (small) m = passes_model(small);
  inside->budget.work = task->options->work ? work_done() + (uint64_t)task->options->work : 0;
  engine_environment env = {.model = m,
                            .property = neutral_property(m),
                            .options = task->options,
                            .statistics = inside->statistics,
                            .budget = &inside->budget,
                            .cores = 1};
  engines_find("explicit")->estimate(&env, (uint64_t)task->options->sample, task->options->seed, tell, &t, &e);
  space_estimate_clear(&e);
  passes_free(small);
}

static void listen(void *context, const message *m) {
  estimate_outcome *o = context;
  if (!m || (m->kind != MESSAGE_TEXT && m->kind != MESSAGE_ACCEPTED)) return;
  memory_free(o->shown);
  o->shown = memory_copy_bytes(m->bytes, m->count);
  o->is_complete = m->kind == MESSAGE_ACCEPTED;
}

void estimate_outcome_clear(estimate_outcome *o) {
  memory_free(o->shown);
  memory_free(o->ending);
  *o = (estimate_outcome){0};
}

estimate_outcome estimate_run(model *m, size_t property, const options *o, const worker_limits *limits,
                              const atomic_bool *stop, estimate_printer *print) {
  estimate_task task = {m, property, o, print};
  estimate_outcome out = {0};
  worker *w = worker_start(estimate_in_worker, &task, limits);
  worker_attend(w, stop, listen, &out);
  if (worker_state(w) != WORKER_RETURNED) out.ending = memory_copy_string(worker_reason(w));
  worker_free(w);
  return out;
}
