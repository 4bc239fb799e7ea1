/* Which build of whet this is: two builds of the same version may answer differently. */
#ifndef WHET_BASE_DIGEST_BUILD_H
#define WHET_BASE_DIGEST_BUILD_H

#include "base/digest/digest.h"

/* The linker's build ID, a digest of all that was linked, as hexadecimal digits; without one, the SHA-256 of the file that this code
 * was loaded from. "unknown" if that cannot be read. */
void build_digits(char out[DIGEST_DIGITS + 1]);

#endif
