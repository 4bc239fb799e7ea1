/* The table of a batch: a row for each property of each problem, and how it compares with what is expected. */
#ifndef WHET_BATCH_TABLE_H
#define WHET_BATCH_TABLE_H

#include "batch/list.h"
#include "batch/record.h"

typedef struct batch_row {
  const batch_problem *problem;
  const char *property; /* "" if nothing is known of any */
  const char *verdict;  /* as JSON has it, or refused, failed, missing */
  const char *engine, *reason;
  batch_holds holds;
  bool is_wrong; /* `expected` says another thing */
  bool has_report;
  double seconds;
  uint64_t memory; /* bytes; 0 if not known */
} batch_row;

typedef struct batch_table {
  arena *arena;
  VECTOR(batch_row) rows; /* in the order of the list */
  size_t holds, violated, unknown, wrong, refused, failed, missing;
} batch_table;

/* For whoever makes a table another way: a row for an answer, `all` being those of its problem, with how it was come by; and one for
 * a problem without an answer. */
void batch_table_add_answer(batch_table *t, const batch_problem *p, const batch_record *r, const batch_answer *a,
                            const batch_answers *all);
void batch_table_add_end(batch_table *t, const batch_problem *p, const batch_record *r);
/* From what is kept in the folder. */
void batch_table_make(batch_table *t, const batch_list *l, const char *folder);
void batch_table_clear(batch_table *t);
GIVE char *batch_table_csv(const batch_table *t);
/* A page of HTML that needs nothing but the reports beside it. */
GIVE char *batch_table_page(const batch_table *t);

#endif
