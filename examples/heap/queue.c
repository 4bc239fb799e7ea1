// A queue: what goes in first comes out first; the second `take` finds it empty.
//     whet verify examples/heap/queue.c
// expect unreach-call: SAFE
// expect valid-deref: UNSAFE
#include <assert.h>
#include <stdlib.h>

struct item {
  int value;
  struct item *next;
};

struct item *first, *last;

static void put(int value) {
  struct item *made = malloc(sizeof *made);
  made->value = value;
  made->next = NULL;
  if (last)
    last->next = made;
  else
    first = made;
  last = made;
}

static int take(void) {
  struct item *taken = first;
  int value = taken->value;
  first = taken->next;
  if (!first) last = NULL;
  free(taken);
  return value;
}

int main(void) {
  put(7);
  assert(take() == 7);
  take();
  return 0;
}
