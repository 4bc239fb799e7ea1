/* The readers of scripts under fire: SMT-LIB, VMT and SV-LIB. Any text gives a model or messages, never both; Z3's parser, in a child
 * process, may end in any way.
 *
 * `tests/fuzz MINUTES smt2` (or vmt, svlib) runs this under AFL++ with sanitizers. FUZZ_NAME, of the build, says which reader is meant. */
#include <stdio.h>
#include <stdlib.h>

#include "input/input.h"

#ifndef FUZZ_NAME
#define FUZZ_NAME "fuzz.smt2"
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_script(const char *name, const uint8_t *data, size_t size) {
  char *content = memory_copy_bytes((const char *)data, size);
  diagnostics d = {0};
  model *m = input_read_text(name, content, size, &d);
  if ((m == NULL) != (d.errors > 0) || (d.errors > 0 && d.text.count == 0)) {
    fprintf(stderr, "a model and messages, or neither: %s\n", text_string(&d.text));
    abort();
  }
  model_free(m);
  text_clear(&d.text);
  memory_free(content);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  read_script(FUZZ_NAME, data, size);
  return 0;
}
