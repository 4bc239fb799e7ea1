/* Constants, and left sides that contradict themselves. */
#include "solver/layers.h"

answer layer_fold(prover *p, const question *q) {
  if (term_is_true(q->right) || context_is_refuted(p->context)) return answer_yes();
  if (term_is_false(q->right) && (context_is_satisfiable(p->context) || !context_count(p->context))) return answer_no();
  return layer_passes();
}
