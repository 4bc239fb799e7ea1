/* What editors ask of a text. */
#include "input/input.h"
#include "library/inside.h"

typedef bool writer(const char *path, const char *content, size_t length, text *out, diagnostics *d);

static char *written(writer *write, const char *path, const char *content, size_t length, char **error) {
  text out = {0};
  diagnostics d = {0};
  bool fine = write(path, content, length, &out, &d);
  if (!fine) *error = text_give(&d.text);
  text_clear(&d.text);
  if (fine) return text_give(&out);
  text_clear(&out);
  return NULL;
}

char *whet_outline(const char *path, const char *content, size_t length, char **error) {
  return written(input_outline, path, content, length, error);
}

char *whet_format(const char *path, const char *content, size_t length, char **error) {
  return written(input_format, path, content, length, error);
}
