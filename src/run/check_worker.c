/* The worker's answer is one message, whose kind is the answer; its text is the property's index, the kind of evidence,
 * whether it is against the property, the number of obligations, and the obligation in question; if accepted,
 * "vacuous" or nothing. */
#include "run/check_worker.h"

#include "base/text.h"
#include "proof/certificate.h"

#define VACUOUS "vacuous"

typedef struct check_task {
  model *model;
  const char *certificate;
  size_t length;
  const char *solver_command;
} check_task;

static void send_answer(worker_inside *inside, check_kind answer, size_t property, const evidence *e,
                        uint64_t obligations, const char *what) {
  static const message_kind kinds[] = {
      [CHECK_ACCEPTED] = MESSAGE_ACCEPTED, [CHECK_REJECTED] = MESSAGE_REJECTED, [CHECK_UNSURE] = MESSAGE_UNSURE};
  text t = {0};
  text_add(&t, "%zu %d %d %llu %s", property, (int)e->kind, evidence_is_against(e), (unsigned long long)obligations,
           what ? what : "");
  channel_send(inside->pipe, kinds[answer], t.at, t.count);
  text_clear(&t);
}

static void check_in_worker(worker_inside *inside, void *context) {
  check_task *task = context;
  size_t property;
  evidence e = {0};
  char *error = NULL;
  if (!certificate_read(task->model, task->certificate, task->length, &property, &e, &error)) {
    send_answer(inside, CHECK_REJECTED, SIZE_MAX, &e, 0, error);
    return;
  }
  check_result r = check_evidence(task->model, property, &e, &inside->budget, task->solver_command);
  bool is_vacuous = r.kind == CHECK_ACCEPTED && evidence_is_empty(&e);
  send_answer(inside, r.kind, property, &e, r.obligations, is_vacuous ? VACUOUS : r.what);
}

static void read_answer(check_report *e, check_kind answer, const char *line) {
  unsigned long long obligations;
  int kind, against, used = 0;
  if (sscanf(line, "%zu %d %d %llu %n", &e->property, &kind, &against, &obligations, &used) != 4 ||
      kind < EVIDENCE_NONE || kind >= EVIDENCE_KINDS)
    return;
  e->answer = answer;
  e->kind = (evidence_kind)kind;
  e->is_against = against;
  e->obligations = obligations;
  e->is_vacuous = answer == CHECK_ACCEPTED && !strcmp(line + used, VACUOUS);
  if (answer != CHECK_ACCEPTED) e->what = memory_copy_string(line + used);
}

struct check_worker {
  worker *worker;
  check_report heard;
};

static void listen_to_checker(void *context, const message *m) {
  check_report *e = context;
  if (!m || e->what || e->kind != EVIDENCE_NONE) return;
  if (m->kind == MESSAGE_ACCEPTED) read_answer(e, CHECK_ACCEPTED, m->bytes);
  if (m->kind == MESSAGE_REJECTED) read_answer(e, CHECK_REJECTED, m->bytes);
  if (m->kind == MESSAGE_UNSURE) read_answer(e, CHECK_UNSURE, m->bytes);
}

check_worker *check_worker_start(model *m, const char *certificate, size_t length, const char *solver_command,
                                 const worker_limits *limits) {
  check_worker *x = MEMORY_NEW(check_worker);
  check_task task = {m, certificate, length, solver_command};
  x->heard = (check_report){.answer = CHECK_UNSURE, .property = SIZE_MAX};
  x->worker = worker_start(check_in_worker, &task, limits);
  return x;
}

worker *check_worker_worker(const check_worker *x) { return x->worker; }

void check_worker_listen(check_worker *x) {
  for (message m; worker_receive(x->worker, &m);) listen_to_checker(&x->heard, &m);
}

check_report check_worker_end(check_worker *x) {
  check_report e = x->heard;
  worker *w = x->worker;
  bool answered = e.what || e.answer == CHECK_ACCEPTED;
  worker_end end = worker_state(w);
  if (!answered) {
    e.what = memory_copy_string(end == WORKER_RETURNED ? "the checker gave no answer" : worker_reason(w));
    e.crashed = end == WORKER_RETURNED || end == WORKER_CRASHED || end == WORKER_GARBLED;
  }
  e.memory_bytes = worker_statistics(w)->memory_bytes;
  worker_free(w);
  memory_free(x);
  return e;
}

check_report check_worker_certificate(model *m, const char *certificate, size_t length, const char *solver_command,
                                      const worker_limits *limits, const atomic_bool *stop) {
  check_worker *x = check_worker_start(m, certificate, length, solver_command, limits);
  worker_attend(x->worker, stop, listen_to_checker, &x->heard);
  return check_worker_end(x);
}

void check_report_clear(check_report *e) {
  memory_free(e->what);
  *e = (check_report){0};
}
