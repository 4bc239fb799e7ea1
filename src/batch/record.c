/* Records as JSON. What is read back is hostile: files may be cut, or be others'. */
#include "batch/record.h"

#include <stdlib.h>

#include "base/digest/build.h"
#include "base/json_reader.h"
#include "base/json_writer.h"

enum { MOST_BYTES = 256 << 20 };

static const char *const end_names[] = {"missing", "done", "refused", "failed"};

/* ---- reading ---- */

static const char *take_string(json_reader *j, arena *a) {
  if (json_peek(j) != '"') {
    json_skip(j);
    return "";
  }
  return json_read_string(j) ? arena_copy_string(a, text_string(&j->string)) : "";
}

static double take_number(json_reader *j) { return json_read_number(j) ? strtod(text_string(&j->string), NULL) : 0; }

static batch_holds take_holds(json_reader *j) {
  bool b = false;
  if (json_peek(j) == 'n') {
    json_skip(j);
    return HOLDS_UNKNOWN;
  }
  return !json_read_bool(j, &b) ? HOLDS_UNKNOWN : b ? HOLDS_YES : HOLDS_NO;
}

static bool key_is(const json_reader *j, const char *key) { return !strcmp(text_string(&j->string), key); }

static void take_answer(json_reader *j, arena *a, batch_answers *out) {
  batch_answer made = {.property = "", .verdict = "", .engine = "", .reason = ""};
  bool first = true;
  json_enter(j, '{');
  while (json_next_key(j, &first)) {
    if (key_is(j, "name"))
      made.property = take_string(j, a);
    else if (key_is(j, "verdict"))
      made.verdict = take_string(j, a);
    else if (key_is(j, "engine"))
      made.engine = take_string(j, a);
    else if (key_is(j, "reason"))
      made.reason = take_string(j, a);
    else if (key_is(j, "holds"))
      made.holds = take_holds(j);
    else if (key_is(j, "seconds"))
      made.seconds = take_number(j);
    else
      json_skip(j);
  }
  if (made.holds != HOLDS_UNKNOWN) made.reason = ""; /* of a vacuous one */
  VECTOR_PUSH(*out, made);
}

static void take_answers(json_reader *j, arena *a, batch_answers *out) {
  bool first = true;
  json_enter(j, '[');
  while (json_next_element(j, &first)) take_answer(j, a, out);
}

bool batch_record_take_document(batch_record *r, arena *a, const char *document) {
  json_reader j = json_open(document, strlen(document));
  bool first = true;
  json_enter(&j, '{');
  while (json_next_key(&j, &first))
    if (key_is(&j, "properties"))
      take_answers(&j, a, &r->answers);
    else
      json_skip(&j);
  bool fine = json_at_end(&j) && !j.error && r->answers.count;
  json_close(&j);
  if (!fine) VECTOR_CLEAR(r->answers);
  return fine;
}

static batch_end end_named(const char *name) {
  for (size_t i = 0; i < ARRAY_LENGTH(end_names); i++)
    if (!strcmp(name, end_names[i])) return (batch_end)i;
  return BATCH_MISSING;
}

static void take_field(json_reader *j, arena *a, batch_record *r, const char **key) {
  if (key_is(j, "key"))
    *key = take_string(j, a);
  else if (key_is(j, "end"))
    r->end = end_named(take_string(j, a));
  else if (key_is(j, "status"))
    r->status = (int)take_number(j);
  else if (key_is(j, "seconds"))
    r->seconds = take_number(j);
  else if (key_is(j, "processor_seconds"))
    r->processor_seconds = take_number(j);
  else if (key_is(j, "memory_bytes"))
    r->memory = (uint64_t)take_number(j);
  else if (key_is(j, "message"))
    r->message = take_string(j, a);
  else if (key_is(j, "answers"))
    take_answers(j, a, &r->answers);
  else
    json_skip(j);
}

void batch_record_read(batch_record *r, arena *a, const char *path, const batch_problem *p) {
  text content = {0};
  const char *key = "";
  bool first = true;
  *r = (batch_record){.message = ""};
  if (!text_add_file(&content, path, MOST_BYTES)) text_reset(&content);
  json_reader j = json_open(text_string(&content), content.count);
  json_enter(&j, '{');
  while (json_next_key(&j, &first)) take_field(&j, a, r, &key);
  bool fine = json_at_end(&j) && !j.error && !strcmp(key, p->key) && (r->end == BATCH_DONE) == (r->answers.count > 0);
  json_close(&j);
  text_clear(&content);
  if (fine) return;
  VECTOR_FREE(r->answers);
  *r = (batch_record){.message = ""};
}

/* ---- writing ---- */

static void add_answer(json_writer *w, const batch_answer *a) {
  json_begin_object(w);
  json_field_string(w, "name", a->property);
  json_field_string(w, "verdict", a->verdict);
  json_key(w, "holds");
  if (a->holds == HOLDS_UNKNOWN)
    json_add_null(w);
  else
    json_add_bool(w, a->holds == HOLDS_YES);
  json_field_string(w, "engine", a->engine);
  if (*a->reason) json_field_string(w, "reason", a->reason);
  json_key(w, "seconds");
  json_add_real(w, a->seconds, 6);
  json_end_object(w);
}

static void add_run(json_writer *w, const batch_record *r) {
  json_field_string(w, "end", end_names[r->end]);
  json_key(w, "status");
  json_add_integer(w, r->status);
  json_key(w, "seconds");
  json_add_real(w, r->seconds, 3);
  json_key(w, "processor_seconds");
  json_add_real(w, r->processor_seconds, 3);
  json_field_count(w, "memory_bytes", r->memory);
  if (*r->message) json_field_string(w, "message", r->message);
}

char *batch_record_print(const batch_record *r, const batch_problem *p, const char *document) {
  text out = {0};
  json_writer w = json_object_to(&out);
  char build[DIGEST_DIGITS + 1];
  build_digits(build);
  json_field_string(&w, "whet", WHET_VERSION);
  json_field_string(&w, "build", build);
  json_field_string(&w, "key", p->key);
  json_field_string(&w, "model", p->model);
  json_field_string(&w, "property", p->property);
  json_field_array(&w, "options");
  for (size_t i = 0; i < p->words.count; i++) json_add_string(&w, p->words.at[i]);
  json_end_array(&w);
  add_run(&w, r);
  json_field_array(&w, "answers");
  for (size_t i = 0; i < r->answers.count; i++) add_answer(&w, &r->answers.at[i]);
  json_end_array(&w);
  if (r->answers.count) {
    json_key(&w, "document");
    json_add_document(&w, document);
  }
  json_end_object(&w);
  text_add_char(&out, '\n');
  return text_give(&out);
}
