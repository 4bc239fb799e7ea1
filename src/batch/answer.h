/* Questions of a plan that are answered: of all jobs that are asked the same, the others are then not needed. */
#ifndef WHET_BATCH_ANSWER_H
#define WHET_BATCH_ANSWER_H

#include "batch/record.h"

/* The record answers every property that was asked. */
bool batch_record_decides(const batch_record *r);
/* Leaves word in the folder that the record of `p`, which is kept there already, is an answer; nothing if it is none. What cannot be
 * written is not: others then go on for nothing. */
void batch_answer_leave(const char *folder, const batch_problem *p, const batch_record *r);
/* Word was left, and the record that it names is there and whole. */
bool batch_answer_is_there(const char *folder, const char *question);

#endif
