/* __builtin_add_overflow, __builtin_sub_overflow and __builtin_mul_overflow, and those with a letter for a type
 * (__builtin_saddl_overflow): the exact result, cut off, goes where the last argument points, and the value is whether
 * it did not fit. */
#include <string.h>

#include "input/c/lower.h"

/* "+", "-" or "*"; NULL if it is another function. */
static const char *operator_of(const char *name) {
  static const char prefix[] = "__builtin_", suffix[] = "_overflow";
  static const struct { const char *name, *opcode; } operators[] = {{"add", "+"}, {"sub", "-"}, {"mul", "*"}};
  if (strlen(name) < strlen(prefix) + strlen("add") + strlen(suffix) || strncmp(name, prefix, strlen(prefix)))
    return NULL;
  const char *at = name + strlen(prefix);
  bool has_type = *at == 'u' || (*at == 's' && at[1] != 'u');
  const char *does = at + has_type, *rest = does + strlen("add");
  while (has_type && *rest == 'l') rest++;
  if (strcmp(rest, suffix)) return NULL;
  for (size_t i = 0; i < ARRAY_LENGTH(operators); i++)
    if (!strncmp(does, operators[i].name, strlen("add"))) return operators[i].opcode;
  return NULL;
}

bool c_is_overflow_call(const c_node *call) {
  const c_node *callee = c_callee_of(call);
  return callee && callee->reference_kind == C_FUNCTION && operator_of(callee->reference_name);
}

static term exact(c_lowering *l, char opcode, const c_operand *a, const c_operand *b, number *low, number *high) {
  const number corners[] = {number_mul(a->low, b->low), number_mul(a->low, b->high), number_mul(a->high, b->low),
                            number_mul(a->high, b->high)};
  switch (opcode) {
    case '+':
      *low = number_add(a->low, b->low);
      *high = number_add(a->high, b->high);
      return term_add(l->ts, a->value, b->value);
    case '-':
      *low = number_sub(a->low, b->high);
      *high = number_sub(a->high, b->low);
      return term_sub(l->ts, a->value, b->value);
    default: break;
  }
  *low = *high = corners[0];
  for (size_t i = 1; i < ARRAY_LENGTH(corners); i++) {
    if (number_compare(corners[i], *low) < 0) *low = corners[i];
    if (number_compare(corners[i], *high) > 0) *high = corners[i];
  }
  return term_mul(l->ts, a->value, b->value);
}

/* On one path, whose stack has the three arguments. */
static void use(c_lowering *l, c_path *p, char opcode, const c_node *n) {
  c_operand to = c_path_pop(p), b = c_path_pop(p), a = c_path_pop(p), result = {0};
  bool are_integers = c_type_is_integer(a.type) && !a.type->is_address && !a.type->is_function &&
                      c_type_is_integer(b.type) && !b.type->is_address && !b.type->is_function;
  c_operand where = c_place_of_pointer(l, p, to, n);
  if (l->refused) return;
  if (!are_integers || !c_type_is_integer(where.type) || where.type->is_bool || where.type->is_address ||
      where.type->is_function) {
    c_refuse(l, n, "this call is not read; one of integers, with a pointer to an integer, is");
    return;
  }
  result.value = exact(l, opcode, &a, &b, &result.low, &result.high);
  result.type = where.type;
  c_path_bounds(l, p, result.value, &result.low, &result.high);
  term below = term_lt(l->ts, result.value, term_number(l->ts, where.type->low)),
       above = term_gt(l->ts, result.value, term_number(l->ts, where.type->high));
  if (number_compare(result.low, where.type->low) >= 0) below = TERM_FALSE;
  if (number_compare(result.high, where.type->high) <= 0) above = TERM_FALSE;
  c_operand kept = c_value_convert(l, p, &result, where.type);
  c_place_write(l, p, &where, &kept, n);
  c_path_push(p, c_value_truth(l, c_type_of(&l->types, n->type), term_or(l->ts, below, above)));
}

void c_call_overflow(c_lowering *l, const c_node *n) {
  enum { PARTS = 4 }; /* the callee and three arguments */
  if (n->count != PARTS) {
    c_refuse(l, n, "this call has not three arguments; two integers and a pointer are read");
    return;
  }
  for (size_t i = 1; i < n->count; i++)
    for (size_t j = i + 1; j < n->count; j++) c_check_unsequenced(l, n->inner[i], n->inner[j]);
  for (size_t i = 1; i < n->count; i++) c_eval(l, n->inner[i]);
  const char *opcode = operator_of(c_callee_of(n)->reference_name);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) use(l, l->live.at[i], *opcode, n);
}
