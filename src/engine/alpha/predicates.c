/* Predicates in the order they were found, the places at which each counts, and their values in a state. */
#include "engine/alpha/alpha.h"

typedef struct place_entry {
  size_t position; /* of the control variable; SIZE_MAX for place 0 */
  int64_t value;
  VECTOR(uint64_t) mask; /* predicates that count here */
} place_entry;

struct predicates {
  terms *ts;
  const kept_variables *kept;
  term_vector all;
  VECTOR(bool) mixed; /* mentions control variables */
  map *index;         /* atom -> position */
  VECTOR(place_entry) places;
  map *place_index;                     /* (position, value) -> place */
  VECTOR(VECTOR(uint32_t)) by_position; /* places of each state variable */
  code *program;                        /* evaluates the first `compiled` predicates together */
  size_t compiled;
  VECTOR(int64_t) values;
};

predicates *predicates_new(terms *ts, const kept_variables *c) {
  predicates *p = MEMORY_NEW(predicates);
  p->ts = ts;
  p->kept = c;
  p->index = map_new();
  p->place_index = map_new();
  VECTOR_PUSH(p->places, (place_entry){.position = SIZE_MAX});
  VECTOR_RESERVE(p->by_position, c->m->variables.count);
  p->by_position.count = c->m->variables.count;
  if (p->by_position.count) memset(p->by_position.at, 0, p->by_position.count * sizeof *p->by_position.at);
  return p;
}

void predicates_free(predicates *p) {
  if (!p) return;
  for (size_t i = 0; i < p->places.count; i++) VECTOR_FREE(p->places.at[i].mask);
  for (size_t i = 0; i < p->by_position.count; i++) VECTOR_FREE(p->by_position.at[i]);
  VECTOR_FREE(p->places);
  VECTOR_FREE(p->by_position);
  VECTOR_FREE(p->all);
  VECTOR_FREE(p->mixed);
  VECTOR_FREE(p->values);
  map_free(p->index);
  map_free(p->place_index);
  code_free(p->program);
  memory_free(p);
}

size_t predicates_count(const predicates *p) { return p->all.count; }
term predicates_at(const predicates *p, size_t i) { return p->all.at[i]; }
bool predicates_is_mixed(const predicates *p, size_t i) { return p->mixed.at[i]; }
size_t predicates_words(const predicates *p) { return (p->all.count + 63) / 64; }

size_t predicates_find(const predicates *p, term atom) {
  uint64_t at;
  return map_get(p->index, term_index(atom), &at) ? (size_t)at : SIZE_MAX;
}

uint32_t predicates_place(predicates *p, size_t position, int64_t value) {
  uint64_t key = hash_mix(position * 0x10001u + 1) ^ (uint64_t)value, found;
  if (map_get(p->place_index, key, &found)) return (uint32_t)found;
  uint32_t place = (uint32_t)p->places.count;
  VECTOR_PUSH(p->places, (place_entry){.position = position, .value = value});
  VECTOR_PUSH(p->by_position.at[position], place);
  map_set(p->place_index, key, place);
  return place;
}

bool predicates_add(predicates *p, term atom, uint32_t place) {
  atom = term_positive(atom);
  size_t at = predicates_find(p, atom);
  if (at == SIZE_MAX) {
    at = p->all.count;
    VECTOR_PUSH(p->all, atom);
    VECTOR_PUSH(p->mixed, !kept_is_free_of(p->kept, atom));
    map_set(p->index, term_index(atom), at);
  }
  place_entry *here = &p->places.at[place];
  while (here->mask.count <= at / 64) VECTOR_PUSH(here->mask, 0);
  if (word_bit(here->mask.at, at)) return false;
  here->mask.at[at / 64] |= UINT64_C(1) << (at % 64);
  return true;
}

static void add_mask(const place_entry *from, uint64_t *mask) {
  for (size_t i = 0; i < from->mask.count; i++) mask[i] |= from->mask.at[i];
}

void predicates_active(const predicates *p, const int64_t *state, uint64_t *mask) {
  memset(mask, 0, predicates_words(p) * sizeof *mask);
  add_mask(&p->places.at[0], mask);
  for (size_t i = 0; i < p->by_position.count; i++)
    for (size_t j = 0; j < p->by_position.at[i].count; j++) {
      const place_entry *here = &p->places.at[p->by_position.at[i].at[j]];
      if (here->value == state[i]) add_mask(here, mask);
    }
}

static void compile(predicates *p) {
  const model *m = p->kept->m;
  uint32_t *slots = MEMORY_ARRAY(uint32_t, variable_count(p->ts));
  for (size_t i = 0; i < m->variables.count; i++) slots[m->variables.at[i].var.x] = (uint32_t)i;
  code_free(p->program);
  p->program = code_compile(p->ts, p->all.count, p->all.at, slots);
  p->compiled = p->all.count;
  VECTOR_RESERVE(p->values, p->all.count);
  memory_free(slots);
}

bool predicates_evaluate(predicates *p, const int64_t *state, const uint64_t *mask, uint64_t *bits) {
  size_t words = predicates_words(p);
  if (!words) return true;
  if (p->compiled != p->all.count) compile(p);
  if (code_run(p->program, state, p->values.at) != CODE_FINE) return false;
  memset(bits, 0, words * sizeof *bits);
  for (size_t i = 0; i < p->all.count; i++) bits[i / 64] |= (uint64_t)(p->values.at[i] != 0) << (i % 64);
  for (size_t i = 0; i < words; i++) bits[i] &= mask[i];
  return true;
}
