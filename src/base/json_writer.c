/* Writes JSON; see json_writer.h. Strings are escaped by base/escape. */
#include "base/json_writer.h"

#include <string.h>

#include "base/escape.h"

json_writer json_writer_to(text *out) { return (json_writer){.out = out}; }
json_writer json_writer_indented(text *out) { return (json_writer){.out = out, .is_indented = true}; }

json_writer json_object_to(text *out) {
  json_writer w = json_writer_to(out);
  json_begin_object(&w);
  return w;
}

static void add_line(json_writer *w) {
  if (!w->is_indented) return;
  text_add_char(w->out, '\n');
  for (unsigned i = 0; i < w->depth; i++) text_add_char(w->out, ' ');
}

/* What stands before a key, and before a value without one. */
static void begin_item(json_writer *w) {
  if (w->is_value) {
    w->is_value = false;
    return;
  }
  if (w->has_before) text_add_char(w->out, ',');
  if (w->space) text_add_bytes(w->out, w->space, strlen(w->space));
  w->space = NULL;
  if (w->depth) add_line(w);
  w->has_before = true;
}

static void begin(json_writer *w, char bracket) {
  begin_item(w);
  text_add_char(w->out, bracket);
  w->depth++;
  w->has_before = false;
}

static void end(json_writer *w, char bracket) {
  REQUIRE(w->depth && !w->is_value, "brackets that match, a value for each key");
  w->depth--;
  if (w->has_before) add_line(w);
  text_add_char(w->out, bracket);
  w->has_before = true;
}

void json_begin_object(json_writer *w) { begin(w, '{'); }
void json_end_object(json_writer *w) { end(w, '}'); }
void json_begin_array(json_writer *w) { begin(w, '['); }
void json_end_array(json_writer *w) { end(w, ']'); }
void json_space(json_writer *w, const char *space) { w->space = space; }

void json_key(json_writer *w, const char *key) {
  begin_item(w);
  text_add_json(w->out, key);
  text_add_char(w->out, ':');
  if (w->is_indented) text_add_char(w->out, ' ');
  w->is_value = true;
}

static void add_plain(json_writer *w, const char *words) {
  begin_item(w);
  text_add_bytes(w->out, words, strlen(words));
}

void json_add_string(json_writer *w, const char *string) {
  begin_item(w);
  text_add_json(w->out, string);
}

/* By hand: a trace has millions of them. */
static void add_digits(json_writer *w, bool is_negative, uint64_t rest) {
  char digits[24], *at = digits + sizeof digits;
  begin_item(w);
  do *--at = (char)('0' + rest % 10);
  while (rest /= 10);
  if (is_negative) *--at = '-';
  text_add_bytes(w->out, at, (size_t)(digits + sizeof digits - at));
}

void json_add_integer(json_writer *w, int64_t n) { add_digits(w, n < 0, n < 0 ? 0 - (uint64_t)n : (uint64_t)n); }
void json_add_count(json_writer *w, uint64_t n) { add_digits(w, false, n); }

void json_add_real(json_writer *w, double n, int digits) {
  begin_item(w);
  text_add(w->out, "%.*f", digits, n);
}

void json_add_bool(json_writer *w, bool b) { add_plain(w, b ? "true" : "false"); }
void json_add_null(json_writer *w) { add_plain(w, "null"); }

void json_add_number(json_writer *w, const char *number) { add_plain(w, number); }
void json_add_document(json_writer *w, const char *document) { add_plain(w, document); }

void json_field_string(json_writer *w, const char *key, const char *string) {
  json_key(w, key);
  json_add_string(w, string);
}

void json_field_count(json_writer *w, const char *key, uint64_t n) {
  json_key(w, key);
  json_add_count(w, n);
}

void json_field_bool(json_writer *w, const char *key, bool b) {
  json_key(w, key);
  json_add_bool(w, b);
}

void json_field_array(json_writer *w, const char *key) {
  json_key(w, key);
  json_begin_array(w);
}

void json_field_object(json_writer *w, const char *key) {
  json_key(w, key);
  json_begin_object(w);
}
