/* Folders and files. Work in progress is in folders of its own (work-..), on the same file system, so that it can be renamed. */
#include "batch/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/atomic_file.h"
#include "base/memory.h"

#define WORKPLACE "work-"

static bool make_folder(const char *path) {
  struct stat there;
  return !mkdir(path, 0777) || (errno == EEXIST && !stat(path, &there) && S_ISDIR(there.st_mode));
}

char *batch_folder_make_inside(const char *folder, const char *name) {
  char *path = text_format("%s%s%s", folder, *name ? "/" : "", name);
  char *wrong = make_folder(path) ? NULL : text_format("cannot make the folder %s: %s", path, strerror(errno));
  memory_free(path);
  return wrong;
}

char *batch_folder_make(const char *folder) {
  static const char *const parts[] = {"", "results", "reports"};
  char *wrong = NULL;
  for (size_t i = 0; i < ARRAY_LENGTH(parts) && !wrong; i++) wrong = batch_folder_make_inside(folder, parts[i]);
  return wrong;
}

int batch_folder_hold(const char *folder, bool shares) {
  char *path = text_format("%s/lock", folder);
  int held = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  memory_free(path);
  if (held < 0 || !flock(held, (shares ? LOCK_SH : LOCK_EX) | LOCK_NB)) return held;
  close(held);
  return -1;
}

char *batch_folder_write(const char *folder, const char *name, char *content) {
  char *path = text_format("%s/%s", folder, name);
  char *wrong = atomic_file_write(path, content) ? NULL : text_format("cannot write %s: %s", path, strerror(errno));
  memory_free(content);
  memory_free(path);
  return wrong;
}

char *batch_folder_result(const char *folder, const char *key) {
  return text_format("%s/results/%s.json", folder, key);
}
char *batch_folder_report(const char *folder, const char *key) {
  return text_format("%s/reports/%s.html", folder, key);
}

char *batch_folder_workplace(const char *folder) {
  char *path = text_format("%s/" WORKPLACE "XXXXXX", folder);
  if (mkdtemp(path)) return path;
  memory_free(path);
  return NULL;
}

void batch_folder_remove(const char *workplace) {
  DIR *d = opendir(workplace);
  for (struct dirent *entry; d && (entry = readdir(d));) {
    char *path = text_format("%s/%s", workplace, entry->d_name);
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) unlink(path);
    memory_free(path);
  }
  if (d) closedir(d);
  rmdir(workplace);
}

void batch_folder_sweep(const char *folder) {
  DIR *d = opendir(folder);
  for (struct dirent *entry; d && (entry = readdir(d));) {
    if (strncmp(entry->d_name, WORKPLACE, strlen(WORKPLACE))) continue;
    char *path = text_format("%s/%s", folder, entry->d_name);
    batch_folder_remove(path);
    memory_free(path);
  }
  if (d) closedir(d);
}
