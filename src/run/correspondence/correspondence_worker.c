/* The search in a worker of its own, since a solver may crash or hang. What it found is two messages: the formulas, and the
 * conjuncts that follow from them, a line `TRANSITION CONJUNCT` each. */
#include <stdio.h>

#include "base/text.h"
#include "base/work.h"
#include "proof/formulas.h"
#include "run/correspondence/correspondence.h"

/* Counted work, about a fifth of a second; and what ends a solver that does not count its work. */
enum { MOST_WORK = 200 * 1000, MOST_PROCESSOR_SECONDS = 3 };

typedef struct search_task {
  model *m;
  uint64_t work;
} search_task;

static void find_in_worker(worker_inside *inside, void *context) {
  const search_task *task = context;
  model *m = task->m;
  known_invariants found = {0};
  text formulas = {0}, places = {0};
  inside->budget.work = task->work && task->work < MOST_WORK ? task->work : MOST_WORK;
  correspondence_find(m, &inside->budget, &found);
  for (size_t i = 0; i < found.formulas.count; i++) formulas_add(m->terms, found.formulas.at[i], &formulas);
  for (size_t i = 0; i < found.redundant.count; i++)
    text_add(&places, "%u %u\n", (unsigned)found.redundant.at[i].transition, (unsigned)found.redundant.at[i].conjunct);
  inside->statistics->work = work_done();
  channel_send(inside->pipe, MESSAGE_LEMMAS, text_string(&formulas), formulas.count);
  channel_send(inside->pipe, MESSAGE_TEXT, text_string(&places), places.count);
}

typedef struct listening {
  model *m;
  known_invariants *out;
  bool fine;
} listening;

static void read_places(listening *l, const char *lines) {
  unsigned transition, conjunct;
  for (int used = 0; sscanf(lines, "%u %u %n", &transition, &conjunct, &used) == 2; lines += used)
    VECTOR_PUSH(l->out->redundant, (conjunct_place){transition, conjunct});
}

/* Formulas first; what does not come whole is not used. */
static void listen(void *context, const message *m) {
  listening *l = context;
  if (!m) return;
  if (m->kind == MESSAGE_LEMMAS) l->fine = formulas_read(l->m, m->bytes, &l->out->formulas);
  if (m->kind == MESSAGE_TEXT && l->fine) read_places(l, m->bytes);
}

void correspondence_find_apart(model *m, uint64_t work, const worker_limits *limits, const atomic_bool *stop,
                               known_invariants *out) {
  listening l = {.m = m, .out = out};
  search_task task = {m, work};
  worker_limits own = *limits;
  own.processor_seconds = MOST_PROCESSOR_SECONDS;
  worker *w = worker_start(find_in_worker, &task, &own);
  worker_attend(w, stop, listen, &l);
  for (message last; worker_receive(w, &last);) listen(&l, &last);
  if (worker_state(w) != WORKER_RETURNED || !l.fine) {
    VECTOR_CLEAR(out->formulas);
    VECTOR_CLEAR(out->redundant);
  }
  worker_free(w);
}
