/* Atomic blocks and states. Which places they are is said by the places alone, so no variable is added: the guards of other
 * steps ask whether some process is inside and can go on. */
#include "input/whet/lower.h"

/* By process: it is inside and can go on; false for most. */
static GIVE term *busy_processes(lowering *l) {
  term *busy = MEMORY_ARRAY(term, l->model->processes.count + 1);
  for (size_t i = 0; i < l->model->processes.count; i++) busy[i] = TERM_FALSE;
  for (size_t i = 0; i < l->inside.count && lowering_spend(l, 1, 0); i++) {
    const inside_step *s = &l->inside.at[i];
    bool can_always = s->can_always && !l->invariants.count;
    term can = can_always ? s->place_test : l->model->transitions.at[s->transition].guard;
    busy[s->process] = term_or(l->terms, busy[s->process], can);
  }
  return busy;
}

/* No process but `own` is busy. */
static term none_busy(lowering *l, const term *busy, uint32_t own) {
  term_vector all = {0};
  for (size_t i = 0; i < l->model->processes.count && lowering_spend(l, 1, 0); i++)
    if (i != own && !term_is_false(busy[i])) VECTOR_PUSH(all, term_not(busy[i]));
  term result = term_and_all(l->terms, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

void lower_atomic(lowering *l) {
  if (!l->inside.count || l->exhausted) return;
  term *busy = busy_processes(l), none = none_busy(l, busy, NO_PROCESS), others = TERM_TRUE;
  size_t next = 0;
  uint32_t last = NO_PROCESS;
  for (uint32_t i = 0; i < l->model->transitions.count && lowering_spend(l, 1, 0); i++) {
    transition *t = &l->model->transitions.at[i];
    if (next < l->inside.count && l->inside.at[next].transition == i) { /* they come in this order */
      next++;
      continue;
    }
    bool has_own = t->process != NO_PROCESS && !term_is_false(busy[t->process]);
    if (has_own && t->process != last) {
      last = t->process;
      others = none_busy(l, busy, last);
    }
    lower_add_condition(l, t, has_own ? others : none);
  }
  memory_free(busy);
}
