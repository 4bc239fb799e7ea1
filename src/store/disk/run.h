/* Sorted keys: rows of bytes, all of one length, ascending, no two alike. They stand in blocks, in memory if they are
 * few, else in a file.
 *
 * Of a key only the bytes after those that it shares with the key before it are written, so that a set of states in
 * order takes a part of its size. The head of each block has a checksum of the rest.
 *
 * A log is a file with many runs one after the other; the first block of each has a mark, so that they can be found
 * again. */
#ifndef WHET_STORE_DISK_RUN_H
#define WHET_STORE_DISK_RUN_H

#include "base/vector.h"
#include "store/disk/folder.h"

typedef struct key_run key_run;
typedef struct key_log key_log;
typedef struct run_writer run_writer;
typedef struct run_reader run_reader;

/* A log with keys of `bytes` bytes, in the file of that name, or in one without a name. */
GIVE key_log *key_log_new(disk_folder *f, const char *name, size_t bytes);
void key_log_free(TAKE key_log *l);
int key_log_file(const key_log *l);
/* Where the next run begins, and a checksum of all before. */
uint64_t key_log_end(const key_log *l);
uint64_t key_log_sum(const key_log *l);
/* A run of the log by where it begins and ends, for reading from its beginning. */
GIVE key_run *key_log_run(const key_log *l, uint64_t start, uint64_t end);
/* The next run of a log of `end` bytes that was written before: for reading a log again from its beginning, run by run,
 * up to its end. NULL if there is none, or the file is damaged: then the folder has a problem, which says where. */
GIVE key_run *key_log_next(key_log *l, uint64_t end);

/* Into a file or memory of its own. */
GIVE run_writer *run_writer_new(disk_folder *f, size_t bytes);
/* At the end of a log: one writer at a time. */
GIVE run_writer *run_writer_new_in(key_log *l);
void run_writer_add(run_writer *w, const uint8_t *key);
GIVE key_run *run_writer_finish(TAKE run_writer *w);
/* As if nothing had been written. */
void run_writer_drop(TAKE run_writer *w);

void key_run_free(TAKE key_run *r);
uint64_t key_run_count(const key_run *r); /* 0 of key_log_run */
uint64_t key_run_start(const key_run *r); /* in its file */
uint64_t key_run_memory(const key_run *r);

/* `r` outlives it. */
GIVE run_reader *run_reader_new(const key_run *r);
void run_reader_free(TAKE run_reader *r);
/* The next key, which stays until the next call; NULL at the end, or if the folder has a problem. */
KEEP const uint8_t *run_reader_next(run_reader *r);
/* The first key from here on that is not before `key`; the one that was read last counts too. NULL likewise. */
KEEP const uint8_t *run_reader_seek(run_reader *r, const uint8_t *key);

#endif
