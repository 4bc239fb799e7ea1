/* Workers that behave and workers that do not. Each misbehaviour must end with its own reason, in time, with no process
 * left. */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/work.h"
#include "process/worker.h"
#include "unit/test.h"

#define MEGABYTE (UINT64_C(1) << 20)

typedef struct heard {
  size_t count;
  text all; /* kind and content of each message, in order */
} heard;

static void listen_to(void *context, const message *m) {
  heard *h = context;
  if (!m) return;
  h->count++;
  text_add(&h->all, "%c:%.40s;", m->kind, m->bytes);
}

/* Runs `body` to its end and says how it ended. */
static worker_end run(worker_body *body, void *context, worker_limits limits, heard *h, char **reason) {
  heard none = {0};
  worker *w = worker_start(body, context, &limits);
  worker_attend(w, NULL, listen_to, h ? h : &none);
  worker_end end = worker_state(w);
  if (reason) *reason = memory_copy_string(worker_reason(w));
  worker_free(w);
  text_clear(&none.all);
  return end;
}

static bool process_is_gone(pid_t pid) {
  char path[64], state = 'X';
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
  for (int i = 0; i < 500; i++, usleep(10000)) {
    FILE *f = fopen(path, "r");
    if (!f) return true;
    int got = fscanf(f, "%*d (%*[^)]) %c", &state);
    fclose(f);
    if (got != 1 || state == 'Z' || state == 'X') return true;
  }
  return false;
}

static void send_words(worker_inside *inside, message_kind kind, const char *words) {
  channel_send(inside->pipe, kind, words, strlen(words));
}

static void talks(worker_inside *inside, void *context) {
  (void)context;
  send_words(inside, MESSAGE_NOTE, "one");
  send_words(inside, MESSAGE_ITERATION, "{}");
  send_words(inside, MESSAGE_NOTE, "");
  send_words(inside, MESSAGE_CERTIFICATE, "two");
  printf("not ok 99 - what a worker prints goes nowhere\n");
  fflush(stdout);
}

TEST(messages_come_in_order) {
  heard h = {0};
  CHECK(run(talks, NULL, (worker_limits){0}, &h, NULL) == WORKER_RETURNED);
  CHECK_TEXT(text_string(&h.all), "n:one;i:{};n:;c:two;");
  text_clear(&h.all);
}

enum { MANY = 20000, LARGE = 30 * 1000 * 1000 };

static void talks_much(worker_inside *inside, void *context) {
  (void)context;
  for (int i = 0; i < MANY; i++) send_words(inside, MESSAGE_NOTE, "again");
  char *large = memory_alloc(LARGE);
  memset(large, 'x', LARGE);
  channel_send(inside->pipe, MESSAGE_CERTIFICATE, large, LARGE);
  for (int i = 0; i < MANY; i++) send_words(inside, MESSAGE_NOTE, "again");
}

static void count_bytes(void *context, const message *m) {
  size_t *counts = context;
  if (!m) return;
  counts[0]++;
  counts[1] += m->count;
  if (m->kind == MESSAGE_CERTIFICATE) {
    counts[2] = strspn(m->bytes, "x");
  } else {
    counts[3] += !strcmp(m->bytes, "again");
  }
}

TEST(many_and_large_messages) {
  size_t counts[4] = {0};
  worker *w = worker_start(talks_much, NULL, &(worker_limits){0});
  worker_attend(w, NULL, count_bytes, counts);
  CHECK(worker_state(w) == WORKER_RETURNED);
  CHECK(counts[0] == 2 * MANY + 1);
  CHECK(counts[1] == 2 * MANY * strlen("again") + LARGE);
  CHECK(counts[2] == LARGE);
  CHECK(counts[3] == 2 * MANY);
  worker_free(w);
}

static void counts_then_hangs(worker_inside *inside, void *context) {
  (void)context;
  inside->statistics->states = 12345;
  for (;;) pause();
}

TEST(a_worker_that_ignores_its_deadline_is_killed_and_its_numbers_stay) {
  worker_limits limits = {.deadline = clock_seconds() + 0.1, .grace = 0.05};
  worker *w = worker_start(counts_then_hangs, NULL, &limits);
  heard h = {0};
  worker_attend(w, NULL, listen_to, &h);
  CHECK(worker_state(w) == WORKER_OUT_OF_TIME);
  CHECK_TEXT(worker_reason(w), "time limit reached");
  CHECK(worker_statistics(w)->states == 12345);
  CHECK(worker_statistics(w)->memory_bytes > 0);
  worker_free(w);
}

static void listens_to_budget(worker_inside *inside, void *context) {
  (void)context;
  const char *why;
  while (!(why = budget_spent(&inside->budget))) usleep(100);
  send_words(inside, MESSAGE_UNKNOWN, why);
}

TEST(a_worker_that_listens_ends_by_itself) {
  heard h = {0};
  CHECK(run(listens_to_budget, NULL, (worker_limits){.deadline = clock_seconds() + 0.05, .grace = 60}, &h, NULL) ==
        WORKER_RETURNED);
  CHECK_TEXT(text_string(&h.all), "u:time limit reached;");
  text_clear(&h.all);
}

TEST(asking_to_stop) {
  atomic_bool stop = true;
  heard h = {0};
  worker *w = worker_start(listens_to_budget, NULL, &(worker_limits){0});
  worker_attend(w, &stop, listen_to, &h);
  CHECK(worker_state(w) == WORKER_RETURNED);
  CHECK_TEXT(text_string(&h.all), "u:interrupted;");
  worker_free(w);
  w = worker_start(counts_then_hangs, NULL, &(worker_limits){0});
  worker_attend(w, &stop, listen_to, &h);
  CHECK(worker_state(w) == WORKER_STOPPED);
  CHECK_TEXT(worker_reason(w), "interrupted");
  worker_free(w);
  text_clear(&h.all);
}

static void dies_by_signal(worker_inside *inside, void *context) {
  (void)inside;
  signal(*(int *)context, SIG_DFL);
  raise(*(int *)context);
}

static void exits(worker_inside *inside, void *context) {
  (void)inside;
  _exit(*(int *)context);
}

TEST(crashes_have_names) {
  char *reason;
  int number = SIGSEGV;
  CHECK(run(dies_by_signal, &number, (worker_limits){0}, NULL, &reason) == WORKER_CRASHED);
  CHECK_TEXT(reason, "crashed: Segmentation fault");
  memory_free(reason);
  number = SIGABRT;
  CHECK(run(dies_by_signal, &number, (worker_limits){0}, NULL, &reason) == WORKER_CRASHED);
  CHECK_TEXT(reason, "crashed: Aborted");
  memory_free(reason);
  number = 3;
  CHECK(run(exits, &number, (worker_limits){0}, NULL, &reason) == WORKER_CRASHED);
  CHECK_TEXT(reason, "crashed: exit status 3");
  memory_free(reason);
  number = SIGKILL;
  CHECK(run(dies_by_signal, &number, (worker_limits){0}, NULL, &reason) == WORKER_OUT_OF_MEMORY);
  memory_free(reason);
}

static void allocates_without_end(worker_inside *inside, void *context) {
  (void)inside;
  size_t chunk = *(size_t *)context;
  for (;;) {
    char *block = memory_alloc(chunk);
    memset(block, 1, chunk);
  }
}

TEST(memory_without_end) {
  size_t chunks[] = {4096, MEGABYTE, 64 * MEGABYTE};
  for (size_t i = 0; i < ARRAY_LENGTH(chunks); i++) {
    uint64_t limit = 200 * MEGABYTE;
    heard h = {0};
    worker *w = worker_start(allocates_without_end, &chunks[i], &(worker_limits){.memory = limit});
    worker_attend(w, NULL, listen_to, &h);
    CHECK(worker_state(w) == WORKER_OUT_OF_MEMORY, "chunks of %zu: %s", chunks[i], worker_reason(w));
    CHECK_TEXT(worker_reason(w), "memory limit reached");
#if !defined(__SANITIZE_ADDRESS__)
    uint64_t most = worker_statistics(w)->memory_bytes;
    CHECK(most < limit + limit / 10, "chunks of %zu: %llu bytes", chunks[i], (unsigned long long)most);
#endif
    worker_free(w);
  }
}

static void allocates_too_much_at_once(worker_inside *inside, void *context) {
  (void)inside, (void)context;
  char *block = memory_alloc(SIZE_MAX / 4);
  block[0] = 1;
}

TEST(an_allocation_that_fails) {
  char *reason;
  CHECK(run(allocates_too_much_at_once, NULL, (worker_limits){0}, NULL, &reason) == WORKER_OUT_OF_MEMORY);
  CHECK_TEXT(reason, "out of memory");
  memory_free(reason);
}

static void writes_garbage(worker_inside *inside, void *context) {
  (void)context;
  send_words(inside, MESSAGE_NOTE, "fine");
  for (;;)
    if (write(inside->pipe, "\xff\xfe garbage", 10) < 0) return;
}

TEST(garbage) {
  heard h = {0};
  char *reason;
  CHECK(run(writes_garbage, NULL, (worker_limits){0}, &h, &reason) == WORKER_GARBLED);
  CHECK_TEXT(reason, "sent what cannot be read");
  CHECK_TEXT(text_string(&h.all), "n:fine;");
  memory_free(reason);
  text_clear(&h.all);
}

static void breaks_off(worker_inside *inside, void *context) {
  (void)context;
  uint64_t length = 1000;
  char half[13] = {MESSAGE_CERTIFICATE};
  memcpy(half + 1, &length, sizeof length);
  if (write(inside->pipe, half, sizeof half) < 0) return;
}

TEST(half_a_message_is_none) {
  heard h = {0};
  CHECK(run(breaks_off, NULL, (worker_limits){0}, &h, NULL) == WORKER_RETURNED);
  CHECK(h.count == 0);
  text_clear(&h.all);
}

static void leaves_a_child(worker_inside *inside, void *context) {
  pid_t child = fork();
  if (child == 0) {
    close(inside->pipe);
    for (;;) pause();
  }
  char number[24];
  snprintf(number, sizeof number, "%ld", (long)child);
  send_words(inside, MESSAGE_NOTE, number);
  if (context) _exit(1);
}

TEST(what_a_worker_started_goes_with_it) {
  for (int crash = 0; crash < 2; crash++) {
    heard h = {0};
    run(leaves_a_child, crash ? &crash : NULL, (worker_limits){0}, &h, NULL);
    long pid = h.all.at ? atol(h.all.at + 2) : 0;
    CHECK(pid > 0);
    CHECK(process_is_gone((pid_t)pid));
    text_clear(&h.all);
  }
}

static void leaves_a_child_in_another_group(worker_inside *inside, void *context) {
  (void)context;
  pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    channel_send(inside->pipe, MESSAGE_NOTE, "grouped", 7);
    close(inside->pipe);
    for (;;) pause();
  }
  char number[24];
  snprintf(number, sizeof number, "%ld", (long)child);
  send_words(inside, MESSAGE_PROGRESS, number);
  for (;;) pause();
}

TEST(also_what_has_a_group_of_its_own) {
  long pid = 0;
  worker *w = worker_start(leaves_a_child_in_another_group, NULL, &(worker_limits){0});
  for (int seen = 0; seen < 2;) {
    workers_wait(1, &w, 10);
    for (message m; worker_receive(w, &m); seen++)
      if (m.kind == MESSAGE_PROGRESS) pid = atol(m.bytes);
  }
  worker_free(w);
  CHECK(pid > 0);
  CHECK(process_is_gone((pid_t)pid));
}

TEST(a_worker_dies_with_its_parent) {
  volatile pid_t *seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t parent = fork();
  if (parent == 0) {
    worker *w = worker_start(leaves_a_child, NULL, &(worker_limits){0});
    worker_free(w);
    w = worker_start(counts_then_hangs, NULL, &(worker_limits){0});
    while (!worker_statistics(w)->states) usleep(1000);
    FILE *children = fopen("/proc/thread-self/children", "r");
    long child = 0;
    if (children && fscanf(children, "%ld", &child) == 1) *seen = (pid_t)child;
    raise(SIGKILL);
  }
  int status;
  waitpid(parent, &status, 0);
  CHECK(*seen > 0);
  CHECK(process_is_gone(*seen));
}

TEST(freeing_a_worker_that_runs_ends_it) {
  worker *w = worker_start(counts_then_hangs, NULL, &(worker_limits){0});
  worker_free(w);
  CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "a child was left");
}

TEST(side_by_side_the_first_to_speak_is_heard) {
  worker *all[2] = {worker_start(counts_then_hangs, NULL, &(worker_limits){0}),
                    worker_start(talks, NULL, &(worker_limits){0})};
  message m;
  while (worker_state(all[1]) == WORKER_RUNS) workers_wait(2, all, 10);
  CHECK(worker_receive(all[1], &m) && !strcmp(m.bytes, "one"));
  CHECK(worker_state(all[0]) == WORKER_RUNS);
  worker_stop(all[0]);
  while (worker_state(all[0]) == WORKER_RUNS) workers_wait(2, all, 10);
  CHECK(worker_state(all[0]) == WORKER_STOPPED);
  worker_free(all[0]);
  worker_free(all[1]);
}

/* Counts the messages that came before its second turn. */
static void weigh_news(worker_inside *inside, void *context) {
  (void)context;
  work_add(1);
  size_t bytes = 0;
  for (size_t i = 0; i < inside->news.count; i++) bytes += strlen(inside->news.at[i]);
  char words[32];
  int length = snprintf(words, sizeof words, "%zu", bytes);
  channel_send(inside->pipe, MESSAGE_TEXT, words, (size_t)length);
}

/* Far more than a socket holds, while nobody reads at its other end. */
TEST(news_for_one_that_is_held_do_not_block) {
  enum { MESSAGES = 200, LENGTH = 10000 };
  worker_limits limits = {.turn = 1};
  char *news = memory_alloc(LENGTH + 1), *weight = NULL;
  memset(news, 'x', LENGTH);
  news[LENGTH] = 0;
  worker *w = worker_start(weigh_news, NULL, &limits);
  worker_hold(w);
  alarm(20);
  for (int i = 0; i < MESSAGES; i++) worker_send_news(w, news);
  alarm(0);
  worker_release(w);
  while (worker_state(w) == WORKER_RUNS) {
    workers_wait(1, &w, 0.1);
    for (message m; worker_receive(w, &m);) {
      if (m.kind == MESSAGE_TURN) worker_next_turn(w, UINT64_MAX);
      if (m.kind == MESSAGE_TEXT) weight = memory_copy_bytes(m.bytes, m.count);
    }
  }
  CHECK(worker_state(w) == WORKER_RETURNED && weight && !strcmp(weight, "2000000"), "%s", weight ? weight : "nothing");
  worker_free(w);
  memory_free(news);
  memory_free(weight);
}

TEST_MAIN
