/* One search: frames, the obligations on them, and lemma after lemma until the lemmas of a frame are inductive or a run
 * is found. Cubes are of the literals that make a step possible, or (implicit.h) of predicates. */
#ifndef WHET_ENGINE_PDR_IC3_H
#define WHET_ENGINE_PDR_IC3_H

#include "engine/pdr/path.h"
#include "engine/pdr/share.h"

typedef struct ic3 {
  engine_environment *env;
  unrolling *unrolling;
  frames *frames;
  blocking blocking;
  sharing sharing;
  implicit predicates; /* if abstract */
  uint64_t refinements;
} ic3;

/* All arguments outlive the result; the violation is one that can be treated. */
GIVE ic3 *ic3_new(engine_environment *env, unrolling *u, const bounded_violation *v, bool is_abstract);
void ic3_free(TAKE ic3 *s);
static inline bool ic3_is_abstract(const ic3 *s) { return s->blocking.predicates != NULL; }
/* A formula that holds in every state that can be reached. */
void ic3_assume(ic3 *s, term fact);
/* One obligation, one frame more, or one path refuted. Done: the claim says how it ended. */
engine_status ic3_step(ic3 *s, claim *out);

#endif
