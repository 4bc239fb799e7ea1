/* Sorting rows of bytes. */
#ifndef WHET_STORE_ROWS_H
#define WHET_STORE_ROWS_H

#include "base/base.h"

/* `count` rows of `bytes` bytes each, ascending, in place. Rows are compared by byte order[0], then order[1], ..
 * order[bytes - 1]. */
void rows_sort(uint8_t *rows, size_t count, size_t bytes, const size_t *order);

#endif
