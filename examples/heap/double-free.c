// Two pointers to one object, and both are freed.
//     whet verify examples/heap/double-free.c --confirm
// expect valid-free: UNSAFE
// expect valid-deref: SAFE
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct pair {
  int first, second;
};

int main(void) {
  struct pair *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  p->first = 1;
  q->first = 2;
  struct pair *kept = q;
  if (__VERIFIER_nondet_int() == 42) q = p;
  free(p);
  free(q);
  if (q != kept) free(kept);
  return 0;
}
