/* State variables for the arguments of predicates. Predicates are taken in the order in which they are reached; an
 * argument that a clause passes on unchanged gets the variable it has on the other side, if that is free. */
#include "input/chc/lower.h"

static bool slot_is_free(const chc_lowering *l, uint32_t predicate, uint32_t slot, sort of) {
  if (l->slots.at[slot].sort != of) return false;
  const slot_list *taken = &l->slot_of.at[predicate];
  for (size_t i = 0; i < taken->of.count; i++)
    if (taken->of.at[i] == slot) return false;
  return true;
}

static size_t parameter_index(const chc_lowering *l, uint32_t predicate, term value) {
  const variable_vector *parameters = &l->clauses->predicates.at[predicate].parameters;
  for (size_t i = 0; i < parameters->count; i++)
    if (term_same(value, term_of_variable(l->ts, parameters->at[i]))) return i;
  return SIZE_MAX;
}

/* The slot on the other side of a case that passes parameter `i` on, or is passed to it. */
static uint32_t slot_across(const chc_lowering *l, const clause_case *c, uint32_t predicate, size_t i) {
  if (c->from == NO_PREDICATE || c->to == NO_PREDICATE || c->from == c->to) return NO_SLOT;
  if (c->to == predicate) {
    size_t at = parameter_index(l, c->from, c->values.at[i]);
    return at == SIZE_MAX || !l->slot_of.at[c->from].of.count ? NO_SLOT : l->slot_of.at[c->from].of.at[at];
  }
  if (c->from != predicate || !l->slot_of.at[c->to].of.count) return NO_SLOT;
  term here = term_of_variable(l->ts, l->clauses->predicates.at[predicate].parameters.at[i]);
  for (size_t j = 0; j < c->values.count; j++)
    if (term_same(c->values.at[j], here)) return l->slot_of.at[c->to].of.at[j];
  return NO_SLOT;
}

static uint32_t slot_new(chc_lowering *l, uint32_t predicate, size_t i) {
  const clause_predicate *p = &l->clauses->predicates.at[predicate];
  variable v = p->parameters.at[i];
  const char *full = variable_name(l->ts, v), *plain = full + strlen(p->name) + 1;
  bool is_number = strspn(plain, "0123456789") == strlen(plain);
  lowering_slot made = {.sort = variable_type(l->ts, v)->sort};
  made.name = is_number ? full : plain;
  VECTOR_PUSH(l->slots, made);
  return (uint32_t)l->slots.count - 1;
}

static void assign(chc_lowering *l, uint32_t predicate) {
  const variable_vector *parameters = &l->clauses->predicates.at[predicate].parameters;
  slot_list *out = &l->slot_of.at[predicate];
  for (size_t i = 0; i < parameters->count; i++) VECTOR_PUSH(out->of, NO_SLOT);
  for (size_t i = 0; i < parameters->count; i++) {
    if (bits_has(&l->control.at[predicate], i)) continue;
    sort of = variable_type(l->ts, parameters->at[i])->sort;
    for (size_t j = 0; j < l->cases.count && out->of.at[i] == NO_SLOT; j++) {
      uint32_t across = slot_across(l, &l->cases.at[j], predicate, i);
      if (across != NO_SLOT && slot_is_free(l, predicate, across, of)) out->of.at[i] = across;
    }
  }
  for (size_t i = 0; i < parameters->count; i++) {
    if (bits_has(&l->control.at[predicate], i) || out->of.at[i] != NO_SLOT) continue;
    sort of = variable_type(l->ts, parameters->at[i])->sort;
    for (uint32_t s = 0; s < l->slots.count && out->of.at[i] == NO_SLOT; s++)
      if (slot_is_free(l, predicate, s, of)) out->of.at[i] = s;
    if (out->of.at[i] == NO_SLOT) out->of.at[i] = slot_new(l, predicate, i);
  }
}

/* A slot is natural if every argument that uses it is; elsewhere it is 0. */
static void find_naturals(chc_lowering *l) {
  for (size_t s = 0; s < l->slots.count; s++) l->slots.at[s].is_natural = l->slots.at[s].sort == SORT_INT;
  for (size_t p = 0; p < l->slot_of.count; p++)
    for (size_t i = 0; i < l->slot_of.at[p].of.count; i++) {
      uint32_t slot = l->slot_of.at[p].of.at[i];
      if (slot != NO_SLOT && !bits_has(&l->natural.at[p], i)) l->slots.at[slot].is_natural = false;
    }
}

void lower_slots(chc_lowering *l) {
  bool *done = MEMORY_ARRAY(bool, l->clauses->predicates.count + 1);
  for (size_t i = 0; i < l->clauses->predicates.count; i++) VECTOR_PUSH(l->slot_of, (slot_list){0});
  for (size_t i = 0; i < l->places.count; i++) {
    uint32_t predicate = l->places.at[i].predicate;
    if (!done[predicate]) assign(l, predicate);
    done[predicate] = true;
  }
  memory_free(done);
  find_naturals(l);
}
