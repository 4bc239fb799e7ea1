/* The files that options and operands name; `-` is standard input or output.
 *
 * A regular file is written next to its place and renamed, so that nobody ever sees half of it; links are followed;
 * devices and pipes are written to as they are. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

/* No certificate that a check could go through is larger. */
enum { MOST_BYTES = 1 << 28 };

bool file_is_standard(const char *path) { return !strcmp(path, "-"); }

/* ---- reading ---- */

static char *read_all(FILE *f, size_t *length) {
  char *content = NULL;
  size_t room = 0;
  for (size_t got = 1; got && *length <= MOST_BYTES; *length += got) {
    if (room - *length < 4096 && !(content = realloc(content, room = 2 * room + 8192))) abort();
    got = fread(content + *length, 1, room - *length - 1, f);
  }
  content[*length] = 0;
  return content;
}

char *file_read(const command_line *line, const char *path, size_t *length) {
  *length = 0;
  time_limit_watch(line, path, false);
  FILE *f = file_is_standard(path) ? stdin : fopen(path, "rb");
  char *content = f ? read_all(f, length) : NULL;
  bool fine = f && !ferror(f);
  int why = errno;
  if (f && f != stdin) fclose(f);
  time_limit_release(line);
  if (fine && *length <= MOST_BYTES) return content;
  free(content);
  errno = fine ? EFBIG : why;
  return NULL;
}

/* ---- writing ---- */

static bool cannot_write(const cli_command *c, const char *path) {
  fprintf(stderr, "whet %s: cannot write %s: %s\n", c->name, path, strerror(errno));
  return false;
}

static bool write_all(int descriptor, const char *content) {
  size_t left = strlen(content);
  while (left) {
    ssize_t done = write(descriptor, content, left);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    content += done;
    left -= (size_t)done;
  }
  return true;
}

/* What is there and no regular file: a device, a pipe. One that nobody reads is refused, not waited for. */
static int open_special(const char *path) {
  int descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor >= 0) fcntl(descriptor, F_SETFL, O_WRONLY);
  return descriptor;
}

/* Where a link leads to, or the path itself. Freed by free. */
static char *target_of(const char *path) {
  char *whole = realpath(path, NULL);
  return whole ? whole : strdup(path);
}

/* A new file in the same folder; its name is put into `*name`, freed by free. */
static int open_neighbour(const char *path, char **name) {
  size_t size = strlen(path) + sizeof ".XXXXXX";
  *name = malloc(size);
  if (!*name) abort();
  snprintf(*name, size, "%s.XXXXXX", path);
  return mkostemp(*name, O_CLOEXEC);
}

static mode_t usual_mode(const struct stat *old) {
  mode_t mask = umask(0);
  umask(mask);
  return old ? old->st_mode & 0777 : 0666 & ~mask;
}

static bool replace(const char *path, const struct stat *old, const char *content) {
  char *name, *target = target_of(path);
  int descriptor = open_neighbour(target, &name);
  bool fine = descriptor >= 0 && write_all(descriptor, content) && !fchmod(descriptor, usual_mode(old));
  if (descriptor >= 0 && close(descriptor)) fine = false;
  fine = fine && !rename(name, target);
  int why = errno;
  if (descriptor >= 0 && !fine) unlink(name);
  free(name);
  free(target);
  errno = why;
  return fine;
}

static bool write_special(const char *path, const char *content) {
  int descriptor = open_special(path);
  bool fine = descriptor >= 0 && write_all(descriptor, content);
  if (descriptor >= 0 && close(descriptor)) fine = false;
  return fine;
}

bool file_write(const command_line *line, const char *path, const char *content) {
  struct stat there;
  if (file_is_standard(path)) {
    fputs(content, stdout); /* finish_output says whether it has arrived */
    return true;
  }
  time_limit_watch(line, path, true);
  bool exists = !stat(path, &there);
  bool fine =
      exists && !S_ISREG(there.st_mode) ? write_special(path, content) : replace(path, exists ? &there : NULL, content);
  time_limit_release(line);
  return fine || cannot_write(line->command, path);
}

bool file_remove(const char *path) {
  struct stat there;
  return !lstat(path, &there) && S_ISREG(there.st_mode) && !unlink(path);
}

/* Something could be created next to it. */
static bool can_be_replaced(const char *path) {
  char *name, *target = target_of(path);
  int descriptor = open_neighbour(target, &name);
  if (descriptor >= 0) {
    close(descriptor);
    unlink(name);
  }
  free(name);
  free(target);
  return descriptor >= 0;
}

bool file_can_be_written(const command_line *line, const char *path) {
  struct stat there;
  if (!*path || file_is_standard(path)) return true;
  if (stat(path, &there)) return (errno == ENOENT && can_be_replaced(path)) || cannot_write(line->command, path);
  if (S_ISREG(there.st_mode))
    return (!access(path, W_OK) && can_be_replaced(path)) || cannot_write(line->command, path);
  int descriptor = open_special(path);
  if (descriptor < 0) return cannot_write(line->command, path);
  close(descriptor);
  return true;
}

/* ---- standard streams ---- */

static bool is_standard(const command_line *line, const char *option) {
  char *path = option_value(line, option);
  bool is = file_is_standard(path);
  whet_free(path);
  return is;
}

int standard_streams_check(const command_line *line) {
  static const char *const inputs[] = {"predicates", "lemma"};
  static const char *const outputs[] = {"json",        "junit",   "sarif", "report",
                                        "certificate", "formula", "dot",   "save-predicates"};
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
