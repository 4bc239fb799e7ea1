/* `whet simulate -i`: lines from standard input, answers on standard output. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static bool print_answer(char *answer) {
  if (!answer) return false;
  fputs(answer, stdout);
  whet_free(answer);
  return true;
}

static bool load(const command_line *line, whet_explorer *x, const char *path) {
  size_t length;
  char *content = file_read(line, path, &length);
  if (!content) {
    printf("cannot read %s: %s\n", path, strerror(errno));
    return true;
  }
  bool runs = print_answer(whet_explorer_load(x, content));
  free(content);
  return runs;
}

static bool save(const command_line *line, whet_explorer *x, const char *path) {
  char *run = whet_explorer_run(x);
  if (!run) return false;
  if (!*run)
    printf("there is no run yet\n");
  else if (file_write(line, path, run))
    printf("written to %s\n", path);
  whet_free(run);
  return true;
}

/* What follows `word`, or its first letter, and blanks; NULL if `typed` is another command. */
static const char *operand_of(const char *typed, const char *word, const char *letter) {
  size_t length = strcspn(typed, " \t");
  bool is_it = (length == strlen(word) && !strncmp(typed, word, length)) ||
               (length == strlen(letter) && !strncmp(typed, letter, length));
  return is_it ? typed + length + strspn(typed + length, " \t") : NULL;
}

/* False at the end. */
static bool follow(const command_line *line, whet_explorer *x, const char *typed) {
  const char *saved = operand_of(typed, "save", "w"), *loaded = operand_of(typed, "load", "o");
  if (saved && *saved) return save(line, x, saved);
  if (loaded && *loaded) return load(line, x, loaded);
  if (saved || loaded) return printf("the name of a file is missing\n"), true;
  bool runs = print_answer(whet_explorer_do(x, typed));
  if (runs && (!strcmp(typed, "?") || !strcmp(typed, "help")))
    printf("  %-22s %s\n  %-22s %s\n", "w, save FILE", "writes the run so far (ITF)", "o, load FILE",
           "goes on with a run that was saved, or a certificate that is a run");
  return runs;
}

static void prompt(void) {
  if (isatty(STDIN_FILENO)) fputs("> ", stdout);
  fflush(stdout);
}

int run_explore(const command_line *line, whet_model *m) {
  char *first, *from = option_value(line, "from"), *typed = NULL;
  size_t room = 0;
  whet_explorer *x = whet_explorer_new(m, line->options, wants_colour(stdout), &first);
  bool runs = print_answer(first) && (!*from || load(line, x, from));
  for (prompt(); runs; prompt()) {
    ssize_t length = getline(&typed, &room, stdin);
    if (length < 0) break;
    typed[strcspn(typed, "\n")] = 0;
    runs = follow(line, x, typed);
  }
  bool has_failed = *whet_explorer_ending(x);
  if (has_failed) fprintf(stderr, "whet simulate: %s\n", whet_explorer_ending(x));
  free(typed);
  whet_free(from);
  whet_explorer_free(x);
  return has_failed ? STATUS_UNDECIDED : STATUS_HOLDS;
}
