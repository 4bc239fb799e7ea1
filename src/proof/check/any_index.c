/* Index terms of a question, and instances at every tuple of them. */
#include "proof/check/any_index.h"

#include "base/map.h"

enum { MOST_INSTANCES = 20000 };

struct any_index {
  terms *ts;
  const variable_vector *indices;
  variable_vector constants, free_indices; /* by index; made here, so that nothing else speaks of them */
  variable_vector differences;             /* where two arrays differ; used again for each question */
  substitution *substitution;
};

any_index *any_index_new(terms *ts, const variable_vector *indices) {
  any_index *a = MEMORY_NEW(any_index);
  type integer = {.sort = SORT_INT};
  *a = (any_index){.ts = ts, .indices = indices, .substitution = substitution_new(ts)};
  for (size_t i = 0; i < indices->count; i++) {
    VECTOR_PUSH(a->constants, variable_fresh(ts, "index!", &integer));
    VECTOR_PUSH(a->free_indices, variable_fresh(ts, "any!", &integer));
  }
  return a;
}

void any_index_free(any_index *a) {
  if (!a) return;
  VECTOR_FREE(a->constants);
  VECTOR_FREE(a->free_indices);
  VECTOR_FREE(a->differences);
  substitution_free(a->substitution);
  memory_free(a);
}

void any_index_set(const any_index *a, bool is_known, substitution *s) {
  for (size_t i = 0; i < a->indices->count; i++)
    substitution_set(s, a->indices->at[i], term_of_variable(a->ts, (is_known ? a->free_indices : a->constants).at[i]));
}

/* ---- which indices ---- */

static bool is_free_index(const terms *ts, term t, const void *context) {
  const any_index *a = context;
  if (term_kind_of(ts, t) != TERM_INT_VARIABLE) return false;
  for (size_t i = 0; i < a->free_indices.count; i++)
    if (variable_same(a->free_indices.at[i], term_variable(ts, t))) return true;
  return false;
}

static bool has_free_index(const any_index *a, term t) {
  index_vector cone = {0};
  terms_cone(a->ts, 1, &t, &cone);
  bool found = false;
  for (size_t i = 0; i < cone.count && !found; i++) found = is_free_index(a->ts, (term){2 * cone.at[i]}, a);
  VECTOR_FREE(cone);
  return found;
}

static void add_index(const any_index *a, map *seen, term t, term_vector *out) {
  if (map_get(seen, t.x, NULL) || has_free_index(a, t)) return;
  map_set(seen, t.x, 1);
  VECTOR_PUSH(*out, t);
}

static term difference_at(any_index *a, size_t i) {
  type integer = {.sort = SORT_INT};
  while (a->differences.count <= i) VECTOR_PUSH(a->differences, variable_fresh(a->ts, "difference!", &integer));
  return term_of_variable(a->ts, a->differences.at[i]);
}

/* If two arrays of the question are not the same, they differ at an index, about which `out` has a formula; if their
 * elements there are arrays, those differ at an index too. */
static void name_differences(any_index *a, size_t count, const term *formulas, term_vector *out) {
  terms *ts = a->ts;
  index_vector cone = {0};
  terms_cone(ts, count, formulas, &cone);
  size_t found = 0;
  for (size_t i = 0; i < cone.count; i++) {
    term t = {2 * cone.at[i]};
    while (term_kind_of(ts, t) == TERM_ARRAY_SAME && !has_free_index(a, t)) {
      term at = difference_at(a, found++);
      term left = term_select(ts, term_argument(ts, t, 0), at), right = term_select(ts, term_argument(ts, t, 1), at);
      term same = term_eq(ts, left, right);
      VECTOR_PUSH(*out, term_or(ts, t, term_not(same)));
      t = term_positive(same);
    }
  }
  VECTOR_FREE(cone);
}

/* The indices of arrays by how often these are arrays of arrays. */
typedef struct index_terms {
  term_vector of[MOST_NESTING + 1];
} index_terms;

static void clear_indices(index_terms *all) {
  for (size_t i = 0; i <= MOST_NESTING; i++) VECTOR_FREE(all->of[i]);
}

static bool is_read_or_write(term_kind kind) {
  return kind == TERM_SELECT || kind == TERM_BOOL_SELECT || kind == TERM_ARRAY_SELECT || kind == TERM_STORE;
}

static void find_indices(const any_index *a, size_t count, const term *formulas, index_terms *out) {
  const terms *ts = a->ts;
  index_vector cone = {0};
  map *seen[MOST_NESTING + 1];
  for (size_t n = 0; n <= MOST_NESTING; n++) {
    seen[n] = map_new();
    for (size_t i = 0; i < a->constants.count; i++)
      add_index(a, seen[n], term_of_variable(a->ts, a->constants.at[i]), &out->of[n]);
  }
  terms_cone(ts, count, formulas, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    term t = {2 * cone.at[i]};
    if (!is_read_or_write(term_kind_of(ts, t))) continue;
    unsigned nesting = term_nesting(ts, term_argument(ts, t, 0));
    add_index(a, seen[nesting], term_argument(ts, t, 1), &out->of[nesting]);
  }
  for (size_t n = 0; n <= MOST_NESTING; n++) {
    map_free(seen[n]);
    if (!out->of[n].count) VECTOR_PUSH(out->of[n], term_int(a->ts, 0));
  }
  VECTOR_FREE(cone);
}

/* What may be put in the place of the free index: indices of such arrays as it is an index of in `t`; if it is none, those
 * of arrays that are not of arrays. */
static void find_fitting(const any_index *a, term t, variable v, const index_terms *all, term_vector *out) {
  const terms *ts = a->ts;
  index_vector cone = {0};
  map *seen = map_new();
  bool is_used[MOST_NESTING + 1] = {false}, any = false;
  terms_cone(ts, 1, &t, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    term below = {2 * cone.at[i]};
    if (!is_read_or_write(term_kind_of(ts, below)) || !term_mentions(ts, term_argument(ts, below, 1), v)) continue;
    is_used[term_nesting(ts, term_argument(ts, below, 0))] = any = true;
  }
  if (!any) is_used[0] = true;
  for (size_t n = 0; n <= MOST_NESTING; n++)
    for (size_t i = 0; i < all->of[n].count && is_used[n]; i++) add_index(a, seen, all->of[n].at[i], out);
  map_free(seen);
  VECTOR_FREE(cone);
}

/* ---- instances ---- */

/* Those free indices that `t` speaks of. */
static void find_free_indices(const any_index *a, term t, variable_vector *out) {
  for (size_t i = 0; i < a->free_indices.count; i++)
    if (term_mentions(a->ts, t, a->free_indices.at[i])) VECTOR_PUSH(*out, a->free_indices.at[i]);
}

static bool add_instances(any_index *a, term t, const index_terms *indices, term_vector *out) {
  variable_vector open = {0};
  VECTOR(term_vector) fitting = {0};
  find_free_indices(a, t, &open);
  size_t tuples = 1;
  for (size_t i = 0; i < open.count; i++) {
    VECTOR_PUSH(fitting, (term_vector){0});
    find_fitting(a, t, open.at[i], indices, &fitting.at[i]);
    if (tuples <= MOST_INSTANCES) tuples *= fitting.at[i].count;
  }
  bool fine = tuples + out->count <= MOST_INSTANCES;
  for (size_t n = 0; n < tuples && fine; n++) {
    size_t rest = n;
    substitution_clear(a->substitution);
    for (size_t i = 0; i < open.count; i++, rest /= fitting.at[i - 1].count)
      substitution_set(a->substitution, open.at[i], fitting.at[i].at[rest % fitting.at[i].count]);
    VECTOR_PUSH(*out, substitution_apply(a->substitution, t));
  }
  for (size_t i = 0; i < fitting.count; i++) VECTOR_FREE(fitting.at[i]);
  VECTOR_FREE(fitting);
  VECTOR_FREE(open);
  return fine;
}

bool any_index_question(any_index *a, size_t count, const term *formulas, size_t known_from, term *out) {
  term_vector parts = {0};
  index_terms indices = {0};
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(parts, formulas[i]);
  name_differences(a, count, formulas, &parts);
  find_indices(a, parts.count, parts.at, &indices);
  parts.count = 0;
  for (size_t i = 0; i < known_from; i++) VECTOR_PUSH(parts, formulas[i]);
  name_differences(a, count, formulas, &parts);
  bool fine = true;
  for (size_t i = known_from; i < count && fine; i++) fine = add_instances(a, formulas[i], &indices, &parts);
  if (fine) *out = term_and_all(a->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  clear_indices(&indices);
  return fine;
}
