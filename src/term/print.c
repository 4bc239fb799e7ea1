/* Terms in whet's language. A stack of pieces still to be printed stands in for recursion. */
#include "term/print.h"

#include <ctype.h>

#include "base/escape.h"
#include "term/heap/node_layout.h"
#include "term/print_inside.h"

/* 0 if no identifier starts here, or one of the three reserved words does. */
static size_t identifier_length(const char *s) {
  if (!isalpha((unsigned char)*s) && *s != '_') return 0;
  size_t n = 1;
  while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '\'') n++;
  bool reserved =
      (n == 4 && !strncmp(s, "true", n)) || (n == 5 && !strncmp(s, "false", n)) || (n == 2 && !strncmp(s, "if", n));
  return reserved ? 0 : n;
}

static bool is_identifier(const char *s) {
  size_t n = identifier_length(s);
  return n && !s[n];
}

static void say(printer *p, const char *literal) { VECTOR_PUSH(p->line, (piece){.literal = literal}); }
static void say_term(printer *p, term t, tightness around) {
  VECTOR_PUSH(p->line, (piece){.term = t, .around = around});
}
static void say_number(printer *p, number n) { VECTOR_PUSH(p->line, (piece){.is_number = true, .number = n}); }

/* One side of a comparison, or a whole sum: the monomials whose sign is `sign`, printed positive, then the constant
 * if it is wanted. */
static void say_side(printer *p, const linear *l, int sign, bool with_constant, number constant) {
  bool first = true;
  for (size_t i = 0; i < l->count; i++) {
    if (number_sign(l->coefficients[i]) != sign) continue;
    if (!first) say(p, " + ");
    first = false;
    number k = number_abs(l->coefficients[i]);
    if (!number_is(k, 1)) {
      say_number(p, k);
      say(p, " * ");
    }
    say_term(p, l->leaves[i], number_is(k, 1) ? BIND_ADD : BIND_UNARY);
  }
  if (!with_constant && !first) return;
  if (!first) say(p, " + ");
  say_number(p, constant);
}

static void say_sum(printer *p, const linear *l) {
  bool first = true;
  for (size_t i = 0; i < l->count; i++) {
    bool negative = number_sign(l->coefficients[i]) < 0;
    number k = number_abs(l->coefficients[i]);
    if (!first)
      say(p, negative ? " - " : " + ");
    else if (negative)
      say(p, "-");
    first = false;
    if (!number_is(k, 1)) {
      say_number(p, k);
      say(p, " * ");
    }
    say_term(p, l->leaves[i], number_is(k, 1) && !negative ? BIND_ADD : BIND_UNARY);
  }
  if (first) {
    say_number(p, l->constant);
  } else if (number_sign(l->constant) != 0) {
    say(p, number_sign(l->constant) < 0 ? " - " : " + ");
    say_number(p, number_abs(l->constant));
  }
}

/* `st = W` and `P at idle` for a variable with named values. */
static bool say_named_value(printer *p, const linear *l, bool negated) {
  const terms *ts = p->ts;
  if (l->count != 1 || !number_is(l->coefficients[0], 1) || term_kind_of(ts, l->leaves[0]) != TERM_INT_VARIABLE)
    return false;
  const type *t = variable_type(ts, term_variable(ts, l->leaves[0]));
  int64_t value;
  if (!t->names || !number_to_int64(number_negate(l->constant), &value)) return false;
  if (value < 0 || (uint64_t)value >= t->name_count) return false;
  if (t->is_location && negated) say(p, "!(");
  say_term(p, l->leaves[0], BIND_NONE);
  bool is_plain = is_identifier(t->names[value]);
  say(p, t->is_location ? " at " : negated ? " != " : " = ");
  if (!is_plain) say(p, "|");
  say(p, t->names[value]);
  if (!is_plain) say(p, "|");
  if (t->is_location && negated) say(p, ")");
  return true;
}

/* `p.data`, `p.color = red`, `p.freed`. */
static tightness say_data(printer *p, term t) {
  term node = term_argument(p->ts, t, 0);
  const node_layout *l = type_layout(variable_type(p->ts, term_variable(p->ts, node)));
  size_t f;
  unsigned part;
  bool is_value = node_test_of(l, term_heap_values(p->ts, t), &f, &part);
  bool is_truth = is_value && l->fields[f].of.sort == SORT_BOOL;
  say_term(p, node, BIND_UNARY);
  say(p, ".");
  say(p, is_value ? l->fields[f].name : "freed");
  if (!is_value || (is_truth && part)) return BIND_UNARY;
  say(p, " = ");
  if (is_truth)
    say(p, "false");
  else if (l->fields[f].of.names)
    say(p, l->fields[f].of.names[part]);
  else
    say_number(p, number_add(l->fields[f].of.low, number_of(part)));
  return BIND_COMPARE;
}

/* Of reals: the first coefficient is positive in what is said, and nothing else is turned round. */
static void say_real_comparison(printer *p, term t) {
  bool equality = term_kind_of(p->ts, t) == TERM_EQ, negated = term_is_negated(t);
  linear l = term_linear(p->ts, term_argument(p->ts, t, 0));
  int sign = number_sign(l.coefficients[0]);
  bool both_sides = false;
  for (size_t i = 0; i < l.count; i++) both_sides |= number_sign(l.coefficients[i]) == -sign;
  number left = sign < 0 ? number_negate(l.constant) : l.constant;
  bool constant_left = both_sides && number_sign(left) > 0, constant_right = !both_sides || number_sign(left) < 0;
  const char *word = equality   ? (negated ? " != " : " = ")
                     : sign < 0 ? (negated ? " < " : " >= ")
                                : (negated ? " > " : " <= ");
  say_side(p, &l, sign, constant_left, left);
  say(p, word);
  say_side(p, &l, -sign, constant_right, number_negate(left));
}

static void say_comparison(printer *p, term t) {
  if (term_is_real_atom(p->ts, t)) {
    say_real_comparison(p, t);
    return;
  }
  bool equality = term_kind_of(p->ts, t) == TERM_EQ, negated = term_is_negated(t);
  linear l = term_linear(p->ts, term_argument(p->ts, t, 0));
  if (equality && say_named_value(p, &l, negated)) return;
  bool both_sides = false; /* then the constant goes to the side on which it is positive, else to the right */
  for (size_t i = 0; i < l.count; i++) both_sides |= number_sign(l.coefficients[i]) < 0;
  number limit = number_negate(l.constant);
  if (!equality && both_sides && number_is(limit, -1)) { /* x + 1 > y is better said x >= y, and x + 1 <= y is x < y */
    say_side(p, &l, 1, false, l.constant);
    say(p, negated ? " >= " : " < ");
    say_side(p, &l, -1, false, l.constant);
    return;
  }
  if (!equality && !both_sides && number_sign(limit) < 0 && (negated || number_is(limit, -1))) {
    /* x > -1 is better said x >= 0, and x <= -1 is x < 0 */
    say_side(p, &l, 1, false, l.constant);
    say(p, negated ? " >= " : " < ");
    say_number(p, number_add(limit, number_of(1)));
    return;
  }
  int sign = both_sides ? number_sign(l.constant) : -1;
  say_side(p, &l, 1, sign > 0, l.constant);
  say(p, equality ? (negated ? " != " : " = ") : (negated ? " > " : " <= "));
  say_side(p, &l, -1, sign < 0, number_negate(sign > 0 ? number_of(0) : l.constant));
}

static void say_list(printer *p, term t, const char *operator_text, bool negate, tightness around) {
  for (size_t i = 0; i < term_arguments(p->ts, t); i++) {
    term a = term_argument(p->ts, t, i);
    if (i) say(p, operator_text);
    say_term(p, negate ? term_not(a) : a, around);
  }
}

tightness printer_say_parts(printer *p, term t) {
  const terms *ts = p->ts;
  bool negated = term_is_negated(t);
  term_kind kind = term_kind_of(ts, t);
  linear l;
  switch (kind) {
    case TERM_CONSTANT_TRUE: say(p, negated ? "false" : "true"); return BIND_UNARY;
    case TERM_LE:
    case TERM_EQ: say_comparison(p, t); return BIND_COMPARE;
    case TERM_AND:
      say_list(p, t, negated ? " || " : " && ", negated, negated ? BIND_OR : BIND_AND);
      return negated ? BIND_OR : BIND_AND;
    case TERM_SUM:
      l = term_linear(ts, t);
      say_sum(p, &l);
      return l.count ? BIND_ADD : number_sign(l.constant) < 0 || !number_is_integer(l.constant) ? BIND_MUL : BIND_UNARY;
    case TERM_PRODUCT: say_list(p, t, " * ", false, BIND_UNARY); return BIND_MUL;
    case TERM_DIV: say_list(p, t, " / ", false, BIND_UNARY); return BIND_MUL;
    case TERM_MOD: say_list(p, t, " % ", false, BIND_UNARY); return BIND_MUL;
    default: break;
  }
  if (negated) { /* everything else negates with ! */
    say(p, "!");
    say_term(p, term_not(t), BIND_UNARY);
    return BIND_NOT;
  }
  switch (kind) {
    case TERM_IFF: say_list(p, t, " <=> ", false, BIND_OR); return BIND_IFF;
    case TERM_HEAP_NULL:
      say_term(p, term_argument(ts, t, 0), BIND_UNARY);
      say(p, " = null");
      return BIND_COMPARE;
    case TERM_HEAP_SAME: say_list(p, t, " = ", false, BIND_UNARY); return BIND_COMPARE;
    case TERM_HEAP_DATA: return say_data(p, t);
    case TERM_ARRAY_SAME: say_list(p, t, " = ", false, BIND_UNARY); return BIND_COMPARE;
    case TERM_BOOL_SELECT:
    case TERM_ARRAY_SELECT:
    case TERM_SELECT:
      say_term(p, term_argument(ts, t, 0), BIND_UNARY);
      say(p, "[");
      say_term(p, term_argument(ts, t, 1), BIND_NONE);
      say(p, "]");
      return BIND_UNARY;
    case TERM_STORE:
      say_term(p, term_argument(ts, t, 0), BIND_UNARY);
      say(p, "[");
      say_term(p, term_argument(ts, t, 1), BIND_NONE);
      say(p, " := ");
      say_term(p, term_argument(ts, t, 2), BIND_NONE);
      say(p, "]");
      return BIND_UNARY;
    case TERM_CONSTANT_ARRAY:
      say(p, "[");
      say_term(p, term_argument(ts, t, 0), BIND_NONE);
      say(p, "]");
      return BIND_UNARY;
    case TERM_ARRAY_ITE:
    case TERM_BOOL_ITE:
    case TERM_INT_ITE:
      say(p, "if ");
      say_term(p, term_argument(ts, t, 0), BIND_NONE);
      say(p, " then ");
      say_term(p, term_argument(ts, t, 1), BIND_NONE);
      say(p, " else ");
      say_term(p, term_argument(ts, t, 2), BIND_NONE);
      return BIND_NONE;
    default: return BIND_UNARY;
  }
}

/* `whole` divided by ten so often. */
static void print_decimal(text *out, number whole, size_t digits) {
  char *all = number_string(whole);
  size_t length = strlen(all);
  if (length <= digits) text_add_char(out, '0');
  for (size_t i = length; i < digits; i++) text_add(out, i == length ? ".0" : "0");
  for (size_t i = 0; i < length; i++) text_add(out, i + digits == length ? ".%c" : "%c", all[i]);
  memory_free(all);
}

/* A number that is read as what it is, wherever it stands: a fraction as a decimal if it is a short one, else `1.0/3`. */
static void print_constant(text *out, number n) {
  enum { MOST_DIGITS = 9 };
  if (number_is_integer(n)) {
    number_print(out, n);
    return;
  }
  number whole = number_abs(n);
  size_t digits = 0;
  for (; digits < MOST_DIGITS && !number_is_integer(whole); digits++) whole = number_mul(whole, number_of(10));
  if (number_sign(n) < 0) text_add_char(out, '-');
  if (number_is_integer(whole)) {
    print_decimal(out, whole, digits);
    return;
  }
  number_print(out, number_numerator(number_abs(n)));
  text_add(out, ".0/");
  number_print(out, number_denominator(n));
}

static void print_piece(printer *p, const piece *next) {
  const terms *ts = p->ts;
  uint64_t named;
  if (next->literal) {
    text_add_shown(p->out, next->literal);
    return;
  }
  if (next->is_number) {
    print_constant(p->out, next->number);
    return;
  }
  const term_names *names = term_names_find(p->names, next->term, &named);
  if (names) {
    text_add(p->out, "%s%llu", names->prefix, (unsigned long long)named);
    return;
  }
  term_kind kind = term_kind_of(ts, next->term);
  if (kind == TERM_BOOL_VARIABLE || kind == TERM_INT_VARIABLE || kind == TERM_NODE_VARIABLE ||
      kind == TERM_REAL_VARIABLE || kind == TERM_ARRAY_VARIABLE) {
    if (term_is_negated(next->term)) text_add_char(p->out, '!');
    name_print(variable_name(ts, term_variable(ts, next->term)), p->out);
    return;
  }
  VECTOR_CLEAR(p->line);
  tightness own = printer_say_parts(p, next->term);
  /* An if-then-else reaches as far right as it can, so it is closed in by parentheses inside anything. */
  bool closed = own < next->around || (own == BIND_NONE && next->around != BIND_NONE) ||
                (own == BIND_IFF && next->around == BIND_IFF);
  if (closed) {
    text_add_char(p->out, '(');
    VECTOR_PUSH(p->stack, (piece){.literal = ")"});
  }
  for (size_t i = p->line.count; i-- > 0;) VECTOR_PUSH(p->stack, p->line.at[i]);
}

/* False, and nothing printed, if there are more than `most` pieces. */
static bool print_tree(const terms *ts, term t, const term_names *names, size_t most, text *out) {
  printer p = {.ts = ts, .out = out, .names = names};
  size_t before = out->count, pieces = 0;
  VECTOR_PUSH(p.stack, (piece){.term = t, .around = BIND_NONE});
  while (p.stack.count && pieces++ <= most) {
    piece next = VECTOR_POP(p.stack);
    print_piece(&p, &next);
  }
  bool fits = !p.stack.count;
  if (!fits) text_cut(out, before);
  VECTOR_FREE(p.stack);
  VECTOR_FREE(p.line);
  return fits;
}

static void print_with_let(const terms *ts, term t, const term_vector *shared, const term_names *outer, text *out) {
  term_names *names = term_names_new(ts, "s", outer);
  for (size_t i = 0; i < shared->count; i++) {
    text_add(out, i ? ", %s%zu = " : "(let %s%zu = ", names->prefix, i + 1);
    print_tree(ts, shared->at[i], names, SIZE_MAX, out);
    term_names_add(names, shared->at[i]);
  }
  text_add(out, " in ");
  print_tree(ts, t, names, SIZE_MAX, out);
  text_add_char(out, ')');
  term_names_free(names);
}

void term_print(const terms *ts, term t, text *out) { term_print_with(ts, t, NULL, out); }

void term_print_with(const terms *ts, term t, const term_names *names, text *out) {
  enum { LARGE = 20000 }; /* pieces: below that, nobody looks for shared parts */
  if (print_tree(ts, t, names, LARGE, out)) return;
  term_vector shared = {0};
  terms_shared(ts, 1, &t, names, NULL, NULL, &shared);
  if (shared.count)
    print_with_let(ts, t, &shared, names, out);
  else
    print_tree(ts, t, names, SIZE_MAX, out);
  VECTOR_FREE(shared);
}

char *term_string(const terms *ts, term t) {
  text out = {0};
  term_print(ts, t, &out);
  return text_give(&out);
}

/* identifier, then any of [number] [-number] and .identifier */
static bool is_qualified_name(const char *s) {
  size_t n = identifier_length(s);
  if (!n) return false;
  for (s += n; *s; s += n) {
    if (*s == '.') {
      n = identifier_length(s + 1);
      if (!n) return false;
      n++;
    } else if (*s == '[') {
      n = 1 + (s[1] == '-');
      if (!isdigit((unsigned char)s[n])) return false;
      while (isdigit((unsigned char)s[n])) n++;
      if (s[n++] != ']') return false;
    } else {
      return false;
    }
  }
  return true;
}

static void print_between_bars(const char *name, text *out) {
  text_add_char(out, '|');
  text_add_shown(out, name);
  text_add_char(out, '|');
}

void name_print_declared(const char *name, text *out) {
  if (is_identifier(name))
    text_add(out, "%s", name);
  else
    print_between_bars(name, out);
}

void name_print(const char *name, text *out) {
  if (is_qualified_name(name))
    text_add(out, "%s", name);
  else
    print_between_bars(name, out);
}
