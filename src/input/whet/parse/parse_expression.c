/* Expressions, by operator precedence. A chain of operators of one level becomes one node, in a loop; recursion follows
 * parentheses, brackets and the few operators that nest to the right, and is limited. */
#include "input/whet/parse/parse_expression.h"

/* Loosest first. */
enum {
  LEVEL_IFF = 1,
  LEVEL_IMPLIES,
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_UNTIL,
  LEVEL_NOT,
  LEVEL_COMPARE,
  LEVEL_SUM,
  LEVEL_PRODUCT,
  LEVEL_TIGHT
};

static expression *parse_level(parser *p, int min);

expression *expression_new(parser *p, expression_kind kind, span at, size_t count, expression *const *parts) {
  expression *e = arena_alloc(p->arena, sizeof(expression));
  e->kind = (uint8_t)kind;
  e->at = at;
  e->count = (uint32_t)count;
  e->parts = parser_copy(p, parts, count, sizeof(*parts));
  for (size_t i = 0; i < count; i++)
    if (parts[i]->depth >= e->depth) e->depth = (uint16_t)(parts[i]->depth + 1);
  if (p->nodes++ >= PARSER_NODES) {
    parser_fail(p, at.start, "the text has more than %d operators and operands", PARSER_NODES);
    p->gave_up = true;
  }
  if (e->depth > AST_DEPTH) {
    parser_fail(p, at.start, "nested more than %d levels deep", AST_DEPTH);
    p->gave_up = true;
    e->depth = 0;
  }
  return e;
}

static expression *truth(parser *p, span at, bool value) {
  expression *e = expression_new(p, EXPRESSION_BOOL, at, 0, NULL);
  e->truth = value;
  return e;
}

/* What stands for an expression that could not be read. */
static expression *nothing(parser *p) { return truth(p, (span){p->end, p->end}, true); }

/* Whether the current token may go on with the expression before it; in a file of predicates a new line need not. */
static bool continues(parser *p) {
  const whet_token *t = parser_peek(p, 0);
  return !(p->lines_separate && !p->parentheses && t->first_on_line);
}

static int level_of(parser *p) {
  const whet_token *t = parser_peek(p, 0);
  switch (t->kind) {
    case TOKEN_IFF: return LEVEL_IFF;
    case TOKEN_IMPLIES: return LEVEL_IMPLIES;
    case TOKEN_OR: return LEVEL_OR;
    case TOKEN_AND: return LEVEL_AND;
    case TOKEN_EQUAL:
    case TOKEN_UNEQUAL:
    case TOKEN_LESS:
    case TOKEN_LESS_EQUAL:
    case TOKEN_GREATER:
    case TOKEN_GREATER_EQUAL: return LEVEL_COMPARE;
    case TOKEN_DIAMOND: return p->logic == LOGIC_MU ? 0 : LEVEL_COMPARE;
    case TOKEN_PLUS: return LEVEL_SUM;
    case TOKEN_MINUS: return continues(p) ? LEVEL_SUM : 0;
    case TOKEN_STAR:
    case TOKEN_SLASH:
    case TOKEN_PERCENT: return LEVEL_PRODUCT;
    case TOKEN_NAME: return temporal_infix(p) ? LEVEL_UNTIL : 0;
    default: return 0;
  }
}

static expression_kind chain_kind(int level) {
  switch (level) {
    case LEVEL_IFF: return EXPRESSION_IFF;
    case LEVEL_IMPLIES: return EXPRESSION_IMPLIES;
    case LEVEL_OR: return EXPRESSION_OR;
    case LEVEL_AND: return EXPRESSION_AND;
    case LEVEL_SUM: return EXPRESSION_SUM;
    default: return EXPRESSION_PRODUCT;
  }
}

/* left op e op e ..: all operators of `level` that follow. */
static expression *parse_chain(parser *p, expression *left, int level) {
  size_t parts = p->parts.count, operators = p->operators.count;
  VECTOR_PUSH(p->parts, left);
  VECTOR_PUSH(p->operators, level == LEVEL_SUM ? TOKEN_PLUS : TOKEN_STAR);
  while (level_of(p) == level) {
    VECTOR_PUSH(p->operators, (uint8_t)parser_take(p).kind);
    expression *part = parse_level(p, level + 1);
    VECTOR_PUSH(p->parts, part);
  }
  size_t count = p->parts.count - parts;
  expression *e = expression_new(p, chain_kind(level), parser_span(p, left->at.start), count, p->parts.at + parts);
  if (level >= LEVEL_SUM) e->operators = parser_copy(p, p->operators.at + operators, count, 1);
  p->parts.count = parts;
  p->operators.count = operators;
  return e;
}

static expression *parse_comparison(parser *p, expression *left) {
  whet_token sign = parser_take(p);
  if (sign.kind == TOKEN_DIAMOND) {
    parser_fail(p, sign.at.start, "`<>` is no comparison");
    report_hint(p->reporter, "write `!=` for `is not equal`");
  }
  expression *parts[] = {left, parse_level(p, LEVEL_COMPARE + 1)};
  expression *e = expression_new(p, EXPRESSION_COMPARE, parser_span(p, left->at.start), 2, parts);
  uint8_t kind = (uint8_t)sign.kind;
  e->operators = parser_copy(p, &kind, 1, 1);
  if (level_of(p) == LEVEL_COMPARE) {
    parser_fail(p, parser_peek(p, 0)->at.start, "comparisons do not chain");
    report_hint(p->reporter,
                "write `a < b && b < c` for `a < b < c`; to compare truth values, use parentheses or `<=>`");
  }
  return e;
}

static expression *parse_not(parser *p, int min) {
  uint32_t start = parser_peek(p, 0)->at.start;
  bool odd = false;
  while (parser_accept(p, TOKEN_NOT)) odd = !odd;
  expression *operand = parse_level(p, min <= LEVEL_COMPARE ? LEVEL_COMPARE : LEVEL_TIGHT);
  expression *once = expression_new(p, EXPRESSION_NOT, parser_span(p, start), 1, &operand);
  return odd ? once : expression_new(p, EXPRESSION_NOT, once->at, 1, &once);
}

static expression *parse_negation(parser *p) {
  uint32_t start = parser_peek(p, 0)->at.start;
  bool odd = false;
  while (parser_accept(p, TOKEN_MINUS)) odd = !odd;
  expression *operand = parse_level(p, LEVEL_TIGHT);
  expression *once = expression_new(p, EXPRESSION_NEGATE, parser_span(p, start), 1, &operand);
  return odd ? once : expression_new(p, EXPRESSION_NEGATE, once->at, 1, &once);
}

/* In CTL*, AG is A before G. */
static expression *parse_two_operators(parser *p, temporal_kind kind, uint32_t start, expression *operand) {
  static const temporal_kind of_runs[] = {
      [TEMPORAL_AX] = TEMPORAL_X, [TEMPORAL_EX] = TEMPORAL_X, [TEMPORAL_AF] = TEMPORAL_F,
      [TEMPORAL_EF] = TEMPORAL_F, [TEMPORAL_AG] = TEMPORAL_G, [TEMPORAL_EG] = TEMPORAL_G};
  bool is_all = kind == TEMPORAL_AX || kind == TEMPORAL_AF || kind == TEMPORAL_AG;
  expression *inner = expression_new(p, EXPRESSION_TEMPORAL, parser_span(p, start), 1, &operand);
  inner->temporal = (uint8_t)of_runs[kind];
  expression *e = expression_new(p, EXPRESSION_TEMPORAL, inner->at, 1, &inner);
  e->temporal = is_all ? TEMPORAL_A : TEMPORAL_E;
  return e;
}

static expression *parse_temporal_prefix(parser *p, temporal_kind kind, int min) {
  whet_token first = parser_take(p);
  if (kind == TEMPORAL_BOX) parser_take(p);
  expression *operand = parse_level(p, min <= LEVEL_COMPARE ? LEVEL_COMPARE : LEVEL_TIGHT);
  bool is_ctl = kind >= TEMPORAL_AX && kind <= TEMPORAL_EU;
  if (p->logic == LOGIC_CTLSTAR && is_ctl) return parse_two_operators(p, kind, first.at.start, operand);
  expression *e = expression_new(p, EXPRESSION_TEMPORAL, parser_span(p, first.at.start), 1, &operand);
  e->temporal = (uint8_t)kind;
  return e;
}

static expression *parse_until(parser *p, expression *left) {
  temporal_kind kind = temporal_infix(p);
  parser_take(p);
  expression *parts[] = {left, parse_level(p, LEVEL_UNTIL)};
  expression *e = expression_new(p, EXPRESSION_TEMPORAL, parser_span(p, left->at.start), 2, parts);
  e->temporal = (uint8_t)kind;
  return e;
}

expression *parse_zero(parser *p, span at) {
  expression *e = expression_new(p, EXPRESSION_NUMBER, at, 0, NULL);
  e->number = number_of(0);
  return e;
}

static expression *parse_number(parser *p) {
  whet_token t = parser_take(p);
  expression *e = expression_new(p, EXPRESSION_NUMBER, t.at, 0, NULL);
  e->is_decimal = t.is_decimal;
  if (!number_parse_fraction(p->reporter->source->text + t.at.start, t.at.end - t.at.start, &e->number))
    e->number = number_of(0);
  return e;
}

static expression *parse_parentheses(parser *p) {
  bool in_bound = p->in_bound;
  uint32_t start = parser_take(p).at.start;
  p->in_bound = false;
  p->parentheses++;
  expression *e = parse_level(p, LEVEL_IFF);
  if (parser_kind(p) == TOKEN_COMMA) {
    parser_fail_expected(p, "`)`");
    report_hint(
        p->reporter,
        "there are no tuples of values; a tuple of variables is assigned as `x, y := y, x`, without parentheses");
  }
  if (!p->lost && parser_kind(p) != TOKEN_CLOSE) {
    bool has_arrow = parser_kind(p) == TOKEN_ARROW;
    parser_fail_expected(p, "`)` or an operator");
    if (has_arrow) report_hint(p->reporter, HINT_IMPLICATION);
    report_first_place(p->reporter, "the parenthesis was opened", start);
  }
  parser_accept(p, TOKEN_CLOSE);
  if (p->parentheses) p->parentheses--;
  p->in_bound = in_bound;
  return e;
}

/* if c then a else if c then a else b: one node for the whole chain. */
static expression *parse_if(parser *p) {
  uint32_t start = parser_peek(p, 0)->at.start;
  size_t parts = p->parts.count;
  bool in_bound = p->in_bound;
  p->in_bound = false;
  do {
    parser_take(p);
    expression *condition = parse_level(p, LEVEL_IFF);
    VECTOR_PUSH(p->parts, condition);
    if (!parser_accept_word(p, WORD_then)) parser_fail_expected(p, "`then`");
    expression *value = parse_level(p, LEVEL_IFF);
    VECTOR_PUSH(p->parts, value);
    if (!parser_accept_word(p, WORD_else)) {
      parser_fail_expected(p, "`else`");
      report_hint(p->reporter, "a conditional expression has both branches: `if c then a else b`");
    }
  } while (parser_at_word(p, WORD_if));
  expression *otherwise = parse_level(p, LEVEL_IFF);
  VECTOR_PUSH(p->parts, otherwise);
  p->in_bound = in_bound;
  expression *e = expression_new(p, EXPRESSION_IF, parser_span(p, start), p->parts.count - parts, p->parts.at + parts);
  p->parts.count = parts;
  return e;
}

/* What stands between parentheses goes to the end of `p->parts`. */
static void parse_arguments(parser *p) {
  parser_take(p);
  p->parentheses++;
  do {
    expression *part = parse_level(p, LEVEL_IFF);
    VECTOR_PUSH(p->parts, part);
  } while (parser_accept(p, TOKEN_COMMA));
  parser_expect(p, TOKEN_CLOSE, "`)` or `,`");
  if (p->parentheses) p->parentheses--;
}

/* f(a, b), f(): whether there is such a procedure is checked later. */
static expression *parse_call(parser *p, whet_token name) {
  size_t parts = p->parts.count;
  if (parser_peek(p, 1)->kind == TOKEN_CLOSE) {
    parser_take(p);
    parser_take(p);
  } else {
    parse_arguments(p);
  }
  expression *e =
      expression_new(p, EXPRESSION_CALL, parser_span(p, name.at.start), p->parts.count - parts, p->parts.at + parts);
  e->word = name.word;
  p->parts.count = parts;
  return e;
}

static expression *parse_function(parser *p, expression_kind kind, size_t wanted) {
  whet_token name = parser_take(p);
  size_t parts = p->parts.count;
  parse_arguments(p);
  size_t count = p->parts.count - parts;
  if (wanted == 1 ? count != 1 : count < wanted)
    parser_fail(p, name.at.start, "`%s` takes %s, not %zu", name.word->text,
                wanted == 1 ? "one argument" : "two or more arguments", count);
  expression *e = expression_new(p, kind, parser_span(p, name.at.start), count, p->parts.at + parts);
  p->parts.count = parts;
  return e;
}

/* forall i : 1..N, j, k : 1..M . e */
static expression *parse_quantifier(parser *p, expression_kind kind) {
  uint32_t start = parser_take(p).at.start;
  VECTOR(binder) binders = {0};
  do {
    size_t group = binders.count;
    while (parser_kind(p) == TOKEN_NAME && parser_peek(p, 1)->kind == TOKEN_COMMA) {
      declared_name name = parser_expect_name(p, "a name");
      VECTOR_PUSH(binders, (binder){.word = name.word, .at = name.at});
      parser_take(p);
    }
    binder last = parse_binder(p);
    VECTOR_PUSH(binders, last);
    for (size_t i = group; i + 1 < binders.count; i++) binders.at[i].low = last.low, binders.at[i].high = last.high;
  } while (parser_accept(p, TOKEN_COMMA));
  parser_expect(p, TOKEN_DOT, "`.` before the quantified expression");
  bool in_bound = p->in_bound;
  p->in_bound = false;
  expression *body = parse_level(p, LEVEL_IFF);
  p->in_bound = in_bound;
  expression *e = expression_new(p, kind, parser_span(p, start), 1, &body);
  e->binder_count = (uint32_t)binders.count;
  e->binders = PARSER_COPY(p, binders);
  for (size_t i = 0; i < binders.count; i++) {
    if (!binders.at[i].low) continue;
    if (binders.at[i].low->depth >= e->depth) e->depth = (uint16_t)(binders.at[i].low->depth + 1);
    if (binders.at[i].high->depth >= e->depth) e->depth = (uint16_t)(binders.at[i].high->depth + 1);
  }
  VECTOR_FREE(binders);
  return e;
}

/* let x = e, y = f in g */
static expression *parse_let(parser *p) {
  uint32_t start = parser_take(p).at.start;
  size_t parts = p->parts.count;
  bool in_bound = p->in_bound;
  VECTOR(binder) binders = {0};
  p->in_bound = false;
  do {
    declared_name name = parser_expect_name(p, "a name");
    VECTOR_PUSH(binders, (binder){.word = name.word, .at = name.at});
    parser_expect(p, TOKEN_EQUAL, "`=`");
    expression *value = parse_level(p, LEVEL_IFF);
    VECTOR_PUSH(p->parts, value);
  } while (parser_accept(p, TOKEN_COMMA));
  if (!parser_accept_word(p, WORD_in)) parser_fail_expected(p, "`in` after the values of `let`");
  expression *body = parse_level(p, LEVEL_IFF);
  VECTOR_PUSH(p->parts, body);
  p->in_bound = in_bound;
  expression *e = expression_new(p, EXPRESSION_LET, parser_span(p, start), p->parts.count - parts, p->parts.at + parts);
  p->parts.count = parts;
  e->binder_count = (uint32_t)binders.count;
  e->binders = PARSER_COPY(p, binders);
  VECTOR_FREE(binders);
  return e;
}

/* `let` is special only if `x =` follows on its line. */
static bool at_let(parser *p) {
  const whet_token *name = parser_peek(p, 1);
  return parser_at_word(p, WORD_let) && name->kind == TOKEN_NAME && !name->first_on_line &&
         parser_peek(p, 2)->kind == TOKEN_EQUAL;
}

/* mu Z . f */
static expression *parse_fixpoint(parser *p) {
  whet_token first = parser_take(p);
  declared_name name = parser_expect_name(p, "a name");
  parser_take(p);
  expression *body = parse_level(p, LEVEL_IFF);
  expression *e = expression_new(p, EXPRESSION_FIXPOINT, parser_span(p, first.at.start), 1, &body);
  e->temporal = first.word->keyword == WORD_mu ? TEMPORAL_MU : TEMPORAL_NU;
  e->word = name.word;
  return e;
}

static expression *parse_index(parser *p, expression *base) {
  parser_take(p);
  p->parentheses++;
  expression *parts[] = {base, parse_level(p, LEVEL_IFF)};
  parser_expect(p, TOKEN_CLOSE_SQUARE, "`]`");
  if (p->parentheses) p->parentheses--;
  return expression_new(p, EXPRESSION_INDEX, parser_span(p, base->at.start), 2, parts);
}

static expression *parse_field(parser *p, expression *base) {
  parser_take(p);
  declared_name name = parser_expect_name(p, "a name after `.`");
  expression *e = expression_new(p, EXPRESSION_FIELD, parser_span(p, base->at.start), 1, &base);
  e->word = name.word;
  return e;
}

static expression *parse_postfix(parser *p, expression *e) {
  while (!p->in_bound && !p->lost) {
    if (parser_kind(p) == TOKEN_OPEN_SQUARE && continues(p))
      e = parse_index(p, e);
    else if (parser_kind(p) == TOKEN_DOT)
      e = parse_field(p, e);
    else
      break;
  }
  return e;
}

/* Not an index. */
static bool says_of_runs(const expression *e) {
  if (e->kind == EXPRESSION_TEMPORAL) return !temporal_is_past((temporal_kind)e->temporal);
  if (e->kind != EXPRESSION_NOT && e->kind != EXPRESSION_AND && e->kind != EXPRESSION_OR &&
      e->kind != EXPRESSION_IMPLIES && e->kind != EXPRESSION_IFF)
    return false;
  for (size_t i = 0; i < e->count; i++)
    if (says_of_runs(e->parts[i])) return true;
  return false;
}

static expression *parse_in_run_brackets(parser *p) {
  unsigned outer = p->run_brackets;
  p->run_brackets = p->parentheses;
  expression *e = parse_level(p, LEVEL_IFF);
  p->run_brackets = outer;
  return e;
}

/* CTL*: A[f U g], A[f R g], A[f W g], A[f] or, if no operator is about runs, an element of an array called A. The name and `[` are
 * taken. */
static expression *parse_runs_in_brackets(parser *p, expression *name) {
  expression *inner = parse_in_run_brackets(p);
  temporal_kind kind = temporal_infix_word(p);
  if (kind != TEMPORAL_STATE && kind != PAST_SINCE) {
    parser_take(p);
    expression *both[] = {inner, parse_in_run_brackets(p)};
    inner = expression_new(p, EXPRESSION_TEMPORAL, parser_span(p, inner->at.start), 2, both);
    inner->temporal = (uint8_t)kind;
  }
  parser_expect(p, TOKEN_CLOSE_SQUARE, "`]`");
  if (p->parentheses) p->parentheses--;
  bool is_of_runs = says_of_runs(inner);
  expression *parts[] = {is_of_runs ? inner : name, inner};
  span at = parser_span(p, name->at.start);
  expression *e = expression_new(p, is_of_runs ? EXPRESSION_TEMPORAL : EXPRESSION_INDEX, at, is_of_runs ? 1 : 2, parts);
  e->temporal = name->word->keyword == WORD_A ? TEMPORAL_A : TEMPORAL_E;
  return is_of_runs ? e : parse_postfix(p, e);
}

/* A[f U g] or, without `U`, an element of an array called A. */
static expression *parse_path_quantifier(parser *p) {
  whet_token path = parser_take(p);
  expression *name = expression_new(p, EXPRESSION_NAME, path.at, 0, NULL);
  name->word = path.word;
  parser_take(p);
  p->parentheses++;
  if (p->logic == LOGIC_CTLSTAR) return parse_runs_in_brackets(p, name);
  expression *left = parse_level(p, LEVEL_IFF);
  bool until = parser_accept_word(p, WORD_U);
  expression *right = until ? parse_level(p, LEVEL_IFF) : left;
  parser_expect(p, TOKEN_CLOSE_SQUARE, until ? "`]`" : "`U` or `]`");
  if (p->parentheses) p->parentheses--;
  expression *parts[] = {until ? left : name, right};
  expression *e =
      expression_new(p, until ? EXPRESSION_TEMPORAL : EXPRESSION_INDEX, parser_span(p, path.at.start), 2, parts);
  e->temporal = path.word->keyword == WORD_A ? TEMPORAL_AU : TEMPORAL_EU;
  return until ? e : parse_postfix(p, e);
}

static expression *parse_at(parser *p, expression *base) {
  uint32_t start = parser_take(p).at.start;
  declared_name state = parser_expect_name(p, "a state after `at`");
  expression *e = expression_new(p, EXPRESSION_AT, parser_span(p, base ? base->at.start : start), base ? 1 : 0, &base);
  e->word = state.word;
  return e;
}

/* A keyword that starts a line and a declaration: the expression before it lacks its end. */
static bool at_next_declaration(parser *p) {
  const whet_token *next = parser_peek(p, 1);
  if (!parser_peek(p, 0)->first_on_line || !parser_starts_declaration(p) || next->kind != TOKEN_NAME) return false;
  return !parser_word_ahead(p, 1, WORD_at) && !parser_word_ahead(p, 1, WORD_then) &&
         !parser_word_ahead(p, 1, WORD_else) &&
         !((p->logic == LOGIC_LTL || p->logic == LOGIC_CTLSTAR) &&
           (parser_word_ahead(p, 1, WORD_U) || parser_word_ahead(p, 1, WORD_R) || parser_word_ahead(p, 1, WORD_W) ||
            parser_word_ahead(p, 1, WORD_S)));
}

static expression *parse_name(parser *p) {
  if (at_next_declaration(p)) parser_fail_expected(p, "an expression");
  if (parser_at_word(p, WORD_at) && parser_peek(p, 1)->kind == TOKEN_NAME) return parse_at(p, NULL);
  temporal_refuse(p);
  whet_token t = parser_take(p);
  expression *e = expression_new(p, EXPRESSION_NAME, t.at, 0, NULL);
  e->word = t.word;
  if (!p->lost && parser_kind(p) == TOKEN_OPEN && continues(p) && !p->in_bound) return parse_call(p, t);
  e = parse_postfix(p, e);
  bool at = parser_at_word(p, WORD_at) && parser_peek(p, 1)->kind == TOKEN_NAME && !p->in_bound && continues(p);
  return at ? parse_at(p, e) : e;
}

/* forall, exists, sum, min and max are special only if `i :` or `i, j ..` follows; `sum` can also be a variable on a line of its
 * own. */
static bool at_quantifier(parser *p, expression_kind *kind) {
  if (parser_at_word(p, WORD_forall))
    *kind = EXPRESSION_FORALL;
  else if (parser_at_word(p, WORD_exists))
    *kind = EXPRESSION_EXISTS;
  else if (parser_at_word(p, WORD_sum))
    *kind = EXPRESSION_TOTAL;
  else if (parser_at_word(p, WORD_min))
    *kind = EXPRESSION_LEAST;
  else if (parser_at_word(p, WORD_max))
    *kind = EXPRESSION_GREATEST;
  else
    return false;
  whet_token_kind third = parser_peek(p, 1)->kind == TOKEN_NAME ? parser_peek(p, 2)->kind : TOKEN_END;
  bool is_extreme = *kind == EXPRESSION_LEAST || *kind == EXPRESSION_GREATEST;
  if (is_extreme && parser_peek(p, 1)->first_on_line) return false; /* a label, say */
  if (third == TOKEN_COMMA && *kind == EXPRESSION_TOTAL) return !parser_peek(p, 1)->first_on_line;
  return third == TOKEN_COLON || third == TOKEN_COMMA;
}

static expression *parse_word(parser *p) {
  expression_kind kind;
  bool call = parser_peek(p, 1)->kind == TOKEN_OPEN;
  if (parser_at_word(p, WORD_true) || parser_at_word(p, WORD_false)) {
    whet_token t = parser_take(p);
    return truth(p, t.at, t.word->keyword == WORD_true);
  }
  if (parser_at_word(p, WORD_if)) return parse_if(p);
  if (at_quantifier(p, &kind)) return parse_quantifier(p, kind);
  if (at_let(p)) return parse_let(p);
  if (call && parser_at_word(p, WORD_min)) return parse_function(p, EXPRESSION_MIN, 2);
  if (call && parser_at_word(p, WORD_max)) return parse_function(p, EXPRESSION_MAX, 2);
  if (call && parser_at_word(p, WORD_abs)) return parse_function(p, EXPRESSION_ABS, 1);
  if (call && parser_at_word(p, WORD_to_real)) return parse_function(p, EXPRESSION_TO_REAL, 1);
  if (call && parser_at_word(p, WORD_to_int)) return parse_function(p, EXPRESSION_TO_INT, 1);
  if (temporal_fixpoint(p)) return parse_fixpoint(p);
  if (temporal_path_quantifier(p)) return parse_path_quantifier(p);
  return parse_name(p);
}

static void fail_operand(parser *p) {
  const whet_token *t = parser_peek(p, 0);
  parser_fail_expected(p, "an expression");
  switch (t->kind) {
    case TOKEN_STAR:
      report_hint(p->reporter,
                  "`*` alone is a free choice: as the whole right side of `:=`, or as the condition of if and while in "
                  "a program");
      break;
    case TOKEN_ARROW: report_hint(p->reporter, "a guard that always holds is written `true`"); break;
    case TOKEN_ASSIGN: report_hint(p->reporter, "`:=` assigns, `=` compares"); break;
    case TOKEN_OPEN_BRACE: report_hint(p->reporter, "`{` starts an enumeration type or a body, never a value"); break;
    default: break;
  }
}

/* `min` says how tightly the operand is bound from the left: operators looser than that end it. */
static expression *parse_operand(parser *p, int min) {
  temporal_kind kind = temporal_prefix(p);
  if (kind) return parse_temporal_prefix(p, kind, min);
  switch (parser_kind(p)) {
    case TOKEN_NOT: return parse_not(p, min);
    case TOKEN_MINUS: return parse_negation(p);
    case TOKEN_NUMBER: return parse_number(p);
    case TOKEN_OPEN: return parse_parentheses(p);
    case TOKEN_NAME: return parse_word(p);
    default: fail_operand(p); return nothing(p);
  }
}

static expression *parse_level(parser *p, int min) {
  if (!parser_enter(p)) return nothing(p);
  expression *left = parse_operand(p, min);
  for (int level = level_of(p); level >= min && level && !p->lost; level = level_of(p)) {
    if (level == LEVEL_UNTIL)
      left = parse_until(p, left);
    else if (level == LEVEL_COMPARE)
      left = parse_comparison(p, left);
    else
      left = parse_chain(p, left, level);
  }
  parser_leave(p);
  return left;
}

expression *parse_expression(parser *p) { return parse_level(p, LEVEL_IFF); }

expression *parse_bound(parser *p) {
  bool in_bound = p->in_bound;
  p->in_bound = true;
  expression *e = parse_level(p, LEVEL_SUM);
  p->in_bound = in_bound;
  return e;
}

expression *parse_target(parser *p) {
  declared_name name = parser_expect_name(p, "a variable to assign");
  expression *e = expression_new(p, EXPRESSION_NAME, name.at, 0, NULL);
  e->word = name.word;
  return parse_postfix(p, e);
}

expressions parse_expressions(parser *p) {
  VECTOR(expression *) list = {0};
  do {
    expression *e = parse_expression(p);
    VECTOR_PUSH(list, e);
  } while (parser_accept(p, TOKEN_COMMA));
  expressions result = {PARSER_COPY(p, list), list.count};
  VECTOR_FREE(list);
  return result;
}

void parse_expression_list(parser *p, expressions *out) {
  VECTOR(expression *) list = {0};
  bool separated = true;
  p->lines_separate = true;
  while (!p->lost && parser_kind(p) != TOKEN_END) {
    if (parser_accept(p, TOKEN_COMMA) || parser_accept(p, TOKEN_SEMICOLON)) {
      separated = true;
    } else if (!separated && !parser_peek(p, 0)->first_on_line) {
      parser_fail_expected(p, "`,`, `;` or a new line between two expressions");
    } else {
      expression *e = parse_expression(p);
      VECTOR_PUSH(list, e);
      separated = false;
    }
  }
  *out = (expressions){PARSER_COPY(p, list), list.count};
  VECTOR_FREE(list);
}
