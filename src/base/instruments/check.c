/* What happens when a structure is found broken. */
#include "base/instruments/check.h"

#include <stdlib.h>

_Noreturn void base_broken(const char *file, int line, const char *what) {
  fprintf(stderr, "whet: internal error: %s:%d: broken: %s\n", file, line, what);
  abort();
}
