/* The first place of a number is found. With -D WRONG it is wrong. */
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
  int a[n], x = __VERIFIER_nondet_int(), i = FIRST;
  for (int j = 0; j < n; j++) a[j] = __VERIFIER_nondet_int();
  while (i < n && a[i] != x) i++;
  for (int k = 0; k < i; k++)
    if (k < n && a[k] == x) reach_error();
  return 0;
}
