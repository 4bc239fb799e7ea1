/* One run of a model, step by step. */
#include "run/simulate/simulate.h"

#include "library/inside.h"
#include "process/channel.h"
#include "report/program_run.h"
#include "report/trace.h"

typedef struct simulate_task {
  model *model;
  const options *options;
  bool colour;
} simulate_task;

typedef struct simulated {
  char *run, *ending;
} simulated;

static void simulate_in_worker(worker_inside *inside, void *context) {
  simulate_task *task = context;
  evidence e = {0};
  text out = {0};
  char *ending = simulate_run(task->model, task->options, &inside->budget, &e);
  trace_style style = {.full = task->options->trace == TRACE_FULL, .colour = task->colour};
  if (e.kind == EVIDENCE_DERIVATION)
    program_run_print(task->model, &e, SIZE_MAX, &out);
  else
    trace_print(task->model, &e, NULL, style, &out);
  channel_send(inside->pipe, MESSAGE_TEXT, text_string(&out), out.count);
  if (ending) channel_send(inside->pipe, MESSAGE_NOTE, ending, strlen(ending));
}

static void listen_to_simulation(void *context, const message *m) {
  simulated *s = context;
  if (m && m->kind == MESSAGE_TEXT && !s->run) s->run = memory_copy_bytes(m->bytes, m->count);
  if (m && m->kind == MESSAGE_NOTE && !s->ending) s->ending = memory_copy_bytes(m->bytes, m->count);
}

char *whet_simulate(whet_model *m, const whet_options *o, bool colour, char **ending) {
  simulate_task task = {m->model, o->options, colour};
  simulated s = {0};
  worker_limits limits = library_limits(o->options);
  worker *w = worker_start(simulate_in_worker, &task, &limits);
  worker_attend(w, NULL, listen_to_simulation, &s);
  if (worker_state(w) != WORKER_RETURNED && !s.ending) s.ending = memory_copy_string(worker_reason(w));
  worker_free(w);
  *ending = s.ending;
  return s.run ? s.run : memory_copy_string("");
}
