/* Looking things up in the JSON that `whet outline` prints. */
#include <jansson.h>

#include "lsp/server.h"

size_t outline_count(const json_t *outline) { return json_array_size(json_object_get(outline, "names")); }

outlined outline_name(const json_t *outline, size_t i) {
  const json_t *n = json_array_get(json_object_get(outline, "names"), i);
  return (outlined){.name = member_string(n, "name"),
                    .kind = member_string(n, "kind"),
                    .of = member_string(n, "of"),
                    .declared = member_string(n, "declared"),
                    .first = member_string(n, "first"),
                    .text = member_string(n, "text"),
                    .type = member_string(n, "type"),
                    .range = member_string(n, "range"),
                    .value = member_string(n, "value"),
                    .file = member_string(n, "file"),
                    .line = (uint64_t)member_number(n, "line"),
                    .column = (uint64_t)member_number(n, "column"),
                    .is_elsewhere = json_is_true(json_object_get(n, "elsewhere")),
                    .start = (size_t)member_number(n, "start"),
                    .end = (size_t)member_number(n, "end"),
                    .from = (size_t)member_number(n, "from"),
                    .to = (size_t)member_number(n, "to")};
}

static size_t number_at(const json_t *list, size_t i) { return (size_t)json_integer_value(json_array_get(list, i)); }

bool outline_at(const json_t *outline, size_t offset, size_t *name, size_t *start, size_t *end) {
  const json_t *uses = json_object_get(outline, "uses"), *use;
  size_t i;
  json_array_foreach(uses, i, use) {
    *start = number_at(use, 0), *end = number_at(use, 1), *name = number_at(use, 2);
    if (*start <= offset && offset <= *end) return true;
  }
  for (*name = 0; *name < outline_count(outline); ++*name) {
    outlined n = outline_name(outline, *name);
    *start = n.start, *end = n.end;
    if (!*n.file && n.start <= offset && offset <= n.end) return true;
  }
  return false;
}

void outline_places(const json_t *outline, size_t name, bool with_declaration, places *out) {
  const json_t *uses = json_object_get(outline, "uses"), *use;
  size_t i;
  outlined n = outline_name(outline, name);
  if (with_declaration && !*n.file) {
    VECTOR_PUSH(*out, n.start);
    VECTOR_PUSH(*out, n.end);
  }
  json_array_foreach(uses, i, use) {
    if (number_at(use, 2) != name) continue;
    VECTOR_PUSH(*out, number_at(use, 0));
    VECTOR_PUSH(*out, number_at(use, 1));
  }
}

bool outline_flag(const json_t *outline, const char *key) { return json_is_true(json_object_get(outline, key)); }

size_t outline_word_count(const json_t *outline) { return json_array_size(json_object_get(outline, "words")); }

const char *outline_word(const json_t *outline, size_t i) {
  const char *word = json_string_value(json_array_get(json_object_get(outline, "words"), i));
  return word ? word : "";
}

size_t outline_property_count(const json_t *outline) { return json_array_size(json_object_get(outline, "properties")); }

const char *outline_property(const json_t *outline, size_t i, uint64_t *line) {
  const json_t *p = json_array_get(json_object_get(outline, "properties"), i);
  *line = (uint64_t)member_number(p, "line");
  return member_string(p, "name");
}

void write_position(const server *s, const document *d, json_writer *w, size_t offset) {
  position p = position_of(&d->text, offset, s->in_bytes);
  json_begin_object(w);
  json_field_count(w, "line", p.line);
  json_field_count(w, "character", p.column);
  json_end_object(w);
}

void write_range(const server *s, const document *d, json_writer *w, const char *key, size_t start, size_t end) {
  if (key) json_key(w, key);
  json_begin_object(w);
  json_key(w, "start");
  write_position(s, d, w, start);
  json_key(w, "end");
  write_position(s, d, w, end);
  json_end_object(w);
}
