/* Starts the shell with three pipes that never block, writes and reads them until a deadline, and kills the group. */
#include "process/command.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "process/child.h"

enum { CHUNK = 64 * 1024, COMPLAINT = 4000, COMPLAINT_SHOWN = 200, POLL_MILLISECONDS = 20, GRACE_MILLISECONDS = 200 };

struct external_command {
  pid_t id;
  int to, from, complaints; /* ends of pipes; -1 once closed */
  bool reaped;
  bool sends_no_more;
  int status; /* of waitpid, once reaped */
  text outgoing;
  size_t sent;
  char complaint[COMPLAINT + 1]; /* the beginning of its standard error */
  size_t complaint_length;
};

static void close_end(int *end) {
  if (*end >= 0) close(*end);
  *end = -1;
}

/* Only calls that are safe between fork and exec in a program with threads. */
static _Noreturn void become(const char *const *arguments, uint64_t memory, int in, int out, int err) {
  if (memory) child_limit(RLIMIT_AS, memory);
  if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(126);
  execvp(arguments[0], (char *const *)arguments);
  _exit(127);
}

external_command *command_start(const char *command, uint64_t memory) {
  return command_start_program((const char *const[]){"/bin/sh", "-c", command, NULL}, memory);
}

external_command *command_start_program(const char *const *arguments, uint64_t memory) {
  int pipes[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
  bool open = true;
  for (int i = 0; i < 3; i++) open = open && child_pipe(pipes[i]);
  pid_t id = open ? child_fork_guarded() : -1;
  if (id == 0) become(arguments, memory, pipes[0][0], pipes[1][1], pipes[2][1]);
  close_end(&pipes[0][0]);
  close_end(&pipes[1][1]);
  close_end(&pipes[2][1]);
  if (id < 0) {
    close_end(&pipes[0][1]);
    close_end(&pipes[1][0]);
    close_end(&pipes[2][0]);
    return NULL;
  }
  external_command *p = MEMORY_NEW(external_command);
  *p = (external_command){.id = id, .to = pipes[0][1], .from = pipes[1][0], .complaints = pipes[2][0]};
  fcntl(p->to, F_SETFL, O_NONBLOCK);
  fcntl(p->from, F_SETFL, O_NONBLOCK);
  fcntl(p->complaints, F_SETFL, O_NONBLOCK);
  return p;
}

/* A child that closed its output is about to end by itself: it gets a moment, so that its own status is seen. */
static void end(external_command *p, int grace) {
  for (int waited = 0; !p->reaped && waited < grace && !child_has_ended(p->id); waited++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  if (!p->reaped) p->status = child_end(p->id, CHILD_IN_GROUP, NULL);
  p->reaped = true;
}

void command_free(external_command *p) {
  if (!p) return;
  end(p, 0);
  close_end(&p->to);
  close_end(&p->from);
  close_end(&p->complaints);
  text_clear(&p->outgoing);
  memory_free(p);
}

void command_send(external_command *p, const char *bytes, size_t count) { text_add_bytes(&p->outgoing, bytes, count); }

void command_send_end(external_command *p) {
  p->sends_no_more = true;
  if (!p->outgoing.count) close_end(&p->to);
}

/* Writing to a child that is gone raises SIGPIPE, which here must not end the program nor reach a handler of its. */
static ssize_t write_quietly(int to, const char *bytes, size_t count) {
  sigset_t pipe_signal, before, pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  bool was_pending = sigismember(&pending, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  ssize_t written = write(to, bytes, count);
  int error = errno;
  if (written < 0 && error == EPIPE && !was_pending) sigtimedwait(&pipe_signal, NULL, &(struct timespec){0});
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return written;
}

static void write_some(external_command *p) {
  ssize_t written = write_quietly(p->to, p->outgoing.at + p->sent, p->outgoing.count - p->sent);
  if (written < 0 && errno != EAGAIN && errno != EINTR) close_end(&p->to);
  if (written > 0) p->sent += (size_t)written;
  if (p->sent < p->outgoing.count) return;
  text_reset(&p->outgoing);
  p->sent = 0;
  if (p->sends_no_more) close_end(&p->to);
}

static void read_complaints(external_command *p) {
  char chunk[4096];
  ssize_t got = read(p->complaints, chunk, sizeof chunk);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) close_end(&p->complaints);
  for (ssize_t i = 0; i < got && p->complaint_length < COMPLAINT; i++) p->complaint[p->complaint_length++] = chunk[i];
}

static int milliseconds_to(const limits *l) {
  double left = l->deadline == INFINITY ? 1 : l->deadline - clock_seconds();
  if (left < 0) return 0;
  int wait = left * 1000 < POLL_MILLISECONDS ? (int)ceil(left * 1000) : POLL_MILLISECONDS;
  return wait ? wait : 1;
}

command_status command_receive(external_command *p, const limits *l, text *out) {
  char chunk[CHUNK];
  for (;;) {
    if (limits_reached(l, false)) return COMMAND_LIMIT;
    bool writing = p->to >= 0 && p->outgoing.count;
    struct pollfd ends[3] = {{p->from, POLLIN, 0}, {p->complaints, POLLIN, 0}, {writing ? p->to : -1, POLLOUT, 0}};
    if (poll(ends, 3, milliseconds_to(l)) < 0) continue;
    if (ends[1].revents) read_complaints(p);
    if (ends[2].revents) write_some(p);
    if (!ends[0].revents) continue;
    ssize_t got = read(p->from, chunk, sizeof chunk);
    if (got > 0) {
      text_add_bytes(out, chunk, (size_t)got);
      return COMMAND_RECEIVED;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    end(p, GRACE_MILLISECONDS);
    if (p->complaints >= 0) read_complaints(p);
    return COMMAND_ENDED;
  }
}

void command_epitaph(external_command *p, text *out) {
  if (WIFEXITED(p->status))
    text_add(out, "ended with status %d", WEXITSTATUS(p->status));
  else
    text_add(out, "was ended by signal %d", WTERMSIG(p->status));
  size_t length = 0;
  while (length < p->complaint_length && length < COMPLAINT_SHOWN && p->complaint[length] >= ' ') length++;
  if (length) text_add(out, ": %.*s", (int)length, p->complaint);
}

int command_exit_status(const external_command *p) { return WIFEXITED(p->status) ? WEXITSTATUS(p->status) : -1; }

const char *command_complaint(const external_command *p) { return p->complaint; }
