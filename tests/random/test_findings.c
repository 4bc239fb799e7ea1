/* Models that once showed a defect, each with the engine it was a defect of: tests/data/findings, one file each, `// check
 * ENGINE [OPTION=VALUE..]` in its first line. */
#include <dirent.h>

#include "base/vector.h"
#include "random/random_check.h"
#include "unit/test.h"

static GIVE char *read_file(const char *path) {
  text content = {0};
  FILE *file = fopen(path, "r");
  char block[4096];
  for (size_t n; file && (n = fread(block, 1, sizeof block, file)) > 0;) text_add_bytes(&content, block, n);
  if (file) fclose(file);
  return text_give(&content);
}

static void check_finding(const char *path) {
  char *content = read_file(path), engine[40] = "", options[100] = "";
  int read = sscanf(content, "// check %39s%*[ ]%99[^\n]", engine, options);
  CHECK(read >= 1, "%s: the first line does not say what to check", path);
  if (read >= 1) {
    random_check c = {.engine = engine,
                      .knobs = "finite",
                      .options = options,
                      .unroll_every = 1,
                      .reread_every = 1,
                      .complete = true};
    random_tally t = {0};
    char *wrong = random_check_text(&c, content, &t);
    CHECK(!wrong, "%s: %s", path, wrong);
    CHECK(t.safe + t.unsafe > 0 && !t.unchecked && !t.unknown, "%s: %u unknown, %u unchecked", path, t.unknown,
          t.unchecked);
    memory_free(wrong);
  }
  memory_free(content);
}

TEST(old_findings_stay_fixed) {
  DIR *folder = opendir(TESTS_FOLDER "/data/findings");
  unsigned count = 0;
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    if (entry->d_name[0] == '.') continue;
    char *path = text_format("%s/data/findings/%s", TESTS_FOLDER, entry->d_name);
    check_finding(path);
    memory_free(path);
    count++;
  }
  if (folder) closedir(folder);
  CHECK(count > 0, "no findings in %s", TESTS_FOLDER "/data/findings");
}

TEST_MAIN
