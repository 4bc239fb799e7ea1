/* Types of numbers: sums, products, and integers that stand where a real is wanted.
 *
 * An integer is a real. Only `/` means two things, the Euclidean quotient of integers and the exact one of reals: it is
 * exact if its product has a real factor, or stands where a real is wanted and is of numbers that are written out. */
#include "input/whet/check.h"
#include "input/whet/parse/token.h"

static bool is_written_out(const expression *e) {
  if (e->kind == EXPRESSION_NEGATE) return is_written_out(e->parts[0]);
  return e->kind == EXPRESSION_NUMBER;
}

/* Whether one of the first `count` factors is no number that is written out. */
static bool has_other(const expression *e, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!is_written_out(e->parts[i])) return true;
  return false;
}

static bool has_operator(const expression *e, uint8_t wanted) {
  for (size_t i = 1; i < e->count; i++)
    if (e->operators[i] == wanted) return true;
  return false;
}

static void report_ambiguous(checker *c, const expression *e, const expression *first) {
  char *excerpt = source_excerpt(c->reporter->source, e->at, 40),
       *dividend = source_excerpt(c->reporter->source, first->at, 40);
  report_error(c->reporter, e->at.start, "`%s` is a quotient of integers where a real is wanted", excerpt);
  report_hint(c->reporter, "`to_real(%s) / ..` is the exact quotient, `to_real(%s / ..)` the one rounded down",
              dividend, dividend);
  memory_free(excerpt);
  memory_free(dividend);
}

/* A text that whet has printed divides integers if it divides what is not written out. */
static bool is_plain_quotient(const checker *c, const expression *e, size_t count) {
  return c->scope->is_flat || !has_other(e, count);
}

static void product_as_real(checker *c, expression *e) {
  if (has_operator(e, TOKEN_PERCENT)) {
    if (has_operator(e, TOKEN_SLASH) && !c->scope->is_flat) report_ambiguous(c, e, e->parts[0]);
  } else if (!has_operator(e, TOKEN_SLASH) || !has_other(e, e->count)) {
    for (size_t i = 0; i < e->count; i++) check_as_real(c, e->parts[i]);
    e->type = &value_real;
  } else if (!c->scope->is_flat) {
    report_ambiguous(c, e, e->parts[0]);
  }
}

void check_as_real(checker *c, expression *e) {
  switch ((expression_kind)e->kind) {
    case EXPRESSION_NUMBER: e->type = &value_real; return;
    case EXPRESSION_PRODUCT:
      if (e->type->kind == VALUE_INT) product_as_real(c, e);
      return;
    case EXPRESSION_IF:
      for (size_t i = 1; i < e->count; i += 2) check_fit(c, e->parts[i], &value_real);
      check_fit(c, e->parts[e->count - 1], &value_real);
      break;
    case EXPRESSION_LET: check_fit(c, e->parts[e->count - 1], &value_real); break;
    case EXPRESSION_NEGATE:
    case EXPRESSION_SUM:
    case EXPRESSION_MIN:
    case EXPRESSION_MAX:
    case EXPRESSION_ABS:
    case EXPRESSION_TOTAL:
    case EXPRESSION_LEAST:
    case EXPRESSION_GREATEST:
      for (size_t i = 0; i < e->count; i++) check_fit(c, e->parts[i], &value_real);
      break;
    default: return; /* a variable, say: an integer, which is a real */
  }
  e->type = &value_real;
}

void check_fit(checker *c, expression *e, const value_type *wanted) {
  if (wanted->kind == VALUE_REAL && e->type->kind == VALUE_INT) check_as_real(c, e);
}

const value_type *check_numbers(checker *c, expression *e, const char *where) {
  bool is_real = false;
  for (size_t i = 0; i < e->count; i++) {
    const char *by = where ? where : check_operator_text(e->operators[i ? i : 1]);
    const value_type *is = check_expression(c, e->parts[i]);
    if (is->kind != VALUE_REAL && !types_agree(c, is, &value_int))
      check_report_mismatch(c, e->parts[i], &value_int, by);
    check_refuse_temporal(c, e->parts[i], by);
    is_real |= is->kind == VALUE_REAL;
  }
  if (is_real && e->kind != EXPRESSION_PRODUCT)
    for (size_t i = 0; i < e->count; i++) check_fit(c, e->parts[i], &value_real);
  return is_real ? &value_real : &value_int;
}

static void refuse_remainder(checker *c, const expression *e) {
  char *excerpt = source_excerpt(c->reporter->source, e->at, 40);
  report_error(c->reporter, e->at.start, "`%%` in `%s` is of integers only, and there is a real", excerpt);
  report_hint(c->reporter, "take the remainder of an integer that counts, or subtract: `x := x - 2` if `x >= 2`");
  memory_free(excerpt);
}

/* Exact if there is a real factor: `1/2 * x`, `x * 1/2`. In `n / 2 * x` that is not plain for an integer n. */
const value_type *check_product(checker *c, expression *e) {
  const value_type *type = check_numbers(c, e, NULL);
  if (type->kind != VALUE_REAL) return type;
  bool before_is_real = e->parts[0]->type->kind == VALUE_REAL;
  for (size_t i = 1; i < e->count; i++) {
    if (e->operators[i] == TOKEN_PERCENT) {
      refuse_remainder(c, e);
      return &value_unknown;
    }
    bool is_real = e->parts[i]->type->kind == VALUE_REAL;
    if (e->operators[i] == TOKEN_SLASH && !before_is_real && !is_real && !is_plain_quotient(c, e, i)) {
      report_ambiguous(c, e, e->parts[0]);
      return &value_unknown;
    }
    before_is_real |= is_real;
  }
  for (size_t i = 0; i < e->count; i++) check_fit(c, e->parts[i], type);
  return type;
}

const value_type *check_rounding(checker *c, expression *e) {
  check_numbers(c, e, "`to_int`");
  char *excerpt = source_excerpt(c->reporter->source, e->parts[0]->at, 40);
  report_error(c->reporter, e->at.start, "there is no `to_int`");
  report_hint(c->reporter, HINT_ROUNDING, excerpt, excerpt, excerpt);
  memory_free(excerpt);
  return &value_unknown;
}
