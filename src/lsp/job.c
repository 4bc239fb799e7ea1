/* Pipes to and from a child. */
#include "lsp/job.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "process/child.h"

double job_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void close_one(int *descriptor) {
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
}

/* In the child: the ends of pipes become its descriptors 0 to 3. They may have low numbers, so they are moved out of the way first. */
static _Noreturn void become(const char *const *words, const int *ends, const char *folder) {
  int moved[JOB_OUTPUTS + 1];
  for (int i = 0; i <= JOB_OUTPUTS; i++) moved[i] = fcntl(ends[i], F_DUPFD, 10);
  for (int i = 0; i <= JOB_OUTPUTS; i++) {
    if (moved[i] < 0 || dup2(moved[i], i) < 0) _exit(1);
    close(moved[i]);
  }
  if (folder && chdir(folder)) { /* the text is there all the same */
  }
  execv("/proc/self/exe", (char *const *)(uintptr_t)words);
  _exit(1);
}

static void wait_never(int descriptor) { fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK); }

/* Ends of pipes: of the child in `own`, of the server in the job. */
static bool open_pipes(job *j, int *own) {
  bool fine = true;
  for (int i = 0; i <= JOB_OUTPUTS; i++) {
    int ends[2] = {-1, -1};
    fine = fine && child_pipe(ends);
    own[i] = ends[i ? 1 : 0];
    *(i ? &j->from[i - 1] : &j->to) = ends[i ? 0 : 1];
  }
  return fine;
}

job *job_start(const char *const *words, const char *input, size_t length, const char *folder, double seconds) {
  job *j = MEMORY_NEW(job);
  int own[JOB_OUTPUTS + 1];
  j->status = -1;
  bool fine = open_pipes(j, own);
  j->child = fine ? child_fork(CHILD_IN_SESSION) : -1;
  if (!j->child) become(words, own, folder);
  for (int i = 0; i <= JOB_OUTPUTS; i++) close_one(&own[i]);
  if (j->child < 0) {
    job_free(j);
    return NULL;
  }
  wait_never(j->to);
  for (int i = 0; i < JOB_OUTPUTS; i++) wait_never(j->from[i]);
  text_add_bytes(&j->input, input, length);
  j->deadline = job_clock() + seconds;
  return j;
}

static void write_some(job *j) {
  if (j->to < 0) return;
  while (j->written < j->input.count) {
    ssize_t done = write(j->to, j->input.at + j->written, j->input.count - j->written);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno == EAGAIN) return;
    if (done < 0) break;
    j->written += (size_t)done;
  }
  close_one(&j->to);
}

static void read_some(job *j, int which) {
  char piece[1 << 14];
  while (j->from[which] >= 0) {
    ssize_t got = read(j->from[which], piece, sizeof piece);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      close_one(&j->from[which]);
      return;
    }
    j->is_too_long |= j->output[which].count + (size_t)got > JOB_MOST_BYTES;
    if (j->is_too_long) return;
    text_add_bytes(&j->output[which], piece, (size_t)got);
  }
}

bool job_go_on(job *j) {
  write_some(j);
  bool is_open = false;
  for (int i = 0; i < JOB_OUTPUTS; i++) {
    read_some(j, i);
    is_open |= j->from[i] >= 0;
  }
  j->is_late = is_open && job_clock() > j->deadline;
  if (is_open && !j->is_late && !j->is_too_long) return false;
  bool has_ended = !is_open && !j->is_late && !j->is_too_long;
  int status = 0;
  if (has_ended)
    while (waitpid(j->child, &status, 0) < 0 && errno == EINTR) {
    }
  else
    child_end(j->child, CHILD_IN_SESSION, NULL);
  j->child = -1;
  j->status = has_ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return true;
}

void job_free(job *j) {
  if (!j) return;
  if (j->child > 0) child_end(j->child, CHILD_IN_SESSION, NULL);
  close_one(&j->to);
  for (int i = 0; i < JOB_OUTPUTS; i++) {
    close_one(&j->from[i]);
    text_clear(&j->output[i]);
  }
  text_clear(&j->input);
  memory_free(j);
}
