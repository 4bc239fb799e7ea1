/* Facts, each once, and what is reported about them. */
#include "engine/derive/derive.h"

static uint64_t hash_of(uint32_t predicate, const number_vector *values) {
  uint64_t h = 1469598103934665603u ^ predicate;
  for (size_t i = 0; i < values->count; i++) h = (h ^ number_hash(values->at[i])) * 1099511628211u;
  return h;
}

static bool is_fact(const fact *f, uint32_t predicate, const number_vector *values) {
  if (f->predicate != predicate) return false;
  for (size_t i = 0; i < values->count; i++)
    if (!number_equal(f->values.at[i], values->at[i])) return false;
  return true;
}

bool facts_add(derive *d, uint32_t predicate, const number_vector *values, TAKE derivation_step by) {
  uint64_t hash = hash_of(predicate, values), first = NO_FACT;
  map_get(d->by_hash, hash, &first);
  for (uint32_t i = (uint32_t)first; i != NO_FACT; i = d->facts.at[i].next)
    if (is_fact(&d->facts.at[i], predicate, values)) {
      VECTOR_FREE(by.premises);
      VECTOR_FREE(by.values);
      return false;
    }
  fact made = {.predicate = predicate, .by = by, .next = (uint32_t)first};
  for (size_t i = 0; i < values->count; i++) VECTOR_PUSH(made.values, values->at[i]);
  uint32_t at = (uint32_t)d->facts.count;
  map_set(d->by_hash, hash, at);
  VECTOR_PUSH(d->facts, made);
  if (predicate == NO_PREDICATE)
    d->query = at;
  else
    VECTOR_PUSH(d->of_predicate[predicate], at);
  return true;
}

static term formula_of(const derive *d, const fact *f) {
  const variable_vector *parameters = &d->all->predicates.at[f->predicate].parameters;
  term_vector parts = {0};
  for (size_t i = 0; i < parameters->count; i++)
    VECTOR_PUSH(parts, fixed_term(d->ts, parameters->at[i], f->values.at[i]));
  term all = term_and_all(d->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return all;
}

void facts_interpret(const derive *d, evidence *e) {
  term_vector parts = {0};
  e->kind = EVIDENCE_INTERPRETATION;
  for (uint32_t i = 0; i < d->all->predicates.count; i++) {
    VECTOR_CLEAR(parts);
    for (size_t j = 0; j < d->of_predicate[i].count; j++)
      VECTOR_PUSH(parts, formula_of(d, &d->facts.at[d->of_predicate[i].at[j]]));
    VECTOR_PUSH(e->interpretation, term_or_all(d->ts, parts.count, parts.at));
  }
  VECTOR_FREE(parts);
}

/* Premises are earlier facts, so one look from the last to the first finds all that are needed. */
void facts_derive(const derive *d, evidence *e) {
  uint32_t *place = MEMORY_ARRAY(uint32_t, d->facts.count + 1);
  bool *is_needed = MEMORY_ARRAY(bool, d->facts.count + 1);
  e->kind = EVIDENCE_DERIVATION;
  is_needed[d->query] = true;
  for (uint32_t i = d->query + 1; i-- > 0;)
    for (size_t j = 0; is_needed[i] && j < d->facts.at[i].by.premises.count; j++)
      is_needed[d->facts.at[i].by.premises.at[j]] = true;
  for (uint32_t i = 0; i <= d->query; i++) {
    if (!is_needed[i]) continue;
    const derivation_step *by = &d->facts.at[i].by;
    derivation_step made = {.clause = by->clause};
    place[i] = (uint32_t)e->derivation.count;
    for (size_t j = 0; j < by->premises.count; j++) VECTOR_PUSH(made.premises, place[by->premises.at[j]]);
    for (size_t j = 0; j < by->values.count; j++) VECTOR_PUSH(made.values, by->values.at[j]);
    VECTOR_PUSH(e->derivation, made);
  }
  memory_free(place);
  memory_free(is_needed);
}
