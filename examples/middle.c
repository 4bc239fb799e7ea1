// Where a binary search looks next: the middle of what is left.
//     whet verify examples/middle.c
//     whet verify examples/middle.c --signed wrap     the same for a compiler that lets integers wrap around
// expect no-overflow: UNSAFE    low + high may be too large for an int
// expect unreach-call: SAFE     as long as it is not, the middle is in between
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int low = 0, high = __VERIFIER_nondet_int(), wanted = __VERIFIER_nondet_int();
  while (low < high) {
    int middle = (low + high) / 2;
    assert(low <= middle && middle < high);
    if (middle < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return 0;
}
