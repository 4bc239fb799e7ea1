#include "base/map.h"
#include "base/random.h"
#include "store/layout.h"
#include "store/rows.h"
#include "store/store.h"
#include "unit/test.h"

TEST(packing_and_unpacking_gives_the_same_values) {
  random_source r = {1};
  for (int round = 0; round < 300; round++) {
    size_t count = random_below(&r, 40);
    int64_t low[40], high[40], values[40], back[40];
    for (size_t i = 0; i < count; i++) {
      unsigned bits = (unsigned)random_below(&r, 65);
      uint64_t span = bits ? random_next(&r) >> (64 - bits) : 0;
      low[i] = (int64_t)((span ? random_next(&r) % (UINT64_MAX - span + 1) : random_next(&r)) + (uint64_t)INT64_MIN);
      high[i] = (int64_t)((uint64_t)low[i] + span);
    }
    layout *l = layout_new(count, low, high);
    uint64_t packed[64], again[64];
    for (int k = 0; k < 20; k++) {
      for (size_t i = 0; i < count; i++) {
        uint64_t span = (uint64_t)high[i] - (uint64_t)low[i];
        values[i] = (int64_t)((uint64_t)low[i] + (span == UINT64_MAX ? random_next(&r) : random_next(&r) % (span + 1)));
      }
      CHECK(layout_pack(l, values, packed, NULL));
      layout_unpack(l, packed, back);
      CHECK(!memcmp(values, back, count * sizeof *values));
      for (size_t i = 0; i < count; i++) {
        memcpy(again, packed, l->words * 8);
        field_set(&l->fields[i], again, low[i]);
        field_set(&l->fields[i], again, high[i]);
        CHECK(field_get(&l->fields[i], again) == high[i]);
        field_set(&l->fields[i], again, values[i]);
        CHECK(!memcmp(packed, again, l->words * 8));
      }
      for (size_t b = l->bytes; b < 8 * l->words; b++) CHECK(((uint8_t *)packed)[b] == 0);
    }
    layout_free(l);
  }
}

TEST(a_value_out_of_its_range_is_named) {
  int64_t low[] = {0, -5, INT64_MIN, 0}, high[] = {7, 5, INT64_MAX, 1};
  layout *l = layout_new(4, low, high);
  uint64_t packed[4];
  size_t misfit = 9;
  CHECK(l->words == 3 && l->bytes == 17);
  CHECK(layout_pack(l, (int64_t[]){7, -5, INT64_MAX, 0}, packed, &misfit));
  CHECK(!layout_pack(l, (int64_t[]){8, 0, 0, 0}, packed, &misfit) && misfit == 0);
  CHECK(!layout_pack(l, (int64_t[]){0, -6, 0, 0}, packed, &misfit) && misfit == 1);
  CHECK(!layout_pack(l, (int64_t[]){INT64_MIN, 0, 0, 0}, packed, &misfit) && misfit == 0);
  layout_free(l);
}

TEST(fields_of_one_value_take_no_room) {
  int64_t low[] = {42, -1, 3}, high[] = {42, -1, 3}, back[3];
  layout *l = layout_new(3, low, high);
  uint64_t packed[1];
  CHECK(l->words == 1 && l->bytes == 1);
  CHECK(layout_pack(l, low, packed, NULL) && packed[0] == 0);
  layout_unpack(l, packed, back);
  CHECK(back[0] == 42 && back[1] == -1 && back[2] == 3);
  layout_free(l);
}

static int compare_words(size_t count, const uint64_t *a, const uint64_t *b) {
  for (size_t i = 0; i < count; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static int compare_values(size_t count, const int64_t *a, const int64_t *b) {
  for (size_t i = 0; i < count; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

TEST(packed_states_compare_like_their_values_and_sort_like_them) {
  enum { COUNT = 3000, FIELDS = 12 };
  int64_t low[FIELDS], high[FIELDS], a[FIELDS], b[FIELDS];
  random_source r = {5};
  for (int round = 0; round < 20; round++) {
    for (size_t i = 0; i < FIELDS; i++) {
      low[i] = random_between(&r, -1000, 10);
      high[i] = low[i] + random_between(&r, 0, round % 2 ? 3 : INT64_C(1) << 40);
    }
    layout *l = layout_new(FIELDS, low, high);
    size_t order[200];
    uint8_t *rows = memory_alloc(COUNT * l->bytes);
    uint64_t packed[FIELDS + 1] = {0}, last[FIELDS + 1] = {0};
    for (size_t n = 0; n < COUNT; n++) {
      for (size_t i = 0; i < FIELDS; i++) a[i] = random_between(&r, low[i], high[i]);
      CHECK(layout_pack(l, a, packed, NULL));
      layout_unpack(l, last, b);
      CHECK(compare_words(l->words, packed, last) == compare_values(FIELDS, a, b));
      memcpy(rows + n * l->bytes, packed, l->bytes);
      memcpy(last, packed, sizeof last);
    }
    layout_byte_order(l, order);
    rows_sort(rows, COUNT, l->bytes, order);
    memset(last, 0, sizeof last);
    for (size_t n = 0; n < COUNT; n++) {
      memcpy(packed, rows + n * l->bytes, l->bytes);
      CHECK(compare_words(l->words, last, packed) <= 0);
      memcpy(last, packed, sizeof last);
    }
    memory_free(rows);
    layout_free(l);
  }
}

/* Keys below `range` spread over a row of `bytes` bytes, so that rows differ in every byte. */
static void make_row(size_t bytes, uint64_t key, uint64_t *words) {
  random_source r = {key};
  for (size_t i = 0; i < (bytes + 7) / 8; i++) words[i] = random_next(&r);
  if (bytes < 8) words[0] = key;
  if (bytes % 8) words[bytes / 8] &= UINT64_MAX >> (64 - 8 * (bytes % 8));
}

TEST(states_are_numbered_in_the_order_they_come) {
  static const size_t sizes[] = {3, 4, 8, 11, 16, 40};
  for (size_t k = 0; k < ARRAY_LENGTH(sizes); k++) {
    store *s = store_new(sizes[k], 1 + (unsigned)k % 3);
    map *oracle = map_new();
    random_source r = {k};
    uint64_t words[5], back[5], index, wanted;
    for (int i = 0; i < 60000; i++) {
      uint64_t key = random_below(&r, 40000);
      bool known = map_get(oracle, key, &wanted);
      if (!known) map_set(oracle, key, wanted = map_count(oracle));
      make_row(sizes[k], key, words);
      uint64_t found;
      CHECK(store_find(s, words, &found) == known && (!known || found == wanted));
      CHECK(store_add(s, words, &index) == (known ? STORE_KNOWN : STORE_NEW));
      CHECK(index == wanted, "%llu", (unsigned long long)key);
      store_read(s, index, back);
      CHECK(!memcmp(words, back, (sizes[k] + 7) / 8 * 8));
    }
    CHECK(store_count(s) == map_count(oracle));
    store_free(s);
    map_free(oracle);
  }
}

/* One thread does what many would: the numbers must be those of one-by-one insertion, for any number of owners and
 * batches. */
static void fill_in_rounds(store *s, size_t bytes, unsigned owners, random_source *r, store *one_by_one) {
  batch *batches[7];
  uint64_t words[5];
  for (size_t b = 0; b < 7; b++) batches[b] = batch_new(s);
  for (int round = 0; round < 40; round++) {
    size_t count = 1 + random_below(r, 7);
    for (size_t b = 0; b < count; b++) {
      batch_clear(batches[b], s);
      for (size_t i = random_below(r, 700); i > 0; i--) {
        make_row(bytes, random_below(r, 50000), words);
        batch_add(batches[b], s, words);
      }
    }
    store_room room = store_prepare(s, count, batches);
    CHECK(room != STORE_HAS_NO_ROOM);
    if (room == STORE_MUST_REBUILD)
      for (unsigned o = owners; o-- > 0;) store_rebuild(s, o);
    for (unsigned o = owners; o-- > 0;) store_claim(s, count, batches, o);
    store_number(s, count, batches);
    for (size_t b = count; b-- > 0;) store_settle(s, batches[b]);
    for (size_t b = 0; b < count; b++)
      for (size_t i = 0; i < batches[b]->count; i++) {
        store_answer answer = store_add(one_by_one, batch_state(batches[b], i), NULL);
        CHECK((answer == STORE_NEW) == batch_is_new(batches[b], i));
      }
  }
  for (size_t b = 0; b < 7; b++) batch_free(batches[b], s);
}

static void check_equal(const store *a, const store *b) {
  uint64_t left[5] = {0}, right[5] = {0}, found;
  CHECK(store_count(a) == store_count(b));
  for (uint64_t i = 0; i < store_count(a); i++) {
    store_read(a, i, left);
    store_read(b, i, right);
    CHECK(!memcmp(left, right, sizeof left));
    CHECK(store_find(a, left, &found) && found == i);
  }
}

TEST(rounds_give_the_numbers_of_one_by_one_insertion) {
  static const size_t sizes[] = {3, 8, 13, 40};
  for (size_t k = 0; k < ARRAY_LENGTH(sizes); k++)
    for (unsigned owners = 1; owners <= 5; owners += 2) {
      random_source r = {100 * k + owners};
      store *s = store_new(sizes[k], owners), *one_by_one = store_new(sizes[k], 1);
      fill_in_rounds(s, sizes[k], owners, &r, one_by_one);
      check_equal(s, one_by_one);
      store_free(s);
      store_free(one_by_one);
    }
}

static void widen(void *context, const uint64_t *old, uint64_t *fresh) {
  (void)context;
  fresh[0] = old[0] & 0xffff;
  fresh[1] = old[0] >> 16;
}

TEST(rows_can_be_made_wider) {
  store *s = store_new(3, 2);
  uint64_t words[2], index;
  for (uint64_t i = 0; i < 3000000; i += 2) {
    words[0] = i;
    CHECK(store_add(s, words, &index) == STORE_NEW);
  }
  store_convert(s, 10, widen, NULL);
  CHECK(store_count(s) == 1500000);
  for (uint64_t i = 0; i < 3000000; i++) {
    words[0] = i & 0xffff;
    words[1] = i >> 16;
    bool found = store_find(s, words, &index);
    CHECK(found == (i % 2 == 0) && (!found || index == i / 2));
  }
  store_free(s);
}

TEST(a_state_costs_few_bytes_beyond_its_own) {
  store *s = store_new(8, 1);
  for (uint64_t i = 0; i < 2000000; i++) store_add(s, &i, NULL);
  double each = (double)store_memory(s) / (double)store_count(s);
  CHECK(each < 8 + 10, "%f", each);
  store_free(s);
}

TEST_MAIN
