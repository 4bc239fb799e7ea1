/* The readers of certificates under fire. Any text gives evidence or a message; evidence that was read is written as a
 * text that reads back as evidence for the same property.
 *
 * `make fuzz WHAT=certificate` runs this under libFuzzer with sanitizers. */
#include <stdlib.h>

#include "../proof_models.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ALWAYS(COND)                                             \
  do {                                                           \
    if (!(COND)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #COND); \
      abort();                                                   \
    }                                                            \
  } while (0)

/* A model that the seeds of such a text are about. */
static case_of_evidence case_for(const uint8_t *data, size_t size) {
  enum { TICKET = 3, JUMPS = 9, COUNTER = 12 };
  if (size && data[0] == '{') return proof_case(JUMPS);
  return proof_case(size && data[0] == 'w' ? COUNTER : TICKET);
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
  case_of_evidence c = case_for(data, size);
  char *exact = malloc(size ? size : 1), *error = NULL; /* a block of its own, so that a byte too many is noticed */
  evidence e;
  size_t property;
  if (size) memcpy(exact, data, size);
  if (certificate_read(c.model, exact, size, &property, &e, &error))
    write_and_read(c.model, property, &e);
  else
    ALWAYS(error && e.kind == EVIDENCE_NONE);
  evidence_clear(&e);
  memory_free(error);
  free(exact);
  proof_case_free(&c);
  return 0;
}
