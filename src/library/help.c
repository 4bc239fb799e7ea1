/* Help for the engines that options give: --predicates, --lemma, --keep. */
#include <errno.h>

#include "input/input.h"
#include "library/inside.h"
#include "model/control.h"

static char *take_file(model *m, const char *path, term_vector *into) {
  text content = {0};
  diagnostics d = {0};
  char *error = NULL;
  if (!text_add_file(&content, path, INPUT_MOST_BYTES + 1))
    error = text_format("cannot read %s: %s", path, strerror(errno));
  else if (!input_read_expressions(m, path, text_string(&content), content.count, into, &d))
    error = text_give(&d.text);
  text_clear(&content);
  text_clear(&d.text);
  return error;
}

char *library_next_line(const char **lines) {
  if (!*lines || !**lines) return NULL;
  size_t n = strcspn(*lines, "\n");
  char *line = memory_copy_bytes(*lines, n);
  *lines += n + ((*lines)[n] == '\n');
  return line;
}

/* `paths` is NULL or has a line for each file. */
static char *take_expressions(model *m, const char *paths, term_vector *into) {
  char *error = NULL;
  for (char *path; !error && (path = library_next_line(&paths)); memory_free(path)) error = take_file(m, path, into);
  return error;
}

/* --keep; NULL or a line for each name. */
static char *take_kept(model *m, const char *names) {
  char *error = NULL;
  for (char *name; !error && (name = library_next_line(&names)); memory_free(name)) error = control_add(m, name);
  return error;
}

char *library_take_help(model *m, const options *o) {
  char *error = take_expressions(m, o->predicates, &m->predicates);
  if (!error) error = take_expressions(m, o->lemma, &m->lemmas);
  return error ? error : take_kept(m, o->keep);
}

bool whet_model_add_help(whet_model *m, const whet_options *o, char **error) {
  *error = library_take_help(m->model, o->options);
  return !*error;
}
