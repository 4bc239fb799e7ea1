/* Declarations, and the text as a whole. */
#include "input/whet/parse/parse_expression.h"

declared_names parse_names(parser *p, const char *what) {
  VECTOR(declared_name) list = {0};
  do {
    declared_name name = parser_expect_name(p, what);
    VECTOR_PUSH(list, name);
  } while (parser_accept(p, TOKEN_COMMA));
  declared_names result = {PARSER_COPY(p, list), list.count};
  VECTOR_FREE(list);
  return result;
}

variables_tree *parse_variables(parser *p, uint32_t start) {
  variables_tree *v = arena_alloc(p->arena, sizeof(variables_tree));
  v->names = parse_names(p, "a name");
  if (parser_kind(p) == TOKEN_OPEN_SQUARE) {
    parser_fail_expected(p, "`:` and a type");
    report_hint(p->reporter, "the range of an array stands behind its type: `var a : int[0..9]`");
  }
  parser_expect(p, TOKEN_COLON, "`:` and a type");
  v->type = parse_type(p);
  if (parser_kind(p) == TOKEN_ASSIGN) {
    parser_fail_expected(p, "`=` and the initial value");
    report_hint(p->reporter, "`=` gives the initial value; `:=` is for steps");
  }
  if (parser_accept(p, TOKEN_EQUAL)) v->value = parse_expression(p);
  v->at = parser_span(p, start);
  return v;
}

/* clock x, y: as `var x, y : real = 0` */
variables_tree *parse_clocks(parser *p, uint32_t start) {
  variables_tree *v = arena_alloc(p->arena, sizeof(variables_tree));
  v->names = parse_names(p, "the name of a clock");
  v->at = parser_span(p, start);
  v->type = arena_alloc(p->arena, sizeof(type_tree));
  *v->type = (type_tree){.kind = TYPE_REAL, .at = v->at};
  v->value = parse_zero(p, v->at);
  v->is_clock = true;
  if (p->lost || (parser_kind(p) != TOKEN_COLON && parser_kind(p) != TOKEN_EQUAL)) return v;
  parser_fail_expected(p, "the end of the declaration");
  report_hint(p->reporter, "a clock is a real that starts at 0: `clock x`");
  return v;
}

/* const N = 3; const K, L : int; const M : 0..7 = 4 */
static variables_tree *parse_constants(parser *p, uint32_t start) {
  variables_tree *v = arena_alloc(p->arena, sizeof(variables_tree));
  v->names = parse_names(p, "a name");
  if (parser_accept(p, TOKEN_COLON))
    v->type = parse_type(p);
  else if (!p->lost && parser_kind(p) != TOKEN_EQUAL) {
    parser_fail_expected(p, "`=` and a value, or `:` and a type");
    report_hint(p->reporter, "`const N = 3` is a constant, `const N : int` a parameter");
  }
  if (parser_accept(p, TOKEN_EQUAL)) v->value = parse_expression(p);
  v->at = parser_span(p, start);
  return v;
}

variables_trees parse_typed_names(parser *p, const char *what) {
  VECTOR(variables_tree *) list = {0};
  parser_expect(p, TOKEN_OPEN, "`(`");
  if (parser_kind(p) != TOKEN_CLOSE) {
    do {
      variables_tree *v = arena_alloc(p->arena, sizeof(variables_tree));
      uint32_t start = parser_peek(p, 0)->at.start;
      v->names = parse_names(p, what);
      parser_expect(p, TOKEN_COLON, "`:` and a type");
      v->type = parse_type(p);
      v->at = parser_span(p, start);
      VECTOR_PUSH(list, v);
    } while (parser_accept(p, TOKEN_COMMA));
  }
  parser_expect(p, TOKEN_CLOSE, "`)` or `,`");
  variables_trees inputs = {PARSER_COPY(p, list), list.count};
  VECTOR_FREE(list);
  return inputs;
}

variables_trees parse_inputs(parser *p) {
  if (parser_kind(p) != TOKEN_OPEN) return (variables_trees){0};
  return parse_typed_names(p, "the name of an input");
}

/* The right sides of `count` targets. */
static void parse_values(parser *p, assignment *to, size_t count) {
  for (size_t i = 0; i < count; i++) {
    bool is_result = i && parser_kind(p) != TOKEN_COMMA && to[0].value && to[0].value->kind == EXPRESSION_CALL;
    if (is_result) {
      to[i].at = (span){to[i].target->at.start, p->end};
      continue;
    }
    if (i && !parser_accept(p, TOKEN_COMMA)) {
      parser_fail_expected(p, "`,`");
      report_hint(p->reporter, "%zu variables are assigned, but there %s only %zu value%s", count,
                  i == 1 ? "is" : "are", i, i == 1 ? "" : "s");
    }
    bool star = parser_accept(p, TOKEN_STAR);
    to[i].value = star ? NULL : parse_expression(p);
    to[i].at = (span){to[i].target->at.start, p->end};
  }
}

static bool is_assignment_end(whet_token_kind kind) {
  return kind == TOKEN_ASSIGN || kind == TOKEN_COMMA || kind == TOKEN_DOT || kind == TOKEN_OPEN_SQUARE;
}

static bool at_each(parser *p) { return parser_at_word(p, WORD_forall) && parser_peek(p, 1)->kind == TOKEN_NAME; }

/* forall i : low..high . of an update for all indices; NULL: it is none. */
static binder *parse_each(parser *p) {
  if (!at_each(p)) return NULL;
  parser_take(p);
  binder made = parse_binder(p);
  if (!made.low && !p->lost)
    parser_fail(p, made.at.start, "an update for all indices has a range: `forall %s : 0..n-1 . a[%s] := ..`",
                made.word->text, made.word->text);
  parser_expect(p, TOKEN_DOT, "`.` before the assignment");
  return parser_copy(p, &made, 1, sizeof(made));
}

/* Statements of programs that are taken for updates. */
static void fail_update(parser *p, const expression *target) {
  bool is_name = target->kind == EXPRESSION_NAME;
  parser_fail_expected(p, "`:=`");
  if (is_name && target->word->keyword == WORD_havoc)
    report_hint(p->reporter, "any value is assigned by `x := *`; `havoc` is a statement of programs");
  if (is_name && target->word->keyword == WORD_atomic)
    report_hint(p->reporter,
                "the updates of a step happen at once: `x := 1, y := 2`; `atomic { .. }` is a statement of programs");
}

bool parser_at_free(parser *p) { return parser_at_word(p, WORD_free) && parser_peek(p, 1)->kind == TOKEN_NAME; }

/* free p: an assignment of `free` to it. */
static assignment parse_free(parser *p) {
  whet_token word = parser_take(p);
  assignment made = {.target = parse_target(p)};
  made.value = expression_new(p, EXPRESSION_NAME, word.at, 0, NULL);
  made.value->word = word.word;
  made.at = (span){word.at.start, p->end};
  return made;
}

assignments parse_assignments(parser *p) {
  VECTOR(assignment) list = {0};
  do {
    size_t group = list.count;
    if (parser_at_free(p)) {
      assignment made = parse_free(p);
      VECTOR_PUSH(list, made);
      continue;
    }
    binder *each = parse_each(p);
    whet_token_kind next = parser_peek(p, 1)->kind;
    bool goes_on = is_assignment_end(next) || next == TOKEN_NOT || next == TOKEN_QUESTION;
    if (group && !each && !p->lost && (parser_kind(p) != TOKEN_NAME || !goes_on)) {
      parser_fail_expected(p, "another assignment");
      report_hint(p->reporter, "each variable on the left of `:=` gets one value");
    }
    do {
      expression *target = parse_target(p);
      binder *own = each ? parser_copy(p, each, 1, sizeof(*each)) : NULL;
      VECTOR_PUSH(list, (assignment){.target = target, .each = own});
    } while (parser_accept(p, TOKEN_COMMA));
    if (list.count == group + 1 && !each && (parser_kind(p) == TOKEN_NOT || parser_kind(p) == TOKEN_QUESTION)) {
      parse_message(p, &list.at[group]);
      continue;
    }
    if (!p->lost && parser_kind(p) == TOKEN_EQUAL) {
      parser_fail_expected(p, "`:=`");
      report_hint(p->reporter, "`:=` assigns, `=` compares");
    }
    whet_token_kind sign = parser_kind(p), second = parser_peek(p, 1)->kind;
    if (!p->lost && (sign == TOKEN_PLUS || sign == TOKEN_MINUS) && (second == sign || second == TOKEN_EQUAL)) {
      const char *op = sign == TOKEN_PLUS ? "+" : "-";
      char *target = source_excerpt(p->reporter->source, list.at[group].target->at, 40);
      parser_fail_expected(p, "`:=`");
      report_hint(p->reporter, "write `%s := %s %s %s`", target, target, op, second == sign ? "1" : "..");
      memory_free(target);
    }
    if (!p->lost && sign != TOKEN_ASSIGN) fail_update(p, list.at[group].target);
    parser_expect(p, TOKEN_ASSIGN, "`:=`");
    parse_values(p, list.at + group, list.count - group);
  } while (parser_accept(p, TOKEN_COMMA));
  assignments result = {PARSER_COPY(p, list), list.count};
  VECTOR_FREE(list);
  return result;
}

static command_tree *parse_action(parser *p, uint32_t start) {
  command_tree *c = arena_alloc(p->arena, sizeof(command_tree));
  declared_name name = parser_expect_name(p, "the name of the action");
  c->label = name.word;
  c->label_at = name.at;
  c->inputs = parse_inputs(p);
  parser_expect(p, TOKEN_COLON, "`:` and the guard of the action");
  c->guard = parse_expression(p);
  if (parser_accept_word(p, WORD_fails)) c->fails = parse_expression(p);
  if (!p->lost && parser_kind(p) != TOKEN_ARROW) {
    parser_fail_expected(p, "`->` or an operator");
    report_hint(p->reporter, "an action is `action NAME: GUARD -> UPDATES`; without a condition the guard is `true`");
  }
  parser_accept(p, TOKEN_ARROW);
  bool updates =
      parser_kind(p) == TOKEN_NAME && (is_assignment_end(parser_peek(p, 1)->kind) || !parser_starts_declaration(p));
  if (updates) c->updates = parse_assignments(p);
  c->at = parser_span(p, start);
  return c;
}

static void parse_formula(parser *p, declaration *d, logic allowed) {
  p->logic = allowed;
  p->in_property = true;
  expression *e = parse_expression(p);
  p->logic = LOGIC_NONE;
  p->in_property = false;
  d->expressions = (expressions){parser_copy(p, &e, 1, sizeof(e)), 1};
}

static void parse_property(parser *p, declaration *d, logic allowed) {
  bool named = parser_kind(p) == TOKEN_NAME && parser_peek(p, 1)->kind == TOKEN_COLON;
  if (!named && !p->lost) {
    char *kind = source_excerpt(p->reporter->source, d->at, 20);
    parser_fail_expected(p, "the name of the property and `:`");
    report_hint(p->reporter, "every property has a name: `%s NAME: ..`", kind);
    memory_free(kind);
  }
  d->name = parser_expect_name(p, "the name of the property");
  parser_expect(p, TOKEN_COLON, "`:`");
  parse_formula(p, d, allowed);
}

/* `unless E`, not a property called so. */
static bool at_unless(parser *p) {
  const whet_token *next = parser_peek(p, 1);
  return parser_at_word(p, WORD_unless) && next->kind != TOKEN_END && next->kind != TOKEN_SEMICOLON &&
         !(next->first_on_line && parser_declares_ahead(p, 1)) && !parser_word_ahead(p, 1, WORD_unless);
}

/* A property that is a word, and a name if there is another one. */
static void parse_word_property(parser *p, declaration *d, const char *word) {
  bool named = parser_kind(p) == TOKEN_NAME && !parser_starts_declaration(p) && !at_unless(p);
  d->name = named ? parser_expect_name(p, "a name") : (declared_name){.word = words_make(p->words, word), .at = d->at};
}

/* a, P.take, {b, c}: a group each. */
static void parse_fair_groups(parser *p, declaration *d) {
  VECTOR(fair_group) groups = {0};
  do {
    VECTOR(expression *) members = {0};
    bool several = parser_accept(p, TOKEN_OPEN_BRACE);
    do {
      expression *member = parse_target(p);
      VECTOR_PUSH(members, member);
    } while (several && parser_accept(p, TOKEN_COMMA));
    if (several) parser_expect(p, TOKEN_CLOSE_BRACE, "`,` or `}`");
    VECTOR_PUSH(groups, (fair_group){{PARSER_COPY(p, members), members.count}});
    VECTOR_FREE(members);
  } while (parser_accept(p, TOKEN_COMMA));
  d->groups = PARSER_COPY(p, groups);
  d->group_count = groups.count;
  VECTOR_FREE(groups);
}

/* x, a[1], P.y */
static expressions parse_targets(parser *p) {
  VECTOR(expression *) list = {0};
  do {
    expression *e = parse_target(p);
    VECTOR_PUSH(list, e);
  } while (parser_accept(p, TOKEN_COMMA));
  expressions result = {PARSER_COPY(p, list), list.count};
  VECTOR_FREE(list);
  return result;
}

static expression *often(parser *p, expression *e) {
  expression *made = expression_new(p, EXPRESSION_TEMPORAL, e->at, 1, &e);
  made->temporal = TEMPORAL_INF;
  return made;
}

/* streett (p, q), (r, s): inf(p) => inf(q), of each pair. rabin: !inf(p) && inf(q), of one of them. */
static expressions parse_fair_pairs(parser *p, bool is_rabin) {
  VECTOR(expression *) all = {0};
  uint32_t start = parser_peek(p, 0)->at.start;
  do {
    uint32_t first = parser_peek(p, 0)->at.start;
    parser_expect(p, TOKEN_OPEN, "`(` and a pair of conditions");
    expression *left = often(p, parse_expression(p));
    parser_expect(p, TOKEN_COMMA, "`,` and the second condition of the pair");
    expression *right = often(p, parse_expression(p));
    parser_expect(p, TOKEN_CLOSE, "`)`");
    span at = parser_span(p, first);
    if (is_rabin) left = expression_new(p, EXPRESSION_NOT, left->at, 1, &left);
    expression *both[] = {left, right};
    VECTOR_PUSH(all, expression_new(p, is_rabin ? EXPRESSION_AND : EXPRESSION_IMPLIES, at, 2, both));
  } while (parser_accept(p, TOKEN_COMMA));
  expressions result = {PARSER_COPY(p, all), all.count};
  if (is_rabin && all.count > 1) {
    expression *one = expression_new(p, EXPRESSION_OR, parser_span(p, start), all.count, all.at);
    result = (expressions){parser_copy(p, &one, 1, sizeof one), 1};
  }
  VECTOR_FREE(all);
  return result;
}

static bool is_group_start(const whet_token *t) { return t->kind == TOKEN_OPEN_BRACE || t->kind == TOKEN_NAME; }

static void parse_fair(parser *p, declaration *d) {
  whet_token_kind second = parser_peek(p, 1)->kind;
  bool goes_on = second == TOKEN_COMMA || second == TOKEN_DOT || second == TOKEN_OPEN_SQUARE || second == TOKEN_END;
  if (parser_at_word(p, WORD_when) && !goes_on) {
    parser_take(p);
    d->expressions = parse_expressions(p);
    return;
  }
  bool is_rabin = parser_at_word(p, WORD_rabin);
  if ((is_rabin || parser_at_word(p, WORD_streett)) && second == TOKEN_OPEN) {
    parser_take(p);
    d->expressions = parse_fair_pairs(p, is_rabin);
    return;
  }
  if (parser_at_word(p, WORD_strong) && is_group_start(parser_peek(p, 1))) {
    d->is_strong = true;
    parser_take(p);
  }
  parse_fair_groups(p, d);
}

static const struct {
  keyword word;
  const char *spelling;
  declaration_kind kind;
} declaration_words[] = {
    {WORD_flat, "flat", DECLARATION_FLAT},
    {WORD_const, "const", DECLARATION_CONST},
    {WORD_var, "var", DECLARATION_VAR},
    {WORD_clock, "clock", DECLARATION_VAR},
    {WORD_channel, "channel", DECLARATION_VAR},
    {WORD_sync, "sync", DECLARATION_VAR},
    {WORD_lossy, "lossy", DECLARATION_VAR},
    {WORD_type, "type", DECLARATION_TYPE},
    {WORD_record, "record", DECLARATION_RECORD},
    {WORD_define, "define", DECLARATION_DEFINE},
    {WORD_init, "init", DECLARATION_INIT},
    {WORD_predicates, "predicates", DECLARATION_PREDICATES},
    {WORD_lemma, "lemma", DECLARATION_LEMMA},
    {WORD_domain, "domain", DECLARATION_DOMAIN},
    {WORD_control, "control", DECLARATION_CONTROL},
    {WORD_action, "action", DECLARATION_ACTION},
    {WORD_procedure, "procedure", DECLARATION_PROCEDURE},
    {WORD_process, "process", DECLARATION_PROCESS},
    {WORD_program, "program", DECLARATION_PROCESS},
    {WORD_safe, "safe", DECLARATION_SAFE},
    {WORD_unreachable, "unreachable", DECLARATION_UNREACHABLE},
    {WORD_deadlockfree, "deadlockfree", DECLARATION_DEADLOCKFREE},
    {WORD_terminates, "terminates", DECLARATION_TERMINATES},
    {WORD_ctl, "ctl", DECLARATION_CTL},
    {WORD_ctlstar, "ctlstar", DECLARATION_CTLSTAR},
    {WORD_ltl, "ltl", DECLARATION_LTL},
    {WORD_mu, "mu", DECLARATION_MU},
    {WORD_fair, "fair", DECLARATION_FAIR},
};

/* The place of `t` in the table above; its length if it is not there. */
static size_t find_declaration_word(const whet_token *t) {
  size_t i = 0;
  if (t->kind != TOKEN_NAME || t->quoted) return ARRAY_LENGTH(declaration_words);
  while (i < ARRAY_LENGTH(declaration_words) && declaration_words[i].word != t->word->keyword) i++;
  return i;
}

bool parser_starts_declaration(parser *p) { return parser_declares_ahead(p, 0); }

bool token_starts_declaration(const whet_token *t) {
  bool is_include = t->kind == TOKEN_NAME && !t->quoted && t->word->keyword == WORD_include;
  return is_include || find_declaration_word(t) < ARRAY_LENGTH(declaration_words);
}

bool parser_declares_ahead(parser *p, unsigned ahead) { return token_starts_declaration(parser_peek(p, ahead)); }

/* What other languages have and this one has not, and what is there for it. */
static const struct {
  const char *spelling, *instead;
} foreign_words[] = {
    {"type",
     "types have no names: an enumeration or range stands where it is used, and its bounds can be constants: `const N "
     "= 3`, `var x : 0..N`"},
    {"typedef", "types have no names: an enumeration or range stands where it is used, `var x : {red, green}`"},
    {"struct", "a record is `record NAME { x : int, y : 0..3 }`"},
    {"int", "a variable is declared by `var x : int = 0`"},
    {"bool", "a variable is declared by `var x : bool = false`"},
    {"enum", "an enumeration is a type: `var light : {red, green}`"},
    {"chan",
     "a channel is `channel c[4] of int`, with `c ! 1` to send and `c ? x` to receive; without room it is `sync "
     "channel "
     "c of int`"},
    {"import", "another file is included by `include \"file.whet\"`; -D NAME=VALUE sets constants from outside"},
    {"module", "the parts of a model are `process NAME { .. }` and `program NAME { .. }`, or actions"},
    {"proctype", "a process is `program NAME { .. }` (statements) or `process NAME { .. }` (states and edges)"},
    {"function",
     "a named expression is `define NAME = ..`, and `procedure NAME(x : int) returns (r : int) { .. }` is called"},
    {"invariant", "a property of every reachable state is `safe NAME: ..`"},
    {"assert", "a property of every reachable state is `safe NAME: ..`; `assert` stands in programs"},
    {"next", "a step is `action NAME: GUARD -> x := ..`"},
};

/* NULL: it is no such word. */
static const char *instead_of(const char *spelling) {
  for (size_t i = 0; i < ARRAY_LENGTH(foreign_words); i++)
    if (!strcmp(foreign_words[i].spelling, spelling)) return foreign_words[i].instead;
  return NULL;
}

/* NULL: nothing is near. */
static const char *near_declaration(const char *spelling) {
  for (size_t i = 0; i < ARRAY_LENGTH(declaration_words); i++)
    if (words_are_near(spelling, declaration_words[i].spelling)) return declaration_words[i].spelling;
  return NULL;
}

bool parser_resembles_declaration(parser *p) {
  const whet_token *t = parser_peek(p, 0);
  if (t->kind != TOKEN_NAME || t->quoted || parser_peek(p, 1)->kind != TOKEN_NAME) return false;
  return instead_of(t->word->text) || near_declaration(t->word->text);
}

static void fail_declaration(parser *p) {
  whet_token t = *parser_peek(p, 0);
  parser_fail_expected(p, "a declaration");
  if (t.kind == TOKEN_ARROW) report_hint(p->reporter, HINT_IMPLICATION);
  if (t.kind != TOKEN_NAME) return;
  const char *instead = instead_of(t.word->text), *near = near_declaration(t.word->text);
  if (instead)
    report_hint(p->reporter, "%s", instead);
  else if (near)
    report_hint(p->reporter, "did you mean `%s`?", near);
}

static void parse_define(parser *p, declaration *d) {
  d->name = parser_expect_name(p, "the name of the definition");
  if (parser_accept(p, TOKEN_OPEN)) {
    d->parameters = parse_names(p, "the name of a parameter");
    if (parser_kind(p) == TOKEN_COLON) {
      parser_fail_expected(p, "`)` or `,`");
      report_hint(p->reporter, "parameters of a definition have no types: `define NAME(x, y) = EXPRESSION`");
    }
    parser_expect(p, TOKEN_CLOSE, "`)` or `,`");
  }
  if (parser_kind(p) == TOKEN_ASSIGN || parser_kind(p) == TOKEN_COLON) {
    parser_fail_expected(p, "`=`");
    report_hint(p->reporter, "a definition is `define NAME = EXPRESSION` or `define NAME(x, y) = EXPRESSION`");
  }
  parser_expect(p, TOKEN_EQUAL, "`=`");
  expression *e = parse_expression(p);
  d->expressions = (expressions){parser_copy(p, &e, 1, sizeof(e)), 1};
}

/* type Data, Key */
static void parse_types(parser *p, declaration *d) {
  d->types = parse_names(p, "the name of a type");
  if (p->lost || parser_kind(p) != TOKEN_EQUAL) return;
  parser_fail(p, d->at.start, "expected a declaration, found `type`");
  report_hint(p->reporter, "%s", instead_of("type"));
}

/* record NAME { x : int, y, z : 0..3 = 1 } */
static void parse_record(parser *p, declaration *d) {
  VECTOR(variables_tree *) list = {0};
  d->name = parser_expect_name(p, "the name of the record");
  if (!parser_expect(p, TOKEN_OPEN_BRACE, "`{`"))
    report_hint(p->reporter, "a record is `record NAME { x : int, y : 0..3 }`");
  while (!p->lost && parser_kind(p) != TOKEN_CLOSE_BRACE) {
    if (parser_accept(p, TOKEN_COMMA) || parser_accept(p, TOKEN_SEMICOLON)) continue;
    parser_accept_word(p, WORD_var);
    variables_tree *v = parse_variables(p, parser_peek(p, 0)->at.start);
    VECTOR_PUSH(list, v);
  }
  parser_expect(p, TOKEN_CLOSE_BRACE, "`,` or `}`");
  if (!list.count && !p->lost) parser_fail(p, d->name.at.start, "the record `%s` has no fields", d->name.word->text);
  d->fields = (variables_trees){PARSER_COPY(p, list), list.count};
  VECTOR_FREE(list);
}

static void parse_content(parser *p, declaration *d, keyword word) {
  switch (d->kind) {
    case DECLARATION_FLAT: break;
    case DECLARATION_CONST: d->variables = parse_constants(p, d->at.start); break;
    case DECLARATION_VAR:
      d->variables = word == WORD_clock ? parse_clocks(p, d->at.start)
                     : word == WORD_var ? parse_variables(p, d->at.start)
                                        : parse_channel(p, d->at.start, word);
      break;
    case DECLARATION_TYPE: parse_types(p, d); break;
    case DECLARATION_RECORD: parse_record(p, d); break;
    case DECLARATION_DEFINE: parse_define(p, d); break;
    case DECLARATION_INIT:
    case DECLARATION_PREDICATES:
    case DECLARATION_LEMMA:
    case DECLARATION_DOMAIN: d->expressions = parse_expressions(p); break;
    case DECLARATION_CONTROL: d->expressions = parse_targets(p); break;
    case DECLARATION_ACTION: d->action = parse_action(p, d->at.start); break;
    case DECLARATION_PROCESS: d->process = parse_process(p, word == WORD_program, d->at); break;
    case DECLARATION_PROCEDURE: d->process = parse_procedure(p); break;
    case DECLARATION_SAFE:
    case DECLARATION_UNREACHABLE: parse_property(p, d, LOGIC_NONE); break;
    case DECLARATION_DEADLOCKFREE:
      parse_word_property(p, d, "deadlockfree");
      if (!at_unless(p)) break;
      parser_take(p);
      parse_formula(p, d, LOGIC_NONE);
      break;
    case DECLARATION_TERMINATES: parse_word_property(p, d, "terminates"); break;
    case DECLARATION_CTL: parse_property(p, d, LOGIC_CTL); break;
    case DECLARATION_LTL: parse_property(p, d, LOGIC_LTL); break;
    case DECLARATION_CTLSTAR: parse_property(p, d, LOGIC_CTLSTAR); break;
    case DECLARATION_MU: parse_property(p, d, LOGIC_MU); break;
    case DECLARATION_FAIR: parse_fair(p, d); break;
  }
}

declaration *parse_declaration(parser *p) {
  declaration *d = arena_alloc(p->arena, sizeof(declaration));
  whet_token first = *parser_peek(p, 0);
  size_t found = find_declaration_word(&first);
  d->at = first.at;
  if (found == ARRAY_LENGTH(declaration_words)) {
    fail_declaration(p);
    return d;
  }
  d->kind = declaration_words[found].kind;
  parser_take(p);
  parse_content(p, d, first.word->keyword);
  d->at = parser_span(p, first.at.start);
  return d;
}

void parse_module(parser *p, module *out) {
  for (;;) {
    while (parser_accept(p, TOKEN_SEMICOLON)) {
    }
    if (parser_kind(p) == TOKEN_END) break;
    uint32_t start = parser_peek(p, 0)->at.start;
    size_t errors = p->reporter->out->errors;
    if (parser_at_word(p, WORD_include)) {
      parse_include(p, out);
      if (p->lost) parser_recover_declaration(p, start);
      continue;
    }
    declaration *d = parse_declaration(p);
    if (d->kind == DECLARATION_FLAT && p->outer)
      parser_fail(p, d->at.start, "`flat` is about a whole text: a file that is included cannot have it");
    if (p->lost)
      parser_recover_declaration(p, start);
    else if (p->reporter->out->errors == errors)
      VECTOR_PUSH(out->declarations, d);
  }
}
