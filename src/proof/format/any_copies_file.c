/* The certificate of the same text with any number of copies, behind a line of its own; docs/certificates.md describes it. */
#include "proof/certificate.h"
#include "proof/format/formats.h"

void any_copies_write(const model *m, size_t property, const evidence *e, text *out) {
  (void)property; /* it has the same name there */
  text_add(out, "%s\n", evidence_row_of(EVIDENCE_ANY_COPIES)->first_words);
  certificate_write(m->any_copies, e->other_property, e->other, out);
}

static bool read_other(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  model *other = m->any_copies;
  if (!certificate_read(other, content, length, &e->other_property, e->other, error)) return false;
  return property_named(m, other->properties.at[e->other_property].name, property, error);
}

bool any_copies_read(model *m, const char *content, size_t length, size_t *property, evidence *e, char **error) {
  const char *end = memchr(content, '\n', length);
  size_t skipped = end ? (size_t)(end - content) + 1 : length;
  if (!m->any_copies) {
    *error = text_format("no constant says how many copies of its processes %s has", m->name);
    return false;
  }
  *e = (evidence){.kind = EVIDENCE_ANY_COPIES, .other = MEMORY_NEW(evidence)};
  return read_other(m, content + skipped, length - skipped, property, e, error);
}
