/* Writes and reads blocks of keys. A block is a head (below) and its keys, each as the length of what it shares with the
 * key before it (nothing, for the first), a number of seven bits a byte, and the rest of its bytes. */
#include "store/disk/run.h"

#include "base/text.h"

enum { BLOCK_BYTES = 1 << 12, HELD_BYTES = 1 << 18, HEAD_BYTES = 16 };
#define FIRST_OF_RUN (UINT32_C(1) << 31)

typedef struct head {
  uint32_t bytes, keys; /* after the head; FIRST_OF_RUN is part of `keys` in the file */
  uint64_t sum;
} head;

struct key_run {
  disk_folder *folder;
  size_t bytes; /* of a key */
  int file;
  bool owns_file;
  uint64_t start, end, count;
  VECTOR(uint8_t) held;    /* if there are any, all of its blocks: nothing is read from the file */
  VECTOR(uint64_t) blocks; /* where the head of each stands */
  VECTOR(uint8_t) firsts;  /* the first key of each block */
  uint8_t *last;           /* key, if the blocks are known */
};

struct key_log {
  disk_folder *folder;
  size_t bytes;
  int file;
  uint64_t end, sum, written; /* `end`: of what was finished; `written`: bytes that count in the folder */
};

struct run_writer {
  disk_folder *folder;
  key_log *log; /* may be NULL */
  key_run *run;
  uint64_t sum;          /* of the log, with the blocks of this run */
  uint64_t flushed;      /* bytes of the run that are in the file */
  VECTOR(uint8_t) block; /* room for the head, keys */
  uint32_t keys;         /* in the block */
};

struct run_reader {
  const key_run *run;
  uint64_t next; /* head of the next block, */
  size_t block;  /* which is this one of the run's */
  uint8_t *room; /* of a block that is read from the file */
  const uint8_t *at, *end;
  uint8_t *key;
  bool has_key;
};

/* ---- heads ---- */

static uint64_t sum_of(const uint8_t *bytes, size_t count, uint64_t keys) {
  uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ keys, word;
  for (; count >= 8; count -= 8, bytes += 8) {
    memcpy(&word, bytes, 8);
    h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
    h ^= h >> 32;
  }
  for (; count; count--) h = (h ^ *bytes++) * UINT64_C(0x100000001b3);
  return h ^ h >> 29;
}

static uint64_t add_sum(uint64_t sum, uint64_t of_block) {
  return (sum ^ of_block) * UINT64_C(0x9fb21c651e98df25) + of_block;
}

static void put_head(uint8_t *to, head h) {
  memcpy(to, &h.bytes, 4);
  memcpy(to + 4, &h.keys, 4);
  memcpy(to + 8, &h.sum, 8);
}

static head get_head(const uint8_t *from) {
  head h;
  memcpy(&h.bytes, from, 4);
  memcpy(&h.keys, from + 4, 4);
  memcpy(&h.sum, from + 8, 8);
  return h;
}

/* The most that a block of keys of so many bytes can take. */
static size_t most_block_bytes(size_t key_bytes) { return HEAD_BYTES + BLOCK_BYTES + key_bytes + 16; }

/* ---- runs ---- */

static GIVE key_run *run_new(disk_folder *f, size_t bytes, int file, uint64_t start) {
  key_run *r = MEMORY_NEW(key_run);
  r->folder = f;
  r->bytes = bytes;
  r->file = file;
  r->start = r->end = start;
  return r;
}

void key_run_free(key_run *r) {
  if (!r) return;
  if (r->owns_file) disk_folder_close(r->folder, r->file, r->end - r->start);
  VECTOR_FREE(r->held);
  VECTOR_FREE(r->blocks);
  VECTOR_FREE(r->firsts);
  memory_free(r->last);
  memory_free(r);
}

uint64_t key_run_count(const key_run *r) { return r->count; }
uint64_t key_run_start(const key_run *r) { return r->start; }

uint64_t key_run_memory(const key_run *r) {
  return sizeof *r + r->held.room + r->blocks.room * sizeof *r->blocks.at + r->firsts.room;
}

static void note_block(key_run *r, uint64_t at, const uint8_t *first_key) {
  VECTOR_PUSH(r->blocks, at);
  VECTOR_RESERVE(r->firsts, r->firsts.count + r->bytes);
  memcpy(r->firsts.at + r->firsts.count, first_key, r->bytes);
  r->firsts.count += r->bytes;
}

/* ---- writing ---- */

static GIVE run_writer *writer_new(disk_folder *f, key_log *l, key_run *r) {
  run_writer *w = MEMORY_NEW(run_writer);
  w->folder = f;
  w->log = l;
  w->run = r;
  w->sum = l ? l->sum : 0;
  r->last = memory_alloc_zero(1, r->bytes + 1);
  VECTOR_RESERVE(w->block, HEAD_BYTES);
  w->block.count = HEAD_BYTES;
  return w;
}

run_writer *run_writer_new(disk_folder *f, size_t bytes) { return writer_new(f, NULL, run_new(f, bytes, -1, 0)); }

run_writer *run_writer_new_in(key_log *l) {
  return writer_new(l->folder, l, run_new(l->folder, l->bytes, l->file, l->end));
}

/* What is held goes to the file. */
static void flush(run_writer *w) {
  key_run *r = w->run;
  if (!w->log && !r->owns_file) {
    r->file = disk_folder_open(w->folder, NULL);
    r->owns_file = r->file >= 0;
  }
  if (r->file >= 0) disk_folder_write(w->folder, r->file, r->start + w->flushed, r->held.count, r->held.at);
  w->flushed += r->held.count;
}

static void end_block(run_writer *w) {
  key_run *r = w->run;
  if (!w->keys) return;
  uint32_t keys = w->keys | (r->end == r->start ? FIRST_OF_RUN : 0);
  size_t bytes = w->block.count - HEAD_BYTES;
  head h = {(uint32_t)bytes, keys, sum_of(w->block.at + HEAD_BYTES, bytes, keys)};
  put_head(w->block.at, h);
  w->sum = add_sum(w->sum, h.sum);
  VECTOR_RESERVE(r->held, r->held.count + w->block.count);
  memcpy(r->held.at + r->held.count, w->block.at, w->block.count);
  r->held.count += w->block.count;
  r->end += w->block.count;
  w->block.count = HEAD_BYTES;
  w->keys = 0;
  if (r->held.count < HELD_BYTES) return;
  flush(w);
  VECTOR_CLEAR(r->held);
}

static void put_count(run_writer *w, size_t n) {
  for (; n >= 128; n >>= 7) VECTOR_PUSH(w->block, (uint8_t)(n | 128));
  VECTOR_PUSH(w->block, (uint8_t)n);
}

void run_writer_add(run_writer *w, const uint8_t *key) {
  key_run *r = w->run;
  size_t shared = 0;
  if (w->keys)
    while (shared < r->bytes && key[shared] == r->last[shared]) shared++;
  else
    note_block(r, r->end, key);
  put_count(w, shared);
  VECTOR_RESERVE(w->block, w->block.count + r->bytes - shared);
  memcpy(w->block.at + w->block.count, key + shared, r->bytes - shared);
  w->block.count += r->bytes - shared;
  memcpy(r->last + shared, key + shared, r->bytes - shared);
  w->keys++;
  r->count++;
  if (w->block.count >= BLOCK_BYTES) end_block(w);
}

static void writer_free(TAKE run_writer *w) {
  VECTOR_FREE(w->block);
  memory_free(w);
}

key_run *run_writer_finish(run_writer *w) {
  key_run *r = w->run;
  end_block(w);
  if (r->held.count && (w->log || w->flushed)) {
    bool is_all_held = !w->flushed;
    flush(w);
    if (!is_all_held) VECTOR_FREE(r->held);
  }
  if (!r->held.count) VECTOR_FREE(r->held);
  if (w->log) {
    w->log->written += r->end - r->start;
    w->log->end = r->end;
    w->log->sum = w->sum;
  }
  writer_free(w);
  return r;
}

void run_writer_drop(run_writer *w) {
  key_run_free(w->run);
  writer_free(w);
}

/* ---- logs ---- */

key_log *key_log_new(disk_folder *f, const char *name, size_t bytes) {
  key_log *l = MEMORY_NEW(key_log);
  l->folder = f;
  l->bytes = bytes;
  l->file = disk_folder_open(f, name);
  return l;
}

void key_log_free(key_log *l) {
  if (!l) return;
  disk_folder_close(l->folder, l->file, l->written);
  memory_free(l);
}

int key_log_file(const key_log *l) { return l->file; }
uint64_t key_log_end(const key_log *l) { return l->end; }
uint64_t key_log_sum(const key_log *l) { return l->sum; }

/* ---- reading ---- */

static void set_damage(const key_run *r, uint64_t at) {
  disk_folder_set_problem(r->folder, text_format("a file in %s is damaged at byte %llu", disk_folder_path(r->folder),
                                                 (unsigned long long)at));
}

/* The block at r->next into [at, end). */
static bool load_block(run_reader *r, head *out) {
  const key_run *run = r->run;
  uint64_t at = r->next;
  bool is_held = run->held.count > 0;
  if (at >= run->end || disk_folder_problem(run->folder)) return false;
  if (at + HEAD_BYTES > run->end) return set_damage(run, at), false;
  if (!is_held && !disk_folder_read(run->folder, run->file, at, HEAD_BYTES, r->room)) return false;
  head h = get_head(is_held ? run->held.at + (at - run->start) : r->room);
  if (!h.bytes || h.bytes > most_block_bytes(run->bytes) || h.bytes > run->end - at - HEAD_BYTES)
    return set_damage(run, at), false;
  if (is_held)
    r->at = run->held.at + (at - run->start) + HEAD_BYTES;
  else if (disk_folder_read(run->folder, run->file, at + HEAD_BYTES, h.bytes, r->room))
    r->at = r->room;
  else
    return false;
  r->end = r->at + h.bytes;
  if (!is_held && sum_of(r->at, h.bytes, h.keys) != h.sum) return set_damage(run, at), false;
  r->next = at + HEAD_BYTES + h.bytes;
  r->block++;
  *out = h;
  return true;
}

run_reader *run_reader_new(const key_run *run) {
  run_reader *r = MEMORY_NEW(run_reader);
  r->run = run;
  r->next = run->start;
  if (!run->held.count) r->room = memory_alloc(most_block_bytes(run->bytes));
  r->key = memory_alloc_zero(1, run->bytes + 1);
  return r;
}

void run_reader_free(run_reader *r) {
  if (!r) return;
  memory_free(r->room);
  memory_free(r->key);
  memory_free(r);
}

/* The next key of the block; false if it is damaged. */
static bool decode(run_reader *r) {
  size_t shared = 0, bytes = r->run->bytes;
  for (unsigned shift = 0; r->at < r->end; shift += 7) {
    uint8_t part = *r->at++;
    if (shift > 28) return false;
    shared |= (size_t)(part & 127) << shift;
    if (!(part & 128)) break;
  }
  if (shared > bytes || (size_t)(r->end - r->at) < bytes - shared) return false;
  memcpy(r->key + shared, r->at, bytes - shared);
  r->at += bytes - shared;
  return true;
}

const uint8_t *run_reader_next(run_reader *r) {
  head h;
  r->has_key = false;
  if (r->at == r->end && !load_block(r, &h)) return NULL;
  if (!decode(r)) return set_damage(r->run, r->next), NULL;
  r->has_key = true;
  return r->key;
}

static const uint8_t *first_key(const key_run *r, size_t i) { return r->firsts.at + i * r->bytes; }

/* Goes to the last block whose first key is not after `key`, if it is one of those not read yet. */
static void skip_blocks(run_reader *r, const uint8_t *key) {
  const key_run *run = r->run;
  size_t low = r->block, high = run->blocks.count;
  if (low >= high || memcmp(first_key(run, low), key, run->bytes) > 0) return;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (memcmp(first_key(run, middle), key, run->bytes) <= 0)
      low = middle;
    else
      high = middle;
  }
  r->block = low;
  r->next = run->blocks.at[low];
  r->at = r->end;
}

const uint8_t *run_reader_seek(run_reader *r, const uint8_t *key) {
  size_t bytes = r->run->bytes;
  if (r->run->last && memcmp(r->run->last, key, bytes) < 0) return NULL;
  if (r->has_key && memcmp(r->key, key, bytes) >= 0) return r->key;
  skip_blocks(r, key);
  while (run_reader_next(r))
    if (memcmp(r->key, key, bytes) >= 0) return r->key;
  return NULL;
}

/* ---- logs, read again ---- */

/* One block of the log into `r`; false at the end of the run. */
static bool take_block(key_log *l, key_run *r, run_reader *by, bool is_first) {
  uint8_t raw[HEAD_BYTES];
  head h;
  if (r->end >= by->run->end || disk_folder_problem(l->folder)) return false;
  if (by->run->end - r->end < HEAD_BYTES) return set_damage(r, r->end), false;
  if (!disk_folder_read(l->folder, l->file, r->end, HEAD_BYTES, raw)) return false;
  bool is_marked = (get_head(raw).keys & FIRST_OF_RUN) != 0;
  if (is_marked != is_first) {
    if (is_first) set_damage(r, r->end);
    return false;
  }
  uint64_t at = by->next = r->end;
  by->at = by->end;
  if (!load_block(by, &h)) return false;
  uint32_t keys = h.keys & ~FIRST_OF_RUN;
  for (uint32_t i = 0; i < keys; i++) {
    if (by->at == by->end || !decode(by)) return set_damage(r, at), false;
    if (!i) note_block(r, at, by->key);
  }
  if (by->at != by->end || !keys) return set_damage(r, at), false;
  memcpy(r->last, by->key, r->bytes);
  r->count += keys;
  r->end = by->next;
  l->sum = add_sum(l->sum, h.sum);
  return true;
}

key_run *key_log_run(const key_log *l, uint64_t start, uint64_t end) {
  key_run *r = run_new(l->folder, l->bytes, l->file, start);
  r->end = end;
  return r;
}

key_run *key_log_next(key_log *l, uint64_t end) {
  key_run *whole = run_new(l->folder, l->bytes, l->file, l->end), *r = run_new(l->folder, l->bytes, l->file, l->end);
  whole->end = end;
  r->last = memory_alloc_zero(1, l->bytes + 1);
  run_reader *by = run_reader_new(whole);
  if (l->file >= 0)
    for (bool is_first = true; take_block(l, r, by, is_first); is_first = false)
      ;
  run_reader_free(by);
  key_run_free(whole);
  l->end = r->end;
  if (r->count && !disk_folder_problem(l->folder)) return r;
  key_run_free(r);
  return NULL;
}
