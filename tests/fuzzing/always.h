/* What a fuzzer promises of every input: it aborts, with the place, if it is not so. */
#ifndef WHET_TESTS_FUZZING_ALWAYS_H
#define WHET_TESTS_FUZZING_ALWAYS_H

#include <stdio.h>
#include <stdlib.h>

#define ALWAYS(COND)                                             \
  do {                                                           \
    if (!(COND)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #COND); \
      abort();                                                   \
    }                                                            \
  } while (0)

#endif
