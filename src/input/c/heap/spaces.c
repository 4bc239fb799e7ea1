/* Spaces: the cells they have, and what is at an address. */
#include "input/c/heap/heap.h"

static term next_of(c_lowering *l, const c_path *p, const c_space *s) { return c_cell_read(l, p, s->next).value; }

/* ---- cells ---- */

static bool has_array(const c_type *t) {
  if (t->kind == TYPE_ARRAY) return true;
  for (size_t i = 0; i < t->fields.count; i++)
    if (has_array(t->fields.at[i].type)) return true;
  return false;
}

static size_t new_number(c_lowering *l, const char *what, const char *of, const c_type *t) {
  char *name = text_format("%s %s", what, of);
  size_t cell = c_cell_new(l, name, t);
  memory_free(name);
  return cell;
}

static size_t new_truths(c_lowering *l, const char *what, const char *of, const c_type *t) {
  char *name = text_format("%s %s", what, of);
  type truths = {.sort = SORT_ARRAY, .element = SORT_BOOL};
  VECTOR_PUSH(l->cells, (c_cell){variable_fresh(l->ts, name, &truths), t, true});
  memory_free(name);
  return l->cells.count - 1;
}

/* The arrays are those of a variable that is an array of such objects. */
static void make_arrays(c_lowering *l, c_space *s, const char *name) {
  const c_type *item = c_type_of(&l->types, s->text);
  bool is_read = (item->kind == TYPE_STRUCT || c_type_is_integer(item)) && item->cells && !has_array(item);
  c_type *all = arena_alloc(l->arena, sizeof *all);
  *all = (c_type){.kind = TYPE_ARRAY, .text = item->text, .element = item, .count = 1, .cells = item->cells};
  s->object = (c_object){.name = name, .any = "any memory", .type = all, .space = s};
  if (is_read) c_array_declare(l, &s->object, NULL);
}

static void make_space(c_lowering *l, c_space *s) {
  const char *name = !strncmp(s->text, "struct ", 7) ? s->text + 7 : s->text;
  char *pointer = text_format("%s *", s->text);
  const c_type *t = c_type_of(&l->types, pointer);
  memory_free(pointer);
  make_arrays(l, s, name);
  s->next = new_number(l, "next", name, t);
  if (s->has_variables) s->last_variable = new_number(l, "variables of", name, t);
  if (s->loses_some) s->gone = new_truths(l, "freed", name, t);
}

static void set_number(c_lowering *l, size_t cell, int64_t value) {
  c_operand first = c_value_number(l, l->cells.at[cell].type, number_of(value));
  if (cell != C_NO_CELL) c_cell_write(l, l->live.at[0], cell, &first);
}

void c_heap_start(c_lowering *l) {
  for (size_t i = 0; i < l->spaces.count; i++) {
    c_space *s = l->spaces.at[i];
    make_space(l, s);
    set_number(l, s->next, 1);
    if (s->has_variables) set_number(l, s->last_variable, 0);
    if (s->gone == C_NO_CELL) continue;
    c_operand none = {.type = l->cells.at[s->gone].type};
    none.value = term_constant_array(l->ts, SORT_BOOL, TERM_FALSE);
    c_cell_write(l, l->live.at[0], s->gone, &none);
  }
  if (!l->counts_memory) return;
  l->allocated = c_cell_new(l, "allocated", c_type_signed(&l->types, 64));
  set_number(l, l->allocated, 0);
}

void c_heap_cells(const c_lowering *l, cell_list *out) {
  for (size_t i = 0; i < l->spaces.count; i++) {
    const c_space *s = l->spaces.at[i];
    for (size_t j = 0; j < s->object.cells; j++) VECTOR_PUSH(*out, s->object.first + j);
    VECTOR_PUSH(*out, s->next);
    if (s->last_variable != C_NO_CELL) VECTOR_PUSH(*out, s->last_variable);
    if (s->gone != C_NO_CELL) VECTOR_PUSH(*out, s->gone);
  }
  if (l->counts_memory) VECTOR_PUSH(*out, l->allocated);
}

/* ---- addresses ---- */

static term is_gone(c_lowering *l, const c_path *p, const c_space *s, term address) {
  return s->gone == C_NO_CELL ? TERM_FALSE : term_select(l->ts, c_cell_read(l, p, s->gone).value, address);
}

void c_heap_check(c_lowering *l, c_path *p, const c_space *s, term address, const c_node *at) {
  term zero = term_int(l->ts, 0);
  term is_there = term_and(l->ts, term_lt(l->ts, zero, address), term_lt(l->ts, address, next_of(l, p, s)));
  if (s->last_variable != C_NO_CELL) {
    term least = c_cell_read(l, p, s->last_variable).value;
    term is_variable = term_and(l->ts, term_le(l->ts, least, address), term_lt(l->ts, address, zero));
    is_there = term_or(l->ts, is_there, is_variable);
  }
  term bad = term_or(l->ts, term_not(is_there), is_gone(l, p, s, address));
  c_path_check(l, p, bad, ERROR_DEREFERENCE, at);
}

c_operand c_heap_follow(c_lowering *l, c_path *p, const c_operand *pointer, const c_node *at) {
  const c_space *s = c_space_of(l, pointer->type);
  const c_type *t = c_type_target(&l->types, pointer->type);
  if (!s->object.item || t->is_volatile) {
    if (t->is_volatile || t->kind == TYPE_OTHER)
      c_refuse_type(l, at, t);
    else
      c_refuse(l, at, "objects of type `%s` are not read in memory; structs of integers and pointers are", t->text);
    return *pointer;
  }
  c_heap_check(l, p, s, pointer->value, at);
  return (c_operand){.type = t,
                     .value = term_int(l->ts, 0),
                     .is_place = true,
                     .object = &s->object,
                     .outer = pointer->value,
                     .count = 1};
}

c_operand c_heap_address(c_lowering *l, const c_operand *where, const c_type *t, const c_node *at) {
  const c_space *s = c_space_of(l, t);
  bool is_whole =
      where->object == &s->object && !where->leaf && !strcmp(c_type_key(&l->types, where->type->text), s->key);
  if (!is_whole)
    c_refuse(l, at,
             "a pointer with several values gets the address of a part of an object; that of a whole one is read");
  return (c_operand){.type = t, .value = where->outer, .low = t->low, .high = t->high};
}

/* What free has taken may have been given to another object: its address is equal to itself, and perhaps to others that
 * are not null. */
term c_heap_same(c_lowering *l, c_path *p, const c_operand *a, const c_operand *b) {
  const c_space *s = c_space_of(l, a->type);
  term same = term_eq(l->ts, a->value, b->value), zero = term_int(l->ts, 0);
  number constant;
  bool is_null_test = (term_is_number(l->ts, a->value, &constant) && number_is(constant, 0)) ||
                      (term_is_number(l->ts, b->value, &constant) && number_is(constant, 0));
  if (s->gone == C_NO_CELL || is_null_test || l->is_formula) return same;
  term unclear = term_or(l->ts, is_gone(l, p, s, a->value), is_gone(l, p, s, b->value));
  unclear = term_and(l->ts, unclear, term_not(term_eq(l->ts, a->value, zero)));
  unclear = term_and(l->ts, unclear, term_not(term_eq(l->ts, b->value, zero)));
  c_operand any = c_path_any(l, p, c_type_of(&l->types, "_Bool"), "any comparison");
  term said = term_not(term_eq(l->ts, any.value, zero));
  return term_or(l->ts, same, term_and(l->ts, unclear, said));
}
