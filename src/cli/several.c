/* Several models in one call: the command for each in turn, with options of its own, as if it had been called for that one. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const char *const outputs[] = {"json", "junit",   "sarif",   "report",   "certificate",    "formula",
                                      "dot",  "harness", "witness", "annotate", "save-predicates"};

char *file_name_with(const char *base, const char *inserted) {
  size_t length = strlen(base), size = length + 3 * strlen(inserted) + 2;
  char *path = malloc(size);
  if (!path) abort();
  const char *folder = strrchr(base, '/'), *dot = strrchr(base, '.');
  if (!dot || (folder && dot < folder)) dot = base + length;
  char *to = path + snprintf(path, size, "%.*s.", (int)(dot - base), base);
  for (const char *c = inserted; *c; c++) {
    unsigned char code = (unsigned char)*c;
    bool is_plain = code > ' ' && code != '/' && code != '%' && code != 127;
    to += is_plain ? snprintf(to, 2, "%c", code) : snprintf(to, 4, "%%%02X", code);
  }
  strcpy(to, dot);
  return path;
}

/* -1, or the status to exit with: what several models cannot have. */
static int refuse(const command_line *all) {
  for (size_t i = 0; i < all->model_count; i++) {
    if (whet_task_is_named(all->models[i]))
      return usage_error(all->command, "%s is a task definition, and stands alone; `whet batch` runs many",
                         all->models[i]);
    for (size_t j = 0; j < i; j++)
      if (!strcmp(all->models[i], all->models[j]))
        return usage_error(all->command, "%s is named twice", all->models[i]);
  }
  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
    char *value = option_value(all, outputs[i]);
    bool is_mixed = file_is_standard(value) && strcmp(outputs[i], "json") && strcmp(outputs[i], "formula");
    whet_free(value);
    if (is_mixed) return usage_error(all->command, "--%s - is for one model; of several, name a file", outputs[i]);
  }
  return -1;
}

/* Files of different models have different names. */
static void name_files(const command_line *one) {
  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
    char *base = option_value(one, outputs[i]);
    if (*base && !file_is_standard(base)) {
      char *path = file_name_with(base, one->operands[0]), *error = whet_options_set(one->options, outputs[i], path);
      whet_free(error); /* a name is always fine */
      free(path);
    }
    whet_free(base);
  }
}

/* The first of: usage, internal, violated, undecided, holds. */
static int worse(int a, int b) {
  static const int order[] = {STATUS_USAGE, STATUS_INTERNAL, STATUS_VIOLATED, STATUS_UNDECIDED};
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
    if (a == order[i] || b == order[i]) return order[i];
  return a ? a : b;
}

int run_several(const cli_command *c, int count, char **words, const command_line *all) {
  int status = refuse(all);
  if (status >= 0) return status;
  status = STATUS_HOLDS;
  for (size_t i = 0; i < all->model_count && !verify_was_interrupted(); i++) {
    command_line one = {.command = c, .options = whet_options_new(), .is_one_of_several = true};
    int wrong = arguments_read(c, count, words, &one); /* once more: they were fine */
    one.operands[0] = all->models[i];
    if (wrong < 0) name_files(&one);
    status = worse(status, wrong < 0 ? c->run(&one) : wrong);
    whet_options_free(one.options);
    free(one.models);
  }
  return verify_was_interrupted() ? worse(status, STATUS_UNDECIDED) : status;
}
