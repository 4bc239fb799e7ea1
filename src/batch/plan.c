/* Plans as tables. What stands in a file of a plan may be anything: it is read as the lists of batches are. */
#include "batch/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"
#include "batch/csv.h"
#include "batch/folder.h"
#include "batch/key.h"
#include "batch/words.h"

enum { MOST_BYTES = 256 << 20 };

typedef enum column {
  COLUMN_PROBLEM,
  COLUMN_ROW,
  COLUMN_NAME,
  COLUMN_MODEL,
  COLUMN_PROPERTY,
  COLUMN_OPTIONS,
  COLUMN_EXPECTED,
  COLUMN_FACTS,
  COLUMN_ASKED,
  COLUMN_OWN,
  COLUMNS
} column;
static const char header[] = "problem,row,name,model,property,options,expected,facts,asked,own\n";

void batch_plan_init(batch_plan *p) { *p = (batch_plan){.list = {.arena = arena_new()}}; }

void batch_plan_clear(batch_plan *p) {
  VECTOR_FREE(p->jobs);
  batch_list_clear(&p->list);
}

/* ---- jobs ---- */

static void push(batch_plan *p, batch_problem made, plan_job job) {
  batch_words all = made.words;
  made.words.count = job.asked;
  batch_key_of(&made);
  memcpy(made.question, made.key, sizeof made.key);
  made.words = all;
  batch_key_of(&made);
  VECTOR_PUSH(p->list.problems, made);
  VECTOR_PUSH(p->jobs, job);
}

void batch_plan_add(batch_plan *p, const batch_problem *asked, const batch_words *own, plan_job job) {
  arena *a = p->list.arena;
  batch_problem made = {.model = batch_absolute_path(a, asked->model),
                        .name = arena_copy_string(a, asked->name),
                        .property = batch_ends_in(asked->property, ".prp") ? batch_absolute_path(a, asked->property)
                                                                           : arena_copy_string(a, asked->property),
                        .expected = asked->expected,
                        .options = arena_copy_string(a, asked->options)};
  for (size_t i = 0; i < asked->words.count; i++) VECTOR_PUSH(made.words, arena_copy_string(a, asked->words.at[i]));
  batch_words_make_absolute(a, &made.words);
  job.asked = made.words.count;
  for (size_t i = 0; i < own->count; i++) VECTOR_PUSH(made.words, arena_copy_string(a, own->at[i]));
  push(p, made, job);
}

static bool is_alone(const batch_plan *p, size_t job) {
  for (size_t i = 0; i < p->jobs.count; i++)
    if (i != job && p->jobs.at[i].row == p->jobs.at[job].row) return false;
  return true;
}

void batch_plan_share_facts(batch_plan *p, const char *folder) {
  for (size_t i = 0; i < p->jobs.count; i++) {
    batch_problem *of = &p->list.problems.at[i];
    char *path = text_format("%s/" BATCH_FACTS "/%.*s", folder, PLAN_NAME_DIGITS, of->question);
    if (!is_alone(p, i)) of->facts = arena_copy_string(p->list.arena, path);
    memory_free(path);
  }
}

char *batch_plan_others(const batch_plan *p, size_t job) {
  text out = {0};
  for (size_t i = 0; i < p->jobs.count; i++)
    if (i != job && p->jobs.at[i].row == p->jobs.at[job].row) text_add(&out, "%s%zu", out.count ? "," : "", i + 1);
  if (!out.count) text_add_char(&out, '-');
  return text_give(&out);
}

/* ---- writing ---- */

static void add_words(text *out, const batch_words *words, size_t from, size_t to) {
  text line = {0};
  for (size_t i = from; i < to; i++) {
    if (i > from) text_add_char(&line, ' ');
    batch_word_add(&line, words->at[i]);
  }
  csv_add_field(out, text_string(&line));
  text_clear(&line);
}

static void add_number(text *out, size_t n) {
  char *digits = text_format("%zu", n);
  csv_add_field(out, digits);
  memory_free(digits);
}

static void add_job(text *out, const batch_plan *p, size_t i) {
  const batch_problem *of = &p->list.problems.at[i];
  const plan_job *j = &p->jobs.at[i];
  const char *const fields[] = {of->name,    of->model,    of->property,
                                of->options, of->expected, of->facts ? of->facts : ""};
  add_number(out, j->problem);
  add_number(out, j->row);
  for (size_t k = 0; k < ARRAY_LENGTH(fields); k++) csv_add_field(out, fields[k]);
  add_words(out, &of->words, 0, j->asked);
  add_words(out, &of->words, j->asked, of->words.count);
  text_add_char(out, '\n');
}

static GIVE char *write_job(const batch_plan *p, const char *folder, size_t i) {
  text out = {0};
  char *others = batch_plan_others(p, i), *name = text_format(BATCH_JOBS "/%zu", i + 1);
  text_add(&out, "whet-%.*s %s\n%s", PLAN_NAME_DIGITS, p->list.problems.at[i].question, others, header);
  add_job(&out, p, i);
  char *wrong = batch_folder_write(folder, name, text_give(&out));
  memory_free(others);
  memory_free(name);
  return wrong;
}

/* An earlier plan in the same folder may have had more. */
static void remove_rest(const char *folder, size_t count) {
  for (bool is_gone = true; is_gone; count++) {
    char *path = text_format("%s/" BATCH_JOBS "/%zu", folder, count + 1);
    is_gone = !unlink(path);
    memory_free(path);
  }
}

char *batch_plan_write(const batch_plan *p, const char *folder) {
  static const char *const inside[] = {BATCH_JOBS, BATCH_ANSWERS, BATCH_LOGS, BATCH_FACTS};
  char *wrong = batch_folder_make(folder);
  for (size_t i = 0; i < ARRAY_LENGTH(inside) && !wrong; i++) wrong = batch_folder_make_inside(folder, inside[i]);
  text all = {0};
  text_add(&all, "%s", header);
  for (size_t i = 0; i < p->jobs.count && !wrong; i++) {
    add_job(&all, p, i);
    wrong = write_job(p, folder, i);
  }
  if (!wrong) remove_rest(folder, p->jobs.count);
  char *content = text_give(&all);
  if (!wrong) return batch_folder_write(folder, "plan.csv", content);
  memory_free(content);
  return wrong;
}

/* ---- reading ---- */

static bool take_number(const char *digits, size_t *out) {
  char *end;
  errno = 0;
  unsigned long n = strtoul(digits, &end, 10);
  *out = n;
  return *digits >= '0' && *digits <= '9' && !*end && !errno;
}

static GIVE char *read_row(batch_plan *p, const csv_row *row) {
  arena *a = p->list.arena;
  const char *f[COLUMNS];
  plan_job job = {0};
  if (row->fields.count != COLUMNS) return text_format("there are %zu fields, not %d", row->fields.count, COLUMNS);
  for (size_t c = 0; c < COLUMNS; c++) f[c] = arena_copy_string(a, row->fields.at[c]);
  if (!take_number(f[COLUMN_PROBLEM], &job.problem) || !take_number(f[COLUMN_ROW], &job.row))
    return text_format("`%s` or `%s` is no number", f[COLUMN_PROBLEM], f[COLUMN_ROW]);
  batch_problem made = {.model = f[COLUMN_MODEL],
                        .name = f[COLUMN_NAME],
                        .property = f[COLUMN_PROPERTY],
                        .options = f[COLUMN_OPTIONS],
                        .expected = f[COLUMN_EXPECTED],
                        .facts = *f[COLUMN_FACTS] ? f[COLUMN_FACTS] : NULL};
  char *wrong = batch_words_read(a, f[COLUMN_ASKED], "", &made.words);
  job.asked = made.words.count;
  if (!wrong) wrong = batch_words_read(a, f[COLUMN_OWN], "", &made.words);
  if (wrong)
    VECTOR_FREE(made.words);
  else
    push(p, made, job);
  return wrong;
}

static GIVE char *read_table(batch_plan *p, const char *content) {
  csv_table t;
  char *wrong = csv_read(&t, content);
  for (size_t i = 1; i < t.rows.count && !wrong; i++) {
    char *why = read_row(p, &t.rows.at[i]);
    if (why) wrong = text_format("%zu: %s", t.rows.at[i].line, why);
    memory_free(why);
  }
  csv_clear(&t);
  if (!wrong && !p->jobs.count) wrong = memory_copy_string("1: there is no job in it");
  return wrong;
}

bool batch_plan_is_there(const char *folder) {
  char *path = text_format("%s/plan.csv", folder);
  bool is_there = !access(path, F_OK);
  memory_free(path);
  return is_there;
}

char *batch_plan_read(batch_plan *p, const char *folder, size_t job) {
  char *path = job ? text_format("%s/" BATCH_JOBS "/%zu", folder, job) : text_format("%s/plan.csv", folder),
       *wrong = NULL;
  text content = {0};
  batch_plan_init(p);
  if (!text_add_file(&content, path, MOST_BYTES)) {
    wrong = text_format("cannot read %s: %s", path, strerror(errno));
  } else {
    const char *from = text_string(&content), *line = job ? strchr(from, '\n') : NULL;
    char *why = read_table(p, line ? line + 1 : from);
    if (why) wrong = text_format("%s:%s", path, why);
    memory_free(why);
  }
  text_clear(&content);
  memory_free(path);
  return wrong;
}
