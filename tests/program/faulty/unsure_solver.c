/* A Z3 that does not know: linked into the program `whet-unsure` in its place, it answers "unknown" from the n-th check
 * of a process on, where n is WHET_UNSURE_FROM, or at that one check if WHET_UNSURE_ONCE is set too. */
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#include <z3.h>

Z3_lbool __real_Z3_solver_check(Z3_context c, Z3_solver s);
Z3_lbool __wrap_Z3_solver_check(Z3_context c, Z3_solver s);

Z3_lbool __wrap_Z3_solver_check(Z3_context c, Z3_solver s) {
  static pid_t counted_in;
  static long checks;
  const char *from = getenv("WHET_UNSURE_FROM");
  if (counted_in != getpid()) checks = 0;
  counted_in = getpid();
  checks++;
  bool unsure = from && (getenv("WHET_UNSURE_ONCE") ? checks == atol(from) : checks >= atol(from));
  return unsure ? Z3_L_UNDEF : __real_Z3_solver_check(c, s);
}
