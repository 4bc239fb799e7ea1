/* The same term on both sides. */
#include "solver/layers.h"

answer layer_literals(prover *p, const question *q) {
  if (context_has(p->context, q->right)) return answer_yes();
  bool denied = context_is_satisfiable(p->context) && q->count > 0;
  for (size_t i = 0; i < q->count; i++) {
    if (context_has(p->context, term_not(q->denial[i]))) return answer_yes();
    denied = denied && context_has(p->context, q->denial[i]);
  }
  return denied ? answer_no() : layer_passes();
}
