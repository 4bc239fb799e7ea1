/* What one run of a repair did, as an event: its steps, its error and counterexample, the repair that it asks for. */
#ifndef WHET_ENGINE_WIDEN_REPAIR_REPORT_H
#define WHET_ENGINE_WIDEN_REPAIR_REPORT_H

#include "engine/events.h"
#include "engine/widen/refine.h"

typedef struct run_report {
  const domain *domain;
  events *events; /* NULL: nobody listens */
  const char *name;
  size_t run, unions, connects; /* the number of the run; repairs on its branch */
  bool tells_errors;            /* the counterexample too */
} run_report;

KEEP const char *operator_name(operator op);
/* `f` says where the error of the run comes from; NULL if it has none. `op` is what the step to blame will do. */
void run_report_send(const run_report *r, const run *done, const refinement *f, operator op);

#endif
