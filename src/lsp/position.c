/* Lines, and characters that are two units in UTF-16. */
#include "lsp/position.h"

static void find_lines(lined_text *t) {
  const char *start = text_string(&t->text), *end = start + t->text.count;
  VECTOR_CLEAR(t->lines);
  VECTOR_PUSH(t->lines, 0);
  for (const char *at = start; at < end && (at = memchr(at, '\n', (size_t)(end - at)));)
    VECTOR_PUSH(t->lines, (size_t)(++at - start));
}

void lined_text_set(lined_text *t, const char *content, size_t length) {
  text_reset(&t->text);
  text_add_bytes(&t->text, content, length);
  find_lines(t);
}

void lined_text_replace(lined_text *t, size_t from, size_t to, const char *content, size_t length) {
  text made = {0};
  text_add_bytes(&made, text_string(&t->text), from);
  text_add_bytes(&made, content, length);
  text_add_bytes(&made, text_string(&t->text) + to, t->text.count - to);
  text_clear(&t->text);
  t->text = made;
  find_lines(t);
}

void lined_text_clear(lined_text *t) {
  text_clear(&t->text);
  VECTOR_FREE(t->lines);
}

/* Bytes of the character at `at`, and its units in UTF-16; a byte that belongs to none is one by itself. */
static size_t character(const char *at, const char *end, bool in_bytes, uint64_t *units) {
  unsigned char first = (unsigned char)*at;
  size_t wanted = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1, length = 1;
  while (length < wanted && at + length < end && ((unsigned char)at[length] & 0xC0) == 0x80) length++;
  *units = in_bytes ? length : length == 4 ? 2 : 1;
  return length;
}

static size_t end_of_line(const lined_text *t, size_t line) {
  size_t end = line + 1 < t->lines.count ? t->lines.at[line + 1] - 1 : t->text.count;
  const char *bytes = text_string(&t->text);
  return end > t->lines.at[line] && bytes[end - 1] == '\r' ? end - 1 : end;
}

size_t position_offset(const lined_text *t, position p, bool in_bytes) {
  if (p.line >= t->lines.count) return t->text.count;
  const char *start = text_string(&t->text), *at = start + t->lines.at[p.line],
             *end = start + end_of_line(t, (size_t)p.line);
  for (uint64_t column = 0, units; at < end && column < p.column; column += units)
    at += character(at, end, in_bytes, &units);
  return (size_t)(at - start);
}

position position_of(const lined_text *t, size_t offset, bool in_bytes) {
  if (offset > t->text.count) offset = t->text.count;
  size_t low = 0, high = t->lines.count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    *(t->lines.at[middle] <= offset ? &low : &high) = middle;
  }
  position p = {.line = low};
  const char *start = text_string(&t->text), *end = start + offset;
  uint64_t units;
  for (const char *at = start + t->lines.at[low]; at < end; p.column += units)
    at += character(at, end, in_bytes, &units);
  return p;
}
