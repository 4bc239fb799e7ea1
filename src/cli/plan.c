/* whet plan: the jobs of a batch for a scheduler. */
#include <stdlib.h>

#include "cli/cli.h"

static void print_counts(const whet_plan *p, bool is_submitted) {
  whet_plan_counts n = whet_plan_count(p);
  char *command = whet_plan_command(p);
  printf("%zu problems, %zu properties, %zu jobs of %llu cores and %llu MB; %zu to be run\n", n.problems, n.properties,
         n.jobs, (unsigned long long)n.cores, (unsigned long long)n.memory, n.needed);
  if (!is_submitted) printf("%s\n", command);
  whet_free(command);
}

static int submit(const command_line *line, const whet_plan *p) {
  char *said = NULL, *error = NULL;
  bool fine = !whet_plan_count(p).needed || whet_plan_submit(p, &said, &error);
  if (said) fputs(said, stdout);
  int status = fine ? STATUS_HOLDS : usage_error(line->command, "%s", error);
  whet_free(said);
  whet_free(error);
  return status;
}

int run_plan(const command_line *line) {
  char *error = NULL, *program = own_path();
  bool submits = flag_given(line, "submit");
  whet_plan *p = whet_plan_new(line->operands[0], line->options, &error);
  for (size_t i = 0; p && !flag_given(line, "quiet") && i < whet_plan_note_count(p); i++)
    fprintf(stderr, "note: %s\n", whet_plan_note(p, i));
  int status;
  if (!p || !whet_plan_write(p, program, &error)) {
    status = usage_error(line->command, "%s", error);
  } else {
    print_counts(p, submits);
    status = submits ? submit(line, p) : STATUS_HOLDS;
  }
  whet_free(error);
  whet_plan_free(p);
  free(program);
  return status;
}
