/* include "file.whet": the declarations of another file, in the place of this one.
 *
 * The file is named from the folder of the one that includes it. A file that was read already is not read again, and one
 * that is still being read is refused. Only regular files are opened, so that nothing waits. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/whet/parse/parser.h"

enum { MOST_DEEP = 16, MOST_FILES = 1000, MEGABYTE = 1 << 20 };

static parser *outermost(parser *p) {
  while (p->outer) p = p->outer;
  return p;
}

static inclusion identity(const struct stat *status, const char *path) {
  return (inclusion){.device = (uint64_t)status->st_dev, .inode = (uint64_t)status->st_ino, .path = path};
}

/* The text itself, if it is a file. */
static void note_first(parser *root) {
  struct stat status;
  const char *path = root->reporter->source->path;
  if (root->included.count) return;
  inclusion first = {.path = path};
  if (!stat(path, &status) && S_ISREG(status.st_mode)) first = identity(&status, path);
  first.is_open = true;
  VECTOR_PUSH(root->included, first);
}

static const inclusion *find(const parser *root, const struct stat *status) {
  for (size_t i = 0; i < root->included.count; i++) {
    const inclusion *known = &root->included.at[i];
    if (known->inode && known->device == (uint64_t)status->st_dev && known->inode == (uint64_t)status->st_ino)
      return known;
  }
  return NULL;
}

/* Those that are being read, from the first on that is included again. */
static void refuse_cycle(parser *p, const parser *root, const inclusion *known, span at) {
  text chain = {0};
  for (size_t i = (size_t)(known - root->included.at); i < root->included.count; i++)
    if (root->included.at[i].is_open) text_add(&chain, "%s, ", root->included.at[i].path);
  parser_fail(p, at.start, "the file includes itself: %s%s", text_string(&chain), known->path);
  text_clear(&chain);
}

/* From where whet runs. */
static KEEP const char *path_of(parser *p, span at) {
  const source *s = p->reporter->source;
  const char *from = source_path(s, at.start), *slash = strrchr(from, '/');
  const char *name = s->text + at.start + 1;
  int length = (int)(at.end - at.start) - 2;
  bool is_beside = slash && *name != '/';
  char *path =
      is_beside ? text_format("%.*s/%.*s", (int)(slash - from), from, length, name) : text_format("%.*s", length, name);
  const char *kept = arena_copy_string(p->arena, path);
  memory_free(path);
  return kept;
}

/* Opened without waiting for a writer. -1, with a message. */
static int open_regular(parser *p, const char *path, span at, struct stat *status) {
  int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 && errno == ENOENT)
    parser_fail(p, at.start, "there is no file `%s`", path);
  else if (file < 0 || fstat(file, status))
    parser_fail(p, at.start, "`%s` cannot be read: %s", path, strerror(errno));
  else if (!S_ISREG(status->st_mode))
    parser_fail(p, at.start, "`%s` is no regular file", path);
  else
    return file;
  if (file >= 0) close(file);
  return -1;
}

/* False, with a message, if it is too much or no text. */
static bool read_all(parser *p, int file, const char *path, span at, text *out) {
  char chunk[1 << 16];
  size_t room = INPUT_MOST_BYTES -
                (p->reporter->source->length < INPUT_MOST_BYTES ? p->reporter->source->length : INPUT_MOST_BYTES);
  for (ssize_t n; (n = read(file, chunk, sizeof chunk)) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      parser_fail(p, at.start, "`%s` cannot be read: %s", path, strerror(errno));
      return false;
    }
    text_add_bytes(out, chunk, (size_t)n);
    if (out->count <= room) continue;
    parser_fail(p, at.start, "the text and what it includes are larger than %d MB", INPUT_MOST_BYTES / MEGABYTE);
    return false;
  }
  if (!out->count || !memchr(out->at, 0, out->count)) return true;
  parser_fail(p, at.start, "`%s` is not a text file: it has a byte that is zero", path);
  return false;
}

static unsigned depth_of(const parser *p) {
  unsigned depth = 0;
  for (; p->outer; p = p->outer) depth++;
  return depth;
}

/* The declarations of what was read, by a parser of its own. */
static void parse_file(parser *p, parser *root, const char *path, const text *content, span at, module *out) {
  source *s = p->reporter->source;
  size_t position = root->included.count - 1;
  parser inner;
  source_add_file(s, path, text_string(content), content->count, at.start);
  parser_open(&inner, p->reporter, p->words, p->arena);
  lexer_set_part(&inner.lexer, VECTOR_LAST(s->files).start, s->length);
  inner.outer = p;
  inner.nodes = p->nodes;
  parse_module(&inner, out);
  p->nodes = inner.nodes;
  parser_close(&inner);
  root->included.at[position].is_open = false;
}

static bool ends_as_model(const char *path) {
  size_t length = strlen(path), ending = strlen(".whet");
  return length > ending && !strcmp(path + length - ending, ".whet");
}

static void include_file(parser *p, span at, module *out) {
  parser *root = outermost(p);
  const char *path = path_of(p, at);
  struct stat status;
  text content = {0};
  note_first(root);
  if (!ends_as_model(path)) {
    parser_fail(p, at.start, "the name of a file that is included ends with .whet");
    return;
  }
  if (depth_of(p) >= MOST_DEEP || root->included.count > MOST_FILES) {
    parser_fail(p, at.start, depth_of(p) >= MOST_DEEP ? "files are included more than %d deep" : "more than %d files",
                depth_of(p) >= MOST_DEEP ? MOST_DEEP : MOST_FILES);
    return;
  }
  int file = open_regular(p, path, at, &status);
  if (file < 0) return;
  const inclusion *known = find(root, &status);
  if (known && known->is_open) {
    refuse_cycle(p, root, known, at);
  } else if (!known && read_all(p, file, path, at, &content)) {
    inclusion made = identity(&status, path);
    made.is_open = true;
    VECTOR_PUSH(root->included, made);
    parse_file(p, root, path, &content, at, out);
  }
  close(file);
  text_clear(&content);
}

void parse_include(parser *p, module *out) {
  parser_take(p);
  if (parser_kind(p) != TOKEN_STRING) {
    parser_fail_expected(p, "the name of a file in quotes");
    report_hint(p->reporter, "another file is included by `include \"file.whet\"`, named from the folder of this one");
    return;
  }
  include_file(p, parser_take(p).at, out);
}
