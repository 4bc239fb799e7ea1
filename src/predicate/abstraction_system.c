/* The relation of each abstract action, whole, as a decision diagram for the temporal checker. */
#include "predicate/abstraction_system.h"

#include "predicate/abstraction_inside.h"

static obdd same_bit(abstraction *a, size_t bit) {
  return obdd_iff(a->obdds, obdd_variable(a->obdds, 2 * bit), obdd_variable(a->obdds, 2 * bit + 1));
}

obdd abstraction_staying(abstraction *a) {
  obdd result = OBDD_TRUE;
  for (size_t j = a->state_bits; j-- > 0;) result = obdd_and(a->obdds, same_bit(a, j), result);
  return result;
}

/* The steps of an action, with the bits that it leaves alone. */
static obdd whole_relation(abstraction *a, const abstract_action *r) {
  obdd result = r->steps;
  size_t c = r->changed.count;
  for (size_t j = a->state_bits; j-- > 0;) {
    if (c && r->changed.at[c - 1] == j)
      c--;
    else
      result = obdd_and(a->obdds, result, same_bit(a, j));
  }
  return result;
}

abstraction_system *abstraction_system_new(abstraction *a) {
  REQUIRE(!a->is_implicit, "an abstraction with a relation");
  abstraction_system *s = MEMORY_NEW(abstraction_system);
  s->now = MEMORY_ARRAY(uint32_t, a->state_bits + 1);
  s->next = MEMORY_ARRAY(uint32_t, a->state_bits + 1);
  for (uint32_t j = 0; j < a->state_bits; j++) {
    s->now[j] = 2 * j;
    s->next[j] = 2 * j + 1;
  }
  s->system =
      (finite_system){.diagrams = a->obdds, .bits = a->state_bits, .now = s->now, .next = s->next, .initial = a->init};
  s->system.domain = abstraction_legal_states(a);
  for (size_t i = 0; i < a->actions.count; i++) {
    const transition *t = &a->system->model->transitions.at[a->system->actions.at[i].transition];
    VECTOR_PUSH(s->system.actions, (finite_action){t->name, whole_relation(a, &a->actions.at[i])});
  }
  return s;
}

void abstraction_system_free(abstraction_system *s) {
  if (!s) return;
  finite_system_clear(&s->system);
  memory_free(s->now);
  memory_free(s->next);
  memory_free(s);
}

obdd abstraction_states(abstraction *a, term t) {
  frame_of_action none = {0};
  return abstraction_obdd(a, &none, t);
}

term abstraction_state_term(const abstraction *a, const bool *bits) {
  terms *ts = a->system->ts;
  term_vector all = {0};
  abstract_state s = abstraction_decode(a, bits);
  VECTOR_PUSH(all, abstraction_predicates_term(a, &s));
  for (size_t i = 0; i < a->bits.count; i++) {
    variable v = a->system->controls.at[i].var;
    VECTOR_PUSH(all, term_eq(ts, term_of_variable(ts, v), term_of_value(ts, v, s.controls[i])));
  }
  term result = term_and_all(ts, all.count, all.at);
  memory_free(s.controls);
  memory_free(s.predicates);
  VECTOR_FREE(all);
  return result;
}

double abstraction_count(const abstraction *a, obdd set) {
  VECTOR(uint32_t) all = {0};
  for (uint32_t j = 0; j < a->state_bits; j++) VECTOR_PUSH(all, 2 * j);
  double result = obdd_count(a->obdds, set, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}
