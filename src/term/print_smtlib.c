/* Terms in SMT-LIB 2. What is used more than once is bound by let, in the order of the table, so the text is as large
 * as the graph, not the tree. */
#include "base/escape.h"
#include "base/map.h"
#include "term/print.h"
#include "term/table.h"

/* Words with a meaning of their own in SMT-LIB or in a solver, which bars do not take away: z3 would read every `true`
 * as a variable of that name. */
static const char *const taken_words[] = {
    "!",         "*",       "+",       "-",     "/",      "<",      "<=",     "=",       "=>",     ">",
    ">=",        "RNA",     "RNE",     "RTN",   "RTP",    "RTZ",    "_",      "abs",     "and",    "as",
    "bag",       "cos",     "cot",     "csc",   "concat", "const",  "div",    "exp",     "exists", "extract",
    "false",     "forall",  "fp",      "if",    "iff",    "ite",    "let",    "mod",     "not",    "or",
    "par",       "pto",     "sec",     "sep",   "sin",    "sqrt",   "select", "store",   "tan",    "true",
    "xor",       "wand",    "match",   "tuple", "iand",   "is_int", "to_int", "to_real", "to_fp",  "distinct",
    "divisible", "eqrange", "implies", "Bool",  "Int",    "Real",   "Array",  "inv",     "types" /* of certificates */};
static const char *const taken_starts[] = {"@",    ".",    "arc",   "bag.",   "bv",        "fp.",
                                           "int.", "re.",  "real.", "rel.",   "round",     "sep.",
                                           "seq.", "set.", "str.",  "table.", "whet-core!"};

static bool is_taken(const char *name) {
  size_t length = strlen(name);
  if (length && name[length - 1] == ' ') return true;
  if (name[0] == '?' && length > 1 && strspn(name + 1, "0123456789") == length - 1) return true;
  for (size_t i = 0; i < ARRAY_LENGTH(taken_words); i++)
    if (name[0] == taken_words[i][0] && !strcmp(name, taken_words[i])) return true;
  for (size_t i = 0; i < ARRAY_LENGTH(taken_starts); i++)
    if (name[0] == taken_starts[i][0] && !strncmp(name, taken_starts[i], strlen(taken_starts[i]))) return true;
  return false;
}

static void add(text *out, const char *literal) { text_add_bytes(out, literal, strlen(literal)); }

static const char unsafe[] = "\\|\"();";

void name_print_smtlib(const char *name, text *out) {
  text_add_char(out, '|');
  text_add_escaped(out, name, unsafe);
  add(out, is_taken(name) ? " |" : "|");
}

void variable_print_smtlib(const terms *ts, variable v, text *out) {
  const char *name = variable_name(ts, v);
  if (!ts->names_are_escaped) {
    name_print_smtlib(name, out);
    return;
  }
  text_add_char(out, '|');
  text_add_escaped_before(out, name, unsafe);
  add(out, is_taken(name) ? " |" : "|");
}

void variable_print_numbered(variable v, text *out) { text_add(out, "v%u", v.x); }

void number_print_smtlib(number n, text *out) {
  if (number_sign(n) < 0) {
    add(out, "(- ");
    number_print(out, number_negate(n));
    text_add_char(out, ')');
  } else {
    number_print(out, n);
  }
}

/* As a real: 3.0, (/ 7.0 2.0), (- (/ 7.0 2.0)). */
void number_print_smtlib_real(number n, text *out) {
  bool is_negative = number_sign(n) < 0, is_fraction = !number_is_integer(n);
  if (is_negative) add(out, "(- ");
  if (is_fraction) add(out, "(/ ");
  number_print(out, number_numerator(number_abs(n)));
  add(out, ".0");
  if (is_fraction) {
    text_add_char(out, ' ');
    number_print(out, number_denominator(n));
    add(out, ".0)");
  }
  if (is_negative) text_add_char(out, ')');
}

typedef struct smt_printer {
  const terms *ts;
  text *out;
  bool is_numbered;
  map *bound; /* index -> 1 if a let binds it */
} smt_printer;

static bool is_leaf(const terms *ts, uint32_t index) {
  const term_node *n = &ts->nodes.at[index];
  return n->count == 0;
}

static void print_leaf(const smt_printer *p, term t) {
  const terms *ts = p->ts;
  if (term_kind_of(ts, t) == TERM_CONSTANT_TRUE)
    add(p->out, "true");
  else if (term_kind_of(ts, t) == TERM_SUM)
    (number_is_integer(term_constant(ts, t)) ? number_print_smtlib : number_print_smtlib_real)(term_constant(ts, t),
                                                                                               p->out);
  else if (p->is_numbered)
    variable_print_numbered(term_variable(ts, t), p->out);
  else
    variable_print_smtlib(ts, term_variable(ts, t), p->out);
}

/* Still to be printed: a term, a number or a literal text. */
typedef struct smt_piece {
  const char *literal;
  term term;
  bool is_number, is_real; /* `is_real`: of a number, to be printed as one */
  number number;
} smt_piece;

typedef VECTOR(smt_piece) smt_stack;

static void later(smt_stack *line, const char *literal) { VECTOR_PUSH(*line, (smt_piece){.literal = literal}); }
static void later_term(smt_stack *line, term t) {
  later(line, " ");
  VECTOR_PUSH(*line, (smt_piece){.term = t});
}

static void later_number(smt_stack *line, bool as_real, number n) {
  VECTOR_PUSH(*line, (smt_piece){.is_number = true, .is_real = as_real, .number = n});
}

/* A value of its own sort or, `as_real`, a real. */
static void later_value(const smt_printer *p, smt_stack *line, bool as_real, term t) {
  number n;
  bool converts = as_real && term_sort(p->ts, t) == SORT_INT;
  if (converts && term_is_number(p->ts, t, &n)) {
    later_number(line, true, n);
    return;
  }
  if (converts) later(line, "(to_real ");
  VECTOR_PUSH(*line, (smt_piece){.term = t});
  if (converts) later(line, ")");
}

/* The monomials whose sign is `sign` (0: all), times `factor`, and `constant` if it is not 0 or stands alone. */
static void say_monomials(const smt_printer *p, const linear *l, bool as_real, int sign, int factor, number constant,
                          smt_stack *line) {
  size_t count = 0;
  for (size_t i = 0; i < l->count; i++) count += sign == 0 || number_sign(l->coefficients[i]) == sign;
  bool has_constant = count == 0 || number_sign(constant) != 0, several = count + has_constant > 1;
  if (several) later(line, "(+");
  for (size_t i = 0; i < l->count; i++) {
    if (sign != 0 && number_sign(l->coefficients[i]) != sign) continue;
    number k = factor < 0 ? number_negate(l->coefficients[i]) : l->coefficients[i];
    if (several) later(line, " ");
    if (number_is(k, 1)) {
      later_value(p, line, as_real, l->leaves[i]);
      continue;
    }
    later(line, "(* ");
    later_number(line, as_real, k);
    later(line, " ");
    later_value(p, line, as_real, l->leaves[i]);
    later(line, ")");
  }
  if (has_constant) {
    if (several) later(line, " ");
    later_number(line, as_real, constant);
  }
  if (several) later(line, ")");
}

static void say_sum(const smt_printer *p, term t, smt_stack *line) {
  linear l = term_linear(p->ts, t);
  say_monomials(p, &l, term_sort(p->ts, t) == SORT_REAL, 0, 1, l.constant, line);
}

/* Negative monomials go to the right; so does the constant, unless it is positive and the right side has others. A
 * lower bound is printed as one: x >= 0, not x > -1. */
static void say_comparison(const smt_printer *p, term t, smt_stack *line) {
  bool equality = term_kind_of(p->ts, t) == TERM_EQ, right_has_others = false, as_real = term_is_real_atom(p->ts, t);
  linear l = term_linear(p->ts, term_argument(p->ts, t, 0));
  for (size_t i = 0; i < l.count; i++) right_has_others |= number_sign(l.coefficients[i]) < 0;
  bool constant_left = right_has_others && number_sign(l.constant) > 0;
  bool lower_bound = !equality && term_is_negated(t) && !right_has_others && !as_real;
  number zero = number_of(0), right = number_sub(number_of(lower_bound), l.constant);
  later(line, equality ? "(= " : lower_bound ? "(>= " : term_is_negated(t) ? "(> " : "(<= ");
  say_monomials(p, &l, as_real, 1, 1, constant_left ? l.constant : zero, line);
  later(line, " ");
  say_monomials(p, &l, as_real, -1, -1, constant_left ? zero : right, line);
  later(line, ")");
}

/* Division is total in whet: x / 0 = 0 and x % 0 = x. If the divisor may be 0 the text must say so, and names both
 * arguments twice. */
static bool is_guarded(const terms *ts, term t) {
  number k;
  if (term_kind_of(ts, t) != TERM_DIV && term_kind_of(ts, t) != TERM_MOD) return false;
  return !term_is_number(ts, term_argument(ts, t, 1), &k) || number_is(k, 0);
}

static void say_division(const smt_printer *p, term t, smt_stack *line) {
  bool div = term_kind_of(p->ts, t) == TERM_DIV;
  term a = term_argument(p->ts, t, 0), b = term_argument(p->ts, t, 1);
  bool guarded = is_guarded(p->ts, t);
  if (guarded) {
    later(line, "(ite (= 0");
    later_term(line, b);
    later(line, ") ");
    if (div)
      later(line, "0");
    else
      VECTOR_PUSH(*line, (smt_piece){.term = a});
    later(line, " ");
  }
  later(line, div ? "(div" : "(mod");
  later_term(line, a);
  later_term(line, b);
  later(line, guarded ? "))" : ")");
}

/* Of a product or a choice: values are of the sort of the whole. */
static void say_values(const smt_printer *p, const char *head, term t, smt_stack *line) {
  bool as_real = term_sort(p->ts, t) == SORT_REAL;
  later(line, head);
  for (size_t i = 0; i < term_arguments(p->ts, t); i++) {
    later(line, " ");
    later_value(p, line, as_real, term_argument(p->ts, t, i));
  }
  later(line, ")");
}

static void say_list(const smt_printer *p, const char *head, term t, bool negate, smt_stack *line) {
  later(line, head);
  for (size_t i = 0; i < term_arguments(p->ts, t); i++) {
    term a = term_argument(p->ts, t, i);
    later_term(line, negate ? term_not(a) : a);
  }
  later(line, ")");
}

/* An array that is made of others, or of one value. */
static void say_array(const smt_printer *p, term t, smt_stack *line) {
  type of = term_type(p->ts, t);
  bool is_constant = term_kind_of(p->ts, t) == TERM_CONSTANT_ARRAY;
  later(line, is_constant ? "((as const " : "(store");
  if (is_constant) later(line, type_smtlib_sort(&of));
  if (is_constant) later(line, ")");
  size_t last = term_arguments(p->ts, t) - 1;
  for (size_t i = 0; i < last; i++) later_term(line, term_argument(p->ts, t, i));
  later(line, " ");
  later_value(p, line, of.element == SORT_REAL && !of.nesting, term_argument(p->ts, t, last));
  later(line, ")");
}

/* Whether the negation of `t` has an operator of its own: `or`, `>`. */
static bool negates_by_itself(const terms *ts, term t) {
  return term_kind_of(ts, t) == TERM_AND || term_kind_of(ts, t) == TERM_LE;
}

static void say_parts(const smt_printer *p, term t, smt_stack *line) {
  const terms *ts = p->ts;
  bool negated = term_is_negated(t);
  switch (term_kind_of(ts, t)) {
    case TERM_SUM: say_sum(p, t, line); return;
    case TERM_DIV:
    case TERM_MOD: say_division(p, t, line); return;
    case TERM_LE:
    case TERM_EQ: say_comparison(p, t, line); return;
    case TERM_AND: say_list(p, negated ? "(or" : "(and", t, negated, line); return;
    case TERM_IFF: say_list(p, "(=", t, false, line); return;
    case TERM_BOOL_ITE: say_list(p, "(ite", t, false, line); return;
    case TERM_INT_ITE: say_values(p, "(ite", t, line); return;
    case TERM_PRODUCT: say_values(p, "(*", t, line); return;
    case TERM_ARRAY_SAME: say_list(p, "(=", t, false, line); return;
    case TERM_BOOL_SELECT:
    case TERM_ARRAY_SELECT:
    case TERM_SELECT: say_list(p, "(select", t, false, line); return;
    case TERM_ARRAY_ITE: say_list(p, "(ite", t, false, line); return;
    case TERM_STORE:
    case TERM_CONSTANT_ARRAY: say_array(p, t, line); return;
    case TERM_HEAP_NULL: say_list(p, "(heap-null", t, false, line); return;
    case TERM_HEAP_SAME: say_list(p, "(heap-same", t, false, line); return;
    case TERM_HEAP_DATA: say_list(p, "(heap-data", t, false, line); return;
    default: return;
  }
}

static void print_reference(const smt_printer *p, uint32_t index) { text_add(p->out, "?%u", index); }

/* Prints `t`; what a let binds is printed as a reference, but for `t` itself if `whole` says so. */
static void print_tree(const smt_printer *p, term t, bool whole) {
  smt_stack stack = {0}, line = {0};
  VECTOR_PUSH(stack, (smt_piece){.term = t});
  while (stack.count) {
    smt_piece next = VECTOR_POP(stack);
    if (next.literal) {
      add(p->out, next.literal);
      continue;
    }
    if (next.is_number) {
      (next.is_real ? number_print_smtlib_real : number_print_smtlib)(next.number, p->out);
      continue;
    }
    term positive = term_positive(next.term);
    bool leaf = is_leaf(p->ts, term_index(positive)),
         bound = !leaf && !whole && map_get(p->bound, term_index(positive), NULL);
    if (term_is_negated(next.term) && (leaf || bound || !negates_by_itself(p->ts, positive))) {
      add(p->out, "(not ");
      VECTOR_PUSH(stack, (smt_piece){.literal = ")"});
    }
    if (leaf) {
      print_leaf(p, positive);
    } else if (bound) {
      print_reference(p, term_index(positive));
    } else {
      VECTOR_CLEAR(line);
      say_parts(p, next.term, &line);
      for (size_t i = line.count; i-- > 0;) VECTOR_PUSH(stack, line.at[i]);
    }
    whole = false;
  }
  VECTOR_FREE(stack);
  VECTOR_FREE(line);
}

static void print_shared(const terms *ts, term t, bool is_numbered, text *out) {
  smt_printer p = {ts, out, is_numbered, map_new()};
  index_vector cone = {0}, shared = {0};
  map *uses = map_new();
  terms_cone(ts, 1, &t, &cone);
  for (size_t i = 0; i < cone.count; i++) {
    const term_node *n = &ts->nodes.at[cone.at[i]];
    bool twice = is_guarded(ts, (term){2 * cone.at[i]});
    if (n->kind == TERM_LE || n->kind == TERM_EQ) { /* prints the monomials of its sum, not the sum */
      const term_node *sum = &ts->nodes.at[term_index(ts->arguments.at[n->start])];
      if (sum->kind == TERM_SUM) n = sum;
    }
    for (uint32_t j = 0; j < n->count; j++) {
      uint32_t below = term_index(ts->arguments.at[n->start + j]);
      uint64_t count = 0;
      map_get(uses, below, &count);
      map_set(uses, below, count + (twice ? 2 : 1));
    }
  }
  for (size_t i = 0; i < cone.count; i++) {
    uint64_t count = 0;
    map_get(uses, cone.at[i], &count);
    if (count > 1 && !is_leaf(ts, cone.at[i])) VECTOR_PUSH(shared, cone.at[i]);
  }
  for (size_t i = 0; i < shared.count; i++) {
    text_add(out, "(let ((");
    print_reference(&p, shared.at[i]);
    text_add_char(out, ' ');
    print_tree(&p, (term){2 * shared.at[i]}, true);
    text_add(out, ")) ");
    map_set(p.bound, shared.at[i], 1);
  }
  print_tree(&p, t, false);
  for (size_t i = 0; i < shared.count; i++) text_add_char(out, ')');
  map_free(p.bound);
  map_free(uses);
  VECTOR_FREE(cone);
  VECTOR_FREE(shared);
}

void term_print_smtlib(const terms *ts, term t, text *out) { print_shared(ts, t, false, out); }
void term_print_numbered(const terms *ts, term t, text *out) { print_shared(ts, t, true, out); }
