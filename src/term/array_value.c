/* Array values in a table of their own. The elements of an array are a search tree by index that is a heap by a hash of
 * the index (a treap: C. R. Aragon, R. G. Seidel: Randomized Search Trees, FOCS 1989), so that one set of elements has one
 * tree. Nodes are kept once and shared. All walks are loops: a text may have indices that make a tree deep. */
#include "term/array_value.h"

#include "term/table.h"

#define NO_NODE UINT32_MAX
#define NO_VALUE UINT32_MAX

/* Maps keep keys of what was released, until there are so many. */
enum { KEYS_PER_ENTRY = 4, LEAST_KEYS = 1 << 16 };
enum { ALL_INTEGERS = 1, ALL_BOOLEANS = 2, INDICES_ARE_INTEGERS = 4, ALL_KINDS = 7 };

typedef struct array_node {
  array_entry entry;
  uint32_t left, right;
  uint32_t next;  /* of the same hash, or NO_NODE */
  uint32_t count; /* of nodes below and this one */
  uint64_t order; /* the hash of the index; that of no node below is larger */
  uint8_t kinds;  /* of all elements below and this one */
} array_node;

typedef struct kept_value {
  number otherwise;
  uint32_t root;
  uint32_t next;      /* of the same hash, or NO_VALUE */
  uint32_t from;      /* the value that was written to, or NO_VALUE */
  uint16_t is_nested; /* a bit for each type of arrays of arrays that it is known to be of */
  array_entry write;
} kept_value;

typedef struct array_values {
  VECTOR(array_node) nodes;
  VECTOR(kept_value) values;
  map *node_by_hash, *by_hash; /* -> the last one made with it */
  VECTOR(array_entry) looked_at;
  VECTOR(uint32_t) path;       /* of the walk under way */
  VECTOR(uint32_t) split_path; /* and of one inside of it */
} array_values;

struct array_values *array_values_new(void) {
  array_values *v = MEMORY_NEW(array_values);
  v->by_hash = map_new();
  v->node_by_hash = map_new();
  VECTOR_RESERVE(v->looked_at, 1);
  return v;
}

void array_values_free(struct array_values *v) {
  if (!v) return;
  VECTOR_FREE(v->nodes);
  VECTOR_FREE(v->values);
  VECTOR_FREE(v->looked_at);
  VECTOR_FREE(v->path);
  VECTOR_FREE(v->split_path);
  map_free(v->by_hash);
  map_free(v->node_by_hash);
  memory_free(v);
}

static uint64_t hash_of_node(const array_node *n) {
  uint64_t h = hash_mix(n->order ^ number_hash(n->entry.element));
  return hash_mix(h ^ (((uint64_t)n->left << 32) | n->right)) + 0x9e3779b9u;
}

static uint64_t hash_of_value(number otherwise, uint32_t root) {
  return hash_mix(hash_mix(number_hash(otherwise)) ^ root);
}

/* Of those with one hash the last counts; the others follow from it. */
static void fill_maps(array_values *v) {
  for (uint32_t i = 0; i < v->nodes.count; i++) map_set(v->node_by_hash, hash_of_node(&v->nodes.at[i]), i);
  for (uint32_t i = 0; i < v->values.count; i++)
    map_set(v->by_hash, hash_of_value(v->values.at[i].otherwise, v->values.at[i].root), i);
}

struct array_values *array_values_copy(const struct array_values *from) {
  array_values *v = array_values_new();
  VECTOR_COPY(v->nodes, from->nodes);
  VECTOR_COPY(v->values, from->values);
  fill_maps(v);
  return v;
}

array_mark array_values_mark(const terms *ts) {
  return (array_mark){ts->array_values->nodes.count, ts->array_values->values.count};
}

void array_values_release(const terms *ts, array_mark to) {
  array_values *v = ts->array_values;
  REQUIRE(to.nodes <= v->nodes.count && to.values <= v->values.count, "a mark that was made before");
  for (; v->nodes.count > to.nodes; v->nodes.count--) /* the last one of its hash */
    map_set(v->node_by_hash, hash_of_node(&VECTOR_LAST(v->nodes)), VECTOR_LAST(v->nodes).next);
  for (; v->values.count > to.values; v->values.count--)
    map_set(v->by_hash, hash_of_value(VECTOR_LAST(v->values).otherwise, VECTOR_LAST(v->values).root),
            VECTOR_LAST(v->values).next);
  size_t left = v->nodes.count + v->values.count;
  if (map_count(v->node_by_hash) + map_count(v->by_hash) < KEYS_PER_ENTRY * left + LEAST_KEYS) return;
  map_clear(v->node_by_hash);
  map_clear(v->by_hash);
  fill_maps(v);
}

/* ---- nodes ---- */

static uint32_t count_of(const array_values *v, uint32_t node) { return node == NO_NODE ? 0 : v->nodes.at[node].count; }

static uint8_t kinds_of(const array_values *v, uint32_t node) {
  return node == NO_NODE ? ALL_KINDS : v->nodes.at[node].kinds;
}

static uint8_t kinds_of_entry(array_entry e) {
  uint8_t kinds = number_is_integer(e.index) ? INDICES_ARE_INTEGERS : 0;
  if (number_is_integer(e.element)) kinds |= ALL_INTEGERS;
  if (number_is(e.element, 0) || number_is(e.element, 1)) kinds |= ALL_BOOLEANS;
  return kinds;
}

static uint32_t make_node(array_values *v, array_entry e, uint32_t left, uint32_t right) {
  array_node made = {.entry = e, .left = left, .right = right, .order = hash_mix(number_hash(e.index))};
  uint64_t hash = hash_of_node(&made), last = NO_NODE;
  map_get(v->node_by_hash, hash, &last);
  for (uint32_t at = (uint32_t)last; at != NO_NODE; at = v->nodes.at[at].next) {
    const array_node *n = &v->nodes.at[at];
    if (n->left == left && n->right == right && number_equal(n->entry.index, e.index) &&
        number_equal(n->entry.element, e.element))
      return at;
  }
  if (v->nodes.count >= NO_NODE) memory_exhausted();
  made.next = (uint32_t)last;
  made.count = 1 + count_of(v, left) + count_of(v, right);
  made.kinds = kinds_of_entry(e) & kinds_of(v, left) & kinds_of(v, right);
  VECTOR_PUSH(v->nodes, made);
  map_set(v->node_by_hash, hash, v->nodes.count - 1);
  return (uint32_t)v->nodes.count - 1;
}

/* Whether the entry belongs above the node. Two indices of one hash are in the order of the indices. */
static bool is_above(uint64_t order, number index, const array_node *n) {
  return order > n->order || (order == n->order && number_compare(index, n->entry.index) < 0);
}

/* The node again, with another child on the side of the index. */
static uint32_t with_child(array_values *v, uint32_t node, number index, uint32_t child) {
  array_node n = v->nodes.at[node];
  bool is_left = number_compare(index, n.entry.index) < 0;
  return make_node(v, n.entry, is_left ? child : n.left, is_left ? n.right : child);
}

/* What is below and above the index, which is not in the tree. */
static void split(array_values *v, uint32_t node, number index, uint32_t *low, uint32_t *high) {
  VECTOR_CLEAR(v->split_path);
  for (uint32_t at = node; at != NO_NODE;) {
    VECTOR_PUSH(v->split_path, at);
    at = number_compare(v->nodes.at[at].entry.index, index) < 0 ? v->nodes.at[at].right : v->nodes.at[at].left;
  }
  *low = *high = NO_NODE;
  while (v->split_path.count) {
    array_node n = v->nodes.at[VECTOR_POP(v->split_path)];
    if (number_compare(n.entry.index, index) < 0)
      *low = make_node(v, n.entry, n.left, *low);
    else
      *high = make_node(v, n.entry, *high, n.right);
  }
}

/* All of `low` is below all of `high`. */
static uint32_t join(array_values *v, uint32_t low, uint32_t high) {
  size_t before = v->split_path.count;
  while (low != NO_NODE && high != NO_NODE) {
    const array_node *a = &v->nodes.at[low], *b = &v->nodes.at[high];
    bool is_low = is_above(a->order, a->entry.index, b);
    VECTOR_PUSH(v->split_path, is_low ? low : high);
    VECTOR_PUSH(v->split_path, is_low);
    if (is_low)
      low = a->right;
    else
      high = b->left;
  }
  uint32_t made = low != NO_NODE ? low : high;
  while (v->split_path.count > before) {
    bool is_low = VECTOR_POP(v->split_path);
    array_node n = v->nodes.at[VECTOR_POP(v->split_path)];
    made = is_low ? make_node(v, n.entry, n.left, made) : make_node(v, n.entry, made, n.right);
  }
  return made;
}

/* The path to the index; below it is its node, the node that a new one takes the place of, or none: the result. */
static uint32_t descend(array_values *v, uint32_t root, number index) {
  uint64_t order = hash_mix(number_hash(index));
  VECTOR_CLEAR(v->path);
  uint32_t at = root;
  while (at != NO_NODE) {
    const array_node *n = &v->nodes.at[at];
    int side = number_compare(index, n->entry.index);
    if (!side || is_above(order, index, n)) return at;
    VECTOR_PUSH(v->path, at);
    at = side < 0 ? n->left : n->right;
  }
  return NO_NODE;
}

static uint32_t climb(array_values *v, number index, uint32_t below) {
  while (v->path.count) below = with_child(v, VECTOR_POP(v->path), index, below);
  return below;
}

static bool is_at(const array_values *v, uint32_t node, number index) {
  return node != NO_NODE && number_equal(v->nodes.at[node].entry.index, index);
}

static uint32_t insert(array_values *v, uint32_t root, array_entry e) {
  uint32_t at = descend(v, root, e.index), low, high;
  if (is_at(v, at, e.index)) {
    low = v->nodes.at[at].left;
    high = v->nodes.at[at].right;
  } else {
    split(v, at, e.index, &low, &high);
  }
  return climb(v, e.index, make_node(v, e, low, high));
}

static uint32_t take_out(array_values *v, uint32_t root, number index) {
  uint32_t at = descend(v, root, index);
  if (!is_at(v, at, index)) return root;
  return climb(v, index, join(v, v->nodes.at[at].left, v->nodes.at[at].right));
}

static uint32_t write(array_values *v, number otherwise, uint32_t root, array_entry e) {
  return number_equal(e.element, otherwise) ? take_out(v, root, e.index) : insert(v, root, e);
}

/* ---- values ---- */

static uint32_t intern(array_values *v, kept_value made) {
  uint64_t hash = hash_of_value(made.otherwise, made.root), last = NO_VALUE;
  map_get(v->by_hash, hash, &last);
  for (uint32_t at = (uint32_t)last; at != NO_VALUE; at = v->values.at[at].next)
    if (v->values.at[at].root == made.root && number_equal(v->values.at[at].otherwise, made.otherwise)) return at;
  if (v->values.count >= NO_VALUE) memory_exhausted();
  made.next = (uint32_t)last;
  VECTOR_PUSH(v->values, made);
  map_set(v->by_hash, hash, v->values.count - 1);
  return (uint32_t)v->values.count - 1;
}

/* The table is there with its first value. */
static array_values *table_of(const terms *ts) {
  array_values *v = ts->array_values;
  if (!v->values.count) intern(v, (kept_value){.otherwise = number_of(0), .root = NO_NODE, .from = NO_VALUE});
  return v;
}

number array_value_of(const terms *ts, number otherwise, size_t count, const array_entry *entries) {
  array_values *v = table_of(ts);
  uint32_t root = NO_NODE;
  for (size_t i = 0; i < count; i++) root = write(v, otherwise, root, entries[i]);
  return number_of(intern(v, (kept_value){.otherwise = otherwise, .root = root, .from = NO_VALUE}));
}

static bool find_value(const terms *ts, number array, const kept_value **out) {
  const array_values *v = table_of(ts);
  int64_t at;
  if (!number_to_int64(array, &at) || at < 0 || (uint64_t)at >= v->values.count) return false;
  *out = &v->values.at[at];
  return true;
}

static const kept_value *value_at(const terms *ts, number array) {
  const kept_value *k = NULL;
  bool found = find_value(ts, array, &k);
  REQUIRE(found, "the number of an array value");
  return k;
}

array_value array_value_look(const terms *ts, number array) {
  const kept_value *k = value_at(ts, array);
  array_values *v = ts->array_values;
  uint32_t at = k->root;
  VECTOR_CLEAR(v->looked_at);
  VECTOR_CLEAR(v->path);
  while (at != NO_NODE || v->path.count) {
    for (; at != NO_NODE; at = v->nodes.at[at].left) VECTOR_PUSH(v->path, at);
    at = VECTOR_POP(v->path);
    VECTOR_PUSH(v->looked_at, v->nodes.at[at].entry);
    at = v->nodes.at[at].right;
  }
  return (array_value){k->otherwise, v->looked_at.count, v->looked_at.at};
}

size_t array_value_count(const terms *ts, number array) { return count_of(table_of(ts), value_at(ts, array)->root); }

bool array_value_origin(const terms *ts, number array, number *from, array_entry *written) {
  const kept_value *k = value_at(ts, array);
  if (k->from == NO_VALUE) return false;
  *from = number_of(k->from);
  *written = k->write;
  return true;
}

number array_value_at(const terms *ts, number array, number index) {
  const kept_value *k = value_at(ts, array);
  const array_values *v = ts->array_values;
  for (uint32_t at = k->root; at != NO_NODE;) {
    const array_node *n = &v->nodes.at[at];
    int side = number_compare(index, n->entry.index);
    if (!side) return n->entry.element;
    at = side < 0 ? n->left : n->right;
  }
  return k->otherwise;
}

number array_value_with(const terms *ts, number array, number index, number element) {
  if (number_equal(array_value_at(ts, array, index), element)) return array;
  array_values *v = table_of(ts);
  const kept_value *k = value_at(ts, array);
  kept_value made = {.otherwise = k->otherwise, .write = {index, element}};
  made.from = (uint32_t)(k - v->values.at);
  made.root = write(v, k->otherwise, k->root, made.write);
  return number_of(intern(v, made));
}

static bool is_element(number n, sort of) {
  return of == SORT_REAL || (of == SORT_BOOL ? number_is(n, 0) || number_is(n, 1) : number_is_integer(n));
}

static bool is_of_scalars(const array_values *v, const kept_value *k, sort element) {
  uint8_t kinds = kinds_of(v, k->root), wanted = INDICES_ARE_INTEGERS;
  if (!is_element(k->otherwise, element)) return false;
  if (element != SORT_REAL) wanted |= element == SORT_BOOL ? ALL_BOOLEANS : ALL_INTEGERS;
  return (kinds & wanted) == wanted;
}

/* All elements are arrays. What is known is noted if they were made earlier: then they are there as long as this one is. */
static bool is_of_arrays(const terms *ts, number array, const type *of) {
  array_values *v = ts->array_values;
  type element = type_of_element(of);
  uint16_t bit = (uint16_t)(1u << (of->element * MOST_NESTING + of->nesting - 1));
  kept_value *k = &v->values.at[array.small];
  bool fine = true, is_earlier = number_compare(k->otherwise, array) < 0;
  VECTOR(array_entry) entries = {0};
  if (k->is_nested & bit) return true;
  array_value a = array_value_look(ts, array);
  for (size_t i = 0; i < a.count; i++) VECTOR_PUSH(entries, a.entries[i]);
  fine = array_value_is_of(ts, a.otherwise, &element);
  for (size_t i = 0; i < entries.count && fine; i++) {
    fine = number_is_integer(entries.at[i].index) && array_value_is_of(ts, entries.at[i].element, &element);
    is_earlier = is_earlier && number_compare(entries.at[i].element, array) < 0;
  }
  VECTOR_FREE(entries);
  if (fine && is_earlier) v->values.at[array.small].is_nested |= bit;
  return fine;
}

bool array_value_is_of(const terms *ts, number array, const type *of) {
  const kept_value *k;
  if (!find_value(ts, array, &k)) return false;
  return of->nesting ? is_of_arrays(ts, array, of) : is_of_scalars(ts->array_values, k, of->element);
}

static term of_scalar(terms *ts, sort of, number value) {
  return of == SORT_BOOL ? term_of_bool(!number_is(value, 0)) : term_number(ts, value);
}

term term_of_any_value(terms *ts, const type *of, number value) {
  if (of->sort != SORT_ARRAY) return of_scalar(ts, of->sort, value);
  type element = type_of_element(of);
  VECTOR(array_entry) entries = {0};
  array_value a = array_value_look(ts, value);
  for (size_t i = 0; i < a.count; i++) VECTOR_PUSH(entries, a.entries[i]); /* others are looked at below */
  term made = term_constant_array(ts, of->element, term_of_any_value(ts, &element, a.otherwise));
  for (size_t i = 0; i < entries.count; i++)
    made = term_store(ts, made, term_number(ts, entries.at[i].index),
                      term_of_any_value(ts, &element, entries.at[i].element));
  VECTOR_FREE(entries);
  return made;
}
