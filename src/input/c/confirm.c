/* Everything happens in a folder of its own, which is removed. */
#include "input/c/confirm.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/text.h"
#include "base/vector.h"
#include "process/command.h"

enum { SECONDS_TO_COMPILE = 60, SECONDS_TO_RUN = 20, MOST_OUTPUT = 1 << 20 };

typedef VECTOR(char *) words;

static void add(words *w, const char *prefix, const char *bytes, size_t length) {
  VECTOR_PUSH(*w, text_format("%s%.*s", prefix, (int)length, bytes));
}

static void add_word(words *w, const char *word) { add(w, "", word, strlen(word)); }

static void add_lines(words *w, const char *prefix, const char *lines) {
  for (const char *at = lines ? lines : ""; *at;) {
    size_t n = strcspn(at, "\n");
    add(w, prefix, at, n);
    at += n + (at[n] == '\n');
  }
}

static void words_clear(words *w) {
  for (size_t i = 0; i < w->count; i++) memory_free(w->at[i]);
  VECTOR_FREE(*w);
}

/* Runs it to its end. False if there is none in time; `complaint` gets what it wrote to its standard error. */
static bool run(const words *w, double seconds, int *status, text *complaint) {
  words arguments = {0};
  for (size_t i = 0; i < w->count; i++) VECTOR_PUSH(arguments, w->at[i]);
  VECTOR_PUSH(arguments, NULL);
  external_command *c = command_start_program((const char *const *)arguments.at, 0);
  VECTOR_FREE(arguments);
  if (!c) return false;
  budget unlimited = budget_unlimited();
  limits l = limits_of(&unlimited, seconds);
  text ignored = {0};
  command_status now;
  command_send_end(c);
  do now = command_receive(c, &l, &ignored);
  while (now == COMMAND_RECEIVED && ignored.count < MOST_OUTPUT);
  if (now == COMMAND_ENDED) {
    *status = command_exit_status(c);
    text_add(complaint, "%s", command_complaint(c));
  }
  text_clear(&ignored);
  command_free(c);
  return now == COMMAND_ENDED;
}

static GIVE char *compile(const char *program, const c_settings *settings, const char *harness, const char *made) {
  static const char *const fixed[] = {"clang",
                                      "-w",
                                      "-Wno-error=implicit-function-declaration",
                                      "-Wno-error=implicit-int",
                                      "-Wno-error=int-conversion",
                                      "-fsanitize=undefined,address",
                                      "-fno-sanitize-recover=all",
                                      "-fno-omit-frame-pointer"};
  words w = {0};
  text complaint = {0};
  int status = -1;
  for (size_t i = 0; i < ARRAY_LENGTH(fixed); i++) add_word(&w, fixed[i]);
  add_word(&w, settings->is_32 ? "-m32" : "-m64");
  if (settings->signed_wraps) {
    add_word(&w, "-fwrapv");
    add_word(&w, "-fno-sanitize=signed-integer-overflow,shift-base");
  }
  add_lines(&w, "-I", settings->includes);
  add_lines(&w, "-D", settings->defines);
  add_word(&w, "-o");
  add_word(&w, made);
  add_word(&w, program);
  add_word(&w, harness);
  bool ended = run(&w, SECONDS_TO_COMPILE, &status, &complaint);
  words_clear(&w);
  char *wrong = NULL;
  if (!ended || status)
    wrong = text_format("the program cannot be compiled%s%.*s", complaint.count ? ": " : "",
                        (int)strcspn(text_string(&complaint), "\n"), text_string(&complaint));
  text_clear(&complaint);
  return wrong;
}

/* What a compiled program says when it violates a property. */
static const struct {
  const char *property, *said;
} sayings[] = {
    {"unreach-call", "the error is reached"},
    {"unreach-call", "Assertion `"},
    {"no-overflow", "overflow"},
    {"no-overflow", "cannot be represented"},
    {"no-overflow", "shift"},
    {"division", "division by zero"},
    {"valid-deref", "out of bounds"},
    {"valid-deref", "null pointer"},
    {"valid-deref", "AddressSanitizer: SEGV"},
    {"valid-deref", "AddressSanitizer: heap-use-after-free"},
    {"valid-deref", "AddressSanitizer: stack-use-after"},
    {"valid-deref", "-buffer-overflow"},
    {"valid-deref", "AddressSanitizer: dynamic-stack-buffer"},
    {"valid-free", "attempting double-free"},
    {"valid-free", "attempting free on address"},
    {"valid-memtrack", "detected memory leaks"},
    {"valid-memcleanup", "detected memory leaks"},
    {"valid-deref", "non-positive value"},
    {"valid-deref", "null pointer"},
};

static GIVE char *try_it(const char *made, const char *property) {
  words w = {0};
  text complaint = {0};
  int status = 0;
  bool violated = false;
  add_word(&w, made);
  bool ended = run(&w, SECONDS_TO_RUN, &status, &complaint);
  words_clear(&w);
  for (size_t i = 0; i < ARRAY_LENGTH(sayings) && ended && status; i++)
    violated |= !strcmp(sayings[i].property, property) && strstr(text_string(&complaint), sayings[i].said);
  text_clear(&complaint);
  if (violated) return NULL;
  return memory_copy_string(!ended ? "the compiled program does not come to an end"
                                   : "the compiled program does not say that it comes to the error");
}

static bool write_text(const char *path, const char *content) {
  FILE *f = fopen(path, "w");
  if (!f) return false;
  bool fine = fputs(content, f) >= 0;
  return !fclose(f) && fine;
}

char *c_confirm(const char *program, const c_settings *settings, const char *harness, const char *property) {
  const char *above = getenv("TMPDIR");
  char *folder = text_format("%s/whet-confirm-XXXXXX", above && *above ? above : "/tmp");
  if (!mkdtemp(folder)) {
    memory_free(folder);
    return memory_copy_string("there is no room for a folder");
  }
  char *inputs = text_format("%s/inputs.c", folder), *made = text_format("%s/run", folder), *wrong = NULL;
  if (!write_text(inputs, harness)) wrong = memory_copy_string("the inputs cannot be written");
  if (!wrong) wrong = compile(program, settings, inputs, made);
  if (!wrong) wrong = try_it(made, property);
  unlink(inputs);
  unlink(made);
  rmdir(folder);
  memory_free(inputs);
  memory_free(made);
  memory_free(folder);
  return wrong;
}
