/* Words and lists. Nesting is limited, for everything that is done with them later follows it. */
#include "input/svlib/syntax.h"

#include <ctype.h>

#include "base/escape.h"

enum { MOST_NESTED = 1000 };

typedef struct reader {
  arena *arena;
  reporter *reporter;
  const char *text;
  uint32_t at, length;
  bool failed;
} reader;

typedef VECTOR(const sv_node *) node_list;

static void fail(reader *r, uint32_t at, const char *what) {
  if (!r->failed) report_error(r->reporter, at, "%s", what);
  r->failed = true;
}

static void skip_blanks(reader *r) {
  for (; r->at < r->length; r->at++) {
    char c = r->text[r->at];
    if (c == ';')
      while (r->at < r->length && r->text[r->at] != '\n') r->at++;
    else if (!isspace((unsigned char)c))
      return;
    if (r->at >= r->length) return;
  }
}

static bool is_word_character(char c) { return !isspace((unsigned char)c) && !strchr("();|\"", c); }

static sv_word kind_of(const char *word, size_t length) {
  size_t digits = 0;
  while (digits < length && isdigit((unsigned char)word[digits])) digits++;
  if (digits == length) return SV_NUMERAL;
  return digits || *word == '#' ? SV_OTHER : SV_SYMBOL;
}

/* Names may hold anything: what is not visible is escaped, as in all names of models. */
static const char *kept_word(reader *r, uint32_t start) {
  char *raw = memory_copy_bytes(r->text + start, r->at - start);
  text visible = {0};
  text_add_escaped(&visible, raw, "");
  const char *kept = arena_copy_string(r->arena, text_string(&visible));
  text_clear(&visible);
  memory_free(raw);
  return kept;
}

/* From `start`, with bars or quotes around it, which end it. */
static void read_quoted(reader *r, sv_node *n, char quote) {
  uint32_t start = ++r->at;
  while (r->at < r->length && r->text[r->at] != quote) r->at++;
  if (r->at == r->length) {
    fail(r, n->at.start, quote == '|' ? "this name is never closed; a `|` would end it" : "this text is never closed");
    return;
  }
  n->word = quote == '|' ? SV_SYMBOL : SV_OTHER;
  n->text = kept_word(r, start);
  r->at++;
}

static const sv_node *read_node(reader *r, unsigned depth);

static void read_list(reader *r, sv_node *n, unsigned depth) {
  node_list items = {0};
  n->is_list = true;
  n->text = "";
  r->at++;
  for (skip_blanks(r); !r->failed && r->at < r->length && r->text[r->at] != ')'; skip_blanks(r))
    VECTOR_PUSH(items, read_node(r, depth + 1));
  if (r->at >= r->length) fail(r, n->at.start, "this parenthesis is never closed");
  r->at++;
  const sv_node **kept = arena_alloc(r->arena, (items.count + 1) * sizeof *kept);
  for (size_t i = 0; i < items.count; i++) kept[i] = items.at[i];
  n->items = kept;
  n->count = items.count;
  VECTOR_FREE(items);
}

static const sv_node *read_node(reader *r, unsigned depth) {
  sv_node *n = arena_alloc(r->arena, sizeof *n);
  *n = (sv_node){.at = {r->at, r->at}, .text = ""};
  char c = r->text[r->at];
  if (depth > MOST_NESTED) {
    fail(r, r->at, "this is nested too deeply");
  } else if (c == '(') {
    read_list(r, n, depth);
  } else if (c == '|' || c == '"') {
    read_quoted(r, n, c);
  } else if (c == ')') {
    fail(r, r->at, "this parenthesis closes nothing");
  } else {
    while (r->at < r->length && is_word_character(r->text[r->at])) r->at++;
    size_t length = r->at - n->at.start;
    n->text = kept_word(r, n->at.start);
    n->word = kind_of(r->text + n->at.start, length);
  }
  n->at.end = r->at;
  return n;
}

KEEP const sv_node *sv_parse(arena *a, reporter *report) {
  reader r = {.arena = a, .reporter = report, .text = report->source->text, .length = report->source->length};
  node_list all = {0};
  for (skip_blanks(&r); !r.failed && r.at < r.length; skip_blanks(&r)) VECTOR_PUSH(all, read_node(&r, 0));
  sv_node *whole = arena_alloc(a, sizeof *whole);
  const sv_node **kept = arena_alloc(a, (all.count + 1) * sizeof *kept);
  for (size_t i = 0; i < all.count; i++) kept[i] = all.at[i];
  *whole = (sv_node){.is_list = true, .text = "", .items = kept, .count = all.count};
  VECTOR_FREE(all);
  return r.failed ? NULL : whole;
}

bool sv_is_word(const sv_node *n, const char *word) { return !n->is_list && !strcmp(n->text, word); }

bool sv_starts_with(const sv_node *n, const char *word) {
  return n->is_list && n->count && sv_is_word(n->items[0], word);
}
