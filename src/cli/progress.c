/* The live line on a terminal, and a plain line every so often elsewhere. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

#define SECONDS_BETWEEN_PLAIN_LINES 10

static bool is_quiet, is_live, is_shown;
static double last_line;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static size_t columns(void) {
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

void progress_start(bool quiet) {
  const char *term = getenv("TERM");
  is_quiet = quiet;
  is_live = isatty(STDERR_FILENO) && term && strcmp(term, "dumb");
  last_line = now();
}

void progress_clear(void) {
  if (!is_shown) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  is_shown = false;
}

void progress_show(const char *words) {
  if (is_quiet) return;
  if (is_live) {
    fprintf(stderr, "\r\033[K%.*s", (int)columns() - 1, words);
    fflush(stderr);
    is_shown = true;
  } else if (now() - last_line >= SECONDS_BETWEEN_PLAIN_LINES) {
    last_line = now();
    fprintf(stderr, "%s\n", words);
  }
}
