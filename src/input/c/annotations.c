/* Going through a text: literals and comments are left alone but for those that are annotations. */
#include "input/c/annotations.h"

#include <ctype.h>

typedef struct scanner {
  const char *text;
  size_t length, at, copied; /* what comes before `copied` is in `out` */
  text *out;
  bool found;
} scanner;

static bool is_at(const scanner *s, const char *word) {
  size_t n = strlen(word);
  return s->length - s->at >= n && !memcmp(s->text + s->at, word, n);
}

static void skip_literal(scanner *s) {
  char quote = s->text[s->at++];
  while (s->at < s->length && s->text[s->at] != quote && s->text[s->at] != '\n')
    s->at += s->text[s->at] == '\\' && s->at + 1 < s->length ? 2 : 1;
  if (s->at < s->length) s->at++;
}

static void skip_comment(scanner *s) {
  s->at += 2;
  while (s->at < s->length && !is_at(s, "*/")) s->at++;
  s->at += is_at(s, "*/") ? 2 : 0;
}

static size_t skip_blanks(const char *line, size_t n, size_t at) {
  while (at < n && isblank((unsigned char)line[at])) at++;
  return at;
}

static bool take_word(const char *line, size_t n, size_t *at, const char *word) {
  size_t length = strlen(word);
  if (n - *at <= length || memcmp(line + *at, word, length) || !isblank((unsigned char)line[*at + length]))
    return false;
  *at = skip_blanks(line, n, *at + length);
  return true;
}

/* `line` is what follows //@ up to the end of the line. */
static bool translate(const char *line, size_t n, text *out) {
  size_t at = skip_blanks(line, n, 0);
  bool is_assert = take_word(line, n, &at, "assert");
  if (!is_assert) {
    take_word(line, n, &at, "loop");
    if (!take_word(line, n, &at, "invariant")) return false;
  }
  const char *end = memchr(line + at, ';', n - at);
  if (!end) return false;
  text_add(out, "%s(%.*s);", is_assert ? "whet_assert" : "whet_invariant", (int)(end - (line + at)), line + at);
  return true;
}

static void use_line_comment(scanner *s) {
  const char *start = s->text + s->at, *end = memchr(start, '\n', s->length - s->at);
  size_t n = end ? (size_t)(end - start) : s->length - s->at;
  text call = {0};
  if (n > 3 && start[2] == '@' && translate(start + 3, n - 3, &call)) {
    text_add_bytes(s->out, s->text + s->copied, s->at - s->copied);
    text_add_bytes(s->out, text_string(&call), call.count);
    s->copied = s->at + n;
    s->found = true;
  }
  text_clear(&call);
  s->at += n;
}

bool c_annotations_apply(const char *content, size_t length, text *out) {
  scanner s = {.text = content, .length = length, .out = out};
  while (s.at < length) {
    if (content[s.at] == '"' || content[s.at] == '\'')
      skip_literal(&s);
    else if (is_at(&s, "/*"))
      skip_comment(&s);
    else if (is_at(&s, "//"))
      use_line_comment(&s);
    else
      s.at++;
  }
  text_add_bytes(out, content + s.copied, length - s.copied);
  return s.found;
}

/* ---- where they stand ---- */

static bool is_annotation(const c_node *n) {
  while ((n->kind == C_LABEL || n->kind == C_CASE || n->kind == C_DEFAULT || n->kind == C_ATTRIBUTED) && n->count)
    n = n->inner[n->count - 1];
  const c_node *callee = n->kind == C_CALL && n->count ? n->inner[0] : NULL;
  while (callee && callee->kind == C_IMPLICIT_CAST && callee->count) callee = callee->inner[0];
  return callee && callee->kind == C_NAME &&
         (!strcmp(callee->reference_name, "whet_assert") || !strcmp(callee->reference_name, "whet_invariant"));
}

const c_node *c_annotation_as_body(const c_node *tree) {
  bool has_body = tree->kind == C_IF || tree->kind == C_WHILE || tree->kind == C_DO || tree->kind == C_FOR ||
                  tree->kind == C_SWITCH;
  for (size_t i = 0; i < tree->count; i++) {
    const c_node *part = tree->inner[i];
    bool is_condition = tree->kind == C_IF && !i;
    const c_node *found = has_body && !is_condition && is_annotation(part) ? part : c_annotation_as_body(part);
    if (found) return found;
  }
  return NULL;
}
