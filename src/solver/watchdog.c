/* The thread sleeps until the deadline, but looks up every TICK because the stop flag and the memory limit announce
 * themselves to nobody. Checks that follow each other closely find it already ticking, so that most of them cost one
 * uncontended lock and wake nobody; without work for a while it sleeps until it is woken. A watchdog carried over a
 * fork starts a thread of its own in the child. */
#include "solver/watchdog.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

#define TICK 0.02
#define TICK_AFTER_BITE 0.005
enum { TICKS_PER_MEMORY_READ = 5, IDLE_TICKS = 50, STACK_BYTES = 256 * 1024 };

struct watchdog {
  void (*bite)(void *who);
  void *who;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  pthread_t thread;
  pid_t owner; /* the process that has the thread; 0 if there is none yet */
  bool set, ending;
  limits watched;
  const char *reason;
  double next_look; /* when the thread wakes by itself */
};

static void prepare(watchdog *w) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->wake, &attributes);
  pthread_condattr_destroy(&attributes);
}

watchdog *watchdog_new(void (*bite)(void *who), void *who) {
  watchdog *w = MEMORY_NEW(watchdog);
  w->bite = bite;
  w->who = who;
  prepare(w);
  return w;
}

static void sleep_until(watchdog *w, double when) {
  w->next_look = when;
  if (when == INFINITY) {
    pthread_cond_wait(&w->wake, &w->lock);
    return;
  }
  struct timespec at = {.tv_sec = (time_t)when, .tv_nsec = (long)((when - floor(when)) * 1e9)};
  pthread_cond_timedwait(&w->wake, &w->lock, &at);
}

static void *watch(void *argument) {
  watchdog *w = argument;
  unsigned idle = 0, ticks = 0;
  pthread_mutex_lock(&w->lock);
  while (!w->ending) {
    double now = clock_seconds();
    if (!w->set) {
      sleep_until(w, ++idle > IDLE_TICKS ? INFINITY : now + TICK);
      continue;
    }
    idle = 0;
    if (!w->reason) w->reason = limits_reached(&w->watched, ++ticks % TICKS_PER_MEMORY_READ == 0);
    if (w->reason) w->bite(w->who);
    double next = now + (w->reason ? TICK_AFTER_BITE : TICK);
    sleep_until(w, !w->reason && w->watched.deadline < next ? w->watched.deadline : next);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

/* Signals are for the program's own threads. */
static void start(watchdog *w) {
  sigset_t all, before;
  pthread_attr_t attributes;
  if (w->owner) prepare(w);
  w->next_look = 0;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(&w->thread, &attributes, watch, w) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (!started) memory_exhausted();
  w->owner = getpid();
}

void watchdog_set(watchdog *w, const limits *l) {
  if (!limits_exist(l)) return;
  if (w->owner != getpid()) start(w);
  pthread_mutex_lock(&w->lock);
  w->watched = *l;
  w->set = true;
  w->reason = NULL;
  if (w->next_look > clock_seconds() + TICK || w->next_look > l->deadline) pthread_cond_signal(&w->wake);
  pthread_mutex_unlock(&w->lock);
}

bool watchdog_has_bitten(watchdog *w) {
  if (!w->set) return false;
  pthread_mutex_lock(&w->lock);
  bool bitten = w->reason != NULL;
  pthread_mutex_unlock(&w->lock);
  return bitten;
}

const char *watchdog_call_off(watchdog *w) {
  if (!w->set) return NULL;
  pthread_mutex_lock(&w->lock);
  w->set = false;
  const char *reason = w->reason;
  pthread_mutex_unlock(&w->lock);
  return reason;
}

void watchdog_free(watchdog *w) {
  if (!w) return;
  if (w->owner == getpid()) {
    pthread_mutex_lock(&w->lock);
    w->ending = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->lock);
  }
  memory_free(w);
}
