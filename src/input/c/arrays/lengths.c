/* Lengths of arrays that are not constant. Clang's tree has them only as the text of the type: `int[2 * n + 1]`. Numbers,
 * variables, +, -, * and parentheses are read. */
#include <ctype.h>

#include "input/c/lower.h"

typedef struct reader {
  c_lowering *l;
  c_path *p;
  const c_node *at; /* the declaration */
  const char *rest;
} reader;

static void refuse(const reader *r) {
  if (!r->l->refused)
    c_refuse(r->l, r->at, "the length `%s` of `%s` is not read; numbers, variables, +, - and * are",
             c_type_of(&r->l->types, r->at->type)->length, r->at->name);
}

static c_operand nothing(const reader *r) {
  refuse(r);
  return c_value_number(r->l, c_type_signed(&r->l->types, 32), number_of(1));
}

static void skip_blanks(reader *r) {
  while (*r->rest == ' ') r->rest++;
}

static bool takes(reader *r, char c) {
  skip_blanks(r);
  if (*r->rest != c) return false;
  r->rest++;
  return true;
}

/* ---- names ---- */

/* The declaration of the name that is in scope at `target`, which is in `n`; false if it is not. */
static bool look(const c_node *n, const c_node *target, const char *name, const c_node **found) {
  const c_node *before = *found;
  bool declares = n->kind == C_VARIABLE || n->kind == C_PARAMETER;
  if (n == target) return true;
  if (declares && !strcmp(n->name, name)) *found = n;
  for (size_t i = 0; i < n->count; i++)
    if (look(n->inner[i], target, name, found)) return true;
  bool is_scope =
      !declares && n->kind != C_DECLARATION && n->kind != C_LABEL && n->kind != C_CASE && n->kind != C_DEFAULT;
  if (is_scope) *found = before;
  return false;
}

/* Inside `n`, the name is that of an enumerator, type or function, which may hide the variable. */
static bool is_of_other(const c_node *n, const char *name) {
  for (size_t i = 0; i < n->count; i++) {
    const c_node *part = n->inner[i];
    bool is_other = part->kind == C_ENUM_CONSTANT || part->kind == C_TYPEDEF || part->kind == C_FUNCTION;
    if ((is_other && !strcmp(part->name, name)) || is_of_other(part, name)) return true;
  }
  return false;
}

static const c_object *object_named(const reader *r, const char *name) {
  const c_node *found = NULL;
  uint64_t global;
  if (is_of_other(r->l->frame->function, name)) return NULL;
  if (look(r->l->frame->function, r->at, name, &found) && found) {
    c_node of = {.reference = found->id, .reference_name = name, .kind_name = ""};
    return c_object_of(r->l, &of);
  }
  if (!names_get(r->l->globals, name, &global)) return NULL;
  return (const c_object *)(uintptr_t)global;
}

static c_operand read_name(reader *r) {
  size_t n = 0;
  while (isalnum((unsigned char)r->rest[n]) || r->rest[n] == '_') n++;
  char *name = arena_copy_bytes(r->l->arena, r->rest, n);
  const c_object *o = object_named(r, name);
  r->rest += n;
  if (!o || !c_type_is_integer(o->type) || o->type->is_function || o->type->is_address) return nothing(r);
  c_operand where = c_object_place_on(r->l, r->p, o);
  return c_place_read(r->l, r->p, &where, r->at);
}

/* ---- expressions ---- */

static c_operand read_sum(reader *r);

static c_operand read_number(reader *r) {
  size_t n = 0;
  number value;
  while (isdigit((unsigned char)r->rest[n])) n++;
  bool is_plain = number_parse(r->rest, n, &value) && number_bits(value) < 32 && !isalnum((unsigned char)r->rest[n]);
  r->rest += n;
  return is_plain ? c_value_number(r->l, c_type_signed(&r->l->types, 32), value) : nothing(r);
}

static c_operand read_factor(reader *r) {
  skip_blanks(r);
  if (isdigit((unsigned char)*r->rest)) return read_number(r);
  if (isalpha((unsigned char)*r->rest) || *r->rest == '_') return read_name(r);
  if (!takes(r, '(')) return nothing(r);
  c_operand inner = read_sum(r);
  return takes(r, ')') ? inner : nothing(r);
}

/* What is narrower than int becomes int; of two types the wider one, or the unsigned one. */
static const c_type *common_type(c_lowering *l, const c_operand *a, const c_operand *b) {
  const c_type *least = c_type_signed(&l->types, 32);
  const c_type *first = a->type->bits < 32 ? least : a->type, *second = b->type->bits < 32 ? least : b->type;
  if (first->bits != second->bits) return first->bits > second->bits ? first : second;
  return first->is_signed ? second : first;
}

static c_operand combine(reader *r, const char *opcode, const c_operand *a, const c_operand *b) {
  const c_type *t = common_type(r->l, a, b);
  c_operand first = c_value_convert(r->l, r->p, a, t), second = c_value_convert(r->l, r->p, b, t);
  return c_value_binary(r->l, r->p, opcode, &first, &second, t, r->at);
}

static c_operand read_product(reader *r) {
  c_operand result = read_factor(r);
  while (!r->l->refused && takes(r, '*')) {
    c_operand next = read_factor(r);
    result = combine(r, "*", &result, &next);
  }
  return result;
}

static c_operand read_sum(reader *r) {
  c_operand result = read_product(r);
  while (!r->l->refused) {
    bool adds = takes(r, '+'), subtracts = !adds && takes(r, '-');
    if (!adds && !subtracts) break;
    c_operand next = read_product(r);
    result = combine(r, adds ? "+" : "-", &result, &next);
  }
  return result;
}

/* C leaves it undefined what an array without elements is. */
static void keep(c_lowering *l, c_path *p, c_operand value, const c_node *n, const c_object *o) {
  size_t cell = o->first + o->item->cells;
  const c_type *t = l->cells.at[cell].type;
  c_path_check(l, p, term_le(l->ts, value.value, term_int(l->ts, 0)), ERROR_DEREFERENCE, n);
  c_path_check(l, p, term_gt(l->ts, value.value, term_number(l->ts, t->high)), ERROR_DEREFERENCE, n);
  c_path_bounds(l, p, value.value, &value.low, &value.high);
  c_cell_write(l, p, cell, &value);
}

/* The length in a type that has a name is that at the declaration of the type. */
void c_array_set_length(c_lowering *l, const c_node *n, const c_object *o) {
  if (!n->has_length_in_type) {
    c_refuse(l, n, "the length of `%s` is that of another type or variable; one that is written here is read", n->name);
    return;
  }
  for (size_t i = 0; i < l->live.count && !l->refused; i++) {
    reader r = {l, l->live.at[i], n, o->type->length};
    c_operand value = read_sum(&r);
    skip_blanks(&r);
    if (*r.rest) refuse(&r);
    if (!l->refused) keep(l, l->live.at[i], value, n, o);
  }
}
