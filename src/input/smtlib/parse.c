/* Z3's parser takes a time that grows with the square of some texts, and a stack that grows with others. It therefore
 * works in a child process with limits of its own, which sends the table of nodes through a pipe; what happens to the
 * child is a message and nothing worse. */
#include "input/smtlib/parse.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "input/smtlib/z3_nodes.h"

enum { SECONDS_LIMIT = 60, STATUS_MEMORY_EXHAUSTED = 112 };

/* The message: a letter, then for 'N' the vectors of the table, each after its count; for 'E' Z3's words; for 'D' the
 * number of the definition that speaks of itself. */

typedef struct pipe_end {
  int descriptor;
  bool broken;
} pipe_end;

static void send_bytes(pipe_end *p, const void *bytes, size_t count) {
  for (const char *at = bytes; count && !p->broken;) {
    ssize_t sent = write(p->descriptor, at, count);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) p->broken = true;
    if (sent > 0) at += sent, count -= (size_t)sent;
  }
}

static void receive_bytes(pipe_end *p, void *bytes, size_t count) {
  for (char *at = bytes; count && !p->broken;) {
    ssize_t got = read(p->descriptor, at, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) p->broken = true;
    if (got > 0) at += got, count -= (size_t)got;
  }
}

#define SEND(P, V)                                     \
  do {                                                 \
    uint64_t count = (V).count;                        \
    send_bytes(P, &count, sizeof count);               \
    send_bytes(P, (V).at, (V).count * sizeof *(V).at); \
  } while (0)

#define RECEIVE(P, V)                                 \
  do {                                                \
    uint64_t count = 0;                               \
    receive_bytes(P, &count, sizeof count);           \
    if ((P)->broken) break;                           \
    VECTOR_RESERVE(V, count);                         \
    (V).count = count;                                \
    receive_bytes(P, (V).at, count * sizeof *(V).at); \
  } while (0)

static void end_without_memory(void) { _exit(STATUS_MEMORY_EXHAUSTED); }

static _Noreturn void parse_in_child(const commands *c, int descriptor) {
  struct rlimit time = {SECONDS_LIMIT, SECONDS_LIMIT + 1}, no_core = {0, 0};
  setrlimit(RLIMIT_CPU, &time);
  setrlimit(RLIMIT_CORE, &no_core);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGXCPU, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  memory_on_exhaustion(end_without_memory);
  if (!freopen("/dev/null", "w", stderr)) _exit(1); /* what is wrong is told by the parent */
  pipe_end p = {.descriptor = descriptor};
  nodes made = {0};
  text error = {0};
  size_t bad;
  bool *is_definition = MEMORY_ARRAY(bool, c->assertions.count + 1);
  for (size_t i = 0; i < c->assertions.count; i++) is_definition[i] = c->assertions.at[i].kind == ASSERT_DEFINITION;
  if (z3_parse(text_string(&c->made), c->assertions.count, is_definition, &made, &error, &bad)) {
    send_bytes(&p, "N", 1);
    SEND(&p, made.nodes);
    SEND(&p, made.arguments);
    SEND(&p, made.bound);
    SEND(&p, made.roots);
    SEND(&p, made.strings);
  } else if (bad != SIZE_MAX) {
    uint64_t number = bad;
    send_bytes(&p, "D", 1);
    send_bytes(&p, &number, sizeof number);
  } else {
    send_bytes(&p, "E", 1);
    SEND(&p, error);
  }
  _exit(p.broken);
}

/* ---- messages ---- */

/* Z3's words are `(error "line 3 column 7: what")`, one after another, or something without a place. */
static void report_z3(const commands *c, reporter *r, const char *words) {
  bool some = false;
  for (const char *at = words; (at = strstr(at, "line "));) {
    unsigned long line, column;
    int used = 0;
    if (sscanf(at, "line %lu column %lu: %n", &line, &column, &used) != 2 || !used) {
      at++;
      continue;
    }
    at += used;
    size_t length = strcspn(at, "\"\n");
    while (length && at[length - 1] == ' ') length--;
    report_error(r, commands_offset(c, line, column), "%.*s", (int)length, at);
    some = true;
  }
  if (!some) report_error(r, 0, "Z3's parser refuses this text: %s", words);
}

static void report_end(int status, reporter *r) {
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    report_error(r, 0, "this text is too large for Z3's parser: it takes longer than %d s", SECONDS_LIMIT);
  else if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_MEMORY_EXHAUSTED)
    report_error(r, 0, "this text is too large: out of memory");
  else
    report_error(r, 0, "this text is too large or too deep for Z3's parser: it crashed");
}

/* What the child sent makes sense as far as the table goes. */
static bool receive(const commands *c, pipe_end *p, nodes *out, reporter *r, bool *told) {
  char kind = 0;
  uint64_t number;
  text words = {0};
  receive_bytes(p, &kind, 1);
  *told = true;
  if (kind == 'N') {
    RECEIVE(p, out->nodes);
    RECEIVE(p, out->arguments);
    RECEIVE(p, out->bound);
    RECEIVE(p, out->roots);
    RECEIVE(p, out->strings);
    if (!p->broken) return true;
  } else if (kind == 'D') {
    receive_bytes(p, &number, sizeof number);
    if (!p->broken && number < c->assertions.count) {
      report_error(r, c->assertions.at[number].at.start, "this definition speaks of itself");
      return false;
    }
  } else if (kind == 'E') {
    RECEIVE(p, words);
    if (!p->broken) {
      text_add_char(&words, 0);
      report_z3(c, r, words.at);
      text_free(&words);
      return false;
    }
  }
  text_free(&words);
  *told = false;
  return false;
}

bool smtlib_parse(const commands *c, nodes *out, reporter *r) {
  int ends[2];
  if (pipe(ends)) {
    report_error(r, 0, "cannot start Z3's parser: %s", strerror(errno));
    return false;
  }
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) {
    report_error(r, 0, "cannot start Z3's parser: %s", strerror(errno));
    close(ends[0]);
    close(ends[1]);
    return false;
  }
  if (!child) {
    close(ends[0]);
    parse_in_child(c, ends[1]);
  }
  close(ends[1]);
  pipe_end p = {.descriptor = ends[0]};
  bool told;
  bool fine = receive(c, &p, out, r, &told);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!told) report_end(status, r);
  return fine;
}
