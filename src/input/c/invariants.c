/* Invariants that the program states: evaluated at the head of a loop like conditions, without what could go wrong in them, and then
 * lemmas: believed until a run breaks them, and proved with all else. */
#include "input/c/lower.h"

term c_condition_at(c_lowering *l, const c_node *e, uint32_t head) {
  c_paths outside = l->live, yes = {0}, no = {0};
  term_vector parts = {0};
  bool reads_inputs = false, outside_formula = l->is_formula;
  l->is_formula = true;
  l->live = (c_paths){0};
  c_live_start(l, head);
  c_eval_condition(l, e, &yes, &no);
  for (size_t i = 0; i < yes.count; i++) {
    VECTOR_PUSH(parts, yes.at[i]->guard);
    reads_inputs |= yes.at[i]->inputs.count || yes.at[i]->calls.count || yes.at[i]->origin != head;
  }
  if (reads_inputs)
    c_refuse(l, e, "an invariant depends on more than the state; an expression without calls would be read");
  term all = term_or_all(l->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  l->is_formula = outside_formula;
  c_paths_clear(&yes);
  c_paths_clear(&no);
  c_paths_clear(&l->live);
  l->live = outside;
  return all;
}

void c_invariants_place(c_lowering *l, uint32_t head) {
  for (size_t i = 0; i < l->pending.count && !l->refused; i++) {
    c_invariant made = {head, c_condition_at(l, l->pending.at[i], head)};
    VECTOR_PUSH(l->invariants, made);
  }
  VECTOR_CLEAR(l->pending);
}

void c_invariants_add(c_lowering *l, variable location) {
  for (size_t i = 0; i < l->invariants.count; i++) {
    term here = term_eq(l->ts, term_of_variable(l->ts, location), term_int(l->ts, l->invariants.at[i].place));
    VECTOR_PUSH(l->model->lemmas, term_implies(l->ts, here, l->invariants.at[i].formula));
  }
}
