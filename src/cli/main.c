#include <stdio.h>

#include "whet/whet.h"

int main(void) {
  printf("whet %s\n", whet_version());
  return 0;
}
