/* Sums, differences and comparisons of pointers: into one array, and == and != of pointers into different objects. */
#include "input/c/heap/heap.h"

c_operand c_pointer_move(c_lowering *l, const char *opcode, c_operand pointer, c_operand by) {
  pointer.value = *opcode == '+' ? term_add(l->ts, pointer.value, by.value) : term_sub(l->ts, pointer.value, by.value);
  return pointer;
}

/* They point to different integers of an item, and not behind them. */
static bool are_apart(const c_lowering *l, const c_operand *a, const c_operand *b) {
  number first, second;
  return a->leaf != b->leaf && term_is_number(l->ts, a->value, &first) && number_is(first, 0) &&
         term_is_number(l->ts, b->value, &second) && number_is(second, 0);
}

/* It points to a variable of its own, or into an array that is all of the object. */
static bool is_whole_row(c_lowering *l, const c_operand *a) {
  number outer;
  if (a->leaf || a->object->space || a->object->is_allocated || !a->object->cells ||
      !term_is_number(l->ts, a->outer, &outer) || !number_is(outer, 0))
    return false;
  const c_type *t = a->object->type;
  return a->count == C_OPEN || (t->kind == TYPE_ARRAY ? !t->length && a->count == t->count : a->count == 1);
}

static term is_at(c_lowering *l, const c_path *p, const c_operand *a, bool at_end) {
  return term_eq(l->ts, a->value, at_end ? c_array_length(l, p, a) : term_int(l->ts, 0));
}

/* Pointers into different objects are not equal, unless both are null; whether the end of one is the start of the other,
 * nobody knows. */
static term are_same_of_two(c_lowering *l, c_path *p, const c_operand *a, const c_operand *b) {
  terms *ts = l->ts;
  term first = term_and(ts, is_at(l, p, a, true), is_at(l, p, b, false));
  term second = term_and(ts, is_at(l, p, a, false), is_at(l, p, b, true));
  term meet = term_or(ts, first, second);
  term nulls = term_and(ts, term_eq(ts, a->value, c_pointer_null(l)), term_eq(ts, b->value, c_pointer_null(l)));
  if (term_is_false(meet)) return nulls;
  term any =
      term_eq(ts, c_path_any(l, p, c_type_of(&l->types, "_Bool"), "any order of variables").value, term_int(ts, 1));
  return term_or(ts, nulls, term_and(ts, meet, any));
}

c_operand c_pointer_operator(c_lowering *l, c_path *p, const c_operand *a, const c_operand *b, const c_node *n) {
  const char *op = n->opcode;
  bool is_equality = !strcmp(op, "==") || !strcmp(op, "!="), is_move = !strcmp(op, "+") || !strcmp(op, "-");
  if (is_move && c_type_is_integer(b->type)) return c_pointer_move(l, op, *a, *b);
  if (!strcmp(op, "+") && c_type_is_integer(a->type)) return c_pointer_move(l, op, *b, *a);
  bool both = a->type->kind == TYPE_POINTER && b->type->kind == TYPE_POINTER;
  if (is_equality && both && (!a->object || !b->object)) {
    term same = term_not(c_value_condition(l, a->object ? a : b));
    return c_value_truth(l, c_type_of(&l->types, n->type), !strcmp(op, "==") ? same : term_not(same));
  }
  bool is_one_row = both && a->object && a->object == b->object && term_same(a->outer, b->outer);
  bool is_one_array = is_one_row && a->leaf == b->leaf;
  if (is_equality && (is_one_array || (is_one_row && are_apart(l, a, b)))) {
    term same = is_one_array ? term_eq(l->ts, a->value, b->value) : TERM_FALSE;
    return c_value_truth(l, c_type_of(&l->types, n->type), !strcmp(op, "==") ? same : term_not(same));
  }
  if (is_equality && both && a->object != b->object && is_whole_row(l, a) && is_whole_row(l, b)) {
    term same = are_same_of_two(l, p, a, b);
    return c_value_truth(l, c_type_of(&l->types, n->type), !strcmp(op, "==") ? same : term_not(same));
  }
  bool is_order = *op == '<' || *op == '>';
  if (is_one_array && (is_order || !strcmp(op, "-"))) {
    const c_type *t = c_type_of(&l->types, n->type), *wide = c_type_signed(&l->types, 64);
    if (!is_order) return c_value_fit(l, p, term_sub(l->ts, a->value, b->value), wide->low, wide->high, t, n);
    c_operand first = {.type = wide, .value = a->value, .low = wide->low, .high = wide->high}, second = first;
    second.value = b->value;
    return c_value_binary(l, p, op, &first, &second, t, n);
  }
  c_refuse(l, n,
           "this operation on pointers is not read; p + i and p - i are, and p - q, p == q, p < q of pointers into one "
           "array");
  return c_value_number(l, c_type_signed(&l->types, 32), number_of(0));
}
