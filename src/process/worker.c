/* The child's side: its limits, its orders and its turns. The parent's side: start, watch over time and memory, read
 * messages, and find out how it ended. */
#include "process/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/instruments/log.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/work.h"
#include "process/child.h"

#define SECONDS_TO_STOP 0.25
#define SECONDS_BETWEEN_LOOKS 0.02
#define SECONDS_BETWEEN_TICKS 0.1
enum { STATUS_MEMORY_EXHAUSTED = 112, STATUS_NUMBER_TOO_LARGE = 113 };

typedef struct shared_page {
  statistics statistics;
  atomic_bool stop;
} shared_page;

struct worker {
  pid_t pid; /* also of its session and group; 0 once it is reaped or was never started */
  channel channel;
  int orders;          /* to one that takes turns, else -1 */
  VECTOR(char *) news; /* for its next turn: only one that waits for it reads them */
  bool is_held;
  shared_page *shared;
  worker_limits limits;
  worker_end state, killed_for;
  double stop_by; /* when to kill one that was asked to stop; 0 = not asked */
  char *reason;
};

/* ---- in the child ---- */

static void exhausted(void) { _exit(STATUS_MEMORY_EXHAUSTED); }
static void met_too_large_number(void) { _exit(STATUS_NUMBER_TOO_LARGE); }

static void silence_standard_streams(void) {
  int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0) return;
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  if (nothing > STDERR_FILENO) close(nothing);
}

/* If memory is short everywhere, the system should kill a worker rather than its parent. */
static void offer_to_be_killed_first(void) {
  int f = open("/proc/self/oom_score_adj", O_WRONLY);
  if (f < 0) return;
  if (write(f, "1000", 4) != 4) errno = 0;
  close(f);
}

static uint64_t data_bytes(void) {
  unsigned long long total, resident, shared, text, library, data = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f) return 0;
  if (fscanf(f, "%llu %llu %llu %llu %llu %llu", &total, &resident, &shared, &text, &library, &data) != 6) data = 0;
  fclose(f);
  return data * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Allocation beyond the limit fails, so that even a burst between two looks of the parent stays near it. The sanitizers
 * reserve far more than they use; under them only the parent looks. */
static void limit_data(uint64_t memory) {
#if !defined(__SANITIZE_ADDRESS__)
  uint64_t room = memory + memory / 20, used = memory_resident();
  child_limit(RLIMIT_DATA, data_bytes() + (room > used ? room - used : 0));
#else
  (void)memory, (void)data_bytes;
#endif
}

/* If the parent is gone or sends no valid message, the rest is one turn, which the stop flag ends. */
static bool take_orders(worker_inside *inside) {
  struct pollfd polled = {.fd = inside->orders.descriptor, .events = POLLIN};
  while (poll(&polled, 1, -1) < 0 && errno == EINTR)
    ;
  bool open = channel_fill(&inside->orders) && !inside->orders.garbled;
  for (message m; channel_next(&inside->orders, &m);) {
    if (m.kind == MESSAGE_NEWS) VECTOR_PUSH(inside->news, memory_copy_bytes(m.bytes, m.count));
    if (m.kind != MESSAGE_TURN) continue;
    work_of_process.turn = strtoull(m.bytes, NULL, 10);
    return true;
  }
  if (!open) work_of_process.turn = UINT64_MAX;
  return !open;
}

static void wait_for_turn(void *context) {
  worker_inside *inside = context;
  channel_send(inside->pipe, MESSAGE_TURN, "", 0);
  while (!take_orders(inside))
    ;
}

_Noreturn static void run_child(worker_body *body, void *context, const worker_limits *limits, shared_page *shared,
                                int pipe, int orders) {
  silence_standard_streams();
  offer_to_be_killed_first();
  memory_on_exhaustion(exhausted);
  number_on_too_large(met_too_large_number);
  if (limits->memory) limit_data(limits->memory);
  if (limits->processor_seconds) child_limit(RLIMIT_CPU, limits->processor_seconds);
  worker_inside inside = {.pipe = pipe, .statistics = &shared->statistics, .orders = {.descriptor = orders}};
  inside.budget = (budget){.deadline = limits->deadline, .memory = limits->memory, .stop = &shared->stop};
  work_of_process.done = 0;
  number_count_work();
  if (limits->turn) work_set_turn(limits->turn, wait_for_turn, &inside);
  body(&inside, context);
  _exit(0);
}

/* ---- in the parent ---- */

static uint64_t look_for_memory(void) {
  static const char *const containers[] = {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
  uint64_t least = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  for (size_t i = 0; i < ARRAY_LENGTH(containers); i++) {
    unsigned long long limit;
    FILE *f = fopen(containers[i], "r");
    if (f && fscanf(f, "%llu", &limit) == 1 && limit < least) least = limit;
    if (f) fclose(f);
  }
  return least / 4 * 3;
}

uint64_t worker_memory_by_default(void) {
  static atomic_uint_fast64_t known; /* 0: not yet; threads that ask at once find the same */
  if (!known) known = look_for_memory();
  return known;
}

static worker *failed_start(worker *w, const char *what) {
  w->state = WORKER_CRASHED;
  w->reason = text_format("cannot start a process: %s: %s", what, strerror(errno));
  return w;
}

worker *worker_start(worker_body *body, void *context, const worker_limits *limits) {
  worker *w = MEMORY_NEW(worker);
  int ends[2], orders[2] = {-1, -1};
  w->limits = *limits;
  w->channel.descriptor = w->orders = -1;
  w->shared = mmap(NULL, sizeof(shared_page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (w->shared == MAP_FAILED) {
    w->shared = NULL;
    return failed_start(w, "mmap");
  }
  if (limits->turn && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, orders)) return failed_start(w, "socketpair");
  w->orders = orders[0];
  if (!child_pipe(ends)) {
    if (orders[1] >= 0) close(orders[1]);
    return failed_start(w, "pipe");
  }
  pid_t pid = child_fork(CHILD_IN_SESSION);
  if (pid == 0) {
    close(ends[0]);
    if (orders[0] >= 0) {
      close(orders[0]);
      fcntl(orders[1], F_SETFL, O_NONBLOCK);
    }
    run_child(body, context, limits, w->shared, ends[1], orders[1]);
  }
  close(ends[1]);
  if (orders[1] >= 0) close(orders[1]);
  w->channel.descriptor = ends[0];
  if (pid < 0) return failed_start(w, "fork");
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  w->pid = pid;
  LOG(worker, "starts %ld", (long)pid);
  return w;
}

worker_end worker_state(const worker *w) { return w->state; }

const char *worker_reason(const worker *w) { return w->reason ? w->reason : ""; }

const statistics *worker_statistics(const worker *w) {
  static const statistics none;
  return w->shared ? &w->shared->statistics : &none;
}

static void end_as(worker *w, worker_end state, GIVE char *reason) {
  w->state = state;
  w->reason = reason;
}

static bool was_near_memory_limit(const worker *w, uint64_t most) {
  return w->limits.memory && most > w->limits.memory - w->limits.memory / 10;
}

static void set_end_from_status(worker *w, int status, uint64_t most_memory) {
  bool by_signal = WIFSIGNALED(status);
  int code = by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
  const char *memory_reason = w->limits.memory ? "memory limit reached" : "out of memory";
  if (!by_signal && code == 0)
    end_as(w, WORKER_RETURNED, NULL);
  else if (!by_signal && code == STATUS_MEMORY_EXHAUSTED)
    end_as(w, WORKER_OUT_OF_MEMORY, memory_copy_string(memory_reason));
  else if (!by_signal && code == STATUS_NUMBER_TOO_LARGE)
    end_as(w, WORKER_OUT_OF_MEMORY, text_format("a number has over %d bits", NUMBER_MOST_BITS));
  else if (by_signal && (code == SIGXCPU || (code == SIGKILL && w->killed_for == WORKER_OUT_OF_TIME)))
    end_as(w, WORKER_OUT_OF_TIME, memory_copy_string("time limit reached"));
  else if (by_signal && code == SIGKILL && w->killed_for == WORKER_OUT_OF_MEMORY)
    end_as(w, WORKER_OUT_OF_MEMORY, memory_copy_string(memory_reason));
  else if (by_signal && code == SIGKILL && w->killed_for == WORKER_STOPPED)
    end_as(w, WORKER_STOPPED, memory_copy_string("interrupted"));
  else if (by_signal && code == SIGKILL && w->killed_for == WORKER_GARBLED)
    end_as(w, WORKER_GARBLED, memory_copy_string("sent what cannot be read"));
  else if (was_near_memory_limit(w, most_memory))
    end_as(w, WORKER_OUT_OF_MEMORY, memory_copy_string(memory_reason));
  else if (by_signal && code == SIGKILL)
    end_as(w, WORKER_OUT_OF_MEMORY, memory_copy_string("killed by the system, most likely out of memory"));
  else if (by_signal)
    end_as(w, WORKER_CRASHED, text_format("crashed: %s", strsignal(code)));
  else
    end_as(w, WORKER_CRASHED, text_format("crashed: exit status %d", code));
}

/* Ends the whole group, with all that the worker started. */
static void reap(worker *w) {
  struct rusage usage = {0};
  int status = child_end(w->pid, CHILD_IN_SESSION, &usage);
  LOG(worker, "%ld ended with status %d, signal %d", (long)w->pid, WIFEXITED(status) ? WEXITSTATUS(status) : -1,
      WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  w->pid = 0;
  uint64_t most = (uint64_t)usage.ru_maxrss * 1024;
  w->shared->statistics.memory_bytes = most;
  set_end_from_status(w, status, most);
}

static void kill_for(worker *w, worker_end why) {
  w->killed_for = why;
  child_kill(w->pid);
}

static uint64_t resident_of(pid_t pid) {
  char path[64];
  unsigned long long total, resident = 0;
  snprintf(path, sizeof path, "/proc/%ld/statm", (long)pid);
  FILE *f = fopen(path, "r");
  if (!f) return 0;
  if (fscanf(f, "%llu %llu", &total, &resident) != 2) resident = 0;
  fclose(f);
  return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void keep_limits(worker *w) {
  double now = clock_seconds();
  if (w->killed_for) return;
  if (w->limits.deadline > 0 && now > w->limits.deadline + w->limits.grace)
    kill_for(w, WORKER_OUT_OF_TIME);
  else if (w->stop_by > 0 && now > w->stop_by)
    kill_for(w, WORKER_STOPPED);
  else if (w->limits.memory && resident_of(w->pid) > w->limits.memory)
    kill_for(w, WORKER_OUT_OF_MEMORY);
  else if (w->channel.garbled)
    kill_for(w, WORKER_GARBLED);
}

/* True if something was sent or the worker has ended. */
static bool look_after(worker *w) {
  size_t before = w->channel.count - w->channel.taken;
  bool exited = child_has_ended(w->pid);
  bool open = channel_fill(&w->channel);
  bool news = w->channel.count - w->channel.taken > before;
  if (!open || (exited && !news)) {
    reap(w);
    return true;
  }
  keep_limits(w);
  return news;
}

void workers_wait(size_t count, worker *const *workers, double seconds) {
  double until = clock_seconds() + seconds;
  struct pollfd *polled = MEMORY_ARRAY(struct pollfd, count);
  for (bool news = false; !news;) {
    double left = until - clock_seconds(), pause = left < SECONDS_BETWEEN_LOOKS ? left : SECONDS_BETWEEN_LOOKS;
    size_t running = 0;
    for (size_t i = 0; i < count; i++) {
      bool runs = workers[i]->state == WORKER_RUNS;
      polled[i] = (struct pollfd){.fd = runs ? workers[i]->channel.descriptor : -1, .events = POLLIN};
      running += runs;
    }
    if (!running || left <= 0) break;
    int ready = poll(polled, count, (int)(pause * 1000) + 1);
    for (size_t i = 0; i < count; i++)
      if (workers[i]->state == WORKER_RUNS && look_after(workers[i])) news = true;
    if (ready < 0 && errno == EINTR) break;
  }
  memory_free(polled);
}

bool worker_receive(worker *w, message *out) { return channel_next(&w->channel, out); }

static void send_turn(const worker *w, uint64_t turn) {
  char words[32];
  int length = snprintf(words, sizeof words, "%llu", (unsigned long long)turn);
  if (w->orders >= 0) channel_send_to_socket(w->orders, MESSAGE_TURN, words, (size_t)length);
}

void worker_stop(worker *w) {
  if (w->state != WORKER_RUNS || w->stop_by > 0) return;
  w->shared->stop = true;
  w->stop_by = clock_seconds() + SECONDS_TO_STOP;
  worker_release(w);
  send_turn(w, UINT64_MAX);
}

void worker_send_news(worker *w, const char *news) {
  if (w->orders >= 0) VECTOR_PUSH(w->news, memory_copy_string(news));
}

static void forget_news(worker *w) {
  for (size_t i = 0; i < w->news.count; i++) memory_free(w->news.at[i]);
  VECTOR_FREE(w->news);
}

void worker_next_turn(worker *w, uint64_t turn) {
  for (size_t i = 0; i < w->news.count; i++)
    channel_send_to_socket(w->orders, MESSAGE_NEWS, w->news.at[i], strlen(w->news.at[i]));
  forget_news(w);
  send_turn(w, turn);
}

void worker_hold(worker *w) {
  if (w->pid && !w->is_held) kill(w->pid, SIGSTOP);
  w->is_held = true;
}

void worker_release(worker *w) {
  if (w->pid && w->is_held) kill(w->pid, SIGCONT);
  w->is_held = false;
}

bool worker_is_asleep(const worker *w) {
  char path[64], line[512];
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)w->pid);
  FILE *f = w->pid ? fopen(path, "r") : NULL;
  const char *after_name = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
  bool asleep = after_name && !strncmp(after_name, ") S", 3);
  if (f) fclose(f);
  return asleep;
}

double worker_seconds(const worker *w) {
  clockid_t its;
  struct timespec used;
  if (!w->pid || clock_getcpuclockid(w->pid, &its) || clock_gettime(its, &used)) return 0;
  return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

void worker_attend(worker *w, const atomic_bool *stop, worker_listener *listen, void *context) {
  double next_look = 0;
  while (w->state == WORKER_RUNS) {
    workers_wait(1, &w, SECONDS_BETWEEN_TICKS);
    for (message m; worker_receive(w, &m);) listen(context, &m);
    if (stop && *stop) worker_stop(w);
    if (clock_seconds() < next_look) continue;
    next_look = clock_seconds() + SECONDS_BETWEEN_TICKS;
    listen(context, NULL);
  }
}

void worker_free(worker *w) {
  if (!w) return;
  if (w->pid) reap(w);
  channel_clear(&w->channel);
  forget_news(w);
  if (w->orders >= 0) close(w->orders);
  if (w->shared) munmap(w->shared, sizeof(shared_page));
  memory_free(w->reason);
  memory_free(w);
}
