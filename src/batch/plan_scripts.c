/* Scripts for the shell. A task of an array finds its job by number. When it begins it takes the name of its question, by which
 * whoever answers first cancels it; a job that fails is put back into the queue, twice at most. */
#include <math.h>

#include "base/text.h"
#include "batch/folder.h"
#include "batch/plan_files.h"
#include "batch/words.h"

/* Slurm takes indices up to 1000, unless it is told otherwise. */
enum { MOST_TASKS = 1000 };
/* A job that has not ended by itself by then is ended by Slurm: later than whet itself would. */
#define TIME_SHARE 1.25
#define TIME_BESIDE 120

static void add_begin(text *out, const plan_setting *s) {
  text_add(out, "cd -- ");
  batch_word_add(out, s->folder);
  text_add(out, " || exit 1\n");
}

static void add_run(text *out, const plan_setting *s) {
  batch_word_add(out, s->program);
  text_add(out, " batch . --job \"$job\" --quiet\nstatus=$?\n");
}

/* ---- Slurm ---- */

static void add_limits(text *out, const plan_setting *s) {
  text_add(out, "#SBATCH --job-name=whet-plan\n#SBATCH --requeue\n#SBATCH --open-mode=append\n");
  text_add(out, "#SBATCH --output=" BATCH_LOGS "/%%A-%%a.txt\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n");
  text_add(out, "#SBATCH --cpus-per-task=%llu\n#SBATCH --mem=%lluM\n", (unsigned long long)s->cores,
           (unsigned long long)s->memory);
  if (s->seconds > 0)
    text_add(out, "#SBATCH --time=%.0f\n", ceil((s->seconds * TIME_SHARE + TIME_BESIDE) / 60)); /* minutes */
}

static const char array_end[] =
    "case $status in\n"
    "0)\n"
    "  # Answered, and the answer was checked: whoever works on the same question, or waits to, is not needed.\n"
    "  if [ \"$others\" != - ]; then\n"
    "    scontrol update \"JobId=$task\" JobName=whet-plan\n"
    "    scancel --quiet --name=\"$name\"\n"
    "    for other in $(echo \"$others\" | tr , ' '); do\n"
    "      other=$((other - first))\n"
    "      if [ \"$other\" -ge 1 ] && [ \"$other\" -le %d ]; then\n"
    "        scancel --quiet \"${SLURM_ARRAY_JOB_ID}_$other\"\n"
    "      fi\n"
    "    done\n"
    "  fi\n"
    "  exit 0 ;;\n"
    "2 | 20) exit 0 ;; # refused or not decided: that is kept\n"
    "esac\n"
    "# It failed: once more, with the same key.\n"
    "[ \"${SLURM_RESTART_COUNT:-0}\" -ge 2 ] || scontrol requeue \"$task\"\n"
    "exit 1\n";

static GIVE char *array_script(const plan_setting *s) {
  text out = {0};
  text_add(
      &out,
      "#!/bin/sh\n# Jobs of a plan of whet, as an array: sbatch --array=1-N array.sbatch FIRST; task T is job FIRST "
      "+ T. `submit` has the whole command.\n");
  add_limits(&out, s);
  add_begin(&out, s);
  text_add(&out,
           "first=${1:-0}\njob=$((first + SLURM_ARRAY_TASK_ID))\n"
           "task=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\n"
           "read -r name others < \"" BATCH_JOBS
           "/$job\" || exit 1\n"
           "[ \"$others\" = - ] || scontrol update \"JobId=$task\" \"JobName=$name\"\n");
  add_run(&out, s);
  text_add(&out, array_end, MOST_TASKS);
  return text_give(&out);
}

/* Numbers of tasks that are needed, from `first` on: 3,7-9 */
static void add_tasks(text *out, const batch_plan *p, const plan_setting *s, size_t first) {
  size_t end = first + MOST_TASKS < p->jobs.count ? first + MOST_TASKS : p->jobs.count;
  size_t start = out->count;
  for (size_t i = first; i < end; i++) {
    if (!s->needed[i]) continue;
    size_t last = i;
    while (last + 1 < end && s->needed[last + 1]) last++;
    text_add(out, "%s%zu", out->count > start ? "," : "", i - first + 1);
    if (last > i) text_add(out, "-%zu", last - first + 1);
    i = last;
  }
}

static GIVE char *submit_script(const batch_plan *p, const plan_setting *s) {
  text out = {0};
  text_add(&out,
           "#!/bin/sh\n# Submits the jobs that were missing when this was written; `whet plan` writes it again.\n");
  add_begin(&out, s);
  text_add(&out,
           "if [ -s arrays ]; then\n"
           "  waiting=$(squeue --noheader --format=%%i --jobs=\"$(paste -s -d , arrays)\" 2> /dev/null)\n"
           "  if [ -n \"$waiting\" ]; then\n"
           "    echo \"jobs of this plan are still in the queue:\" $waiting >&2\n"
           "    exit 3\n"
           "  fi\n"
           "fi\n"
           ": > arrays\n");
  for (size_t first = 0; first < p->jobs.count; first += MOST_TASKS) {
    text tasks = {0};
    add_tasks(&tasks, p, s, first);
    if (tasks.count)
      text_add(&out, "sbatch --parsable --array=%s array.sbatch %zu >> arrays || exit 1\n", text_string(&tasks), first);
    text_clear(&tasks);
  }
  text_add(&out, "cat arrays\n");
  return text_give(&out);
}

char *plan_write_slurm(const batch_plan *p, const plan_setting *s) {
  /* Slurm expands these in the path that it writes a job's output to. */
  if (strpbrk(s->folder, "%\\\n"))
    return text_format("the folder %s has %%, \\ or a line break in its name, which Slurm does not take", s->folder);
  char *wrong = batch_folder_write(s->folder, "array.sbatch", array_script(s));
  return wrong ? wrong : batch_folder_write(s->folder, "submit", submit_script(p, s));
}

/* ---- GNU parallel ---- */

static GIVE char *job_script(const plan_setting *s) {
  text out = {0};
  text_add(&out, "#!/bin/sh\n# A job of a plan of whet, by its number. Fails if it has to be run again.\njob=$1\n");
  add_begin(&out, s);
  add_run(&out, s);
  text_add(&out, "case $status in 0 | 2 | 20) exit 0 ;; esac\nexit 1\n");
  return text_give(&out);
}

static GIVE char *parallel_script(const plan_setting *s) {
  text out = {0};
  uint64_t at_once = s->cores_of_node / s->cores;
  text_add(&out,
           "#!/bin/sh\n# Runs the jobs that were missing when this was written. Options go to parallel: sh parallel "
           "--sshloginfile NODES\n");
  add_begin(&out, s);
  text_add(&out,
           "exec parallel --will-cite --jobs %llu --retries 3 --workdir . --joblog joblog \"$@\" sh ./job {} :::: "
           "needed\n",
           (unsigned long long)(at_once ? at_once : 1));
  return text_give(&out);
}

char *plan_write_parallel(const batch_plan *p, const plan_setting *s) {
  text needed = {0};
  for (size_t i = 0; i < p->jobs.count; i++)
    if (s->needed[i]) text_add(&needed, "%zu\n", i + 1);
  char *wrong = batch_folder_write(s->folder, "needed", text_give(&needed));
  if (!wrong) wrong = batch_folder_write(s->folder, "job", job_script(s));
  return wrong ? wrong : batch_folder_write(s->folder, "parallel", parallel_script(s));
}
