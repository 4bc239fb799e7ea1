/* Processes: variables, clocks, states and their invariants, edges. */
#include "input/whet/parse/parser.h"

/* [LABEL :] FROM -> TO [(inputs)] [when GUARD] [: updates] */
static command_tree *parse_edge(parser *p) {
  command_tree *c = arena_alloc(p->arena, sizeof(command_tree));
  uint32_t start = parser_peek(p, 0)->at.start;
  c->from = parser_expect_name(p, "`states`, `var`, `clock`, `invariant`, or an edge `[LABEL:] FROM -> TO`");
  if (parser_accept(p, TOKEN_COLON)) {
    c->label = c->from.word;
    c->label_at = c->from.at;
    c->from = parser_expect_name(p, "the state that the edge leaves");
  }
  if (!parser_expect(p, TOKEN_ARROW, "`->`"))
    report_hint(p->reporter, "an edge is `[LABEL:] FROM -> TO [when GUARD] [: UPDATES]`");
  c->to = parser_expect_name(p, "the state that the edge enters");
  c->inputs = parse_inputs(p);
  whet_token_kind second = parser_peek(p, 1)->kind;
  bool guarded = parser_at_word(p, WORD_when) && second != TOKEN_ARROW && second != TOKEN_COLON;
  if (guarded) {
    parser_take(p);
    c->guard = parse_expression(p);
  }
  second = parser_peek(p, 1)->kind;
  bool fails = parser_at_word(p, WORD_fails) && second != TOKEN_ARROW && second != TOKEN_COLON;
  if (fails) {
    parser_take(p);
    c->fails = parse_expression(p);
  }
  if (parser_accept(p, TOKEN_COLON)) c->updates = parse_assignments(p);
  c->at = parser_span(p, start);
  return c;
}

typedef struct items {
  VECTOR(variables_tree *) variables;
  VECTOR(declared_name) states;
  declared_names atomic, ends;
  VECTOR(invariant_tree) invariants;
  VECTOR(command_tree *) commands;
} items;

static void parse_states(parser *p, items *to) {
  whet_token first = parser_take(p);
  if (to->states.count) {
    parser_fail(p, first.at.start, "the states are listed twice");
    report_first_place(p->reporter, "first listed", to->states.at[0].at.start);
  }
  do {
    declared_name state = parser_expect_name(p, "the name of a state");
    VECTOR_PUSH(to->states, state);
  } while (parser_accept(p, TOKEN_COMMA));
}

/* After a word that says something of states: once in a process. */
static void parse_marks(parser *p, declared_names *to) {
  whet_token first = parser_take(p);
  if (to->count) {
    parser_fail(p, first.at.start, "`%s` stands twice in this process", first.word->text);
    report_first_place(p->reporter, "the first one is", to->at[0].at.start);
  }
  *to = parse_names(p, "the name of a state");
}

invariant_tree parse_invariant(parser *p) {
  uint32_t start = parser_take(p).at.start;
  declared_names states = parse_names(p, "the name of a state or label");
  if (!parser_expect(p, TOKEN_COLON, "`:`"))
    report_hint(p->reporter, "an invariant is `invariant STATES : CLOCK <= BOUND`");
  invariant_tree made = {.states = states, .condition = parse_expression(p)};
  made.at = parser_span(p, start);
  return made;
}

static void parse_item(parser *p, items *to) {
  whet_token_kind second = parser_peek(p, 1)->kind;
  if (parser_at_word(p, WORD_var) && second == TOKEN_NAME) {
    uint32_t start = parser_take(p).at.start;
    variables_tree *v = parse_variables(p, start);
    VECTOR_PUSH(to->variables, v);
  } else if (parser_at_word(p, WORD_clock) && second == TOKEN_NAME) {
    uint32_t start = parser_take(p).at.start;
    variables_tree *v = parse_clocks(p, start);
    VECTOR_PUSH(to->variables, v);
  } else if (parser_at_word(p, WORD_invariant) && second == TOKEN_NAME) {
    invariant_tree made = parse_invariant(p);
    VECTOR_PUSH(to->invariants, made);
  } else if (parser_at_word(p, WORD_states) && second == TOKEN_NAME) {
    parse_states(p, to);
  } else if (parser_at_word(p, WORD_atomic) && second == TOKEN_NAME) {
    parse_marks(p, &to->atomic);
  } else if (parser_at_word(p, WORD_end) && second == TOKEN_NAME) {
    parse_marks(p, &to->ends);
  } else {
    command_tree *edge = parse_edge(p);
    VECTOR_PUSH(to->commands, edge);
  }
}

static void parse_process_body(parser *p, process_tree *tree) {
  items list = {0};
  while (parser_kind(p) != TOKEN_CLOSE_BRACE && parser_kind(p) != TOKEN_END) {
    if (parser_accept(p, TOKEN_SEMICOLON)) continue;
    uint32_t start = parser_peek(p, 0)->at.start;
    parse_item(p, &list);
    if (p->lost) parser_recover_item(p, start);
  }
  tree->variables = (variables_trees){PARSER_COPY(p, list.variables), list.variables.count};
  tree->states = (declared_names){PARSER_COPY(p, list.states), list.states.count};
  tree->atomic = list.atomic;
  tree->ends = list.ends;
  tree->invariants = PARSER_COPY(p, list.invariants);
  tree->invariant_count = list.invariants.count;
  tree->commands = (commands){PARSER_COPY(p, list.commands), list.commands.count};
  VECTOR_FREE(list.variables);
  VECTOR_FREE(list.states);
  VECTOR_FREE(list.invariants);
  VECTOR_FREE(list.commands);
}

process_tree *parse_process(parser *p, bool is_program, span keyword) {
  process_tree *tree = arena_alloc(p->arena, sizeof(process_tree));
  tree->is_program = is_program;
  tree->name.at = keyword;
  if (!is_program || parser_kind(p) != TOKEN_OPEN_BRACE)
    tree->name = parser_expect_name(p, is_program ? "`{`, or the name of the program" : "the name of the process");
  if (parser_accept(p, TOKEN_OPEN_SQUARE)) {
    binder index = parse_binder(p);
    if (!index.low && !p->lost)
      parser_fail(p, index.at.start, "the copies of a process have a range: `%s : 1..N`", index.word->text);
    tree->index = parser_copy(p, &index, 1, sizeof(index));
    parser_expect(p, TOKEN_CLOSE_SQUARE, "`]`");
  }
  uint32_t open = parser_peek(p, 0)->at.start;
  parser_expect(p, TOKEN_OPEN_BRACE, "`{`");
  if (p->lost) return tree;
  if (is_program)
    parse_program_body(p, tree);
  else
    parse_process_body(p, tree);
  if (!parser_accept(p, TOKEN_CLOSE_BRACE)) {
    parser_fail_expected(p, "`}`");
    report_first_place(p->reporter, "the brace was opened", open);
  }
  return tree;
}
