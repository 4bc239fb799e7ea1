/* Rows from records, and the rows as CSV. */
#include "batch/table.h"

#include "batch/csv.h"
#include "batch/folder.h"

enum { STATUS_UNDECIDED = 20 };

static void count_row(batch_table *t, const batch_row *row) {
  t->holds += row->holds == HOLDS_YES;
  t->violated += row->holds == HOLDS_NO;
  t->unknown += row->holds == HOLDS_UNKNOWN && row->has_report;
  t->wrong += row->is_wrong;
}

/* Of several properties, `true` says that all hold, and `false` that one does not. */
static bool contradicts(const batch_answers *all, const batch_answer *a, const char *expected) {
  if (!strcmp(expected, "true")) return a->holds == HOLDS_NO;
  if (strcmp(expected, "false")) return false;
  for (size_t i = 0; i < all->count; i++)
    if (all->at[i].holds != HOLDS_YES) return false;
  return true;
}

void batch_table_add_answer(batch_table *t, const batch_problem *p, const batch_record *r, const batch_answer *a,
                            const batch_answers *all) {
  batch_row row = {.problem = p,
                   .property = a->property,
                   .verdict = a->verdict,
                   .engine = a->engine,
                   .reason = a->reason,
                   .holds = a->holds,
                   .is_wrong = contradicts(all, a, p->expected),
                   .has_report = true,
                   .seconds = a->seconds,
                   .memory = r->memory};
  VECTOR_PUSH(t->rows, row);
  count_row(t, &row);
}

void batch_table_add_end(batch_table *t, const batch_problem *p, const batch_record *r) {
  static const char *const verdicts[] = {"missing", "", "refused", "failed"};
  batch_row row = {.problem = p,
                   .property = p->property,
                   .verdict = verdicts[r->end],
                   .engine = "",
                   .reason = r->message,
                   .seconds = r->seconds,
                   .memory = r->memory};
  bool is_out_of_time = r->end == BATCH_REFUSED && r->status == STATUS_UNDECIDED; /* while the model was read */
  if (is_out_of_time) row.verdict = "unknown";
  VECTOR_PUSH(t->rows, row);
  t->unknown += is_out_of_time;
  t->refused += r->end == BATCH_REFUSED && !is_out_of_time;
  t->failed += r->end == BATCH_FAILED;
  t->missing += r->end == BATCH_MISSING;
}

void batch_table_make(batch_table *t, const batch_list *l, const char *folder) {
  *t = (batch_table){.arena = arena_new()};
  for (size_t i = 0; i < l->problems.count; i++) {
    const batch_problem *p = &l->problems.at[i];
    batch_record r;
    char *path = batch_folder_result(folder, p->key);
    batch_record_read(&r, t->arena, path, p);
    for (size_t k = 0; k < r.answers.count; k++) batch_table_add_answer(t, p, &r, &r.answers.at[k], &r.answers);
    if (r.end != BATCH_DONE) batch_table_add_end(t, p, &r);
    VECTOR_FREE(r.answers);
    memory_free(path);
  }
}

void batch_table_clear(batch_table *t) {
  VECTOR_FREE(t->rows);
  arena_free(t->arena);
}

static void add_number(text *out, const char *format, double n) {
  char digits[64];
  snprintf(digits, sizeof digits, format, n);
  csv_add_field(out, digits);
}

static bool is_as_expected(const batch_row *r) {
  return r->holds != HOLDS_UNKNOWN && !strcmp(r->problem->expected, r->holds == HOLDS_YES ? "true" : "false");
}

char *batch_table_csv(const batch_table *t) {
  text out = {0};
  text_add(&out, "model,property,options,expected,verdict,correct,engine,seconds,megabytes,reason,key\n");
  for (size_t i = 0; i < t->rows.count; i++) {
    const batch_row *r = &t->rows.at[i];
    csv_add_field(&out, r->problem->name);
    csv_add_field(&out, r->property);
    csv_add_field(&out, r->problem->options);
    csv_add_field(&out, r->problem->expected);
    csv_add_field(&out, r->verdict);
    csv_add_field(&out, r->is_wrong ? "wrong" : is_as_expected(r) ? "yes" : "");
    csv_add_field(&out, r->engine);
    add_number(&out, "%.3f", r->seconds);
    add_number(&out, "%.1f", (double)r->memory / (1 << 20));
    csv_add_field(&out, r->reason);
    csv_add_field(&out, r->problem->key);
    text_add_char(&out, '\n');
  }
  return text_give(&out);
}
