#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

static void text_reserve(text *t, size_t more) {
  size_t need = t->count + more + 1;
  if (need <= t->room) return;
  size_t room = t->room ? t->room : 64;
  while (room < need) room *= 2;
  t->at = memory_realloc(t->at, room);
  t->room = room;
}

void text_add_bytes(text *t, const char *bytes, size_t count) {
  text_reserve(t, count);
  memcpy(t->at + t->count, bytes, count);
  t->count += count;
  t->at[t->count] = 0;
}

bool text_add_file(text *t, const char *path, size_t most) {
  bool is_standard = !strcmp(path, "-");
  FILE *f = is_standard ? stdin : fopen(path, "rb");
  char chunk[1 << 16];
  if (!f) return false;
  size_t start = t->count;
  for (size_t n; t->count - start < most && (n = fread(chunk, 1, sizeof chunk, f)) > 0;) text_add_bytes(t, chunk, n);
  bool fine = !ferror(f);
  int why = errno;
  if (!is_standard) fclose(f);
  errno = why;
  return fine;
}

void text_add_char(text *t, char c) { text_add_bytes(t, &c, 1); }

/* Into the room there is first; a second time only where that was too small. */
void text_add_list(text *t, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  text_reserve(t, 32);
  size_t left = t->room - t->count;
  int length = vsnprintf(t->at + t->count, left, format, list);
  REQUIRE(length >= 0, "a printable format");
  if ((size_t)length >= left) {
    text_reserve(t, (size_t)length);
    vsnprintf(t->at + t->count, (size_t)length + 1, format, again);
  }
  t->count += (size_t)length;
  va_end(again);
}

void text_add(text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  text_add_list(t, format, list);
  va_end(list);
}

static bool is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

static bool looks_escaped(const char *at) {
  return at[0] == '{' && is_hexadecimal(at[1]) && is_hexadecimal(at[2]) && at[3] == '}';
}

/* The length of the character of UTF-8 at `at`; 0 where there is none, or one that steers a terminal: controls, and
 * marks of line ends and directions. */
static size_t visible_length(const char *at) {
  unsigned char first = (unsigned char)*at;
  if (first < 0x80) return first >= ' ' && first <= '~';
  size_t length = first >= 0xc2 && first < 0xe0   ? 2
                  : first >= 0xe0 && first < 0xf0 ? 3
                  : first >= 0xf0 && first < 0xf5 ? 4
                                                  : 0;
  uint32_t code = length ? first & (0x7fU >> length) : 0;
  for (size_t i = 1; i < length; i++) {
    if (((unsigned char)at[i] & 0xc0) != 0x80) return 0;
    code = code << 6 | ((unsigned char)at[i] & 0x3f);
  }
  static const uint32_t least[] = {0, 0, 0xa0, 0x800, 0x10000};
  bool steers = (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || steers ? 0 : length;
}

/* One character, as it is or escaped; what follows it. */
static const char *add_character(text *t, const char *at, bool escape) {
  size_t length = visible_length(at);
  if (escape || !length) {
    text_add(t, "{%02x}", (unsigned)(unsigned char)*at);
    return at + 1;
  }
  text_add_bytes(t, at, length);
  return at + length;
}

void text_add_escaped(text *t, const char *name, const char *unsafe) {
  while (*name) name = add_character(t, name, strchr(unsafe, *name) || looks_escaped(name));
}

void text_add_unescaped(text *t, const char *escaped) {
  while (*escaped) {
    bool is_escape = looks_escaped(escaped);
    text_add_char(t, is_escape ? (char)strtoul((char[]){escaped[1], escaped[2], 0}, NULL, 16) : *escaped);
    escaped += is_escape ? 4 : 1;
  }
}

void text_add_comment(text *t, const char *words) {
  for (char before = ' '; *words;) {
    bool is_mark = (before == '*' && *words == '/') || (before == '/' && *words == '*');
    before = *words;
    words = add_character(t, words, is_mark || *words == '\\');
  }
}

void text_add_json(text *t, const char *string) {
  text_add_char(t, '"');
  for (; *string; string++) {
    unsigned char c = (unsigned char)*string;
    if (c == '"' || c == '\\')
      text_add(t, "\\%c", c);
    else if (c < 0x20 || c == 0x7f)
      text_add(t, "\\u%04x", c);
    else
      text_add_char(t, (char)c);
  }
  text_add_char(t, '"');
}

void text_clear(text *t) {
  t->count = 0;
  if (t->at) t->at[0] = 0;
}

void text_free(text *t) {
  memory_free(t->at);
  *t = (text){0};
}

char *text_give(text *t) {
  if (!t->at) return memory_copy_string("");
  char *result = t->at;
  *t = (text){0};
  return result;
}

const char *text_string(const text *t) { return t->at ? t->at : ""; }

char *text_format(const char *format, ...) {
  text t = {0};
  va_list list;
  va_start(list, format);
  text_add_list(&t, format, list);
  va_end(list);
  return text_give(&t);
}
