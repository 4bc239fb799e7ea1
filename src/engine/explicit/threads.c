/* Members wait for a new task number, first by looking at it again and again, then asleep: between the phases of a
 * round the pause is too short to be worth sleeping, between two levels or on a busy machine it is not. */
#include "engine/explicit/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/memory.h"

enum { LOOKS_BEFORE_SLEEP = 4000 };

struct threads {
  unsigned members;
  pthread_t *threads;
  pthread_mutex_t lock;
  pthread_cond_t begun, ended;
  atomic_uint task_number; /* grows with each task; the last one is the end */
  atomic_uint at_work;     /* members that have not finished the current task */
  atomic_bool is_over;
  threads_task *task;
  void *context;
  size_t items;
  atomic_size_t next_item;
};

typedef struct member {
  threads *threads;
  unsigned number;
} member;

static inline void pause_a_moment(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  sched_yield();
#endif
}

static void work(threads *c, unsigned number) {
  for (size_t i; (i = atomic_fetch_add(&c->next_item, 1)) < c->items;) c->task(c->context, i, number);
}

static void wait_for_task(threads *c, unsigned last) {
  for (int i = 0; i < LOOKS_BEFORE_SLEEP; i++) {
    if (atomic_load(&c->task_number) != last) return;
    pause_a_moment();
  }
  pthread_mutex_lock(&c->lock);
  while (atomic_load(&c->task_number) == last) pthread_cond_wait(&c->begun, &c->lock);
  pthread_mutex_unlock(&c->lock);
}

static void wait_for_members(threads *c) {
  for (int i = 0; i < LOOKS_BEFORE_SLEEP; i++) {
    if (!atomic_load(&c->at_work)) return;
    pause_a_moment();
  }
  pthread_mutex_lock(&c->lock);
  while (atomic_load(&c->at_work)) pthread_cond_wait(&c->ended, &c->lock);
  pthread_mutex_unlock(&c->lock);
}

static void finish(threads *c) {
  if (atomic_fetch_sub(&c->at_work, 1) != 1) return;
  pthread_mutex_lock(&c->lock);
  pthread_cond_signal(&c->ended);
  pthread_mutex_unlock(&c->lock);
}

static void *member_main(void *argument) {
  member *m = argument;
  for (unsigned last = 0;; last++) {
    wait_for_task(m->threads, last);
    if (atomic_load(&m->threads->is_over)) break;
    work(m->threads, m->number);
    finish(m->threads);
  }
  memory_free(m);
  return NULL;
}

static void begin(threads *c) {
  pthread_mutex_lock(&c->lock);
  atomic_fetch_add(&c->task_number, 1);
  pthread_cond_broadcast(&c->begun);
  pthread_mutex_unlock(&c->lock);
}

/* If the system gives fewer threads than asked for, there are fewer members. */
threads *threads_new(unsigned members) {
  threads *c = MEMORY_NEW(threads);
  c->members = 1;
  c->threads = MEMORY_ARRAY(pthread_t, members);
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->begun, NULL);
  pthread_cond_init(&c->ended, NULL);
  for (; c->members < members; c->members++) {
    member *m = MEMORY_NEW(member);
    *m = (member){c, c->members};
    if (pthread_create(&c->threads[c->members], NULL, member_main, m)) {
      memory_free(m);
      break;
    }
  }
  return c;
}

void threads_free(threads *c) {
  if (!c) return;
  atomic_store(&c->is_over, true);
  begin(c);
  for (unsigned i = 1; i < c->members; i++) pthread_join(c->threads[i], NULL);
  pthread_mutex_destroy(&c->lock);
  pthread_cond_destroy(&c->begun);
  pthread_cond_destroy(&c->ended);
  memory_free(c->threads);
  memory_free(c);
}

unsigned threads_members(const threads *c) { return c->members; }

void threads_run(threads *c, threads_task *task, void *context, size_t items) {
  if (c->members == 1 || items <= 1) {
    for (size_t i = 0; i < items; i++) task(context, i, 0);
    return;
  }
  c->task = task;
  c->context = context;
  c->items = items;
  atomic_store(&c->next_item, 0);
  atomic_store(&c->at_work, c->members - 1);
  begin(c);
  work(c, 0);
  wait_for_members(c);
}
