/* Procedures: parameters, results, what is required and ensured, and the body, which is that of a program. */
#include "input/whet/parse/parser.h"

static variables_trees parse_results(parser *p) {
  if (!parser_accept_word(p, WORD_returns)) return (variables_trees){0};
  if (parser_kind(p) != TOKEN_OPEN && !p->lost) {
    parser_fail_expected(p, "`(`");
    report_hint(p->reporter, "results have names, and are assigned in the body: `returns (r : int)`");
  }
  return parse_typed_names(p, "the name of a result");
}

static void parse_contracts(parser *p, process_tree *tree) {
  VECTOR(contract) list = {0};
  while (!p->lost && (parser_at_word(p, WORD_requires) || parser_at_word(p, WORD_ensures))) {
    bool is_ensured = parser_take(p).word->keyword == WORD_ensures;
    contract made = {is_ensured, parse_expressions(p)};
    VECTOR_PUSH(list, made);
    while (parser_accept(p, TOKEN_SEMICOLON)) {
    }
  }
  tree->contracts = PARSER_COPY(p, list);
  tree->contract_count = list.count;
  VECTOR_FREE(list);
}

process_tree *parse_procedure(parser *p) {
  process_tree *tree = arena_alloc(p->arena, sizeof(process_tree));
  tree->is_program = tree->is_procedure = true;
  tree->name = parser_expect_name(p, "the name of the procedure");
  if (parser_kind(p) != TOKEN_OPEN && !p->lost) {
    parser_fail_expected(p, "`(`");
    report_hint(p->reporter,
                "a procedure is `procedure NAME(x : int) returns (r : int) { .. }`; `()` if it has no parameters");
  }
  tree->parameters = parse_typed_names(p, "the name of a parameter");
  tree->results = parse_results(p);
  parse_contracts(p, tree);
  uint32_t open = parser_peek(p, 0)->at.start;
  parser_expect(p, TOKEN_OPEN_BRACE, "`{`");
  if (p->lost) return tree;
  parse_program_body(p, tree);
  if (!parser_accept(p, TOKEN_CLOSE_BRACE)) {
    parser_fail_expected(p, "`}`");
    report_first_place(p->reporter, "the brace was opened", open);
  }
  return tree;
}
