// A list of any length, each element between 10 and 20 when it is put in: so they are when they are looked at.
//     whet verify examples/heap/build-and-check.c
// expect unreach-call: SAFE
// expect valid-memtrack: UNSAFE
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    int value = __VERIFIER_nondet_int();
    if (value < 10 || value > 20) continue;
    struct node *made = malloc(sizeof *made);
    made->value = value;
    made->next = list;
    list = made;
  }
  for (struct node *at = list; at; at = at->next)
    if (at->value < 10 || at->value > 20) reach_error();
  return 0; // nothing is freed
}
