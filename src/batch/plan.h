/* A plan: a list of problems as independent jobs, for a scheduler. A job is a property of a problem and a group of engines. The folder
 * of the plan is that of a batch (batch/folder.h), and has plan.csv, a row for each job, and jobs/K, the same row alone, so that a job
 * reads nothing of the others. */
#ifndef WHET_BATCH_PLAN_H
#define WHET_BATCH_PLAN_H

#include "batch/list.h"
#include "batch/table.h"

typedef struct plan_job {
  size_t problem; /* of the list that was planned, from 0 */
  size_t row;     /* of the table: a property of a problem, from 0; jobs of a row are asked the same */
  size_t asked;   /* that many words of the job are those of its problem; the others are its own */
} plan_job;

typedef struct batch_plan {
  batch_list list; /* the problem of each job */
  VECTOR(plan_job) jobs;
} batch_plan;

/* The list is empty, with an arena. */
void batch_plan_init(batch_plan *p);
void batch_plan_clear(batch_plan *p);
/* Takes over the words of `asked`, and adds `own`; keys and paths are made here. */
void batch_plan_add(batch_plan *p, const batch_problem *asked, const batch_words *own, plan_job job);
/* Jobs of a row share facts, in the folder of the plan, if it has several. */
void batch_plan_share_facts(batch_plan *p, const char *folder);

bool batch_plan_is_there(const char *folder);
GIVE char *batch_plan_write(const batch_plan *p, const char *folder);
/* All jobs, or (`job` from 1) that one alone. NULL, or what is wrong. Either way, clear the plan. */
GIVE char *batch_plan_read(batch_plan *p, const char *folder, size_t job);

/* By how they are called in a queue, which is the same for jobs of a row: 16 digits. */
enum { PLAN_NAME_DIGITS = 16 };
/* Other jobs of its row, as numbers from 1 with commas between; "-" if there are none. */
GIVE char *batch_plan_others(const batch_plan *p, size_t job);

/* Jobs that have to be run: no answer to their row is kept, nor what became of them. */
void batch_plan_needed(const batch_plan *p, const char *folder, bool *needed);
/* Each row once: the quickest answer of its jobs. Answers that contradict each other are an error of whet itself, and no answer. */
void batch_plan_table(batch_table *t, const batch_plan *p, const char *folder);

#endif
