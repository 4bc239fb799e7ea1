/* Every element is set. With -D WRONG it is wrong. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#ifdef WRONG
#define FIRST 1
#else
#define FIRST 0
#endif
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) return 0;
  int a[n];
  for (int i = FIRST; i < n; i++) a[i] = 7;
  for (int i = 0; i < n; i++)
    if (a[i] != 7) reach_error();
  return 0;
}
