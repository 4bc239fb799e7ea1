/* Two sets of nodes for each formula, where it is known to hold and where it is known not to; a node in neither is
 * undecided. */
#include "proof/check/kripke/kripke_labels.h"

typedef struct label {
  term formula;
  bits known[2]; /* where it is false, where it is true */
} label;

struct labels {
  size_t nodes;
  VECTOR(label) all;
};

static void add(labels *l, term t) {
  for (size_t i = 0; i < l->all.count; i++)
    if (term_same(l->all.at[i].formula, t)) return;
  label made = {t, {bits_new(l->nodes), bits_new(l->nodes)}};
  if (term_is_true(t) || term_is_false(t)) bits_flip(&made.known[term_is_true(t)]);
  VECTOR_PUSH(l->all, made);
}

static void add_all(labels *l, const temporal *f) {
  if (f->kind == TEMPORAL_STATE) add(l, f->state);
  if (f->left) add_all(l, f->left);
  if (f->right) add_all(l, f->right);
}

labels *kripke_labels_new(size_t nodes, const temporal *f) {
  labels *l = MEMORY_NEW(labels);
  l->nodes = nodes;
  add(l, TERM_TRUE);
  add_all(l, f);
  return l;
}

void kripke_labels_free(labels *l) {
  if (!l) return;
  for (size_t i = 0; i < l->all.count; i++) {
    bits_free(&l->all.at[i].known[0]);
    bits_free(&l->all.at[i].known[1]);
  }
  VECTOR_FREE(l->all);
  memory_free(l);
}

size_t kripke_labels_count(const labels *l) { return l->all.count; }
term kripke_labels_at(const labels *l, size_t i) { return l->all.at[i].formula; }
void kripke_labels_set(labels *l, size_t i, size_t node, bool value) { bits_add(&l->all.at[i].known[value], node); }

const bits *kripke_labels_truth(void *context, term t, bool value) {
  const labels *l = context;
  size_t i = 0;
  while (i < l->all.count && !term_same(l->all.at[i].formula, t)) i++;
  REQUIRE(i < l->all.count, "a state formula of the property");
  return &l->all.at[i].known[value];
}
