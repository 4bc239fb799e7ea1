/* What an engine may spend in a test: counted work, so that what comes of it depends on no clock and no load. A unit is about a microsecond
 * (base/work.h). The seconds, several times what the work should take, only end a library that does not count its work. */
#ifndef WHET_TESTS_WORK_BUDGET_H
#define WHET_TESTS_WORK_BUDGET_H

#include "base/budget.h"
#include "base/number.h"
#include "base/work.h"

static inline budget work_budget(uint64_t units) {
  number_count_work();
  return (budget){.work = work_done() + units, .deadline = clock_seconds() + 3 + 4e-6 * (double)units};
}

#endif
