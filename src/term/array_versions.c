/* Versions: a table is an open hash of indices; neighbours in the array are neighbours in it. A sum of hashes of the elements
 * tells most versions apart without a look at their tables. */
#include "term/array_versions.h"

#include "base/map.h"
#include "term/array_value.h"

#define HAS_TABLE UINT32_MAX

/* The table is copied if the way to a version is longer than this, and than a part of the table. */
enum { LONG_WAY = 64, PART_OF_TABLE = 4, FIRST_SIZE = 16 };

typedef struct table_entry {
  number index, element;
  bool is_used;
} table_entry;

typedef struct element_table {
  number otherwise;
  table_entry *entries;
  size_t size, count; /* a power of two, at most 2/3 of it used */
} element_table;

typedef struct array_version {
  uint32_t next; /* the version that it differs from, at `index` alone; or HAS_TABLE */
  element_table *table;
  array_entry own; /* what it has there */
  uint64_t sum;    /* of the hashes of all elements that are not the default, and of that */
} array_version;

struct array_versions {
  VECTOR(array_version) versions;
  VECTOR(element_table *) tables;
  VECTOR(uint32_t) way;
  map *by_value, *of_version; /* array values that have a version, and the other way round */
};

array_versions *array_versions_new(void) {
  array_versions *v = MEMORY_NEW(array_versions);
  v->by_value = map_new();
  v->of_version = map_new();
  return v;
}

void array_versions_free(array_versions *v) {
  if (!v) return;
  for (size_t i = 0; i < v->tables.count; i++) {
    memory_free(v->tables.at[i]->entries);
    memory_free(v->tables.at[i]);
  }
  VECTOR_FREE(v->tables);
  VECTOR_FREE(v->versions);
  VECTOR_FREE(v->way);
  map_free(v->by_value);
  map_free(v->of_version);
  memory_free(v);
}

size_t array_versions_count(const array_versions *v) { return v->versions.count; }

/* ---- tables ---- */

/* Neighbours are next to each other; what is far apart is spread. */
static size_t place_of(const element_table *t, number index) {
  uint64_t n = index.big ? number_hash(index) : (uint64_t)index.small;
  return (size_t)(n + (n >> 20) * 0x9e3779b97f4a7c15u) & (t->size - 1);
}

static table_entry *find_entry(const element_table *t, number index) {
  size_t at = place_of(t, index);
  while (t->entries[at].is_used && !number_equal(t->entries[at].index, index)) at = (at + 1) & (t->size - 1);
  return &t->entries[at];
}

static number element_in(const element_table *t, number index) {
  if (!t->size) return t->otherwise;
  const table_entry *e = find_entry(t, index);
  return e->is_used ? e->element : t->otherwise;
}

static void grow(element_table *t) {
  element_table old = *t;
  t->size = old.size ? 2 * old.size : FIRST_SIZE;
  t->entries = MEMORY_ARRAY(table_entry, t->size);
  for (size_t i = 0; i < old.size; i++)
    if (old.entries[i].is_used) *find_entry(t, old.entries[i].index) = old.entries[i];
  memory_free(old.entries);
}

static void set_element(element_table *t, array_entry e) {
  if (3 * (t->count + 1) > 2 * t->size) grow(t);
  table_entry *entry = find_entry(t, e.index);
  t->count += !entry->is_used;
  *entry = (table_entry){e.index, e.element, true};
}

static element_table *new_table(array_versions *v, number otherwise) {
  element_table *made = MEMORY_NEW(element_table);
  made->otherwise = otherwise;
  VECTOR_PUSH(v->tables, made);
  return made;
}

static element_table *copy_table(array_versions *v, const element_table *from) {
  element_table *made = new_table(v, from->otherwise);
  made->size = from->size;
  made->count = from->count;
  if (!from->size) return made;
  made->entries = MEMORY_ARRAY(table_entry, from->size);
  memcpy(made->entries, from->entries, from->size * sizeof *from->entries);
  return made;
}

/* ---- versions ---- */

static uint64_t hash_of(array_entry e) {
  return hash_mix(number_hash(e.index) * 31 + hash_mix(number_hash(e.element)));
}

static uint64_t hash_beside(number otherwise, array_entry e) {
  return number_equal(e.element, otherwise) ? 0 : hash_of(e);
}

static uint32_t add_version(array_versions *v, array_version made) {
  if (v->versions.count >= HAS_TABLE) memory_exhausted();
  VECTOR_PUSH(v->versions, made);
  return (uint32_t)v->versions.count - 1;
}

static uint32_t version_of(const array_versions *v, number array) {
  REQUIRE(!array.big && array.small >= 0 && (uint64_t)array.small < v->versions.count, "the number of a version");
  return (uint32_t)array.small;
}

/* The table goes from its version to the neighbour, which has it then. */
static void move_table(array_versions *v, uint32_t from, uint32_t to) {
  array_version *a = &v->versions.at[from], *b = &v->versions.at[to];
  element_table *t = a->table;
  array_entry own = b->own;
  a->own = (array_entry){own.index, element_in(t, own.index)};
  a->next = to;
  a->table = NULL;
  set_element(t, own);
  b->next = HAS_TABLE;
  b->table = t;
}

/* The way from the version to the one that has the table, that one included; the first is the version. */
static void find_way(array_versions *v, uint32_t version) {
  VECTOR_CLEAR(v->way);
  for (uint32_t at = version;; at = v->versions.at[at].next) {
    VECTOR_PUSH(v->way, at);
    if (v->versions.at[at].next == HAS_TABLE) return;
  }
}

static element_table *table_of(array_versions *v, uint32_t version) {
  if (v->versions.at[version].next == HAS_TABLE) return v->versions.at[version].table;
  find_way(v, version);
  element_table *t = v->versions.at[VECTOR_LAST(v->way)].table;
  if (v->way.count <= LONG_WAY || v->way.count <= t->count / PART_OF_TABLE) {
    for (size_t i = v->way.count - 1; i-- > 0;) move_table(v, v->way.at[i + 1], v->way.at[i]);
    return t;
  }
  t = copy_table(v, t);
  for (size_t i = v->way.count - 1; i-- > 0;) set_element(t, v->versions.at[v->way.at[i]].own);
  v->versions.at[version].table = t;
  v->versions.at[version].next = HAS_TABLE;
  return t;
}

number array_versions_constant(array_versions *v, number otherwise) {
  array_version made = {.next = HAS_TABLE, .table = new_table(v, otherwise), .sum = hash_mix(number_hash(otherwise))};
  return number_of(add_version(v, made));
}

number array_versions_at(array_versions *v, number array, number index) {
  return element_in(table_of(v, version_of(v, array)), index);
}

number array_versions_with(array_versions *v, number array, number index, number element) {
  uint32_t version = version_of(v, array);
  element_table *t = table_of(v, version);
  array_entry before = {index, element_in(t, index)}, after = {index, element};
  if (number_equal(before.element, element)) return array;
  array_version made = {.next = version, .own = after};
  made.sum = v->versions.at[version].sum - hash_beside(t->otherwise, before) + hash_beside(t->otherwise, after);
  uint32_t number = add_version(v, made);
  move_table(v, version, number);
  return number_of(number);
}

static bool is_part_of(const element_table *a, const element_table *b) {
  for (size_t i = 0; i < a->size; i++)
    if (a->entries[i].is_used && !number_equal(a->entries[i].element, element_in(b, a->entries[i].index))) return false;
  return true;
}

bool array_versions_same(array_versions *v, number a, number b) {
  uint32_t first = version_of(v, a), second = version_of(v, b);
  if (first == second) return true;
  if (v->versions.at[first].sum != v->versions.at[second].sum) return false;
  element_table *copy = copy_table(v, table_of(v, first)); /* the two may have one table */
  const element_table *t = table_of(v, second);
  bool same = number_equal(copy->otherwise, t->otherwise) && is_part_of(copy, t) && is_part_of(t, copy);
  (void)VECTOR_POP(v->tables);
  memory_free(copy->entries);
  memory_free(copy);
  return same;
}

/* ---- array values ---- */

static void note_value(array_versions *v, number version, number value) {
  map_set(v->by_value, (uint64_t)value.small, (uint64_t)version.small);
  map_set(v->of_version, (uint64_t)version.small, (uint64_t)value.small);
}

void array_versions_forget_values(array_versions *v) {
  map_clear(v->by_value);
  map_clear(v->of_version);
}

number array_versions_of_value(array_versions *v, const terms *ts, number value) {
  uint64_t known;
  REQUIRE(!value.big, "the number of an array value");
  if (map_get(v->by_value, (uint64_t)value.small, &known)) return number_of((int64_t)known);
  array_value a = array_value_look(ts, value);
  number made = array_versions_constant(v, a.otherwise);
  array_version *version = &v->versions.at[made.small];
  for (size_t i = 0; i < a.count; i++) {
    set_element(version->table, a.entries[i]);
    version->sum += hash_of(a.entries[i]);
  }
  note_value(v, made, value);
  return made;
}

number array_versions_value(array_versions *v, const terms *ts, number array) {
  uint64_t known;
  uint32_t version = version_of(v, array);
  if (map_get(v->of_version, version, &known)) return number_of((int64_t)known);
  const element_table *t = table_of(v, version);
  VECTOR(array_entry) entries = {0};
  for (size_t i = 0; i < t->size; i++)
    if (t->entries[i].is_used) VECTOR_PUSH(entries, ((array_entry){t->entries[i].index, t->entries[i].element}));
  number made = array_value_of(ts, t->otherwise, entries.count, entries.at);
  VECTOR_FREE(entries);
  note_value(v, array, made);
  return made;
}
