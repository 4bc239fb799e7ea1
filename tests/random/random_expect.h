/* Runs a comparison on random models, prints a summary, and fails if there is a finding. */
#ifndef WHET_TESTS_RANDOM_EXPECT_H
#define WHET_TESTS_RANDOM_EXPECT_H

#include "random/random_check.h"
#include "unit/test.h"

static inline random_tally expect_no_finding(const random_check *c) {
  random_tally t = random_check_run(c);
  printf("# %s, %s: %u models: %u safe, %u unsafe, %u unknown; %u confirmed, %u unchecked, %u unrolled\n", c->engine,
         c->knobs, t.models, t.safe, t.unsafe, t.unknown, t.decided, t.unchecked, t.unrolled);
  CHECK(!t.findings, "%u findings", t.findings);
  return t;
}

/* And both kinds of verdicts are there. */
static inline void expect_both_verdicts(const random_check *c) {
  random_tally t = expect_no_finding(c);
  CHECK(t.models < 10 || (t.safe > t.models / 10 && t.unsafe > t.models / 10));
}

#endif
