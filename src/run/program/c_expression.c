/* Numbers are printed as sums of variables with casts to long long if int could be too narrow for what is computed; the
 * ranges are those of the types of C. What long long is too narrow for has no expression, unless it only compares. */
#include "run/program/c_expression.h"

typedef struct range {
  number low, high;
} range;

typedef struct c_writer {
  const terms *ts;
  const source_loop *at;
  c_style style;
  bool fails;
  size_t depth;
} c_writer;

enum { MOST_DEPTH = 200, INT_BITS = 31, LONG_BITS = 63 };

static range fail(c_writer *w) {
  w->fails = true;
  return (range){number_of(0), number_of(0)};
}

/* ---- ranges ---- */

static range range_of(c_writer *w, term t);

static const loop_name *name_of(c_writer *w, term t) {
  variable v = term_variable(w->ts, t);
  for (size_t i = 0; i < w->at->name_count; i++)
    if (variable_same(w->at->names[i].var, v)) return &w->at->names[i];
  fail(w);
  return NULL;
}

static range sum_ranges(range a, number factor, range b) {
  number x = number_mul(factor, b.low), y = number_mul(factor, b.high);
  bool turned = number_sign(factor) < 0;
  return (range){number_add(a.low, turned ? y : x), number_add(a.high, turned ? x : y)};
}

static range range_of_sum(c_writer *w, const linear *l) {
  range r = {l->constant, l->constant};
  for (size_t i = 0; i < l->count && !w->fails; i++) r = sum_ranges(r, l->coefficients[i], range_of(w, l->leaves[i]));
  return r;
}

static range range_of_choice(range a, range b) {
  return (range){number_compare(a.low, b.low) < 0 ? a.low : b.low,
                 number_compare(a.high, b.high) > 0 ? a.high : b.high};
}

static range range_of(c_writer *w, term t) {
  const terms *ts = w->ts;
  number by;
  linear l;
  if (w->depth++ > MOST_DEPTH) fail(w);
  range r = {number_of(0), number_of(0)};
  switch (w->fails ? TERM_CONSTANT_TRUE : term_kind_of(ts, t)) {
    case TERM_INT_VARIABLE: {
      const loop_name *name = name_of(w, t);
      if (name) r = (range){name->low, name->high};
      break;
    }
    case TERM_SUM:
      l = term_linear(ts, t);
      r = range_of_sum(w, &l);
      break;
    case TERM_MOD:
      range_of(w, term_argument(ts, t, 0));
      if (term_is_number(ts, term_argument(ts, t, 1), &by) && number_sign(by) > 0)
        r.high = number_sub(by, number_of(1));
      else
        fail(w);
      break;
    case TERM_DIV:
      r = range_of(w, term_argument(ts, t, 0));
      if (!term_is_number(ts, term_argument(ts, t, 1), &by) || number_sign(by) <= 0 || number_sign(r.low) < 0)
        r = fail(w);
      break;
    case TERM_INT_ITE:
      r = range_of_choice(range_of(w, term_argument(ts, t, 1)), range_of(w, term_argument(ts, t, 2)));
      break;
    default: r = fail(w);
  }
  w->depth--;
  return r;
}

static bool fits(range r, size_t bits) { return number_bits(r.low) <= bits && number_bits(r.high) <= bits; }

/* ---- numbers ---- */

static void print_boolean(c_writer *w, term t, text *out);

/* The least numbers have no constants of their own. */
static void print_number(c_writer *w, number n, text *out) {
  bool is_least = w->style == STYLE_C && number_sign(n) < 0 && (number_bits(n) == 32 || number_bits(n) == 64);
  char *digits = number_string(is_least ? number_add(n, number_of(1)) : n);
  const char *suffix = w->style == STYLE_C && number_sign(n) > 0 && number_bits(n) == 64 ? "ull" : "";
  text_add(out, is_least ? "(%s - 1)" : "%s%s", digits, suffix);
  memory_free(digits);
}

static void print_sum(c_writer *w, const linear *l, int sign, number constant, bool wide, text *out);

static void print_remainder(c_writer *w, term t, bool wide, text *out) {
  term of = term_argument(w->ts, t, 0);
  range r = range_of(w, of);
  linear l = term_linear(w->ts, of);
  text inner = {0}, by = {0};
  print_sum(w, &l, 0, l.constant, wide, &inner);
  number m;
  if (!term_is_number(w->ts, term_argument(w->ts, t, 1), &m)) fail(w);
  if (!w->fails) print_number(w, m, &by);
  bool is_division = term_kind_of(w->ts, t) == TERM_DIV, is_plain = is_division || number_sign(r.low) >= 0;
  text_add(out, is_plain ? "(%s) %s %s" : "((%s) %s %s + %s) %% %s", text_string(&inner), is_division ? "/" : "%",
           text_string(&by), text_string(&by), text_string(&by));
  text_clear(&inner);
  text_clear(&by);
}

static void print_leaf(c_writer *w, term t, bool wide, text *out) {
  const loop_name *name;
  linear l;
  switch (term_kind_of(w->ts, t)) {
    case TERM_INT_VARIABLE:
      name = name_of(w, t);
      if (name) text_add(out, "%s%s", wide ? "(long long)" : "", name->expression);
      break;
    case TERM_MOD:
    case TERM_DIV:
      text_add(out, "(");
      print_remainder(w, t, wide, out);
      text_add(out, ")");
      break;
    case TERM_INT_ITE:
      text_add(out, "(");
      print_boolean(w, term_argument(w->ts, t, 0), out);
      for (size_t i = 1; i < 3 && !w->fails; i++) {
        text_add(out, i == 1 ? " ? " : " : ");
        l = term_linear(w->ts, term_argument(w->ts, t, i));
        print_sum(w, &l, 0, l.constant, wide, out);
      }
      text_add(out, ")");
      break;
    default: fail(w);
  }
}

/* The monomials of one sign, as positive ones, or all of them (0), and the constant. */
static void print_sum(c_writer *w, const linear *l, int sign, number constant, bool wide, text *out) {
  bool first = true;
  for (size_t i = 0; i < l->count && !w->fails; i++) {
    number k = l->coefficients[i];
    if (sign && number_sign(k) != sign) continue;
    bool minus = !sign && number_sign(k) < 0;
    text_add(out, "%s", first ? (minus ? "-" : "") : minus ? " - " : " + ");
    k = number_abs(k);
    if (!number_is(k, 1)) {
      print_number(w, k, out);
      text_add(out, " * ");
    }
    print_leaf(w, l->leaves[i], wide, out);
    first = false;
  }
  if (!first && !number_sign(constant)) return;
  if (!first) text_add(out, number_sign(constant) < 0 ? " - " : " + ");
  print_number(w, first ? constant : number_abs(constant), out);
}

/* ---- comparisons ---- */

/* How large what is computed on the way can get, leaves and their insides included. */
static range range_on_the_way(c_writer *w, const linear *l) {
  number most = number_abs(l->constant);
  for (size_t i = 0; i < l->count && !w->fails; i++) {
    range leaf = range_of(w, l->leaves[i]), inner = leaf;
    term_kind kind = term_kind_of(w->ts, l->leaves[i]);
    for (size_t j = 0; kind != TERM_INT_VARIABLE && j < term_arguments(w->ts, l->leaves[i]); j++) {
      term a = term_argument(w->ts, l->leaves[i], j);
      if (term_sort(w->ts, a) != SORT_INT) continue;
      linear below = term_linear(w->ts, a);
      inner = range_of_choice(inner, range_on_the_way(w, &below));
      if (kind == TERM_MOD) inner = sum_ranges(inner, number_of(2), leaf); /* the modulus is added once more */
    }
    number size = number_abs(inner.low), other = number_abs(inner.high);
    if (number_compare(other, size) > 0) size = other;
    most = number_add(most, number_mul(number_abs(l->coefficients[i]), size));
  }
  return (range){number_negate(most), most};
}

static bool leaves_fit_int(c_writer *w, const linear *l) {
  for (size_t i = 0; i < l->count; i++)
    if (!fits(range_of(w, l->leaves[i]), INT_BITS)) return false;
  return true;
}

/* `x <= c` or `x <= y` of variables of one type, which C compares as they are. */
static bool is_plain_comparison(c_writer *w, const linear *l) {
  for (size_t i = 0; i < l->count; i++)
    if (!number_is(number_abs(l->coefficients[i]), 1) || term_kind_of(w->ts, l->leaves[i]) != TERM_INT_VARIABLE)
      return false;
  range r = l->count ? range_of(w, l->leaves[0]) : (range){number_of(0), number_of(0)};
  number c = number_negate(number_mul(l->count ? l->coefficients[0] : number_of(1), l->constant));
  if (l->count == 1) return number_compare(c, r.low) >= 0 && number_compare(c, r.high) <= 0;
  if (l->count != 2 || number_sign(l->coefficients[0]) == number_sign(l->coefficients[1])) return false;
  range other = range_of(w, l->leaves[1]);
  return !number_sign(l->constant) && number_equal(r.low, other.low) && number_equal(r.high, other.high);
}

static void print_comparison(c_writer *w, term t, text *out) {
  bool equality = term_kind_of(w->ts, t) == TERM_EQ, negated = term_is_negated(t);
  linear l = term_linear(w->ts, term_argument(w->ts, t, 0));
  range way = range_on_the_way(w, &l);
  bool wide = w->style == STYLE_C && !is_plain_comparison(w, &l) && !(fits(way, INT_BITS) && leaves_fit_int(w, &l));
  if (wide && !fits(way, LONG_BITS)) fail(w);
  if (w->fails) return;
  const char *word = equality ? (negated ? "!=" : "==") : negated ? ">" : "<=";
  number left = number_sign(l.constant) > 0 ? l.constant : number_of(0);
  number right = number_sign(l.constant) > 0 ? number_of(0) : number_negate(l.constant);
  bool has_left = false, has_right = false;
  for (size_t i = 0; i < l.count; i++) *(number_sign(l.coefficients[i]) > 0 ? &has_left : &has_right) = true;
  if (has_left && !has_right) right = number_sub(right, left), left = number_of(0);
  if (has_right && !has_left) left = number_sub(left, right), right = number_of(0);
  if (!equality && number_is(left, 1) && has_left) { /* x + 1 <= y is x < y */
    left = number_of(0);
    word = negated ? ">=" : "<";
  } else if (!equality && !has_right && negated) { /* x > c is x >= c + 1, which is nearer to how loops are written */
    right = number_add(right, number_of(1));
    word = ">=";
  }
  print_sum(w, &l, 1, left, wide, out);
  text_add(out, " %s ", word);
  print_sum(w, &l, -1, right, wide, out);
}

/* ---- formulas ---- */

static void print_list(c_writer *w, term t, text *out) {
  bool negated = term_is_negated(t);
  for (size_t i = 0; i < term_arguments(w->ts, t) && !w->fails; i++) {
    term a = term_argument(w->ts, t, i);
    text_add(out, i ? (negated ? " || " : " && ") : "");
    print_boolean(w, negated ? term_not(a) : a, out);
  }
}

static void print_boolean(c_writer *w, term t, text *out) {
  term_kind kind = term_kind_of(w->ts, t);
  bool negated = term_is_negated(t);
  if (w->depth++ > MOST_DEPTH) fail(w);
  if (w->fails) return;
  switch (kind) {
    case TERM_CONSTANT_TRUE:
      text_add(out, w->style == STYLE_C ? (negated ? "0" : "1") : negated ? "\\false" : "\\true");
      break;
    case TERM_LE:
    case TERM_EQ:
      text_add(out, "(");
      print_comparison(w, t, out);
      text_add(out, ")");
      break;
    case TERM_AND:
      text_add(out, "(");
      print_list(w, t, out);
      text_add(out, ")");
      break;
    case TERM_IFF:
    case TERM_BOOL_ITE:
      text_add(out, "%s(", negated ? "!" : "");
      for (size_t i = 0; i < term_arguments(w->ts, t) && !w->fails; i++) {
        const char *between = kind == TERM_BOOL_ITE ? (i == 1 ? " ? " : " : ")
                              : w->style == STYLE_C ? " == "
                                                    : " <==> ";
        text_add(out, "%s", i ? between : "");
        print_boolean(w, term_argument(w->ts, t, i), out);
      }
      text_add(out, ")");
      break;
    default: fail(w);
  }
  w->depth--;
}

/* Without the parentheses around all of it. */
static void add_without_parentheses(text *out, const text *made) {
  size_t depth = 0, i = 0;
  for (; i < made->count; i++) {
    depth += made->at[i] == '(';
    depth -= made->at[i] == ')';
    if (!depth) break;
  }
  bool is_enclosed = made->count > 2 && made->at[0] == '(' && i + 1 == made->count;
  text_add_bytes(out, made->at + is_enclosed, made->count - 2 * is_enclosed);
}

bool c_expression_print(const terms *ts, term t, const source_loop *at, c_style style, text *out) {
  c_writer w = {.ts = ts, .at = at, .style = style};
  text made = {0};
  print_boolean(&w, t, &made);
  if (!w.fails) add_without_parentheses(out, &made);
  text_clear(&made);
  return !w.fails;
}
