/* What the fuzzer of syntax trees found once: no tree may break what fuzzing/fuzz_tree.c promises. It aborts if one does. */
#include "fuzzing/fuzz_tree.c"
#include "unit/input/input_helper.h"
#include "unit/test.h"

TEST(trees) {
  paths files = {0};
  find_files(TESTS_FOLDER "/data/fuzz/trees", ".json", &files);
  CHECK(files.count >= 1, "trees");
  for (size_t i = 0; i < files.count; i++) {
    size_t length;
    char *content = read_file(files.at[i], &length);
    printf("# %s\n", files.at[i]);
    LLVMFuzzerTestOneInput((const uint8_t *)content, length);
    memory_free(content);
  }
  paths_free(&files);
}

/* The message says what is wrong with the tree. */
TEST(mistakes) {
  static const struct {
    const char *json, *message;
  } all[] = {
      {"{\"kind\":\"WhileStmt\",\"inner\":[{}]}", "a node WhileStmt with 1 parts; 2 are expected"},
      {"{\"kind\":\"ParenExpr\"}", "a node ParenExpr with 0 parts; 1 are expected"},
      {"{\"kind\":\"BinaryOperator\",\"opcode\":\"\",\"inner\":[{},{}]}", "the operator ``, which is not known"},
      {"{\"kind\":\"CompoundAssignOperator\",\"opcode\":\"=\",\"inner\":[{},{}]}",
       "the operator `=`, which is not known"},
      {"{\"kind\":\"TranslationUnitDecl\"}", "there is no function `main`"},
      {"[", "clang's syntax tree cannot be read"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    source s;
    diagnostics d = {0};
    source_open(&s, "p.c", "", 0);
    model *m = c_read_json(&s, all[i].json, strlen(all[i].json), &d);
    CHECK(!m && d.errors == 1, "%s", all[i].json);
    CHECK(strstr(text_string(&d.text), all[i].message) != NULL, "%s: %s", all[i].json, text_string(&d.text));
    text_clear(&d.text);
    source_close(&s);
  }
}

TEST_MAIN
