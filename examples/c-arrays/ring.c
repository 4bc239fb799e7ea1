/* A ring buffer of n elements: what is put in last is there. With -D WRONG it is wrong. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#ifdef WRONG
#define LESS 1
#else
#define LESS 0
#endif
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) return 0;
  int a[n], first = 0, count = 0, x = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      if (count == n) continue;
      int last = first + count;
      if (last >= n) last -= n - LESS;
      x = __VERIFIER_nondet_int();
      a[last] = x;
      count++;
    } else if (count > 0) {
      first = first + 1 == n ? 0 : first + 1;
      count--;
    }
  }
  if (count > 0) {
    int last = first + count - 1;
    if (last >= n) last -= n;
    if (a[last] != x) reach_error();
  }
  return 0;
}
