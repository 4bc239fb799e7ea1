// A list is turned around.
//     whet verify examples/heap/reversal.c --property unreach-call
// expect unreach-call: SAFE
// expect valid-free: SAFE
#include <assert.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *cons(int value, struct node *next) {
  struct node *made = malloc(sizeof *made);
  made->value = value;
  made->next = next;
  return made;
}

static struct node *reversed(struct node *list) {
  struct node *result = NULL;
  while (list) {
    struct node *next = list->next;
    list->next = result;
    result = list;
    list = next;
  }
  return result;
}

int main(void) {
  struct node *list = reversed(cons(1, cons(2, NULL)));
  assert(list->value == 2 && list->next->value == 1 && !list->next->next);
  free(list->next);
  free(list);
  return 0;
}
