/* Terms compiled to straight-line code over 64-bit registers: one instruction a term of the cone, operands before
 * users. Every operation is checked. Registers live on the stack of the caller, so code can be run by several threads. */
#include "base/map.h"
#include "term/evaluate.h"

typedef enum opcode {
  OP_LOAD,     /* register = state[slot] */
  OP_CONSTANT,
  OP_TOO_LARGE, /* a constant beyond 64 bits */
  OP_AT_MOST_ZERO,
  OP_EQUALS_ZERO,
  OP_AND,
  OP_IFF,
  OP_ITE,
  OP_SUM,
  OP_PRODUCT,
  OP_DIV,
  OP_MOD,
} opcode;

/* Instruction i writes register i. Operands are 2 * register + polarity. */
typedef struct instruction {
  opcode op;
  uint32_t slot;         /* OP_LOAD */
  uint32_t first, count; /* operands */
  int64_t constant;      /* OP_CONSTANT, OP_SUM */
} instruction;

struct code {
  VECTOR(instruction) program;
  VECTOR(uint32_t) operands;
  VECTOR(int64_t) coefficients; /* beside `operands`: those of OP_SUM */
  VECTOR(uint32_t) roots;
};

static opcode opcode_of(term_kind kind) {
  switch (kind) {
    case TERM_BOOL_VARIABLE:
    case TERM_INT_VARIABLE: return OP_LOAD;
    case TERM_CONSTANT_TRUE: return OP_CONSTANT;
    case TERM_LE: return OP_AT_MOST_ZERO;
    case TERM_EQ: return OP_EQUALS_ZERO;
    case TERM_AND: return OP_AND;
    case TERM_IFF: return OP_IFF;
    case TERM_BOOL_ITE:
    case TERM_INT_ITE: return OP_ITE;
    case TERM_SUM: return OP_SUM;
    case TERM_PRODUCT: return OP_PRODUCT;
    case TERM_DIV: return OP_DIV;
    case TERM_MOD: return OP_MOD;
    default: REQUIRE(false, "no heap in compiled code"); return OP_TOO_LARGE;
  }
}

static uint32_t operand_of(const map *registers, term t) {
  uint64_t where = 0;
  map_get(registers, term_index(t), &where);
  return (uint32_t)(2 * where + term_is_negated(t));
}

static instruction compile_one(code *c, const terms *ts, term t, const uint32_t *slots, const map *registers) {
  instruction in = {.op = opcode_of(term_kind_of(ts, t)), .first = (uint32_t)c->operands.count};
  in.count = (uint32_t)term_arguments(ts, t);
  if (in.op == OP_LOAD) in.slot = slots[term_variable(ts, t).x];
  if (in.op == OP_CONSTANT) in.constant = 1;
  for (uint32_t i = 0; i < in.count; i++) {
    int64_t k = 0;
    if (in.op == OP_SUM && !number_to_int64(term_coefficient(ts, t, i), &k)) return (instruction){.op = OP_TOO_LARGE};
    VECTOR_PUSH(c->operands, operand_of(registers, term_argument(ts, t, i)));
    VECTOR_PUSH(c->coefficients, k);
  }
  if (in.op == OP_SUM && !number_to_int64(term_constant(ts, t), &in.constant)) in.op = OP_TOO_LARGE;
  if (in.op == OP_SUM && !in.count) in.op = OP_CONSTANT;
  return in;
}

code *code_compile(const terms *ts, size_t count, const term *roots, const uint32_t *slots) {
  code *c = MEMORY_NEW(code);
  index_vector cone = {0};
  map *registers = map_new();
  terms_cone(ts, count, roots, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    instruction in = compile_one(c, ts, (term){2 * cone.at[i]}, slots, registers);
    map_set(registers, cone.at[i], c->program.count);
    VECTOR_PUSH(c->program, in);
  }
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(c->roots, operand_of(registers, roots[i]));
  map_free(registers);
  VECTOR_FREE(cone);
  return c;
}

void code_free(code *c) {
  if (!c) return;
  VECTOR_FREE(c->program);
  VECTOR_FREE(c->operands);
  VECTOR_FREE(c->coefficients);
  VECTOR_FREE(c->roots);
  memory_free(c);
}

static inline int64_t operand(const int64_t *r, uint32_t o) { return o & 1 ? !r[o >> 1] : r[o >> 1]; }

static bool run_sum(const code *c, const instruction *in, const int64_t *r, int64_t *out) {
  int64_t sum = in->constant;
  for (uint32_t i = in->first; i < in->first + in->count; i++) {
    int64_t product;
    if (__builtin_mul_overflow(c->coefficients.at[i], r[c->operands.at[i] >> 1], &product) ||
        __builtin_add_overflow(sum, product, &sum))
      return false;
  }
  *out = sum;
  return true;
}

static bool run_product(const code *c, const instruction *in, const int64_t *r, int64_t *out) {
  int64_t product = 1;
  for (uint32_t i = in->first; i < in->first + in->count; i++)
    if (__builtin_mul_overflow(product, r[c->operands.at[i] >> 1], &product)) return false;
  *out = product;
  return true;
}

static bool run_and(const code *c, const instruction *in, const int64_t *r) {
  for (uint32_t i = in->first; i < in->first + in->count; i++)
    if (!operand(r, c->operands.at[i])) return false;
  return true;
}

/* Euclidean quotient and remainder; false where the quotient does not fit. */
static bool divide(int64_t a, int64_t b, int64_t *quotient, int64_t *remainder) {
  if (b == 0) {
    *quotient = 0;
    *remainder = a;
    return true;
  }
  if (a == INT64_MIN && b == -1) return false;
  if (b == INT64_MIN && a < 0) return false; /* needs -b; rare enough to call it an overflow */
  int64_t q = a / b, r = a % b;
  if (r < 0) {
    q += b > 0 ? -1 : 1;
    r += b > 0 ? b : -b;
  }
  *quotient = q;
  *remainder = r;
  return true;
}

static bool run_one(const code *c, const instruction *in, const int64_t *state, const int64_t *r, int64_t *out) {
  const uint32_t *o = c->operands.at + in->first;
  int64_t quotient, remainder;
  switch (in->op) {
    case OP_LOAD: *out = state[in->slot]; return true;
    case OP_CONSTANT: *out = in->constant; return true;
    case OP_TOO_LARGE: return false;
    case OP_AT_MOST_ZERO: *out = r[o[0] >> 1] <= 0; return true;
    case OP_EQUALS_ZERO: *out = r[o[0] >> 1] == 0; return true;
    case OP_AND: *out = run_and(c, in, r); return true;
    case OP_IFF: *out = operand(r, o[0]) == operand(r, o[1]); return true;
    case OP_ITE: *out = operand(r, operand(r, o[0]) ? o[1] : o[2]); return true;
    case OP_SUM: return run_sum(c, in, r, out);
    case OP_PRODUCT: return run_product(c, in, r, out);
    case OP_DIV:
      if (!divide(r[o[0] >> 1], r[o[1] >> 1], &quotient, &remainder)) return false;
      *out = quotient;
      return true;
    case OP_MOD:
      if (!divide(r[o[0] >> 1], r[o[1] >> 1], &quotient, &remainder)) return false;
      *out = remainder;
      return true;
  }
  return false;
}

code_status code_run(const code *c, const int64_t *state, int64_t *out) {
  enum { FEW = 64 };
  int64_t few[FEW], *r = c->program.count <= FEW ? few : MEMORY_ARRAY(int64_t, c->program.count);
  code_status status = CODE_FINE;
  for (size_t i = 0; i < c->program.count && status == CODE_FINE; i++)
    if (!run_one(c, &c->program.at[i], state, r, &r[i])) status = CODE_OVERFLOW;
  for (size_t i = 0; i < c->roots.count && status == CODE_FINE; i++) out[i] = operand(r, c->roots.at[i]);
  if (r != few) memory_free(r);
  return status;
}
