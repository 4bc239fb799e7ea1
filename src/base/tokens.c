/* The lexical rules of SMT-LIB 2.6, section 3.1. */
#include "base/tokens.h"

token_reader tokens_open(const char *content, size_t length) {
  return (token_reader){content, content, content + length};
}

static bool is_symbol_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (c && strchr("~!@$%^&*_-+=<>.?/", c));
}

static void skip_blank(token_reader *r) {
  while (r->at < r->end) {
    if (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r') {
      r->at++;
    } else if (*r->at == ';') {
      const char *line_end = memchr(r->at, '\n', (size_t)(r->end - r->at));
      r->at = line_end ? line_end : r->end;
    } else {
      return;
    }
  }
}

static bool is_control(char c) { return ((unsigned char)c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f; }

static token bad(const token_reader *r, const char *at, const char *why) {
  return (token){.kind = TOKEN_BAD, .at = at, .length = 1, .place = (size_t)(at - r->start), .why = why};
}

/* From the opening to the closing `mark`; a doubled quote does not close a string. */
static token read_closed(token_reader *r, token_kind kind, char mark) {
  const char *from = r->at + 1, *to = from;
  for (;;) {
    to = to < r->end ? memchr(to, mark, (size_t)(r->end - to)) : NULL;
    if (!to) return bad(r, r->at, kind == TOKEN_STRING ? "this string never ends" : "this symbol never ends");
    if (kind != TOKEN_STRING || to + 1 == r->end || to[1] != mark) break;
    to += 2;
  }
  for (const char *c = from; c < to; c++) {
    if (*c == '\\' && kind == TOKEN_SYMBOL) return bad(r, c, "a symbol between bars has no backslash in SMT-LIB");
    if (is_control(*c)) return bad(r, c, "a control character has no place in SMT-LIB");
  }
  token t = {.kind = kind, .at = from, .length = (size_t)(to - from), .place = (size_t)(r->at - r->start)};
  r->at = to + 1;
  return t;
}

static size_t digits_at(const char *at, size_t length) {
  size_t count = 0;
  while (count < length && at[count] >= '0' && at[count] <= '9') count++;
  return count;
}

/* `012`, `1x`, `1.` and `1.5.2` are neither numbers nor symbols. */
static token_kind kind_of_word(const char *at, size_t length) {
  if (*at < '0' || *at > '9') return TOKEN_SYMBOL;
  size_t whole = digits_at(at, length);
  if (*at == '0' && whole > 1) return TOKEN_BAD;
  if (whole == length) return TOKEN_NUMERAL;
  if (at[whole] != '.' || whole + 1 == length) return TOKEN_BAD;
  return digits_at(at + whole + 1, length - whole - 1) == length - whole - 1 ? TOKEN_DECIMAL : TOKEN_BAD;
}

token token_next(token_reader *r) {
  skip_blank(r);
  token t = {.kind = TOKEN_END, .at = r->at, .length = 1, .place = (size_t)(r->at - r->start)};
  if (r->at == r->end) return t;
  char c = *r->at;
  if (c == '|') return read_closed(r, TOKEN_SYMBOL, '|');
  if (c == '"') return read_closed(r, TOKEN_STRING, '"');
  r->at++;
  if (c == '(' || c == ')') {
    t.kind = c == '(' ? TOKEN_OPEN : TOKEN_CLOSE;
    return t;
  }
  t.kind = TOKEN_BAD;
  if (c != ':' && !is_symbol_character(c)) return t;
  while (r->at < r->end && is_symbol_character(*r->at)) r->at++;
  t.length = (size_t)(r->at - t.at);
  t.kind = c == ':' ? TOKEN_KEYWORD : kind_of_word(t.at, t.length);
  return t;
}

bool token_is(token t, token_kind kind, const char *spelling) {
  return t.kind == kind && t.length == strlen(spelling) && !memcmp(t.at, spelling, t.length);
}
