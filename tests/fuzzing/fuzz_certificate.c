/* The readers of certificates under fire: a letter that names a model (certificate_models.def), then a text that claims to be a certificate for it. Any text
 * gives evidence or a message; evidence that was read is written as a text that reads back as evidence for the same property.
 *
 * `make fuzz WHAT=certificate` runs this under AFL++ with sanitizers, in the project's folder, from seeds of tests/fuzzing/certificate_seeds.py. */
#include "base/base.h"
#include "fuzzing/always.h"
#include "input/input.h"
#include "proof/certificate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MODEL(PATH, OPTIONS) PATH,
static const char *const paths[] = {
#include "certificate_models.def"
};
#undef MODEL

/* Each is read again after so many certificates, as these leave terms in it. */
enum { USES = 500 };

static model *model_at(size_t i) {
  static model *models[ARRAY_LENGTH(paths)];
  static unsigned uses[ARRAY_LENGTH(paths)];
  if (!models[i] || uses[i]++ == USES) {
    diagnostics d = {0};
    model_free(models[i]);
    models[i] = input_read_file(paths[i], &d);
    if (!models[i]) fprintf(stderr, "%s", text_string(&d.text));
    ALWAYS(models[i]);
    uses[i] = 0;
  }
  return models[i];
}

static void write_and_read(model *m, size_t property, const evidence *e) {
  text out = {0};
  evidence again;
  size_t property_again;
  char *error;
  certificate_write(m, property, e, &out);
  ALWAYS(certificate_read(m, out.at, out.count, &property_again, &again, &error));
  ALWAYS(property_again == property && again.kind == e->kind);
  evidence_clear(&again);
  text_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size || data[0] < 'a' || data[0] >= 'a' + ARRAY_LENGTH(paths)) return 0;
  model *m = model_at(data[0] - 'a');
  char *exact = malloc(size), *error = NULL; /* a block of its own, so that a byte too many is noticed */
  evidence e;
  size_t property;
  memcpy(exact, data + 1, size - 1);
  if (certificate_read(m, exact, size - 1, &property, &e, &error))
    write_and_read(m, property, &e);
  else
    ALWAYS(error && e.kind == EVIDENCE_NONE);
  evidence_clear(&e);
  memory_free(error);
  free(exact);
  return 0;
}
