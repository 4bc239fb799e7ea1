/* A place in a source text. */
#ifndef WHET_MODEL_PLACE_H
#define WHET_MODEL_PLACE_H

#include <stdint.h>

typedef struct place {
  uint32_t line, column; /* from 1; 0 = nowhere (made by whet itself) */
  uint32_t file;         /* 0: the text itself; else that of the model's `files`, from 1 */
} place;

#endif
