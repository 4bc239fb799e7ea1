/* One value of JSON from a reader to a writer; see json.h. */
#include "base/json_reader.h"
#include "report/json.h"

enum { DEEPEST = 16 };

static bool copy_value(json_reader *r, json_writer *w, unsigned depth);

static bool copy_object(json_reader *r, json_writer *w, unsigned depth) {
  bool first = true;
  json_enter(r, '{');
  json_begin_object(w);
  while (json_next_key(r, &first)) {
    json_key(w, text_string(&r->string));
    if (!copy_value(r, w, depth)) return false;
  }
  if (r->error) return false;
  json_end_object(w);
  return true;
}

static bool copy_array(json_reader *r, json_writer *w, unsigned depth) {
  bool first = true;
  json_enter(r, '[');
  json_begin_array(w);
  while (json_next_element(r, &first))
    if (!copy_value(r, w, depth)) return false;
  if (r->error) return false;
  json_end_array(w);
  return true;
}

static bool copy_value(json_reader *r, json_writer *w, unsigned depth) {
  bool word;
  switch (json_peek(r)) {
    case '{': return depth < DEEPEST && copy_object(r, w, depth + 1);
    case '[': return depth < DEEPEST && copy_array(r, w, depth + 1);
    case '"':
      if (!json_read_string(r)) return false;
      json_add_string(w, text_string(&r->string));
      return true;
    case 't':
    case 'f':
      if (!json_read_bool(r, &word)) return false;
      json_add_bool(w, word);
      return true;
    case 'n': json_add_null(w); return json_skip(r);
    default:
      if (!json_read_number(r)) return false;
      json_add_number(w, text_string(&r->string));
      return true;
  }
}

bool json_add_copy(json_writer *w, const char *json) {
  const json_writer before = *w;
  size_t length = w->out->count;
  json_reader r = json_open(json, strlen(json));
  bool is_whole = copy_value(&r, w, 0) && json_at_end(&r);
  json_close(&r);
  if (is_whole) return true;
  text_cut(w->out, length);
  *w = before;
  return false;
}
