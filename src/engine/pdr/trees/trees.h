/* Property-directed reachability on Horn clauses, also those of which there is no transition system because several
 * predicates stand in a body (Hoder, Bjorner 2012; with sets of derivable atoms as in Komuravelli, Gurfinkel, Chaki
 * 2014). */
#ifndef WHET_ENGINE_PDR_TREES_TREES_H
#define WHET_ENGINE_PDR_TREES_TREES_H

#include "engine/pdr/trees/tree_block.h"

typedef struct tree_search tree_search;

/* The model is of clauses; `env` outlives the result. */
GIVE tree_search *tree_search_new(engine_environment *env);
void tree_search_free(TAKE tree_search *s); /* may be NULL */
/* One obligation, or one frame more. Done: the claim says how it ended. */
engine_status tree_search_step(tree_search *s, claim *out);
/* Adds what it has done: questions, lemmas; the depth, if it is larger. */
void tree_search_count(const tree_search *s, statistics *out);

/* tree_evidence.c: the derivation of the last set, which is of "false"; NULL, or why there is none. */
KEEP const char *tree_derivation(tree_frames *f, evidence *out);
/* What the lemmas of this level and above say. */
void tree_interpretation(const tree_frames *f, size_t level, evidence *out);

#endif
