/* Expressions: each pushes a value on the stack of every live path. */
#include "input/c/heap/heap.h"

typedef c_operand unary_rule(c_lowering *l, c_path *p, c_operand a, const c_node *n);

const c_node *c_without_parens(const c_node *n) {
  while ((n->kind == C_PAREN || (n->kind == C_UNARY && !strcmp(n->opcode, "__extension__"))) && n->count)
    n = n->inner[0];
  return n;
}

static const c_type *type_of(c_lowering *l, const c_node *n) { return c_type_of(&l->types, n->type); }

static c_operand nothing(c_lowering *l) { return c_value_number(l, c_type_signed(&l->types, 32), number_of(0)); }

static void push_all(c_lowering *l, c_operand o) {
  for (size_t i = 0; i < l->live.count; i++) c_path_push(l->live.at[i], o);
}

static void apply(c_lowering *l, const c_node *n, unary_rule *rule) {
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_operand a = c_path_pop(l->live.at[i]);
    c_path_push(l->live.at[i], rule(l, l->live.at[i], a, n));
  }
}

static bool spend(c_lowering *l, const c_node *n) {
  enum { MOST_SPENT = 2000000 };
  if (++l->spent > MOST_SPENT)
    c_refuse(l, n, "the program is too large when its calls are written out; fewer calls would be read");
  return !l->refused;
}

/* ---- constants and names ---- */

/* Clang writes the value of a character as an unsigned number of 32 bits: 4294967295 for '\xff', which is -1. */
static void eval_literal(c_lowering *l, const c_node *n) {
  number value;
  const c_type *t = type_of(l, n);
  if (!c_type_is_integer(t) || !number_parse(n->value, strlen(n->value), &value)) {
    c_refuse(l, n, "this constant is not read; integers are");
    value = number_of(0);
    t = c_type_signed(&l->types, 32);
  }
  if (n->kind == C_CHARACTER && number_compare(value, t->high) > 0) value = number_sub(value, number_power_of_two(32));
  push_all(l, c_value_number(l, t, value));
}

static void eval_sizeof(c_lowering *l, const c_node *n) {
  const c_type *t = c_type_of(&l->types, *n->argument_type ? n->argument_type
                                         : n->count        ? c_without_parens(n->inner[0])->type
                                                           : "");
  if (strcmp(n->name, "sizeof") || t->kind == TYPE_OTHER || !t->bytes)
    c_refuse(l, n, "`%s` of this type is not read; sizeof of integers, and of arrays and structs of them, is", n->name);
  push_all(l, c_value_number(l, type_of(l, n), number_of((int64_t)t->bytes)));
}

static void eval_enumerator(c_lowering *l, const c_node *n) {
  uint64_t index;
  if (map_get(l->constants, n->reference, &index))
    push_all(l, c_value_number(l, type_of(l, n), l->constant_values.at[index]));
  else
    c_refuse(l, n, "the value of `%s` is not known", n->reference_name);
}

/* ---- places ---- */

static bool has_target(c_lowering *l, const c_operand *a, const c_node *n) {
  if (a->object && (a->object->cells || a->object->characters)) return true;
  c_refuse(l, n,
           "a pointer whose target is not known is followed here; pointers to variables and into arrays are read");
  return false;
}

c_operand c_place_of_pointer(c_lowering *l, c_path *p, c_operand a, const c_node *n) {
  if (a.type->is_address) return c_heap_follow(l, p, &a, n);
  if (a.type->kind != TYPE_POINTER) {
    c_refuse_type(l, n, a.type);
    return a;
  }
  const c_type *target = c_type_target(&l->types, a.type);
  if (!has_target(l, &a, n)) return a;
  a.type = target;
  a.is_place = true;
  c_place_check(l, p, &a, n);
  if (a.object->space) c_heap_check(l, p, a.object->space, a.outer, n);
  return a;
}

/* &p[i]: an element, or the end of the array. */
static c_operand check_address(c_lowering *l, c_path *p, c_operand a, const c_node *n) {
  if (!has_target(l, &a, n)) return a;
  term low = term_lt(l->ts, a.value, term_int(l->ts, 0)), high = term_gt(l->ts, a.value, c_array_length(l, p, &a));
  c_path_check(l, p, term_or(l->ts, low, high), ERROR_DEREFERENCE, n);
  if (a.object->space) c_heap_check(l, p, a.object->space, a.outer, n);
  return a;
}

static void refuse_move(c_lowering *l, const c_node *n) {
  c_refuse(l, n,
           "an element of an array is meant by a pointer with several values; one with one value, or an index into the "
           "array, would be read");
}

/* An element of a variable that is an array: no pointer is needed for it. */
static void eval_element(c_lowering *l, const c_node *array, const c_node *index, const c_node *n) {
  c_eval_place(l, array);
  c_eval(l, index);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    c_operand at = c_path_pop(p), where = c_path_pop(p);
    where.outer = c_place_start(l, &where);
    where.count = where.type->length ? C_OPEN : where.type->count;
    where.type = where.type->element;
    where.value = at.value;
    c_place_check(l, p, &where, n);
    c_path_push(p, where);
  }
}

static bool is_element_of_array(c_lowering *l, const c_node *pointer) {
  return pointer->kind == C_IMPLICIT_CAST && !strcmp(pointer->cast, "ArrayToPointerDecay") &&
         type_of(l, pointer)->is_address && type_of(l, pointer->inner[0])->kind == TYPE_ARRAY &&
         c_without_parens(pointer->inner[0])->kind != C_STRING;
}

/* p[i], or, if it is not followed, &p[i] */
static void eval_subscript(c_lowering *l, const c_node *n, bool is_followed) {
  bool pointer_first = type_of(l, n->inner[0])->kind == TYPE_POINTER || type_of(l, n->inner[0])->is_address;
  const c_node *pointer = n->inner[pointer_first ? 0 : 1], *index = n->inner[pointer_first ? 1 : 0];
  c_check_unsequenced(l, pointer, index);
  if (is_element_of_array(l, pointer)) {
    eval_element(l, pointer->inner[0], index, n);
    return;
  }
  c_eval(l, pointer);
  c_eval(l, index);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    c_operand at = c_path_pop(p), from = c_path_pop(p);
    number constant;
    if (from.type->is_address && !(term_is_number(l->ts, at.value, &constant) && number_is(constant, 0))) {
      refuse_move(l, n);
      return;
    }
    if (from.type->is_address) at.value = term_int(l->ts, 0);
    from.value = term_add(l->ts, from.value, at.value);
    c_path_push(p, is_followed ? c_place_of_pointer(l, p, from, n) : check_address(l, p, from, n));
  }
}

static c_operand member_of(c_lowering *l, c_path *p, c_operand a, const c_node *n) {
  if (n->is_arrow) a = c_place_of_pointer(l, p, a, n);
  for (size_t i = 0; i < a.type->fields.count && a.object; i++) {
    const c_field *f = &a.type->fields.at[i];
    if (f->id != n->reference) continue;
    bool is_array = c_object_is_array(a.object);
    a.outer = c_place_start(l, &a);
    if (!is_array) a.outer = term_add(l->ts, a.outer, term_int(l->ts, (int64_t)f->cell));
    if (is_array) a.leaf += f->cell;
    a.value = term_int(l->ts, 0);
    a.count = 1;
    a.type = f->type;
    return a;
  }
  if (!l->refused)
    c_refuse(l, n, "the member `%s` is not known here; members of structs of integers are read", n->name);
  return a;
}

static void eval_variable(c_lowering *l, const c_node *n) {
  const c_object *o = c_object_of(l, n);
  if (!o) return;
  if (o->type->kind == TYPE_OTHER || o->type->is_volatile) c_refuse_type(l, n, o->type);
  for (size_t i = 0; i < l->live.count; i++) c_path_push(l->live.at[i], c_object_place_on(l, l->live.at[i], o));
}

void c_eval_place(c_lowering *l, const c_node *n) {
  n = c_without_parens(n);
  if (!spend(l, n)) return;
  if (n->kind == C_NAME && (n->reference_kind == C_VARIABLE || n->reference_kind == C_PARAMETER)) {
    eval_variable(l, n);
  } else if (n->kind == C_SUBSCRIPT && n->count == 2) {
    eval_subscript(l, n, true);
  } else if (n->kind == C_UNARY && !strcmp(n->opcode, "*")) {
    c_eval(l, n->inner[0]);
    apply(l, n, c_place_of_pointer);
  } else if (n->kind == C_MEMBER && n->count) {
    if (n->is_arrow)
      c_eval(l, n->inner[0]);
    else
      c_eval_place(l, n->inner[0]);
    apply(l, n, member_of);
  } else if (n->kind == C_CALL && type_of(l, n)->kind == TYPE_STRUCT) {
    c_eval(l, n);
  } else if (n->kind == C_IMPLICIT_CAST && n->count) {
    c_eval_place(l, n->inner[0]);
  } else {
    c_refuse(l, n, "this is no place that is read (%s); variables, elements and members are", n->kind_name);
  }
}

/* ---- casts ---- */

static c_operand read_place(c_lowering *l, c_path *p, c_operand a, const c_node *n) {
  if (a.type->kind == TYPE_STRUCT) return a;
  return c_place_read(l, p, &a, n);
}

static void eval_load(c_lowering *l, const c_node *n) {
  const c_node *from = c_without_parens(n->inner[0]);
  if (type_of(l, n)->kind != TYPE_POINTER) {
    c_eval_place(l, from);
    apply(l, n, read_place);
  } else if (from->kind != C_NAME) {
    c_refuse_type(l, n, type_of(l, n));
  } else {
    c_pointer_read(l, from->reference, from);
  }
}

static c_operand convert(c_lowering *l, c_path *p, c_operand a, const c_node *n) {
  const c_type *to = type_of(l, n);
  if (a.type->is_address && !to->is_bool) {
    c_refuse(l, n, "a pointer is converted to a number; comparing it with others is read");
    return nothing(l);
  }
  if (c_type_is_integer(to) && to->is_function == a.type->is_function && (c_type_is_integer(a.type) || to->is_bool))
    return c_value_convert(l, p, &a, to);
  if (to->is_bool && a.type->is_function) return c_value_convert(l, p, &a, to);
  c_refuse_type(l, n, c_type_is_integer(to) ? a.type : to);
  return nothing(l);
}

static c_operand decay(c_lowering *l, c_path *p, c_operand a, const c_node *n) {
  if (type_of(l, n)->is_address) {
    refuse_move(l, n);
    return a;
  }
  (void)p;
  a.outer = c_place_start(l, &a);
  a.value = term_int(l->ts, 0);
  a.count = a.type->length ? C_OPEN : a.type->count;
  a.type = type_of(l, n);
  a.is_place = false;
  return a;
}

static c_operand repoint_address(c_lowering *l, c_operand a, const c_node *n) {
  const c_type *to = type_of(l, n);
  bool is_null = a.type->kind == TYPE_POINTER && !a.object;
  if (is_null && to->is_address) return c_value_number(l, to, number_of(0));
  bool same = to->is_address && a.type->is_address && c_space_of(l, to) == c_space_of(l, a.type);
  if (!same)
    c_refuse(l, n,
             "a pointer of type `%s` is converted to `%s`, which reads memory as another type; what malloc gives "
             "is cast to one type",
             a.type->text, to->text);
  if (same) a.type = to;
  return a;
}

/* A pointer stays what it is if the type that it points to does. */
static c_operand repoint(c_lowering *l, c_path *p, c_operand a, const c_node *n) {
  (void)p;
  const c_type *to = type_of(l, n);
  if (to->is_address || a.type->is_address) return repoint_address(l, a, n);
  if (to->kind == TYPE_POINTER && a.type->kind == TYPE_POINTER && a.object) {
    const c_type *from = c_type_target(&l->types, a.type), *target = c_type_target(&l->types, to);
    bool same =
        from->kind == target->kind &&
        (from->kind != TYPE_INTEGER || (from->bits == target->bits && from->is_signed == target->is_signed &&
                                        from->is_bool == target->is_bool && from->is_function == target->is_function));
    same = same && from->is_address == target->is_address &&
           (!from->is_address || c_space_of(l, from) == c_space_of(l, target));
    same = same && from->cells == target->cells && (from->kind == TYPE_INTEGER || !strcmp(from->text, target->text));
    if (!same)
      c_refuse(
          l, n,
          "a pointer is cast to `%s`, which reads memory as another type; pointers of the variable's own type are read",
          to->text);
  }
  if (to->kind == TYPE_POINTER) a.type = to;
  return a;
}

/* "..", or the name of the function in which it stands */
static bool is_text(const c_node *n) { return n->kind == C_STRING || !strcmp(n->kind_name, "PredefinedExpr"); }

/* (void *)0, with other casts of pointers around it. */
static bool is_null_pointer(const c_node *n) {
  for (n = c_without_parens(n); (n->kind == C_CAST || n->kind == C_IMPLICIT_CAST) && n->count;
       n = c_without_parens(n->inner[n->count - 1]))
    if (!strcmp(n->cast, "NullToPointer")) return true;
  return false;
}

/* A function, by its name or through a pointer, as a pointer to it. */
static void eval_function(c_lowering *l, const c_node *function, const c_node *n) {
  if (function->kind == C_NAME && function->reference_kind == C_FUNCTION)
    push_all(l, c_function_value(l, function, type_of(l, n)));
  else if (function->kind == C_UNARY && !strcmp(function->opcode, "*"))
    c_eval(l, function->inner[0]);
  else
    c_eval(l, function);
}

/* `(void)x` is there so that compilers do not ask why `x` is not used; nobody takes it for a reading of `x`. */
static bool is_only_named(c_lowering *l, const c_node *n) {
  return n->kind == C_IMPLICIT_CAST && n->count && !strcmp(n->cast, "LValueToRValue") &&
         c_without_parens(n->inner[0])->kind == C_NAME && c_type_is_integer(type_of(l, n)) &&
         !type_of(l, n)->is_address;
}

static void eval_cast(c_lowering *l, const c_node *n) {
  const char *kind = n->cast;
  const c_node *from = n->inner[n->count - 1];
  if (!strcmp(kind, "LValueToRValue")) {
    eval_load(l, n);
  } else if (!strcmp(kind, "ArrayToPointerDecay")) {
    if (is_text(c_without_parens(from)))
      push_all(l, c_object_place(l, c_object_of_text(l, c_without_parens(from))));
    else
      c_eval_place(l, from);
    apply(l, n, decay);
  } else if (!strcmp(kind, "ToVoid")) {
    if (is_only_named(l, from))
      c_eval_place(l, from->inner[0]);
    else
      c_eval(l, from);
  } else if (!strcmp(kind, "FunctionToPointerDecay")) {
    eval_function(l, c_without_parens(from), n);
  } else if (!strcmp(kind, "NullToPointer") && c_type_is_integer(type_of(l, n))) {
    push_all(l, c_value_number(l, type_of(l, n), number_of(0)));
  } else if (!strcmp(kind, "NullToPointer")) {
    push_all(l, (c_operand){.type = type_of(l, n), .value = term_int(l->ts, 0), .outer = term_int(l->ts, 0)});
  } else if ((!strcmp(kind, "NoOp") || !strcmp(kind, "BitCast")) && type_of(l, n)->is_address &&
             c_allocation_in(l, n)) {
    c_heap_allocate(l, c_allocation_in(l, n), type_of(l, n));
  } else if (!strcmp(kind, "BitCast") && c_is_allocation(l, c_without_parens(from))) {
    c_allocate(l, c_without_parens(from), type_of(l, n));
  } else if (!strcmp(kind, "NoOp") || !strcmp(kind, "BitCast")) {
    c_eval(l, from);
    for (size_t i = 0; i < l->live.count && !l->refused; i++)
      if (VECTOR_LAST(l->live.at[i]->stack).type->is_function != type_of(l, n)->is_function)
        c_refuse(l, n, "a pointer to a function is converted to or from something else; one to a function is read");
    if (type_of(l, n)->kind == TYPE_POINTER || type_of(l, n)->is_address) apply(l, n, repoint);
  } else if (!strcmp(kind, "IntegralCast") || !strcmp(kind, "IntegralToBoolean") || !strcmp(kind, "PointerToBoolean")) {
    c_eval(l, from);
    apply(l, n, convert);
  } else if (!strcmp(kind, "PointerToIntegral") && is_null_pointer(from) && c_type_is_integer(type_of(l, n))) {
    push_all(l, c_value_number(l, type_of(l, n), number_of(0)));
  } else if (strstr(kind, "Floating")) {
    c_refuse(l, n, "floating point is not read; integers are");
  } else {
    c_refuse(l, n, "this conversion (%s) is not read; conversions between integers are", kind);
  }
}

/* ---- assignments ---- */

/* The variable on the left of an assignment of a pointer; NULL after a refusal. */
static const c_node *pointer_variable(c_lowering *l, const c_node *n) {
  const c_node *to = c_without_parens(n->inner[0]);
  if (to->kind == C_NAME) return to;
  c_refuse(l, n,
           "the assignment of a pointer in an array or struct, or through a pointer, is not read; that of a "
           "pointer variable is");
  return NULL;
}

static void assign_pointer(c_lowering *l, const c_node *n) {
  const c_node *to = pointer_variable(l, n);
  if (to) c_eval(l, n->inner[1]);
  if (!l->refused) c_pointer_assign(l, to->reference, n, to->reference_name);
}

/* p += n, p -= n, ++p, p++: what is on the stack are numbers to move it by. */
static void move_variable(c_lowering *l, const c_node *n, bool is_up) {
  const c_node *of = pointer_variable(l, n);
  VECTOR(c_operand) before = {0};
  if (of) c_pointer_read(l, of->reference, of);
  for (size_t i = 0; of && i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    c_operand old = c_path_pop(p), by = c_path_pop(p);
    VECTOR_PUSH(before, old);
    c_path_push(p, c_pointer_move(l, is_up ? "+" : "-", old, by));
  }
  if (of && !l->refused) c_pointer_assign(l, of->reference, n, of->reference_name);
  for (size_t i = 0; i < before.count && n->is_postfix && !l->refused; i++) {
    c_path_pop(l->live.at[i]);
    c_path_push(l->live.at[i], before.at[i]);
  }
  VECTOR_FREE(before);
}

static void assign(c_lowering *l, const c_node *n) {
  const c_node *to = n->inner[0], *from = n->inner[1];
  const c_type *t = type_of(l, to);
  c_check_unsequenced(l, to, from);
  if (t->kind == TYPE_POINTER) {
    assign_pointer(l, n);
    return;
  }
  if (t->kind == TYPE_STRUCT)
    c_eval_place(l, from);
  else
    c_eval(l, from);
  c_eval_place(l, to);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    c_operand where = c_path_pop(p), value = c_path_pop(p);
    if (t->kind == TYPE_STRUCT)
      c_place_copy(l, p, &where, &value, n);
    else
      c_place_write(l, p, &where, &value, n);
    c_path_push(p, value);
  }
}

static void assign_compound(c_lowering *l, const c_node *n) {
  char opcode[4] = "";
  memcpy(opcode, n->opcode, strlen(n->opcode) < 4 ? strlen(n->opcode) - 1 : 0);
  const c_type *t = type_of(l, n), *computed = c_type_of(&l->types, n->compute_type);
  c_check_unsequenced(l, n->inner[0], n->inner[1]);
  if (t->is_address) {
    refuse_move(l, n);
    return;
  }
  if (t->kind == TYPE_POINTER) {
    c_eval(l, n->inner[1]);
    move_variable(l, n, *opcode == '+');
    return;
  }
  if (!c_type_is_integer(t) || !c_type_is_integer(computed) || t->is_function) {
    c_refuse_type(l, n, c_type_is_integer(t) ? computed : t);
    return;
  }
  c_eval(l, n->inner[1]);
  c_eval_place(l, n->inner[0]);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    c_operand where = c_path_pop(p), right = c_path_pop(p), old = c_place_read(l, p, &where, n);
    c_operand left = c_value_convert(l, p, &old, computed);
    c_operand result = c_value_binary(l, p, opcode, &left, &right, computed, n);
    result = c_value_convert(l, p, &result, t);
    c_place_write(l, p, &where, &result, n);
    c_path_push(p, result);
  }
}

/* `char c; c++` is c = (char)((int)c + 1): what is narrower than int does not overflow but is cut off. */
static void step(c_lowering *l, const c_node *n) {
  const c_type *t = type_of(l, n), *wide = c_type_of(&l->types, "int");
  if (t->kind == TYPE_POINTER) {
    push_all(l, c_value_number(l, wide, number_of(1)));
    move_variable(l, n, *n->opcode == '+');
    return;
  }
  if (!c_type_is_integer(t) || t->is_function || t->is_address) {
    c_refuse(l, n, "a pointer is moved; an index would be read");
    return;
  }
  if (t->bits >= wide->bits) wide = t;
  c_operand one = c_value_number(l, wide, number_of(1));
  c_eval_place(l, n->inner[0]);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    c_operand where = c_path_pop(p), old = c_place_read(l, p, &where, n), promoted = c_value_convert(l, p, &old, wide);
    c_operand result = c_value_binary(l, p, *n->opcode == '+' ? "+" : "-", &promoted, &one, wide, n);
    result = c_value_convert(l, p, &result, t);
    c_place_write(l, p, &where, &result, n);
    c_path_push(p, n->is_postfix ? old : result);
  }
}

/* ---- operators ---- */

static c_operand apply_unary(c_lowering *l, c_path *p, c_operand a, const c_node *n) {
  const c_type *t = type_of(l, n);
  if (!c_type_is_integer(a.type) && *n->opcode != '!') {
    c_refuse_type(l, n, a.type);
    return a;
  }
  switch (*n->opcode) {
    case '-': return c_value_negate(l, p, &a, t, n);
    case '~': return c_value_complement(l, p, &a, t);
    case '!': return c_value_truth(l, t, term_not(c_value_condition(l, &a)));
    default: return a;
  }
}

static void eval_address(c_lowering *l, const c_node *n) {
  const c_node *of = c_without_parens(n->inner[0]);
  const c_type *t = type_of(l, n);
  if (of->kind == C_UNARY && !strcmp(of->opcode, "*")) { /* &*p is p, which is not followed */
    c_eval(l, of->inner[0]);
    return;
  }
  if (of->kind == C_SUBSCRIPT && of->count == 2 && !t->is_address)
    eval_subscript(l, of, false);
  else
    c_eval_place(l, of);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_operand *top = &VECTOR_LAST(l->live.at[i]->stack);
    if (t->is_address) *top = c_heap_address(l, top, t, n);
    top->is_place = false;
    top->type = t;
  }
}

static void eval_unary(c_lowering *l, const c_node *n) {
  const char *op = n->opcode;
  if (!strcmp(op, "++") || !strcmp(op, "--")) {
    step(l, n);
  } else if (!strcmp(op, "&") && type_of(l, n)->is_function) {
    eval_function(l, c_without_parens(n->inner[0]), n);
  } else if (!strcmp(op, "&")) {
    eval_address(l, n);
  } else if (!strcmp(op, "__extension__")) {
    c_eval(l, n->inner[0]);
  } else if (!op[1] && strchr("-+~!", *op)) {
    c_eval(l, n->inner[0]);
    apply(l, n, apply_unary);
  } else {
    c_refuse(l, n, "the operator `%s` is not read here; operators on integers are", op);
  }
}

/* Two addresses, or an address and something else, are compared. */
static c_operand compare_addresses(c_lowering *l, c_path *p, const c_operand *a, const c_operand *b, const c_node *n) {
  bool is_equal = !strcmp(n->opcode, "=="), both = a->type->is_address && b->type->is_address;
  if (!both || c_space_of(l, a->type) != c_space_of(l, b->type) || !(is_equal || !strcmp(n->opcode, "!="))) {
    c_refuse(l, n, "this operation on pointers with several values is not read; == and != of those to one type are");
    return nothing(l);
  }
  term same = c_heap_same(l, p, a, b);
  return c_value_truth(l, type_of(l, n), is_equal ? same : term_not(same));
}

static void eval_operator(c_lowering *l, const c_node *n) {
  c_check_unsequenced(l, n->inner[0], n->inner[1]);
  c_eval(l, n->inner[0]);
  c_eval(l, n->inner[1]);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    c_operand b = c_path_pop(p), a = c_path_pop(p);
    bool is_equality = !strcmp(n->opcode, "==") || !strcmp(n->opcode, "!=");
    if ((a.type->is_function || b.type->is_function) && !(is_equality && a.type->is_function == b.type->is_function))
      c_refuse(l, n, "this operation on pointers to functions is not read; == and != are");
    if (a.type->is_address || b.type->is_address) {
      c_path_push(p, compare_addresses(l, p, &a, &b, n));
      continue;
    }
    bool integers = c_type_is_integer(a.type) && c_type_is_integer(b.type) && type_of(l, n)->kind == TYPE_INTEGER;
    c_path_push(
        p, integers ? c_value_binary(l, p, n->opcode, &a, &b, type_of(l, n), n) : c_pointer_operator(l, p, &a, &b, n));
  }
}

/* ---- what splits paths ---- */

void c_eval_effects(c_lowering *l, const c_node *n) {
  c_eval(l, n);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) c_path_pop(l->live.at[i]);
}

static void split(c_lowering *l, const c_node *n, c_paths *yes, c_paths *no) {
  c_eval(l, n);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    c_operand o = c_path_pop(p);
    if (term_is_false(p->guard)) {
      c_path_free(p);
      continue;
    }
    term t = c_value_condition(l, &o);
    c_path *other = c_path_copy(p);
    c_path_describe(l, p, n, "[", "]");
    c_path_describe(l, other, n, "[!(", ")]");
    if (c_path_assume(l, p, t))
      VECTOR_PUSH(*yes, p);
    else
      c_path_free(p);
    if (c_path_assume(l, other, term_not(t)))
      VECTOR_PUSH(*no, other);
    else
      c_path_free(other);
  }
  if (l->refused) return;
  VECTOR_CLEAR(l->live);
}

void c_eval_condition(c_lowering *l, const c_node *n, c_paths *yes, c_paths *no) {
  const c_node *bare = c_without_parens(n);
  if (!spend(l, n)) return;
  if (bare->kind == C_UNARY && !strcmp(bare->opcode, "!")) {
    c_eval_condition(l, bare->inner[0], no, yes);
  } else if (bare->kind == C_BINARY && (!strcmp(bare->opcode, "&&") || !strcmp(bare->opcode, "||"))) {
    bool is_and = *bare->opcode == '&';
    c_paths go_on = {0};
    c_eval_condition(l, bare->inner[0], is_and ? &go_on : yes, is_and ? no : &go_on);
    c_paths_move(&go_on, &l->live);
    VECTOR_FREE(go_on);
    c_eval_condition(l, bare->inner[1], yes, no);
    if (l->refused) return;
    c_paths_merge(l, yes);
    c_paths_merge(l, no);
  } else if (bare->kind == C_BINARY && !strcmp(bare->opcode, ",")) {
    c_eval_effects(l, bare->inner[0]);
    c_eval_condition(l, bare->inner[1], yes, no);
  } else {
    split(l, bare, yes, no);
  }
}

static void eval_truth(c_lowering *l, const c_node *n) {
  c_paths yes = {0}, no = {0};
  c_eval_condition(l, n, &yes, &no);
  if (!l->refused) {
    const c_type *t = type_of(l, n);
    for (size_t i = 0; i < yes.count; i++) c_path_push(yes.at[i], c_value_number(l, t, number_of(1)));
    for (size_t i = 0; i < no.count; i++) c_path_push(no.at[i], c_value_number(l, t, number_of(0)));
  }
  c_paths_move(&yes, &l->live);
  c_paths_move(&no, &l->live);
  VECTOR_FREE(yes);
  VECTOR_FREE(no);
  c_live_join(l, n);
}

static void eval_conditional(c_lowering *l, const c_node *n) {
  c_paths yes = {0}, no = {0}, done = {0};
  c_eval_condition(l, n->inner[0], &yes, &no);
  c_paths_move(&yes, &l->live);
  c_eval(l, n->inner[1]);
  c_paths_move(&l->live, &done);
  c_paths_move(&no, &l->live);
  c_eval(l, n->inner[2]);
  c_paths_move(&done, &l->live);
  VECTOR_FREE(yes);
  VECTOR_FREE(no);
  VECTOR_FREE(done);
  c_live_join(l, n);
}

/* Casts around the value that stands before `?:`. */
static bool is_chosen(const c_node *n) {
  n = c_without_parens(n);
  while (n->kind == C_IMPLICIT_CAST && n->count && (!strncmp(n->cast, "Integral", 8) || !strcmp(n->cast, "NoOp")))
    n = c_without_parens(n->inner[n->count - 1]);
  return n->kind == C_CHOSEN;
}

/* a ?: b. The parts are a, the condition, what is chosen if it holds, and b; in the middle two, a is no more than named. */
static void eval_choice(c_lowering *l, const c_node *n) {
  c_paths no = {0}, yes = {0}, made = {0};
  if (!is_chosen(n->inner[1]) || !is_chosen(n->inner[2])) {
    c_refuse(l, n, "this use of `?:` is not read; `a ? a : b` is");
    return;
  }
  c_eval(l, n->inner[0]);
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_operand a = VECTOR_LAST(l->live.at[i]->stack);
    term t = c_value_condition(l, &a);
    c_path *p = c_path_copy(l->live.at[i]);
    c_path_pop(p);
    c_path_describe(l, p, n->inner[0], "[!(", ")]");
    c_path_describe(l, l->live.at[i], n->inner[0], "[", "]");
    c_paths *without = c_path_assume(l, p, term_not(t)) ? &no : &made;
    c_paths *with = c_path_assume(l, l->live.at[i], t) ? &yes : &made;
    VECTOR_PUSH(*without, p);
    VECTOR_PUSH(*with, l->live.at[i]);
  }
  if (l->refused) return;
  VECTOR_CLEAR(l->live);
  c_paths_clear(&made); /* those that cannot be taken */
  c_paths_move(&yes, &l->live);
  l->has_chosen = true;
  c_eval(l, n->inner[2]); /* casts what is on the stack */
  l->has_chosen = false;
  c_paths_move(&l->live, &made);
  c_paths_move(&no, &l->live);
  c_eval(l, n->inner[3]);
  c_paths_move(&made, &l->live);
  VECTOR_FREE(no);
  VECTOR_FREE(yes);
  VECTOR_FREE(made);
  c_live_join(l, n);
}

/* The value is on the stack; nowhere else has it a meaning. */
static void eval_chosen(c_lowering *l, const c_node *n) {
  if (!l->has_chosen) c_refuse(l, n, "this expression (%s) is not read; expressions over integers are", n->kind_name);
  l->has_chosen = false;
}

static void eval_binary(c_lowering *l, const c_node *n) {
  if (!strcmp(n->opcode, "=")) {
    assign(l, n);
  } else if (!strcmp(n->opcode, ",")) {
    c_eval_effects(l, n->inner[0]);
    c_eval(l, n->inner[1]);
  } else if (!strcmp(n->opcode, "&&") || !strcmp(n->opcode, "||")) {
    eval_truth(l, n);
  } else {
    eval_operator(l, n);
  }
}

static bool has_jump(const c_node *n) {
  bool found = n->kind == C_RETURN || n->kind == C_BREAK || n->kind == C_CONTINUE || n->kind == C_GOTO;
  for (size_t i = 0; i < n->count && !found; i++) found = has_jump(n->inner[i]);
  return found;
}

/* ({ ..; value; }) */
/* Variables of the block are gone after it. */
static void check_outlives(c_lowering *l, const c_node *n) {
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    const c_object *o = VECTOR_LAST(l->live.at[i]->stack).object;
    bool is_pointer = VECTOR_LAST(l->live.at[i]->stack).type->kind == TYPE_POINTER;
    if (is_pointer && o && o->declared && !o->is_allocated && strcmp(o->declared->storage, "static") &&
        c_is_inside(n, o->declared))
      c_refuse(l, n, "the value of this block points to `%s`, which is gone after it; one to what is outside is read",
               o->name);
  }
}

static void eval_statements(c_lowering *l, const c_node *n) {
  const c_node *body = n->count ? n->inner[0] : NULL;
  bool has_value = type_of(l, n)->kind != TYPE_VOID;
  if (n->has_label || has_jump(n)) {
    c_refuse(l, n, "a jump inside an expression is not read; one in a statement is");
    return;
  }
  size_t count = body ? body->count : 0;
  for (size_t i = 0; i + (has_value ? 1 : 0) < count; i++) c_execute(l, body->inner[i]);
  if (has_value && count)
    c_eval(l, body->inner[count - 1]);
  else
    push_all(l, nothing(l));
  check_outlives(l, n);
}

/* f().x is a value, not a place that is read by a cast around it. */
static bool is_part_of_result(const c_node *n) {
  n = c_without_parens(n);
  while (n->kind == C_MEMBER && !n->is_arrow && n->count) n = c_without_parens(n->inner[0]);
  return n->kind == C_CALL;
}

/* ---- all of them ---- */

void c_eval(c_lowering *l, const c_node *n) {
  if (!spend(l, n)) return;
  switch (n->kind) {
    case C_INTEGER:
    case C_CHARACTER: eval_literal(l, n); break;
    case C_CONSTANT:
    case C_PAREN: c_eval(l, n->inner[0]); break;
    case C_NAME:
      if (n->reference_kind == C_ENUM_CONSTANT)
        eval_enumerator(l, n);
      else if (n->reference_kind == C_FUNCTION)
        c_refuse(l, n, "the function `%s` is used as a value; direct calls of functions are read", n->reference_name);
      else
        c_eval_place(l, n);
      break;
    case C_MEMBER:
      c_eval_place(l, n);
      if (is_part_of_result(n)) apply(l, n, read_place);
      break;
    case C_SUBSCRIPT: c_eval_place(l, n); break;
    case C_SIZEOF: eval_sizeof(l, n); break;
    case C_UNARY: eval_unary(l, n); break;
    case C_BINARY: eval_binary(l, n); break;
    case C_COMPOUND_ASSIGN: assign_compound(l, n); break;
    case C_CONDITIONAL: eval_conditional(l, n); break;
    case C_CHOICE: eval_choice(l, n); break;
    case C_CHOSEN: eval_chosen(l, n); break;
    case C_IMPLICIT_CAST:
    case C_CAST: eval_cast(l, n); break;
    case C_CALL: c_eval_call(l, n); break;
    case C_IMPLICIT_VALUE: push_all(l, nothing(l)); break;
    case C_STATEMENT_EXPRESSION: eval_statements(l, n); break;
    case C_OTHER:
      if (!strcmp(n->kind_name, "FloatingLiteral"))
        c_refuse(l, n, "floating point is not read; integers are");
      else
        c_refuse(l, n, "this expression (%s) is not read; expressions over integers are", n->kind_name);
      break;
    default: c_refuse(l, n, "this expression (%s) is not read; expressions over integers are", n->kind_name);
  }
}
