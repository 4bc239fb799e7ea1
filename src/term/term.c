/* The table of terms: storage, hash-consing, variables, and looking at terms. Building is in build.c (booleans and
 * atoms) and arithmetic.c (sums, products, division); walking in walk.c. */
#include "term/term.h"

#include "base/escape.h"
#include "base/instruments/check.h"
#include "base/map.h"
#include "term/array_value.h"
#include "term/table.h"

enum { FIRST_TABLE_SIZE = 1024 };

void terms_names_are_escaped(terms *ts) { ts->names_are_escaped = true; }

terms *terms_new(void) {
  terms *ts = MEMORY_NEW(terms);
  ts->arena = arena_new();
  ts->by_name = names_new();
  ts->places = MEMORY_NEW(places_pool);
  ts->array_values = array_values_new();
  ts->table_size = FIRST_TABLE_SIZE;
  ts->table = MEMORY_ARRAY(table_slot, ts->table_size);
  VECTOR_RESERVE(ts->arguments, 1);       /* so that it is never NULL, not even for offset 0 */
  VECTOR_PUSH(ts->numbers, number_of(0)); /* a leaf as a sum: 0 + 1 * leaf; see term_linear */
  VECTOR_PUSH(ts->numbers, number_of(1));
  VECTOR_PUSH(ts->nodes, (term_node){.kind = TERM_CONSTANT_TRUE});
  return ts;
}

terms *terms_copy(const terms *from) {
  terms *ts = MEMORY_NEW(terms);
  ts->arena = arena_new();
  ts->by_name = names_new();
  ts->places = MEMORY_NEW(places_pool);
  ts->table_size = from->table_size;
  ts->table = MEMORY_ARRAY(table_slot, ts->table_size);
  memcpy(ts->table, from->table, ts->table_size * sizeof *ts->table);
  VECTOR_COPY(ts->nodes, from->nodes);
  VECTOR_COPY(ts->arguments, from->arguments);
  VECTOR_COPY(ts->numbers, from->numbers);
  VECTOR_COPY(ts->variables, from->variables);
  for (size_t i = 0; i < ts->variables.count; i++) names_set(ts->by_name, ts->variables.at[i].name, i);
  ts->fresh = from->fresh;
  ts->names_are_escaped = from->names_are_escaped;
  ts->have_reals = from->have_reals;
  ts->nest_arrays = from->nest_arrays;
  ts->have_arrays = from->have_arrays;
  ts->array_values = array_values_copy(from->array_values);
  return ts;
}

void terms_free(terms *ts) {
  if (!ts) return;
  VECTOR_FREE(ts->nodes);
  VECTOR_FREE(ts->arguments);
  VECTOR_FREE(ts->numbers);
  VECTOR_FREE(ts->variables);
  VECTOR_FREE(ts->spare);
  places_pool_close(ts->places);
  array_values_free(ts->array_values);
  memory_free(ts->table);
  names_free(ts->by_name);
  arena_free(ts->arena);
  memory_free(ts);
}

size_t terms_count(const terms *ts) { return ts->nodes.count; }
arena *terms_arena(terms *ts) { return ts->arena; }

/* ---- hash-consing ---- */

uint32_t terms_hash(const node_key *k) {
  uint64_t h = hash_mix(k->kind + ((uint64_t)k->variable << 8));
  for (size_t i = 0; i < k->count; i++) h = hash_mix(h ^ k->arguments[i].x) + 0x9e3779b9u;
  if (k->kind == TERM_SUM)
    for (size_t i = 0; i <= k->count; i++) h = hash_mix(h ^ number_hash(k->numbers[i]));
  return (uint32_t)(h ^ (h >> 32));
}

static bool key_matches(const terms *ts, const node_key *k, uint32_t index) {
  const term_node *n = &ts->nodes.at[index];
  if (n->kind != k->kind || n->count != k->count) return false;
  if (k->kind != TERM_SUM && n->extra != k->variable) return false;
  if (k->count && memcmp(ts->arguments.at + n->start, k->arguments, k->count * sizeof(term))) return false;
  if (k->kind == TERM_SUM)
    for (size_t i = 0; i <= k->count; i++)
      if (!number_equal(ts->numbers.at[n->extra + i], k->numbers[i])) return false;
  return true;
}

static void table_grow(terms *ts) {
  table_slot *old = ts->table;
  size_t size = ts->table_size;
  ts->table_size *= 2;
  ts->table = MEMORY_ARRAY(table_slot, ts->table_size);
  for (size_t i = 0; i < size; i++) {
    size_t slot = old[i].hash & (ts->table_size - 1);
    if (!old[i].index) continue;
    while (ts->table[slot].index) slot = (slot + 1) & (ts->table_size - 1);
    ts->table[slot] = old[i];
  }
  memory_free(old);
}

/* Whether the value is real: that of a choice is if one of its alternatives is, whatever the condition. */
static void find_reals(terms *ts, const node_key *k, term_node *n) {
  size_t first_value = k->kind == TERM_INT_ITE ? 1 : 0;
  bool has_value = (k->kind > TERM_BOOL_ITE && k->kind < TERM_SELECT) || k->kind == TERM_LE || k->kind == TERM_EQ;
  n->is_real = k->kind == TERM_REAL_VARIABLE;
  if (k->kind == TERM_SELECT) n->is_real = ts->nodes.at[term_index(k->arguments[0])].element == SORT_REAL;
  for (size_t i = 0; i < k->count; i++) {
    const term_node *argument = &ts->nodes.at[term_index(k->arguments[i])];
    n->is_real |= has_value && i >= first_value && argument->is_real;
    n->has_real |= argument->has_real;
  }
  if (k->kind == TERM_SUM)
    for (size_t i = 0; i <= k->count; i++) n->is_real |= !number_is_integer(k->numbers[i]);
  n->has_real |= n->is_real;
  n->has_real |= kind_is_array(k->kind) && n->element == SORT_REAL;
  ts->have_reals |= n->has_real;
}

static void find_element(terms *ts, const node_key *k, term_node *n) {
  const type *of = k->kind == TERM_ARRAY_VARIABLE ? &ts->variables.at[k->variable].type : NULL;
  const term_node *from = of ? NULL : &ts->nodes.at[term_index(k->arguments[k->kind == TERM_ARRAY_ITE ? 1 : 0])];
  n->element = (uint8_t)(of ? of->element : k->kind == TERM_CONSTANT_ARRAY ? k->variable : from->element) & 15;
  n->nesting = (of ? of->nesting : from->nesting) & 15;
  if (k->kind == TERM_ARRAY_SELECT) n->nesting--;
  if (k->kind == TERM_CONSTANT_ARRAY) n->nesting = kind_is_array((term_kind)from->kind) ? (from->nesting + 1) & 15 : 0;
  ts->nest_arrays |= n->nesting > 0;
}

static uint32_t node_add(terms *ts, const node_key *k) {
  bool fits = ts->nodes.count < UINT32_MAX / 2 && ts->arguments.count + k->count < UINT32_MAX &&
              ts->numbers.count + k->count < UINT32_MAX;
  if (!fits) memory_exhausted();
  uint32_t index = (uint32_t)ts->nodes.count;
  for (size_t i = 0; i < k->count; i++) assert(term_index(k->arguments[i]) < index);
  term_node n = {.kind = k->kind, .count = (uint32_t)k->count, .extra = k->variable};
  if (kind_is_array(k->kind)) find_element(ts, k, &n);
  ts->have_arrays |= kind_is_array(k->kind);
  find_reals(ts, k, &n);
  /* Every integer leaf has itself just before its arguments, so that it can be seen as a sum of one. */
  if (k->kind > TERM_BOOL_ITE && k->kind != TERM_SUM) VECTOR_PUSH(ts->arguments, (term){2 * index});
  n.start = (uint32_t)ts->arguments.count;
  for (size_t i = 0; i < k->count; i++) VECTOR_PUSH(ts->arguments, k->arguments[i]);
  if (k->kind == TERM_SUM) {
    n.extra = (uint32_t)ts->numbers.count;
    for (size_t i = 0; i <= k->count; i++) VECTOR_PUSH(ts->numbers, k->numbers[i]);
  }
  VECTOR_PUSH(ts->nodes, n);
  return index;
}

term terms_intern(terms *ts, const node_key *k) {
  uint32_t hash = terms_hash(k);
  size_t mask = ts->table_size - 1, slot = hash & mask;
  for (; ts->table[slot].index; slot = (slot + 1) & mask)
    if (ts->table[slot].hash == hash && key_matches(ts, k, ts->table[slot].index))
      return (term){2 * ts->table[slot].index};
  uint32_t index = node_add(ts, k);
  ts->table[slot] = (table_slot){index, hash};
  if (2 * ts->nodes.count > ts->table_size) table_grow(ts);
  CHECKED_AT_TIMES(ts->table_size + 16 * ts->nodes.count, terms_check(ts));
  return (term){2 * index};
}

/* ---- variables ---- */

static const char *shown_name(terms *ts, const char *name) {
  if (!string_has_control(name)) return name;
  text shown = {0};
  text_add_shown(&shown, name);
  name = arena_copy_string(ts->arena, text_string(&shown));
  text_clear(&shown);
  return name;
}

variable variable_new(terms *ts, const char *name, const type *of) {
  REQUIRE(!names_get(ts->by_name, name, NULL), "a name that is not taken");
  variable v = {(uint32_t)ts->variables.count};
  type copy = *of; /* it may be the type of another variable, which moves with the table */
  const char *kept = arena_copy_string(ts->arena, name);
  VECTOR_PUSH(ts->variables, (variable_entry){kept, shown_name(ts, kept), copy, NO_VARIABLE, {0}});
  names_set(ts->by_name, name, v.x);
  static const term_kind kinds[] = {[SORT_BOOL] = TERM_BOOL_VARIABLE,
                                    [SORT_INT] = TERM_INT_VARIABLE,
                                    [SORT_NODE] = TERM_NODE_VARIABLE,
                                    [SORT_REAL] = TERM_REAL_VARIABLE,
                                    [SORT_ARRAY] = TERM_ARRAY_VARIABLE};
  REQUIRE(copy.sort != SORT_ARRAY || copy.nesting <= MOST_NESTING, "an array of at most so many indices");
  REQUIRE(copy.sort != SORT_REAL || (!copy.has_low && !copy.has_high), "a real without bounds");
  term_kind kind = kinds[copy.sort];
  ts->variables.at[v.x].term = terms_intern(ts, &(node_key){.kind = kind, .variable = v.x});
  return v;
}

bool variable_find(const terms *ts, const char *name, variable *out) {
  uint64_t index;
  if (!names_get(ts->by_name, name, &index)) return false;
  out->x = (uint32_t)index;
  return true;
}

variable variable_fresh(terms *ts, const char *stem, const type *of) {
  if (!names_get(ts->by_name, stem, NULL)) return variable_new(ts, stem, of);
  text name = {0};
  do {
    text_reset(&name);
    text_add(&name, "%s!%llu", stem, (unsigned long long)++ts->fresh);
  } while (names_get(ts->by_name, name.at, NULL));
  variable v = variable_new(ts, name.at, of);
  text_clear(&name);
  return v;
}

variable variable_next(terms *ts, variable v) {
  if (ts->variables.at[v.x].next == NO_VARIABLE) {
    text name = {0};
    text_add(&name, "%s!next", ts->variables.at[v.x].name);
    type t = ts->variables.at[v.x].type;
    uint32_t next = variable_fresh(ts, name.at, &t).x;
    ts->variables.at[v.x].next = next;
    text_clear(&name);
  }
  return (variable){ts->variables.at[v.x].next};
}

const char *variable_name(const terms *ts, variable v) { return ts->variables.at[v.x].name; }
const char *variable_shown(const terms *ts, variable v) { return ts->variables.at[v.x].shown; }
const type *variable_type(const terms *ts, variable v) { return &ts->variables.at[v.x].type; }
size_t variable_count(const terms *ts) { return ts->variables.count; }
term term_of_variable(terms *ts, variable v) { return ts->variables.at[v.x].term; }

const char *type_smtlib_sort(const type *t) {
  static const char *const scalars[] = {
      [SORT_BOOL] = "Bool", [SORT_INT] = "Int", [SORT_NODE] = "Int", [SORT_REAL] = "Real"};
#define ARRAY_OF(T) "(Array Int " T ")"
#define ARRAYS_OF(T) \
  { ARRAY_OF(T), ARRAY_OF(ARRAY_OF(T)), ARRAY_OF(ARRAY_OF(ARRAY_OF(T))), ARRAY_OF(ARRAY_OF(ARRAY_OF(ARRAY_OF(T)))) }
  static const char *const arrays[][MOST_NESTING + 1] = {
      [SORT_BOOL] = ARRAYS_OF("Bool"), [SORT_INT] = ARRAYS_OF("Int"), [SORT_REAL] = ARRAYS_OF("Real")};
#undef ARRAYS_OF
#undef ARRAY_OF
  return t->sort == SORT_ARRAY ? arrays[t->element][t->nesting] : scalars[t->sort];
}

bool type_is_finite(const type *t) {
  return t->sort == SORT_BOOL || (t->sort == SORT_INT && t->has_low && t->has_high);
}

bool type_fits_in_words(const type *t) {
  return type_is_finite(t) && (t->sort == SORT_BOOL || (!t->low.big && !t->high.big));
}

bool type_has_value(const type *t, number n) {
  if (t->sort == SORT_NODE) return true;
  if (t->sort == SORT_BOOL) return number_is(n, 0) || number_is(n, 1);
  if (t->sort == SORT_INT && !number_is_integer(n)) return false;
  return !(t->has_low && number_compare(n, t->low) < 0) && !(t->has_high && number_compare(n, t->high) > 0);
}

uint64_t type_size(const type *t, uint64_t cap) {
  REQUIRE(type_is_finite(t), "a finite type");
  if (t->sort == SORT_BOOL) return cap < 2 ? cap : 2;
  number size = number_add(number_sub(t->high, t->low), number_of(1));
  int64_t small;
  if (number_sign(size) <= 0) return 0;
  if (!number_to_int64(size, &small) || (uint64_t)small > cap) return cap;
  return (uint64_t)small;
}

/* ---- looking ---- */

static const term_node *node_of(const terms *ts, term t) { return &ts->nodes.at[term_index(t)]; }

term_kind term_kind_of(const terms *ts, term t) { return (term_kind)node_of(ts, t)->kind; }

sort term_sort(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  if (kind <= TERM_BOOL_ITE) return SORT_BOOL;
  if (kind == TERM_NODE_VARIABLE) return SORT_NODE;
  if (kind_is_array(kind)) return SORT_ARRAY;
  return node_of(ts, t)->is_real ? SORT_REAL : SORT_INT;
}

bool term_is_real_atom(const terms *ts, term t) {
  const term_node *n = node_of(ts, t);
  return (n->kind == TERM_LE || n->kind == TERM_EQ) && n->is_real;
}

bool term_has_real(const terms *ts, term t) { return node_of(ts, t)->has_real; }
bool terms_have_reals(const terms *ts) { return ts->have_reals; }
bool terms_nest_arrays(const terms *ts) { return ts->nest_arrays; }

sort term_element(const terms *ts, term array) {
  REQUIRE(kind_is_array(term_kind_of(ts, array)), "an array");
  return (sort)node_of(ts, array)->element;
}

unsigned term_nesting(const terms *ts, term array) {
  REQUIRE(kind_is_array(term_kind_of(ts, array)), "an array");
  return node_of(ts, array)->nesting;
}

type term_type(const terms *ts, term t) {
  type made = {.sort = term_sort(ts, t)};
  if (made.sort != SORT_ARRAY) return made;
  made.element = term_element(ts, t);
  made.nesting = (uint8_t)term_nesting(ts, t);
  return made;
}

bool term_fits(const terms *ts, term t, const type *of) {
  type own = term_type(ts, t);
  return own.sort == SORT_ARRAY ? types_have_one_sort(&own, of) : sort_fits(own.sort, of->sort);
}

bool terms_have_arrays(const terms *ts) { return ts->have_arrays; }

size_t term_arguments(const terms *ts, term t) { return node_of(ts, t)->count; }

term term_argument(const terms *ts, term t, size_t i) {
  const term_node *n = node_of(ts, t);
  REQUIRE(i < n->count, "an argument that is there");
  return ts->arguments.at[n->start + i];
}

number term_coefficient(const terms *ts, term sum, size_t i) {
  const term_node *n = node_of(ts, sum);
  REQUIRE(n->kind == TERM_SUM && i < n->count, "a sum");
  return ts->numbers.at[n->extra + 1 + i];
}

number term_constant(const terms *ts, term sum) {
  const term_node *n = node_of(ts, sum);
  REQUIRE(n->kind == TERM_SUM, "a sum");
  return ts->numbers.at[n->extra];
}

variable term_variable(const terms *ts, term t) {
  const term_node *n = node_of(ts, t);
  bool is_variable = n->kind == TERM_BOOL_VARIABLE || n->kind == TERM_INT_VARIABLE || n->kind == TERM_NODE_VARIABLE ||
                     n->kind == TERM_REAL_VARIABLE || n->kind == TERM_ARRAY_VARIABLE;
  REQUIRE(is_variable, "a variable");
  return (variable){n->extra};
}

bool term_is_number(const terms *ts, term t, number *out) {
  const term_node *n = node_of(ts, t);
  if (n->kind != TERM_SUM || n->count) return false;
  if (out) *out = ts->numbers.at[n->extra];
  return true;
}

bool term_is_atom(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  return kind >= TERM_BOOL_VARIABLE && kind <= TERM_EQ;
}

linear term_linear(const terms *ts, term t) {
  const term_node *n = node_of(ts, t);
  REQUIRE(n->kind > TERM_BOOL_ITE && n->kind != TERM_NODE_VARIABLE && !kind_is_array((term_kind)n->kind),
          "an integer or real term");
  if (n->kind == TERM_SUM)
    return (linear){ts->numbers.at[n->extra], n->count, ts->arguments.at + n->start, ts->numbers.at + n->extra + 1};
  return (linear){number_of(0), 1, ts->arguments.at + n->start - 1, ts->numbers.at + 1};
}
