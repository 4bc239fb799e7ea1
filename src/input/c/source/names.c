/* Names of cells: the variable, and the way to the cell inside of it. */
#include "input/c/source/source.h"

static void add_name(c_naming *k, size_t cell, const c_type *t, program_name made) {
  if (!c_type_is_integer(t) || t->is_function || t->is_address || !bits_has(&k->live, cell)) return;
  made.var = k->by_cell ? k->by_cell[cell] : k->l->cells.at[cell].var;
  made.expression = model_string(k->l->model, made.expression);
  made.member = made.member ? model_string(k->l->model, made.member) : NULL;
  made.low = t->low;
  made.high = t->high;
  made.moment = k->moment;
  VECTOR_PUSH(k->made, made);
}

/* The cells of a variable in their order; `cell` is the next one. */
static void name_cells(c_naming *k, const c_type *t, const char *name, size_t *cell) {
  if (t->kind == TYPE_ARRAY || t->kind == TYPE_STRUCT) {
    size_t count = t->kind == TYPE_ARRAY ? t->count : t->fields.count;
    for (size_t i = 0; i < count; i++) {
      const c_field *f = t->kind == TYPE_STRUCT ? &t->fields.at[i] : NULL;
      char *inner = f ? text_format("%s.%s", name, f->name) : text_format("%s[%zu]", name, i);
      name_cells(k, f ? f->type : t->element, inner, cell);
      memory_free(inner);
    }
    return;
  }
  add_name(k, *cell, t, (program_name){.expression = name});
  ++*cell;
}

/* The same of an array that is not expanded: a cell for each integer of its items. */
static void name_array(c_naming *k, const c_object *o, const c_type *t, const char *member, size_t *cell) {
  if (t->kind != TYPE_STRUCT) {
    add_name(k, *cell, t, (program_name){.expression = o->name, .length = o->type->count, .member = member});
    ++*cell;
    return;
  }
  for (size_t i = 0; i < t->fields.count; i++) {
    char *inner = text_format("%s.%s", member, t->fields.at[i].name);
    name_array(k, o, t->fields.at[i].type, inner, cell);
    memory_free(inner);
  }
}

void c_naming_add(c_naming *k, const c_object *o) {
  size_t cell = o->first;
  if (!o->cells || o->lives_in) return;
  if (!c_object_is_array(o))
    name_cells(k, o->type, o->name, &cell);
  else if (o->type->kind == TYPE_ARRAY && !o->type->length && o->type->element == o->item)
    name_array(k, o, o->item, "", &cell);
}

program_names c_naming_end(c_naming *k) {
  program_name *all = arena_alloc(model_arena(k->l->model), (k->made.count + 1) * sizeof *all);
  for (size_t i = 0; i < k->made.count; i++) all[i] = k->made.at[i];
  program_names result = {all, k->made.count};
  VECTOR_FREE(k->made);
  return result;
}
