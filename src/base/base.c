/* What misuse of a function comes to: a message, and the end of the process. */
#include "base/base.h"

#include <stdlib.h>

_Noreturn void base_misuse(const char *function, const char *condition, const char *what) {
  fflush(stdout);
  fprintf(stderr, "whet: misuse of %s: %s (%s)\n", function, what, condition);
  abort();
}
