/* Escapes: what counts as a control character is decided in one place. */
#include "base/escape.h"

#include <stdlib.h>
#include <string.h>

/* How many bytes the control character at `s` has: those of ASCII one, those of Unicode (U+0080 to U+009F), two; 0:
 * none. */
static size_t control_length(const char *s) {
  unsigned char c = (unsigned char)*s;
  if ((c && c < 0x20) || c == 0x7f) return 1;
  return c == 0xc2 && (unsigned char)s[1] >= 0x80 && (unsigned char)s[1] <= 0x9f ? 2 : 0;
}

bool string_has_control(const char *string) {
  for (; *string; string++)
    if (control_length(string)) return true;
  return false;
}

static void add_control(text *t, unsigned char c) {
  static const char letters[] = "abtnvfr"; /* of 7 to 13 */
  if (c >= 7 && c <= 13)
    text_add(t, "\\%c", letters[c - 7]);
  else
    text_add(t, "\\x%02x", c);
}

static void add_escaped(text *t, const char *string, const char *also) {
  for (size_t length = 0; *string; string += length) {
    size_t control = control_length(string);
    length = control ? control : 1;
    if (control)
      add_control(t, (unsigned char)string[control - 1]);
    else if (strchr(also, *string))
      text_add(t, "\\%c", *string);
    else
      text_add_char(t, *string);
  }
}

void text_add_shown(text *t, const char *string) { add_escaped(t, string, string_has_control(string) ? "\\" : ""); }

void text_add_quoted(text *t, const char *string) {
  text_add_char(t, '"');
  add_escaped(t, string, "\"\\");
  text_add_char(t, '"');
}

/* Control characters of JSON, by RFC 8259, and those that the standard lets pass. */
static void add_json_control(text *t, unsigned char c) {
  static const char letters[] = "btn\0fr"; /* of 8 to 13 */
  if (c >= 8 && c <= 13 && letters[c - 8])
    text_add(t, "\\%c", letters[c - 8]);
  else
    text_add(t, "\\u%04x", c);
}

void text_add_json(text *t, const char *string) {
  text_add_char(t, '"');
  for (const char *plain = string;;) {
    size_t control = control_length(string);
    if (*string && *string != '"' && *string != '\\' && !control) {
      string++;
      continue;
    }
    text_add_bytes(t, plain, (size_t)(string - plain));
    if (!*string) break;
    if (control)
      add_json_control(t, (unsigned char)string[control - 1]);
    else
      text_add(t, "\\%c", *string);
    plain = string += control ? control : 1;
  }
  text_add_char(t, '"');
}

/* ---- names in texts that other programs read ---- */

static bool is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

static bool looks_escaped(const char *at) {
  return at[0] == '{' && is_hexadecimal(at[1]) && is_hexadecimal(at[2]) && at[3] == '}';
}

/* The length of the character of UTF-8 at `at`, and its number; 0 if there is none. */
static size_t utf8_length(const char *at, uint32_t *code) {
  unsigned char first = (unsigned char)*at;
  size_t length = first < 0x80                    ? 1
                  : first >= 0xc2 && first < 0xe0 ? 2
                  : first >= 0xe0 && first < 0xf0 ? 3
                  : first >= 0xf0 && first < 0xf5 ? 4
                                                  : 0;
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  *code = length > 1 ? first & (0x7fU >> length) : first;
  for (size_t i = 1; i < length; i++) {
    if (((unsigned char)at[i] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | ((unsigned char)at[i] & 0x3f);
  }
  return *code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000) ? 0 : length;
}

bool string_is_utf8(const char *string) {
  uint32_t code;
  for (size_t length; *string; string += length)
    if (!(length = utf8_length(string, &code))) return false;
  return true;
}

/* The same, but 0 also if the character steers a terminal: controls, and marks of line ends and directions. */
static size_t visible_length(const char *at) {
  uint32_t code;
  size_t length = utf8_length(at, &code);
  bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  bool steers = (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return is_control || steers ? 0 : length;
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

void text_add_escaped_before(text *t, const char *name, const char *unsafe) {
  while (*name) name = add_character(t, name, strchr(unsafe, *name));
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
