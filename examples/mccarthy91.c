// McCarthy's function: recursive, and 91 for every argument up to 101.
//     whet verify examples/mccarthy91.c
// expect no-overflow: SAFE
// expect unreach-call: SAFE
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int f91(int x) {
  if (x > 100) return x - 10;
  return f91(f91(x + 11));
}

int main(void) {
  int x = __VERIFIER_nondet_int(), result = f91(x);
  if (result != 91 && !(x > 101 && result == x - 10)) reach_error();
  return 0;
}
