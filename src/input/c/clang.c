/* Runs clang on a text and collects what it writes. The text goes over a pipe, arguments are passed as they are: no
 * shell, no files. */
#include "input/c/clang.h"

#include "base/limits.h"
#include "process/command.h"

enum { SECONDS_LIMIT = 60, JSON_MOST_BYTES = 512 << 20, CLANG_NOT_FOUND = 127 };
static const uint64_t memory_limit = UINT64_C(4) << 30;

typedef struct arguments {
  VECTOR(char *) all;
} arguments;

static void add(arguments *a, const char *prefix, const char *bytes, size_t length) {
  VECTOR_PUSH(a->all, text_format("%s%.*s", prefix, (int)length, bytes));
}

static void add_word(arguments *a, const char *word) { add(a, "", word, strlen(word)); }

static void add_lines(arguments *a, const char *prefix, const char *lines) {
  for (const char *at = lines ? lines : ""; *at;) {
    size_t n = strcspn(at, "\n");
    add(a, prefix, at, n);
    at += n + (at[n] == '\n');
  }
}

static void add_folder(arguments *a, const char *path) {
  const char *slash = strrchr(path, '/');
  add_word(a, "-iquote");
  if (slash)
    add(a, "", path, (size_t)(slash - path) + 1);
  else
    add_word(a, ".");
}

static void add_all(arguments *a, const source *s, const c_settings *settings) {
  static const char *const fixed[] = {"clang",
                                      "-fsyntax-only",
                                      "-w",
                                      "-Wno-error=implicit-function-declaration",
                                      "-Wno-error=implicit-int",
                                      "-Wno-error=int-conversion",
                                      "-fno-color-diagnostics",
                                      "-fno-caret-diagnostics",
                                      "-ferror-limit=10",
                                      "-fbracket-depth=1000",
                                      "-Xclang",
                                      "-ast-dump=json"};
  for (size_t i = 0; i < ARRAY_LENGTH(fixed); i++) add_word(a, fixed[i]);
  add_word(a, settings->is_32 ? "-m32" : "-m64");
  add_folder(a, s->path);
  add_lines(a, "-I", settings->includes);
  add_lines(a, "-D", settings->defines);
  add_word(a, "-x");
  add_word(a, "c");
  add_word(a, "-");
}

/* Clang's messages are about <stdin>; people know the file by its name. */
static void report_complaint(const source *s, const char *words, diagnostics *d) {
  static const char stdin_name[] = "<stdin>";
  for (const char *at = words; *at;) {
    size_t n = strcspn(at, "\n");
    bool is_first = !strncmp(at, stdin_name, strlen(stdin_name));
    if (is_first) text_add(&d->text, "%s", s->path);
    const char *rest = is_first ? at + strlen(stdin_name) : at;
    text_add(&d->text, "%.*s\n", (int)(n - (size_t)(rest - at)), rest);
    at += n + (at[n] == '\n');
  }
  d->errors++;
}

static bool report_end(const source *s, external_command *c, diagnostics *d) {
  int status = command_exit_status(c);
  if (!status) return true;
  if (status == CLANG_NOT_FOUND)
    report_file_error(d, s->path,
                      "C programs are read with clang, which is not installed; on Debian: apt-get install clang");
  else if (status > 0 && *command_complaint(c))
    report_complaint(s, command_complaint(c), d);
  else
    report_file_error(d, s->path, "clang crashed on this text, or it is too large for it");
  return false;
}

static bool collect(const source *s, external_command *c, text *out, diagnostics *d) {
  budget unlimited = budget_unlimited();
  limits l = limits_of(&unlimited, SECONDS_LIMIT);
  command_send(c, s->text, s->length);
  command_send_end(c);
  for (;;) {
    command_status status = command_receive(c, &l, out);
    if (status == COMMAND_ENDED) return report_end(s, c, d);
    if (status == COMMAND_RECEIVED && out->count <= JSON_MOST_BYTES) continue;
    report_file_error(d, s->path, "%s",
                      status == COMMAND_LIMIT ? "clang takes too long for this text"
                                              : "clang's syntax tree of this text is too large");
    return false;
  }
}

bool c_clang_run(const source *s, const c_settings *settings, text *out, diagnostics *d) {
  arguments a = {0};
  add_all(&a, s, settings);
  VECTOR_PUSH(a.all, NULL);
  external_command *c = command_start_program((const char *const *)a.all.at, memory_limit);
  bool fine = false;
  if (c)
    fine = collect(s, c, out, d);
  else
    report_file_error(d, s->path, "cannot start clang");
  command_free(c);
  for (size_t i = 0; i < a.all.count; i++) memory_free(a.all.at[i]);
  VECTOR_FREE(a.all);
  return fine;
}
