/* Two sorted arrays are merged into a sorted one. With -D WRONG it is wrong. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#ifdef WRONG
#define IS_BEFORE >=
#else
#define IS_BEFORE <=
#endif
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000000) return 0;
  int m = __VERIFIER_nondet_int();
  if (m < 1 || m > 1000000) return 0;
  int a[n], b[m], c[n + m], i = 0, j = 0, k = 0;
  a[0] = __VERIFIER_nondet_int();
  for (int l = 1; l < n; l++) {
    a[l] = __VERIFIER_nondet_int();
    if (a[l] < a[l - 1]) return 0;
  }
  b[0] = __VERIFIER_nondet_int();
  for (int l = 1; l < m; l++) {
    b[l] = __VERIFIER_nondet_int();
    if (b[l] < b[l - 1]) return 0;
  }
  while (i < n || j < m) {
    if (j >= m || (i < n && a[i] IS_BEFORE b[j]))
      c[k++] = a[i++];
    else
      c[k++] = b[j++];
  }
  for (int l = 1; l < n + m; l++)
    if (c[l - 1] > c[l]) reach_error();
  return 0;
}
