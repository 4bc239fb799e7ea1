/* The files that options and operands name; `-` is standard input or output. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

bool file_is_standard(const char *path) { return !strcmp(path, "-"); }

char *file_read(const char *path, size_t *length) {
  FILE *f = file_is_standard(path) ? stdin : fopen(path, "rb");
  char *content = NULL;
  size_t room = 0;
  *length = 0;
  for (size_t got = 1; f && got; *length += got) {
    if (room - *length < 4096 && !(content = realloc(content, room = 2 * room + 8192))) abort();
    got = fread(content + *length, 1, room - *length - 1, f);
  }
  bool fine = f && !ferror(f);
  int why = errno;
  if (f && f != stdin) fclose(f);
  if (fine) {
    content[*length] = 0;
    return content;
  }
  free(content);
  errno = why;
  return NULL;
}

static bool cannot_write(const command *c, const char *path) {
  fprintf(stderr, "whet %s: cannot write %s: %s\n", c->name, path, strerror(errno));
  return false;
}

bool file_write(const command *c, const char *path, const char *content) {
  if (file_is_standard(path)) {
    fputs(content, stdout); /* finish_output tells whether it has arrived */
    return true;
  }
  FILE *f = fopen(path, "w");
  bool fine = f && fputs(content, f) >= 0;
  if (f && fclose(f)) fine = false;
  return fine || cannot_write(c, path);
}

bool file_can_be_written(const command *c, const char *path) {
  if (!*path || file_is_standard(path)) return true;
  bool was_there = !access(path, F_OK);
  FILE *f = fopen(path, "a");
  if (!f) return cannot_write(c, path);
  fclose(f);
  if (!was_there) unlink(path);
  return true;
}

static bool is_standard(const command_line *line, const char *option) {
  char *path = option_value(line, option);
  bool is = file_is_standard(path);
  whet_free(path);
  return is;
}

int standard_streams_check(const command_line *line) {
  static const char *const inputs[] = {"predicates", "lemma"};
  static const char *const outputs[] = {"json", "report", "certificate", "formula", "dot", "save-predicates"};
  const char *writer = NULL;
  size_t readers = 0;
  for (size_t i = 0; i < line->operand_count; i++) readers += file_is_standard(line->operands[i]);
  for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) readers += is_standard(line, inputs[i]);
  if (readers > 1) return usage_error(line->command, "only one file can be read from standard input (-)");
  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
    if (!is_standard(line, outputs[i])) continue;
    if (writer)
      return usage_error(line->command, "--%s and --%s cannot both go to standard output (-)", writer, outputs[i]);
    writer = outputs[i];
  }
  return -1;
}
