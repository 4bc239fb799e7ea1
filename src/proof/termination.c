/* F (no transition can be taken); of clauses a property of its own. */
#include "proof/termination.h"

#include "proof/type_and_input_conditions.h"

static temporal *node(model *m, temporal_kind kind, term state, temporal *left) {
  temporal *made = arena_alloc(model_arena(m), sizeof *made);
  *made = (temporal){.kind = kind, .state = state, .left = left};
  return made;
}

bool termination_add(model *m, const char *name) {
  if (m->clauses && m->clauses->is_program) {
    model_add_property(m, name, PROPERTY_ENDS, (place){0})->bad = TERM_FALSE;
    return true;
  }
  bool exact = true;
  term_vector stuck = {0};
  for (size_t i = 0; i < m->transitions.count && exact; i++)
    VECTOR_PUSH(stuck, term_not(condition_can_be_taken(m, &m->transitions.at[i], &exact)));
  if (exact) {
    temporal *ended = node(m, TEMPORAL_STATE, term_and_all(m->terms, stuck.count, stuck.at), NULL);
    property *p = model_add_property(m, name, PROPERTY_LTL, (place){0});
    p->bad = TERM_FALSE;
    p->formula = node(m, TEMPORAL_F, TERM_TRUE, ended);
  }
  VECTOR_FREE(stuck);
  return exact;
}
