/* Elements of arrays: what a formula says about one holds only if there is one, so that all indices are said to be those of
 * elements first; an index that stands for any integer must be one of some array by itself, which is its range.
 *
 * Numbers are printed as sums of variables with casts to long long if int could be too narrow for what is computed; the
 * ranges are those of the types of C. What long long is too narrow for has no expression, unless it only compares. */
#include "run/program/c_expression.h"

typedef struct range {
  number low, high;
} range;

/* An index that stands for any integer. */
typedef struct any_index {
  variable var;
  char name[24];
  range range;
} any_index;

typedef struct c_writer {
  const terms *ts;
  const c_point *at;
  c_style style;
  bool fails;
  size_t depth;
  VECTOR(any_index) quantified;
  term_vector elements; /* a[i], each once */
} c_writer;

enum { MOST_DEPTH = 200, INT_BITS = 31, LONG_BITS = 63 };

static range fail(c_writer *w) {
  w->fails = true;
  return (range){number_of(0), number_of(0)};
}

/* ---- ranges ---- */

static range range_of(c_writer *w, term t);

static const program_name *name_if_any(const c_writer *w, variable v) {
  for (size_t i = 0; i < w->at->names.count; i++)
    if (variable_same(w->at->names.at[i].var, v)) return &w->at->names.at[i];
  return NULL;
}

static const any_index *index_if_any(const c_writer *w, variable v) {
  for (size_t i = 0; i < w->quantified.count; i++)
    if (variable_same(w->quantified.at[i].var, v)) return &w->quantified.at[i];
  return NULL;
}

/* The array that `element` is read from. */
static const program_name *array_of(c_writer *w, term element) {
  term array = term_argument(w->ts, element, 0);
  const program_name *name = NULL;
  if (term_kind_of(w->ts, array) == TERM_ARRAY_VARIABLE) name = name_if_any(w, term_variable(w->ts, array));
  if (!name || !name->member) fail(w);
  return w->fails ? NULL : name;
}

static range range_of_variable(c_writer *w, term t) {
  variable v = term_variable(w->ts, t);
  const any_index *k = index_if_any(w, v);
  const program_name *name = k ? NULL : name_if_any(w, v);
  if (k) return k->range;
  return name ? (range){name->low, name->high} : fail(w);
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
    case TERM_INT_VARIABLE: r = range_of_variable(w, t); break;
    case TERM_SELECT: {
      const program_name *array = array_of(w, t);
      range_of(w, term_argument(ts, t, 1));
      if (array) r = (range){array->low, array->high};
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
  bool is_least = w->style != STYLE_ACSL && number_sign(n) < 0 && (number_bits(n) == 32 || number_bits(n) == 64);
  char *digits = number_string(is_least ? number_add(n, number_of(1)) : n);
  const char *suffix = w->style != STYLE_ACSL && number_sign(n) > 0 && number_bits(n) == 64 ? "ull" : "";
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

/* A value at a call has no name in C, and in a loop none for CBMC. */
static void print_name(c_writer *w, const program_name *name, text *out) {
  bool is_acsl = w->style == STYLE_ACSL, is_now = name->moment == MOMENT_NOW;
  if (is_now)
    text_add(out, "%s", name->expression);
  else if (w->style == STYLE_C || (!is_acsl && !w->at->is_contract))
    fail(w);
  else if (name->moment == MOMENT_RESULT)
    text_add(out, "%s", is_acsl ? "\\result" : "__CPROVER_return_value");
  else if (!is_acsl)
    text_add(out, "__CPROVER_old(%s)", name->expression);
  else
    text_add(out, w->at->is_contract ? "\\old(%s)" : "\\at(%s, Pre)", name->expression);
}

static void print_variable(c_writer *w, term t, text *out) {
  variable v = term_variable(w->ts, t);
  const any_index *k = index_if_any(w, v);
  const program_name *name = k ? NULL : name_if_any(w, v);
  if (k)
    text_add(out, "%s", k->name);
  else if (name && !name->member)
    print_name(w, name, out);
  else
    fail(w);
}

/* Of an array as it was at a call, the element as it was. */
static void print_element(c_writer *w, term t, text *out) {
  const program_name *array = array_of(w, t);
  if (!array || array->moment == MOMENT_RESULT) {
    fail(w);
    return;
  }
  text index = {0};
  linear l = term_linear(w->ts, term_argument(w->ts, t, 1));
  print_sum(w, &l, 0, l.constant, false, &index);
  program_name element = *array;
  char *expression = text_format("%s[%s]%s", array->expression, text_string(&index), array->member);
  element.expression = expression;
  if (array->moment == MOMENT_NOW || w->style == STYLE_ACSL)
    print_name(w, &element, out);
  else
    fail(w);
  memory_free(expression);
  text_clear(&index);
}

static void print_leaf(c_writer *w, term t, bool wide, text *out) {
  linear l;
  switch (term_kind_of(w->ts, t)) {
    case TERM_INT_VARIABLE:
      text_add(out, "%s", wide ? "(long long)" : "");
      print_variable(w, t, out);
      break;
    case TERM_SELECT:
      text_add(out, "%s", wide ? "(long long)" : "");
      print_element(w, t, out);
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

/* `x <= c` or `x <= y` of variables or elements of one type, which C compares as they are. */
static bool is_plain_comparison(c_writer *w, const linear *l) {
  for (size_t i = 0; i < l->count; i++)
    if (!number_is(number_abs(l->coefficients[i]), 1) ||
        (term_kind_of(w->ts, l->leaves[i]) != TERM_INT_VARIABLE && term_kind_of(w->ts, l->leaves[i]) != TERM_SELECT))
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
  bool wide = w->style != STYLE_ACSL && !is_plain_comparison(w, &l) && !(fits(way, INT_BITS) && leaves_fit_int(w, &l));
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
      text_add(out, w->style != STYLE_ACSL ? (negated ? "0" : "1") : negated ? "\\false" : "\\true");
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
        const char *between = kind == TERM_BOOL_ITE    ? (i == 1 ? " ? " : " : ")
                              : w->style != STYLE_ACSL ? " == "
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

/* ---- elements ---- */

static void find_elements(c_writer *w, term t) {
  index_vector below = {0};
  terms_cone(w->ts, 1, &t, &below);
  for (size_t i = 0; i < below.count; i++) {
    term part = {below.at[i] << 1};
    if (term_kind_of(w->ts, part) == TERM_SELECT) VECTOR_PUSH(w->elements, part);
    if (term_kind_of(w->ts, part) != TERM_INT_VARIABLE) continue;
    for (size_t j = 0; w->at->indices && j < w->at->indices->count; j++)
      if (variable_same(w->at->indices->at[j], term_variable(w->ts, part)))
        VECTOR_PUSH(w->quantified, (any_index){.var = term_variable(w->ts, part)});
  }
  VECTOR_FREE(below);
}

/* A variable, or one that an expression starts with, is called so. */
static bool is_name(const c_writer *w, const char *name) {
  for (size_t i = 0; i < w->at->names.count; i++) {
    const char *known = w->at->names.at[i].expression;
    if (known && !strncmp(known, name, strlen(name)) && strchr("[.", known[strlen(name)])) return true;
  }
  return false;
}

/* Its name, which no variable has, and its range: an element of some array. */
static void describe_index(c_writer *w, any_index *k, size_t *next) {
  do snprintf(k->name, sizeof k->name, "k_%zu", ++*next);
  while (is_name(w, k->name));
  bool found = false;
  for (size_t i = 0; i < w->elements.count && !w->fails; i++) {
    term index = term_argument(w->ts, w->elements.at[i], 1);
    bool is_own = term_kind_of(w->ts, index) == TERM_INT_VARIABLE && variable_same(term_variable(w->ts, index), k->var);
    const program_name *array = is_own ? array_of(w, w->elements.at[i]) : NULL;
    if (!array) continue;
    number last = number_sub(number_of((int64_t)array->length), number_of(1));
    if (!found || number_compare(last, k->range.high) < 0) k->range = (range){number_of(0), last};
    found = true;
  }
  if (!found) fail(w);
}

/* That there is such an element: nothing, if it is known. */
static void print_guard(c_writer *w, term element, text *out) {
  const program_name *array = array_of(w, element);
  term index = term_argument(w->ts, element, 1);
  number constant;
  if (!array) return;
  bool is_constant = term_is_number(w->ts, index, &constant);
  if (is_constant && number_sign(constant) >= 0 && number_compare(constant, number_of((int64_t)array->length)) < 0)
    return;
  linear l = term_linear(w->ts, index);
  range way = range_on_the_way(w, &l);
  bool wide = w->style != STYLE_ACSL && !(fits(way, INT_BITS) && leaves_fit_int(w, &l));
  if (is_constant || w->style == STYLE_C || (wide && !fits(way, LONG_BITS))) fail(w);
  text sum = {0};
  print_sum(w, &l, 0, l.constant, wide, &sum);
  char *words =
      text_format("0 <= %s && %s < %llu", text_string(&sum), text_string(&sum), (unsigned long long)array->length);
  if (!strstr(text_string(out), words)) text_add(out, "%s%s", out->count ? " && " : "", words);
  memory_free(words);
  text_clear(&sum);
}

static void open_quantifiers(c_writer *w, text *out) {
  for (size_t i = 0; i < w->quantified.count; i++)
    text_add(out, w->style == STYLE_ACSL ? "\\forall integer %s; " : "__CPROVER_forall { int %s; ",
             w->quantified.at[i].name);
  for (size_t i = 0; i < w->quantified.count; i++)
    if (w->style == STYLE_C || !fits(w->quantified.at[i].range, INT_BITS)) fail(w);
}

/* For all of the indices, if there are such elements. */
static void print_guarded(c_writer *w, term t, text *out) {
  text guard = {0};
  for (size_t i = 0; i < w->elements.count && !w->fails; i++) print_guard(w, w->elements.at[i], &guard);
  open_quantifiers(w, out);
  if (guard.count) text_add(out, "(%s) ==> ", text_string(&guard));
  print_boolean(w, t, out);
  for (size_t i = 0; i < w->quantified.count && w->style != STYLE_ACSL; i++) text_add(out, " }");
  text_clear(&guard);
}

bool c_expression_print(const terms *ts, term t, const c_point *at, c_style style, text *out) {
  c_writer w = {.ts = ts, .at = at, .style = style};
  text made = {0};
  size_t next = 0;
  find_elements(&w, t);
  for (size_t i = 0; i < w.quantified.count; i++) describe_index(&w, &w.quantified.at[i], &next);
  if (!w.fails) print_guarded(&w, t, &made);
  if (!w.fails) add_without_parentheses(out, &made);
  text_clear(&made);
  VECTOR_FREE(w.quantified);
  VECTOR_FREE(w.elements);
  return !w.fails;
}
