/* What the evidence for a property of a C program or an SV-LIB script says at the heads of its loops and of its procedures, in words of the
 * program. */
#ifndef WHET_RUN_PROGRAM_LOOP_INVARIANTS_H
#define WHET_RUN_PROGRAM_LOOP_INVARIANTS_H

#include "process/worker.h"
#include "proof/evidence.h"

/* Of one loop of `source`, by index: an expression a line, which hold all together whenever a run is at its head. What
 * has no expression is left out. Of SV-LIB, `c` has terms of SMT-LIB. After the loops come two of each procedure: what holds
 * whenever it is called, and whenever it returns. */
typedef struct loop_invariant {
  bool is_known;   /* else nothing is */
  bool is_reached; /* else no run comes there */
  text c, acsl, cbmc;
} loop_invariant;

typedef VECTOR(loop_invariant) loop_invariants;

/* Where those of a procedure are. */
static inline size_t loop_invariants_entry(const program_source *s, size_t procedure) {
  return s->loop_count + 2 * procedure;
}
static inline size_t loop_invariants_exit(const program_source *s, size_t procedure) {
  return loop_invariants_entry(s, procedure) + 1;
}

/* Of an accepted certificate about `m`, which has a source, in a worker. Nothing is appended if that does not work out. */
void loop_invariants_find(model *m, const char *certificate, const worker_limits *limits, const atomic_bool *stop,
                          loop_invariants *out);
void loop_invariants_clear(loop_invariants *all); /* what it holds */

#endif
