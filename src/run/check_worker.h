/* The checker of evidence (proof/check/check.h) in a worker: the solver in it may hang, crash or use up all memory, and
 * none of that is an answer. */
#ifndef WHET_RUN_CHECK_WORKER_H
#define WHET_RUN_CHECK_WORKER_H

#include "process/worker.h"
#include "proof/check/check.h"

typedef struct check_report {
  check_kind answer;
  char *what;         /* the obligation that fails, or why it is not known; NULL if accepted. Owned. */
  size_t property;    /* which one the certificate is about; SIZE_MAX if it cannot be read */
  evidence_kind kind; /* what it holds */
  bool is_against;    /* accepted, it means that the property does not hold */
  bool is_vacuous;    /* accepted, and there is no initial state */
  bool crashed;
  uint64_t obligations, memory_bytes;
} check_report;

/* `m` is the model as read. `solver_command` as for check_evidence; `stop` may be NULL. */
check_report check_worker_certificate(model *m, const char *certificate, size_t length, const char *solver_command,
                                      const worker_limits *limits, const atomic_bool *stop);
void check_report_clear(check_report *e); /* what it holds */

/* The same, at the same time as other workers: start, wait for its worker to end and listen meanwhile, then ask for the
 * result. */
typedef struct check_worker check_worker;

GIVE check_worker *check_worker_start(model *m, const char *certificate, size_t length, const char *solver_command,
                                      const worker_limits *limits);
KEEP worker *check_worker_worker(const check_worker *x);
void check_worker_listen(check_worker *x);
check_report check_worker_end(TAKE check_worker *x);

#endif
