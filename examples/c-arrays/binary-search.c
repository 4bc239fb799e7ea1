/* Binary search: the middle does not overflow, no index is outside, and what is found is the number. With -D WRONG it is wrong. */
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
  int a[n], x = __VERIFIER_nondet_int(), low = 0, high = n - 1;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (a[middle] == x) {
      if (middle < 0 || middle > n - 1 - LESS) reach_error();
      break;
    }
    if (a[middle] < x)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return 0;
}
