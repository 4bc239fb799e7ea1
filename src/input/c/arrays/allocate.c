/* malloc, calloc, alloca and free. Memory is an array of the type to which the pointer is cast; it is always there, as
 * said in a note. Each call makes one object, so a call that may happen again is refused. Of memory that was freed, the
 * length is -1. */
#include "input/c/heap/heap.h"

static bool is_named(const c_node *call, const char *name) {
  return c_callee_of(call) && !strcmp(c_callee_of(call)->reference_name, name);
}

static bool is_of_block(const c_node *call) { return is_named(call, "alloca") || is_named(call, "__builtin_alloca"); }

bool c_is_allocation(const c_lowering *l, const c_node *call) {
  if (call->kind != C_CALL || !c_callee_of(call) || c_function_named(l, c_callee_of(call)->reference_name))
    return false;
  bool is_one = is_named(call, "malloc") || is_of_block(call);
  return (is_one && call->count == 2) || (is_named(call, "calloc") && call->count == 3);
}

/* ---- once ---- */

bool c_has_target(const c_lowering *l, const c_node *n, const c_node *at) {
  bool is_target = n->kind == C_LABEL && map_get(l->targets, n->reference, NULL);
  if (is_target && (!at || !n->is_here || !at->is_here || n->start <= at->start)) return true;
  for (size_t i = 0; i < n->count; i++)
    if (c_has_target(l, n->inner[i], at)) return true;
  return false;
}

/* In a loop, after a label, or in a function that may call itself. */
static bool may_happen_again(c_lowering *l, const c_node *call) {
  for (const c_frame *f = l->frame; f; f = f->caller)
    if (f->exits.continues || c_has_target(l, f->function, f == l->frame ? call : NULL) ||
        c_is_procedure(l, f->function))
      return true;
  return false;
}

/* ---- lengths ---- */

/* So many elements of `size` bytes are in so many bytes. */
static term whole_elements(c_lowering *l, term bytes, uint64_t size) {
  number by = number_of((int64_t)size);
  linear sum = term_linear(l->ts, bytes);
  bool divides = number_is(number_mod(sum.constant, by), 0);
  for (size_t i = 0; i < sum.count; i++) divides &= number_is(number_mod(sum.coefficients[i], by), 0);
  if (!divides) return term_div(l->ts, bytes, term_number(l->ts, by));
  number *quotients = MEMORY_ARRAY(number, sum.count + 1);
  for (size_t i = 0; i < sum.count; i++) quotients[i] = number_floor_div(sum.coefficients[i], by);
  term result = term_sum(l->ts, number_floor_div(sum.constant, by), sum.count, sum.leaves, quotients);
  memory_free(quotients);
  return result;
}

/* The arguments are on the stack, and go. */
static term length_of(c_lowering *l, c_path *p, const c_node *call, const c_type *element, bool is_zero) {
  c_operand last = c_path_pop(p);
  if (!is_zero) return whole_elements(l, last.value, element->bytes);
  c_operand first = c_path_pop(p);
  number n;
  if (term_is_number(l->ts, last.value, &n) && number_is(n, (int64_t)element->bytes)) return first.value;
  if (term_is_number(l->ts, first.value, &n) && number_is(n, (int64_t)element->bytes)) return last.value;
  c_operand bytes = c_value_binary(l, p, "*", &first, &last, last.type, call);
  return whole_elements(l, bytes.value, element->bytes);
}

/* ---- objects ---- */

static c_object *make_object(c_lowering *l, const c_node *call, const c_type *element) {
  c_object *o = arena_alloc(l->arena, sizeof *o);
  int before = (int)strcspn(element->text, "["); /* `int[3]` are in `int[*][3]` */
  char *type = text_format("%.*s[*]%s", before, element->text, element->text + before);
  *o = (c_object){.name = "memory",
                  .any = "any memory",
                  .type = c_type_of(&l->types, type),
                  .declared = call,
                  .is_allocated = !is_of_block(call)};
  memory_free(type);
  if (o->type->kind != TYPE_ARRAY || !element->bytes || element->is_volatile)
    c_refuse_type(l, call, element);
  else
    c_array_declare(l, o, call);
  return o;
}

const c_object *c_allocation_expected(c_lowering *l, const c_node *call, const char *element) {
  uint64_t known;
  if (map_get(l->allocations, call->id, &known)) return (const c_object *)(uintptr_t)known;
  c_object *made = make_object(l, call, c_type_of(&l->types, element));
  made->is_expected = true;
  map_set(l->allocations, call->id, (uint64_t)(uintptr_t)made);
  return made;
}

/* What the call gives: the object that is expected of it, or a new one. */
static const c_object *object_of(c_lowering *l, const c_node *call, const c_type *element) {
  uint64_t known;
  if (!map_get(l->allocations, call->id, &known)) {
    const c_object *made = make_object(l, call, element);
    map_set(l->allocations, call->id, (uint64_t)(uintptr_t)made);
    return made;
  }
  c_object *first = (c_object *)(uintptr_t)known;
  if (!first->is_expected || strcmp(first->type->element->text, element->text)) return make_object(l, call, element);
  first->is_expected = false;
  return first;
}

/* More elements than the cell can say, as of malloc(-1), are as many as it can: no index is as large. */
static void set_length(c_lowering *l, c_path *p, const c_object *o, term length) {
  size_t cell = o->first + o->item->cells;
  const c_type *t = l->cells.at[cell].type;
  c_operand kept = {.type = t, .value = length, .low = number_of(-1), .high = number_power_of_two(64)};
  c_path_bounds(l, p, length, &kept.low, &kept.high);
  if (number_compare(kept.high, t->high) > 0) {
    term most = term_number(l->ts, t->high);
    kept.value = term_ite(l->ts, term_le(l->ts, length, most), length, most);
    kept.high = t->high;
    if (number_compare(kept.low, t->high) > 0) kept.low = t->high;
  }
  c_cell_write(l, p, cell, &kept);
}

void c_allocate(c_lowering *l, const c_node *call, const c_type *pointer) {
  const c_type *element = pointer->kind == TYPE_POINTER ? c_type_target(&l->types, pointer) : pointer;
  bool is_zero = is_named(call, "calloc");
  if (may_happen_again(l, call)) {
    c_refuse(l, call,
             "memory is allocated in a loop, after a label or in a function that may call itself; one call "
             "that happens once is read");
    return;
  }
  for (size_t i = 1; i < call->count; i++) c_eval(l, call->inner[i]);
  const c_object *o = l->refused ? NULL : object_of(l, call, element);
  term zero = term_int(l->ts, 0);
  l->has_allocations = true;
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_path *p = l->live.at[i];
    set_length(l, p, o, length_of(l, p, call, element, is_zero));
    c_array_clear(l, p, o, is_zero);
    if (o->is_allocated) c_heap_count(l, p, term_int(l->ts, 1));
    c_path_push(p, (c_operand){.type = pointer, .value = zero, .object = o, .outer = zero, .count = C_OPEN});
  }
}

/* Null, or the start of what was allocated and not freed. */
static void free_one(c_lowering *l, c_path *p, const c_operand *o, const c_node *call) {
  if (!o->object) return;
  if (!o->object->is_allocated || o->count != C_OPEN) {
    c_refuse(l, call, "what is freed here was not allocated; what malloc and calloc return is read");
    return;
  }
  term is_null = o->may_be_null ? term_eq(l->ts, o->value, c_pointer_null(l)) : TERM_FALSE;
  term length = c_array_length(l, p, o), zero = term_int(l->ts, 0);
  term is_start = term_and(l->ts, term_eq(l->ts, o->value, zero), term_ge(l->ts, length, zero));
  c_path_check(l, p, term_not(term_or(l->ts, is_null, is_start)), ERROR_FREE, call);
  c_heap_count(l, p, term_ite(l->ts, is_null, zero, term_int(l->ts, -1)));
  set_length(l, p, o->object, term_ite(l->ts, is_null, length, term_int(l->ts, -1)));
}

/* Without casts to void *. */
const c_node *c_freed(const c_node *n) {
  n = c_without_parens(n);
  while ((n->kind == C_IMPLICIT_CAST || n->kind == C_CAST) && n->count && !strcmp(n->cast, "BitCast"))
    n = c_without_parens(n->inner[n->count - 1]);
  return n;
}

void c_call_free(c_lowering *l, const c_node *call) {
  if (call->count != 2) {
    c_refuse(l, call, "`free` is called without its one argument");
    return;
  }
  c_eval(l, c_freed(call->inner[1]));
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    c_operand o = c_path_pop(l->live.at[i]);
    if (o.type->is_address)
      c_heap_free(l, l->live.at[i], &o, call);
    else
      free_one(l, l->live.at[i], &o, call);
    c_path_push(l->live.at[i], c_value_number(l, c_type_signed(&l->types, 32), number_of(0)));
  }
}
