/* How large the space of states is that `explicit` would search: estimated from a sample, in a worker
 * (store/space_estimate.h). Nothing here can change a verdict. */
#ifndef WHET_RUN_ESTIMATE_ESTIMATE_H
#define WHET_RUN_ESTIMATE_ESTIMATE_H

#include "base/options.h"
#include "base/text.h"
#include "model/model.h"
#include "process/worker.h"
#include "store/space_estimate.h"

/* What is known, in words: also in the worker, several times. */
typedef void estimate_printer(const space_estimate *e, const options *o, text *out);

typedef struct estimate_outcome {
  char *shown;      /* what the printer made of what was known last; NULL if nothing was */
  char *ending;     /* NULL, or why the worker ended before its time */
  bool is_complete; /* the sample is as large as was asked for */
} estimate_outcome;

void estimate_outcome_clear(estimate_outcome *o); /* what it holds */

/* Of the model made smaller for `property`, as for a search; SIZE_MAX: of all variables of `m`. */
estimate_outcome estimate_run(model *m, size_t property, const options *o, const worker_limits *limits,
                              const atomic_bool *stop, estimate_printer *print);

#endif
