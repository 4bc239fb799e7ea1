/* whet estimate: how many states there are, from a sample. */
#include <signal.h>
#include <string.h>

#include "cli/cli.h"

static whet_estimate *volatile running;

static void on_signal(int number) {
  (void)number;
  if (running) whet_estimate_interrupt(running);
}

/* The first signal ends the sample, and what is known is printed; a second one ends the program. */
static void catch_signals(void) {
  static const int asked[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) sigaction(asked[i], &action, NULL);
}

static int print_estimate(const command_line *line, whet_estimate *e) {
  char *error;
  running = e;
  catch_signals();
  char *shown = whet_estimate_run(e, &error);
  running = NULL;
  if (shown)
    fputs(shown, stdout);
  else
    fprintf(stderr, "whet %s: %s\n", line->command->name, error);
  int status = whet_estimate_is_complete(e) ? STATUS_HOLDS : STATUS_UNDECIDED;
  whet_free(shown);
  whet_free(error);
  return status;
}

int run_estimate(const command_line *line) {
  char *error;
  whet_model *m = model_load(line);
  if (!m) return STATUS_USAGE;
  whet_estimate *e = whet_estimate_new(m, line->options, &error);
  int status = e ? print_estimate(line, e) : usage_error(line->command, "%s", error);
  whet_free(error);
  whet_estimate_free(e);
  whet_model_free(m);
  return status;
}
