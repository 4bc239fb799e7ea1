/* Invariants of structures, checked while they change.
 *
 * A structure with an invariant states it in its header and has a function `x_check` that looks for a violation: NULL,
 * or words that name what is broken. Every operation that changes the structure ends with CHECKED or CHECKED_AT_TIMES.
 * Both are compiled in with WHET_CHECKS only (builds other than release), and end the process if something is broken.
 *
 * Costs: CHECKED is for checks about as cheap as the operation. CHECKED_AT_TIMES is for those that look at the whole
 * structure: each place saves CHECK_ALLOWANCE steps a call and checks when it has saved COST of them. So a check of n
 * steps runs at most once in n / CHECK_ALLOWANCE calls, small structures are always checked, and runs repeat. */
#ifndef WHET_BASE_INSTRUMENTS_CHECK_H
#define WHET_BASE_INSTRUMENTS_CHECK_H

#include "base/base.h"

enum { CHECK_ALLOWANCE = 32 };

#ifdef WHET_CHECKS
#define CHECKED(WORDS)                                               \
  do {                                                               \
    const char *check_broken = (WORDS);                              \
    if (check_broken) base_broken(__FILE__, __LINE__, check_broken); \
  } while (0)
#define CHECKED_AT_TIMES(COST, WORDS)          \
  do {                                         \
    static _Thread_local uint64_t check_saved; \
    check_saved += CHECK_ALLOWANCE;            \
    if (check_saved >= (uint64_t)(COST)) {     \
      check_saved = 0;                         \
      CHECKED(WORDS);                          \
    }                                          \
  } while (0)
#else
#define CHECKED(WORDS) ((void)0)
#define CHECKED_AT_TIMES(COST, WORDS) ((void)0)
#endif

/* Says where a check found what broken, then aborts. */
_Noreturn void base_broken(const char *file, int line, const char *what);

#endif
