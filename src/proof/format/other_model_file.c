/* Certificates about another model that is made from this one: a line that says which, the property, and the certificate of the other;
 * docs/certificates.md describes them. */
#include "base/escape.h"
#include "proof/certificate.h"
#include "proof/format/formats.h"

static const char before_property[] = "; property ";

static void write_head(evidence_kind kind, const model *m, size_t property, text *out) {
  text_add(out, "%s\n%s", evidence_row_of(kind)->first_words, before_property);
  text_add_escaped(out, m->properties.at[property].name, "");
  text_add(out, "\n");
}

void certificate_wrap(evidence_kind kind, const model *m, size_t property, const char *other, text *out) {
  REQUIRE(evidence_row_of(kind)->content == CONTENT_OTHER, "evidence about another model");
  write_head(kind, m, property, out);
  text_add(out, "%s", other);
}

void any_copies_write(const model *m, size_t property, const evidence *e, text *out) {
  write_head(EVIDENCE_ANY_COPIES, m, property, out);
  certificate_write(m->any_copies, e->other_property, e->other, out);
}

void counted_write(const model *m, size_t property, const evidence *e, text *out) {
  write_head(EVIDENCE_COUNTED, m, property, out);
  certificate_write(e->counted->made, e->other_property, e->other, out);
}

/* What stands on the line, without its end; `*at` is after it then. */
static GIVE char *take_line(const char *content, size_t length, size_t *at) {
  const char *end = *at < length ? memchr(content + *at, '\n', length - *at) : NULL;
  size_t count = end ? (size_t)(end - content) - *at : length - *at;
  char *line = memory_copy_bytes(content + *at, count);
  *at += count + (end != NULL);
  return line;
}

static bool read_head(const model *m, const char *content, size_t length, size_t *at, size_t *property, char **error) {
  size_t words = sizeof before_property - 1;
  *at = 0;
  memory_free(take_line(content, length, at));
  char *line = take_line(content, length, at);
  bool fine = !strncmp(line, before_property, words);
  if (!fine) *error = text_format("2:1: expected `%sNAME`", before_property);
  fine = fine && property_named_escaped(m, line + words, property, error);
  memory_free(line);
  return fine;
}

static bool read_other(model *other, const char *content, size_t length, size_t at, evidence *e, char **error) {
  e->other = MEMORY_NEW(evidence);
  return certificate_read(other, content + at, length - at, &e->other_property, e->other, error);
}

bool any_copies_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  size_t at;
  e->kind = EVIDENCE_ANY_COPIES;
  if (!read_head(m, content, length, &at, property, error)) return false;
  if (m->any_copies) return read_other(m->any_copies, content, length, at, e, error);
  *error = text_format("1:1: no constant says how many copies of its processes %s has", m->name);
  return false;
}

bool counted_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  size_t at;
  const char *why;
  e->kind = EVIDENCE_COUNTED;
  if (!read_head(m, content, length, &at, property, error)) return false;
  e->counted = counter_model_new(m, *property, &why);
  if (e->counted) return read_other(e->counted->made, content, length, at, e, error);
  *error = text_format("1:1: copies of processes cannot be counted: %s", why);
  return false;
}
