/* Starts processes, looks now and then which have ended, and writes a record for each. A process that is killed with this one
 * leaves no record, so that its problem is run again. */
#include "batch/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/files/atomic_file.h"
#include "base/map.h"
#include "batch/answer.h"
#include "batch/folder.h"
#include "batch/record.h"
#include "process/child.h"

enum { MILLISECONDS_BETWEEN_LOOKS = 10, MOST_BYTES = 256 << 20, MOST_COMPLAINT = 2000 };
#define SECONDS_BETWEEN_LINES 0.1
/* How often is looked whether another job of a plan has answered the question of one that runs. */
#define SECONDS_BETWEEN_QUESTIONS 2
/* A process that has not kept its time limit by then is killed. */
#define LATE_SHARE 1.25
#define LATE_SECONDS 30

typedef struct batch_job {
  pid_t id;
  size_t problem;
  double started, until; /* 0: no limit */
} batch_job;

typedef struct running {
  const batch_run *of;
  char *workplace;
  VECTOR(batch_job) jobs;
  VECTOR(size_t) waiting; /* problems, the next one first */
  size_t next;
  size_t kept, done; /* found in the folder; ended since the start */
  double started, last_line, last_question;
  char *wrong;
} running;

/* ---- a process ---- */

static GIVE char *work_file(const running *r, size_t problem, const char *ending) {
  return text_format("%s/%zu%s", r->workplace, problem, ending);
}

static bool has_word(const batch_words *words, const char *word) {
  for (size_t i = 0; i < words->count; i++)
    if (!strcmp(words->at[i], word)) return true;
  return false;
}

static double time_limit_of(const batch_problem *p) {
  for (size_t i = 0; i + 1 < p->words.count; i++)
    if (!strcmp(p->words.at[i], "--timeout")) return strtod(p->words.at[i + 1], NULL);
  return 0;
}

/* Cores are shared by the processes; no verdict depends on how many engines run at the same time. */
static GIVE char *jobs_of_each(const running *r) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  long each = cores > 0 ? cores / (long)r->of->jobs : 1;
  return text_format("%ld", each > 0 ? each : 1);
}

/* Only calls that are safe between fork and exec. */
static _Noreturn void become(char *const *arguments, int complaints, int nothing) {
  if (dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(complaints, 2) < 0) _exit(126);
  execv(arguments[0], arguments);
  _exit(127);
}

static pid_t start_process(running *r, size_t problem, char *const *arguments) {
  char *path = work_file(r, problem, ".err");
  int complaints = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
      nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  pid_t id = complaints >= 0 && nothing >= 0 ? child_fork_guarded() : -1;
  if (id == 0) become(arguments, complaints, nothing);
  int why = errno;
  if (complaints >= 0) close(complaints);
  if (nothing >= 0) close(nothing);
  memory_free(path);
  errno = why;
  return id;
}

static void start(running *r, size_t problem) {
  const batch_problem *p = &r->of->list->problems.at[problem];
  char *json = work_file(r, problem, ".json"), *page = work_file(r, problem, ".html"), *each = jobs_of_each(r);
  batch_words words = {0};
  VECTOR_PUSH(words, r->of->program);
  VECTOR_PUSH(words, "verify");
  for (size_t i = 0; i < p->words.count; i++) VECTOR_PUSH(words, p->words.at[i]);
  const char *const own[] = {"--quiet", "--json", json, "--report", page};
  for (size_t i = 0; i < ARRAY_LENGTH(own); i++) VECTOR_PUSH(words, own[i]);
  if (!has_word(&p->words, "--jobs")) {
    VECTOR_PUSH(words, "--jobs");
    VECTOR_PUSH(words, each);
  }
  if (p->facts) {
    VECTOR_PUSH(words, "--facts");
    VECTOR_PUSH(words, p->facts);
  }
  if (*p->property) {
    VECTOR_PUSH(words, "--property");
    VECTOR_PUSH(words, p->property);
  }
  VECTOR_PUSH(words, "--");
  VECTOR_PUSH(words, p->model);
  VECTOR_PUSH(words, NULL);
  double limit = time_limit_of(p), now = clock_seconds();
  pid_t id = start_process(r, problem, (char *const *)words.at);
  if (id < 0)
    r->wrong = text_format("cannot start a process: %s", strerror(errno));
  else
    VECTOR_PUSH(r->jobs, (batch_job){id, problem, now, limit > 0 ? now + limit * LATE_SHARE + LATE_SECONDS : 0});
  VECTOR_FREE(words);
  memory_free(json);
  memory_free(page);
  memory_free(each);
}

/* ---- its end ---- */

static bool read_work_file(const running *r, size_t problem, const char *ending, size_t most, text *out) {
  char *path = work_file(r, problem, ending);
  bool fine = text_add_file(out, path, most);
  memory_free(path);
  return fine && out->count <= most;
}

static double seconds_of(const struct timeval *t) { return (double)t->tv_sec + 1e-6 * (double)t->tv_usec; }

/* Somebody else has asked it to stop: a scheduler, say. */
static bool was_interrupted(const batch_record *r) {
  for (size_t i = 0; i < r->answers.count; i++)
    if (strstr(r->answers.at[i].reason, "interrupted")) return true;
  return false;
}

/* Only what is sure to come again is final; a process that something else has ended is not. */
static void judge(const running *r, const batch_job *j, int status, bool is_late, arena *a, text *document,
                  batch_record *out) {
  text complaint = {0};
  read_work_file(r, j->problem, ".err", MOST_BYTES, &complaint);
  if (complaint.count > MOST_COMPLAINT) text_cut(&complaint, MOST_COMPLAINT);
  while (complaint.count && complaint.at[complaint.count - 1] == '\n') text_cut(&complaint, complaint.count - 1);
  out->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  bool has_document = WIFEXITED(status) && read_work_file(r, j->problem, ".json", MOST_BYTES, document) &&
                      batch_record_take_document(out, a, text_string(document));
  bool is_interrupted = has_document && was_interrupted(out);
  text words = {0};
  if (is_late)
    text_add(&words, "it did not keep its time limit and was killed; ");
  else if (!WIFEXITED(status))
    text_add(&words, "signal %d ended it; ", WTERMSIG(status));
  else if (is_interrupted)
    text_add(&words, "it was interrupted; ");
  else if (!has_document && out->status == 0)
    text_add(&words, "it left no answer; ");
  text_add(&words, "%s", text_string(&complaint));
  out->end = has_document ? BATCH_DONE : out->status == 2 || out->status == 20 ? BATCH_REFUSED : BATCH_FAILED;
  if (is_interrupted) {
    VECTOR_CLEAR(out->answers);
    out->end = BATCH_FAILED;
  }
  out->message = out->end == BATCH_DONE ? "" : arena_copy_string(a, text_string(&words));
  text_clear(&words);
  text_clear(&complaint);
}

/* First the report, then the record: what has a record has its report. */
static void keep(running *r, size_t problem, const batch_record *record, const char *document) {
  const batch_problem *p = &r->of->list->problems.at[problem];
  char *page = work_file(r, problem, ".html"), *report = batch_folder_report(r->of->folder, p->key);
  char *path = batch_folder_result(r->of->folder, p->key), *content = batch_record_print(record, p, document);
  if (record->end == BATCH_DONE && rename(page, report))
    r->wrong = text_format("cannot write %s: %s", report, strerror(errno));
  if (!r->wrong && !atomic_file_write(path, content))
    r->wrong = text_format("cannot write %s: %s", path, strerror(errno));
  if (!r->wrong && *p->question) batch_answer_leave(r->of->folder, p, record);
  memory_free(page);
  memory_free(report);
  memory_free(path);
  memory_free(content);
}

static void remove_work_files(const running *r, size_t problem) {
  static const char *const endings[] = {".err", ".json", ".html"};
  for (size_t i = 0; i < ARRAY_LENGTH(endings); i++) {
    char *path = work_file(r, problem, endings[i]);
    unlink(path);
    memory_free(path);
  }
}

static void finish(running *r, const batch_job *j, bool is_late) {
  struct rusage used;
  arena *a = arena_new();
  text document = {0};
  batch_record record = {.seconds = clock_seconds() - j->started, .message = ""};
  int status = child_end(j->id, CHILD_IN_GROUP, &used);
  record.processor_seconds = seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime);
  record.memory = (uint64_t)used.ru_maxrss * 1024;
  judge(r, j, status, is_late, a, &document, &record);
  keep(r, j->problem, &record, text_string(&document));
  remove_work_files(r, j->problem);
  r->done++;
  VECTOR_FREE(record.answers);
  text_clear(&document);
  arena_free(a);
}

/* ---- all of them ---- */

static GIVE char *seconds_shown(double seconds) {
  if (seconds < 100) return text_format("%.0f s", seconds);
  if (seconds < 6000) return text_format("%.0f min", seconds / 60);
  return text_format("%.1f h", seconds / 3600);
}

/* From how long those that have ended took, and how long the others have run already. */
static void report_progress(running *r) {
  double now = clock_seconds(), elapsed = now - r->started;
  if (!r->of->listen || now - r->last_line < SECONDS_BETWEEN_LINES) return;
  r->last_line = now;
  size_t left = r->waiting.count - r->done;
  text line = {0};
  char *since = seconds_shown(elapsed);
  text_add(&line, "%zu of %zu done", r->kept + r->done, r->kept + r->waiting.count);
  if (r->kept) text_add(&line, " (%zu before)", r->kept);
  text_add(&line, ", %zu run, %s", r->jobs.count, since);
  if (r->done) {
    char *rest = seconds_shown(elapsed / (double)r->done * (double)left);
    text_add(&line, ", about %s left", rest);
    memory_free(rest);
  }
  r->of->listen(r->of->context, text_string(&line));
  memory_free(since);
  text_clear(&line);
}

static bool is_stopped(const running *r) { return r->wrong || (r->of->stop && *r->of->stop); }

static void look_at_jobs(running *r) {
  double now = clock_seconds();
  for (size_t i = 0; i < r->jobs.count;) {
    batch_job j = r->jobs.at[i];
    bool is_late = j.until > 0 && now > j.until;
    if (!is_late && !child_has_ended(j.id)) {
      i++;
      continue;
    }
    r->jobs.at[i] = VECTOR_LAST(r->jobs);
    r->jobs.count--;
    finish(r, &j, is_late);
  }
}

/* Of plans: another job, of this process or of another one, has answered the same. */
static bool is_answered(const running *r, size_t problem) {
  const batch_problem *p = &r->of->list->problems.at[problem];
  return *p->question && batch_answer_is_there(r->of->folder, p->question);
}

static void start_next(running *r) {
  size_t problem = r->waiting.at[r->next++];
  if (is_answered(r, problem))
    r->done++;
  else
    start(r, problem);
}

static void end_what_is_answered(running *r) {
  double now = clock_seconds();
  if (now - r->last_question < SECONDS_BETWEEN_QUESTIONS) return;
  r->last_question = now;
  for (size_t i = 0; i < r->jobs.count;) {
    batch_job j = r->jobs.at[i];
    if (!is_answered(r, j.problem)) {
      i++;
      continue;
    }
    r->jobs.at[i] = VECTOR_LAST(r->jobs);
    r->jobs.count--;
    child_end(j.id, CHILD_IN_GROUP, NULL);
    remove_work_files(r, j.problem);
    r->done++;
  }
}

static void work(running *r) {
  while (!is_stopped(r) && (r->next < r->waiting.count || r->jobs.count)) {
    while (!r->wrong && r->jobs.count < r->of->jobs && r->next < r->waiting.count) start_next(r);
    look_at_jobs(r);
    end_what_is_answered(r);
    report_progress(r);
    nanosleep(&(struct timespec){.tv_nsec = MILLISECONDS_BETWEEN_LOOKS * 1000000L}, NULL);
  }
  for (size_t i = 0; i < r->jobs.count; i++) child_end(r->jobs.at[i].id, CHILD_IN_GROUP, NULL);
}

/* Each key once; those with a record that counts are left out. */
static void choose(running *r, size_t count, const size_t *which) {
  names *seen = names_new();
  arena *a = arena_new();
  for (size_t i = 0; i < count; i++) {
    const batch_problem *p = &r->of->list->problems.at[which[i]];
    if (names_get(seen, p->key, NULL)) continue;
    names_set(seen, p->key, 1);
    batch_record record;
    char *path = batch_folder_result(r->of->folder, p->key);
    batch_record_read(&record, a, path, p);
    memory_free(path);
    if (record.end == BATCH_DONE || record.end == BATCH_REFUSED)
      r->kept++;
    else
      VECTOR_PUSH(r->waiting, which[i]);
    VECTOR_FREE(record.answers);
  }
  names_free(seen);
  arena_free(a);
}

char *batch_run_all(const batch_run *b, size_t count, const size_t *which) {
  running r = {.of = b, .started = clock_seconds()};
  choose(&r, count, which);
  if (r.waiting.count) {
    r.workplace = batch_folder_workplace(b->folder);
    if (r.workplace)
      work(&r);
    else
      r.wrong = text_format("cannot write to %s: %s", b->folder, strerror(errno));
    if (r.workplace) batch_folder_remove(r.workplace);
  }
  memory_free(r.workplace);
  VECTOR_FREE(r.jobs);
  VECTOR_FREE(r.waiting);
  return r.wrong;
}
