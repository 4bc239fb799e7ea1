/* The state store: segments of rows, and a table of entries over them.
 *
 * An entry is 0 if empty, else tag << index_bits | (number + 1): the table is at most as large as 2^index_bits, so
 * the numbers fit, and the bits left over hold a tag from the hash that spares most comparisons with rows of other
 * states. A hash h falls to owner floor(h * owners / 2^64), and to the place in that owner's part that the fraction
 * gives; the tag is made of its lowest bits. */
#include "store/store.h"

#include <sys/mman.h>

#include "base/instruments/check.h"

typedef uint32_t entry;

enum {
  SEGMENT_BYTES = 1 << 22,
  LARGE_BLOCK = 1 << 20,
  FIRST_PART = 256,    /* entries a part of the table starts with */
  LOOK_AHEAD = 24,     /* states between asking for an entry and needing it */
  LOOK_AHEAD_ROW = 12, /* and for its row */
};
static const uint64_t MOST_ENTRIES = UINT64_C(1) << 32;

struct store {
  size_t bytes, words;
  uint64_t last_mask; /* the bytes of the last word that belong to a row */
  uint64_t count;
  unsigned segment_shift; /* a segment has 2^segment_shift rows */
  VECTOR(uint8_t *) segments;
  entry *table;
  uint64_t part; /* entries of one owner's part */
  unsigned owners, index_bits;
  uint64_t *filled; /* entries in use in each part */
};

/* Large blocks come straight from the system, zeroed. They are read at random: large pages, if the system has them,
 * spare much time. */
static void *block_new(size_t bytes, bool in_large_pages) {
  if (bytes < LARGE_BLOCK) return memory_alloc_zero(1, bytes);
  void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) memory_exhausted();
  if (in_large_pages) madvise(block, bytes, MADV_HUGEPAGE);
  return block;
}

static void block_free(void *block, size_t bytes) {
  if (!block) return;
  if (bytes < LARGE_BLOCK)
    memory_free(block);
  else
    munmap(block, bytes);
}

static uint64_t fold(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t hash_of(size_t words, const uint64_t *state) {
  uint64_t h = 0x9e3779b97f4a7c15u;
  for (size_t i = 0; i < words; i++) h = fold(h ^ state[i], 0xd6e8feb86659fd93u);
  return fold(h ^ 0xa0761d6478bd642fu, 0xe7037ed1a0b428dbu);
}

/* The high and the low half of a * b. */
static uint64_t scale(uint64_t a, uint64_t b, uint64_t *fraction) {
  unsigned __int128 product = (unsigned __int128)a * b;
  *fraction = (uint64_t)product;
  return (uint64_t)(product >> 64);
}

static unsigned owner_of(const store *s, uint64_t hash) {
  uint64_t fraction;
  return (unsigned)scale(hash, s->owners, &fraction);
}

static uint64_t place_of(const store *s, uint64_t hash) {
  uint64_t fraction, rest, owner = scale(hash, s->owners, &fraction);
  return owner * s->part + scale(fraction, s->part, &rest);
}

static entry entry_of(const store *s, uint64_t hash, uint64_t index) {
  return (entry)(hash << s->index_bits | (index + 1));
}
static uint64_t entry_index(const store *s, entry e) { return (e & ((UINT64_C(1) << s->index_bits) - 1)) - 1; }
static bool entry_may_be(const store *s, entry e, uint64_t hash) {
  return ((uint64_t)(e ^ (entry)(hash << s->index_bits))) >> s->index_bits == 0;
}

static uint64_t next_place(const store *s, uint64_t place, uint64_t owner) {
  return ++place == (owner + 1) * s->part ? owner * s->part : place;
}

static const uint8_t *row_at(const store *s, uint64_t i) {
  return s->segments.at[i >> s->segment_shift] + (i & ((UINT64_C(1) << s->segment_shift) - 1)) * s->bytes;
}

static uint64_t word_at(const uint8_t *bytes) {
  uint64_t w;
  memcpy(&w, bytes, sizeof w);
  return w;
}

static bool row_equals(const store *s, uint64_t i, const uint64_t *state) {
  const uint8_t *row = row_at(s, i);
  size_t last = s->words - 1;
  for (size_t w = 0; w < last; w++)
    if (word_at(row + 8 * w) != state[w]) return false;
  return (word_at(row + 8 * last) & s->last_mask) == state[last];
}

static void row_write(store *s, uint64_t i, const uint64_t *state) { memcpy((uint8_t *)row_at(s, i), state, s->bytes); }

/* Rows are read a word at a time: a segment ends with 8 bytes that belong to no row. */
static size_t segment_size(const store *s) { return (s->bytes << s->segment_shift) + 8; }

static void set_row_size(store *s, size_t bytes) {
  s->bytes = bytes;
  s->words = (bytes + 7) / 8;
  s->last_mask = UINT64_MAX >> (8 * (8 * s->words - bytes));
  s->segment_shift = 0;
  while (bytes << (s->segment_shift + 1) <= SEGMENT_BYTES) s->segment_shift++;
}

static void table_new(store *s, uint64_t part) {
  s->part = part;
  s->index_bits = 1;
  while (UINT64_C(1) << s->index_bits <= part * s->owners) s->index_bits++;
  s->table = block_new(s->owners * part * sizeof(entry), true);
}

static void table_free(store *s) {
  block_free(s->table, s->owners * s->part * sizeof(entry));
  s->table = NULL;
}

store *store_new(size_t bytes, unsigned owners) {
  REQUIRE(bytes > 0 && owners > 0, "rows and owners");
  store *s = MEMORY_NEW(store);
  s->owners = owners;
  s->filled = MEMORY_ARRAY(uint64_t, owners);
  set_row_size(s, bytes);
  table_new(s, FIRST_PART);
  return s;
}

static void segments_free(store *s) {
  for (size_t i = 0; i < s->segments.count; i++) block_free(s->segments.at[i], segment_size(s));
  VECTOR_FREE(s->segments);
}

void store_free(store *s) {
  if (!s) return;
  segments_free(s);
  table_free(s);
  memory_free(s->filled);
  memory_free(s);
}

uint64_t store_count(const store *s) { return s->count; }

uint64_t store_memory(const store *s) {
  return s->count * s->bytes + (s->table ? s->owners * s->part * sizeof(entry) : 0) + sizeof *s;
}

void store_read(const store *s, uint64_t i, uint64_t *words) {
  assert(i >> s->segment_shift < s->segments.count);
  const uint8_t *row = row_at(s, i);
  for (size_t w = 0; w < s->words; w++) words[w] = word_at(row + 8 * w);
  words[s->words - 1] &= s->last_mask;
}

uint8_t *store_copy_rows(const store *s) {
  size_t full = s->bytes << s->segment_shift, left = s->count * s->bytes;
  uint8_t *rows = memory_alloc(left), *to = rows;
  for (size_t i = 0; i < s->segments.count && left; i++) {
    size_t now = left < full ? left : full;
    memcpy(to, s->segments.at[i], now);
    to += now;
    left -= now;
  }
  return rows;
}

static void extend_rows(store *s, uint64_t count) {
  while (s->segments.count << s->segment_shift < count) {
    uint8_t *segment = block_new(segment_size(s), s->segments.count > 0);
    VECTOR_PUSH(s->segments, segment);
  }
}

/* The place of `state` if it is known, else the empty one where it belongs. */
static bool locate(const store *s, const uint64_t *state, uint64_t hash, uint64_t *place, uint64_t *index) {
  unsigned owner = owner_of(s, hash);
  for (*place = place_of(s, hash); s->table[*place]; *place = next_place(s, *place, owner)) {
    if (!entry_may_be(s, s->table[*place], hash)) continue;
    *index = entry_index(s, s->table[*place]);
    if (row_equals(s, *index, state)) return true;
  }
  return false;
}

bool store_find(const store *s, const uint64_t *words, uint64_t *index) {
  uint64_t place;
  return locate(s, words, hash_of(s->words, words), &place, index);
}

/* Of the row that the entry at `place` names. `state` is room for one. */
static const char *check_entry(const store *s, uint64_t place, unsigned owner, uint64_t *state) {
  uint64_t index = entry_index(s, s->table[place]), found, at;
  if (index >= s->count) return "entries name rows that are there";
  store_read(s, index, state);
  uint64_t hash = hash_of(s->words, state);
  if (owner_of(s, hash) != owner) return "entries stand in their owner's part";
  if (!locate(s, state, hash, &at, &found)) return "every row is found where its hash leads to";
  return at == place ? NULL : "no two rows are the same, and none has two entries";
}

uint64_t store_check_cost(const store *s) { return s->table ? s->owners * s->part + 16 * s->count * s->words : 0; }

const char *store_check(const store *s) {
  if (s->segments.count << s->segment_shift < s->count) return "there are segments for all rows";
  if (!s->table) return NULL;
  const char *broken = NULL;
  uint64_t *state = MEMORY_ARRAY(uint64_t, s->words), entries = 0;
  for (unsigned o = 0; o < s->owners && !broken; o++) {
    uint64_t filled = 0;
    for (uint64_t place = o * s->part; place < (o + 1) * s->part && !broken; place++) {
      if (!s->table[place]) continue;
      broken = check_entry(s, place, o, state);
      filled++;
    }
    if (!broken && filled != s->filled[o]) broken = "the entries of each part are counted";
    entries += filled;
  }
  memory_free(state);
  return broken || entries == s->count ? broken : "every row has an entry";
}

static bool part_has_room(uint64_t part, uint64_t filled) { return filled <= part - part / 5; }

/* Grows by half until `most` entries fit in a part. */
static store_room make_room(store *s, uint64_t most) {
  uint64_t part = s->part;
  while (!part_has_room(part, most)) part += part / 2;
  if (part == s->part) return STORE_READY;
  if (part * s->owners >= MOST_ENTRIES) return STORE_HAS_NO_ROOM;
  table_free(s);
  table_new(s, part);
  memset(s->filled, 0, s->owners * sizeof *s->filled);
  return STORE_MUST_REBUILD;
}

static void put_distinct(store *s, uint64_t hash, uint64_t index) {
  unsigned owner = owner_of(s, hash);
  assert(s->filled[owner] < s->part); /* else the search for an empty place would not end */
  uint64_t place = place_of(s, hash);
  while (s->table[place]) place = next_place(s, place, owner);
  s->table[place] = entry_of(s, hash, index);
  s->filled[owner]++;
}

/* As put_distinct, while other threads do the same: whoever finds a place empty first has it. Which of two states comes
 * first in a chain is then up to the threads, but no answer depends on it. */
static void put_beside_others(store *s, uint64_t hash, uint64_t index) {
  unsigned owner = owner_of(s, hash);
  uint64_t place = place_of(s, hash);
  entry empty = 0, made = entry_of(s, hash, index);
  while (!__atomic_compare_exchange_n(&s->table[place], &empty, made, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    place = next_place(s, place, owner);
    empty = 0;
  }
  __atomic_fetch_add(&s->filled[owner], 1, __ATOMIC_RELAXED);
}

static void put(store *s, uint64_t hash, uint64_t index) {
  if (s->owners > 1)
    put_beside_others(s, hash, index);
  else
    put_distinct(s, hash, index);
}

void store_rebuild(store *s, unsigned part) {
  uint64_t waiting[LOOK_AHEAD], *state = MEMORY_ARRAY(uint64_t, s->words);
  uint64_t first = s->count * part / s->owners, end = s->count * (part + 1) / s->owners, inserted = first;
  for (uint64_t i = first; i < end; i++) {
    store_read(s, i, state);
    uint64_t hash = hash_of(s->words, state);
    __builtin_prefetch(&s->table[place_of(s, hash)], 1);
    if (i - first >= LOOK_AHEAD) put(s, waiting[inserted % LOOK_AHEAD], inserted), inserted++;
    waiting[i % LOOK_AHEAD] = hash;
  }
  for (; inserted < end; inserted++) put(s, waiting[inserted % LOOK_AHEAD], inserted);
  memory_free(state);
}

store_answer store_add(store *s, const uint64_t *words, uint64_t *index) {
  assert(s->table && (words[s->words - 1] & ~s->last_mask) == 0);
  uint64_t hash = hash_of(s->words, words), place, known;
  if (!index) index = &known;
  if (locate(s, words, hash, &place, index)) return STORE_KNOWN;
  store_room room = make_room(s, s->filled[owner_of(s, hash)] + 1);
  if (room == STORE_HAS_NO_ROOM) return STORE_FULL;
  if (room == STORE_MUST_REBUILD)
    for (unsigned o = 0; o < s->owners; o++) store_rebuild(s, o);
  *index = s->count;
  extend_rows(s, s->count + 1);
  row_write(s, s->count++, words);
  put_distinct(s, hash, *index);
  CHECKED_AT_TIMES(store_check_cost(s), store_check(s));
  return STORE_NEW;
}

void store_convert(store *s, size_t bytes, void (*convert)(void *context, const uint64_t *old, uint64_t *fresh),
                   void *context) {
  store old = *s;
  memset(&s->segments, 0, sizeof s->segments);
  set_row_size(s, bytes);
  table_free(s);
  uint64_t old_rows = UINT64_C(1) << old.segment_shift;
  uint64_t *from = MEMORY_ARRAY(uint64_t, old.words), *to = MEMORY_ARRAY(uint64_t, s->words);
  for (uint64_t i = 0; i < s->count; i++) {
    store_read(&old, i, from);
    convert(context, from, to);
    extend_rows(s, i + 1);
    row_write(s, i, to);
    if ((i + 1) % old_rows == 0) {
      block_free(old.segments.at[i / old_rows], segment_size(&old));
      old.segments.at[i / old_rows] = NULL;
    }
  }
  memory_free(from);
  memory_free(to);
  segments_free(&old);
  table_new(s, s->part);
  memset(s->filled, 0, s->owners * sizeof *s->filled);
  for (unsigned o = 0; o < s->owners; o++) store_rebuild(s, o);
  CHECKED(store_check(s));
}

void store_forget_table(store *s) { table_free(s); }

batch *batch_new(const store *s) {
  batch *b = MEMORY_NEW(batch);
  b->owned = memory_alloc_zero(s->owners, sizeof *b->owned);
  b->fresh = MEMORY_ARRAY(uint32_t, s->owners);
  batch_clear(b, s);
  return b;
}

void batch_free(batch *b, const store *s) {
  if (!b) return;
  for (unsigned o = 0; o < s->owners; o++) VECTOR_FREE(b->owned[o]);
  memory_free(b->owned);
  memory_free(b->fresh);
  VECTOR_FREE(b->states);
  VECTOR_FREE(b->marks);
  memory_free(b);
}

void batch_clear(batch *b, const store *s) {
  b->words = s->words;
  b->count = 0;
  VECTOR_CLEAR(b->states);
  VECTOR_CLEAR(b->marks);
  for (unsigned o = 0; o < s->owners; o++) {
    VECTOR_CLEAR(b->owned[o]);
    b->fresh[o] = 0;
  }
}

void batch_add(batch *b, const store *s, const uint64_t *words) {
  uint64_t hash = hash_of(s->words, words);
  unsigned owner = owner_of(s, hash);
  VECTOR_RESERVE(b->states, b->states.count + b->words);
  memcpy(b->states.at + b->states.count, words, b->words * sizeof *words);
  b->states.count += b->words;
  VECTOR_PUSH(b->marks, hash);
  VECTOR_PUSH(b->owned[owner], (uint32_t)b->count);
  b->count++;
}

store_room store_prepare(store *s, size_t count, batch *const *batches) {
  uint64_t most = 0, before = 0;
  for (unsigned o = 0; o < s->owners; o++) {
    uint64_t filled = s->filled[o];
    for (size_t i = 0; i < count; i++) filled += batches[i]->owned[o].count;
    if (filled > most) most = filled;
  }
  for (size_t i = 0; i < count; i++) {
    batches[i]->before = before;
    before += batches[i]->count;
  }
  return make_room(s, most);
}

/* Until they are settled, new states are entered under the numbers count + (place in the round). */
static const uint64_t *state_in_round(size_t count, batch *const *batches, uint64_t place) {
  size_t low = 0, high = count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (batches[middle]->before <= place)
      low = middle;
    else
      high = middle;
  }
  return batch_state(batches[low], place - batches[low]->before);
}

typedef struct round {
  store *store;
  size_t count;
  batch *const *batches;
} round;

static bool is_known(const round *r, uint64_t index, const uint64_t *state) {
  const store *s = r->store;
  if (index < s->count) return row_equals(s, index, state);
  return !memcmp(state_in_round(r->count, r->batches, index - s->count), state, s->words * sizeof *state);
}

static bool claim_one(const round *r, batch *b, uint32_t i, unsigned owner) {
  store *s = r->store;
  uint64_t hash = b->marks.at[i], place = place_of(s, hash);
  for (; s->table[place]; place = next_place(s, place, owner))
    if (entry_may_be(s, s->table[place], hash) && is_known(r, entry_index(s, s->table[place]), batch_state(b, i))) {
      b->marks.at[i] = BATCH_KNOWN;
      return false;
    }
  s->table[place] = entry_of(s, hash, s->count + b->before + i);
  b->marks.at[i] = place;
  return true;
}

static void look_ahead(const store *s, const batch *b, const uint32_t *own, size_t count, size_t k) {
  if (k + LOOK_AHEAD < count) __builtin_prefetch(&s->table[place_of(s, b->marks.at[own[k + LOOK_AHEAD]])], 1);
  if (k + LOOK_AHEAD_ROW >= count) return;
  uint64_t hash = b->marks.at[own[k + LOOK_AHEAD_ROW]];
  entry e = s->table[place_of(s, hash)];
  if (!e || !entry_may_be(s, e, hash)) return;
  uint64_t index = entry_index(s, e);
  if (index < s->count) __builtin_prefetch(row_at(s, index));
}

void store_claim(store *s, size_t count, batch *const *batches, unsigned owner) {
  round r = {s, count, batches};
  for (size_t i = 0; i < count; i++) {
    batch *b = batches[i];
    const uint32_t *own = b->owned[owner].at;
    size_t own_count = b->owned[owner].count;
    uint32_t fresh = 0;
    for (size_t k = 0; k < own_count; k++) {
      look_ahead(s, b, own, own_count, k);
      fresh += claim_one(&r, b, own[k], owner);
    }
    b->fresh[owner] = fresh;
    s->filled[owner] += fresh;
  }
}

void store_number(store *s, size_t count, batch *const *batches) {
  for (size_t i = 0; i < count; i++) {
    batches[i]->first = s->count;
    for (unsigned o = 0; o < s->owners; o++) s->count += batches[i]->fresh[o];
  }
  extend_rows(s, s->count);
}

/* The place in the table says nothing about the tag, which is kept as it stands there. */
void store_settle(store *s, batch *b) {
  uint64_t number = b->first;
  entry numbers = (entry)((UINT64_C(1) << s->index_bits) - 1);
  for (size_t i = 0; i < b->count; i++) {
    if (!batch_is_new(b, i)) continue;
    entry *e = &s->table[b->marks.at[i]];
    *e = (*e & ~numbers) | (entry)(number + 1);
    row_write(s, number++, batch_state(b, i));
  }
}
