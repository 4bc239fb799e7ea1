/* The time limit of a command while it reads and writes files: an alarm, for a file that never ends or that nobody
 * reads blocks the program itself. While engines work they keep the limit, and this is not needed. */
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

/* The least that is a limit at all, and the most that a timer takes. What was found out is still written when the time
 * is over, if that does not take long. */
#define LEAST_SECONDS 1e-3
#define MOST_SECONDS 1e8
#define SECONDS_FOR_WRITING 1.0

static double limit_end; /* in now(); 0: there is no limit, or nobody has asked yet */
static const char *late_path, *late_doing;
static bool late_is_horn;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void say(int stream, const char *words) {
  ssize_t ignored = write(stream, words, strlen(words));
  (void)ignored;
}

/* Nothing can be saved from within a signal: the program ends here. */
static void on_time(int number) {
  (void)number;
  if (late_is_horn) say(STDOUT_FILENO, "unknown\n");
  say(STDERR_FILENO, late_path);
  say(STDERR_FILENO, ": time limit reached while it was ");
  say(STDERR_FILENO, late_doing);
  say(STDERR_FILENO, "\n");
  _exit(STATUS_UNDECIDED);
}

static void set_alarm(double seconds) {
  struct itimerval timer = {0};
  timer.it_value.tv_sec = (time_t)seconds;
  timer.it_value.tv_usec = (suseconds_t)fmod(seconds * 1e6, 1e6);
  setitimer(ITIMER_REAL, &timer, NULL);
}

static double seconds_left(const command_line *line) {
  double seconds = 0;
  char *limit = option_is_of_command(line, "timeout") ? option_value(line, "timeout") : NULL;
  if (limit) sscanf(limit, "%lf", &seconds);
  whet_free(limit);
  if (seconds <= 0) return 0;
  if (!limit_end) limit_end = now() + seconds;
  return fmax(limit_end - now(), LEAST_SECONDS);
}

void time_limit_watch(const command_line *line, const char *path, bool writes) {
  double seconds = seconds_left(line);
  if (seconds <= 0) return;
  const char *ending = strrchr(path, '.');
  late_path = path;
  late_doing = writes ? "written" : "read";
  late_is_horn = !writes && line->command == command_find("verify") && ending && !strcmp(ending, ".smt2");
  signal(SIGALRM, on_time);
  set_alarm(fmin(writes ? fmax(seconds, SECONDS_FOR_WRITING) : seconds, MOST_SECONDS));
}

void time_limit_release(const command_line *line) {
  double seconds = seconds_left(line);
  char left[32];
  if (seconds <= 0) return;
  set_alarm(0);
  signal(SIGALRM, SIG_DFL);
  snprintf(left, sizeof left, "%.6f", seconds);
  whet_free(whet_options_set(line->options, "timeout", left));
}
