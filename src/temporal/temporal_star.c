/* CTL*: the path quantifiers, inner ones first. What stands below one is a formula of LTL whose state formulas are known sets, so the
 * tableau of temporal_ltl.c says from which states all fair runs are as it says; `E f` is `!A !f`. The result is one more known set. */
#include "temporal/temporal_inside.h"

obdd temporal_states_quantified(temporal_checker *c, const temporal *f) {
  size_t i = 0;
  while (i < c->quantified.count && c->quantified.at[i].formula != f) i++;
  REQUIRE(i < c->quantified.count, "a formula that was looked at");
  return c->quantified.at[i].states;
}

static bool is_found(const temporal_checker *c, const temporal *f) {
  for (size_t i = 0; i < c->quantified.count; i++)
    if (c->quantified.at[i].formula == f) return true;
  return false;
}

void temporal_find_quantified(temporal_checker *c, const temporal_question *q, const temporal *f) {
  bool is_all = f->kind == TEMPORAL_A;
  if (is_found(c, f)) return;
  if (f->left) temporal_find_quantified(c, q, f->left);
  if (f->right) temporal_find_quantified(c, q, f->right);
  if (!is_all && f->kind != TEMPORAL_E) return;
  temporal_fair_states(c);
  size_t mark = obdds_mark(c->d);
  temporal opposite = {.kind = TEMPORAL_NOT, .state = TERM_TRUE, .left = f->left};
  obdd states = temporal_states_ltl(c, q, is_all ? f->left : &opposite);
  if (!is_all) states = obdd_minus(c->d, c->graph.states, states);
  obdds_release(c->d, mark, 1, &states);
  VECTOR_PUSH(c->quantified, (quantified_set){f, states});
}
