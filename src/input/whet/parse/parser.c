/* The token window, messages, and recovery after errors. */
#include "input/whet/parse/parser.h"

void parser_open(parser *p, reporter *r, words *w, arena *a) {
  *p = (parser){.reporter = r, .words = w, .arena = a};
  lexer_open(&p->lexer, r, w);
}

void parser_close(parser *p) {
  lexer_close(&p->lexer);
  VECTOR_FREE(p->parts);
  VECTOR_FREE(p->operators);
  VECTOR_FREE(p->included);
}

/* The token `ahead` of the current one, also while the parser is lost. */
static whet_token *window(parser *p, unsigned ahead) {
  assert(ahead < PARSER_AHEAD);
  while (p->looked <= ahead) p->ahead[(p->first + p->looked++) % PARSER_AHEAD] = lexer_next(&p->lexer);
  return &p->ahead[(p->first + ahead) % PARSER_AHEAD];
}

static void advance(parser *p) {
  p->end = window(p, 0)->at.end;
  p->first = (p->first + 1) % PARSER_AHEAD;
  p->looked--;
}

const whet_token *parser_peek(parser *p, unsigned ahead) {
  static const whet_token nothing = {.kind = TOKEN_END};
  return p->lost ? &nothing : window(p, ahead);
}

whet_token_kind parser_kind(parser *p) { return parser_peek(p, 0)->kind; }

bool parser_word_ahead(parser *p, unsigned ahead, keyword w) {
  const whet_token *t = parser_peek(p, ahead);
  return t->kind == TOKEN_NAME && !t->quoted && t->word->keyword == w;
}

bool parser_at_word(parser *p, keyword w) { return parser_word_ahead(p, 0, w); }

whet_token parser_take(parser *p) {
  whet_token t = *parser_peek(p, 0);
  if (!p->lost && t.kind != TOKEN_END) advance(p);
  return t;
}

bool parser_accept(parser *p, whet_token_kind kind) {
  if (p->lost || parser_kind(p) != kind) return false;
  parser_take(p);
  return true;
}

bool parser_accept_word(parser *p, keyword w) {
  if (!parser_at_word(p, w)) return false;
  parser_take(p);
  return true;
}

/* While the parser is lost, messages are dropped, and with them the hints that would follow. */
static bool is_silent(parser *p) {
  if (p->lost) p->reporter->hinting = false;
  return p->lost;
}

void parser_fail_expected(parser *p, const char *what) {
  if (is_silent(p)) return;
  const whet_token *t = window(p, 0);
  char *found = token_describe(p->reporter->source, t);
  report_error(p->reporter, t->at.start, "expected %s, found %s", what, found);
  memory_free(found);
  p->lost = true;
}

void parser_fail(parser *p, uint32_t offset, const char *format, ...) {
  if (is_silent(p)) return;
  text message = {0};
  va_list list;
  va_start(list, format);
  text_add_list(&message, format, list);
  va_end(list);
  report_error(p->reporter, offset, "%s", text_string(&message));
  text_clear(&message);
  p->lost = true;
}

bool parser_expect(parser *p, whet_token_kind kind, const char *what) {
  if (parser_accept(p, kind)) return true;
  parser_fail_expected(p, what);
  return false;
}

declared_name parser_expect_name(parser *p, const char *what) {
  const whet_token *t = parser_peek(p, 0);
  declared_name name = {.word = words_make(p->words, "?"), .at = t->at};
  bool reserved = parser_at_word(p, WORD_true) || parser_at_word(p, WORD_false) || parser_at_word(p, WORD_if);
  if (t->kind == TOKEN_NAME && !reserved) {
    name.word = t->word;
    parser_take(p);
  } else {
    parser_fail_expected(p, what);
    if (reserved) report_hint(p->reporter, "`true`, `false` and `if` cannot be names, unless between bars: |if|");
  }
  return name;
}

bool parser_enter(parser *p) {
  if (p->lost) return false;
  if (p->depth >= AST_DEPTH) {
    parser_fail(p, window(p, 0)->at.start, "nested more than %d levels deep", AST_DEPTH);
    p->gave_up = true;
    return false;
  }
  p->depth++;
  return true;
}

void parser_leave(parser *p) { p->depth--; }

span parser_span(const parser *p, uint32_t start) { return (span){start, p->end > start ? p->end : start}; }

/* A keyword that starts a line is taken for a declaration if the braces since the error are balanced, or if it
 * stands in the first column, which is where people put declarations. */
void parser_recover_declaration(parser *p, uint32_t start) {
  p->lost = p->gave_up;
  p->depth = p->parentheses = p->run_brackets = 0;
  p->logic = LOGIC_NONE;
  p->in_bound = false;
  if (parser_peek(p, 0)->at.start == start && parser_kind(p) != TOKEN_END) parser_take(p);
  for (unsigned braces = 0; parser_kind(p) != TOKEN_END; parser_take(p)) {
    const whet_token *t = parser_peek(p, 0);
    bool first_column = t->at.start == 0 || p->reporter->source->text[t->at.start - 1] == '\n';
    if (t->first_on_line && (!braces || first_column) && parser_starts_declaration(p)) return;
    if (first_column && parser_resembles_declaration(p)) return;
    if (t->kind == TOKEN_OPEN_BRACE) braces++;
    if (t->kind == TOKEN_CLOSE_BRACE && braces) braces--;
  }
}

void parser_recover_item(parser *p, uint32_t start) {
  unsigned braces = 0;
  p->lost = p->gave_up;
  p->parentheses = p->run_brackets = 0;
  p->in_bound = false;
  for (; parser_kind(p) != TOKEN_END; parser_take(p)) {
    const whet_token *t = parser_peek(p, 0);
    if (!braces && (t->kind == TOKEN_CLOSE_BRACE || t->kind == TOKEN_SEMICOLON)) return;
    if (!braces && t->first_on_line && t->at.start > start) return;
    if (t->kind == TOKEN_OPEN_BRACE) braces++;
    if (t->kind == TOKEN_CLOSE_BRACE) braces--;
  }
}

void *parser_copy(parser *p, const void *from, size_t count, size_t size) {
  if (!count) return NULL;
  void *to = arena_alloc(p->arena, count * size);
  memcpy(to, from, count * size);
  return to;
}
