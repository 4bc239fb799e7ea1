/* Chooses the format, by the kind of evidence when writing and by how the text begins when reading. */
#include "proof/certificate.h"

#include "proof/formats.h"

void certificate_write(const model *m, size_t property, const evidence *e, text *out) {
  REQUIRE(property < m->properties.count, "a property of the model");
  REQUIRE(e->kind != EVIDENCE_NONE, "evidence");
  if (e->kind == EVIDENCE_INVARIANT)
    invariant_write(m, property, e, out);
  else if (e->kind == EVIDENCE_K_INDUCTIVE)
    k_induction_write(m, property, e, out);
  else if (e->kind == EVIDENCE_STATES)
    states_write(m, property, e, out);
  else if (e->kind == EVIDENCE_HEAP)
    heap_write(m, property, e, out);
  else if (e->kind == EVIDENCE_INTERPRETATION)
    interpretation_write(m, property, e, out);
  else if (e->kind == EVIDENCE_DERIVATION)
    derivation_write(m, property, e, out);
  else
    trace_write(m, property, e, out);
}

static bool starts_with(const char *content, size_t length, const char *word) {
  return length >= strlen(word) && !memcmp(content, word, strlen(word));
}

bool certificate_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  size_t at = 0;
  *e = (evidence){0};
  *error = NULL;
  while (at < length && memchr(" \t\r\n", content[at], 4)) at++;
  bool is_about_model = !m->clauses || starts_with(content + at, length - at, INVARIANT_FIRST_WORDS) ||
                        starts_with(content + at, length - at, K_INDUCTION_FIRST_WORDS);
  bool read =
      starts_with(content + at, length - at, "{")                 ? trace_read(m, content, length, property, e, error)
      : starts_with(content + at, length - at, STATES_FIRST_WORD) ? states_read(m, content, length, property, e, error)
      : starts_with(content + at, length - at, HEAP_FIRST_WORD)   ? heap_read(m, content, length, property, e, error)
      : !is_about_model ? clause_evidence_read(m, content, length, property, e, error)
                        : invariant_read(m, content, length, property, e, error);
  if (!read) evidence_free(e);
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

bool property_named(const model *m, const char *name, size_t *property, char **error) {
  if (model_find_property(m, name, property)) return true;
  *error = text_format("%s has no property called %s", m->name, name);
  return false;
}
