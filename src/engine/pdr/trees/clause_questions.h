/* The questions about one clause (tree_frames.h): its solver, and what is asserted there. */
#ifndef WHET_ENGINE_PDR_TREES_CLAUSE_QUESTIONS_H
#define WHET_ENGINE_PDR_TREES_CLAUSE_QUESTIONS_H

#include "engine/pdr/trees/tree_frames.h"

GIVE clause_questions *clause_questions_new(tree_frames *f, uint32_t clause);
void clause_questions_free(TAKE clause_questions *q); /* may be NULL */

#endif
