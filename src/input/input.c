/* Files, the choice of language, and what is refused before any language sees it. */
#include "input/input.h"

#include <errno.h>
#include <sys/stat.h>

#include "input/c/read.h"
#include "input/chc/read.h"
#include "input/diagnostic.h"
#include "input/svlib/read.h"
#include "input/vmt/read.h"
#include "input/whet/names/outline.h"
#include "input/whet/read.h"

enum { MEGABYTE = 1 << 20 };

static const struct {
  const char *ending;
  model *(*read)(source *, diagnostics *);
  const char *title;
} languages[] = {
#define LANGUAGE(ENDING, READ, TITLE) {ENDING, READ, TITLE},
#include "input/languages.def"
#undef LANGUAGE
};

size_t languages_count(void) { return ARRAY_LENGTH(languages); }

const char *languages_ending(size_t i) { return languages[i].ending; }

const char *languages_title(size_t i) { return languages[i].title; }

/* What standard input is called in messages; it is in the first language. */
#define STANDARD_INPUT "<stdin>"

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
  text_clear(&known);
}

/* What no language can be: too large, or not text. */
static bool is_text(const char *path, const char *content, size_t length, diagnostics *d) {
  if (length > INPUT_MOST_BYTES) {
    report_file_error(d, path, "the file is larger than %d MB", INPUT_MOST_BYTES / MEGABYTE);
    return false;
  }
  const char *zero = length ? memchr(content, 0, length) : NULL;
  if (zero) {
    report_file_error(d, path, "this is not a text file: byte %zu is zero", (size_t)(zero - content) + 1);
    return false;
  }
  return true;
}

GIVE model *input_read_text_for(const char *path, const char *content, size_t length, const struct c_settings *c,
                                diagnostics *d) {
  size_t i = 0;
  if (strcmp(path, STANDARD_INPUT))
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
  s.c_settings = c;
  model *m = languages[i].read(&s, d);
  source_close(&s);
  return m;
}

GIVE model *input_read_text(const char *path, const char *content, size_t length, diagnostics *d) {
  return input_read_text_for(path, content, length, NULL, d);
}

GIVE model *input_read_file(const char *path, diagnostics *d) { return input_read_file_for(path, NULL, d); }

GIVE model *input_read_file_for(const char *path, const struct c_settings *c, diagnostics *d) {
  bool is_standard = !strcmp(path, "-");
  const char *shown = is_standard ? STANDARD_INPUT : path;
  struct stat status;
  text content = {0};
  model *m = NULL;
  if (!is_standard && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
    report_file_error(d, path, "this is a directory, not a model");
  else if (text_add_file(&content, path, INPUT_MOST_BYTES + 1))
    m = input_read_text_for(shown, text_string(&content), content.count, c, d);
  else if (errno == ENOENT)
    report_file_error(d, path, "there is no such file");
  else
    report_file_error(d, shown, "cannot be read: %s", strerror(errno));
  text_clear(&content);
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

static bool is_own_text(const char *path, const char *content, size_t length, diagnostics *d) {
  bool is_own = !strcmp(path, "-") || ends_with(path, languages[0].ending);
  if (!is_own)
    report_file_error(d, path, "this is for models in whet's own language, which end with %s", languages[0].ending);
  return is_own && is_text(path, content, length, d);
}

bool input_outline(const char *path, const char *content, size_t length, text *out, diagnostics *d) {
  if (!is_own_text(path, content, length, d)) return false;
  outline_write(path, content, length, out);
  return true;
}

bool input_format(const char *path, const char *content, size_t length, text *out, diagnostics *d) {
  if (!is_own_text(path, content, length, d)) return false;
  format_write(content, length, out);
  return true;
}
