/* Variables as cells, and reading and writing at places in them. An index that is not constant means each cell that it
 * can be: a choice when reading, a change of each of them when writing. */
#include "input/c/heap/heap.h"

/* How many integers a variable may be made of that cannot be anything but expanded. */
static size_t most_cells(const c_lowering *l) {
  int64_t most = l->settings->most_expanded;
  return (size_t)(most > C_MOST_CELLS ? most : C_MOST_CELLS);
}

/* ---- declaring ---- */

static void name_cells(c_lowering *l, const c_type *t, const char *name) {
  if (t->kind == TYPE_ARRAY) {
    for (size_t i = 0; i < t->count; i++) {
      char *inner = text_format("%s[%zu]", name, i);
      name_cells(l, t->element, inner);
      memory_free(inner);
    }
  } else if (t->kind == TYPE_STRUCT) {
    for (size_t i = 0; i < t->fields.count; i++) {
      char *inner = text_format("%s.%s", name, t->fields.at[i].name);
      name_cells(l, t->fields.at[i].type, inner);
      memory_free(inner);
    }
  } else {
    c_cell_new(l, name, t);
  }
}

const c_object *c_object_declare(c_lowering *l, const c_node *n) {
  uint64_t known;
  if (map_get(l->objects, n->id, &known)) return (const c_object *)(uintptr_t)known;
  const c_type *t = c_type_of(&l->types, n->type);
  c_object *o = arena_alloc(l->arena, sizeof *o);
  char *any = text_format("any %s", n->name);
  *o = (c_object){
      .name = n->name, .any = arena_copy_string(l->arena, any), .type = t, .first = l->cells.count, .declared = n};
  memory_free(any);
  map_set(l->objects, n->id, (uint64_t)(uintptr_t)o);
  if (!t->is_volatile && c_is_in_memory(l, n)) {
    c_variable_declare(l, o, n);
  } else if (t->is_volatile || t->kind == TYPE_OTHER || t->kind == TYPE_VOID || t->kind == TYPE_FUNCTION) {
    c_refuse_type(l, n, t);
  } else if (c_array_is_for(l, t)) {
    c_array_declare(l, o, n);
  } else if (t->cells > most_cells(l)) {
    c_refuse(l, n, "`%s` is made of %zu integers, in structs with arrays inside; up to %zu are read", n->name, t->cells,
             most_cells(l));
  } else {
    name_cells(l, t, n->name);
    o->cells = l->cells.count - o->first;
    c_flags_declare(l, o);
  }
  return o;
}

/* ---- how long they are there ---- */

bool c_is_inside(const c_node *n, const c_node *what) {
  for (size_t i = 0; i < n->count; i++)
    if (n->inner[i] == what || c_is_inside(n->inner[i], what)) return true;
  return n == what;
}

/* The smallest part of `n` in which what it declares is in scope; NULL if it is not there. */
static const c_node *scope_of(const c_node *n, const c_node *declared) {
  for (size_t i = 0; i < n->count; i++) {
    if (!c_is_inside(n->inner[i], declared)) continue;
    const c_node *inner = scope_of(n->inner[i], declared);
    bool is_scope = n->kind == C_COMPOUND || n->kind == C_FOR || n->kind == C_FUNCTION;
    return inner || !is_scope ? inner : n;
  }
  return NULL;
}

static bool is_of_whole_program(const c_lowering *l, const c_node *variable) {
  return !strcmp(variable->storage, "static") || map_get(l->global_ids, variable->id, NULL);
}

bool c_object_outlives(const c_lowering *l, const c_object *o, const c_node *variable) {
  if (o->is_allocated || !o->declared || is_of_whole_program(l, o->declared)) return true;
  if (is_of_whole_program(l, variable)) return false;
  for (const c_frame *f = l->frame; f; f = f->caller) {
    if (!c_is_inside(f->function, variable)) continue;
    const c_node *scope = scope_of(f->function, o->declared);
    bool has_any_length = scope && o->declared->kind == C_VARIABLE && o->type->length;
    bool is_first = variable->is_here && o->declared->is_here && variable->start > o->declared->start;
    /* A jump back to before its declaration ends it. */
    if (has_any_length && !is_first && c_has_target(l, f->function, o->declared)) return false;
    return !scope || c_is_inside(scope, variable); /* not there: a caller has it */
  }
  return false;
}

c_operand c_object_place(c_lowering *l, const c_object *o) {
  term zero = term_int(l->ts, 0);
  return (c_operand){.type = o->type, .value = zero, .is_place = true, .object = o, .outer = zero, .count = 1};
}

c_operand c_object_place_on(c_lowering *l, const c_path *p, const c_object *o) {
  c_operand where = c_object_place(l, o);
  if (!o->lives_in) return where;
  where.object = &o->lives_in->object;
  where.outer = c_cell_read(l, p, o->first).value;
  return where;
}

const c_object *c_object_of(c_lowering *l, const c_node *name) {
  uint64_t known;
  if (map_get(l->objects, name->reference, &known)) return (const c_object *)(uintptr_t)known;
  bool is_global = map_get(l->global_ids, name->reference, &known);
  if (is_global && names_get(l->globals, name->reference_name, &known)) return (const c_object *)(uintptr_t)known;
  if (map_get(l->variables, name->reference, &known)) return c_object_declare(l, (const c_node *)(uintptr_t)known);
  c_refuse(l, name, "`%s` is not known here; a variable with its declaration in this file would be",
           name->reference_name);
  return NULL;
}

void c_object_clear(c_lowering *l, c_path *p, const c_object *o, bool to_zero) {
  c_flags_set_all(l, p, o, to_zero);
  if (o->lives_in) {
    c_variable_begin(l, p, o);
    if (to_zero) c_variable_zero(l, p, o);
    return;
  }
  if (c_object_is_array(o)) {
    c_array_clear(l, p, o, to_zero);
    return;
  }
  for (size_t i = 0; i < o->cells; i++) {
    const c_type *t = l->cells.at[o->first + i].type;
    if (!c_type_is_integer(t)) continue;
    c_operand value = to_zero ? c_value_number(l, t, number_of(0)) : c_path_any(l, p, t, o->any);
    c_cell_write(l, p, o->first + i, &value);
  }
}

/* ---- places ---- */

/* A part of what was allocated has a length of its own; that of all of it is -1 after `free`. */
static term is_freed(c_lowering *l, const c_path *p, const c_operand *where) {
  if (!where->object || !where->object->is_allocated || where->count == C_OPEN) return TERM_FALSE;
  c_operand all = *where;
  all.count = C_OPEN;
  return term_lt(l->ts, c_array_length(l, p, &all), term_int(l->ts, 0));
}

void c_place_check(c_lowering *l, c_path *p, const c_operand *where, const c_node *at) {
  term low = term_lt(l->ts, where->value, term_int(l->ts, 0));
  term high = term_ge(l->ts, where->value, c_array_length(l, p, where));
  term bad = term_or(l->ts, term_or(l->ts, low, high), is_freed(l, p, where));
  c_path_check(l, p, bad, ERROR_DEREFERENCE, at);
}

term c_place_start(c_lowering *l, const c_operand *where) {
  bool is_array = c_object_is_array(where->object);
  int64_t size = is_array ? c_array_items(where->object, where->type) : (int64_t)where->type->cells;
  return term_add(l->ts, where->outer, term_scale(l->ts, number_of(size), where->value));
}

/* The cells that `where` can be: numbers in its object. */
static void cell_range(c_lowering *l, const c_path *p, const c_operand *where, term cell, int64_t *low, int64_t *high) {
  number from = number_of(0), to = number_of((int64_t)where->object->cells - 1);
  c_path_bounds(l, p, cell, &from, &to);
  *low = from.small;
  *high = to.small;
}

static bool is_usable(c_lowering *l, const c_operand *where, const c_node *at) {
  if (l->refused) return false;
  if (where->object && c_type_is_integer(where->type)) return true;
  c_refuse_type(l, at, where->type);
  return false;
}

/* In an array of structs an index never means a cell of another type; what the bounds allow is more. */
static bool is_same_integer(const c_type *a, const c_type *b) {
  return a->bits == b->bits && a->is_signed == b->is_signed && a->is_bool == b->is_bool &&
         a->is_function == b->is_function;
}

c_operand c_place_read(c_lowering *l, c_path *p, const c_operand *where, const c_node *at) {
  c_operand result = {0};
  term unset = TERM_FALSE;
  bool is_fine = is_usable(l, where, at);
  if (is_fine && where->object->text) return c_text_read(l, p, where, at);
  if (is_fine && c_object_is_array(where->object)) return c_array_read(l, p, where, 0);
  if (is_fine) {
    term cell = c_place_start(l, where);
    int64_t low, high;
    cell_range(l, p, where, cell, &low, &high);
    for (int64_t i = high; i >= low; i--) {
      term is_it = term_eq(l->ts, cell, term_int(l->ts, i));
      if (term_is_false(is_it)) continue;
      c_operand one = c_cell_read(l, p, where->object->first + (size_t)i);
      if (!is_same_integer(one.type, where->type)) continue;
      unset = term_or(l->ts, unset, term_and(l->ts, is_it, term_not(c_flag_of(l, p, where->object, (size_t)i))));
      if (!result.type) {
        result = one;
        continue;
      }
      result.value = term_ite(l->ts, is_it, one.value, result.value);
      if (number_compare(one.low, result.low) < 0) result.low = one.low;
      if (number_compare(one.high, result.high) > 0) result.high = one.high;
    }
  }
  if (!result.type)
    return c_value_number(l, c_type_signed(&l->types, 32), number_of(0)); /* refused, or never reached */
  c_unset_check(l, p, unset, at);
  result.type = where->type;
  return result;
}

void c_place_write(c_lowering *l, c_path *p, const c_operand *where, const c_operand *value, const c_node *at) {
  if (!is_usable(l, where, at)) return;
  if (where->object->text) { /* C leaves that undefined, and systems do not let it happen */
    c_path_check(l, p, TERM_TRUE, ERROR_DEREFERENCE, at);
    return;
  }
  if (c_object_is_array(where->object)) {
    c_array_write(l, p, where, 0, value->value);
    return;
  }
  term cell = c_place_start(l, where);
  int64_t low, high;
  cell_range(l, p, where, cell, &low, &high);
  for (int64_t i = low; i <= high; i++) {
    term is_it = term_eq(l->ts, cell, term_int(l->ts, i));
    size_t number = where->object->first + (size_t)i;
    if (term_is_false(is_it) || !is_same_integer(l->cells.at[number].type, where->type)) continue;
    c_flag_set(l, p, where->object, (size_t)i, term_or(l->ts, is_it, c_flag_of(l, p, where->object, (size_t)i)));
    if (term_is_true(is_it)) {
      c_cell_write(l, p, number, value);
      continue;
    }
    c_operand mixed = c_cell_read(l, p, number);
    mixed.value = term_ite(l->ts, is_it, value->value, mixed.value);
    if (number_compare(value->low, mixed.low) < 0) mixed.low = value->low;
    if (number_compare(value->high, mixed.high) > 0) mixed.high = value->high;
    c_cell_write(l, p, number, &mixed);
  }
}

/* Cell `offset` of the struct there, which is at a constant place or in an array that is not expanded. */
static bool find_part(c_lowering *l, const c_operand *where, size_t offset, size_t *cell) {
  number first;
  if (!where->object || !term_is_number(l->ts, c_place_start(l, where), &first)) return false;
  *cell = where->object->first + (size_t)first.small + offset;
  return true;
}

static bool read_part(c_lowering *l, c_path *p, const c_operand *from, size_t offset, c_operand *out) {
  size_t cell;
  if (c_object_is_array(from->object)) return *out = c_array_read(l, p, from, offset), true;
  if (!find_part(l, from, offset, &cell)) return false;
  *out = c_cell_read(l, p, cell);
  return true;
}

static term part_is_set(c_lowering *l, const c_path *p, const c_operand *from, size_t offset) {
  size_t cell;
  if (c_object_is_array(from->object) || !find_part(l, from, offset, &cell)) return TERM_TRUE;
  return c_flag_of(l, p, from->object, cell - from->object->first);
}

static bool write_part(c_lowering *l, c_path *p, const c_operand *to, size_t offset, const c_operand *value,
                       term is_set) {
  size_t cell;
  if (c_object_is_array(to->object)) return c_array_write(l, p, to, offset, value->value), true;
  if (!find_part(l, to, offset, &cell)) return false;
  c_flag_set(l, p, to->object, cell - to->object->first, is_set);
  if (c_type_is_integer(l->cells.at[cell].type)) c_cell_write(l, p, cell, value);
  return true;
}

/* Structs: cell by cell. */
void c_place_copy(c_lowering *l, c_path *p, const c_operand *to, const c_operand *from, const c_node *at) {
  VECTOR(c_operand) all = {0};
  term_vector are_set = {0};
  bool is_fine = !l->refused && to->is_place && from->is_place && to->type->cells == from->type->cells;
  for (size_t i = 0; i < to->type->cells && is_fine; i++) {
    c_operand one;
    is_fine = read_part(l, p, from, i, &one);
    VECTOR_PUSH(all, one);
    VECTOR_PUSH(are_set, is_fine ? part_is_set(l, p, from, i) : TERM_TRUE);
  }
  for (size_t i = 0; i < all.count && is_fine; i++) is_fine = write_part(l, p, to, i, &all.at[i], are_set.at[i]);
  VECTOR_FREE(all);
  VECTOR_FREE(are_set);
  if (!is_fine && !l->refused)
    c_refuse(l, at,
             "a struct in an array is copied at an index that is not constant; copying its members one by one would be "
             "read");
}
