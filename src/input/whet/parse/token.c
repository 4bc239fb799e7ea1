/* The lexer. Words and numbers of any length up to a limit, quoted names between bars, comments, and a message for each
 * byte that is none of these. */
#include "input/whet/parse/token.h"

enum { NAME_LIMIT = 1000, DIGIT_LIMIT = 5000 };

void lexer_open(lexer *l, reporter *r, words *w) {
  *l = (lexer){.reporter = r, .words = w};
  lexer_set_part(l, 0, r->source->own);
}

void lexer_set_part(lexer *l, uint32_t start, uint32_t end) {
  l->at = start;
  l->end = end;
  l->fresh_line = true;
  if (end - start >= 3 && !memcmp(l->reporter->source->text + start, "\xEF\xBB\xBF", 3)) l->at += 3;
}

void lexer_close(lexer *l) { text_clear(&l->spelling); }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '\''; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/* The byte `ahead` of the next one; 0 behind the end. */
static char peek(const lexer *l, uint32_t ahead) {
  const source *s = l->reporter->source;
  return ahead < l->end - l->at ? s->text[l->at + ahead] : 0;
}

static bool at_end(const lexer *l) { return l->at >= l->end; }

static void skip_line(lexer *l) {
  const source *s = l->reporter->source;
  const char *from = s->text + l->at, *newline = memchr(from, '\n', l->end - l->at);
  l->at = newline ? (uint32_t)(newline - s->text) : l->end;
}

static void skip_block_comment(lexer *l) {
  uint32_t start = l->at;
  for (l->at += 2; !at_end(l); l->at++) {
    if (peek(l, 0) == '\n') l->fresh_line = true;
    if (peek(l, 0) != '*' || peek(l, 1) != '/') continue;
    l->at += 2;
    return;
  }
  report_error(l->reporter, start, "this comment is not closed");
  report_hint(l->reporter, "a comment that starts with /* ends with */");
}

static void skip_blanks(lexer *l) {
  while (!at_end(l)) {
    char c = peek(l, 0);
    if (c == '\n')
      l->fresh_line = true, l->at++;
    else if (is_blank(c))
      l->at++;
    else if (c == '/' && peek(l, 1) == '/')
      skip_line(l);
    else if (c == '/' && peek(l, 1) == '*')
      skip_block_comment(l);
    else
      return;
  }
}

static void finish_name(lexer *l, whet_token *t, uint32_t start, uint32_t end) {
  const source *s = l->reporter->source;
  t->kind = TOKEN_NAME;
  if (end - start > NAME_LIMIT) {
    report_error(l->reporter, start, "this name is longer than %d characters", NAME_LIMIT);
    end = start + NAME_LIMIT;
  }
  text_reset(&l->spelling);
  text_add_bytes(&l->spelling, s->text + start, end - start);
  t->word = words_make(l->words, text_string(&l->spelling));
}

static void read_name(lexer *l, whet_token *t) {
  uint32_t start = l->at;
  while (is_name_part(peek(l, 0))) l->at++;
  finish_name(l, t, start, l->at);
}

/* `|any text but bars|`; false if no second bar follows on the line. */
static bool read_quoted(lexer *l, whet_token *t) {
  uint32_t length = 1;
  for (char c = peek(l, length); c != '|'; c = peek(l, ++length))
    if (c < 0x20 || c > 0x7E) return false;
  uint32_t start = l->at + 1;
  l->at += length + 1;
  finish_name(l, t, start, l->at - 1);
  t->quoted = true;
  return true;
}

/* The name of a file, between quotes on one line; false if the second one is missing. */
static bool read_string(lexer *l, whet_token *t) {
  uint32_t length = 1;
  for (char c = peek(l, length); c != '"'; c = peek(l, ++length))
    if (!c || c == '\n' || length > NAME_LIMIT) return false;
  l->at += length + 1;
  t->kind = TOKEN_STRING;
  return true;
}

static void read_number(lexer *l, whet_token *t) {
  uint32_t start = l->at;
  while (is_digit(peek(l, 0))) l->at++;
  t->kind = TOKEN_NUMBER;
  if (peek(l, 0) == '.' && is_digit(peek(l, 1))) {
    t->is_decimal = true;
    for (l->at++; is_digit(peek(l, 0));) l->at++;
  }
  if (l->at - start > DIGIT_LIMIT) report_error(l->reporter, start, "this number has more than %d digits", DIGIT_LIMIT);
  if (!is_letter(peek(l, 0))) return;
  report_error(l->reporter, l->at, "a number is followed directly by a name");
  report_hint(l->reporter, "a name starts with a letter; write `*` between the factors of a product");
  while (is_name_part(peek(l, 0))) l->at++;
}

typedef struct sign {
  const char *spelling;
  whet_token_kind kind;
} sign;

/* Longer ones before their beginnings. */
static const sign signs[] = {
    {"<=>", TOKEN_IFF},        {"=>", TOKEN_IMPLIES},   {"==", TOKEN_EQUAL},      {"=", TOKEN_EQUAL},
    {"<=", TOKEN_LESS_EQUAL},  {"<>", TOKEN_DIAMOND},   {"<", TOKEN_LESS},        {">=", TOKEN_GREATER_EQUAL},
    {">", TOKEN_GREATER},      {"!=", TOKEN_UNEQUAL},   {"!", TOKEN_NOT},         {"||", TOKEN_OR},
    {"&&", TOKEN_AND},         {":=", TOKEN_ASSIGN},    {":", TOKEN_COLON},       {"->", TOKEN_ARROW},
    {"-", TOKEN_MINUS},        {"+", TOKEN_PLUS},       {"*", TOKEN_STAR},        {"/", TOKEN_SLASH},
    {"%", TOKEN_PERCENT},      {"..", TOKEN_RANGE},     {".", TOKEN_DOT},         {",", TOKEN_COMMA},
    {";", TOKEN_SEMICOLON},    {"(", TOKEN_OPEN},       {")", TOKEN_CLOSE},       {"[", TOKEN_OPEN_SQUARE},
    {"]", TOKEN_CLOSE_SQUARE}, {"{", TOKEN_OPEN_BRACE}, {"}", TOKEN_CLOSE_BRACE}, {"?", TOKEN_QUESTION},
};

static bool read_sign(lexer *l, whet_token *t) {
  char first = peek(l, 0);
  for (size_t i = 0; i < ARRAY_LENGTH(signs); i++) {
    const char *s = signs[i].spelling;
    if (s[0] != first || (s[1] && s[1] != peek(l, 1)) || (s[1] && s[2] && s[2] != peek(l, 2))) continue;
    l->at += (uint32_t)strlen(s);
    t->kind = signs[i].kind;
    return true;
  }
  return false;
}

/* What people write who come from elsewhere, how it is written here, and what it is taken for after the message. */
static const struct {
  const char *foreign, *here;
  whet_token_kind kind;
} habits[] = {
    {"\xE2\x89\xA4", "<=", TOKEN_LESS_EQUAL},
    {"\xE2\x89\xA5", ">=", TOKEN_GREATER_EQUAL},
    {"\xE2\x89\xA0", "!=", TOKEN_UNEQUAL},
    {"\xE2\x88\xA7", "&&", TOKEN_AND},
    {"\xE2\x88\xA8", "||", TOKEN_OR},
    {"\xC2\xAC", "!", TOKEN_NOT},
    {"\xE2\x87\x92", "=>", TOKEN_IMPLIES},
    {"\xE2\x86\x92", "->", TOKEN_ARROW},
    {"\xE2\x87\x94", "<=>", TOKEN_IFF},
    {"\xE2\x88\x80", "forall", TOKEN_END},
    {"\xE2\x88\x83", "exists", TOKEN_END},
    {"&", "&&", TOKEN_AND},
    {"|", "||", TOKEN_OR},
    {"~", "!", TOKEN_NOT},
    {"#", "//", TOKEN_END},
    {"\"", NULL, TOKEN_NUMBER},
};

/* The bytes of the character at `at`: several for UTF-8, 0 if it is not valid UTF-8. */
static uint32_t character_length(const lexer *l) {
  unsigned char first = (unsigned char)peek(l, 0);
  uint32_t wanted = first < 0x80                    ? 1
                    : first >= 0xC2 && first < 0xE0 ? 2
                    : first >= 0xE0 && first < 0xF0 ? 3
                    : first >= 0xF0 && first < 0xF5 ? 4
                                                    : 0;
  for (uint32_t i = 1; i < wanted; i++)
    if (((unsigned char)peek(l, i) & 0xC0) != 0x80) return 0;
  return wanted;
}

/* Goes to the end of a string, or of a line that starts with #. */
static void skip_foreign(lexer *l, char first, uint32_t length) {
  if (first == '#')
    skip_line(l);
  else
    l->at += length ? length : 1; /* not zero: there must be progress */
  while (first == '"' && !at_end(l) && peek(l, 0) != '\n')
    if (l->reporter->source->text[l->at++] == '"') break;
}

/* Reports a character that starts no token, and goes behind it. True if it is plain what was meant. */
static bool read_strange(lexer *l, whet_token *t) {
  const char *at = l->reporter->source->text + l->at;
  uint32_t length = character_length(l);
  unsigned char first = (unsigned char)*at;
  if (!length)
    report_error(l->reporter, l->at, "byte 0x%02X is not valid UTF-8", first);
  else if (first < 0x20 || first == 0x7F)
    report_error(l->reporter, l->at, "control character 0x%02X", first);
  else if (first == '"')
    report_error(l->reporter, l->at, "strings are not supported");
  else
    report_error(l->reporter, l->at, "unexpected character `%.*s`", (int)length, at);
  skip_foreign(l, (char)first, length);
  for (size_t i = 0; i < ARRAY_LENGTH(habits); i++) {
    if (!length || length != strlen(habits[i].foreign) || memcmp(at, habits[i].foreign, length)) continue;
    const char *bar = first == '|' ? "; a quoted name ends with a second bar on the same line" : "";
    if (habits[i].here) report_hint(l->reporter, "write `%s`%s", habits[i].here, bar);
    t->kind = habits[i].kind;
    return t->kind != TOKEN_END;
  }
  return false;
}

whet_token lexer_next(lexer *l) {
  whet_token t = {0};
  bool after_include = l->after_include;
  for (;;) {
    skip_blanks(l);
    t.first_on_line = l->fresh_line;
    t.at.start = l->at;
    char c = peek(l, 0);
    if (at_end(l) || reporter_is_full(l->reporter))
      t.kind = TOKEN_END;
    else if (is_letter(c))
      read_name(l, &t);
    else if (is_digit(c))
      read_number(l, &t);
    else if (c == '"' && after_include && read_string(l, &t))
      t.quoted = true;
    else if (c == '|' && peek(l, 1) != '|' && read_quoted(l, &t))
      t.quoted = true;
    else if (!read_sign(l, &t) && !read_strange(l, &t))
      continue;
    t.at.end = l->at;
    l->fresh_line = false;
    l->after_include = t.kind == TOKEN_NAME && !t.quoted && t.word->keyword == WORD_include;
    return t;
  }
}

GIVE char *token_describe(const source *s, const whet_token *t) {
  if (t->kind == TOKEN_END) return memory_copy_string("the end of the file");
  char *excerpt = source_excerpt(s, t->at, 40), *quoted = text_format("`%s`", excerpt);
  memory_free(excerpt);
  return quoted;
}
