/* Writes the file: the command that repeats the run, the reason, the model and the certificate. */
#include "run/rejected_evidence.h"

#include <stdlib.h>
#include <unistd.h>

static void add_quoted(text *out, const char *word) {
  text_add_char(out, '\'');
  for (const char *c = word; *c; c++)
    if (*c == '\'')
      text_add(out, "'\\''");
    else
      text_add_char(out, *c);
  text_add_char(out, '\'');
}

/* Options of the engine that were given. */
static void add_engine_options(text *out, const char *engine, const options *o) {
  for (size_t i = 0; i < options_count(); i++) {
    const option_row *row = options_at(i);
    if (!o->given[i] || !options_list_has(row->engines, engine)) continue;
    char *value = options_get(o, row->name);
    text_add(out, " --%s", row->name);
    if (row->kind != OPTION_IS_FLAG) text_add(out, " %s", value);
    memory_free(value);
  }
}

static void add_command(text *out, const char *path, const char *property, const char *engine, const options *o) {
  text_add(out, "whet verify ");
  add_quoted(out, path);
  text_add(out, " --engine %s --property ", engine);
  add_quoted(out, property);
  text_add(out, " --seed %llu --timeout %g --memory %llu", (unsigned long long)o->seed, o->timeout,
           (unsigned long long)o->memory);
  add_engine_options(out, engine, o);
  text_add_char(out, '\n');
}

static void add_section(text *out, const char *title, const char *content) {
  text_add(out, "\n==== %s ====\n", title);
  text_add(out, "%s", content);
  if (out->at[out->count - 1] != '\n') text_add_char(out, '\n');
}

char *rejected_evidence_keep(const model *m, const char *path, size_t property, const char *engine, const options *o,
                             const char *why, const char *certificate) {
  const char *folder = getenv("TMPDIR");
  char *file = text_format("%s/whet-rejected-XXXXXX", folder && *folder ? folder : "/tmp");
  text content = {0}, printed = {0};
  text_add(&content, "whet %s: the evidence of engine %s for property %s of %s was rejected: %s\n", WHET_VERSION,
           engine, m->properties.at[property].name, path, why);
  add_command(&content, path, m->properties.at[property].name, engine, o);
  model_print(m, &printed);
  add_section(&content, "model", text_string(&printed));
  add_section(&content, "certificate", certificate);
  int descriptor = mkstemp(file);
  bool written = descriptor >= 0 && write(descriptor, content.at, content.count) == (ssize_t)content.count;
  if (descriptor >= 0 && close(descriptor)) written = false;
  text_clear(&content);
  text_clear(&printed);
  if (written) return file;
  memory_free(file);
  return NULL;
}
