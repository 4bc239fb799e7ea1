/* Chooses the format, by the kind of evidence when writing and by how the text begins when reading. */
#include "proof/certificate.h"

#include "base/escape.h"
#include "proof/format/formats.h"

typedef struct format {
  void (*write)(const model *m, size_t property, const evidence *e, text *out);
  bool (*read)(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error);
} format;

#define EVIDENCE(CONSTANT, FILE, ...) [EVIDENCE_##CONSTANT] = {FILE##_write, FILE##_read},
static const format formats[EVIDENCE_KINDS] = {
#include "proof/evidence.def"
};
#undef EVIDENCE

void certificate_write(const model *m, size_t property, const evidence *e, text *out) {
  REQUIRE(property < m->properties.count, "a property of the model");
  REQUIRE(e->kind > EVIDENCE_NONE && e->kind < EVIDENCE_KINDS, "evidence");
  formats[e->kind].write(m, property, e, out);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A number at the end of the words is the whole number. */
static bool starts_with(const char *content, size_t length, const char *words) {
  size_t count = strlen(words);
  if (length < count || memcmp(content, words, count)) return false;
  return !count || length == count || !is_digit(words[count - 1]) || !is_digit(content[count]);
}

static evidence_kind kind_by_first_words(const model *m, const char *content, size_t length) {
  size_t at = 0;
  while (at < length && memchr(" \t\r\n", content[at], 4)) at++;
  for (evidence_kind kind = EVIDENCE_NONE + 1; kind < EVIDENCE_KINDS; kind++) {
    const evidence_row *row = evidence_row_of(kind);
    bool suits = m->clauses || !(row->about & (ABOUT_CLAUSES | ABOUT_END));
    if (suits && starts_with(content + at, length - at, row->first_words)) return kind;
  }
  return EVIDENCE_INVARIANT;
}

bool certificate_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  *e = (evidence){0};
  *error = NULL;
  bool read = formats[kind_by_first_words(m, content, length)].read(m, content, length, property, e, error);
  assert(!read || (e->kind != EVIDENCE_NONE && *property < m->properties.count));
  if (!read) evidence_clear(e);
  return read;
}

char *error_at(const char *content, size_t length, size_t offset, char *message) {
  size_t line = 1, column = 1;
  for (size_t i = 0; i < offset && i < length; i++) {
    column++;
    if (content[i] == '\n') line++, column = 1;
  }
  char *result = text_format("%zu:%zu: %s", line, column, message);
  memory_free(message);
  return result;
}

bool property_named_escaped(const model *m, const char *name, size_t *property, char **error) {
  text plain = {0};
  text_add_unescaped(&plain, name);
  bool found = model_find_property(m, text_string(&plain), property) || property_named(m, name, property, error);
  text_clear(&plain);
  return found;
}

bool property_named(const model *m, const char *name, size_t *property, char **error) {
  if (model_find_property(m, name, property)) return true;
  *error = text_format("%s has no property called %s", m->name, name);
  return false;
}
