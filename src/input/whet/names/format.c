/* Laying out a text: tokens and comments stay as they are, in their order and on their lines; only blanks between them change. */
#include "input/whet/names/outline.h"
#include "input/whet/parse/parser.h"

enum { STEP = 2 }; /* blanks for each brace */

typedef struct layout {
  const source *source;
  text *out;
  unsigned braces, parentheses;
  whet_token before;  /* the last token; TOKEN_END if there is none */
  bool was_comment;   /* the last line ended with a comment behind tokens */
  bool at_line_start; /* nothing stands on the current line of `out` */
  unsigned empty;     /* lines before the next thing */
  unsigned old_blank; /* of the text: blanks before the next thing */
} layout;

/* Blanks belong around these. */
static bool is_spaced(whet_token_kind k) {
  return k == TOKEN_ASSIGN || k == TOKEN_ARROW || k == TOKEN_IMPLIES || k == TOKEN_IFF || k == TOKEN_AND ||
         k == TOKEN_OR;
}

static bool joins(whet_token_kind k) {
  return is_spaced(k) || k == TOKEN_EQUAL || k == TOKEN_UNEQUAL || k == TOKEN_LESS || k == TOKEN_LESS_EQUAL ||
         k == TOKEN_GREATER || k == TOKEN_GREATER_EQUAL || k == TOKEN_PLUS || k == TOKEN_MINUS || k == TOKEN_SLASH ||
         k == TOKEN_PERCENT || k == TOKEN_RANGE || k == TOKEN_COMMA || k == TOKEN_DOT;
}

static bool is_one_of(const whet_token *t, const char *const *list) {
  if (t->kind != TOKEN_NAME || t->quoted) return false;
  for (; *list; list++)
    if (!strcmp(t->word->text, *list)) return true;
  return false;
}

/* A line that starts with `t` goes on with what the line before has begun. NULL: it is a comment. */
static bool continues(const layout *l, const whet_token *t) {
  static const char *const inner[] = {"when", "then", "in", "fails", "requires", "ensures", "returns", NULL};
  static const char *const otherwise[] = {"else", NULL};
  whet_token_kind last = l->before.kind;
  if (last == TOKEN_END) return false;
  if (t && !l->braces && token_starts_declaration(t) && (!l->old_blank || last == TOKEN_ARROW)) return false;
  if (l->parentheses || last == TOKEN_STAR || last == TOKEN_NOT || (last == TOKEN_COLON && !l->braces) || joins(last))
    return true;
  if (!t) return false;
  if (is_one_of(t, inner)) return true;
  if (is_one_of(t, otherwise)) return last != TOKEN_CLOSE_BRACE;
  return joins(t->kind) || t->kind == TOKEN_STAR || t->kind == TOKEN_COLON || t->kind == TOKEN_ASSIGN;
}

static unsigned indentation(const layout *l, const whet_token *t) {
  unsigned depth = l->braces - (t && t->kind == TOKEN_CLOSE_BRACE && l->braces);
  if (!continues(l, t)) return STEP * depth;
  return l->old_blank > STEP * (depth + 1) ? l->old_blank : STEP * (depth + 1);
}

static void start_line(layout *l, unsigned blanks) {
  if (l->empty > 1 && l->out->count) text_add_char(l->out, '\n');
  text_add(l->out, "%*s", (int)blanks, "");
  l->empty = 0;
  l->at_line_start = false;
}

static void end_line(layout *l) {
  if (l->at_line_start) {
    l->empty++;
    return;
  }
  text_add_char(l->out, '\n');
  l->at_line_start = true;
  l->empty = 1;
}

/* The comment that starts at `at`: its end. */
static uint32_t comment_end(const source *s, uint32_t at, uint32_t end) {
  bool is_line = s->text[at + 1] == '/';
  const char *mark = is_line ? "\n" : "*/", *from = s->text + at + 2;
  const char *found = memmem(from, end - at - 2, mark, strlen(mark));
  if (!found) return end;
  return (uint32_t)(found - s->text) + (is_line ? 0 : 2);
}

static void add_comment(layout *l, uint32_t start, uint32_t end) {
  const source *s = l->source;
  bool is_line = s->text[start + 1] == '/', has_own_line = l->at_line_start;
  if (has_own_line)
    start_line(l, l->was_comment && is_line && l->empty <= 1 ? l->old_blank : indentation(l, NULL));
  else
    text_add(l->out, "%*s", (int)(l->old_blank || !l->out->count ? l->old_blank : 1), "");
  while (is_line && end > start && (s->text[end - 1] == ' ' || s->text[end - 1] == '\t' || s->text[end - 1] == '\r'))
    end--;
  text_add_bytes(l->out, s->text + start, end - start);
  l->was_comment = is_line && (!has_own_line || l->was_comment);
  l->old_blank = 0;
}

/* What stands between two tokens: blanks, line ends and comments. */
static void add_gap(layout *l, uint32_t start, uint32_t end) {
  const source *s = l->source;
  l->old_blank = 0;
  for (uint32_t i = start; i < end;) {
    char c = s->text[i];
    if (c == '/') {
      uint32_t stop = comment_end(s, i, end);
      add_comment(l, i, stop);
      i = stop;
      continue;
    }
    if (c == '\n') {
      if (l->at_line_start && l->empty) l->was_comment = false;
      end_line(l);
      l->old_blank = 0;
    } else if (c == ' ' || c == '\t') {
      l->old_blank += c == '\t' ? STEP : 1;
    }
    i++;
  }
}

static void add_token(layout *l, const whet_token *t) {
  whet_token_kind last = l->before.kind;
  bool wants_blank = is_spaced(t->kind) || is_spaced(last) || last == TOKEN_COMMA || last == TOKEN_SEMICOLON;
  if (l->at_line_start)
    start_line(l, indentation(l, t));
  else
    text_add(l->out, "%*s", (int)(l->old_blank || !wants_blank || !l->out->count ? l->old_blank : 1), "");
  text_add_bytes(l->out, l->source->text + t->at.start, t->at.end - t->at.start);
  l->braces += t->kind == TOKEN_OPEN_BRACE;
  l->braces -= t->kind == TOKEN_CLOSE_BRACE && l->braces;
  bool opens = t->kind == TOKEN_OPEN || t->kind == TOKEN_OPEN_SQUARE,
       closes = t->kind == TOKEN_CLOSE || t->kind == TOKEN_CLOSE_SQUARE;
  l->parentheses += opens;
  l->parentheses -= closes && l->parentheses;
  l->before = *t;
  l->was_comment = false;
}

void format_write(const char *content, size_t length, text *out) {
  source s;
  diagnostics d = {0};
  reporter r;
  words w;
  lexer lex;
  arena *a = arena_new();
  text made = {0};
  layout l = {.source = &s, .out = &made, .at_line_start = true};
  source_open(&s, "", content, length);
  reporter_open(&r, &s, &d);
  words_open(&w, a);
  lexer_open(&lex, &r, &w);
  uint32_t end = lex.at;
  for (whet_token t; (t = lexer_next(&lex)).kind != TOKEN_END; end = t.at.end) {
    add_gap(&l, end, t.at.start);
    add_token(&l, &t);
  }
  add_gap(&l, end, s.length);
  if (made.count && made.at[made.count - 1] != '\n') text_add_char(&made, '\n');
  bool has_mark = length >= 3 && !memcmp(content, "\xEF\xBB\xBF", 3);
  if (has_mark && !d.errors) text_add_bytes(out, content, 3);
  if (d.errors) /* what is no token would be lost */
    text_add_bytes(out, content, length);
  else
    text_add_bytes(out, text_string(&made), made.count);
  lexer_close(&lex);
  words_close(&w);
  reporter_close(&r);
  source_close(&s);
  arena_free(a);
  text_clear(&made);
  text_clear(&d.text);
}
