/* Checking a witness of a C program: the program is verified again with what the witness says. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static bool is_program(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".i"));
}

bool witness_is_meant(const command_line *line) {
  return line->operand_count > 1 && is_program(line->operands[0]) && whet_witness_is_named(line->operands[1]);
}

static bool set_option(const command_line *line, const char *name, const char *value) {
  char *error = whet_options_set(line->options, name, value);
  if (error) usage_error(line->command, "%s", error);
  whet_free(error);
  return !error;
}

static bool follow(const command_line *line, const whet_witness *w) {
  if (!whet_options_given(line->options, "machine") && !set_option(line, "machine", whet_witness_machine(w)))
    return false;
  return set_option(line, "property", whet_witness_property(w)) &&
         (!whet_witness_invariant_count(w) || set_option(line, "property", "witness-invariants"));
}

static void print_run(const whet_result *r) {
  char *run = whet_result_trace(r, false, false);
  if (run) fputs(run, stdout);
  whet_free(run);
}

/* Of a run, the witness is right if the property is violated by it. Of a proof, if all is proved. */
static int print_answer(const whet_witness *w, const whet_run *run) {
  const char *name = whet_witness_property(w);
  bool is_violation = whet_witness_is_violation(w);
  for (size_t i = 0; i < whet_run_property_count(run); i++) {
    const whet_result *r = whet_run_result(run, i);
    if (whet_result_verdict(r) != WHET_UNSAFE) continue;
    printf("%s: %s\n", name,
           is_violation ? "accepted: UNSAFE"
           : strcmp(whet_result_property(r), name)
               ? "rejected: an invariant of the witness does not hold at the end of this run:"
               : "rejected: this run violates the property:");
    print_run(r);
    return is_violation ? STATUS_HOLDS : STATUS_VIOLATED;
  }
  for (size_t i = 0; i < whet_run_property_count(run); i++) {
    const whet_result *r = whet_run_result(run, i);
    if (whet_result_verdict(r) == WHET_SAFE) continue;
    printf("%s: unsure: %s\n", name, whet_result_reason(r));
    return whet_result_internal_error(r) ? STATUS_INTERNAL : STATUS_UNDECIDED;
  }
  char *condition = whet_run_condition(run, whet_run_result(run, 0));
  if (is_violation)
    printf("%s: rejected: no run that the witness describes violates the property\n", name);
  else
    printf("%s: accepted: SAFE%s%s%s\n", name, *condition ? " (" : "", condition, *condition ? ")" : "");
  whet_free(condition);
  return is_violation ? STATUS_VIOLATED : STATUS_HOLDS;
}

static int verify_with(const command_line *line, const whet_witness *w, whet_model *m) {
  char *error = NULL;
  whet_run *run = whet_run_new(m, line->options, &error);
  if (!run) {
    int status = usage_error(line->command, "%s", error);
    whet_free(error);
    return status;
  }
  while (whet_run_next(run)) {
  }
  int status = print_answer(w, run);
  whet_run_free(run);
  return status;
}

int witness_check(const command_line *line) {
  char *error = NULL;
  int status = STATUS_USAGE;
  whet_witness *w = whet_witness_read(line->operands[1], &error);
  whet_model *m = NULL;
  if (w && follow(line, w)) m = whet_model_read_with(line->operands[0], line->options, w, &error);
  if (error) fprintf(stderr, "%s%s", error, *error && error[strlen(error) - 1] == '\n' ? "" : "\n");
  whet_free(error);
  if (m) status = verify_with(line, w, m);
  whet_model_free(m);
  whet_witness_free(w);
  return status;
}
