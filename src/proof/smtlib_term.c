/* A stack of open parentheses and a stack of values stand in for recursion. */
#include "proof/smtlib_term.h"

#include "term/print.h"

/* Numbers beyond this many digits and products beyond this many factors are refused: a few nested lets could
 * otherwise make them as large as they like. Nor does `distinct` take more, for it compares every two; nor may there be
 * more divisions by what may be 0. */
enum { DIGITS = 1000, FACTORS = 64, DIFFERENT = 256, DIVISIONS = 1000 };

typedef enum operator_kind {
  OP_AND,
  OP_OR,
  OP_NOT,
  OP_IMPLIES,
  OP_XOR,
  OP_EQUAL,
  OP_DISTINCT,
  OP_ITE,
  OP_LESS,
  OP_AT_MOST,
  OP_GREATER,
  OP_AT_LEAST,
  OP_ADD,
  OP_SUBTRACT,
  OP_MULTIPLY,
  OP_DIV,
  OP_MOD,
  OP_ABS,
  OP_DIVIDE,
  OP_TO_REAL,
  OP_SELECT,
  OP_STORE,
  OP_CONSTANT_OF_BOOL,
  OP_CONSTANT_OF_INT,
  OP_CONSTANT_OF_REAL,
} operator_kind;

typedef enum argument_sorts {
  TAKES_BOOL,
  TAKES_INT,
  TAKES_NUMBER,
  TAKES_ONE_SORT,
  TAKES_CONDITION,
  TAKES_ARRAY /* and an index, and maybe an element */
} argument_sorts;

typedef struct operation {
  const char *name;
  operator_kind kind;
  argument_sorts takes;
  size_t least, most; /* arguments */
} operation;

static const operation operations[] = {
    {"and", OP_AND, TAKES_BOOL, 1, SIZE_MAX},
    {"or", OP_OR, TAKES_BOOL, 1, SIZE_MAX},
    {"not", OP_NOT, TAKES_BOOL, 1, 1},
    {"=>", OP_IMPLIES, TAKES_BOOL, 2, SIZE_MAX},
    {"xor", OP_XOR, TAKES_BOOL, 2, SIZE_MAX},
    {"=", OP_EQUAL, TAKES_ONE_SORT, 2, SIZE_MAX},
    {"distinct", OP_DISTINCT, TAKES_ONE_SORT, 2, DIFFERENT},
    {"ite", OP_ITE, TAKES_CONDITION, 3, 3},
    {"<", OP_LESS, TAKES_NUMBER, 2, SIZE_MAX},
    {"<=", OP_AT_MOST, TAKES_NUMBER, 2, SIZE_MAX},
    {">", OP_GREATER, TAKES_NUMBER, 2, SIZE_MAX},
    {">=", OP_AT_LEAST, TAKES_NUMBER, 2, SIZE_MAX},
    {"+", OP_ADD, TAKES_NUMBER, 1, SIZE_MAX},
    {"-", OP_SUBTRACT, TAKES_NUMBER, 1, SIZE_MAX},
    {"*", OP_MULTIPLY, TAKES_NUMBER, 1, SIZE_MAX},
    {"/", OP_DIVIDE, TAKES_NUMBER, 2, 2},
    {"to_real", OP_TO_REAL, TAKES_NUMBER, 1, 1},
    {"div", OP_DIV, TAKES_INT, 2, SIZE_MAX},
    {"mod", OP_MOD, TAKES_INT, 2, 2},
    {"abs", OP_ABS, TAKES_INT, 1, 1},
    {"select", OP_SELECT, TAKES_ARRAY, 2, 2},
    {"store", OP_STORE, TAKES_ARRAY, 3, 3},
};

/* ((as const (Array Int T)) v) */
static const operation constant_arrays[] = {{"Bool", OP_CONSTANT_OF_BOOL, TAKES_BOOL, 1, 1},
                                            {"Int", OP_CONSTANT_OF_INT, TAKES_INT, 1, 1},
                                            {"Real", OP_CONSTANT_OF_REAL, TAKES_NUMBER, 1, 1}};

/* ((_ is C) x) and (is-C x) say that x is the constructor C, which comes first. */
static const operation is_constructor = {"is", OP_EQUAL, TAKES_INT, 2, 2};

/* Known only if there are reals. */
static bool is_of_reals(operator_kind kind) { return kind == OP_DIVIDE || kind == OP_TO_REAL; }
/* Known only if there are arrays. */
static bool is_of_arrays(operator_kind kind) { return kind == OP_SELECT || kind == OP_STORE; }

typedef enum frame_kind {
  FRAME_APPLY,
  FRAME_LET,      /* before its bindings */
  FRAME_BINDINGS, /* inside the parentheses around them */
  FRAME_BINDING,  /* inside one */
  FRAME_BODY,     /* after them; their names are known */
} frame_kind;

typedef struct frame {
  frame_kind kind;
  const operation *operation;
  unsigned nesting; /* of a constant array */
  size_t first_value, first_binding;
  token name; /* FRAME_BINDING */
  size_t place;
} frame;

typedef struct binding {
  char *name;
  term value;
  uint64_t hidden; /* what the name meant outside */
} binding;

typedef struct term_reader {
  terms *ts;
  token_reader *from;
  const named_terms *free_symbols;
  names *operators; /* name -> index */
  names *scope;     /* of `let`: name -> index into `bindings` + 1; 0 = nothing */
  VECTOR(frame) frames;
  VECTOR(binding) bindings;
  term_vector values;
  VECTOR(number) ones;
  open_divisions *divisions; /* NULL: division is whet's */
  text scratch;
  sort wanted;  /* of the whole */
  bool is_done; /* the outermost `or` has been closed; its arguments are `values` */
  char *error;
  size_t place;
} term_reader;

static bool fail(term_reader *r, size_t place, char *error) {
  r->error = error;
  r->place = place;
  return false;
}

static KEEP const char *spelling(term_reader *r, token t) {
  text_reset(&r->scratch);
  text_add_bytes(&r->scratch, t.at, t.length);
  return r->scratch.at;
}

/* ---- free symbols ---- */

void named_terms_add(named_terms *n, const char *name, term value) {
  if (!n->index) n->index = names_new();
  names_set(n->index, name, n->values.count);
  VECTOR_PUSH(n->values, value);
}

void named_terms_add_variable(named_terms *n, terms *ts, variable v) {
  text printed = {0};
  variable_print_smtlib(ts, v, &printed);
  char *bare = memory_copy_bytes(printed.at + 1, printed.count - 2);
  named_terms_add(n, bare, term_of_variable(ts, v));
  memory_free(bare);
  text_clear(&printed);
}

void named_terms_clear(named_terms *n) {
  if (n->index) names_free(n->index);
  VECTOR_FREE(n->values);
  *n = (named_terms){0};
}

/* ---- limits ---- */

static bool number_is_large(number n) {
  if (!n.big) return false;
  char *digits = number_string(n);
  bool large = strlen(digits) > DIGITS;
  memory_free(digits);
  return large;
}

static bool has_large_number(const terms *ts, term t) {
  if (term_sort(ts, t) != SORT_INT && term_sort(ts, t) != SORT_REAL) return false;
  linear l = term_linear(ts, t);
  bool large = number_is_large(l.constant);
  for (size_t i = 0; i < l.count && !large; i++) large = number_is_large(l.coefficients[i]);
  return large;
}

static size_t most_factors(const terms *ts, term t) {
  linear l = term_linear(ts, t);
  size_t most = 1;
  for (size_t i = 0; i < l.count; i++) {
    if (term_kind_of(ts, l.leaves[i]) != TERM_PRODUCT) continue;
    size_t factors = term_arguments(ts, l.leaves[i]);
    if (factors > most) most = factors;
  }
  return most;
}

/* ---- applying operators ---- */

static term compare(terms *ts, operator_kind kind, term a, term b) {
  switch (kind) {
    case OP_LESS: return term_lt(ts, a, b);
    case OP_AT_MOST: return term_le(ts, a, b);
    case OP_GREATER: return term_gt(ts, a, b);
    case OP_AT_LEAST: return term_ge(ts, a, b);
    default: return term_eq(ts, a, b);
  }
}

/* Comparisons chain: (< a b c) is a < b and b < c. */
static term chain(terms *ts, operator_kind kind, size_t count, const term *args) {
  if (count == 2) return compare(ts, kind, args[0], args[1]);
  term_vector pairs = {0};
  for (size_t i = 0; i + 1 < count; i++) VECTOR_PUSH(pairs, compare(ts, kind, args[i], args[i + 1]));
  term result = term_and_all(ts, pairs.count, pairs.at);
  VECTOR_FREE(pairs);
  return result;
}

static term all_different(terms *ts, size_t count, const term *args) {
  term_vector pairs = {0};
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++) VECTOR_PUSH(pairs, term_not(term_eq(ts, args[i], args[j])));
  term result = term_and_all(ts, pairs.count, pairs.at);
  VECTOR_FREE(pairs);
  return result;
}

static term sum_of(term_reader *r, size_t count, const term *args) {
  while (r->ones.count < count) VECTOR_PUSH(r->ones, number_of(1));
  return term_sum(r->ts, number_of(0), count, args, r->ones.at);
}

/* What SMT-LIB says of a division: if the divisor may be 0, a variable is its value in that case. */
static term open_division_of(term_reader *r, bool is_mod, term above, term below, term whole) {
  terms *ts = r->ts;
  term is_zero = term_eq(ts, below, term_int(ts, 0));
  if (!r->divisions || term_is_false(is_zero)) return whole;
  size_t at = 0;
  while (at < r->divisions->count &&
         (r->divisions->at[at].is_mod != is_mod || !term_same(r->divisions->at[at].dividend, above)))
    at++;
  if (at == r->divisions->count) {
    type integer = {.sort = SORT_INT};
    open_division made = {.is_mod = is_mod, .dividend = above};
    made.in_body = variable_fresh(ts, "by-zero!", &integer);
    made.in_head = variable_fresh(ts, "by-zero!", &integer);
    VECTOR_PUSH(*r->divisions, made);
  }
  return term_ite(ts, is_zero, term_of_variable(ts, r->divisions->at[at].in_body), whole);
}

/* The guarded division that print_smtlib.c writes is whet's own division again; what a division would be where the text
 * does not use it does not matter. */
static term if_then_else(const term_reader *r, term c, term a, term b) {
  terms *ts = r->ts;
  if (r->divisions && term_kind_of(ts, b) == TERM_INT_ITE && term_same(term_argument(ts, b, 0), c))
    b = term_argument(ts, b, 2);
  if (term_sort(ts, b) == SORT_INT && (term_kind_of(ts, b) == TERM_DIV || term_kind_of(ts, b) == TERM_MOD)) {
    bool div = term_kind_of(ts, b) == TERM_DIV;
    term divisor = term_argument(ts, b, 1), at_zero = div ? term_int(ts, 0) : term_argument(ts, b, 0);
    if (term_same(a, at_zero) && term_same(c, term_eq(ts, divisor, term_int(ts, 0)))) return b;
  }
  return term_ite(ts, c, a, b);
}

/* Operators that take their arguments two at a time, from the left. */
static bool fold_left(term_reader *r, size_t place, operator_kind kind, size_t count, const term *args, term *out) {
  terms *ts = r->ts;
  term so_far = args[0];
  if (kind == OP_SUBTRACT && count == 1) so_far = term_negate(ts, so_far);
  for (size_t i = 1; i < count; i++) {
    if (kind == OP_MULTIPLY && most_factors(ts, so_far) + most_factors(ts, args[i]) > FACTORS)
      return fail(r, place, text_format("a product of more than %d factors", FACTORS));
    if (has_large_number(ts, so_far)) break;
    if (r->divisions && r->divisions->count > DIVISIONS)
      return fail(r, place, text_format("more than %d divisions by what may be 0", DIVISIONS));
    switch (kind) {
      case OP_XOR: so_far = term_not(term_iff(ts, so_far, args[i])); break;
      case OP_SUBTRACT: so_far = term_sub(ts, so_far, args[i]); break;
      case OP_MULTIPLY: so_far = term_mul(ts, so_far, args[i]); break;
      case OP_DIV: so_far = open_division_of(r, false, so_far, args[i], term_div(ts, so_far, args[i])); break;
      default: so_far = open_division_of(r, true, so_far, args[i], term_mod(ts, so_far, args[i])); break;
    }
  }
  *out = so_far;
  return true;
}

static term implications(terms *ts, size_t count, const term *args) {
  term so_far = args[count - 1];
  for (size_t i = count - 1; i-- > 0;) so_far = term_implies(ts, args[i], so_far);
  return so_far;
}

/* Of reals, by a constant. */
static bool divide(term_reader *r, size_t place, const term *args, term *out) {
  number divisor;
  if (!term_is_number(r->ts, args[1], &divisor) || !number_sign(divisor))
    return fail(r, place, text_format("/ by what is no constant other than 0"));
  *out = term_scale(r->ts, number_quotient(number_of(1), divisor), args[0]);
  return true;
}

static bool apply(term_reader *r, const operation *op, size_t place, size_t count, const term *args, term *out) {
  terms *ts = r->ts;
  switch (op->kind) {
    case OP_AND: *out = term_and_all(ts, count, args); break;
    case OP_OR: *out = term_or_all(ts, count, args); break;
    case OP_NOT: *out = term_not(args[0]); break;
    case OP_IMPLIES: *out = implications(ts, count, args); break;
    case OP_DISTINCT: *out = all_different(ts, count, args); break;
    case OP_ITE: *out = if_then_else(r, args[0], args[1], args[2]); break;
    case OP_ADD: *out = sum_of(r, count, args); break;
    case OP_ABS: *out = term_abs(ts, args[0]); break;
    case OP_TO_REAL: *out = args[0]; break;
    case OP_SELECT: *out = term_select(ts, args[0], args[1]); break;
    case OP_STORE: *out = term_store(ts, args[0], args[1], args[2]); break;
    case OP_CONSTANT_OF_BOOL: *out = term_constant_array(ts, SORT_BOOL, args[0]); break;
    case OP_CONSTANT_OF_INT: *out = term_constant_array(ts, SORT_INT, args[0]); break;
    case OP_CONSTANT_OF_REAL: *out = term_constant_array(ts, SORT_REAL, args[0]); break;
    case OP_DIVIDE:
      if (!divide(r, place, args, out)) return false;
      break;
    case OP_XOR:
    case OP_SUBTRACT:
    case OP_MULTIPLY:
    case OP_DIV:
    case OP_MOD:
      if (!fold_left(r, place, op->kind, count, args, out)) return false;
      break;
    default: *out = chain(ts, op->kind, count, args); break;
  }
  if (has_large_number(ts, *out)) return fail(r, place, text_format("a number of more than %d digits", DIGITS));
  return true;
}

/* An array, an index, and maybe an element. */
static bool are_of_array(const terms *ts, size_t count, const term *args) {
  if (term_sort(ts, args[0]) != SORT_ARRAY || term_sort(ts, args[1]) != SORT_INT) return false;
  type of = term_type(ts, args[0]), element = type_of_element(&of);
  return count < 3 || term_fits(ts, args[2], &element);
}

static bool terms_have_one_sort(const terms *ts, term a, term b) {
  type x = term_type(ts, a), y = term_type(ts, b);
  return types_have_one_sort(&x, &y);
}

/* The value of a constant array of arrays. */
static bool is_element(const terms *ts, const operation *op, unsigned nesting, term value) {
  type of = {.sort = SORT_ARRAY, .element = SORT_INT, .nesting = (uint8_t)(nesting - 1)};
  if (op->kind != OP_CONSTANT_OF_INT) of.element = op->kind == OP_CONSTANT_OF_BOOL ? SORT_BOOL : SORT_REAL;
  return term_fits(ts, value, &of);
}

/* Integers and reals go together, but for what is of integers alone; arrays do if their elements are of one sort. */
static bool sorts_fit(const terms *ts, argument_sorts takes, size_t count, const term *args) {
  size_t from = takes == TAKES_CONDITION ? 1 : 0;
  if (takes == TAKES_ARRAY) return are_of_array(ts, count, args);
  sort wanted = takes == TAKES_BOOL     ? SORT_BOOL
                : takes == TAKES_INT    ? SORT_INT
                : takes == TAKES_NUMBER ? SORT_REAL
                                        : term_sort(ts, args[from]);
  if (takes == TAKES_CONDITION && term_sort(ts, args[0]) != SORT_BOOL) return false;
  if (takes != TAKES_INT && wanted == SORT_INT) wanted = SORT_REAL;
  for (size_t i = from; i < count; i++)
    if (!sort_fits(term_sort(ts, args[i]), wanted) ||
        (wanted == SORT_ARRAY && !terms_have_one_sort(ts, args[i], args[from])))
      return false;
  return wanted != SORT_NODE;
}

static bool close_apply(term_reader *r, const frame *f) {
  const operation *op = f->operation;
  size_t count = r->values.count - f->first_value;
  const term *args = r->values.at + f->first_value;
  if (count < op->least || count > op->most)
    return fail(r, f->place, text_format("%zu argument%s for %s", count, count == 1 ? "" : "s", op->name));
  if (f->nesting ? !is_element(r->ts, op, f->nesting, args[0]) : !sorts_fit(r->ts, op->takes, count, args))
    return fail(r, f->place, text_format("wrong sorts for %s", op->name));
  if (r->frames.count == 0 && op->kind == OP_OR) {
    r->is_done = true;
    return true;
  }
  term result;
  if (!apply(r, op, f->place, count, args, &result)) return false;
  r->values.count = f->first_value;
  VECTOR_PUSH(r->values, result);
  return true;
}

/* ---- let ---- */

static void enter_scope(term_reader *r, size_t first) {
  for (size_t i = first; i < r->bindings.count; i++) {
    binding *b = &r->bindings.at[i];
    b->hidden = 0;
    names_get(r->scope, b->name, &b->hidden);
    names_set(r->scope, b->name, i + 1);
  }
}

static void leave_scope(term_reader *r, size_t first) {
  while (r->bindings.count > first) {
    binding b = VECTOR_POP(r->bindings);
    names_set(r->scope, b.name, b.hidden);
    memory_free(b.name);
  }
}

/* ---- tokens ---- */

static bool may_hold_value(const term_reader *r) {
  if (!r->frames.count) return !r->values.count;
  const frame *f = &VECTOR_LAST(r->frames);
  if (f->kind == FRAME_APPLY) return true;
  return (f->kind == FRAME_BINDING || f->kind == FRAME_BODY) && r->values.count == f->first_value;
}

static bool push_value(term_reader *r, token t, term value) {
  if (!may_hold_value(r)) return fail(r, t.place, text_format("unexpected term"));
  VECTOR_PUSH(r->values, value);
  return true;
}

static bool read_symbol(term_reader *r, token t) {
  const char *name = spelling(r, t);
  uint64_t index = 0;
  if (names_get(r->scope, name, &index) && index) return push_value(r, t, r->bindings.at[index - 1].value);
  if (r->free_symbols->index && names_get(r->free_symbols->index, name, &index))
    return push_value(r, t, r->free_symbols->values.at[index]);
  if (token_is(t, TOKEN_SYMBOL, "true")) return push_value(r, t, TERM_TRUE);
  if (token_is(t, TOKEN_SYMBOL, "false")) return push_value(r, t, TERM_FALSE);
  return fail(r, t.place, text_format("unknown symbol %s", name));
}

static bool read_numeral(term_reader *r, token t) {
  number n;
  if (t.length > DIGITS) return fail(r, t.place, text_format("a number of more than %d digits", DIGITS));
  if (!number_parse_fraction(t.at, t.length, &n)) return fail(r, t.place, text_format("expected a number"));
  return push_value(r, t, term_number(r->ts, n));
}

/* A test for the constructor of this name: a free symbol that stands for a number. */
static bool open_test(term_reader *r, frame f, token at, const char *name) {
  uint64_t index;
  const named_terms *known = r->free_symbols;
  if (!known->index || !names_get(known->index, name, &index) || !term_is_number(r->ts, known->values.at[index], NULL))
    return fail(r, at.place, text_format("there is no constructor %s", name));
  f.operation = &is_constructor;
  VECTOR_PUSH(r->frames, f);
  VECTOR_PUSH(r->values, known->values.at[index]);
  return true;
}

bool smtlib_read_array_sort(token_reader *from, type *out) {
  static const sort elements[] = {SORT_BOOL, SORT_INT, SORT_REAL};
  token t = token_next(from);
  size_t arrays = 0;
  *out = (type){.sort = SORT_ARRAY, .element = SORT_ARRAY};
  for (; t.kind == TOKEN_OPEN && arrays <= MOST_NESTING; t = token_next(from), arrays++)
    if (!token_is(token_next(from), TOKEN_SYMBOL, "Array") || !token_is(token_next(from), TOKEN_SYMBOL, "Int"))
      return false;
  for (size_t i = 0; i < ARRAY_LENGTH(elements); i++)
    if (token_is(t, TOKEN_SYMBOL, type_smtlib_sort(&(type){.sort = elements[i]}))) out->element = elements[i];
  if (!arrays || out->element == SORT_ARRAY) return false;
  out->nesting = (uint8_t)(arrays - 1);
  for (size_t i = 0; i < arrays; i++)
    if (token_next(from).kind != TOKEN_CLOSE) return false;
  return true;
}

/* After `((as`. */
static bool open_constant_array(term_reader *r, frame f) {
  token word = token_next(r->from);
  type of;
  bool fine = token_is(word, TOKEN_SYMBOL, "const") && smtlib_read_array_sort(r->from, &of) &&
              token_next(r->from).kind == TOKEN_CLOSE;
  if (!fine) return fail(r, word.place, text_format("expected (as const (Array Int ..))"));
  for (size_t i = 0; i < ARRAY_LENGTH(constant_arrays); i++)
    if (!strcmp(type_smtlib_sort(&(type){.sort = of.element}), constant_arrays[i].name))
      f.operation = &constant_arrays[i];
  f.nesting = of.nesting;
  VECTOR_PUSH(r->frames, f);
  return true;
}

/* After `((`. */
static bool open_indexed(term_reader *r, frame f) {
  token_reader ahead = *r->from;
  if (token_is(token_next(&ahead), TOKEN_SYMBOL, "as") && terms_have_arrays(r->ts)) {
    *r->from = ahead;
    return open_constant_array(r, f);
  }
  token underscore = token_next(r->from), is = token_next(r->from), name = token_next(r->from), close;
  if (!token_is(underscore, TOKEN_SYMBOL, "_") || !token_is(is, TOKEN_SYMBOL, "is") || name.kind != TOKEN_SYMBOL)
    return fail(r, underscore.place, text_format("expected an operator"));
  close = token_next(r->from);
  if (close.kind != TOKEN_CLOSE) return fail(r, close.place, text_format("expected )"));
  return open_test(r, f, name, spelling(r, name));
}

/* After `(` where a term is wanted. */
static bool open_term(term_reader *r, size_t place) {
  token t = token_next(r->from);
  frame f = {.kind = FRAME_APPLY, .first_value = r->values.count, .first_binding = r->bindings.count, .place = place};
  if (!may_hold_value(r)) return fail(r, place, text_format("unexpected term"));
  if (t.kind == TOKEN_OPEN) return open_indexed(r, f);
  if (t.kind != TOKEN_SYMBOL) return fail(r, t.place, text_format("expected an operator"));
  uint64_t index;
  if (token_is(t, TOKEN_SYMBOL, "let"))
    f.kind = FRAME_LET;
  else if (names_get(r->operators, spelling(r, t), &index) &&
           (!is_of_reals(operations[index].kind) || terms_have_reals(r->ts)) &&
           (!is_of_arrays(operations[index].kind) || terms_have_arrays(r->ts)))
    f.operation = &operations[index];
  else if (!strncmp(spelling(r, t), "is-", 3))
    return open_test(r, f, t, spelling(r, t) + 3);
  else
    return fail(r, t.place, text_format("unknown operator %s", spelling(r, t)));
  VECTOR_PUSH(r->frames, f);
  return true;
}

static bool open_binding(term_reader *r, size_t place) {
  token name = token_next(r->from);
  if (name.kind != TOKEN_SYMBOL) return fail(r, name.place, text_format("expected a name"));
  VECTOR_PUSH(r->frames, (frame){.kind = FRAME_BINDING, .first_value = r->values.count, .name = name, .place = place});
  return true;
}

static bool read_open(term_reader *r, token t) {
  if (r->frames.count && VECTOR_LAST(r->frames).kind == FRAME_LET) {
    VECTOR_LAST(r->frames).kind = FRAME_BINDINGS;
    return true;
  }
  if (r->frames.count && VECTOR_LAST(r->frames).kind == FRAME_BINDINGS) return open_binding(r, t.place);
  return open_term(r, t.place);
}

static bool read_close(term_reader *r, token t) {
  if (!r->frames.count) return fail(r, t.place, text_format("unexpected )"));
  frame f = VECTOR_LAST(r->frames);
  bool one_value = r->values.count == f.first_value + 1;
  switch (f.kind) {
    case FRAME_APPLY: r->frames.count--; return close_apply(r, &f);
    case FRAME_BINDINGS:
      VECTOR_LAST(r->frames).kind = FRAME_BODY;
      enter_scope(r, f.first_binding);
      return true;
    case FRAME_BINDING:
      if (!one_value) break;
      VECTOR_PUSH(r->bindings, (binding){memory_copy_bytes(f.name.at, f.name.length), VECTOR_POP(r->values), 0});
      r->frames.count--;
      return true;
    case FRAME_BODY:
      if (!one_value) break;
      leave_scope(r, f.first_binding);
      r->frames.count--;
      return true;
    default: break;
  }
  return fail(r, t.place, text_format("expected a term"));
}

static bool read_token(term_reader *r, token t) {
  switch (t.kind) {
    case TOKEN_OPEN: return read_open(r, t);
    case TOKEN_CLOSE: return read_close(r, t);
    case TOKEN_SYMBOL: return read_symbol(r, t);
    case TOKEN_NUMERAL: return read_numeral(r, t);
    case TOKEN_DECIMAL:
      if (terms_have_reals(r->ts)) return read_numeral(r, t);
      return fail(r, t.place, text_format("expected a term"));
    case TOKEN_END: return fail(r, t.place, text_format("the text ends inside a term"));
    default: return fail(r, t.place, text_format("%s", t.why ? t.why : "expected a term"));
  }
}

static bool read_all(term_reader *r) {
  size_t place = 0;
  do {
    token t = token_next(r->from);
    if (!r->frames.count) place = t.place;
    if (!read_token(r, t)) return false;
  } while (r->frames.count);
  sort found = r->is_done ? SORT_BOOL : term_sort(r->ts, r->values.at[0]);
  return found == r->wanted ||
         fail(r, place, text_format(r->wanted == SORT_BOOL ? "expected a boolean term" : "expected an integer term"));
}

static bool read_term(terms *ts, token_reader *from, const named_terms *free_symbols, open_divisions *divisions,
                      sort wanted, term_vector *out, char **error, size_t *place) {
  term_reader r = {.ts = ts,
                   .from = from,
                   .free_symbols = free_symbols,
                   .operators = names_new(),
                   .scope = names_new(),
                   .divisions = divisions,
                   .wanted = wanted};
  for (size_t i = 0; i < ARRAY_LENGTH(operations); i++) names_set(r.operators, operations[i].name, i);
  VECTOR_RESERVE(r.values, 1);
  bool fine = read_all(&r);
  if (fine) {
    VECTOR_CLEAR(*out);
    for (size_t i = 0; i < r.values.count; i++) VECTOR_PUSH(*out, r.values.at[i]);
  } else {
    *error = r.error;
    *place = r.place;
  }
  leave_scope(&r, 0);
  names_free(r.operators);
  names_free(r.scope);
  VECTOR_FREE(r.frames);
  VECTOR_FREE(r.bindings);
  VECTOR_FREE(r.values);
  VECTOR_FREE(r.ones);
  text_clear(&r.scratch);
  return fine;
}

bool smtlib_read_formula(terms *ts, token_reader *from, const named_terms *free_symbols, open_divisions *divisions,
                         term_vector *out, char **error, size_t *place) {
  return read_term(ts, from, free_symbols, divisions, SORT_BOOL, out, error, place);
}

bool smtlib_read_integer(terms *ts, token_reader *from, const named_terms *free_symbols, term *out, char **error,
                         size_t *place) {
  term_vector read = {0};
  bool fine = read_term(ts, from, free_symbols, NULL, SORT_INT, &read, error, place);
  if (fine) *out = read.at[0];
  VECTOR_FREE(read);
  return fine;
}
