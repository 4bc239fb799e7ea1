/* One instruction a term, operands before users. The rules are those of evaluate.c. */
#include "term/exact_code.h"

#include "base/map.h"
#include "term/array_value.h"
#include "term/heap/node_layout.h"

/* An operand is twice the number of the instruction that gives it, plus 1 if it is negated. */
typedef struct exact_instruction {
  term_kind kind;
  uint32_t first, count; /* operands */
  variable var;          /* of variables */
  number constant;       /* of sums */
} exact_instruction;

struct exact_code {
  const terms *ts;
  map *places; /* term -> instruction */
  VECTOR(exact_instruction) program;
  VECTOR(uint32_t) operands;
  VECTOR(number) coefficients; /* parallel to `operands`: those of sums */
  VECTOR(size_t) ends;         /* of stages */
  VECTOR(number) values;       /* by instruction */
};

exact_code *exact_code_new(const terms *ts) {
  exact_code *c = MEMORY_NEW(exact_code);
  c->ts = ts;
  c->places = map_new();
  return c;
}

void exact_code_free(exact_code *c) {
  if (!c) return;
  map_free(c->places);
  VECTOR_FREE(c->program);
  VECTOR_FREE(c->operands);
  VECTOR_FREE(c->coefficients);
  VECTOR_FREE(c->ends);
  VECTOR_FREE(c->values);
  memory_free(c);
}

/* ---- compiling ---- */

static bool is_variable(term_kind kind) {
  return kind == TERM_BOOL_VARIABLE || kind == TERM_INT_VARIABLE || kind == TERM_REAL_VARIABLE ||
         kind == TERM_NODE_VARIABLE || kind == TERM_ARRAY_VARIABLE;
}

static void add_operand(exact_code *c, term t, number coefficient) {
  VECTOR_PUSH(c->operands, exact_code_place(c, t).x);
  VECTOR_PUSH(c->coefficients, coefficient);
}

static void add_instruction(exact_code *c, uint32_t index) {
  term t = {2 * index};
  exact_instruction made = {.kind = term_kind_of(c->ts, t), .first = (uint32_t)c->operands.count};
  if (made.kind == TERM_SUM) {
    linear l = term_linear(c->ts, t);
    made.constant = l.constant;
    for (size_t i = 0; i < l.count; i++) add_operand(c, l.leaves[i], l.coefficients[i]);
  } else {
    for (size_t i = 0; i < term_arguments(c->ts, t); i++) add_operand(c, term_argument(c->ts, t, i), number_of(1));
  }
  if (is_variable(made.kind)) made.var = term_variable(c->ts, t);
  made.count = (uint32_t)c->operands.count - made.first;
  map_set(c->places, index, c->program.count);
  VECTOR_PUSH(c->program, made);
  VECTOR_PUSH(c->values, number_of(0));
}

size_t exact_code_add(exact_code *c, size_t count, const term *roots) {
  index_vector cone = {0};
  terms_cone(c->ts, count, roots, &cone);
  for (size_t i = 0; i < cone.count; i++)
    if (!map_get(c->places, cone.at[i], NULL)) add_instruction(c, cone.at[i]);
  VECTOR_FREE(cone);
  VECTOR_PUSH(c->ends, c->program.count);
  return c->ends.count - 1;
}

exact_place exact_code_place(const exact_code *c, term t) {
  uint64_t at = 0;
  bool known = map_get(c->places, term_index(t), &at);
  REQUIRE(known, "a term of some stage");
  return (exact_place){2 * (uint32_t)at + term_is_negated(t)};
}

/* ---- running ---- */

static inline number operand_value(const exact_code *c, uint32_t operand) {
  number n = c->values.at[operand / 2];
  return operand % 2 ? number_of(number_is(n, 0)) : n;
}

static number sum_of(const exact_code *c, const exact_instruction *i) {
  number sum = i->constant;
  for (size_t j = i->first; j < i->first + i->count; j++) {
    number n = operand_value(c, c->operands.at[j]), by = c->coefficients.at[j];
    sum = number_is(by, 1) ? number_add(sum, n) : number_add(sum, number_mul(by, n));
  }
  return sum;
}

static number conjunction_of(const exact_code *c, const exact_instruction *i) {
  for (size_t j = i->first; j < i->first + i->count; j++)
    if (number_is(operand_value(c, c->operands.at[j]), 0)) return number_of(0);
  return number_of(1);
}

static number product_of(const exact_code *c, const exact_instruction *i) {
  number product = operand_value(c, c->operands.at[i->first]);
  for (size_t j = i->first + 1; j < i->first + i->count; j++)
    product = number_mul(product, operand_value(c, c->operands.at[j]));
  return product;
}

/* Of arrays. */
static number array_result(const exact_code *c, const exact_instruction *i, array_versions *arrays, number a,
                           number b) {
  number element = i->kind == TERM_STORE ? operand_value(c, c->operands.at[i->first + 2]) : number_of(0);
  switch (i->kind) {
    case TERM_ARRAY_SAME: return number_of(arrays ? array_versions_same(arrays, a, b) : number_equal(a, b));
    case TERM_STORE:
      return arrays ? array_versions_with(arrays, a, b, element) : array_value_with(c->ts, a, b, element);
    case TERM_CONSTANT_ARRAY: return arrays ? array_versions_constant(arrays, a) : array_value_of(c->ts, a, 0, NULL);
    default: return arrays ? array_versions_at(arrays, a, b) : array_value_at(c->ts, a, b);
  }
}

static number result_of(const exact_code *c, const exact_instruction *i, const number *values, array_versions *arrays) {
  number a = i->count > 0 ? operand_value(c, c->operands.at[i->first]) : number_of(0);
  number b = i->count > 1 ? operand_value(c, c->operands.at[i->first + 1]) : number_of(0);
  switch (i->kind) {
    case TERM_CONSTANT_TRUE: return number_of(1);
    case TERM_BOOL_VARIABLE: return number_of(!number_is(values[i->var.x], 0));
    case TERM_INT_VARIABLE:
    case TERM_REAL_VARIABLE:
    case TERM_NODE_VARIABLE:
    case TERM_ARRAY_VARIABLE: return values[i->var.x];
    case TERM_LE: return number_of(number_compare(a, number_of(0)) <= 0);
    case TERM_EQ: return number_of(number_is(a, 0));
    case TERM_AND: return conjunction_of(c, i);
    case TERM_IFF:
    case TERM_HEAP_SAME: return number_of(number_equal(a, b));
    case TERM_BOOL_ITE:
    case TERM_ARRAY_ITE:
    case TERM_INT_ITE: return number_is(a, 0) ? operand_value(c, c->operands.at[i->first + 2]) : b;
    case TERM_SUM: return sum_of(c, i);
    case TERM_PRODUCT: return product_of(c, i);
    case TERM_DIV: return number_is(b, 0) ? number_of(0) : number_div(a, b);
    case TERM_MOD: return number_is(b, 0) ? a : number_mod(a, b);
    case TERM_HEAP_NULL: return number_of(number_is(a, 0));
    case TERM_HEAP_DATA: return number_of(node_value_is_among(a, b));
    case TERM_ARRAY_SAME:
    case TERM_BOOL_SELECT:
    case TERM_ARRAY_SELECT:
    case TERM_SELECT:
    case TERM_STORE:
    case TERM_CONSTANT_ARRAY: return array_result(c, i, arrays, a, b);
  }
  return a;
}

void exact_code_run(exact_code *c, size_t stage, const number *values, array_versions *arrays) {
  for (size_t i = stage ? c->ends.at[stage - 1] : 0; i < c->ends.at[stage]; i++)
    c->values.at[i] = result_of(c, &c->program.at[i], values, arrays);
}

number exact_code_value(const exact_code *c, exact_place p) { return operand_value(c, p.x); }
