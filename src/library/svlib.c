/* SV-LIB scripts with witnesses. */
#include "input/svlib/witness.h"
#include "library/inside.h"

static bool add_file(text *out, const char *path, diagnostics *d) {
  bool fine = text_add_file(out, path, INPUT_MOST_BYTES + 1) && out->count <= INPUT_MOST_BYTES &&
              !(out->count && memchr(out->at, 0, out->count));
  if (!fine) report_file_error(d, path, "this file cannot be read as text");
  return fine;
}

whet_model *whet_model_read_with_svlib(const char *path, const char *witness, char **property, char **error) {
  text program = {0}, said = {0}, both = {0};
  diagnostics d = {0};
  whet_model *m = NULL;
  *property = *error = NULL;
  if (add_file(&program, path, &d) && add_file(&said, witness, &d)) {
    svlib_text one = {path, text_string(&program), program.count}, two = {witness, text_string(&said), said.count};
    char *name = text_format("%s with %s", path, witness);
    if (svlib_combine(&one, &two, &both, property, &d))
      m = whet_model_read_text(name, text_string(&both), both.count, error);
    memory_free(name);
  }
  text_clear(&program);
  text_clear(&said);
  text_clear(&both);
  if (!m && !*error) *error = memory_copy_string(text_string(&d.text));
  text_clear(&d.text);
  if (m) return m;
  memory_free(*property);
  *property = NULL;
  return NULL;
}
