/* A store that is damaged is noticed to be. */
#include "store/store.c"
#include "unit/damage.h"

enum { ROWS = 500 };

static store *store_with_rows(unsigned owners) {
  store *s = store_new(8, owners);
  for (uint64_t i = 0; i < ROWS; i++) {
    uint64_t word = i * 7919;
    store_add(s, &word, NULL);
  }
  return s;
}

static uint64_t place_in_use(const store *s) {
  uint64_t place = 0;
  while (!s->table[place]) place++;
  return place;
}

static uint64_t place_of_row(const store *s, uint64_t row) {
  uint64_t place = 0;
  while (!s->table[place] || entry_index(s, s->table[place]) != row) place++;
  return place;
}

TEST(a_store_that_was_only_used_is_whole) {
  for (unsigned owners = 1; owners <= 4; owners += 3) {
    store *s = store_with_rows(owners);
    CHECK_TEXT(said(store_check(s)), WHOLE);
    CHECK(store_check_cost(s) >= ROWS);
    store_forget_table(s);
    CHECK_TEXT(said(store_check(s)), WHOLE);
    store_free(s);
  }
}

TEST(an_entry_that_names_no_row) {
  store *s = store_with_rows(1);
  s->table[place_in_use(s)] |= (entry)((UINT64_C(1) << s->index_bits) - 1);
  CHECK_TEXT(said(store_check(s)), "entries name rows that are there");
  store_free(s);
}

TEST(a_row_that_was_changed) {
  store *s = store_with_rows(1);
  *(uint8_t *)row_at(s, 3) ^= 1;
  CHECK_TEXT(said(store_check(s)), "every row is found where its hash leads to");
  store_free(s);
}

TEST(a_row_that_is_there_twice) {
  store *s = store_with_rows(1);
  uint64_t at = place_of_row(s, 4), word = 3 * 7919;
  row_write(s, 4, &word);
  s->table[at] = 0; /* as if it had been added without a look */
  put_distinct(s, hash_of(1, &word), 4);
  s->filled[0]--;
  CHECK_TEXT(said(store_check(s)), "no two rows are the same, and none has two entries");
  store_free(s);
}

TEST(an_entry_in_the_part_of_another_owner) {
  store *s = store_with_rows(4);
  uint64_t from = place_of_row(s, 7), to = (from + s->part) % (4 * s->part);
  while (s->table[to]) to = (to + 1) % (4 * s->part);
  s->table[to] = s->table[from];
  s->table[from] = 0;
  CHECK(store_check(s));
  store_free(s);
}

TEST(counts_that_are_wrong) {
  store *s = store_with_rows(4);
  s->filled[2]++;
  CHECK_TEXT(said(store_check(s)), "the entries of each part are counted");
  s->filled[2]--;
  s->count--;
  CHECK_TEXT(said(store_check(s)), "entries name rows that are there");
  s->count += 2;
  CHECK_TEXT(said(store_check(s)), "every row has an entry");
  s->count = UINT64_C(1) << 40;
  CHECK_TEXT(said(store_check(s)), "there are segments for all rows");
  s->count = ROWS;
  CHECK_TEXT(said(store_check(s)), WHOLE);
  store_free(s);
}

TEST_MAIN
