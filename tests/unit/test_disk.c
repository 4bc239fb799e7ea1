/* Sorted keys in files (store/disk): against arrays that are sorted in one go; and damaged files. */
#include <fcntl.h>
#include <unistd.h>

#include "base/random.h"
#include "base/text.h"
#include "store/disk/set.h"
#include "store/disk/sorter.h"
#include "store/rows.h"
#include "unit/test.h"

enum { KEY = 5 };

static char folder_path[] = "/tmp/whet-disk-XXXXXX";

static disk_folder *new_folder(void) {
  static bool is_made;
  if (!is_made && !mkdtemp(folder_path)) abort();
  is_made = true;
  return disk_folder_new(folder_path);
}

/* `count` keys, sorted, without repetition; few values, so that many are alike. */
typedef struct keys {
  uint8_t *at;
  size_t count;
} keys;

static void random_key(random_source *r, unsigned values, uint8_t *out) {
  for (size_t i = 0; i < KEY; i++) out[i] = (uint8_t)random_below(r, values);
}

static void sort(keys *k) {
  size_t order[KEY], kept = 0;
  for (size_t i = 0; i < KEY; i++) order[i] = i;
  rows_sort(k->at, k->count, KEY, order);
  for (size_t i = 0; i < k->count; i++)
    if (!kept || memcmp(k->at + (kept - 1) * KEY, k->at + i * KEY, KEY))
      memmove(k->at + kept++ * KEY, k->at + i * KEY, KEY);
  k->count = kept;
}

static keys random_keys(random_source *r, size_t count, unsigned values) {
  keys k = {memory_alloc(count * KEY + 1), count};
  for (size_t i = 0; i < count; i++) random_key(r, values, k.at + i * KEY);
  return k;
}

static bool merge_gives(key_merge *m, const keys *wanted) {
  for (size_t i = 0; i < wanted->count; i++) {
    const uint8_t *key = key_merge_next(m);
    if (!key || memcmp(key, wanted->at + i * KEY, KEY)) return false;
  }
  return !key_merge_next(m);
}

static key_run *write_run(run_writer *w, const keys *k) {
  for (size_t i = 0; i < k->count; i++) run_writer_add(w, k->at + i * KEY);
  return run_writer_finish(w);
}

TEST(a_sorter_gives_each_key_once_in_order) {
  random_source r = {7};
  disk_folder *f = new_folder();
  for (int round = 0; round < 20; round++) {
    keys k = random_keys(&r, (size_t)random_below(&r, 60000), round % 2 ? 9 : 256);
    key_sorter *s = key_sorter_new(f, KEY, 1); /* room for 1024 keys: most go to runs */
    for (size_t i = 0; i < k.count; i++) key_sorter_add(s, k.at + i * KEY);
    key_sorter_finish(s);
    key_merge *m = key_merge_new(KEY);
    key_sorter_give(s, m);
    sort(&k);
    CHECK(merge_gives(m, &k), "round %d", round);
    key_merge_free(m);
    key_sorter_free(s);
    memory_free(k.at);
  }
  CHECK(!disk_folder_problem(f) && !disk_folder_bytes(f));
  disk_folder_free(f);
}

TEST(readers_find_the_first_key_that_is_not_before) {
  random_source r = {8};
  disk_folder *f = new_folder();
  for (int round = 0; round < 30; round++) {
    keys k = random_keys(&r, 1 + (size_t)random_below(&r, round < 25 ? 2000 : 200000), round % 2 ? 30 : 256);
    keys asked = random_keys(&r, 300, 256);
    sort(&k);
    sort(&asked);
    key_run *run = write_run(run_writer_new(f, KEY), &k);
    run_reader *reader = run_reader_new(run);
    CHECK(key_run_count(run) == k.count);
    size_t at = 0;
    for (size_t i = 0; i < asked.count; i++) {
      while (at < k.count && memcmp(k.at + at * KEY, asked.at + i * KEY, KEY) < 0) at++;
      const uint8_t *found = run_reader_seek(reader, asked.at + i * KEY);
      CHECK(at < k.count ? found && !memcmp(found, k.at + at * KEY, KEY) : !found, "round %d, key %zu", round, i);
    }
    run_reader_free(reader);
    key_run_free(run);
    memory_free(k.at);
    memory_free(asked.at);
  }
  CHECK(!disk_folder_problem(f) && !disk_folder_bytes(f));
  disk_folder_free(f);
}

TEST(a_set_has_what_was_added) {
  random_source r = {9};
  disk_folder *f = new_folder();
  budget b = budget_unlimited();
  for (int round = 0; round < 10; round++) {
    key_set *s = key_set_new(f, KEY);
    keys all = {memory_alloc(1 << 20), 0};
    for (int runs = 0; runs < 60; runs++) {
      keys k = random_keys(&r, 1 + (size_t)random_below(&r, 400), 12);
      sort(&k);
      run_writer *w = run_writer_new(f, KEY);
      key_set_begin(s);
      size_t before = all.count;
      for (size_t i = 0; i < k.count; i++) {
        bool is_known = false;
        for (size_t j = 0; j < before && !is_known; j++) is_known = !memcmp(all.at + j * KEY, k.at + i * KEY, KEY);
        CHECK(key_set_has(s, k.at + i * KEY) == is_known, "round %d, run %d, key %zu", round, runs, i);
        if (is_known) continue;
        run_writer_add(w, k.at + i * KEY);
        memcpy(all.at + all.count++ * KEY, k.at + i * KEY, KEY);
      }
      key_set_end(s);
      CHECK(key_set_add(s, run_writer_finish(w), &b));
      memory_free(k.at);
    }
    CHECK(key_set_count(s) == all.count);
    sort(&all);
    key_merge *m = key_set_merge(s);
    CHECK(merge_gives(m, &all), "round %d", round);
    key_merge_free(m);
    memory_free(all.at);
    key_set_free(s);
  }
  CHECK(!disk_folder_problem(f) && !disk_folder_bytes(f));
  disk_folder_free(f);
}

/* A log of three runs, in a file with a name. */
static uint64_t write_log(disk_folder *f, const keys *three) {
  key_log *l = key_log_new(f, "log", KEY);
  for (int i = 0; i < 3; i++) key_run_free(write_run(run_writer_new_in(l), &three[i]));
  uint64_t end = key_log_end(l);
  key_log_free(l);
  return end;
}

/* How many runs of the log can be read again; that they are the right ones is checked. */
static int read_log(disk_folder *f, uint64_t end, const keys *three, bool check) {
  key_log *l = key_log_new(f, "log", KEY);
  int runs = 0;
  for (key_run *run; runs < 4 && (run = key_log_next(l, end)) != NULL; runs++) {
    key_merge *m = key_merge_new(KEY);
    key_merge_add_run(m, run);
    bool is_same = runs < 3 && merge_gives(m, &three[runs]);
    if (check) CHECK(is_same, "run %d", runs);
    key_merge_free(m);
    key_run_free(run);
  }
  key_log_free(l);
  return runs;
}

TEST(a_log_is_read_again_and_damage_is_noticed) {
  random_source r = {10};
  keys three[3];
  for (int i = 0; i < 3; i++) {
    three[i] = random_keys(&r, i == 1 ? 50000 : 300, 256);
    sort(&three[i]);
  }
  disk_folder *f = new_folder();
  uint64_t end = write_log(f, three);
  CHECK(read_log(f, end, three, true) == 3 && !disk_folder_problem(f));
  char *path = text_format("%s/log", folder_path);
  for (int round = 0; round < 60; round++) {
    uint64_t at = random_below(&r, end);
    uint8_t byte = 0, other;
    int file = open(path, O_RDWR);
    CHECK(file >= 0 && pread(file, &byte, 1, (off_t)at) == 1);
    other = byte ^ (uint8_t)(1 + random_below(&r, 255));
    CHECK(pwrite(file, &other, 1, (off_t)at) == 1);
    disk_folder *again = new_folder();
    read_log(again, end, three, false);
    CHECK(disk_folder_problem(again), "byte %llu", (unsigned long long)at);
    disk_folder_free(again);
    CHECK(pwrite(file, &byte, 1, (off_t)at) == 1);
    close(file);
  }
  disk_folder *shorter = new_folder();
  CHECK(!truncate(path, (off_t)end / 2));
  CHECK(read_log(shorter, end, three, false) < 3 && disk_folder_problem(shorter));
  disk_folder_free(shorter);
  unlink(path);
  memory_free(path);
  disk_folder_free(f);
  for (int i = 0; i < 3; i++) memory_free(three[i].at);
}

TEST(a_folder_that_cannot_be_written_is_a_problem) {
  disk_folder *f = disk_folder_new("/proc/no such folder");
  CHECK(disk_folder_problem(f));
  CHECK(disk_folder_open(f, NULL) < 0);
  disk_folder_free(f);
  CHECK(!rmdir(folder_path));
}

TEST_MAIN
