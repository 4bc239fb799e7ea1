/* Reading the model that a command is about, within the time limit of the command. */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

static const char *late_path;
static bool late_is_horn;

static void say(int stream, const char *words) {
  ssize_t ignored = write(stream, words, strlen(words));
  (void)ignored;
}

/* Nothing is known of the model yet, and nothing can be saved from within a signal: the program ends here. */
static void on_time(int number) {
  (void)number;
  if (late_is_horn) say(STDOUT_FILENO, "unknown\n");
  say(STDERR_FILENO, late_path);
  say(STDERR_FILENO, ": time limit reached while the model was read\n");
  _exit(STATUS_UNDECIDED);
}

static void set_alarm(double seconds) {
  struct itimerval timer = {0};
  timer.it_value.tv_sec = (time_t)seconds;
  timer.it_value.tv_usec = (suseconds_t)fmod(seconds * 1e6, 1e6);
  setitimer(ITIMER_REAL, &timer, NULL);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static whet_model *read_model(const char *path) {
  char *error = NULL;
  whet_model *m = whet_model_read(path, &error);
  if (!m) fprintf(stderr, "%s%s", error, *error && error[strlen(error) - 1] == '\n' ? "" : "\n");
  whet_free(error);
  return m;
}

/* The least that is a limit at all, and the most that a timer takes. */
#define LEAST_SECONDS 1e-3
#define MOST_SECONDS 1e8

static whet_model *read_within(const command_line *line, double seconds) {
  const char *path = line->operands[0], *ending = strrchr(path, '.');
  double start = now();
  char left[32];
  late_path = path;
  late_is_horn = line->command == command_find("verify") && ending && !strcmp(ending, ".smt2");
  signal(SIGALRM, on_time);
  set_alarm(fmin(fmax(seconds, LEAST_SECONDS), MOST_SECONDS));
  whet_model *m = read_model(path);
  set_alarm(0);
  signal(SIGALRM, SIG_DFL);
  snprintf(left, sizeof left, "%.6f", fmax(seconds - (now() - start), LEAST_SECONDS));
  whet_free(whet_options_set(line->options, "timeout", left));
  return m;
}

whet_model *model_load(const command_line *line) {
  if (standard_streams_check(line) >= 0) return NULL;
  double seconds = 0;
  char *limit = option_value(line, "timeout");
  sscanf(limit, "%lf", &seconds);
  whet_free(limit);
  return seconds > 0 ? read_within(line, seconds) : read_model(line->operands[0]);
}
