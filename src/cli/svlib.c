/* Checking a witness of an SV-LIB script: the script is verified again with what the witness says. */
#include <string.h>

#include "cli/cli.h"

static bool is_script(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && !strcmp(dot, ".svlib");
}

bool svlib_witness_is_meant(const command_line *line) {
  return line->operand_count > 1 && is_script(line->operands[0]) && is_script(line->operands[1]);
}

static void print_violation(const whet_result *r, const char *words) {
  char *run = whet_result_trace(r, false, false);
  printf("%s: %s\n%s", whet_result_property(r), words, run ? run : "");
  whet_free(run);
}

/* Of a trace, the witness is right if it violates the property. Of a proof, if all is proved. */
static int print_answer(const whet_run *run, bool is_violation) {
  for (size_t i = 0; i < whet_run_property_count(run); i++) {
    const whet_result *r = whet_run_result(run, i);
    if (whet_result_verdict(r) != WHET_UNSAFE) continue;
    print_violation(r, is_violation ? "accepted: UNSAFE" : "rejected: it does not hold at the end of this run:");
    return is_violation ? STATUS_HOLDS : STATUS_VIOLATED;
  }
  for (size_t i = 0; i < whet_run_property_count(run); i++) {
    const whet_result *r = whet_run_result(run, i);
    if (whet_result_verdict(r) == WHET_SAFE) continue;
    printf("%s: unsure: %s\n", whet_result_property(r), whet_result_reason(r));
    return whet_result_internal_error(r) ? STATUS_INTERNAL : STATUS_UNDECIDED;
  }
  for (size_t i = 0; i < whet_run_property_count(run); i++)
    printf("%s: %s\n", whet_result_property(whet_run_result(run, i)),
           is_violation ? "rejected: no run that makes the choices of the trace violates it" : "accepted: SAFE");
  return is_violation ? STATUS_VIOLATED : STATUS_HOLDS;
}

static int verify_with(const command_line *line, whet_model *m, const char *property) {
  char *error = property ? whet_options_set(line->options, "property", property) : NULL;
  whet_run *run = error ? NULL : whet_run_new(m, line->options, &error);
  if (!run) {
    int status = usage_error(line->command, "%s", error);
    whet_free(error);
    return status;
  }
  while (whet_run_next(run)) {
  }
  int status = print_answer(run, property != NULL);
  whet_run_free(run);
  return status;
}

int svlib_witness_check(const command_line *line) {
  char *error = NULL, *property = NULL;
  whet_model *m = whet_model_read_with_svlib(line->operands[0], line->operands[1], &property, &error);
  int status = STATUS_USAGE;
  if (error) fprintf(stderr, "%s%s", error, *error && error[strlen(error) - 1] == '\n' ? "" : "\n");
  whet_free(error);
  if (m) status = verify_with(line, m, property);
  whet_free(property);
  whet_model_free(m);
  return status;
}
