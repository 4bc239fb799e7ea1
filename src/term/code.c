/* Terms compiled to straight-line code over 64-bit registers: one instruction a term, operands before users. Every
 * operation is checked. Registers live on the stack of the caller, so code can be run by several threads.
 *
 * Variables are read where they are, without an instruction. Atoms take in their sum. A chain `if k = 0 then a else if
 * k = 1 then b else ..`, which is what a[k] becomes, is one lookup. What only such instructions would have used is left
 * out. */
#include "base/map.h"
#include "term/evaluate.h"

typedef enum opcode {
  OP_CONSTANT,
  OP_TOO_LARGE,    /* a constant beyond 64 bits, or real */
  OP_AT_MOST,      /* operand <= constant */
  OP_EQUALS,       /* operand = constant */
  OP_DIFF_AT_MOST, /* operand - operand <= constant */
  OP_DIFF_EQUALS,
  OP_SUM_AT_MOST_ZERO,
  OP_SUM_IS_ZERO,
  OP_AND,
  OP_IFF,
  OP_ITE,
  OP_SELECT, /* operand 0 chooses among operands 2, 3, .. for constant, constant + 1, ..; else it is operand 1 */
  OP_SHIFT,  /* operand + constant */
  OP_SUM,
  OP_PRODUCT,
  OP_DIV,
  OP_MOD,
  OP_IS_AMONG, /* bit (operand 0 mod 64) of operand 1 */
} opcode;

/* A value: 4 * (register or place in the state vector) + 2 if it is of the state + 1 if it is negated. */
typedef uint32_t source;

typedef struct instruction {
  opcode op;
  uint32_t first, count; /* operands */
  int64_t constant;
} instruction;

struct code {
  VECTOR(instruction) program; /* instruction i writes register i */
  VECTOR(source) operands;
  VECTOR(int64_t) coefficients; /* parallel to `operands`: those of sums */
  VECTOR(source) roots;
};

/* ---- compiling ---- */

enum { LONGEST_SELECT = 256 };

typedef struct compiler {
  code *c;
  const terms *ts;
  const uint32_t *slots;
  map *registers; /* term index -> register */
  map *needed;    /* term indices */
} compiler;

/* A term of the form `k = c` for a variable k. */
static bool is_choice(const terms *ts, term t, term *variable, int64_t *value) {
  if (term_kind_of(ts, t) != TERM_EQ || term_is_negated(t)) return false;
  linear l = term_linear(ts, term_argument(ts, t, 0));
  if (l.count != 1 || !number_is(l.coefficients[0], 1) || term_kind_of(ts, l.leaves[0]) != TERM_INT_VARIABLE)
    return false;
  *variable = l.leaves[0];
  return number_to_int64(number_negate(l.constant), value);
}

typedef struct select_case {
  int64_t value;
  term then;
} select_case;

typedef struct selection {
  term variable;
  VECTOR(select_case) cases; /* of equal values the first counts */
  term otherwise;
  int64_t low, high;
} selection;

/* The chain that begins at `t`; false if there is none worth a table. `out->cases` is to be freed in both cases. */
static bool read_selection(const terms *ts, term t, selection *out) {
  term_kind kind = term_kind_of(ts, t);
  *out = (selection){0};
  if (kind != TERM_INT_ITE && kind != TERM_BOOL_ITE) return false;
  for (out->otherwise = t; out->cases.count < LONGEST_SELECT; out->otherwise = term_argument(ts, out->otherwise, 2)) {
    term variable;
    select_case now;
    if (term_kind_of(ts, out->otherwise) != kind || term_is_negated(out->otherwise)) break;
    if (!is_choice(ts, term_argument(ts, out->otherwise, 0), &variable, &now.value)) break;
    if (out->cases.count && !term_same(variable, out->variable)) break;
    now.then = term_argument(ts, out->otherwise, 1);
    if (!out->cases.count || now.value < out->low) out->low = now.value;
    if (!out->cases.count || now.value > out->high) out->high = now.value;
    out->variable = variable;
    VECTOR_PUSH(out->cases, now);
  }
  return out->cases.count >= 2 && (uint64_t)out->high - (uint64_t)out->low < LONGEST_SELECT;
}

static bool is_variable(term_kind kind) {
  return kind == TERM_BOOL_VARIABLE || kind == TERM_INT_VARIABLE || kind == TERM_NODE_VARIABLE ||
         kind == TERM_REAL_VARIABLE;
}

static void need(compiler *k, term t) {
  term_kind kind = term_kind_of(k->ts, t);
  if (!is_variable(kind)) map_set(k->needed, term_index(t), 1);
}

static void need_arguments(compiler *k, term t) {
  const terms *ts = k->ts;
  term_kind kind = term_kind_of(ts, t);
  selection s;
  if (read_selection(ts, t, &s)) {
    for (size_t i = 0; i < s.cases.count; i++) need(k, s.cases.at[i].then);
    need(k, s.otherwise);
  } else if (kind == TERM_LE || kind == TERM_EQ) {
    linear l = term_linear(ts, term_argument(ts, t, 0));
    for (size_t i = 0; i < l.count; i++) need(k, l.leaves[i]);
  } else {
    for (size_t i = 0; i < term_arguments(ts, t); i++) need(k, term_argument(ts, t, i));
  }
  VECTOR_FREE(s.cases);
}

static source source_of(const compiler *k, term t) {
  term_kind kind = term_kind_of(k->ts, t);
  uint32_t negated = term_is_negated(t);
  if (is_variable(kind)) return 4 * k->slots[term_variable(k->ts, t).x] + 2 + negated;
  uint64_t where = 0;
  map_get(k->registers, term_index(t), &where);
  return 4 * (uint32_t)where + negated;
}

static void add_operand(compiler *k, term t, int64_t coefficient) {
  VECTOR_PUSH(k->c->operands, source_of(k, t));
  VECTOR_PUSH(k->c->coefficients, coefficient);
}

static const instruction TOO_LARGE = {.op = OP_TOO_LARGE};

static bool add_summands(compiler *k, const linear *l) {
  for (size_t i = 0; i < l->count; i++) {
    int64_t coefficient;
    if (!number_to_int64(l->coefficients[i], &coefficient)) return false;
    add_operand(k, l->leaves[i], coefficient);
  }
  return true;
}

static instruction compile_sum(compiler *k, term t, instruction in) {
  linear l = term_linear(k->ts, t);
  in.count = (uint32_t)l.count;
  in.op = l.count == 0 ? OP_CONSTANT : l.count == 1 && number_is(l.coefficients[0], 1) ? OP_SHIFT : OP_SUM;
  return number_to_int64(l.constant, &in.constant) && add_summands(k, &l) ? in : TOO_LARGE;
}

static instruction compile_atom(compiler *k, term t, instruction in) {
  bool is_le = term_kind_of(k->ts, t) == TERM_LE;
  linear l = term_linear(k->ts, term_argument(k->ts, t, 0));
  in.count = (uint32_t)l.count;
  if (!number_to_int64(l.constant, &in.constant) || !add_summands(k, &l)) return TOO_LARGE;
  bool is_plain = l.count <= 2 && in.constant != INT64_MIN && number_is(l.coefficients[0], 1);
  in.op = is_le ? OP_SUM_AT_MOST_ZERO : OP_SUM_IS_ZERO;
  if (is_plain && l.count == 1) in.op = is_le ? OP_AT_MOST : OP_EQUALS;
  if (is_plain && l.count == 2 && number_is(l.coefficients[1], -1)) in.op = is_le ? OP_DIFF_AT_MOST : OP_DIFF_EQUALS;
  if (in.op != OP_SUM_AT_MOST_ZERO && in.op != OP_SUM_IS_ZERO) in.constant = -in.constant;
  return in;
}

static instruction compile_selection(compiler *k, const selection *s, instruction in) {
  size_t size = (size_t)(s->high - s->low) + 1;
  in.op = OP_SELECT;
  in.constant = s->low;
  in.count = (uint32_t)size + 2;
  add_operand(k, s->variable, 0);
  for (size_t i = 0; i <= size; i++) add_operand(k, s->otherwise, 0);
  for (size_t i = s->cases.count; i-- > 0;)
    k->c->operands.at[in.first + 2 + (size_t)(s->cases.at[i].value - s->low)] = source_of(k, s->cases.at[i].then);
  return in;
}

static opcode opcode_of(term_kind kind) {
  switch (kind) {
    case TERM_AND: return OP_AND;
    case TERM_IFF: return OP_IFF;
    case TERM_BOOL_ITE:
    case TERM_INT_ITE: return OP_ITE;
    case TERM_PRODUCT: return OP_PRODUCT;
    case TERM_DIV: return OP_DIV;
    case TERM_MOD: return OP_MOD;
    case TERM_HEAP_NULL: return OP_EQUALS;
    case TERM_HEAP_SAME: return OP_DIFF_EQUALS;
    case TERM_HEAP_DATA: return OP_IS_AMONG;
    default: REQUIRE(false, "an operator"); return OP_TOO_LARGE;
  }
}

static instruction compile_one(compiler *k, term t) {
  instruction in = {.first = (uint32_t)k->c->operands.count};
  term_kind kind = term_kind_of(k->ts, t);
  if (kind == TERM_CONSTANT_TRUE) return (instruction){.op = OP_CONSTANT, .constant = 1};
  if (term_has_real(k->ts, t)) return (instruction){.op = OP_TOO_LARGE};
  if (kind == TERM_SUM) return compile_sum(k, t, in);
  if (kind == TERM_LE || kind == TERM_EQ) return compile_atom(k, t, in);
  selection s;
  bool is_selection = read_selection(k->ts, t, &s);
  if (is_selection) in = compile_selection(k, &s, in);
  VECTOR_FREE(s.cases);
  if (is_selection) return in;
  in.op = opcode_of(kind);
  in.count = (uint32_t)term_arguments(k->ts, t);
  for (uint32_t i = 0; i < in.count; i++) add_operand(k, term_argument(k->ts, t, i), 0);
  return in;
}

code *code_compile(const terms *ts, size_t count, const term *roots, const uint32_t *slots) {
  compiler k = {MEMORY_NEW(code), ts, slots, map_new(), map_new()};
  index_vector cone = {0};
  terms_cone(ts, count, roots, &cone);
  for (size_t i = 0; i < count; i++) need(&k, roots[i]);
  for (size_t i = cone.count; i-- > 0;)
    if (map_get(k.needed, cone.at[i], NULL)) need_arguments(&k, (term){2 * cone.at[i]});
  for (size_t i = 0; i < cone.count; i++) {
    if (!map_get(k.needed, cone.at[i], NULL)) continue;
    instruction in = compile_one(&k, (term){2 * cone.at[i]});
    map_set(k.registers, cone.at[i], k.c->program.count);
    VECTOR_PUSH(k.c->program, in);
  }
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(k.c->roots, source_of(&k, roots[i]));
  map_free(k.registers);
  map_free(k.needed);
  VECTOR_FREE(cone);
  return k.c;
}

void code_free(code *c) {
  if (!c) return;
  VECTOR_FREE(c->program);
  VECTOR_FREE(c->operands);
  VECTOR_FREE(c->coefficients);
  VECTOR_FREE(c->roots);
  memory_free(c);
}

/* ---- running ---- */

typedef struct values {
  const int64_t *from[2]; /* registers, state */
} values;

/* An integer, or a boolean that is not negated. */
static inline int64_t plain(const values *v, source s) { return v->from[s >> 1 & 1][s >> 2]; }
static inline int64_t value_of(const values *v, source s) { return s & 1 ? !plain(v, s) : plain(v, s); }

static bool run_sum(const code *c, const instruction *in, const values *v, int64_t *out) {
  int64_t sum = in->constant;
  for (uint32_t i = in->first; i < in->first + in->count; i++) {
    int64_t product;
    if (__builtin_mul_overflow(c->coefficients.at[i], plain(v, c->operands.at[i]), &product) ||
        __builtin_add_overflow(sum, product, &sum))
      return false;
  }
  *out = sum;
  return true;
}

static bool run_product(const code *c, const instruction *in, const values *v, int64_t *out) {
  int64_t product = 1;
  for (uint32_t i = in->first; i < in->first + in->count; i++)
    if (__builtin_mul_overflow(product, plain(v, c->operands.at[i]), &product)) return false;
  *out = product;
  return true;
}

static bool run_and(const code *c, const instruction *in, const values *v) {
  for (uint32_t i = in->first; i < in->first + in->count; i++)
    if (!value_of(v, c->operands.at[i])) return false;
  return true;
}

static int64_t run_select(const instruction *in, const source *o, const values *v) {
  uint64_t which = (uint64_t)plain(v, o[0]) - (uint64_t)in->constant;
  return value_of(v, which < in->count - 2 ? o[2 + which] : o[1]);
}

/* Euclidean quotient and remainder; false if the quotient does not fit. */
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

static inline bool run_one(const code *c, const instruction *in, const values *v, int64_t *out) {
  const source *o = c->operands.at + in->first;
  int64_t other;
  switch (in->op) {
    case OP_CONSTANT: *out = in->constant; return true;
    case OP_TOO_LARGE: return false;
    case OP_AT_MOST: *out = plain(v, o[0]) <= in->constant; return true;
    case OP_EQUALS: *out = plain(v, o[0]) == in->constant; return true;
    case OP_DIFF_AT_MOST:
      if (__builtin_sub_overflow(plain(v, o[0]), plain(v, o[1]), &other)) return false;
      *out = other <= in->constant;
      return true;
    case OP_DIFF_EQUALS:
      if (__builtin_sub_overflow(plain(v, o[0]), plain(v, o[1]), &other)) return false;
      *out = other == in->constant;
      return true;
    case OP_SUM_AT_MOST_ZERO:
      if (!run_sum(c, in, v, &other)) return false;
      *out = other <= 0;
      return true;
    case OP_SUM_IS_ZERO:
      if (!run_sum(c, in, v, &other)) return false;
      *out = other == 0;
      return true;
    case OP_AND: *out = run_and(c, in, v); return true;
    case OP_IFF: *out = value_of(v, o[0]) == value_of(v, o[1]); return true;
    case OP_ITE: *out = value_of(v, value_of(v, o[0]) ? o[1] : o[2]); return true;
    case OP_SELECT: *out = run_select(in, o, v); return true;
    case OP_SHIFT: return !__builtin_add_overflow(plain(v, o[0]), in->constant, out);
    case OP_SUM: return run_sum(c, in, v, out);
    case OP_PRODUCT: return run_product(c, in, v, out);
    case OP_DIV: return divide(plain(v, o[0]), plain(v, o[1]), out, &other);
    case OP_MOD: return divide(plain(v, o[0]), plain(v, o[1]), &other, out);
    case OP_IS_AMONG: *out = plain(v, o[1]) >> (plain(v, o[0]) & 63) & 1; return true;
  }
  return false;
}

code_status code_run(const code *c, const int64_t *state, int64_t *out) {
  enum { FEW = 64 };
  int64_t few[FEW], *registers = c->program.count <= FEW ? few : MEMORY_ARRAY(int64_t, c->program.count);
  values v = {{registers, state}};
  code_status status = CODE_FINE;
  for (size_t i = 0; i < c->program.count && status == CODE_FINE; i++)
    if (!run_one(c, &c->program.at[i], &v, &registers[i])) status = CODE_OVERFLOW;
  for (size_t i = 0; i < c->roots.count && status == CODE_FINE; i++) out[i] = value_of(&v, c->roots.at[i]);
  if (registers != few) memory_free(registers);
  return status;
}
