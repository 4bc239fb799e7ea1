/* Expressions to terms.
 *
 * Evaluation goes from the left and stops when the result of && || => or if is known: `path` holds what is known at
 * each point, so that a run-time error in a part that is not reached does not count. Parts that are never reached for a
 * constant reason are not looked at: `i < N => a[i] <= a[i + 1]` is fine for i = N. */
#include "input/whet/lower.h"
#include "input/whet/parse/token.h"
#include "term/heap/node_layout.h"

enum { LOWER_DEPTH = 3 * AST_DEPTH, FACTOR_LIMIT = 100, LARGEST_DIGITS = 1234 };

static term nothing(lowering *l, const expression *e) {
  return e->type->kind == VALUE_BOOL ? TERM_TRUE : term_int(l->terms, 0);
}

term lower_reached(lowering *l) { return term_and_all(l->terms, l->path.count, l->path.at); }

static void add_fault(lowering *l, term when, const expression *at, const char *is) {
  if (!l->faults || !lowering_spend(l, FAULT_WORK + l->path.count, at->at.start)) return;
  term reached = term_and(l->terms, lower_reached(l), when);
  if (!term_is_false(reached)) VECTOR_PUSH(*l->faults, (pending_fault){reached, at, is});
}

void lower_add_fault(lowering *l, term when, const expression *at) { add_fault(l, when, at, NULL); }

void lower_add_node_faults(lowering *l, variable p, bool is_freed_fine, const expression *at) {
  add_fault(l, term_heap_null(l->terms, p), at, "null");
  if (l->scope->frees && !is_freed_fine) add_fault(l, term_heap_data(l->terms, p, NODE_VALUE(NODE_FREED)), at, "freed");
}

static void path_push(lowering *l, term t) {
  if (l->faults || l->keeps_arrays) VECTOR_PUSH(l->path, t);
}

/* Parts from the left, until one decides the result for a constant reason. */
static term lower_junction(lowering *l, const expression *e, bool is_and) {
  size_t parts = l->scratch.count, path = l->path.count;
  for (size_t i = 0; i < e->count; i++) {
    term t = lower_expression(l, e->parts[i]);
    VECTOR_PUSH(l->scratch, t);
    if (term_same(t, term_of_bool(!is_and))) break;
    path_push(l, is_and ? t : term_not(t));
  }
  size_t count = l->scratch.count - parts;
  const term *from = l->scratch.at + parts;
  term result = is_and ? term_and_all(l->terms, count, from) : term_or_all(l->terms, count, from);
  l->scratch.count = parts;
  l->path.count = path;
  return result;
}

/* a => b => c is !a || !b || c. */
static term lower_implication(lowering *l, const expression *e) {
  size_t parts = l->scratch.count, path = l->path.count;
  for (size_t i = 0; i < e->count; i++) {
    term t = lower_expression(l, e->parts[i]);
    bool last = i + 1 == e->count;
    VECTOR_PUSH(l->scratch, last ? t : term_not(t));
    if (!last && term_is_false(t)) break;
    path_push(l, t);
  }
  term result = term_or_all(l->terms, l->scratch.count - parts, l->scratch.at + parts);
  l->scratch.count = parts;
  l->path.count = path;
  return result;
}

static term lower_equivalence(lowering *l, const expression *e) {
  term result = lower_expression(l, e->parts[0]);
  for (size_t i = 1; i < e->count; i++) result = term_iff(l->terms, result, lower_expression(l, e->parts[i]));
  return result;
}

static bool is_null(const expression *e) { return expression_is_word(e, WORD_null); }

static term lower_node_equality(lowering *l, const expression *a, const expression *b) {
  if (is_null(a) && is_null(b)) return TERM_TRUE;
  if (is_null(a)) return term_heap_null(l->terms, lower_node(l, b));
  if (is_null(b)) return term_heap_null(l->terms, lower_node(l, a));
  return term_heap_same(l->terms, lower_node(l, a), lower_node(l, b));
}

static bool is_heap_data(const expression *e) {
  return e->kind == EXPRESSION_FIELD && !e->symbol && e->type->kind != VALUE_BOOL && e->type->kind != VALUE_NODE;
}

/* p.data = constant; false if it is no such comparison. */
static bool lower_data_equality(lowering *l, const expression *e, term *out) {
  bool on_left = is_heap_data(e->parts[0]);
  const expression *data = e->parts[on_left ? 0 : 1];
  bool is_equality = e->operators[0] == TOKEN_EQUAL || e->operators[0] == TOKEN_UNEQUAL;
  number n;
  int64_t part;
  const expression *side = e->parts[on_left ? 1 : 0];
  bool is_name = side->kind == EXPRESSION_NAME && side->symbol &&
                 (side->symbol->kind == SYMBOL_VALUE || side->symbol->kind == SYMBOL_CONSTANT);
  if (!is_equality || !is_heap_data(data) || !(is_name || side->kind == EXPRESSION_NUMBER)) return false;
  term other = lower_expression(l, side);
  if (!term_is_number(l->terms, other, &n)) return false;
  variable p = lower_node(l, data->parts[0]);
  const node_layout *layout = type_layout(variable_type(l->terms, p));
  const node_field *field = &layout->fields[data->field->offset];
  if (!number_to_int64(number_sub(n, field->of.low), &part)) return false;
  lower_add_node_faults(l, p, false, data);
  bool is_value = part >= 0 && part < field->size;
  *out = TERM_FALSE;
  if (is_value) *out = term_heap_data(l->terms, p, node_values_with(layout, data->field->offset, (unsigned)part));
  if (e->operators[0] == TOKEN_UNEQUAL) *out = term_not(*out);
  return true;
}

static term lower_comparison(lowering *l, const expression *e) {
  term found;
  if (lower_data_equality(l, e, &found)) return found;
  if (e->parts[0]->type->kind == VALUE_NODE) {
    term same = lower_node_equality(l, e->parts[0], e->parts[1]);
    return e->operators[0] == TOKEN_EQUAL ? same : term_not(same);
  }
  if (type_is_compound(e->parts[0]->type)) {
    term same = lower_array_equality(l, e);
    return e->operators[0] == TOKEN_EQUAL ? same : term_not(same);
  }
  term a = lower_expression(l, e->parts[0]), b = lower_expression(l, e->parts[1]);
  switch ((whet_token_kind)e->operators[0]) {
    case TOKEN_EQUAL: return term_eq(l->terms, a, b);
    case TOKEN_UNEQUAL: return term_not(term_eq(l->terms, a, b));
    case TOKEN_LESS: return term_lt(l->terms, a, b);
    case TOKEN_LESS_EQUAL: return term_le(l->terms, a, b);
    case TOKEN_GREATER: return term_gt(l->terms, a, b);
    default: return term_ge(l->terms, a, b);
  }
}

/* Few numbers leave 64 bits, so their size may be computed the slow way. */
static bool is_too_large(number n) {
  if (!n.big) return false;
  char *digits = number_string(n);
  bool large = strlen(digits) > LARGEST_DIGITS;
  memory_free(digits);
  return large;
}

/* An integer term as it was built: counted, and refused if its numbers have grown beyond all measure. */
static term checked_sum(lowering *l, term t, const expression *e) {
  linear sum = term_linear(l->terms, t);
  bool large = is_too_large(sum.constant);
  for (size_t i = 0; i < sum.count && !large; i++) large = is_too_large(sum.coefficients[i]);
  if (large) report_error(l->reporter, e->at.start, "the numbers in this expression become too large");
  if (large || !lowering_spend(l, sum.count, e->at.start)) return term_int(l->terms, 0);
  return t;
}

static term lower_sum(lowering *l, const expression *e) {
  size_t parts = l->scratch.count;
  for (size_t i = 0; i < e->count; i++) {
    term t = lower_expression(l, e->parts[i]);
    VECTOR_PUSH(l->scratch, t);
  }
  VECTOR(number) coefficients = {0};
  for (size_t i = 0; i < e->count; i++) VECTOR_PUSH(coefficients, number_of(e->operators[i] == TOKEN_MINUS ? -1 : 1));
  term sum = term_sum(l->terms, number_of(0), e->count, l->scratch.at + parts, coefficients.at);
  VECTOR_FREE(coefficients);
  l->scratch.count = parts;
  return checked_sum(l, sum, e);
}

static size_t factor_count(const lowering *l, term t) {
  return term_kind_of(l->terms, t) == TERM_PRODUCT ? term_arguments(l->terms, t) : 1;
}

static term lower_division(lowering *l, term a, term b, const expression *e, bool is_remainder) {
  number n;
  if (!l->faults && term_is_number(l->terms, b, &n) && number_is(n, 0))
    report_error(l->reporter, e->at.start, "division by zero");
  lower_add_fault(l, term_eq(l->terms, b, term_int(l->terms, 0)), e);
  return is_remainder ? term_mod(l->terms, a, b) : term_div(l->terms, a, b);
}

/* A product of reals with one factor at most that is not constant; a quotient by a constant. */
static term lower_real_factor(lowering *l, term a, term b, const expression *e, bool is_quotient) {
  number n;
  if (is_quotient && term_is_number(l->terms, b, &n)) {
    if (!number_is(n, 0)) return term_scale(l->terms, number_quotient(number_of(1), n), a);
    report_error(l->reporter, e->at.start, "division by zero");
  } else if (is_quotient) {
    report_error(l->reporter, e->at.start, "a real can be divided by a constant only");
  } else if (term_is_number(l->terms, a, NULL) || term_is_number(l->terms, b, NULL)) {
    return term_mul(l->terms, a, b);
  } else {
    report_error(l->reporter, e->at.start, "a product of reals can have one factor only that is not constant");
  }
  return term_int(l->terms, 0);
}

static term lower_product(lowering *l, const expression *e) {
  term result = lower_expression(l, e->parts[0]);
  for (size_t i = 1; i < e->count && !l->exhausted; i++) {
    term b = lower_expression(l, e->parts[i]);
    if (e->type->kind == VALUE_REAL) {
      result = lower_real_factor(l, result, b, e, e->operators[i] == TOKEN_SLASH);
    } else if (e->operators[i] != TOKEN_STAR) {
      result = lower_division(l, result, b, e, e->operators[i] == TOKEN_PERCENT);
    } else if (factor_count(l, result) + factor_count(l, b) > FACTOR_LIMIT) {
      report_error(l->reporter, e->at.start, "a product of more than %d factors", FACTOR_LIMIT);
      return term_int(l->terms, 0);
    } else {
      result = term_mul(l->terms, result, b);
    }
    result = checked_sum(l, result, e);
  }
  return result;
}

/* Conditions and values stand alternately on `scratch`; the last value has none. */
static term finish_ladder(lowering *l, size_t from, term otherwise) {
  while (l->scratch.count > from) {
    term value = VECTOR_POP(l->scratch), condition = VECTOR_POP(l->scratch);
    otherwise = term_ite(l->terms, condition, value, otherwise);
  }
  return otherwise;
}

static term lower_if(lowering *l, const expression *e) {
  size_t from = l->scratch.count, path = l->path.count;
  const expression *last = e->parts[e->count - 1];
  for (size_t i = 0; i + 1 < e->count; i += 2) {
    term condition = lower_expression(l, e->parts[i]);
    if (term_is_true(condition)) {
      last = e->parts[i + 1];
      break;
    }
    if (term_is_false(condition)) continue;
    size_t here = l->path.count;
    path_push(l, condition);
    term value = lower_expression(l, e->parts[i + 1]);
    l->path.count = here;
    path_push(l, term_not(condition));
    VECTOR_PUSH(l->scratch, condition);
    VECTOR_PUSH(l->scratch, value);
  }
  term result = finish_ladder(l, from, lower_expression(l, last));
  l->path.count = path;
  return result;
}

static term lower_extreme(lowering *l, const expression *e) {
  term result = lower_expression(l, e->parts[0]);
  for (size_t i = 1; i < e->count; i++) {
    term b = lower_expression(l, e->parts[i]);
    result = e->kind == EXPRESSION_MIN ? term_min(l->terms, result, b) : term_max(l->terms, result, b);
  }
  return result;
}

/* All instances of a quantified expression, pushed on `scratch`; false if the rest makes no difference. */
static bool lower_instances(lowering *l, const expression *e, size_t binder_index) {
  if (binder_index == e->binder_count) {
    term t = lower_expression(l, e->parts[0]);
    VECTOR_PUSH(l->scratch, t);
    if (e->kind != EXPRESSION_FORALL && e->kind != EXPRESSION_EXISTS) return true;
    if (term_same(t, term_of_bool(e->kind == EXPRESSION_EXISTS))) return false;
    path_push(l, e->kind == EXPRESSION_FORALL ? t : term_not(t));
    return true;
  }
  const binder *b = &e->binders[binder_index];
  int64_t first;
  size_t count;
  if (!lower_range(l, b->low, b->high, NULL, &first, &count)) return false;
  if (!lowering_can_spend(l, count))
    return lowering_spend(l, count, e->at.start); /* refused now, not after millions of instances */
  bool go_on = true;
  for (size_t i = 0; i < count && go_on; i++) {
    if (!lowering_spend(l, INSTANCE_WORK, e->at.start)) return false;
    b->symbol->value = term_int(l->terms, first + (int64_t)i);
    go_on = lower_instances(l, e, binder_index + 1);
  }
  return go_on;
}

/* The least or greatest of `count` values. */
static term extreme_of(lowering *l, const expression *e, size_t count, const term *values) {
  if (!count) {
    if (!l->exhausted)
      report_error(l->reporter, e->at.start, "there is no value in the range of this `%s`",
                   e->kind == EXPRESSION_LEAST ? "min" : "max");
    return term_int(l->terms, 0);
  }
  term result = values[0];
  for (size_t i = 1; i < count && lowering_spend(l, 1, e->at.start); i++)
    result =
        e->kind == EXPRESSION_LEAST ? term_min(l->terms, result, values[i]) : term_max(l->terms, result, values[i]);
  return result;
}

static term lower_quantifier(lowering *l, const expression *e) {
  bool is_formula = e->kind == EXPRESSION_FORALL || e->kind == EXPRESSION_EXISTS;
  if (is_formula && (l->keeps_arrays || lower_has_long_range(e))) return lower_long_quantifier(l, e);
  size_t from = l->scratch.count, path = l->path.count;
  lower_instances(l, e, 0);
  size_t count = l->scratch.count - from;
  term result;
  if (e->kind == EXPRESSION_FORALL) {
    result = term_and_all(l->terms, count, l->scratch.at + from);
  } else if (e->kind == EXPRESSION_EXISTS) {
    result = term_or_all(l->terms, count, l->scratch.at + from);
  } else if (e->kind != EXPRESSION_TOTAL) {
    result = extreme_of(l, e, count, l->scratch.at + from);
  } else {
    number *ones = MEMORY_ARRAY(number, count + 1);
    for (size_t i = 0; i < count; i++) ones[i] = number_of(1);
    result = checked_sum(l, term_sum(l->terms, number_of(0), count, l->scratch.at + from, ones), e);
    memory_free(ones);
  }
  l->scratch.count = from;
  l->path.count = path;
  return result;
}

/* Values are computed when `let` is reached, whether or not they are used. */
const expression *lower_locals(lowering *l, const expression *e) {
  for (size_t i = 0; i < e->binder_count; i++) e->binders[i].symbol->value = lower_expression(l, e->parts[i]);
  return e->parts[e->count - 1];
}

void lower_symbol(lowering *l, symbol *s) {
  if (s->lowered == PROGRESS_DONE) return;
  term_vector path = l->path;
  pending_faults *faults = l->faults;
  bool in_definition = l->in_definition;
  l->path = (term_vector){0};
  l->faults = &s->faults;
  l->in_definition = true;
  s->value = lower_expression(l, s->body);
  l->in_definition = in_definition;
  VECTOR_FREE(l->path);
  l->path = path;
  l->faults = faults;
  s->lowered = PROGRESS_DONE;
  if (s->faults.count) VECTOR_PUSH(l->failing, s);
}

/* The run-time errors of a definition, at a use of it. If none are collected (in properties, say), one that happens
 * in every state is a mistake of the text, as it is without the definition. */
static void add_faults_of(lowering *l, symbol *s) {
  for (size_t i = 0; i < s->faults.count; i++) {
    const expression *at = s->faults.at[i].at;
    if (l->faults) {
      add_fault(l, s->faults.at[i].when, at, s->faults.at[i].is);
    } else if (term_is_true(s->faults.at[i].when)) {
      report_error(l->reporter, at->at.start,
                   at->kind == EXPRESSION_PRODUCT ? "division by zero" : "the index is outside its range");
      s->faults.count = 0; /* reported once */
    }
  }
}

static term lower_name(lowering *l, const expression *e) {
  symbol *s = e->symbol;
  switch (s->kind) {
    case SYMBOL_CONSTANT:
    case SYMBOL_DEFINITION:
      lower_symbol(l, s);
      add_faults_of(l, s);
      return s->value;
    case SYMBOL_VALUE: return term_int(l->terms, (int64_t)s->position);
    case SYMBOL_INDEX:
    case SYMBOL_LOCAL:
    case SYMBOL_INPUT: return s->value;
    default: return lower_access(l, e);
  }
}

static term lower_field(lowering *l, const expression *e) {
  if (e->symbol) return lower_access(l, e);
  variable p = lower_node(l, e->parts[0]);
  bool is_freed = e->field == &node_field_freed;
  lower_add_node_faults(l, p, is_freed, e);
  if (is_freed && !l->scope->frees) return TERM_FALSE;
  if (is_freed) return term_heap_data(l->terms, p, NODE_VALUE(NODE_FREED));
  return node_field_term(l->terms, p, e->field->offset);
}

static term lower_by_kind(lowering *l, const expression *e) {
  switch ((expression_kind)e->kind) {
    case EXPRESSION_BOOL: return term_of_bool(e->truth);
    case EXPRESSION_NUMBER: return term_number(l->terms, e->number);
    case EXPRESSION_NAME: return lower_name(l, e);
    case EXPRESSION_INDEX:
    case EXPRESSION_MEMBER: return lower_access(l, e);
    case EXPRESSION_FIELD: return lower_field(l, e);
    case EXPRESSION_AT: return lower_at(l, e);
    case EXPRESSION_NOT: return term_not(lower_expression(l, e->parts[0]));
    case EXPRESSION_NEGATE: return term_negate(l->terms, lower_expression(l, e->parts[0]));
    case EXPRESSION_IFF: return lower_equivalence(l, e);
    case EXPRESSION_IMPLIES: return lower_implication(l, e);
    case EXPRESSION_OR: return lower_junction(l, e, false);
    case EXPRESSION_AND: return lower_junction(l, e, true);
    case EXPRESSION_COMPARE: return lower_comparison(l, e);
    case EXPRESSION_SUM: return lower_sum(l, e);
    case EXPRESSION_PRODUCT: return lower_product(l, e);
    case EXPRESSION_IF: return lower_if(l, e);
    case EXPRESSION_MIN:
    case EXPRESSION_MAX: return lower_extreme(l, e);
    case EXPRESSION_ABS: return term_abs(l->terms, lower_expression(l, e->parts[0]));
    case EXPRESSION_TO_REAL: return lower_expression(l, e->parts[0]);
    case EXPRESSION_TO_INT: break; /* not in a checked text */
    case EXPRESSION_FORALL:
    case EXPRESSION_EXISTS:
    case EXPRESSION_LEAST:
    case EXPRESSION_GREATEST:
    case EXPRESSION_TOTAL: return lower_quantifier(l, e);
    case EXPRESSION_NEXT: return lower_next(l, e);
    case EXPRESSION_OLD: return lower_old(l, e->parts[0]);
    case EXPRESSION_CALL: break; /* not in a checked text */
    case EXPRESSION_LET: return lower_expression(l, lower_locals(l, e));
    case EXPRESSION_TEMPORAL:
    case EXPRESSION_FIXPOINT: break;
  }
  REQUIRE(false, "a temporal formula is lowered by lower_temporal");
  return TERM_TRUE;
}

term lower_expression(lowering *l, const expression *e) {
  if (l->depth >= LOWER_DEPTH)
    report_error(l->reporter, e->at.start, "definitions that use each other are nested too deep here");
  if (l->depth >= LOWER_DEPTH || !lowering_spend(l, 1, e->at.start)) return nothing(l, e);
  l->depth++;
  term t = lower_by_kind(l, e);
  l->depth--;
  return t;
}

term lower_condition(lowering *l, const expression *e) {
  pending_faults *faults = l->faults;
  l->faults = NULL;
  term t = lower_expression(l, e);
  l->faults = faults;
  return t;
}

bool lower_int64(lowering *l, const expression *e, int64_t *out) {
  pending_faults faults = {0}, *before = l->faults;
  number n;
  l->faults = &faults;
  term t = lower_expression(l, e);
  l->faults = before;
  bool can_fail = faults.count, is_constant = term_is_number(l->terms, t, &n);
  VECTOR_FREE(faults);
  if (can_fail || l->exhausted || !is_constant) {
    if (!l->exhausted)
      report_error(l->reporter, e->at.start,
                   can_fail ? "division by zero in a constant" : "this must be constant here");
    return false;
  }
  if (number_to_int64(n, out)) return true;
  report_error(l->reporter, e->at.start, "this number is too large here");
  return false;
}

bool lower_range(lowering *l, const expression *low, const expression *high, const char *what, int64_t *first,
                 size_t *count) {
  int64_t last, difference;
  if (!lower_int64(l, low, first) || !lower_int64(l, high, &last)) return false;
  if (*first > last) {
    *count = 0;
    if (what)
      report_error(l->reporter, low->at.start, "%s is empty: %lld..%lld", what, (long long)*first, (long long)last);
    return !what;
  }
  bool fits =
      !__builtin_sub_overflow(last, *first, &difference) && difference < INT64_MAX && (uint64_t)difference < SIZE_MAX;
  if (!fits || (what && difference >= 1000000)) {
    report_error(l->reporter, low->at.start, "%s has too many elements", what ? what : "this range");
    return false;
  }
  *count = (size_t)difference + 1;
  return true;
}
