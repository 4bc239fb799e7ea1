/* A place in a source text. */
#ifndef WHET_MODEL_PLACE_H
#define WHET_MODEL_PLACE_H

#include <stdint.h>

typedef struct place {
  uint32_t line, column; /* from 1; 0 = nowhere (made by whet itself) */
} place;

#endif
