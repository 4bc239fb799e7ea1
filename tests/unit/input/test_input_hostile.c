/* Texts that are huge, deep, or no texts at all: a model or a message, never a crash. */
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/random.h"
#include "input/smtlib/confine.h"
#include "unit/input/input_helper.h"
#include "unit/test.h"

static void repeat(text *t, size_t count, const char *piece) {
  for (size_t i = 0; i < count; i++) text_add_bytes(t, piece, strlen(piece));
}

/* head, `count` times `piece`, `middle`, `count` times `end`, tail. */
static GIVE char *nested(const char *head, size_t count, const char *piece, const char *middle, const char *end,
                         const char *tail) {
  text t = {0};
  text_add(&t, "%s", head);
  repeat(&t, count, piece);
  text_add(&t, "%s", middle);
  repeat(&t, count, end);
  text_add(&t, "%s", tail);
  return text_give(&t);
}

/* Reads `content`; if `message` is NULL it must be right, else the first message must contain it. */
static void check_read(TAKE char *content, const char *message) {
  text got = {0};
  model *m = read_model(content, &got);
  if (message) {
    CHECK(!m);
    CHECK(strstr(text_string(&got), message), "%.200s", text_string(&got));
  } else {
    CHECK(m, "%.200s", text_string(&got));
  }
  text_clear(&got);
  model_free(m);
  memory_free(content);
}

#define DEEP "nested more than 1000 levels deep"

TEST(depth) {
  check_read(nested("var x : bool safe p: ", 1000000, "(", "x", ")", ""), "test.whet:1:1022: error: " DEEP);
  check_read(nested("var x : bool safe p: ", 900, "(", "x", ")", ""), NULL);
  check_read(nested("var x : bool safe p: ", 1000000, "(", "", "", ""), DEEP);
  check_read(nested("var x : bool safe p: ", 100000, "(x && !", "x", ")", ""), DEEP);
  check_read(nested("var x : int safe p: ", 100000, "if x > 0 then ", "x", " else x", " > 0"), DEEP);
  check_read(nested("var a : int[0..1] safe p: ", 100000, "a[", "0", "]", " > 0"), DEEP);
  check_read(nested("var x : bool ltl p: ", 100000, "G ", "x", "", ""), DEEP);
  check_read(nested("var x : bool ltl p: ", 100000, "x U ", "x", "", ""), DEEP);
  check_read(nested("var x : bool ctlstar p: ", 100000, "A G ", "x", "", ""), DEEP);
  check_read(nested("var x : bool ctlstar p: ", 100000, "E[x W ", "x", "]", ""), DEEP);
  check_read(nested("var x : bool mu p: ", 100000, "nu Z . ", "Z", "", ""), DEEP);
  check_read(nested("var x : bool ctl p: ", 100000, "A[x U ", "x", "]", ""), DEEP);
  check_read(nested("var x : int safe p: ", 100000, "forall i : 1..1 . ", "x > 0", "", ""), DEEP);
  check_read(nested("program { ", 100000, "while * { ", "skip", "}", "}"), DEEP);
  check_read(nested("program { ", 900, "while * { ", "skip", "}", "} safe p: true"), NULL);
  check_read(nested("program { ", 100000, "if * { ", "", "", ""), DEEP);
  check_read(nested("var a : int", 100000, "[0..1]", "", "", ""), DEEP);
  check_read(nested("var x : 0..", 100000, "(", "1", ")", ""), DEEP);
}

TEST(chains) {
  check_read(nested("var x : int safe p: x", 1000000, "+x", " > 0", "", ""), NULL);
  check_read(nested("var x : int safe p: ", 300000, "-", "x > 0", "", ""), NULL);
  check_read(nested("var x : bool safe p: ", 300000, "!", "x", "", ""), NULL);
  check_read(nested("var x : bool safe p: x", 100000, " => x", "", "", ""), NULL);
  check_read(nested("var x : bool safe p: x", 100000, " <=> x", "", "", ""), NULL);
  check_read(nested("var x : int safe p: x", 20000, " / x", " = 0", "", ""), NULL);
  check_read(nested("var x : int safe p: x", 100000, " * x", " = 0", "", ""), "a product of more than 100 factors");
  check_read(nested("var x : int safe p: x < ", 30000, "if x = 1 then 2 else ", "3", "", ""), NULL);
  check_read(nested("var x : bool ctl p: AG x", 50000, " && AG x", "", "", ""), NULL);
  check_read(nested("var x : bool ctl p: AG x", 50000, " <=> AG x", "", "", ""), NULL);
  check_read(nested("var x : bool ctl p: AG x", 50000, " => AG x", "", "", ""), NULL);
  check_read(nested("program { if * { skip }", 20000, " else if * { skip }", "", "", "} safe p: true"), NULL);
}

static GIVE char *numbered(const char *head, size_t count, const char *format, const char *tail) {
  text t = {0};
  text_add(&t, "%s", head);
  for (size_t i = 0; i < count; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    text_add(&t, format, i, i + 1, i + 1);
#pragma GCC diagnostic pop
  }
  text_add(&t, "%s", tail);
  return text_give(&t);
}

TEST(definitions_of_definitions) {
  check_read(numbered("var x : int define d0 = x\n", 30000, "define d%2$zu = d%1$zu + 1\n", "safe p: d30000 > 0"),
             NULL);
  check_read(numbered("var x : int define d30000 = x\n", 30000, "define d%1$zu = d%2$zu + 1\n", "safe p: d0 > 0"),
             "definitions that use each other are nested too deep");
  check_read(numbered("var x : int define d0 = x\n", 10000, "define d%2$zu = d%1$zu + d%1$zu\n", "safe p: d10000 > 0"),
             "become too large");
  check_read(numbered("var x : int define d0 = x\n", 60, "define d%2$zu = d%1$zu * d%1$zu\n", "safe p: d60 > 0"),
             "more than 100 factors");
  check_read(numbered("const d0 = 7\n", 60, "const d%2$zu = d%1$zu * d%1$zu\n", "safe p: d60 > 0"),
             "more than 100 factors");
  check_read(
      numbered("var x, y : int define d0 = x / y\n", 60, "define d%2$zu = if x > %1$zu then d%1$zu else d%1$zu + 1\n",
               "action a: d60 > 0 -> x := 1 safe p: true"),
      "becomes too large");
}

#define LARGE "the model becomes too large here"

TEST(expansion) {
  check_read(memory_copy_string("var x : int safe p: forall i : 1..1000000000000 . x != i"), LARGE);
  check_read(memory_copy_string("var x : int safe p: exists i, j, k : 1..10000 . x = i + j * k"), LARGE);
  check_read(memory_copy_string("process P[i : 1..1000000000] { states a  a -> a } safe p: true"), "too many elements");
  check_read(memory_copy_string(
                 "process P[i : 1..3000] { states a  a -> a when forall j : 1..3000 . P[j] at a } safe p: true"),
             LARGE);
  check_read(memory_copy_string("var a : int[1..100000000000000000000] safe p: true"), "too large");
  check_read(memory_copy_string("var a : int[-9223372036854775808..9223372036854775807] safe p: true"),
             "too many elements");
  check_read(memory_copy_string("var a : int[1..250] var i : int safe p: forall k : 1..6000 . a[i + k] > a[i * k]"),
             LARGE);
  check_read(
      memory_copy_string(
          "process P[i : 9223372036854775806..9223372036854775807] { var x : int = i states a  a -> a } safe p: true"),
      NULL);
}

TEST(noise) {
  random_source r = {7};
  for (int round = 0; round < 60; round++) {
    text t = {0};
    for (int i = 0; i < 3000; i++)
      text_add_char(&t, (char)(round % 3 ? random_between(&r, 1, 255) : random_between(&r, 32, 126)));
    check_read(text_give(&t), ": error: ");
  }
}

/* Good texts with bytes and lines changed, dropped, doubled: anything but a crash. */
TEST(damaged_models) {
  static const char *const pieces[] = {
      "(",  ")", "{",  "}", "[", "]", ":=", "..", ",", ";", "x", "P", "at", "forall i : 1..3 . ",
      "->", "*", "if", "1", "=", "\n"};
  random_source r = {11};
  paths files = {0};
  find_files(TESTS_FOLDER "/data/models", ".whet", &files);
  for (int round = 0; round < 400; round++) {
    size_t length;
    char *content = read_file(files.at[random_below(&r, files.count)], &length);
    text t = {0};
    size_t at = 0, cuts = 1 + random_below(&r, 4);
    for (size_t i = 0; i < cuts && at < length; i++) {
      size_t next = at + random_below(&r, length - at);
      text_add_bytes(&t, content + at, next - at);
      at = next + random_below(&r, 12) * (random_next(&r) & 1);
      if (at > length) at = length;
      text_add(&t, "%s", pieces[random_below(&r, ARRAY_LENGTH(pieces))]);
    }
    text_add_bytes(&t, content + at, length - at);
    text got = {0};
    model *m = read_model(text_string(&t), &got);
    CHECK((m == NULL) == (got.count > 0));
    model_free(m);
    text_clear(&got);
    text_clear(&t);
    memory_free(content);
  }
  paths_free(&files);
}

TEST(sizes) {
  char *content = nested("var x : int safe p: x", 17 << 20, "+1", "", "", "");
  check_read(content, "test.whet: error: the file is larger than 32 MB\n");
  check_read(nested("var x : int safe p: x", 5000000, "+x", "", "", ""), "more than 5000000 operators and operands");
  check_read(nested("var ", 5000, "x", " : int", "", ""), "longer than 1000 characters");
  check_read(nested("const N = ", 6000, "9", "", "", ""), "more than 5000 digits");
  check_read(nested("const N = ", 1000, "9", "", " ", "safe p: N > 0"), NULL);
}

TEST(a_file_of_100_megabytes) {
  char path[] = "/tmp/whet-large-XXXXXX.whet";
  int file = mkstemps(path, 5);
  CHECK(file >= 0 && ftruncate(file, 100 << 20) == 0);
  diagnostics d = {0};
  CHECK(!input_read_file(path, &d));
  CHECK(strstr(text_string(&d.text), ": error: the file is larger than 32 MB\n"), "%s", text_string(&d.text));
  close(file);
  unlink(path);
  text_clear(&d.text);
}

/* What a confined process managed to do, a letter each. */
static _Noreturn void try_everything(int descriptor, const char *path) {
  int kept = confine(descriptor);
  char done[8] = "p";
  size_t count = 1;
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file >= 0 && write(file, "x", 1) == 1) done[count++] = 'w';
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
  if (file >= 0) done[count++] = 'o';
  if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0) done[count++] = 's';
  if (!rename(path, path) || errno != EPERM) done[count++] = 'r';
  if (fcntl(0, F_GETFD) >= 0 || errno != EPERM) done[count++] = 'f';
#endif
  void *memory = malloc(64 << 20);
  if (!memory) done[count++] = 'm';
  free(memory);
  _exit(write(kept, done, count) != (ssize_t)count);
}

TEST(a_confined_process_can_only_compute_and_answer) {
  char path[] = "/tmp/whet-confined-XXXXXX";
  int ends[2], status = 0, file = mkstemp(path);
  char got[16] = {0};
  CHECK(file >= 0 && !pipe(ends));
  pid_t child = fork();
  if (!child) try_everything(ends[1], path);
  close(ends[1]);
  CHECK(read(ends[0], got, sizeof got - 1) >= 0);
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(!strcmp(got, "p"), "%s", got);
  CHECK(lseek(file, 0, SEEK_END) == 0);
  close(ends[0]);
  close(file);
  unlink(path);
}

TEST(escaped_names_are_visible_and_come_back) {
  static const char *const names[] = {"x",    "\\",       "a|b",  "{5c}",         "{5C}",     "{",
                                      "a\nb", "\xc3\xa9", "\xc3", "\xe2\x80\xae", "\x1b[31m", "*/"};
  for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
    text escaped = {0}, back = {0};
    text_add_escaped(&escaped, names[i], "\\|");
    text_add_unescaped(&back, text_string(&escaped));
    CHECK(!strcmp(text_string(&back), names[i]), "%s", text_string(&escaped));
    CHECK(!strpbrk(text_string(&escaped), "\\|\n\x1b"), "%s", text_string(&escaped));
    text_clear(&escaped);
    text_clear(&back);
  }
  text comment = {0};
  text_add_comment(&comment, "a*/b/*/c\nd\\");
  CHECK(!strcmp(text_string(&comment), "a*{2f}b/{2a}{2f}c{0a}d{5c}"), "%s", text_string(&comment));
  text_clear(&comment);
}

TEST_MAIN
