/* A number is looked for that stands at the end. With -D WRONG it is wrong. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#ifdef WRONG
#define IS_SET 0
#else
#define IS_SET 1
#endif
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) return 0;
  int a[n], x = __VERIFIER_nondet_int(), i = 0;
  for (int j = 0; j < n; j++) a[j] = __VERIFIER_nondet_int();
  if (IS_SET) a[n - 1] = x;
  while (a[i] != x) i++;
  if (i >= n || a[i] != x) reach_error();
  return 0;
}
