/* Which names are temporal operators, and where. */
#include "input/whet/parse/parse_expression.h"

typedef struct prefix_operator {
  keyword word;
  logic logic;
  temporal_kind kind;
} prefix_operator;

static const prefix_operator prefixes[] = {
    {WORD_AX, LOGIC_CTL, TEMPORAL_AX},   {WORD_EX, LOGIC_CTL, TEMPORAL_EX},      {WORD_AF, LOGIC_CTL, TEMPORAL_AF},
    {WORD_EF, LOGIC_CTL, TEMPORAL_EF},   {WORD_AG, LOGIC_CTL, TEMPORAL_AG},      {WORD_EG, LOGIC_CTL, TEMPORAL_EG},
    {WORD_X, LOGIC_LTL, TEMPORAL_X},     {WORD_F, LOGIC_LTL, TEMPORAL_F},        {WORD_G, LOGIC_LTL, TEMPORAL_G},
    {WORD_A, LOGIC_CTLSTAR, TEMPORAL_A}, {WORD_E, LOGIC_CTLSTAR, TEMPORAL_E},    {WORD_Y, LOGIC_LTL, PAST_YESTERDAY},
    {WORD_O, LOGIC_LTL, PAST_ONCE},      {WORD_H, LOGIC_LTL, PAST_HISTORICALLY},
};

static bool is_operand_start(whet_token_kind kind) {
  return kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == TOKEN_OPEN || kind == TOKEN_NOT;
}

static const prefix_operator *find_prefix(parser *p) {
  const whet_token *t = parser_peek(p, 0);
  if (t->kind != TOKEN_NAME || t->quoted) return NULL;
  for (size_t i = 0; i < ARRAY_LENGTH(prefixes); i++)
    if (prefixes[i].word == t->word->keyword) return &prefixes[i];
  return NULL;
}

static bool is_infix_word(parser *p, unsigned ahead) {
  return parser_word_ahead(p, ahead, WORD_U) || parser_word_ahead(p, ahead, WORD_R) ||
         parser_word_ahead(p, ahead, WORD_W) || parser_word_ahead(p, ahead, WORD_S);
}

temporal_kind temporal_prefix(parser *p) {
  if (p->logic == LOGIC_NONE) return TEMPORAL_STATE;
  if (p->logic == LOGIC_MU) {
    if (parser_kind(p) == TOKEN_DIAMOND) return TEMPORAL_DIAMOND;
    bool box = parser_kind(p) == TOKEN_OPEN_SQUARE && parser_peek(p, 1)->kind == TOKEN_CLOSE_SQUARE;
    return box ? TEMPORAL_BOX : TEMPORAL_STATE;
  }
  const prefix_operator *found = find_prefix(p);
  if (!found || (found->logic != p->logic && p->logic != LOGIC_CTLSTAR) || !is_operand_start(parser_peek(p, 1)->kind))
    return TEMPORAL_STATE;
  bool infix_follows = is_infix_word(p, 1) || parser_word_ahead(p, 1, WORD_at);
  if (infix_follows && is_operand_start(parser_peek(p, 2)->kind)) return TEMPORAL_STATE;
  return found->kind;
}

temporal_kind temporal_infix(parser *p) {
  if ((p->logic != LOGIC_LTL && p->logic != LOGIC_CTLSTAR) || !is_infix_word(p, 0)) return TEMPORAL_STATE;
  if (p->run_brackets && p->run_brackets == p->parentheses) return TEMPORAL_STATE;
  return temporal_infix_word(p);
}

temporal_kind temporal_infix_word(parser *p) {
  if (parser_at_word(p, WORD_U)) return TEMPORAL_U;
  if (parser_at_word(p, WORD_S)) return PAST_SINCE;
  return parser_at_word(p, WORD_R) ? TEMPORAL_R : parser_at_word(p, WORD_W) ? TEMPORAL_W : TEMPORAL_STATE;
}

bool temporal_fixpoint(parser *p) {
  return p->logic == LOGIC_MU && (parser_at_word(p, WORD_mu) || parser_at_word(p, WORD_nu)) &&
         parser_peek(p, 1)->kind == TOKEN_NAME && parser_peek(p, 2)->kind == TOKEN_DOT;
}

bool temporal_path_quantifier(parser *p) {
  return (p->logic == LOGIC_CTL || p->logic == LOGIC_CTLSTAR) &&
         (parser_at_word(p, WORD_A) || parser_at_word(p, WORD_E)) && parser_peek(p, 1)->kind == TOKEN_OPEN_SQUARE;
}

/* `A (G ..)`, `E G ..` outside `ctlstar`. */
static void refuse_quantifier(parser *p) {
  bool is_parenthesis = parser_peek(p, 1)->kind == TOKEN_OPEN;
  const whet_token *after = parser_peek(p, is_parenthesis ? 2 : 1);
  if (p->logic == LOGIC_MU || after->kind != TOKEN_NAME || after->quoted || after->first_on_line) return;
  bool is_operator = false;
  for (size_t i = 0; i < ARRAY_LENGTH(prefixes); i++)
    is_operator |= prefixes[i].logic == LOGIC_LTL && prefixes[i].word == after->word->keyword;
  if (!is_operator || !is_operand_start(parser_peek(p, is_parenthesis ? 3 : 2)->kind)) return;
  whet_token name = *parser_peek(p, 0);
  parser_fail(p, name.at.start, "`%s` before a formula about runs is of ctlstar properties", name.word->text);
  report_hint(p->reporter, "write `ctlstar NAME: ..`; in ctl properties the two are one word: `AG EF x > 0`");
}

void temporal_refuse(parser *p) {
  const prefix_operator *found = find_prefix(p);
  if (p->logic == LOGIC_CTLSTAR || !found || found->logic == p->logic || temporal_is_past(found->kind)) return;
  if (found->logic == LOGIC_CTLSTAR) {
    refuse_quantifier(p);
    return;
  }
  whet_token name = *parser_peek(p, 0);
  const whet_token *next = parser_peek(p, 1);
  bool two_letters = name.word->length == 2, is_alone = next->kind == TOKEN_NAME && !next->first_on_line;
  bool is_certain = two_letters || (p->in_property && !parser_declares_ahead(p, 1));
  if (next->kind != TOKEN_OPEN && !(is_alone && is_certain)) return;
  if (parser_word_ahead(p, 1, WORD_at) || parser_word_ahead(p, 1, WORD_then) || parser_word_ahead(p, 1, WORD_else))
    return;
  const char *wanted = found->logic == LOGIC_CTL ? "ctl" : "ltl";
  parser_fail(p, name.at.start, "`%s` is an operator of %s properties", name.word->text, wanted);
  if (p->logic == LOGIC_NONE && found->kind == TEMPORAL_G && p->in_property)
    report_hint(p->reporter, "`safe NAME: F` says that F holds in every reachable state: leave out the `G`");
  else if (p->logic == LOGIC_CTL)
    report_hint(p->reporter,
                "write `ltl NAME: ..`; in ctl properties `A` or `E` stands before each operator: `AG AF x > 0`");
  else
    report_hint(p->reporter, "write `%s NAME: ..` for a property with temporal operators", wanted);
}
