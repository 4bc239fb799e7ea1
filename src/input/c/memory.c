/* memset, memcpy and memmove of a known number of bytes, from the start of an integer, array or struct on. */
#include "input/c/heap/heap.h"

/* What is at a pointer: `cells` from cell `first` on. */
typedef struct region {
  c_operand pointer;
  const c_type *element;
  size_t first, cells;
  bool is_outside; /* of what the pointer points into: the call is an error */
} region;

/* The pointer without casts to void *: of what it points to. */
static const c_node *without_casts(c_lowering *l, const c_node *n) {
  n = c_without_parens(n);
  while ((n->kind == C_IMPLICIT_CAST || n->kind == C_CAST) && n->count &&
         (!strcmp(n->cast, "BitCast") || !strcmp(n->cast, "NoOp")) &&
         c_type_of(&l->types, n->type)->kind == TYPE_POINTER)
    n = c_without_parens(n->inner[n->count - 1]);
  return n;
}

static void refuse(c_lowering *l, const c_node *n) {
  c_refuse(
      l, n,
      "this use of memory is not read; a constant number of bytes that are whole integers, arrays or structs, at a "
      "constant place, would be");
}

/* Where the bytes are; refuses what is not known. */
static bool find_region(c_lowering *l, const c_operand *at, number bytes, const c_node *n, region *out) {
  number value, outer;
  int64_t size;
  const c_type *t = at->type->kind == TYPE_POINTER ? c_type_target(&l->types, at->type) : NULL;
  bool fine = t && at->object && !at->may_be_null && !c_object_is_array(at->object) && t->bytes && t->cells &&
              number_to_int64(bytes, &size) && size >= 0 && size % (int64_t)t->bytes == 0 &&
              term_is_number(l->ts, at->value, &value) && term_is_number(l->ts, at->outer, &outer) && !value.big &&
              !outer.big;
  if (!fine) {
    refuse(l, n);
    return false;
  }
  int64_t count = size / (int64_t)t->bytes, first = outer.small + value.small * (int64_t)t->cells;
  *out = (region){.pointer = *at, .element = t, .cells = (size_t)count * t->cells};
  out->is_outside = value.small < 0 || value.small > (int64_t)at->count || count > (int64_t)at->count - value.small;
  int64_t last = first + (int64_t)out->cells;
  bool is_inside_object = first >= 0 && last <= (int64_t)at->object->cells;
  if (out->is_outside && is_inside_object) refuse(l, n); /* from one member into the next */
  out->first = at->object->first + (size_t)(out->is_outside ? 0 : first);
  return !l->refused;
}

static bool is_of_integers(const c_lowering *l, const region *r) {
  for (size_t i = 0; i < r->cells; i++)
    if (!c_type_is_integer(l->cells.at[r->first + i].type)) return false;
  return true;
}

/* Every byte of the integer is `byte`. */
static number repeated(const c_type *t, int64_t byte) {
  number value = number_of(0);
  for (unsigned i = 0; i < t->bits / 8; i++) value = number_add(number_mul(value, number_of(256)), number_of(byte));
  return number_compare(value, t->high) > 0 ? number_sub(value, number_power_of_two(t->bits)) : value;
}

static void fill(c_lowering *l, c_path *p, const region *r, int64_t byte, const c_node *n) {
  for (size_t i = 0; i < r->cells && !l->refused; i++) {
    const c_type *t = l->cells.at[r->first + i].type;
    if ((t->is_bool && byte > 1) || ((t->is_function || t->is_address) && byte)) {
      refuse(l, n);
      return;
    }
    c_operand value = c_value_number(l, t, t->is_bool ? number_of(byte) : repeated(t, byte));
    c_cell_write(l, p, r->first + i, &value);
    c_flag_set(l, p, r->pointer.object, r->first + i - r->pointer.object->first, TERM_TRUE);
  }
}

static bool is_same_element(const c_type *a, const c_type *b) {
  if (a->kind != b->kind || a->cells != b->cells || a->bytes != b->bytes) return false;
  if (a->kind != TYPE_INTEGER) return !strcmp(a->text, b->text);
  return a->bits == b->bits && a->is_signed == b->is_signed && a->is_bool == b->is_bool &&
         a->is_function == b->is_function && !a->is_address && !b->is_address;
}

static void copy(c_lowering *l, c_path *p, const region *to, const region *from) {
  const c_object *source = from->pointer.object, *target = to->pointer.object;
  VECTOR(c_operand) all = {0};
  term_vector are_set = {0};
  for (size_t i = 0; i < to->cells; i++) VECTOR_PUSH(all, c_cell_read(l, p, from->first + i));
  for (size_t i = 0; i < to->cells; i++) VECTOR_PUSH(are_set, c_flag_of(l, p, source, from->first + i - source->first));
  for (size_t i = 0; i < to->cells; i++) c_cell_write(l, p, to->first + i, &all.at[i]);
  for (size_t i = 0; i < to->cells; i++) c_flag_set(l, p, target, to->first + i - target->first, are_set.at[i]);
  VECTOR_FREE(all);
  VECTOR_FREE(are_set);
}

static bool overlap(const region *a, const region *b) {
  return a->cells && a->pointer.object == b->pointer.object && a->first < b->first + b->cells &&
         b->first < a->first + a->cells;
}

/* All of an object in memory is set to 0. */
static void clear_in_memory(c_lowering *l, c_path *p, const c_operand *pointer, number bytes, const c_node *n) {
  const c_type *t = c_type_target(&l->types, pointer->type);
  if (!t->bytes || !number_is(bytes, (int64_t)t->bytes)) {
    refuse(l, n);
    return;
  }
  c_operand where = c_heap_follow(l, p, pointer, n);
  for (size_t i = 0; i < t->cells && !l->refused; i++) c_array_write(l, p, &where, i, term_int(l->ts, 0));
}

/* On one path, whose stack has the three arguments. */
static void use(c_lowering *l, c_path *p, const c_node *n, bool sets, bool may_overlap) {
  c_operand size = c_path_pop(p), second = c_path_pop(p), first = c_path_pop(p);
  number bytes = number_of(0), byte = number_of(0);
  region to = {0}, from = {0};
  c_path_push(p, first);
  if (!term_is_number(l->ts, size.value, &bytes) || (sets && !term_is_number(l->ts, second.value, &byte))) {
    refuse(l, n);
    return;
  }
  if (first.type->is_address && sets && number_is(byte, 0)) {
    clear_in_memory(l, p, &first, bytes, n);
    return;
  }
  if (!find_region(l, &first, bytes, n, &to) || (!sets && !find_region(l, &second, bytes, n, &from))) return;
  if (to.is_outside || from.is_outside) {
    c_path_check(l, p, TERM_TRUE, ERROR_DEREFERENCE, n);
    return;
  }
  bool fine =
      is_of_integers(l, &to) && (sets || (is_of_integers(l, &from) && is_same_element(to.element, from.element)));
  fine = fine && (sets || may_overlap || !overlap(&to, &from));
  l->is_checked[ERROR_DEREFERENCE] = true;
  if (!fine)
    refuse(l, n);
  else if (sets)
    fill(l, p, &to, number_mod(byte, number_of(256)).small, n);
  else
    copy(l, p, &to, &from);
}

void c_call_memory(c_lowering *l, const c_node *n, const char *name) {
  bool sets = strstr(name, "memset") != NULL;
  if (n->count != 4) {
    refuse(l, n);
    return;
  }
  for (size_t i = 1; i < n->count; i++)
    for (size_t j = i + 1; j < n->count; j++) c_check_unsequenced(l, n->inner[i], n->inner[j]);
  c_eval(l, without_casts(l, n->inner[1]));
  c_eval(l, sets ? n->inner[2] : without_casts(l, n->inner[2]));
  c_eval(l, n->inner[3]);
  for (size_t i = 0; i < l->live.count && !l->refused; i++)
    if (!term_is_false(l->live.at[i]->guard)) use(l, l->live.at[i], n, sets, strstr(name, "memmove") != NULL);
}
