/* The reader of C programs under fire. Any text that claims to be clang's syntax tree gives a model or messages, never both.
 * The text of the program itself is blank: only messages show it.
 *
 * `tests/fuzz MINUTES tree` runs this under AFL++ with sanitizers, with trees made by tests/fuzzing/tree_seeds.py and changed by
 * tests/fuzzing/tree_mutator.py; tests/unit/input/test_input_fuzz_tree.c runs what it found once. */
#include <stdio.h>
#include <stdlib.h>

#include "input/c/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_with(const char *json, size_t size, const c_settings *settings) {
  static const char blank[2001] = "";
  source s;
  diagnostics d = {0};
  source_open(&s, "fuzz.c", blank, sizeof blank - 1);
  s.c_settings = settings;
  model *m = c_read_json(&s, json, size, &d);
  if ((m == NULL) != (d.errors > 0) || (d.errors > 0) != (d.text.count > 0)) {
    fprintf(stderr, "a model and messages, or neither: %s\n", text_string(&d.text));
    abort();
  }
  model_free(m);
  text_clear(&d.text);
  source_close(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *json = memory_copy_bytes((const char *)data, size);
  read_with(json, size, &(c_settings){.most_expanded = 4, .properties = "termination,valid-memcleanup"});
  read_with(json, size, NULL);
  memory_free(json);
  return 0;
}
