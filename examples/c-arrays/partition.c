/* Numbers from 0 on go to one array, the others to another. With -D WRONG it is wrong. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#ifdef WRONG
#define LEAST -1
#else
#define LEAST 0
#endif
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) return 0;
  int a[n], b[n], c[n], nb = 0, nc = 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    if (a[i] >= LEAST)
      b[nb++] = a[i];
    else
      c[nc++] = a[i];
  }
  for (int i = 0; i < nb; i++)
    if (b[i] < 0) reach_error();
  for (int i = 0; i < nc; i++)
    if (c[i] >= 0) reach_error();
  return 0;
}
