/* What was answered before, and the solver. Both see only what is relevant. */
#include "solver/layers.h"

static void make_key(prover *p, const question *q) {
  context_mark_relevant(p->context, q->count, q->denial);
  VECTOR_CLEAR(p->key);
  const term *sorted = context_sorted(p->context);
  for (size_t i = 0; i < context_count(p->context); i++)
    if (context_is_relevant(p->context, sorted[i])) VECTOR_PUSH(p->key, sorted[i]);
  VECTOR_PUSH(p->key, q->right);
}

answer layer_cache(prover *p, const question *q) {
  answer found;
  make_key(p, q);
  return cache_find(p->cache, p->key.count, p->key.at, &found) ? found : layer_passes();
}

answer cache_answer(prover *p, answer a) {
  cache_add(p->cache, p->key.count, p->key.at, a);
  return a;
}

answer layer_solver(prover *p, const question *q) {
  solver *s = p->solver;
  if (!s) return answer_unsure("there is no solver to ask");
  for (size_t i = 0; i < p->key.count; i++) solver_mention(s, p->key.at[i]);
  solver_push(s);
  for (size_t i = 0; i + 1 < p->key.count; i++) solver_assert(s, p->key.at[i]);
  solver_assert(s, term_not(q->right));
  answer a = solver_check(s, p->seconds);
  if (answer_is_yes(a)) witnesses_add(p);
  solver_pop(s);
  if (answer_is_unsure(a)) return solver_is_spent(s) ? a : cache_answer(p, a);
  return cache_answer(p, answer_is_yes(a) ? answer_no() : answer_yes());
}
