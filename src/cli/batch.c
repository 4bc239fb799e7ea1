/* whet batch: many problems, each in a process of its own; what was done is kept. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"

static whet_batch *volatile running;

static void on_signal(int number) {
  (void)number;
  if (running) whet_batch_interrupt(running);
}

/* The first signal asks; a second one, then with its old meaning, ends the program at once. Processes of problems end with it. */
static void catch_signals(void) {
  static const int asked[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) sigaction(asked[i], &action, NULL);
}

static void show(void *context, const char *words) {
  (void)context;
  progress_show(words);
}

GIVE char *own_path(void) {
  char *path = realpath("/proc/self/exe", NULL);
  if (!path) abort();
  return path;
}

static void print_counts(const whet_batch_counts *n) {
  printf("%zu answers: %zu hold, %zu violated, %zu unknown", n->rows, n->holds, n->violated, n->unknown);
  if (n->refused) printf(", %zu refused", n->refused);
  if (n->failed) printf(", %zu failed", n->failed);
  if (n->missing) printf(", %zu missing", n->missing);
  printf("; %zu wrong\n", n->wrong);
}

static int status_of(const whet_batch_counts *n) {
  return n->wrong                                           ? STATUS_VIOLATED
         : n->unknown + n->refused + n->failed + n->missing ? STATUS_UNDECIDED
                                                            : STATUS_HOLDS;
}

/* Of one job of a plan: schedulers run it again if it failed. Missing: it was stopped, or another job has the answer. */
static int finish_job(const command_line *line, const whet_batch *b, const char *error) {
  whet_batch_counts n = whet_batch_count(b);
  progress_clear();
  if (error) fprintf(stderr, "whet batch: %s\n", error);
  bool is_needless = !error && n.missing && whet_batch_is_answered(b);
  if (is_needless && !flag_given(line, "quiet")) fputs("note: another job has the answer\n", stderr);
  if (error || n.failed) return STATUS_INTERNAL;
  /* What is expected may be about several properties: the table says what is wrong. */
  if (!is_needless)
    printf("%zu hold, %zu violated, %zu unknown, %zu refused, %zu missing\n", n.holds, n.violated, n.unknown, n.refused,
           n.missing);
  return is_needless || n.holds + n.violated == n.rows ? STATUS_HOLDS : STATUS_UNDECIDED;
}

static int finish(const command_line *line, const whet_batch *b, char *error) {
  if (whet_options_given(line->options, "job")) return finish_job(line, b, error);
  char *wrong = whet_batch_wrong(b), *out = option_value(line, "out");
  const char *folder = *out ? out : line->operands[0]; /* of a plan */
  whet_batch_counts n = whet_batch_count(b);
  progress_clear();
  if (error) fprintf(stderr, "whet batch: %s\n", error);
  if (n.rows || !error) {
    fputs(wrong, stdout);
    print_counts(&n);
    if (!whet_options_given(line->options, "part")) printf("%s/index.html\n", folder);
  }
  if (n.missing && !flag_given(line, "quiet"))
    fprintf(stderr, "note: %zu are missing; the same command goes on from here\n", n.missing);
  whet_free(wrong);
  whet_free(out);
  return error ? (n.rows ? STATUS_INTERNAL : STATUS_USAGE) : status_of(&n);
}

int run_batch(const command_line *line) {
  char *error = NULL, *program = own_path();
  whet_batch *b = whet_batch_new(line->operands[0], line->options, &error);
  if (!b) {
    int status = usage_error(line->command, "%s", error);
    whet_free(error);
    free(program);
    return status;
  }
  for (size_t i = 0; i < whet_batch_note_count(b); i++) fprintf(stderr, "note: %s\n", whet_batch_note(b, i));
  progress_start(flag_given(line, "quiet"));
  whet_batch_listen(b, show, NULL);
  running = b;
  catch_signals();
  whet_batch_run(b, program, &error);
  running = NULL;
  int status = finish(line, b, error);
  whet_free(error);
  whet_batch_free(b);
  free(program);
  return status;
}
