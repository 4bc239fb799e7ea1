/* Files that others may read at any time: they are there as a whole, or not. */
#ifndef WHET_BASE_FILES_ATOMIC_FILE_H
#define WHET_BASE_FILES_ATOMIC_FILE_H

#include "base/base.h"

/* Under another name in the same folder first, then renamed. False, and errno says why, if it cannot be written. */
bool atomic_file_write(const char *path, const char *content);

#endif
