/* Opens, reads and writes the files of a folder, and counts their bytes. */
#include "store/disk/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

struct disk_folder {
  char *path;
  pthread_mutex_t lock; /* of the problem */
  char *problem;
  atomic_bool has_problem;
  atomic_ullong bytes, most_bytes;
  atomic_uint made; /* files without a name */
};

disk_folder *disk_folder_new(const char *path) {
  disk_folder *f = MEMORY_NEW(disk_folder);
  f->path = memory_copy_string(path);
  pthread_mutex_init(&f->lock, NULL);
  if (mkdir(path, 0777) && errno != EEXIST)
    disk_folder_set_problem(f, text_format("cannot make the folder %s: %s", path, strerror(errno)));
  return f;
}

void disk_folder_free(disk_folder *f) {
  if (!f) return;
  pthread_mutex_destroy(&f->lock);
  memory_free(f->problem);
  memory_free(f->path);
  memory_free(f);
}

const char *disk_folder_path(const disk_folder *f) { return f->path; }
const char *disk_folder_problem(const disk_folder *f) { return atomic_load(&f->has_problem) ? f->problem : NULL; }
uint64_t disk_folder_bytes(const disk_folder *f) { return atomic_load(&f->bytes); }
uint64_t disk_folder_most_bytes(const disk_folder *f) { return atomic_load(&f->most_bytes); }

void disk_folder_set_problem(disk_folder *f, char *what) {
  pthread_mutex_lock(&f->lock);
  if (f->problem)
    memory_free(what);
  else
    f->problem = what;
  atomic_store(&f->has_problem, true);
  pthread_mutex_unlock(&f->lock);
}

static void note_errno(disk_folder *f, const char *what) {
  disk_folder_set_problem(f, text_format("cannot %s a file in %s: %s", what, f->path, strerror(errno)));
}

/* Under a name that nobody else has, which is taken away at once. */
static int open_nameless(disk_folder *f) {
  for (unsigned tries = 0; tries < 1000; tries++) {
    char *path = text_format("%s/whet-%ld-%u", f->path, (long)getpid(), atomic_fetch_add(&f->made, 1));
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600), why = errno;
    if (file >= 0) unlink(path);
    memory_free(path);
    errno = why;
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

int disk_folder_open(disk_folder *f, const char *name) {
  if (disk_folder_problem(f)) return -1;
  char *path = name ? text_format("%s/%s", f->path, name) : NULL;
  int file = name ? open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666) : open_nameless(f);
  memory_free(path);
  if (file < 0) note_errno(f, "open");
  return file;
}

void disk_folder_close(disk_folder *f, int file, uint64_t bytes) {
  if (file < 0) return;
  close(file);
  atomic_fetch_sub(&f->bytes, bytes);
}

bool disk_folder_write(disk_folder *f, int file, uint64_t at, size_t count, const uint8_t *bytes) {
  size_t left = count;
  while (left && !disk_folder_problem(f)) {
    ssize_t n = pwrite(file, bytes, left, (off_t)at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      note_errno(f, "write");
      break;
    }
    bytes += n;
    at += (uint64_t)n;
    left -= (size_t)n;
  }
  uint64_t now = atomic_fetch_add(&f->bytes, count) + count;
  unsigned long long most = atomic_load(&f->most_bytes);
  while (now > most && !atomic_compare_exchange_weak(&f->most_bytes, &most, now))
    ;
  return !left;
}

bool disk_folder_read(disk_folder *f, int file, uint64_t at, size_t count, uint8_t *bytes) {
  while (count && !disk_folder_problem(f)) {
    ssize_t n = pread(file, bytes, count, (off_t)at);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) disk_folder_set_problem(f, text_format("a file in %s ends too early", f->path));
    if (n < 0) note_errno(f, "read");
    if (n <= 0) return false;
    bytes += n;
    at += (uint64_t)n;
    count -= (size_t)n;
  }
  return !count;
}
