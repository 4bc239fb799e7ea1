/* Initial values: of integers, lists of them for arrays and structs, and texts for arrays of characters. What a list or a
 * text does not mention is 0. */
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

static void write_character(c_lowering *l, const c_node *n, const c_type *t, const c_object *o, size_t cell,
                            number value) {
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_operand to = place_at(l, t, o, cell - o->first), by = c_value_number(l, t, value);
    if (o->lives_in) to = part_in_memory(l, l->live.at[i], t, o, cell - o->first);
    c_place_write(l, l->live.at[i], &to, &by, n);
  }
}

/* Characters behind the end of the array are cut off by clang, but for the 0 at the end. */
static void initialise_text(c_lowering *l, const c_node *n, const c_type *t, const c_object *o, size_t cell) {
  size_t count = strlen(n->value) < t->count ? strlen(n->value) : t->count; /* no more than these are not 0 */
  const number *characters = c_text_characters(l, n, t->element, count);
  if (!characters) {
    c_refuse(l, n, "this text for a `%s` is not read; a list of numbers in braces is", t->text);
    return;
  }
  for (size_t i = 0; i < count && !l->refused; i++)
    if (!number_is(characters[i], 0)) write_character(l, n, t->element, o, cell + i, characters[i]);
}

static bool is_text_for(const c_node *n, const c_type *t) { return n->kind == C_STRING && t->kind == TYPE_ARRAY; }

static void initialise_cells(c_lowering *l, const c_node *n, const c_type *t, const c_object *o, size_t cell) {
  if (n->kind == C_IMPLICIT_VALUE) return;
  if (n->kind == C_INIT_LIST && n->count == 1 && is_text_for(n->inner[0], t) && c_type_is_integer(t->element))
    n = n->inner[0]; /* char a[] = {"text"} */
  if (is_text_for(n, t)) {
    initialise_text(l, n, t, o, cell);
    return;
  }
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
  bool has_rest = value->kind == C_INIT_LIST || is_text_for(value, o->type);
  for (size_t i = 0; i < l->live.count && has_rest; i++)
    if (o->lives_in)
      c_variable_zero(l, l->live.at[i], o);
    else
      c_object_clear(l, l->live.at[i], o, true);
  initialise_cells(l, value, o->type, o, o->first);
}
