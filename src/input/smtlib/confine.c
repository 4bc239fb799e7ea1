/* A process gives up all that parsing does not need: files, other descriptors, other calls of the system. */
#include "input/smtlib/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"

/* ---- descriptors ---- */

/* The null device takes what the parser prints; if it cannot be opened, there is nothing to print to. */
static void lead_output_nowhere(void) {
  int nowhere = open("/dev/null", O_RDWR);
  for (int i = 0; i <= 2; i++)
    if (nowhere < 0 || dup2(nowhere, i) < 0) close(i);
  if (nowhere > 2) close(nowhere);
}

static void close_between(unsigned first, unsigned last) {
  if (first > last) return;
#ifdef SYS_close_range
  if (!syscall(SYS_close_range, first, last, 0)) return;
#endif
  long most = sysconf(_SC_OPEN_MAX);
  unsigned end = most > 0 && (unsigned long)most - 1 < last ? (unsigned)most - 1 : last;
  for (unsigned i = first; i <= end && i < 65536; i++) close((int)i);
}

/* ---- system calls ---- */

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && __has_include(<linux/seccomp.h>)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Memory, time, signals of its own, locks, and the pipe. The numbers of x32 are others and therefore refused. */
static const unsigned needed[] = {
    SYS_read,
    SYS_write,
    SYS_writev,
    SYS_close,
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_brk,
    SYS_futex,
    SYS_sched_yield,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_getrusage,
    SYS_getpid,
    SYS_gettid,
    SYS_getrandom,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_sysinfo,
    SYS_sched_getaffinity,
    SYS_exit,
    SYS_exit_group,
};

static void filter_calls(void) {
  struct sock_filter program[2 * ARRAY_LENGTH(needed) + 8];
  unsigned short count = 0;
  program[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  program[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  program[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  program[count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < ARRAY_LENGTH(needed); i++) {
    program[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, needed[i], 0, 1);
    program[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  program[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  struct sock_fprog whole = {.len = count, .filter = program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return;
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole);
}
#else
static void filter_calls(void) {}
#endif

int confine(int descriptor) {
  struct rlimit none = {0, 0};
  if (descriptor <= 2) descriptor = fcntl(descriptor, F_DUPFD, 3); /* whoever started whet had closed its output */
  if (descriptor < 0) _exit(1);
  lead_output_nowhere();
  if (descriptor > 3) close_between(3, (unsigned)descriptor - 1);
  close_between((unsigned)descriptor + 1, ~0U);
  signal(SIGXFSZ, SIG_IGN); /* a write that is too long fails; it does not end the process */
  setrlimit(RLIMIT_FSIZE, &none);
  filter_calls();
  return descriptor;
}
