/* Pointer variables that get one value: a parameter of a call that is inlined, or a variable with an initial value that
 * nothing assigns. What they point to is known when the program is read; an index that is not constant is kept in a
 * cell. */
#include "input/c/heap/heap.h"

typedef struct c_pointer {
  const c_object *object;
  const c_type *type;
  size_t count, leaf;
  bool is_constant; /* index and outer are numbers; else they are in cells */
  term value, outer;
  size_t value_cell, outer_cell;
} c_pointer;

static c_pointer *pointer_of(c_lowering *l, uint64_t id) {
  uint64_t known;
  if (map_get(l->pointers, id, &known)) return (c_pointer *)(uintptr_t)known;
  c_pointer *made = arena_alloc(l->arena, sizeof *made);
  map_set(l->pointers, id, (uint64_t)(uintptr_t)made);
  return made;
}

static bool agree(const c_operand *a, const c_operand *b) {
  return a->object == b->object && a->count == b->count && a->leaf == b->leaf;
}

static void keep_in_cells(c_lowering *l, c_pointer *to, const c_node *variable) {
  const c_type *t = c_type_signed(&l->types, 64);
  to->value_cell = c_cell_new(l, variable->name, t);
  const struct c_space *s = to->object ? to->object->space : NULL;
  to->outer_cell = c_cell_new(l, variable->name, s ? l->cells.at[s->next].type : t);
}

/* No index into an object is as large as the type of the cell: C leaves such pointers undefined. */
static void save(c_lowering *l, c_path *p, size_t cell, term value, const c_node *at) {
  const c_type *t = l->cells.at[cell].type;
  c_operand o = {.type = t, .value = value, .low = t->low, .high = t->high};
  if (t->is_address) {
    c_cell_write(l, p, cell, &o);
    return;
  }
  term low = term_lt(l->ts, value, term_number(l->ts, t->low)),
       high = term_gt(l->ts, value, term_number(l->ts, t->high));
  c_path_check(l, p, term_or(l->ts, low, high), ERROR_DEREFERENCE, at);
  c_path_bounds(l, p, value, &o.low, &o.high);
  c_cell_write(l, p, cell, &o);
}

void c_pointer_bind(c_lowering *l, const c_node *variable) {
  if (map_get(l->assigned, variable->id, &(uint64_t){0})) {
    c_refuse(
        l, variable,
        "the pointer `%s` is assigned or its address is taken; a pointer with one value, or an index, would be read",
        variable->name);
    return;
  }
  if (!l->live.count) return;
  c_operand first = VECTOR_LAST(l->live.at[0]->stack);
  number n;
  c_pointer made = {.object = first.object,
                    .type = first.type,
                    .count = first.count,
                    .leaf = first.leaf,
                    .is_constant = true,
                    .value = first.value,
                    .outer = first.outer};
  for (size_t i = 0; i < l->live.count; i++) {
    const c_operand *o = &VECTOR_LAST(l->live.at[i]->stack);
    if (!agree(&first, o)) {
      c_refuse(l, variable, "the pointer `%s` can point to different variables; a call for each of them would be read",
               variable->name);
      return;
    }
    bool same = term_same(o->value, first.value) && term_same(o->outer, first.outer);
    made.is_constant &=
        !o->object || (same && term_is_number(l->ts, o->value, &n) && term_is_number(l->ts, o->outer, &n));
  }
  if (!made.is_constant) keep_in_cells(l, &made, variable);
  *pointer_of(l, variable->id) = made;
  for (size_t i = 0; i < l->live.count; i++) {
    c_operand o = c_path_pop(l->live.at[i]);
    if (made.is_constant) continue;
    save(l, l->live.at[i], made.value_cell, o.value, variable);
    save(l, l->live.at[i], made.outer_cell, o.outer, variable);
  }
}

c_operand c_pointer_read(c_lowering *l, const c_path *p, uint64_t id, const c_node *at) {
  uint64_t known;
  const c_type *t = c_type_of(&l->types, at->type);
  c_operand nothing = {.type = t, .value = term_int(l->ts, 0), .outer = term_int(l->ts, 0)};
  if (!map_get(l->pointers, id, &known)) {
    c_refuse_type(l, at, t);
    return nothing;
  }
  const c_pointer *from = (const c_pointer *)(uintptr_t)known;
  c_operand o = {.type = t,
                 .value = from->value,
                 .object = from->object,
                 .outer = from->outer,
                 .count = from->count,
                 .leaf = from->leaf};
  if (from->is_constant) return o;
  o.value = c_cell_read(l, p, from->value_cell).value;
  o.outer = c_cell_read(l, p, from->outer_cell).value;
  return o;
}
