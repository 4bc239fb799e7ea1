/* A pull reader for JSON (RFC 8259); see json_reader.h. */
#include "base/json_reader.h"

#include "base/memory.h"

enum { DIGITS = 10000 }; /* of one integer, at most */

json_reader json_open(const char *content, size_t length) {
  return (json_reader){.start = content, .at = content, .end = content + length};
}

void json_close(json_reader *r) {
  text_clear(&r->string);
  memory_free(r->error);
  r->error = NULL;
}

bool json_fail(json_reader *r, char *error) {
  if (r->error) {
    memory_free(error);
    return false;
  }
  r->error = error;
  r->error_place = (size_t)(r->at - r->start);
  return false;
}

static bool complain(json_reader *r, const char *wanted) { return json_fail(r, text_format("expected %s", wanted)); }

char json_peek(json_reader *r) {
  if (r->error) return 0;
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t')) r->at++;
  return r->at < r->end ? *r->at : 0;
}

static bool take(json_reader *r, char c) {
  if (json_peek(r) != c || r->at == r->end) return complain(r, (char[]){'`', c, '`', 0});
  r->at++;
  return true;
}

bool json_enter(json_reader *r, char opening) { return take(r, opening); }

/* After an element: a comma before the next, or the closing sign. True if an element follows. */
static bool next(json_reader *r, bool *first, char closing) {
  char c = json_peek(r);
  if (c == closing && r->at < r->end) {
    r->at++;
    return false;
  }
  if (!*first && !take(r, ',')) return false;
  *first = false;
  return !r->error;
}

bool json_next_element(json_reader *r, bool *first) { return next(r, first, ']'); }
bool json_next_key(json_reader *r, bool *first) { return next(r, first, '}') && json_read_string(r) && take(r, ':'); }

static bool read_hex(json_reader *r, uint32_t *out) {
  *out = 0;
  if (r->end - r->at < 4) return complain(r, "four hexadecimal digits");
  for (int i = 0; i < 4; i++) {
    char c = *r->at;
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0) return complain(r, "four hexadecimal digits");
    *out = *out * 16 + (uint32_t)digit;
    r->at++;
  }
  return true;
}

static void add_utf8(text *t, uint32_t c) {
  if (c < 0x80) {
    text_add_char(t, (char)c);
    return;
  }
  int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
  text_add_char(t, (char)(lead[more] | c >> (6 * more)));
  while (more-- > 0) text_add_char(t, (char)(0x80 | (c >> (6 * more) & 0x3f)));
}

/* After `\u`. */
static bool read_unicode(json_reader *r) {
  uint32_t c, low;
  if (!read_hex(r, &c)) return false;
  if (c >= 0xd800 && c < 0xdc00 && r->end - r->at >= 2 && r->at[0] == '\\' && r->at[1] == 'u') {
    r->at += 2;
    if (!read_hex(r, &low)) return false;
    if (low < 0xdc00 || low > 0xdfff) return complain(r, "the second half of a pair");
    c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
  }
  if (c == 0) return json_fail(r, text_format("a zero character in a string"));
  add_utf8(&r->string, c);
  return true;
}

/* After a backslash. */
static bool read_escape(json_reader *r) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  if (r->at == r->end) return complain(r, "the rest of a string");
  char c = *r->at++;
  if (c == 'u') return read_unicode(r);
  const char *found = c ? strchr(from, c) : NULL;
  if (!found) return json_fail(r, text_format("unknown escape in a string"));
  text_add_char(&r->string, to[found - from]);
  return true;
}

bool json_read_string(json_reader *r) {
  text_reset(&r->string);
  if (json_peek(r) != '"') return complain(r, "a string");
  r->at++;
  for (;;) {
    const char *run = r->at;
    while (r->at < r->end && *r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= 0x20) r->at++;
    text_add_bytes(&r->string, run, (size_t)(r->at - run));
    if (r->at == r->end || (unsigned char)*r->at < 0x20) return complain(r, "the rest of a string");
    if (*r->at++ == '"') return true;
    if (!read_escape(r)) return false;
  }
}

bool json_read_integer(json_reader *r, number *out) {
  json_peek(r);
  if (r->error) return false;
  const char *from = r->at, *at = from;
  if (at < r->end && *at == '-') at++;
  const char *digits = at;
  while (at < r->end && *at >= '0' && *at <= '9') at++;
  if (at == digits || (at < r->end && (*at == '.' || *at == 'e' || *at == 'E'))) return complain(r, "an integer");
  if (at - digits > DIGITS) return json_fail(r, text_format("an integer of more than %d digits", DIGITS));
  if (*digits == '0' && at - digits > 1) return json_fail(r, text_format("an integer that starts with 0"));
  if (!number_parse(from, (size_t)(at - from), out)) return complain(r, "an integer");
  r->at = at;
  return true;
}

static bool take_word(json_reader *r, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length)) return complain(r, "a value");
  r->at += length;
  return true;
}

bool json_read_bool(json_reader *r, bool *out) {
  char c = json_peek(r);
  if (c != 't' && c != 'f') return complain(r, "true or false");
  *out = c == 't';
  return take_word(r, *out ? "true" : "false");
}

static size_t take_digits(json_reader *r) {
  size_t count = 0;
  for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) count++;
  return count;
}

static bool take_sign(json_reader *r, const char *signs) {
  bool is_there = r->at < r->end && *r->at && strchr(signs, *r->at);
  if (is_there) r->at++;
  return is_there;
}

bool json_read_number(json_reader *r) {
  json_peek(r);
  const char *start = r->at;
  take_sign(r, "-");
  bool is_fine = take_digits(r) > 0;
  if (is_fine && take_sign(r, ".")) is_fine = take_digits(r) > 0;
  if (is_fine && take_sign(r, "eE")) {
    take_sign(r, "+-");
    is_fine = take_digits(r) > 0;
  }
  if (!is_fine) return complain(r, "a number");
  text_reset(&r->string);
  text_add_bytes(&r->string, start, (size_t)(r->at - start));
  return true;
}

static bool skip_simple(json_reader *r) {
  char c = json_peek(r);
  if (c == '"') return json_read_string(r);
  if (c == 't') return take_word(r, "true");
  if (c == 'f') return take_word(r, "false");
  if (c == 'n') return take_word(r, "null");
  if (c == '-' || (c >= '0' && c <= '9')) return json_read_number(r);
  return complain(r, "a value");
}

/* Only that brackets are closed is checked, not which: what is skipped is not used. */
bool json_skip(json_reader *r) {
  size_t depth = 0;
  do {
    char c = json_peek(r);
    if (c == '{' || c == '[') {
      depth++;
      r->at++;
    } else if (depth && (c == '}' || c == ']')) {
      depth--;
      r->at++;
    } else if (depth && (c == ',' || c == ':')) {
      r->at++;
    } else if (!skip_simple(r)) {
      return false;
    }
  } while (depth);
  return true;
}

bool json_at_end(json_reader *r) {
  json_peek(r);
  if (r->error) return false;
  return r->at == r->end || json_fail(r, text_format("more text after the end"));
}
