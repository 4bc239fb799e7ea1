/* The checker of evidence (proof/check.h) in a worker: the solver in it may hang, crash or eat all memory, and none of
 * that is an answer. */
#ifndef WHET_ENGINE_EXAMINE_H
#define WHET_ENGINE_EXAMINE_H

#include "engine/worker.h"
#include "proof/check.h"

typedef struct examination {
  check_kind answer;
  char *what;         /* the obligation that fails, or why nobody knows; NULL where accepted. Owned. */
  size_t property;    /* which one the certificate is about; SIZE_MAX where it cannot be read */
  evidence_kind kind; /* what it holds */
  bool is_against;    /* accepted, it means that the property does not hold */
  bool is_vacuous;    /* accepted, and there is no initial state */
  bool crashed;
  uint64_t obligations, memory_bytes;
} examination;

/* `m` is the model as read. `solver_command` as for check_evidence; `stop` may be NULL. */
examination examine_certificate(model *m, const char *certificate, size_t length, const char *solver_command,
                                const worker_limits *limits, const volatile bool *stop);
void examination_free(examination *e); /* what it holds */

/* The same, beside other workers: start, wait for its worker to end and listen meanwhile, then ask for the result. */
typedef struct examiner examiner;

GIVE examiner *examiner_start(model *m, const char *certificate, size_t length, const char *solver_command,
                              const worker_limits *limits);
KEEP worker *examiner_worker(const examiner *x);
void examiner_listen(examiner *x);
examination examiner_end(TAKE examiner *x);

#endif
