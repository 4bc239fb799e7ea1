/* Which state formulas hold in which nodes of a graph, as the questions of proof/kripke.h want it. */
#ifndef WHET_PROOF_LABELS_H
#define WHET_PROOF_LABELS_H

#include "base/bits.h"
#include "model/temporal.h"

typedef struct labels labels;

/* For the state formulas of `f`, all undecided in every node; true and false are decided. */
GIVE labels *labels_new(size_t nodes, const temporal *f);
void labels_free(TAKE labels *l);
size_t labels_count(const labels *l);
term labels_at(const labels *l, size_t i);
/* Formula `i` has this value in the node. */
void labels_set(labels *l, size_t i, size_t node, bool value);
/* For kripke_question. */
KEEP const bits *labels_truth(void *labels, term t, bool value);

#endif
