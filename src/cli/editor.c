/* The commands for editors: outline, format, lsp. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "lsp/lsp.h"

typedef char *maker(const char *path, const char *content, size_t length, char **error);

static int print_made(const command_line *line, maker *make) {
  size_t length;
  const char *path = line->operands[0];
  char *content = file_read(line, path, &length), *error = NULL;
  if (!content) return usage_error(line->command, "cannot read %s: %s", path, strerror(errno));
  char *made = make(path, content, length, &error);
  if (made)
    fputs(made, stdout);
  else
    fputs(error, stderr);
  int status = made ? STATUS_HOLDS : STATUS_USAGE;
  whet_free(made);
  whet_free(error);
  free(content);
  return status;
}

int run_outline(const command_line *line) { return print_made(line, whet_outline); }

int run_format(const command_line *line) { return print_made(line, whet_format); }

int run_lsp(const command_line *line) {
  char *seconds = option_value(line, "timeout"), *megabytes = option_value(line, "memory");
  lsp_settings settings = {.seconds = strtod(seconds, NULL), .megabytes = strtoull(megabytes, NULL, 10)};
  settings.version = whet_version();
  whet_free(seconds);
  whet_free(megabytes);
  return lsp_serve(&settings);
}
