/* Structured programs: statements and blocks. */
#include "input/whet/parse/parse_expression.h"

static statement *statement_new(parser *p, statement_kind kind) {
  statement *s = arena_alloc(p->arena, sizeof(statement));
  s->kind = kind;
  s->at = parser_peek(p, 0)->at;
  return s;
}

/* An expression, or `*`. */
static void parse_condition(parser *p, arm *a) {
  a->at = parser_peek(p, 0)->at;
  a->is_choice = parser_kind(p) == TOKEN_STAR;
  if (a->is_choice)
    parser_take(p);
  else
    a->condition = parse_expression(p);
  a->at = parser_span(p, a->at.start);
}

static void finish_arms(parser *p, statement *s, const void *arms, size_t count) {
  s->arms = parser_copy(p, arms, count, sizeof(arm));
  s->arm_count = count;
}

/* if C {..} else if C {..} else {..}: one statement for the whole chain. */
static statement *parse_if(parser *p) {
  statement *s = statement_new(p, STATEMENT_IF);
  VECTOR(arm) arms = {0};
  bool again;
  do {
    arm a = {0};
    parser_take(p);
    parse_condition(p, &a);
    a.body = parse_block(p);
    VECTOR_PUSH(arms, a);
    again = false;
    if (!parser_accept_word(p, WORD_else)) continue;
    again = parser_at_word(p, WORD_if);
    if (again) continue;
    s->otherwise = parse_block(p);
  } while (again);
  finish_arms(p, s, arms.at, arms.count);
  VECTOR_FREE(arms);
  return s;
}

static statement *parse_while(parser *p) {
  statement *s = statement_new(p, STATEMENT_WHILE);
  arm a = {0};
  parser_take(p);
  parse_condition(p, &a);
  a.body = parse_block(p);
  finish_arms(p, s, &a, 1);
  return s;
}

static statement *parse_choose(parser *p) {
  statement *s = statement_new(p, STATEMENT_CHOOSE);
  VECTOR(arm) arms = {0};
  do {
    parser_take(p);
    arm a = {.is_choice = true, .at = parser_peek(p, 0)->at};
    a.body = parse_block(p);
    VECTOR_PUSH(arms, a);
  } while (parser_at_word(p, WORD_or));
  if (arms.count < 2 && !p->lost) parser_fail_expected(p, "`or` and another block");
  finish_arms(p, s, arms.at, arms.count);
  VECTOR_FREE(arms);
  return s;
}

static statement *parse_assert(parser *p) {
  statement *s = statement_new(p, STATEMENT_ASSERT);
  parser_take(p);
  if (parser_kind(p) == TOKEN_NAME && parser_peek(p, 1)->kind == TOKEN_COLON) {
    s->name = parser_expect_name(p, "a name");
    parser_take(p);
  }
  s->condition = parse_expression(p);
  return s;
}

static statement *parse_assume(parser *p) {
  statement *s = statement_new(p, STATEMENT_ASSUME);
  parser_take(p);
  s->condition = parse_expression(p);
  return s;
}

static statement *parse_goto(parser *p) {
  statement *s = statement_new(p, STATEMENT_GOTO);
  parser_take(p);
  s->name = parser_expect_name(p, "a label");
  return s;
}

static statement *parse_word(parser *p, statement_kind kind) {
  statement *s = statement_new(p, kind);
  parser_take(p);
  return s;
}

/* A value behind `return`, on its line: results are assigned here. */
static bool at_value(parser *p) {
  const whet_token *t = parser_peek(p, 0);
  if (t->first_on_line) return false;
  if (t->kind == TOKEN_NUMBER || t->kind == TOKEN_MINUS || t->kind == TOKEN_OPEN) return true;
  if (t->kind != TOKEN_NAME || t->word->keyword != WORD_plain) return false;
  whet_token_kind second = parser_peek(p, 1)->kind;
  return second != TOKEN_ASSIGN && second != TOKEN_COMMA && second != TOKEN_COLON && second != TOKEN_DOT &&
         second != TOKEN_OPEN_SQUARE && second != TOKEN_OPEN;
}

static statement *parse_return(parser *p) {
  statement *s = parse_word(p, STATEMENT_RETURN);
  if (!p->lost && at_value(p)) {
    parser_fail_expected(p, "the end of the statement");
    report_hint(p->reporter, "`return` has no value: a result is assigned first, `r := ..; return`");
  }
  return s;
}

static statement *parse_label(parser *p) {
  statement *s = statement_new(p, STATEMENT_LABEL);
  s->name = parser_expect_name(p, "a label");
  parser_take(p);
  return s;
}

static statement *parse_atomic(parser *p) {
  statement *s = statement_new(p, STATEMENT_ATOMIC);
  whet_token first = parser_take(p);
  s->name = (declared_name){.word = first.word, .at = first.at};
  s->otherwise = parse_block(p);
  return s;
}

/* havoc x, a[i]: as x := *, a[i] := * */
static statement *parse_havoc(parser *p) {
  statement *s = statement_new(p, STATEMENT_ASSIGN);
  VECTOR(assignment) list = {0};
  parser_take(p);
  do {
    expression *target = parse_target(p);
    VECTOR_PUSH(list, (assignment){.target = target, .at = target->at});
  } while (parser_accept(p, TOKEN_COMMA));
  s->updates = (assignments){PARSER_COPY(p, list), list.count};
  VECTOR_FREE(list);
  return s;
}

static expression *name_again(parser *p, const declared_name *name) {
  expression *e = expression_new(p, EXPRESSION_NAME, name->at, 0, NULL);
  e->word = name->word;
  return e;
}

static statement *assign_name(parser *p, const declared_name *name, expression *value, span at) {
  statement *s = statement_new(p, STATEMENT_ASSIGN);
  assignment a = {.target = name_again(p, name), .value = value, .at = at};
  s->updates = (assignments){parser_copy(p, &a, 1, sizeof(a)), 1};
  s->at = at;
  return s;
}

/* name + 1 */
static expression *one_more(parser *p, const declared_name *name) {
  expression *one = expression_new(p, EXPRESSION_NUMBER, name->at, 0, NULL);
  one->number = number_of(1);
  expression *parts[] = {name_again(p, name), one};
  expression *e = expression_new(p, EXPRESSION_SUM, name->at, 2, parts);
  uint8_t signs[] = {TOKEN_PLUS, TOKEN_PLUS};
  e->operators = parser_copy(p, signs, 2, 1);
  return e;
}

static expression *at_most(parser *p, const declared_name *name, expression *high) {
  expression *parts[] = {name_again(p, name), high};
  expression *e = expression_new(p, EXPRESSION_COMPARE, high->at, 2, parts);
  uint8_t sign = TOKEN_LESS_EQUAL;
  e->operators = parser_copy(p, &sign, 1, 1);
  return e;
}

/* for i := L..H {..}: as i := L  while i <= H {.. i := i + 1}. The first of the two is returned in `*first`. */
static statement *parse_for(parser *p, statement **first) {
  statement *s = statement_new(p, STATEMENT_WHILE);
  uint32_t start = parser_take(p).at.start;
  declared_name name = parser_expect_name(p, "a variable");
  if (parser_kind(p) != TOKEN_ASSIGN && !p->lost) {
    parser_fail_expected(p, "`:=`");
    report_hint(p->reporter, "`for i := 1..N { .. }` counts with a variable `i` of the program or the model");
  }
  parser_expect(p, TOKEN_ASSIGN, "`:=`");
  expression *low = parse_bound(p);
  parser_expect(p, TOKEN_RANGE, "`..`");
  expression *high = parse_bound(p);
  span head = parser_span(p, start);
  arm a = {.condition = at_most(p, &name, high), .at = head};
  block body = parse_block(p);
  VECTOR(statement *) list = {0};
  for (size_t i = 0; i < body.count; i++) VECTOR_PUSH(list, body.at[i]);
  statement *count = assign_name(p, &name, one_more(p, &name), head);
  VECTOR_PUSH(list, count);
  a.body = (block){PARSER_COPY(p, list), list.count};
  VECTOR_FREE(list);
  finish_arms(p, s, &a, 1);
  *first = assign_name(p, &name, low, head);
  return s;
}

static bool at_for(parser *p) { return parser_at_word(p, WORD_for) && parser_peek(p, 1)->kind == TOKEN_NAME; }

/* x, y := f(1) and nothing else */
static bool is_call_with_results(const assignments *list) {
  bool is_call = list->count && list->at[0].value && list->at[0].value->kind == EXPRESSION_CALL;
  for (size_t i = 1; i < list->count; i++) is_call &= !list->at[i].value && list->at[i].at.end == list->at[0].at.end;
  return is_call;
}

static statement *parse_assignment(parser *p) {
  statement *s = statement_new(p, STATEMENT_ASSIGN);
  if (parser_kind(p) == TOKEN_NAME)
    s->updates = parse_assignments(p);
  else
    parser_fail_expected(p, "a statement");
  if (!is_call_with_results(&s->updates)) return s;
  s->kind = STATEMENT_CALL;
  s->call = s->updates.at[0].value;
  return s;
}

/* f(1) */
static statement *parse_plain_call(parser *p) {
  statement *s = statement_new(p, STATEMENT_CALL);
  s->call = parse_expression(p);
  if (s->call->kind != EXPRESSION_CALL) parser_fail(p, s->call->at.start, "an expression is no statement");
  return s;
}

/* A word that an expression may follow. */
static bool at_word_with_value(parser *p) {
  static const keyword all[] = {WORD_if, WORD_while, WORD_assert, WORD_assume, WORD_return};
  bool is_one = false;
  for (size_t i = 0; i < ARRAY_LENGTH(all); i++) is_one |= parser_at_word(p, all[i]);
  return is_one;
}

/* c ! e */
static bool at_message(parser *p) { return !at_word_with_value(p) && parser_kind(p) == TOKEN_NAME; }

static bool at_call(parser *p) {
  return !at_word_with_value(p) && parser_kind(p) == TOKEN_NAME && parser_peek(p, 1)->kind == TOKEN_OPEN;
}

/* `var`, `clock`, `invariant` or `end`, and a name. */
static bool at_item(parser *p) {
  bool is_word = parser_at_word(p, WORD_var) || parser_at_word(p, WORD_clock) || parser_at_word(p, WORD_invariant) ||
                 parser_at_word(p, WORD_end);
  return is_word && parser_peek(p, 1)->kind == TOKEN_NAME;
}

static statement *parse_plain_statement(parser *p) {
  switch (parser_peek(p, 1)->kind) {
    case TOKEN_COLON: return parse_label(p);
    case TOKEN_ASSIGN:
    case TOKEN_COMMA:
    case TOKEN_DOT:
    case TOKEN_QUESTION:
    case TOKEN_OPEN_SQUARE: return parse_assignment(p);
    case TOKEN_NOT:
      if (at_message(p)) return parse_assignment(p);
      break;
    default: break;
  }
  if (parser_at_word(p, WORD_for) && parser_peek(p, 1)->kind == TOKEN_OPEN) {
    parser_take(p);
    parser_fail_expected(p, "a variable");
    report_hint(p->reporter, "`for i := 1..N { .. }` counts with a variable `i` of the program or the model");
  }
  if (at_call(p)) return parse_plain_call(p);
  if (parser_at_word(p, WORD_if)) return parse_if(p);
  if (parser_at_word(p, WORD_while)) return parse_while(p);
  if (parser_at_word(p, WORD_choose)) return parse_choose(p);
  if (parser_at_word(p, WORD_assert)) return parse_assert(p);
  if (parser_at_word(p, WORD_assume)) return parse_assume(p);
  if (parser_at_word(p, WORD_goto)) return parse_goto(p);
  if (parser_at_word(p, WORD_skip)) return parse_word(p, STATEMENT_SKIP);
  if (parser_at_word(p, WORD_return)) return parse_return(p);
  if (parser_at_word(p, WORD_break)) return parse_word(p, STATEMENT_BREAK);
  if (parser_at_word(p, WORD_havoc) && parser_peek(p, 1)->kind == TOKEN_NAME) return parse_havoc(p);
  if (parser_at_word(p, WORD_atomic)) return parse_atomic(p);
  if (parser_at_free(p)) return parse_assignment(p);
  bool is_variable = parser_at_word(p, WORD_var);
  if (is_variable || at_item(p)) {
    parser_fail_expected(p, "a statement");
    report_hint(p->reporter, "the %s of a program %s at its beginning, before the first statement",
                is_variable ? "variables" : "clocks, invariants and `end` marks",
                is_variable ? "are declared" : "stand");
  }
  if (parser_at_word(p, WORD_else)) {
    parser_fail_expected(p, "a statement");
    report_hint(p->reporter, "`else` follows the closing brace of its `if`");
  }
  return parse_assignment(p);
}

/* Statements up to the brace that closes the block, which is not taken. */
static block parse_statements(parser *p) {
  VECTOR(statement *) list = {0};
  while (parser_kind(p) != TOKEN_CLOSE_BRACE && parser_kind(p) != TOKEN_END) {
    if (parser_accept(p, TOKEN_SEMICOLON)) continue;
    uint32_t start = parser_peek(p, 0)->at.start;
    unsigned depth = p->depth;
    statement *before = NULL, *s = at_for(p) ? parse_for(p, &before) : parse_plain_statement(p);
    if (before) VECTOR_PUSH(list, before);
    s->at = parser_span(p, start);
    if (p->lost && !p->gave_up) {
      parser_recover_item(p, start);
      p->depth = depth;
    }
    VECTOR_PUSH(list, s);
  }
  block b = {PARSER_COPY(p, list), list.count};
  VECTOR_FREE(list);
  return b;
}

block parse_block(parser *p) {
  uint32_t open = parser_peek(p, 0)->at.start;
  block b = {0};
  if (!parser_enter(p)) return b;
  if (!parser_accept(p, TOKEN_OPEN_BRACE)) {
    parser_fail_expected(p, "`{`");
    report_hint(p->reporter, "bodies of if, else, while, choose and atomic stand in braces");
  } else {
    b = parse_statements(p);
    if (!parser_accept(p, TOKEN_CLOSE_BRACE) && !p->lost) {
      parser_fail_expected(p, "`}`");
      report_first_place(p->reporter, "the brace was opened", open);
    }
  }
  parser_leave(p);
  return b;
}

void parse_program_body(parser *p, process_tree *tree) {
  VECTOR(variables_tree *) variables = {0};
  VECTOR(invariant_tree) invariants = {0};
  while (at_item(p)) {
    bool is_clock = parser_at_word(p, WORD_clock);
    uint32_t start = parser_peek(p, 0)->at.start;
    if (parser_at_word(p, WORD_end)) {
      whet_token word = parser_take(p);
      if (tree->ends.count) parser_fail(p, word.at.start, "`end` stands twice in this program");
      tree->ends = parse_names(p, "the name of a label");
    } else if (parser_at_word(p, WORD_invariant)) {
      invariant_tree made = parse_invariant(p);
      if (!p->lost) VECTOR_PUSH(invariants, made);
    } else {
      parser_take(p);
      variables_tree *v = is_clock ? parse_clocks(p, start) : parse_variables(p, start);
      if (!p->lost) VECTOR_PUSH(variables, v);
    }
    if (p->lost) parser_recover_item(p, start);
    while (parser_accept(p, TOKEN_SEMICOLON)) {
    }
  }
  tree->variables = (variables_trees){PARSER_COPY(p, variables), variables.count};
  tree->invariants = PARSER_COPY(p, invariants);
  tree->invariant_count = invariants.count;
  VECTOR_FREE(variables);
  VECTOR_FREE(invariants);
  tree->body = parse_statements(p);
}
