/* For tests that damage a structure and see it noticed. They include the source file under test, to reach its inside. */
#ifndef WHET_TESTS_DAMAGE_H
#define WHET_TESTS_DAMAGE_H

#include "unit/test.h"

#define WHOLE "nothing is broken"
static inline const char *said(const char *broken) { return broken ? broken : WHOLE; }

#endif
