/* Array values in a table of their own: normalised, found by a hash of their elements. */
#include "term/array_value.h"

#include "term/table.h"

#define NO_VALUE UINT32_MAX

typedef VECTOR(array_entry) array_entries;

typedef struct kept_value {
  number otherwise;
  uint32_t first, count; /* in `entries` */
  uint32_t next;         /* of the same hash, or NO_VALUE */
} kept_value;

typedef struct array_values {
  VECTOR(kept_value) values;
  array_entries entries;
  map *by_hash; /* -> the last value made with it */
} array_values;

struct array_values *array_values_new(void) {
  array_values *v = MEMORY_NEW(array_values);
  v->by_hash = map_new();
  VECTOR_RESERVE(v->entries, 1);
  return v;
}

void array_values_free(struct array_values *v) {
  if (!v) return;
  VECTOR_FREE(v->values);
  VECTOR_FREE(v->entries);
  map_free(v->by_hash);
  memory_free(v);
}

static uint64_t hash_of(number otherwise, size_t count, const array_entry *entries) {
  uint64_t h = hash_mix(number_hash(otherwise));
  for (size_t i = 0; i < count; i++) {
    h = hash_mix(h ^ number_hash(entries[i].index));
    h = hash_mix(h ^ number_hash(entries[i].element)) + 0x9e3779b9u;
  }
  return h;
}

static bool is_same(const array_values *v, const kept_value *k, number otherwise, size_t count,
                    const array_entry *entries) {
  if (k->count != count || !number_equal(k->otherwise, otherwise)) return false;
  for (size_t i = 0; i < count; i++) {
    const array_entry *own = &v->entries.at[k->first + i];
    if (!number_equal(own->index, entries[i].index) || !number_equal(own->element, entries[i].element)) return false;
  }
  return true;
}

/* `entries` are in normal form. */
static uint32_t intern(array_values *v, number otherwise, size_t count, const array_entry *entries) {
  uint64_t hash = hash_of(otherwise, count, entries), last = NO_VALUE;
  map_get(v->by_hash, hash, &last);
  for (uint32_t at = (uint32_t)last; at != NO_VALUE; at = v->values.at[at].next)
    if (is_same(v, &v->values.at[at], otherwise, count, entries)) return at;
  if (v->values.count >= NO_VALUE || v->entries.count + count >= NO_VALUE) memory_exhausted();
  kept_value made = {otherwise, (uint32_t)v->entries.count, (uint32_t)count, (uint32_t)last};
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(v->entries, entries[i]);
  VECTOR_PUSH(v->values, made);
  map_set(v->by_hash, hash, v->values.count - 1);
  return (uint32_t)v->values.count - 1;
}

struct array_values *array_values_copy(const struct array_values *from) {
  array_values *v = array_values_new();
  for (size_t i = 0; i < from->values.count; i++) {
    const kept_value *k = &from->values.at[i];
    intern(v, k->otherwise, k->count, from->entries.at + k->first);
  }
  return v;
}

static int compare_entries(const void *a, const void *b) {
  return number_compare(((const array_entry *)a)->index, ((const array_entry *)b)->index);
}

/* The table is there with its first value. */
static array_values *table_of(const terms *ts) {
  array_values *v = ts->array_values;
  if (!v->values.count) intern(v, number_of(0), 0, NULL);
  return v;
}

/* Insertion keeps the order of equal indices, so that the later one can be found. Entries are few, and mostly sorted. */
static void sort_entries(array_entries *e) {
  bool is_sorted = true;
  for (size_t i = 1; i < e->count; i++) is_sorted &= compare_entries(&e->at[i - 1], &e->at[i]) < 0;
  if (is_sorted) return;
  for (size_t i = 1; i < e->count; i++)
    for (size_t j = i; j > 0 && compare_entries(&e->at[j - 1], &e->at[j]) > 0; j--) {
      array_entry kept = e->at[j];
      e->at[j] = e->at[j - 1];
      e->at[j - 1] = kept;
    }
}

number array_value_of(const terms *ts, number otherwise, size_t count, const array_entry *entries) {
  array_values *v = table_of(ts);
  array_entries all = {0}, kept = {0};
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(all, entries[i]);
  sort_entries(&all);
  for (size_t i = 0; i < count; i++) {
    bool is_last = i + 1 == count || !number_equal(all.at[i].index, all.at[i + 1].index);
    if (is_last && !number_equal(all.at[i].element, otherwise)) VECTOR_PUSH(kept, all.at[i]);
  }
  uint32_t made = intern(v, otherwise, kept.count, kept.at);
  VECTOR_FREE(all);
  VECTOR_FREE(kept);
  return number_of(made);
}

static bool find_value(const terms *ts, number array, const kept_value **out) {
  const array_values *v = table_of(ts);
  int64_t at;
  if (!number_to_int64(array, &at) || at < 0 || (uint64_t)at >= v->values.count) return false;
  *out = &v->values.at[at];
  return true;
}

array_value array_value_look(const terms *ts, number array) {
  const kept_value *k = NULL;
  bool found = find_value(ts, array, &k);
  REQUIRE(found, "the number of an array value");
  return (array_value){k->otherwise, k->count, ts->array_values->entries.at + k->first};
}

number array_value_at(const terms *ts, number array, number index) {
  array_value a = array_value_look(ts, array);
  size_t low = 0, high = a.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = number_compare(a.entries[middle].index, index);
    if (!order) return a.entries[middle].element;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return a.otherwise;
}

number array_value_with(const terms *ts, number array, number index, number element) {
  if (number_equal(array_value_at(ts, array, index), element)) return array;
  array_value a = array_value_look(ts, array);
  array_entries all = {0};
  size_t i = 0;
  for (; i < a.count && number_compare(a.entries[i].index, index) < 0; i++) VECTOR_PUSH(all, a.entries[i]);
  VECTOR_PUSH(all, ((array_entry){index, element}));
  for (; i < a.count; i++)
    if (!number_equal(a.entries[i].index, index)) VECTOR_PUSH(all, a.entries[i]);
  number made = array_value_of(ts, a.otherwise, all.count, all.at);
  VECTOR_FREE(all);
  return made;
}

static bool is_element(number n, sort of) {
  return of == SORT_REAL || (of == SORT_BOOL ? number_is(n, 0) || number_is(n, 1) : number_is_integer(n));
}

bool array_value_is_of(const terms *ts, number array, sort element) {
  const kept_value *k;
  if (!find_value(ts, array, &k) || !is_element(k->otherwise, element)) return false;
  for (size_t i = 0; i < k->count; i++) {
    const array_entry *e = &ts->array_values->entries.at[k->first + i];
    if (!number_is_integer(e->index) || !is_element(e->element, element)) return false;
  }
  return true;
}

static term of_scalar(terms *ts, sort of, number value) {
  return of == SORT_BOOL ? term_of_bool(!number_is(value, 0)) : term_number(ts, value);
}

term term_of_any_value(terms *ts, const type *of, number value) {
  if (of->sort != SORT_ARRAY) return of_scalar(ts, of->sort, value);
  array_value a = array_value_look(ts, value);
  term made = term_constant_array(ts, of->element, of_scalar(ts, of->element, a.otherwise));
  for (size_t i = 0; i < a.count; i++)
    made = term_store(ts, made, term_number(ts, a.entries[i].index), of_scalar(ts, of->element, a.entries[i].element));
  return made;
}
