/* Walking terms without recursion: the cone below some roots in ascending order, and what is read off it. */
#include <stdlib.h>

#include "term/fold.h"
#include "term/table.h"

/* ---- places ---- */

static void pool_release(places_pool *pool) {
  if (pool->is_closed && !pool->taken) memory_free(pool);
}

static void places_free(term_places *p) {
  VECTOR_FREE(p->slots);
  memory_free(p);
}

void places_pool_close(places_pool *pool) {
  for (term_places *p = pool->unused, *next; p; p = next) {
    next = p->next;
    places_free(p);
  }
  pool->is_closed = true;
  pool_release(pool);
}

void places_clear(term_places *p) {
  if (++p->stamp) return;
  if (p->slots.count) memset(p->slots.at, 0, p->slots.count * sizeof(place_slot));
  p->stamp = 1;
}

term_places *places_take(const terms *ts) {
  term_places *p = ts->places->unused;
  if (p) {
    ts->places->unused = p->next;
  } else {
    p = MEMORY_NEW(term_places);
    p->pool = ts->places;
  }
  ts->places->taken++;
  places_clear(p);
  return p;
}

void places_give(term_places *p) {
  places_pool *pool = p->pool;
  pool->taken--;
  if (pool->is_closed) {
    places_free(p);
    pool_release(pool);
    return;
  }
  p->next = pool->unused;
  pool->unused = p;
}

void places_set(term_places *p, uint32_t index, uint32_t place) {
  while (p->slots.count <= index) VECTOR_PUSH(p->slots, (place_slot){0, 0});
  p->slots.at[index] = (place_slot){p->stamp, place};
}

bool places_add(term_places *p, uint32_t index) {
  uint32_t known;
  if (places_get(p, index, &known)) return false;
  places_set(p, index, PLACE_PENDING);
  return true;
}

/* ---- the cone ---- */

static int compare_indices(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

void terms_cone_new(const terms *ts, size_t count, const term *roots, term_places *seen, index_vector *out) {
  size_t done = out->count, first = done;
  for (size_t i = 0; i < count; i++)
    if (places_add(seen, term_index(roots[i]))) VECTOR_PUSH(*out, term_index(roots[i]));
  for (; done < out->count; done++) {
    const term_node *n = &ts->nodes.at[out->at[done]];
    for (uint32_t i = 0; i < n->count; i++) {
      uint32_t below = term_index(ts->arguments.at[n->start + i]);
      if (places_add(seen, below)) VECTOR_PUSH(*out, below);
    }
  }
  if (out->count > first + 1) qsort(out->at + first, out->count - first, sizeof(uint32_t), compare_indices);
}

void terms_cone(const terms *ts, size_t count, const term *roots, index_vector *out) {
  term_places *seen = places_take(ts);
  terms_cone_new(ts, count, roots, seen, out);
  places_give(seen);
}

/* ---- scans ---- */

bool term_any(const terms *ts, size_t count, const term *roots, term_test *test, const void *context) {
  index_vector cone = {0};
  bool found = false;
  terms_cone(ts, count, roots, &cone);
  for (size_t i = 0; i < cone.count && !found; i++) found = test(ts, (term){2 * cone.at[i]}, context);
  VECTOR_FREE(cone);
  return found;
}

static bool is_of_kind(const terms *ts, term t, const void *kind) {
  return term_kind_of(ts, t) == *(const term_kind *)kind;
}

bool term_has_kind(const terms *ts, term t, term_kind kind) { return term_any(ts, 1, &t, is_of_kind, &kind); }

size_t term_size(const terms *ts, term t) { return term_sizes(ts, 1, &t); }

size_t term_sizes(const terms *ts, size_t count, const term *roots) {
  index_vector cone = {0};
  terms_cone(ts, count, roots, &cone);
  size_t size = cone.count;
  VECTOR_FREE(cone);
  return size;
}

static bool kind_is_variable(term_kind kind) {
  return kind == TERM_BOOL_VARIABLE || kind == TERM_INT_VARIABLE || kind == TERM_NODE_VARIABLE ||
         kind == TERM_REAL_VARIABLE || kind == TERM_ARRAY_VARIABLE;
}

static void push_variables(const terms *ts, const index_vector *cone, variable_vector *out) {
  for (size_t i = 0; i < cone->count; i++)
    if (kind_is_variable((term_kind)ts->nodes.at[cone->at[i]].kind))
      VECTOR_PUSH(*out, (variable){ts->nodes.at[cone->at[i]].extra});
}

void term_variables(const terms *ts, size_t count, const term *roots, variable_vector *out) {
  index_vector cone = {0};
  terms_cone(ts, count, roots, &cone);
  push_variables(ts, &cone, out);
  VECTOR_FREE(cone);
}

struct term_walk {
  const terms *ts;
  term_places *seen;
  index_vector cone;
};

term_walk *term_walk_new(const terms *ts) {
  term_walk *w = MEMORY_NEW(term_walk);
  *w = (term_walk){.ts = ts, .seen = places_take(ts)};
  return w;
}

void term_walk_free(term_walk *w) {
  if (!w) return;
  places_give(w->seen);
  VECTOR_FREE(w->cone);
  memory_free(w);
}

void term_walk_variables(term_walk *w, term root, variable_vector *out) {
  VECTOR_CLEAR(w->cone);
  terms_cone_new(w->ts, 1, &root, w->seen, &w->cone);
  push_variables(w->ts, &w->cone, out);
}

static bool is_variable_itself(const terms *ts, term t, const void *v) {
  const term_node *n = &ts->nodes.at[term_index(t)];
  return kind_is_variable((term_kind)n->kind) && n->extra == ((const variable *)v)->x;
}

bool term_mentions(const terms *ts, term t, variable v) { return term_any(ts, 1, &t, is_variable_itself, &v); }

void term_atoms(const terms *ts, term t, term_vector *out) {
  index_vector cone = {0};
  terms_cone(ts, 1, &t, &cone);
  for (size_t i = 0; i < cone.count; i++)
    if (term_is_atom(ts, (term){2 * cone.at[i]})) VECTOR_PUSH(*out, (term){2 * cone.at[i]});
  VECTOR_FREE(cone);
}

/* Conjunctions may stand inside conjunctions (build.c, SPREAD_LIMIT), and one in many: each is spread once. */
static void spread(const terms *ts, term t, bool negate, term_vector *out) {
  term_vector stack = {0};
  term_places *seen = places_take(ts);
  VECTOR_PUSH(stack, negate ? term_not(t) : t);
  while (stack.count) {
    term top = VECTOR_POP(stack);
    const term_node *n = &ts->nodes.at[term_index(top)];
    if (n->kind == TERM_AND && !term_is_negated(top)) {
      if (!places_add(seen, term_index(top))) continue;
      for (uint32_t i = n->count; i-- > 0;) VECTOR_PUSH(stack, ts->arguments.at[n->start + i]);
    } else if (!term_is_true(top)) {
      VECTOR_PUSH(*out, negate ? term_not(top) : top);
    }
  }
  places_give(seen);
  VECTOR_FREE(stack);
}

void term_conjuncts(const terms *ts, term t, term_vector *out) { spread(ts, t, false, out); }
void term_disjuncts(const terms *ts, term t, term_vector *out) { spread(ts, t, true, out); }

static bool is_beyond_linear(const terms *ts, term t, const void *unused) {
  (void)unused;
  term_kind kind = (term_kind)ts->nodes.at[term_index(t)].kind;
  return kind >= TERM_PRODUCT || kind == TERM_ARRAY_SAME || kind == TERM_BOOL_SELECT;
}

bool term_is_linear(const terms *ts, term t) { return !term_any(ts, 1, &t, is_beyond_linear, NULL); }
