/* The folder of a batch: results/KEY.json, reports/KEY.html, and what is made of them. */
#ifndef WHET_BATCH_FOLDER_H
#define WHET_BATCH_FOLDER_H

#include "base/text.h"

/* Of plans: which questions are answered (batch/answer.h), what each job is, what schedulers write, and facts. */
#define BATCH_ANSWERS "answers"
#define BATCH_JOBS "jobs"
#define BATCH_LOGS "logs"
#define BATCH_FACTS "facts"

/* Makes it with all that belongs into it, unless it is there. NULL, or what is wrong. */
GIVE char *batch_folder_make(const char *folder);
/* The same of a folder inside. */
GIVE char *batch_folder_make_inside(const char *folder, const char *name);
/* Holds it until the descriptor is closed: alone, or with others that share it. Negative if another one does that does not allow it. */
int batch_folder_hold(const char *folder, bool shares);
/* A file of it, at once as a whole. NULL, or what is wrong. */
GIVE char *batch_folder_write(const char *folder, const char *name, TAKE char *content);
GIVE char *batch_folder_result(const char *folder, const char *key);
GIVE char *batch_folder_report(const char *folder, const char *key);
/* A new folder inside for files of a process; NULL if there is none to be had. What others that were killed have left goes with
 * `batch_folder_sweep`, if nobody else works in the folder. */
GIVE char *batch_folder_workplace(const char *folder);
void batch_folder_remove(const char *workplace);
void batch_folder_sweep(const char *folder);

#endif
