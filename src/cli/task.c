/* Task definitions and files with properties, in place of a program and of names of properties. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static bool is_file_of_properties(const char *value) {
  size_t length = strlen(value);
  return length > 4 && !strcmp(value + length - 4, ".prp");
}

static bool set_option(const command_line *line, const char *name, const char *value) {
  char *error = whet_options_set(line->options, name, value);
  if (error) usage_error(line->command, "%s", error);
  whet_free(error);
  return !error;
}

/* Those that whet has become the option `property`; each of the others is named in a note. */
static bool set_properties(const command_line *line, const whet_task *t) {
  char *all = NULL;
  size_t length;
  FILE *f = open_memstream(&all, &length);
  if (!f) abort();
  for (size_t i = 0; i < whet_task_property_count(t); i++) {
    const char *name = whet_task_property(t, i);
    if (name)
      fprintf(f, "%s%s", ftell(f) ? "," : "", name);
    else
      fprintf(stderr, "note: %s is not decided: whet has no such property\n", whet_task_property_as_named(t, i));
  }
  if (fclose(f)) abort();
  whet_options_forget(line->options, "property");
  bool fine = *all ? set_option(line, "property", all)
                   : (usage_error(line->command, "the task has no property that whet decides"), false);
  free(all);
  return fine;
}

static bool follow(command_line *line, const whet_task *t, bool sets_properties) {
  if (whet_task_file(t)) line->operands[0] = whet_task_file(t);
  if (*whet_task_machine(t) && !whet_options_given(line->options, "machine") &&
      !set_option(line, "machine", whet_task_machine(t)))
    return false;
  return !sets_properties || set_properties(line, t);
}

bool task_follow(command_line *line, whet_task **task) {
  char *error = NULL, *property = option_value(line, "property");
  bool is_task = whet_task_is_named(line->operands[0]), is_property = is_file_of_properties(property), fine = true;
  if (is_task || is_property) {
    *task = whet_task_read(is_task ? line->operands[0] : property, &error);
    if (!*task) usage_error(line->command, "%s", error);
    fine = *task && follow(line, *task, is_property || !*property);
    if (fine && is_task && !whet_task_file(*task)) {
      usage_error(line->command, "%s has properties and names no program", line->operands[0]);
      fine = false;
    }
  }
  whet_free(error);
  whet_free(property);
  return fine;
}

void task_compare(const whet_task *t, const whet_result *r) {
  whet_verdict v = whet_result_verdict(r);
  for (size_t i = 0; t && i < whet_task_property_count(t); i++) {
    const char *name = whet_task_property(t, i), *expected = whet_task_expected(t, i);
    if (!name || strcmp(name, whet_result_property(r)) || !*expected || v == WHET_UNKNOWN) continue;
    if ((v == WHET_SAFE || v == WHET_HOLDS) != !strcmp(expected, "true"))
      fprintf(stderr, "note: %s: the task expects another verdict (%s)\n", name, expected);
  }
}
