/* SHA-256, by which files are known to others. */
#ifndef WHET_BASE_DIGEST_H
#define WHET_BASE_DIGEST_H

#include "base/base.h"

enum { DIGEST_BYTES = 32, DIGEST_DIGITS = 64 };

void digest_bytes(const void *bytes, size_t count, uint8_t out[DIGEST_BYTES]);
/* As hexadecimal digits, with a zero at the end. */
void digest_digits(const void *bytes, size_t count, char out[DIGEST_DIGITS + 1]);

#endif
