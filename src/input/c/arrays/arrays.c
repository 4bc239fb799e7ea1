/* Arrays that are too large to be expanded, or whose length is not constant: for each integer of an item there is a cell
 * that holds an array of all integers, of which only those at indices from 0 on matter; arrays of arrays are one row of
 * items. What an array holds that nobody has set is any number: that it is one of its type is known when it is read. */
#include "input/c/lower.h"

static const c_type *item_of(const c_type *t) {
  while (t->kind == TYPE_ARRAY) t = t->element;
  return t;
}

static bool has_array(const c_type *t) {
  if (t->kind == TYPE_ARRAY) return true;
  for (size_t i = 0; i < t->fields.count; i++)
    if (has_array(t->fields.at[i].type)) return true;
  return false;
}

bool c_array_is_for(const c_lowering *l, const c_type *t) {
  if (t->length) return true;
  return t->kind == TYPE_ARRAY && (int64_t)t->cells > l->settings->most_expanded && !has_array(item_of(t));
}

static void name_leaves(c_lowering *l, const c_type *t, const char *name) {
  if (t->kind != TYPE_STRUCT) {
    c_cell_new_array(l, name, t);
    return;
  }
  for (size_t i = 0; i < t->fields.count; i++) {
    char *inner = text_format("%s.%s", name, t->fields.at[i].name);
    name_leaves(l, t->fields.at[i].type, inner);
    memory_free(inner);
  }
}

void c_array_declare(c_lowering *l, c_object *o, const c_node *at) {
  const c_type *item = item_of(o->type);
  if (has_array(item) || !item->cells) {
    c_refuse(l, at, "`%s` has no constant length, and structs with arrays inside; structs of integers are read",
             o->name);
    return;
  }
  l->has_arrays = true;
  o->item = item;
  o->first = l->cells.count;
  name_leaves(l, item, o->name);
  if (o->type->length) {
    char *name = text_format("length of %s", o->name);
    c_cell_new(l, name, c_type_signed(&l->types, 64));
    memory_free(name);
  }
  o->cells = l->cells.count - o->first;
}

void c_array_clear(c_lowering *l, c_path *p, const c_object *o, bool to_zero) {
  for (size_t i = 0; i < o->item->cells; i++) {
    const c_type *t = l->cells.at[o->first + i].type;
    if (!c_type_is_integer(t)) continue;
    c_operand value = {.type = t};
    if (to_zero)
      value.value = term_constant_array(l->ts, SORT_INT, term_int(l->ts, 0));
    else
      value = c_path_any_array(l, p, t, o->any);
    c_cell_write(l, p, o->first + i, &value);
  }
}

int64_t c_array_items(const c_object *o, const c_type *t) {
  int64_t items = 1;
  for (; t->kind == TYPE_ARRAY; t = t->element) items *= t->length ? 0 : (int64_t)t->count;
  return t->cells == o->item->cells ? items : 0;
}

term c_array_length(c_lowering *l, const c_path *p, const c_operand *where) {
  if (where->count != C_OPEN) return term_int(l->ts, (int64_t)where->count);
  return c_cell_read(l, p, where->object->first + where->object->item->cells).value;
}

/* ---- elements ---- */

static bool is_plain_select(const c_lowering *l, term t) {
  linear sum = term_linear(l->ts, t);
  return sum.count == 1 && term_kind_of(l->ts, sum.leaves[0]) == TERM_SELECT;
}

c_operand c_array_read(c_lowering *l, c_path *p, const c_operand *where, size_t leaf) {
  size_t cell = where->object->first + where->leaf + leaf;
  const c_type *t = l->cells.at[cell].type;
  if (!c_type_is_integer(t)) return c_value_number(l, c_type_signed(&l->types, 32), number_of(0));
  c_operand result = {.type = t, .low = t->low, .high = t->high};
  result.value = term_select(l->ts, c_cell_read(l, p, cell).value, c_place_start(l, where));
  c_path_bounds(l, p, result.value, &result.low, &result.high);
  if (t->is_address || !is_plain_select(l, result.value)) return result;
  term low = term_ge(l->ts, result.value, term_number(l->ts, t->low)),
       high = term_le(l->ts, result.value, term_number(l->ts, t->high));
  if (!c_path_assume(l, p, low) || !c_path_assume(l, p, high)) p->guard = TERM_FALSE;
  return result;
}

void c_array_write(c_lowering *l, c_path *p, const c_operand *where, size_t leaf, term value) {
  size_t cell = where->object->first + where->leaf + leaf;
  if (!c_type_is_integer(l->cells.at[cell].type)) return;
  c_operand changed = c_cell_read(l, p, cell);
  changed.value = term_store(l->ts, changed.value, c_place_start(l, where), value);
  c_cell_write(l, p, cell, &changed);
}
