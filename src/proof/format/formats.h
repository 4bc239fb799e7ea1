/* The formats behind certificate.h. */
#ifndef WHET_PROOF_FORMAT_FORMATS_H
#define WHET_PROOF_FORMAT_FORMATS_H

#include "base/json_reader.h"
#include "base/json_writer.h"
#include "proof/evidence.h"

#define CERTIFICATE_VERSION 1

/* FILE_write and FILE_read for each row of evidence.def. */
#define EVIDENCE(CONSTANT, FILE, ...)                                               \
  void FILE##_write(const model *m, size_t property, const evidence *e, text *out); \
  bool FILE##_read(model *m, const char *content, size_t length, size_t *property, evidence *e, GIVE char **error);
#include "proof/evidence.def"
#undef EVIDENCE

/* The object that the file of a trace has for a quotient. */
void quotient_write(const model *m, const evidence *e, json_writer *w);
bool quotient_read(const model *m, json_reader *json, evidence *e);

/* "LINE:COLUMN: message" for an offset into `content`; takes `message`. */
GIVE char *error_at(const char *content, size_t length, size_t offset, TAKE char *message);
/* The property called `name`; else false and a message in `*error`. */
/* `name` is escaped in the file. */
bool property_named_escaped(const model *m, const char *name, size_t *property, GIVE char **error);
bool property_named(const model *m, const char *name, size_t *property, GIVE char **error);

#endif
