/* Reading the model that a command is about, within the time limit of the command. */
#include <string.h>

#include "cli/cli.h"

static whet_model *read_model(const command_line *line) {
  char *error = NULL;
  bool counts_loops = line->command->run == run_bounds;
  whet_model *m = counts_loops ? whet_model_read_for_bounds(line->operands[0], line->options, &error)
                               : whet_model_read_for(line->operands[0], line->options, &error);
  if (!m) fprintf(stderr, "%s%s", error, *error && error[strlen(error) - 1] == '\n' ? "" : "\n");
  whet_free(error);
  return m;
}

whet_model *model_load(const command_line *line) {
  if (standard_streams_check(line) >= 0) return NULL;
  time_limit_watch(line, line->operands[0], false);
  whet_model *m = read_model(line);
  time_limit_release(line);
  return m;
}
