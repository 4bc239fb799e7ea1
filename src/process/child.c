/* fork, kill and wait, for a child in a session or a group of its own. */
#include "process/child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

bool child_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0; }

/* ---- in the child ---- */

static void take_signals_anew(void) {
  static const int inherited[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE,
                                  SIGALRM, SIGUSR1, SIGUSR2, SIGCHLD, SIGXCPU};
  sigset_t none;
  for (size_t i = 0; i < ARRAY_LENGTH(inherited); i++) signal(inherited[i], SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

pid_t child_fork(child_place place) {
  pid_t parent = getpid(), child = fork();
  if (child > 0 && place == CHILD_IN_GROUP) setpgid(child, child); /* here too: parent or child may come first */
  if (child) return child;
  if (place == CHILD_IN_SESSION)
    setsid();
  else
    setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  take_signals_anew();
  return 0;
}

void child_limit(int resource, uint64_t most) { setrlimit(resource, &(struct rlimit){most, most}); }

/* ---- the guard of a command ---- */

static _Noreturn void end_as(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  child_limit(RLIMIT_CORE, 0); /* the command has left its own */
  signal(WTERMSIG(status), SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  raise(WTERMSIG(status));
  _exit(1);
}

/* Its copies of pipes would keep them open: it has none. */
static _Noreturn void guard(pid_t command, const sigset_t *awaited) {
  close_range(0, UINT_MAX, 0);
  for (int which, status;;) {
    if (sigwait(awaited, &which)) continue;
    if (which == SIGTERM) kill(0, SIGKILL); /* this process too */
    if (waitpid(command, &status, WNOHANG) == command) end_as(status);
  }
}

pid_t child_fork_guarded(void) {
  sigset_t awaited, none;
  pid_t parent = getpid(), child = child_fork(CHILD_IN_GROUP);
  if (child) return child;
  sigemptyset(&none);
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  sigaddset(&awaited, SIGTERM);
  sigprocmask(SIG_SETMASK, &awaited, NULL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);
  pid_t self = getpid(), command = fork();
  if (command < 0) _exit(126);
  if (command) guard(command, &awaited);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != self) _exit(1);
  sigprocmask(SIG_SETMASK, &none, NULL);
  return 0;
}

/* ---- in the parent ---- */

void child_kill(pid_t child) {
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
}

/* Those that made groups of their own, as solver processes do, so that their shells' children can be ended with
 * them. */
static void kill_session(pid_t session) {
  DIR *processes = opendir("/proc");
  if (!processes) return;
  for (struct dirent *entry; (entry = readdir(processes));) {
    char path[64], line[512];
    long pid = atol(entry->d_name), its_session = 0;
    if (pid <= 0) continue;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f) continue;
    const char *after_name = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    if (after_name && sscanf(after_name, ") %*c %*d %*d %ld", &its_session) == 1 && its_session == session)
      kill((pid_t)pid, SIGKILL);
    fclose(f);
  }
  closedir(processes);
}

int child_end(pid_t child, child_place place, struct rusage *used) {
  int status = 0;
  child_kill(child);
  while (wait4(child, &status, 0, used) < 0 && errno == EINTR)
    ;
  bool returned = WIFEXITED(status) && !WEXITSTATUS(status);
  if (place == CHILD_IN_SESSION && !returned) kill_session(child);
  return status;
}

bool child_has_ended(pid_t child) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
}
