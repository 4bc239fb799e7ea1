/* Escapes: what counts as a control character is decided in one place. */
#include "base/escape.h"

#include <string.h>

/* How many bytes the control character at `s` has: those of ASCII one, those of Unicode (U+0080 to U+009F), two; 0: none. */
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
