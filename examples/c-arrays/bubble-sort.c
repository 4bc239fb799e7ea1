/* Bubble sort. With -D WRONG it is wrong. */
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
  int a[n], swapped = 1;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  while (swapped) {
    swapped = 0;
    for (int i = 1; i < n - LESS; i++) {
      if (a[i - 1] <= a[i]) continue;
      int x = a[i];
      a[i] = a[i - 1];
      a[i - 1] = x;
      swapped = 1;
    }
  }
  for (int i = 1; i < n; i++)
    if (a[i - 1] > a[i]) reach_error();
  return 0;
}
