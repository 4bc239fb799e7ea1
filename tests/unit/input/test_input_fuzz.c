/* What the fuzzer found once, and all our models: no input may break what fuzzing/fuzz_input.c promises. It aborts if
 * one does. */
#include "fuzzing/fuzz_input.c"
#include "unit/input/input_helper.h"
#include "unit/test.h"

static void try_folder(const char *folder, const char *ending, size_t at_least) {
  paths files = {0};
  find_files(folder, ending, &files);
  CHECK(files.count >= at_least, "%s", folder);
  for (size_t i = 0; i < files.count; i++) {
    size_t length;
    char *content = read_file(files.at[i], &length);
    printf("# %s\n", files.at[i]);
    LLVMFuzzerTestOneInput((const uint8_t *)content, length);
    memory_free(content);
  }
  paths_free(&files);
}

TEST(corpus) { try_folder(TESTS_FOLDER "/data/fuzz/corpus", "", 1); }
TEST(models) { try_folder(TESTS_FOLDER "/data/models", ".whet", 40); }
TEST(models_with_procedures) { try_folder(TESTS_FOLDER "/../examples/procedures", ".whet", 14); }
TEST(wrong_models) { try_folder(TESTS_FOLDER "/data/errors", ".whet", 100); }

TEST_MAIN
