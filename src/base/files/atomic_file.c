/* mkostemp, write, rename. */
#include "base/files/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

static bool write_all(int descriptor, const char *content) {
  for (size_t left = strlen(content); left;) {
    ssize_t done = write(descriptor, content, left);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    content += done;
    left -= (size_t)done;
  }
  return true;
}

static mode_t usual_mode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

bool atomic_file_write(const char *path, const char *content) {
  char *name = text_format("%s.XXXXXX", path);
  int descriptor = mkostemp(name, O_CLOEXEC);
  bool fine = descriptor >= 0 && write_all(descriptor, content) && !fchmod(descriptor, usual_mode());
  if (descriptor >= 0 && close(descriptor)) fine = false;
  fine = fine && !rename(name, path);
  int why = errno;
  if (descriptor >= 0 && !fine) unlink(name);
  memory_free(name);
  errno = why;
  return fine;
}
