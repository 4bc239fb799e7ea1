/* Initial values: of integers, and lists of them for arrays and structs. What a list does not mention is 0. */
#include "input/c/heap/heap.h"

static void initialise_cells(c_lowering *l, const c_node *n, const c_type *t, const c_object *o, size_t cell);

/* Clang puts the elements of a list with fewer elements than the array behind a filler. */
static void initialise_list(c_lowering *l, const c_node *n, const c_type *t, const c_object *o, size_t cell) {
  size_t skipped = n->has_filler ? 1 : 0;
  for (size_t i = skipped; i < n->count && !l->refused; i++) {
    size_t at = i - skipped;
    if (t->kind == TYPE_ARRAY && at < t->count)
      initialise_cells(l, n->inner[i], t->element, o, cell + at * t->element->cells);
    else if (t->kind == TYPE_STRUCT && at < t->fields.count)
      initialise_cells(l, n->inner[i], t->fields.at[at].type, o, cell + t->fields.at[at].cell);
    else if (c_type_is_integer(t) && !at)
      initialise_cells(l, n->inner[i], t, o, cell);
  }
}

static c_operand place_at(c_lowering *l, const c_type *t, const c_object *o, size_t cell) {
  term zero = term_int(l->ts, 0);
  size_t size = c_object_is_array(o) ? o->item->cells : 1;
  return (c_operand){.type = t,
                     .value = zero,
                     .is_place = true,
                     .object = o,
                     .outer = term_int(l->ts, (int64_t)(cell / size)),
                     .count = 1,
                     .leaf = cell % size};
}

static c_operand part_in_memory(c_lowering *l, const c_path *p, const c_type *t, const c_object *o, size_t leaf) {
  c_operand where = c_object_place_on(l, p, o);
  where.type = t;
  where.leaf = leaf;
  return where;
}

static void initialise_cells(c_lowering *l, const c_node *n, const c_type *t, const c_object *o, size_t cell) {
  if (n->kind == C_IMPLICIT_VALUE) return;
  if (n->kind == C_INIT_LIST) {
    initialise_list(l, n, t, o, cell);
    return;
  }
  if (t->kind == TYPE_STRUCT) {
    c_eval_place(l, n);
  } else if (c_type_is_integer(t)) {
    c_eval(l, n);
  } else {
    c_refuse(l, n, "this initial value of type `%s` is not read; a list of numbers in braces is", t->text);
    return;
  }
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_operand value = c_path_pop(l->live.at[i]), to = place_at(l, t, o, cell - o->first);
    if (o->lives_in) to = part_in_memory(l, l->live.at[i], t, o, cell - o->first);
    if (t->kind == TYPE_STRUCT)
      c_place_copy(l, l->live.at[i], &to, &value, n);
    else
      c_place_write(l, l->live.at[i], &to, &value, n);
  }
}

void c_initialise(c_lowering *l, const c_node *variable, const c_object *o) {
  const c_node *value = variable->inner[variable->count - 1];
  if (l->refused) return;
  for (size_t i = 0; i < l->live.count && value->kind == C_INIT_LIST; i++)
    if (o->lives_in)
      c_variable_zero(l, l->live.at[i], o);
    else
      c_object_clear(l, l->live.at[i], o, true);
  initialise_cells(l, value, o->type, o, o->first);
}
