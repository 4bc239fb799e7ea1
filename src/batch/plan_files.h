/* What schedulers read: a plan as a job array of Slurm, as a command of GNU parallel, as a definition of BenchExec. Names of models never
 * stand in scripts; those of the folder and of the program do, in quotes. */
#ifndef WHET_BATCH_PLAN_FILES_H
#define WHET_BATCH_PLAN_FILES_H

#include "batch/plan.h"

typedef struct plan_setting {
  const char *folder;     /* of the plan, from the root */
  const char *program;    /* whet, from the root */
  uint64_t cores, memory; /* of a job; megabytes */
  uint64_t cores_of_node;
  double seconds;     /* for each job; 0: no limit */
  const bool *needed; /* which jobs are still to be run */
} plan_setting;

/* NULL, or what is wrong. */
/* array.sbatch, and `submit`, which submits the jobs that are needed. */
GIVE char *plan_write_slurm(const batch_plan *p, const plan_setting *s);
/* `job` and `parallel`. */
GIVE char *plan_write_parallel(const batch_plan *p, const plan_setting *s);
/* benchmark.xml with tasks/K.yml. */
GIVE char *plan_write_benchexec(const batch_plan *p, const plan_setting *s);

#endif
