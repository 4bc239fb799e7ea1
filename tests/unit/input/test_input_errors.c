/* What is said about texts that are wrong: each file of input/errors has its messages next to it, in a file that ends
 * with .err.
 *
 * With WHET_UPDATE set in the environment, the .err files are written instead of compared; look at the difference
 * before you commit it. */
#include "unit/input/input_helper.h"
#include "unit/test.h"

static void check_file(const char *path) {
  size_t length, wanted_length = 0;
  diagnostics d = {0};
  text expected_path = {0};
  text_add_bytes(&expected_path, path, strlen(path) - strlen(".whet"));
  text_add(&expected_path, ".err");
  char *content = read_file(path, &length), *expected = text_give(&expected_path);
  model *m = input_read_text(strrchr(path, '/') + 1, content, length, &d);
  CHECK(!m, "%s has no error", path);
  CHECK(d.errors > 0 && d.errors <= 20, "%s: %zu errors", path, d.errors);
  if (getenv("WHET_UPDATE")) {
    FILE *f = fopen(expected, "w");
    fputs(text_string(&d.text), f);
    fclose(f);
  }
  char *wanted = read_file(expected, &wanted_length);
  CHECK(wanted, "%s is missing", expected);
  CHECK(wanted && !strcmp(wanted, text_string(&d.text)), "%s: got\n%s", path, text_string(&d.text));
  memory_free(wanted);
  memory_free(content);
  memory_free(expected);
  text_clear(&d.text);
  model_free(m);
}

TEST(messages) {
  paths files = {0};
  find_files(TESTS_FOLDER "/data/errors", ".whet", &files);
  CHECK(files.count > 100, "%zu", files.count);
  for (size_t i = 0; i < files.count; i++) check_file(files.at[i]);
  paths_free(&files);
}

static void check_message(const char *path, const char *content, size_t length, const char *wanted) {
  diagnostics d = {0};
  model *m = input_read_text(path, content, length, &d);
  CHECK(!m);
  CHECK_TEXT(text_string(&d.text), wanted);
  text_clear(&d.text);
  model_free(m);
}

TEST(kinds_of_files) {
  check_message(
      "model.txt", "var x : int", 11,
      "model.txt: error: unknown kind of file `.txt`; a model ends with .whet, .smt2, .vmt, .svlib, .c or .i\n");
  check_message("a.b/model", "var x : int", 11,
                "a.b/model: error: the name has no ending; a model ends with .whet, .smt2, .vmt, .svlib, .c or .i\n");
  check_message("a.whet", "", 0, "a.whet: error: the file is empty\n");
  check_message("a.whet", "var\0x", 5, "a.whet: error: this is not a text file: byte 4 is zero\n");
}

static void check_file_message(const char *path, const char *wanted) {
  diagnostics d = {0};
  CHECK(!input_read_file(path, &d));
  CHECK_TEXT(text_string(&d.text), wanted);
  CHECK(d.errors == 1);
  text_clear(&d.text);
}

TEST(files_that_cannot_be_read) {
  check_file_message("/nowhere/model.whet", "/nowhere/model.whet: error: there is no such file\n");
  check_file_message("/tmp", "/tmp: error: this is a directory, not a model\n");
  check_file_message(
      "/dev/null",
      "/dev/null: error: the name has no ending; a model ends with .whet, .smt2, .vmt, .svlib, .c or .i\n");
}

TEST_MAIN
