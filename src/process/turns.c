/* Chooses which worker begins its turn next, and waits for all of them. */
#include "process/turns.h"

#include "base/memory.h"

static size_t count_working(const turns *t, const void *context) {
  size_t n = 0;
  for (size_t i = 0; i < t->count; i++) n += t->wish(context, i) == TURN_WORKS;
  return n;
}

void turns_begin(const turns *t, void *context, size_t first) {
  size_t working = count_working(t, context);
  for (size_t k = 0; k < t->count && working < t->at_once; k++) {
    size_t i = (first + k) % t->count;
    turn_wish wish = t->wish(context, i);
    if (wish == TURN_BARS) return;
    if (wish != TURN_WANTED) continue;
    t->begin(context, i);
    working++;
  }
}

void turns_wait(const turns *t, void *context, double seconds) {
  VECTOR(worker *) all = {0};
  for (size_t i = 0; i < t->count; i++) {
    worker *w = t->worker_of(context, i);
    if (w) VECTOR_PUSH(all, w);
  }
  workers_wait(all.count, all.at, seconds);
  VECTOR_FREE(all);
  for (size_t i = 0; i < t->count; i++)
    if (t->worker_of(context, i)) t->listen(context, i);
}
