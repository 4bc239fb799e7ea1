/* An engine run in this process on a model from a file or a text: passes, steps, the way back, and the check of what it
 * claims. */
#ifndef WHET_TESTS_ENGINE_RUN_H
#define WHET_TESTS_ENGINE_RUN_H

#include "engine/engine.h"
#include "model/passes.h"

typedef struct engine_result {
  verdict verdict;
  evidence_kind claimed; /* about the model */
  bool checked;          /* the evidence was accepted, on the model as read */
  char *reason;          /* why unknown, or what the checker objects to */
  size_t steps;          /* of the trace */
  uint64_t iterations;
  statistics statistics;
} engine_result;

/* `property` NULL: the first. `options` are "name=value" or "name", ended by NULL. Ends after `work` (counted: base/work.h) or `iterations`
 * (0: no limit). */
engine_result engine_run_model(const engine *e, const model *m, const char *property, uint64_t work,
                               uint64_t iterations, const char *const *options);
/* Receives the events of engines in later runs; NULL at first. */
extern events *engine_run_events;
/* The model's lemmas are given to the engines of later runs as facts proved before. */
extern bool engine_run_lemmas_as_facts;
/* `path` under tests/data/models. */
engine_result engine_run_file(const engine *e, const char *path, uint64_t work, uint64_t iterations,
                              const char *const *options);
engine_result engine_run_text(const engine *e, const char *content, uint64_t work, uint64_t iterations,
                              const char *const *options);
void engine_result_free(engine_result *r);

/* Prints why it could not be read, and ends the program. */
GIVE model *model_of_text(const char *content);
GIVE model *clauses_of_text(const char *content); /* in SMT-LIB */
GIVE model *model_of_file(const char *path);

#endif
