/* Files of one search in a folder. A file that is only of use to this process has no name: it is gone with the process,
 * whatever happens to it.
 *
 * Several threads may use a folder at once. What goes wrong first stays; from then on reads and writes do nothing. */
#ifndef WHET_STORE_DISK_FOLDER_H
#define WHET_STORE_DISK_FOLDER_H

#include "base/base.h"

typedef struct disk_folder disk_folder;

/* Makes the folder if it is not there; look at the problem. */
GIVE disk_folder *disk_folder_new(const char *path);
void disk_folder_free(TAKE disk_folder *f);
KEEP const char *disk_folder_path(const disk_folder *f);
/* NULL, or why a file could not be read or written. */
KEEP const char *disk_folder_problem(const disk_folder *f);
void disk_folder_set_problem(disk_folder *f, TAKE char *what);
/* Bytes in files that are open, and the most there were at once. */
uint64_t disk_folder_bytes(const disk_folder *f);
uint64_t disk_folder_most_bytes(const disk_folder *f);

/* A file to read and write. `name` NULL: one without a name. -1 and a problem if there is none. */
int disk_folder_open(disk_folder *f, const char *name);
/* `bytes`: how many of them were counted by writes. */
void disk_folder_close(disk_folder *f, int file, uint64_t bytes);
bool disk_folder_write(disk_folder *f, int file, uint64_t at, size_t count, const uint8_t *bytes);
bool disk_folder_read(disk_folder *f, int file, uint64_t at, size_t count, uint8_t *bytes);

#endif
