/* Batches: the surface of src/batch. */
#include <unistd.h>

#include "batch/answer.h"
#include "batch/folder.h"
#include "batch/plan.h"
#include "batch/runner.h"
#include "batch/table.h"
#include "library/inside.h"

struct whet_batch {
  batch_list list;
  bool is_plan; /* `plan` has the list */
  batch_plan plan;
  bool is_job; /* one of the plan alone */
  char *folder;
  size_t jobs;
  bool is_part, only_collects;
  atomic_bool stop;
  void (*listen)(void *context, const char *line);
  void *context;
  bool has_table;
  batch_table table;
};

char *library_common_options(const options *o) {
  text out = {0};
  if (o->timeout > 0) text_add(&out, "--timeout %g ", o->timeout);
  if (o->memory) text_add(&out, "--memory %llu ", (unsigned long long)o->memory);
  if (o->options) text_add(&out, "%s", o->options);
  return text_give(&out);
}

static size_t jobs_of(const options *o) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return o->jobs ? (size_t)o->jobs : cores > 0 ? (size_t)cores : 1;
}

static GIVE char *take_part(whet_batch *b, const char *words) {
  unsigned part, parts;
  char rest;
  if (sscanf(words, "%u/%u%c", &part, &parts, &rest) != 2 || !part || part > parts)
    return text_format("--part wants K/N with K from 1 to N, as 3/64, and not %s", words);
  batch_list_keep_part(&b->list, part - 1, parts);
  b->is_part = true;
  return NULL;
}

/* The folder of a plan: all is said there. */
static GIVE char *take_plan(whet_batch *b, const char *folder, const options *o) {
  b->is_plan = true;
  b->is_job = o->job > 0;
  b->folder = memory_copy_string(folder);
  batch_plan_init(&b->plan);
  if (o->out || o->timeout > 0 || o->memory || o->options || o->part)
    return text_format(
        "%s is a plan, which says its folder, limits, options and parts itself; --job, --collect, --jobs are for plans",
        folder);
  if (b->is_job && o->collect) return memory_copy_string("--collect is for all jobs, without --job");
  batch_plan_clear(&b->plan);
  return batch_plan_read(&b->plan, folder, (size_t)o->job);
}

static GIVE char *take_list(whet_batch *b, const char *list, const options *o) {
  char *common = library_common_options(o);
  b->folder = memory_copy_string(library_or_empty(o->out));
  char *wrong = batch_list_read(&b->list, list, common);
  memory_free(common);
  if (!wrong && o->job)
    wrong = text_format("--job is for the folder of a plan, and %s is none: whet plan makes one", list);
  if (!wrong && !*b->folder) wrong = memory_copy_string("the folder for the results is missing: --out DIR");
  if (!wrong && o->part) wrong = take_part(b, o->part);
  return wrong;
}

static const batch_list *list_of(const whet_batch *b) { return b->is_plan ? &b->plan.list : &b->list; }

whet_batch *whet_batch_new(const char *list, const whet_options *o, char **error) {
  whet_batch *b = MEMORY_NEW(whet_batch);
  b->jobs = jobs_of(o->options);
  *error = batch_plan_is_there(list) ? take_plan(b, list, o->options) : take_list(b, list, o->options);
  b->only_collects = o->options->collect;
  if (!*error && b->is_part && b->only_collects)
    *error = memory_copy_string("--collect is for all parts, without --part");
  if (!*error) return b;
  whet_batch_free(b);
  return NULL;
}

void whet_batch_free(whet_batch *b) {
  if (!b) return;
  if (b->has_table) batch_table_clear(&b->table);
  if (b->is_plan)
    batch_plan_clear(&b->plan);
  else
    batch_list_clear(&b->list);
  memory_free(b->folder);
  memory_free(b);
}

void whet_batch_listen(whet_batch *b, void (*listen)(void *context, const char *line), void *context) {
  b->listen = listen;
  b->context = context;
}

void whet_batch_interrupt(whet_batch *b) { b->stop = true; }
size_t whet_batch_note_count(const whet_batch *b) { return list_of(b)->notes.count; }

const char *whet_batch_note(const whet_batch *b, size_t i) {
  REQUIRE(i < list_of(b)->notes.count, "an index below whet_batch_note_count()");
  return list_of(b)->notes.at[i];
}

static GIVE char *run_all(whet_batch *b, const char *program) {
  VECTOR(size_t) which = {0};
  for (size_t i = 0; i < list_of(b)->problems.count; i++) VECTOR_PUSH(which, i);
  batch_run run = {list_of(b), program, b->folder, b->jobs, &b->stop, b->listen, b->context};
  char *wrong = batch_run_all(&run, which.count, which.at);
  VECTOR_FREE(which);
  return wrong;
}

static GIVE char *make_table(whet_batch *b) {
  if (b->has_table) batch_table_clear(&b->table);
  if (b->is_plan && !b->is_job)
    batch_plan_table(&b->table, &b->plan, b->folder);
  else
    batch_table_make(&b->table, list_of(b), b->folder);
  b->has_table = true;
  if (b->is_part || b->is_job) return NULL; /* others are at work: whoever collects writes the table */
  char *wrong = batch_folder_write(b->folder, "table.csv", batch_table_csv(&b->table));
  return wrong ? wrong : batch_folder_write(b->folder, "index.html", batch_table_page(&b->table));
}

bool whet_batch_run(whet_batch *b, const char *program, char **error) {
  *error = batch_folder_make(b->folder);
  if (*error) return false;
  if (b->only_collects) {
    *error = make_table(b);
    return !*error;
  }
  int held = batch_folder_hold(b->folder, b->is_part || b->is_job);
  if (held < 0) {
    *error = text_format("another batch works in %s, or it cannot be written to", b->folder);
    return false;
  }
  if (!b->is_part && !b->is_job) batch_folder_sweep(b->folder);
  *error = run_all(b, program);
  char *wrong = make_table(b);
  if (*error)
    memory_free(wrong);
  else
    *error = wrong;
  close(held);
  return !*error;
}

whet_batch_counts whet_batch_count(const whet_batch *b) {
  const batch_table *t = &b->table;
  return b->has_table ? (whet_batch_counts){t->rows.count, t->holds,   t->violated, t->unknown,
                                            t->wrong,      t->refused, t->failed,   t->missing}
                      : (whet_batch_counts){0};
}

bool whet_batch_is_answered(const whet_batch *b) {
  return b->is_job && batch_answer_is_there(b->folder, b->plan.list.problems.at[0].question);
}

char *whet_batch_wrong(const whet_batch *b) {
  text out = {0};
  for (size_t i = 0; b->has_table && i < b->table.rows.count; i++) {
    const batch_row *r = &b->table.rows.at[i];
    if (!r->is_wrong) continue;
    text_add(&out, "%s %s: %s, but %s is expected", r->problem->name, r->property, r->verdict, r->problem->expected);
    if (*r->problem->options) text_add(&out, " (%s)", r->problem->options);
    text_add_char(&out, '\n');
  }
  return text_give(&out);
}
