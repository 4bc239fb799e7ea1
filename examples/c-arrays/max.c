/* No element is larger than the maximum. With -D WRONG it is wrong. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#ifdef WRONG
#define IS_BETTER <
#else
#define IS_BETTER >
#endif
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) return 0;
  int a[n];
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int max = a[0];
  for (int i = 1; i < n; i++)
    if (a[i] IS_BETTER max) max = a[i];
  for (int i = 0; i < n; i++)
    if (a[i] > max) reach_error();
  return 0;
}
