/* Types of expressions. Recursion follows the tree, whose depth the parser bounds, and the definitions it uses, whose
 * depth is bounded here. */
#include "input/whet/check.h"
#include "input/whet/parse/token.h"

enum { CHECK_DEPTH = 3 * AST_DEPTH };

bool types_agree(const checker *c, const value_type *a, const value_type *b) {
  if (a->kind == VALUE_UNKNOWN || b->kind == VALUE_UNKNOWN) return true;
  bool a_is_whole = a->kind == VALUE_INT || (c->scope->is_flat && a->kind == VALUE_ENUMERATION);
  bool b_is_whole = b->kind == VALUE_INT || (c->scope->is_flat && b->kind == VALUE_ENUMERATION);
  if (a_is_whole && (b_is_whole || b->kind == VALUE_REAL)) return true;
  if (a->kind != b->kind) return false;
  if (a->kind == VALUE_ARRAY) return types_agree(c, a->element, b->element) && types_agree(c, b->element, a->element);
  if (a->kind == VALUE_DATA) return a->data == b->data;
  if (a->kind == VALUE_RECORD) return a->record == b->record;
  return a->kind != VALUE_ENUMERATION || a->enumeration == b->enumeration;
}

void check_report_mismatch(checker *c, const expression *e, const value_type *wanted, const char *where) {
  char *excerpt = source_excerpt(c->reporter->source, e->at, 40), *is = type_describe(e->type),
       *should = type_describe(wanted);
  report_error(c->reporter, e->at.start, "`%s` is of type %s, but %s needs %s", excerpt, is, where, should);
  if (e->type->kind == VALUE_ARRAY) {
    report_hint(c->reporter, "an array is used element by element: `%s[i]`", excerpt);
    if (e->type->element->kind == VALUE_INT && wanted->kind == VALUE_INT)
      report_hint(c->reporter, "`int[L..H]` is an array; a number from L to H is of type `L..H`");
  } else if (e->kind == EXPRESSION_NUMBER && wanted->kind == VALUE_BOOL)
    report_hint(c->reporter, "truth values are `true` and `false`");
  else if (e->type->kind == VALUE_REAL && wanted->kind == VALUE_INT && !c->constant_for)
    report_hint(c->reporter, HINT_ROUNDING, excerpt, excerpt, excerpt);
  else if ((e->type->kind == VALUE_INT || e->type->kind == VALUE_REAL) && wanted->kind == VALUE_BOOL)
    report_hint(c->reporter, "a number is no truth value: write `%s != 0`", excerpt);
  memory_free(excerpt);
  memory_free(is);
  memory_free(should);
}

void check_expect(checker *c, expression *e, const value_type *wanted, const char *where) {
  const value_type *is = check_expression(c, e);
  if (types_agree(c, is, wanted))
    check_fit(c, e, wanted);
  else
    check_report_mismatch(c, e, wanted, where);
}

void check_refuse_temporal(checker *c, const expression *e, const char *where) {
  if (!e->is_temporal) return;
  report_error(c->reporter, e->at.start, "a temporal formula cannot stand in %s", where);
  if (e->kind != EXPRESSION_TEMPORAL) report_hint(c->reporter, "temporal formulas are combined with ! && || => <=>");
}

void check_condition(checker *c, expression *e, const char *where) {
  check_expect(c, e, &value_bool, where);
  check_refuse_temporal(c, e, where);
}

void check_constant(checker *c, expression *e, const value_type *wanted, const char *what_for) {
  dependence allowed = c->allowed, depends = c->depends;
  const char *before = c->constant_for;
  c->allowed = DEPENDS_CONSTANTS;
  c->constant_for = what_for;
  check_expect(c, e, wanted, what_for);
  check_refuse_temporal(c, e, what_for);
  c->allowed = allowed;
  c->constant_for = before;
  c->depends = depends;
}

const char *check_operator_text(uint8_t kind) {
  switch ((whet_token_kind)kind) {
    case TOKEN_PLUS: return "`+`";
    case TOKEN_MINUS: return "`-`";
    case TOKEN_STAR: return "`*`";
    case TOKEN_SLASH: return "`/`";
    case TOKEN_PERCENT: return "`%`";
    case TOKEN_EQUAL: return "`=`";
    case TOKEN_UNEQUAL: return "`!=`";
    case TOKEN_LESS: return "`<`";
    case TOKEN_LESS_EQUAL: return "`<=`";
    case TOKEN_GREATER: return "`>`";
    case TOKEN_GREATER_EQUAL: return "`>=`";
    default: return "this operator";
  }
}

/* Boolean parts, which may be temporal. */
static void check_formula_parts(checker *c, expression *e, const char *where) {
  for (size_t i = 0; i < e->count; i++) check_expect(c, e->parts[i], &value_bool, where);
}

static void check_implication(checker *c, expression *e) {
  for (size_t i = 0; i < e->count; i++) {
    bool last = i + 1 == e->count;
    c->negative ^= !last;
    check_expect(c, e->parts[i], &value_bool, "`=>`");
    c->negative ^= !last;
  }
}

static void check_equivalence(checker *c, expression *e) {
  c->iffs++;
  check_formula_parts(c, e, "`<=>`");
  c->iffs--;
}

static void check_negation(checker *c, expression *e) {
  c->negative = !c->negative;
  check_formula_parts(c, e, "`!`");
  c->negative = !c->negative;
}

/* The variable whose field is compared, if there is one: `p.next = q` has no meaning here. */
static void check_node_operand(checker *c, const expression *e) {
  if (e->type->kind != VALUE_NODE || e->kind != EXPRESSION_FIELD) return;
  report_error(c->reporter, e->at.start, "`.next` cannot be compared");
  report_hint(c->reporter, "read it into a variable first: `q := p.next`");
}

static void check_comparison(checker *c, expression *e) {
  expression *left = e->parts[0], *right = e->parts[1];
  const char *sign = check_operator_text(e->operators[0]);
  bool order = e->operators[0] != TOKEN_EQUAL && e->operators[0] != TOKEN_UNEQUAL;
  if (order) {
    check_numbers(c, e, sign);
    return;
  }
  check_expression(c, left);
  check_expression(c, right);
  check_refuse_temporal(c, left, sign);
  check_refuse_temporal(c, right, sign);
  if (types_agree(c, left->type, right->type) || types_agree(c, right->type, left->type)) {
    check_fit(c, left, right->type);
    check_fit(c, right, left->type);
  } else {
    char *a = type_describe(left->type), *b = type_describe(right->type);
    char *x = source_excerpt(c->reporter->source, left->at, 40),
         *y = source_excerpt(c->reporter->source, right->at, 40);
    report_error(c->reporter, e->at.start, "%s compares `%s` of type %s with `%s` of type %s", sign, x, a, y, b);
    memory_free(a);
    memory_free(b);
    memory_free(x);
    memory_free(y);
  }
  check_node_operand(c, left);
  check_node_operand(c, right);
}

static const value_type *check_if(checker *c, expression *e) {
  const value_type *type = NULL;
  for (size_t i = 0; i < e->count; i++) {
    bool is_condition = i % 2 == 0 && i + 1 < e->count;
    if (is_condition) {
      check_condition(c, e->parts[i], "the condition after `if`");
      continue;
    }
    check_expression(c, e->parts[i]);
    check_refuse_temporal(c, e->parts[i], "a conditional expression");
    const value_type *own = e->parts[i]->type;
    if (!type || type->kind == VALUE_UNKNOWN)
      type = own;
    else if (!types_agree(c, own, type) && !types_agree(c, type, own))
      check_report_mismatch(c, e->parts[i], type, "the first branch of this `if`");
    else if (own->kind == VALUE_REAL || (own->kind == VALUE_INT && type->kind != VALUE_REAL))
      type = own;
  }
  if (type->kind == VALUE_REAL) check_as_real(c, e);
  if (type->kind != VALUE_NODE && !type_is_compound(type)) return type;
  report_error(c->reporter, e->at.start, "a conditional expression has no value of this kind");
  report_hint(c->reporter, "in a program, use the statement `if`");
  return &value_unknown;
}

/* What a bound depends on. */
static dependence check_bound(checker *c, expression *e) {
  dependence before = c->depends;
  c->depends = DEPENDS_CONSTANTS;
  check_expect(c, e, &value_int, "the range of a quantifier");
  check_refuse_temporal(c, e, "the range of a quantifier");
  dependence found = c->depends;
  if (before > c->depends) c->depends = before;
  return found;
}

/* Beside an `array[..] of T`, the range of `forall` and `exists` may depend on the state, or be all integers. */
void check_binder(checker *c, binder *b, bool is_formula, const char *where) {
  dependence depends = DEPENDS_CONSTANTS;
  if (!b->low && !(is_formula && c->may_have_long)) {
    report_error(c->reporter, b->at.start, "the range of %s must be constant here: `%s : 1..N`", where, b->word->text);
    if (is_formula) report_hint(c->reporter, "a model with an `array[int] of T` may quantify over all integers");
  } else if (!b->low) {
    depends = DEPENDS_STATE;
  } else if (is_formula && c->may_have_long) {
    depends = check_bound(c, b->low);
    dependence high = check_bound(c, b->high);
    if (high > depends) depends = high;
  } else {
    check_constant(c, b->low, &value_int, "the range of a quantifier");
    check_constant(c, b->high, &value_int, "the range of a quantifier");
  }
  b->symbol = scope_add(c->scope, SYMBOL_INDEX, b->word, b->at.start);
  if (!b->symbol) return;
  b->symbol->type = &value_int;
  b->symbol->depends = depends;
}

static const value_type *check_quantifier(checker *c, expression *e) {
  static const char *const words[] = {[EXPRESSION_FORALL] = "`forall`",
                                      [EXPRESSION_EXISTS] = "`exists`",
                                      [EXPRESSION_TOTAL] = "`sum`",
                                      [EXPRESSION_LEAST] = "`min`",
                                      [EXPRESSION_GREATEST] = "`max`"};
  bool is_formula = e->kind == EXPRESSION_FORALL || e->kind == EXPRESSION_EXISTS;
  const char *where = words[e->kind];
  size_t mark = scope_enter(c->scope);
  for (size_t i = 0; i < e->binder_count; i++) check_binder(c, &e->binders[i], is_formula, where);
  const value_type *type = &value_bool;
  if (is_formula)
    check_expect(c, e->parts[0], type, where);
  else
    type = check_numbers(c, e, where);
  scope_leave(c->scope, mark);
  return type;
}

const value_type *check_named_value(checker *c, expression *value, const char *what) {
  const value_type *type = check_expression(c, value);
  char *where = text_format("a value of %s", what);
  check_refuse_temporal(c, value, where);
  memory_free(where);
  if (type->kind != VALUE_NODE && !type_is_compound(type)) return type;
  char *is = type_describe(type);
  report_error(c->reporter, value->at.start, "a value of type %s cannot be given a name by %s", is, what);
  memory_free(is);
  return &value_unknown;
}

/* The value of one name; what it depends on is kept with it. */
static void check_local(checker *c, binder *b, expression *value) {
  dependence depends = c->depends;
  c->depends = DEPENDS_CONSTANTS;
  const value_type *type = check_named_value(c, value, "`let`");
  b->symbol = scope_add(c->scope, SYMBOL_LOCAL, b->word, b->at.start);
  if (b->symbol) {
    b->symbol->type = type;
    b->symbol->depends = c->depends;
  }
  if (depends > c->depends) c->depends = depends;
}

static const value_type *check_let(checker *c, expression *e) {
  size_t mark = scope_enter(c->scope);
  for (size_t i = 0; i < e->binder_count; i++) check_local(c, &e->binders[i], e->parts[i]);
  const value_type *type = check_expression(c, e->parts[e->count - 1]);
  scope_leave(c->scope, mark);
  return type;
}

static void check_fixpoint(checker *c, expression *e) {
  size_t mark = scope_enter(c->scope);
  symbol *s = scope_add(c->scope, SYMBOL_FIXPOINT, e->word, e->at.start);
  if (s) {
    s->type = &value_bool;
    s->negative = c->negative;
    s->iffs = c->iffs;
  }
  check_expect(c, e->parts[0], &value_bool, "a fixpoint");
  scope_leave(c->scope, mark);
}

static bool looks_ahead(const expression *e) {
  if (!e->is_temporal) return false;
  if (e->kind == EXPRESSION_TEMPORAL && !temporal_is_past((temporal_kind)e->temporal)) return true;
  for (size_t i = 0; i < e->count; i++)
    if (looks_ahead(e->parts[i])) return true;
  return false;
}

/* Below an operator of the past there is none of the future. */
static void check_looks_back(checker *c, const expression *e) {
  for (size_t i = 0; i < e->count; i++) {
    if (!looks_ahead(e->parts[i])) continue;
    report_error(c->reporter, e->parts[i]->at.start, "`Y`, `O`, `H` and `S` are about states and their past only");
    report_hint(c->reporter, "`X`, `F`, `G`, `U`, `R` and `W` may stand around them, not below: `G (a => O b)`");
  }
}

/* next(e) */
static const value_type *check_next(checker *c, expression *e) {
  if (e->count != 1 || c->in_next) {
    report_error(c->reporter, e->at.start, "`next(..)` takes one expression, with no `next` in it");
    return &value_unknown;
  }
  c->in_next = true;
  const value_type *type = check_expression(c, e->parts[0]);
  c->in_next = false;
  check_refuse_temporal(c, e->parts[0], "`next(..)`");
  bool is_scalar = type->kind == VALUE_BOOL || type->kind == VALUE_INT || type->kind == VALUE_REAL ||
                   type->kind == VALUE_ENUMERATION || type->kind == VALUE_UNKNOWN;
  if (is_scalar) return type;
  report_error(c->reporter, e->at.start, "`next(..)` is of a number, a truth value or a value of an enumeration");
  return &value_unknown;
}

/* inf(..) and next(..), which are read as calls. */
static bool is_of_fairness(const checker *c, expression *e) {
  bool is_inf = e->word->keyword == WORD_inf && e->count == 1;
  if (!c->in_fairness || e->word->meaning || !(is_inf || e->word->keyword == WORD_next)) return false;
  e->kind = is_inf ? EXPRESSION_TEMPORAL : EXPRESSION_NEXT;
  if (is_inf) e->temporal = TEMPORAL_INF;
  return true;
}

static const value_type *check_by_kind(checker *c, expression *e) {
  switch ((expression_kind)e->kind) {
    case EXPRESSION_BOOL: return &value_bool;
    case EXPRESSION_NUMBER: return e->is_decimal ? &value_real : &value_int;
    case EXPRESSION_NAME: return check_name(c, e);
    case EXPRESSION_INDEX: return check_index(c, e);
    case EXPRESSION_FIELD:
    case EXPRESSION_MEMBER: return check_field(c, e);
    case EXPRESSION_AT: return check_at(c, e);
    case EXPRESSION_NOT: check_negation(c, e); return &value_bool;
    case EXPRESSION_NEGATE: return check_numbers(c, e, "`-`");
    case EXPRESSION_IFF: check_equivalence(c, e); return &value_bool;
    case EXPRESSION_IMPLIES: check_implication(c, e); return &value_bool;
    case EXPRESSION_OR: check_formula_parts(c, e, "`||`"); return &value_bool;
    case EXPRESSION_AND: check_formula_parts(c, e, "`&&`"); return &value_bool;
    case EXPRESSION_COMPARE: check_comparison(c, e); return &value_bool;
    case EXPRESSION_SUM: return check_numbers(c, e, NULL);
    case EXPRESSION_PRODUCT: return check_product(c, e);
    case EXPRESSION_IF: return check_if(c, e);
    case EXPRESSION_MIN: return check_numbers(c, e, "`min`");
    case EXPRESSION_MAX: return check_numbers(c, e, "`max`");
    case EXPRESSION_ABS: return check_numbers(c, e, "`abs`");
    case EXPRESSION_TO_REAL: check_numbers(c, e, "`to_real`"); return &value_real;
    case EXPRESSION_TO_INT: return check_rounding(c, e);
    case EXPRESSION_FORALL:
    case EXPRESSION_EXISTS:
    case EXPRESSION_LEAST:
    case EXPRESSION_GREATEST:
    case EXPRESSION_TOTAL: return check_quantifier(c, e);
    case EXPRESSION_LET: return check_let(c, e);
    case EXPRESSION_TEMPORAL:
      check_formula_parts(c, e, "a temporal operator");
      if (temporal_is_past((temporal_kind)e->temporal)) check_looks_back(c, e);
      if (e->temporal == TEMPORAL_INF) check_refuse_temporal(c, e->parts[0], "`inf(..)`");
      return &value_bool;
    case EXPRESSION_NEXT: return check_next(c, e);
    case EXPRESSION_FIXPOINT: check_fixpoint(c, e); return &value_bool;
    case EXPRESSION_CALL: return is_of_fairness(c, e) ? check_by_kind(c, e) : check_inner_call(c, e);
    case EXPRESSION_OLD: return check_inner_call(c, e);
  }
  return &value_unknown;
}

const value_type *check_expression(checker *c, expression *e) {
  if (c->depth >= CHECK_DEPTH) {
    if (!c->was_too_deep)
      report_error(c->reporter, e->at.start, "definitions that use each other are nested too deep here");
    c->was_too_deep = true;
    return e->type = &value_unknown;
  }
  c->depth++;
  e->type = check_by_kind(c, e);
  c->depth--;
  e->is_temporal |= e->kind == EXPRESSION_TEMPORAL || e->kind == EXPRESSION_FIXPOINT;
  e->is_temporal |= e->kind == EXPRESSION_NAME && e->symbol && e->symbol->kind == SYMBOL_FIXPOINT;
  for (size_t i = 0; i < e->count; i++) e->is_temporal |= e->parts[i]->is_temporal;
  return e->type;
}
