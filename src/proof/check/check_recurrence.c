/* The obligations of a recurrence (check.h): a run from an initial state to a set of states, the region, in which the promise is open; from
 * each state of the region one of the choices, a transition with values of its inputs, leads to a state of the region. So the run can go on
 * for ever, and the promise is never kept. */
#include "proof/check/checkers.h"
#include "proof/recurrence.h"
#include "proof/type_and_input_conditions.h"
#include "term/fold.h"

/* The region is over state variables, choices are transitions with a value for each input. */
static bool is_well_formed(const model *m, const evidence *e) {
  variable_vector inside = {0};
  term_variables(m->terms, 1, &e->region, &inside);
  bool fine = term_sort(m->terms, e->region) == SORT_BOOL;
  for (size_t i = 0; i < inside.count; i++) fine &= model_is_state_variable(m, inside.at[i]);
  for (size_t i = 0; i < e->choices.count && fine; i++) {
    const trace_step *c = &e->choices.at[i];
    fine = c->transition < m->transitions.count && c->inputs.count == m->transitions.at[c->transition].inputs.count;
    for (size_t j = 0; j < c->inputs.count && fine; j++) fine = number_is_integer(c->inputs.at[j]);
  }
  VECTOR_FREE(inside);
  return fine;
}

/* The run ends in the region, and the promise is open at its end: it was made, and not kept since. */
static const char *not_open(const model *m, const temporal_promise *p, const evidence *e) {
  size_t made = 0;
  if (!recurrence_holds_at(m, e, e->steps.count - 1, e->region)) return "the run ends in the region";
  bool open = recurrence_made_at(m, p, e, &made);
  for (size_t at = made; open && at < e->steps.count; at++) open = recurrence_holds_at(m, e, at, term_not(p->gives));
  return open ? NULL : "the promise is open at the end of the run";
}

void check_recurrence(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  temporal_promise promise;
  const char *why = recurrence_open(m, p, &promise);
  if (why) {
    check_end(result, CHECK_UNSURE, memory_copy_string(why), NULL);
    return;
  }
  if (!is_well_formed(m, e)) {
    check_end(result, CHECK_REJECTED, text_format("a region over state variables, and values for all inputs"), NULL);
    return;
  }
  if (!check_run(m, e, q, result)) return;
  why = not_open(m, &promise, e);
  if (why) {
    check_end(result, CHECK_REJECTED, memory_copy_string(why), NULL);
    return;
  }
  result->obligations++;
  term kept[] = {condition_types(m), e->region, promise.gives};
  term leaves[] = {condition_types(m), recurrence_leaves(m, e)};
  if (check_refute_all(q, kept, ARRAY_LENGTH(kept), memory_copy_string("the promise is open in the region"), result))
    check_refute_all(q, leaves, ARRAY_LENGTH(leaves), memory_copy_string("a choice stays in the region"), result);
}
