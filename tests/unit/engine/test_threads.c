/* Rounds of the store with real threads, which tests/tsan looks at: the numbers are those of adding one by one, however the threads are scheduled. */
#include "base/random.h"
#include "engine/explicit/threads.h"
#include "store/store.h"
#include "unit/test.h"

enum { MEMBERS = 4, BATCHES = 9, ROUNDS = 12, STATES = 500 };

typedef struct work {
  store *store;
  batch *batches[BATCHES];
  uint64_t round;
} work;

/* States of one batch of one round, many of them met before. */
static void fill(void *context, size_t item, unsigned member) {
  work *w = context;
  random_source r = {w->round * BATCHES + item};
  (void)member;
  batch_clear(w->batches[item], w->store);
  for (int i = 0; i < STATES; i++) {
    uint64_t word = random_below(&r, 40000);
    batch_add(w->batches[item], w->store, &word);
  }
}

static void rebuild(void *context, size_t item, unsigned member) {
  (void)member;
  store_rebuild(((work *)context)->store, (unsigned)item);
}

static void claim(void *context, size_t item, unsigned member) {
  work *w = context;
  (void)member;
  store_claim(w->store, BATCHES, w->batches, (unsigned)item);
}

static void settle(void *context, size_t item, unsigned member) {
  work *w = context;
  (void)member;
  store_settle(w->store, w->batches[item]);
}

static void run_round(work *w, threads *t, store *one_by_one) {
  threads_run(t, fill, w, BATCHES);
  store_room room = store_prepare(w->store, BATCHES, w->batches);
  CHECK(room != STORE_HAS_NO_ROOM);
  if (room == STORE_MUST_REBUILD) threads_run(t, rebuild, w, MEMBERS);
  threads_run(t, claim, w, MEMBERS);
  store_number(w->store, BATCHES, w->batches);
  threads_run(t, settle, w, BATCHES);
  for (size_t b = 0; b < BATCHES; b++)
    for (size_t i = 0; i < w->batches[b]->count; i++) store_add(one_by_one, batch_state(w->batches[b], i), NULL);
}

TEST(rounds_of_threads_number_states_as_one_thread_does) {
  store *one_by_one = store_new(8, 1);
  threads *t = threads_new(MEMBERS);
  work w = {.store = store_new(8, MEMBERS)};
  for (size_t b = 0; b < BATCHES; b++) w.batches[b] = batch_new(w.store);
  for (; w.round < ROUNDS; w.round++) {
    run_round(&w, t, one_by_one);
    const char *broken = store_check(w.store);
    CHECK(!broken, "%s", broken);
  }
  CHECK(store_count(w.store) == store_count(one_by_one));
  for (uint64_t i = 0; i < store_count(w.store); i++) {
    uint64_t left, right;
    store_read(w.store, i, &left);
    store_read(one_by_one, i, &right);
    CHECK(left == right);
  }
  for (size_t b = 0; b < BATCHES; b++) batch_free(w.batches[b], w.store);
  threads_free(t);
  store_free(w.store);
  store_free(one_by_one);
}

TEST_MAIN
