/* Folds: the terms below a root that have no value yet are collected, sorted by index, and valued in that order. */
#include "term/fold.h"

#include "term/table.h"

static term_places *places_of(term_fold *f) {
  if (!f->places) f->places = places_take(f->ts);
  return f->places;
}

static void make_room(term_fold *f, size_t more) {
  size_t room = f->room ? f->room : 8;
  while (room < f->count + more) room *= 2;
  if (room == f->room) return;
  f->values = memory_realloc(f->values, room * f->size);
  f->room = room;
}

void term_fold_prepare(term_fold *f, size_t count, const term *roots) {
  REQUIRE(!f->is_busy, "no new root inside a rule");
  VECTOR_CLEAR(f->cone);
  terms_cone_new(f->ts, count, roots, places_of(f), &f->cone);
  make_room(f, f->cone.count);
  f->is_busy = true;
  for (size_t i = 0; i < f->cone.count; i++) {
    char *value = f->values + f->count * f->size;
    memset(value, 0, f->size);
    f->rule(f, (term){2 * f->cone.at[i]}, value);
    places_set(f->places, f->cone.at[i], (uint32_t)f->count++);
  }
  f->is_busy = false;
}

bool term_fold_has(const term_fold *f, term t) {
  uint32_t at;
  return f->places && places_get(f->places, term_index(t), &at) && at != PLACE_PENDING;
}

const void *term_fold_known(const term_fold *f, term t) {
  uint32_t at = PLACE_PENDING;
  bool known = places_get(f->places, term_index(t), &at) && at != PLACE_PENDING;
  REQUIRE(known, "a term that has a value");
  return f->values + at * f->size;
}

void *term_fold_value(term_fold *f, term t) {
  if (!term_fold_has(f, t)) term_fold_prepare(f, 1, &t);
  return (void *)term_fold_known(f, t);
}

size_t term_fold_count(const term_fold *f) { return f->count; }
void *term_fold_at(const term_fold *f, size_t i) { return f->values + i * f->size; }

void term_fold_clear(term_fold *f) {
  if (f->places && f->count) places_clear(f->places);
  f->count = 0;
}

void term_fold_close(term_fold *f) {
  if (f->places) places_give(f->places);
  VECTOR_FREE(f->cone);
  memory_free(f->values);
  f->places = NULL;
  f->values = NULL;
  f->count = f->room = 0;
}

term fold_term(const term_fold *f, term t) { return (term){FOLD_VALUE(term, f, t).x ^ (t.x & 1)}; }

term fold_rebuilt(const term_fold *f, terms *ts, term t) {
  enum { FEW = 8 };
  size_t count = term_arguments(ts, t);
  term few[FEW], *arguments = count <= FEW ? few : MEMORY_ARRAY(term, count);
  bool changed = false;
  for (size_t i = 0; i < count; i++) {
    arguments[i] = fold_term(f, term_argument(ts, t, i));
    changed |= !term_same(arguments[i], term_argument(ts, t, i));
  }
  term result = changed ? term_rebuild(ts, t, arguments) : t;
  if (arguments != few) memory_free(arguments);
  return result;
}
