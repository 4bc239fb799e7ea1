/* Which state formulas hold in which nodes of a graph, as the questions of proof/check/kripke/kripke.h want it. */
#ifndef WHET_PROOF_CHECK_KRIPKE_LABELS_H
#define WHET_PROOF_CHECK_KRIPKE_LABELS_H

#include "base/bits.h"
#include "model/temporal.h"

typedef struct labels labels;

/* For the state formulas of `f`, all undecided in every node; true and false are decided. */
GIVE labels *kripke_labels_new(size_t nodes, const temporal *f);
void kripke_labels_free(TAKE labels *l);
size_t kripke_labels_count(const labels *l);
term kripke_labels_at(const labels *l, size_t i);
/* Formula `i` has this value in the node. */
void kripke_labels_set(labels *l, size_t i, size_t node, bool value);
/* For kripke_question. */
KEEP const bits *kripke_labels_truth(void *labels, term t, bool value);

#endif
