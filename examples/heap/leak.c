// The way out in the middle forgets what was allocated.
//     whet verify examples/heap/leak.c
// expect valid-memtrack: UNSAFE
// expect valid-deref: SAFE
// expect valid-free: SAFE
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct buffer {
  int size;
  struct buffer *next;
};

int main(void) {
  struct buffer *one = malloc(sizeof *one), *two = malloc(sizeof *two);
  one->next = two;
  two->size = __VERIFIER_nondet_int();
  if (one->next->size < 0) return 1;
  free(one);
  free(two);
  return 0;
}
