/* What every file of whet may use: ownership marks, checks that stay on, and small helpers.
 *
 * Errors come in four kinds, and each is treated in its own way:
 *   bad input            a `diagnostic` with a place (input/diagnostic.h), exit status 2
 *   a spent resource     an answer `unsure` with a reason; never a verdict
 *   misuse of a function REQUIRE, always compiled in
 *   a bug                assert, and CHECKED for structures (base/instruments/check.h); neither is in release builds
 */
#ifndef WHET_BASE_BASE_H
#define WHET_BASE_BASE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Ownership on signatures: GIVE, the caller owns the result; TAKE, the function owns the argument from now on;
 * KEEP (the default), nothing changes hands. */
#define GIVE
#define TAKE
#define KEEP

#define REQUIRE(COND, WHAT)                          \
  do {                                               \
    if (!(COND)) base_misuse(__func__, #COND, WHAT); \
  } while (0)

#define ARRAY_LENGTH(A) (sizeof(A) / sizeof((A)[0]))
#define PRINTF_LIKE(FMT, ARGS) __attribute__((format(printf, FMT, ARGS)))

/* Says which function was misused and how, then aborts. */
_Noreturn void base_misuse(const char *function, const char *condition, const char *what);

#endif
