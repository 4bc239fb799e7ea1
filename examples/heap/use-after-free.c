// The loop reads the next element from one that is gone.
//     whet verify examples/heap/use-after-free.c --confirm
// expect valid-deref: UNSAFE
// expect valid-free: SAFE
#include <stdlib.h>

struct node {
  struct node *next;
};

int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 2; i++) {
    struct node *made = malloc(sizeof *made);
    made->next = list;
    list = made;
  }
  for (struct node *at = list; at; at = at->next) free(at);
  return 0;
}
