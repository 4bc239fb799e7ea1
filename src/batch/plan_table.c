/* What is kept of the jobs of a plan, put together: a row for each property, whoever answered it. */
#include <stdlib.h>

#include "base/text.h"
#include "batch/answer.h"
#include "batch/folder.h"
#include "batch/plan.h"

/* A row of the table with what its jobs have left. */
typedef struct row_state {
  size_t problem;
  const batch_problem *best; /* whose record counts */
  batch_record record;
  bool is_answered, has_contradiction;
} row_state;

typedef struct gathering {
  const batch_plan *plan;
  arena *arena;
  VECTOR(batch_record) records; /* of each job */
  VECTOR(row_state) rows;
} gathering;

/* If nobody has answered: what is still to be done comes before what failed, and that before what is not known. */
static int weight_of(batch_end end) {
  static const int weights[] = {[BATCH_MISSING] = 3, [BATCH_FAILED] = 2, [BATCH_DONE] = 1, [BATCH_REFUSED] = 0};
  return weights[end];
}

static bool same_answers(const batch_record *a, const batch_record *b) {
  if (a->answers.count != b->answers.count) return false;
  for (size_t i = 0; i < a->answers.count; i++)
    if (a->answers.at[i].holds != b->answers.at[i].holds) return false;
  return true;
}

static void take_record(row_state *row, const batch_problem *p, const batch_record *r) {
  bool decides = batch_record_decides(r);
  if (decides && row->is_answered && !same_answers(r, &row->record)) row->has_contradiction = true;
  bool is_better = !row->best                    ? true
                   : decides != row->is_answered ? decides
                   : decides                     ? r->seconds < row->record.seconds
                                                 : weight_of(r->end) > weight_of(row->record.end);
  if (!is_better) return;
  row->best = p;
  row->record = *r;
  row->is_answered |= decides;
}

static void gather(gathering *g, const batch_plan *p, const char *folder) {
  *g = (gathering){.plan = p, .arena = arena_new()};
  for (size_t i = 0; i < p->jobs.count; i++) {
    const batch_problem *of = &p->list.problems.at[i];
    batch_record r;
    char *path = batch_folder_result(folder, of->key);
    batch_record_read(&r, g->arena, path, of);
    memory_free(path);
    VECTOR_PUSH(g->records, r);
    size_t row = p->jobs.at[i].row;
    while (g->rows.count <= row && g->rows.count < p->jobs.count) VECTOR_PUSH(g->rows, (row_state){0});
    if (row >= g->rows.count) continue; /* no plan of ours */
    g->rows.at[row].problem = p->jobs.at[i].problem;
    take_record(&g->rows.at[row], of, &r);
  }
}

static void release(gathering *g) {
  for (size_t i = 0; i < g->records.count; i++) VECTOR_FREE(g->records.at[i].answers);
  VECTOR_FREE(g->records);
  VECTOR_FREE(g->rows);
  arena_free(g->arena);
}

void batch_plan_needed(const batch_plan *p, const char *folder, bool *needed) {
  gathering g;
  gather(&g, p, folder);
  for (size_t i = 0; i < p->jobs.count; i++) {
    batch_end end = g.records.at[i].end;
    size_t row = p->jobs.at[i].row;
    bool is_answered = row < g.rows.count && g.rows.at[row].is_answered;
    needed[i] = !is_answered && (end == BATCH_MISSING || end == BATCH_FAILED);
  }
  release(&g);
}

/* ---- the table ---- */

/* Answers to all rows of the problem, for what is expected of them together. */
static void answers_of(const gathering *g, size_t problem, batch_answers *out) {
  VECTOR_CLEAR(*out);
  for (size_t i = 0; i < g->rows.count; i++) {
    const row_state *row = &g->rows.at[i];
    if (!row->best || row->problem != problem) continue;
    for (size_t k = 0; k < row->record.answers.count; k++) VECTOR_PUSH(*out, row->record.answers.at[k]);
    if (!row->record.answers.count) VECTOR_PUSH(*out, (batch_answer){.property = "", .reason = ""});
  }
}

static void add_row(batch_table *t, const row_state *row, const batch_answers *all) {
  batch_record ends = {.end = BATCH_FAILED, .message = "jobs contradict each other: an error of whet itself"};
  if (row->has_contradiction) {
    batch_table_add_end(t, row->best, &ends);
    return;
  }
  for (size_t k = 0; k < row->record.answers.count; k++)
    batch_table_add_answer(t, row->best, &row->record, &row->record.answers.at[k], all);
  if (row->record.end != BATCH_DONE) batch_table_add_end(t, row->best, &row->record);
}

void batch_plan_table(batch_table *t, const batch_plan *p, const char *folder) {
  gathering g;
  batch_answers all = {0};
  gather(&g, p, folder);
  *t = (batch_table){.arena = g.arena}; /* where the strings are */
  for (size_t i = 0; i < g.rows.count; i++) {
    if (!g.rows.at[i].best) continue;
    if (!i || g.rows.at[i].problem != g.rows.at[i - 1].problem) answers_of(&g, g.rows.at[i].problem, &all);
    add_row(t, &g.rows.at[i], &all);
  }
  VECTOR_FREE(all);
  g.arena = arena_new();
  release(&g);
}
