extern int __VERIFIER_nondet_int(void);
int even(int n);
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int even(int n) { return n == 1 ? odd(n + 1) : n == 0 ? 1 : odd(n - 1); }
int main(void) { return even(__VERIFIER_nondet_int() % 4); }
