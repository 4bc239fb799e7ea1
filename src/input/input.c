/* Files, the choice of language, and what is refused before any language sees it. */
#include "input/input.h"

#include <errno.h>
#include <sys/stat.h>

#include "input/chc/read.h"
#include "input/diagnostic.h"
#include "input/vmt/read.h"
#include "input/whet/read.h"

enum { MEGABYTE = 1 << 20, SIZE_LIMIT_MB = 32, SIZE_LIMIT = SIZE_LIMIT_MB * MEGABYTE };

static const struct {
  const char *ending;
  model *(*read)(source *, diagnostics *);
} languages[] = {
#define LANGUAGE(ENDING, READ) {ENDING, READ},
#include "input/languages.def"
#undef LANGUAGE
};

static bool ends_with(const char *text, const char *ending) {
  size_t a = strlen(text), b = strlen(ending);
  return a >= b && !strcmp(text + a - b, ending);
}

static void refuse_ending(const char *path, diagnostics *d) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  text known = {0};
  for (size_t i = 0; i < ARRAY_LENGTH(languages); i++) {
    const char *before = !i ? "" : i + 1 < ARRAY_LENGTH(languages) ? ", " : " or ";
    text_add(&known, "%s%s", before, languages[i].ending);
  }
  if (dot)
    report_file_error(d, path, "unknown kind of file `%s`; a model ends with %s", dot, text_string(&known));
  else
    report_file_error(d, path, "the name has no ending; a model ends with %s", text_string(&known));
  text_free(&known);
}

/* What no language can be: too large, or not text. */
static bool is_text(const char *path, const char *content, size_t length, diagnostics *d) {
  if (length > SIZE_LIMIT) {
    report_file_error(d, path, "the file is larger than %d MB", SIZE_LIMIT_MB);
    return false;
  }
  const char *zero = length ? memchr(content, 0, length) : NULL;
  if (zero) {
    report_file_error(d, path, "this is not a text file: byte %zu is zero", (size_t)(zero - content) + 1);
    return false;
  }
  return true;
}

GIVE model *input_read_text(const char *path, const char *content, size_t length, diagnostics *d) {
  size_t i = 0;
  while (i < ARRAY_LENGTH(languages) && !ends_with(path, languages[i].ending)) i++;
  if (i == ARRAY_LENGTH(languages)) {
    refuse_ending(path, d);
    return NULL;
  }
  if (!is_text(path, content, length, d)) return NULL;
  if (!length) {
    report_file_error(d, path, "the file is empty");
    return NULL;
  }
  source s;
  source_open(&s, path, content, length);
  model *m = languages[i].read(&s, d);
  source_close(&s);
  return m;
}

/* Reads at most one byte more than the limit: enough to know that it is too much. */
static bool read_all(FILE *f, text *out) {
  char buffer[1 << 16];
  size_t count;
  while (out->count <= SIZE_LIMIT && (count = fread(buffer, 1, sizeof(buffer), f)) > 0)
    text_add_bytes(out, buffer, count);
  return !ferror(f);
}

GIVE model *input_read_file(const char *path, diagnostics *d) {
  struct stat status;
  if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
    report_file_error(d, path, "this is a directory, not a model");
    return NULL;
  }
  FILE *f = fopen(path, "rb");
  if (!f) {
    report_file_error(d, path, errno == ENOENT ? "there is no such file" : "cannot be opened: %s", strerror(errno));
    return NULL;
  }
  text content = {0};
  model *m = NULL;
  if (S_ISREG(status.st_mode) && status.st_size > SIZE_LIMIT)
    report_file_error(d, path, "the file is larger than %d MB", SIZE_LIMIT_MB);
  else if (!read_all(f, &content))
    report_file_error(d, path, "cannot be read: %s", strerror(errno));
  else
    m = input_read_text(path, text_string(&content), content.count, d);
  fclose(f);
  text_free(&content);
  return m;
}

bool input_read_expressions(model *m, const char *path, const char *content, size_t length, term_vector *out,
                            diagnostics *d) {
  if (!is_text(path, content, length, d)) return false;
  source s;
  source_open(&s, path, content, length);
  bool fine = whet_read_expressions(m, &s, out, d);
  source_close(&s);
  return fine;
}
