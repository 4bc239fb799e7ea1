/* Batches: the surface of src/batch. */
#include <errno.h>
#include <unistd.h>

#include "base/files/atomic_file.h"
#include "batch/folder.h"
#include "batch/runner.h"
#include "batch/table.h"
#include "library/inside.h"

struct whet_batch {
  batch_list list;
  char *folder;
  size_t jobs;
  bool is_part, only_collects;
  atomic_bool stop;
  void (*listen)(void *context, const char *line);
  void *context;
  bool has_table;
  batch_table table;
};

/* Options of the batch that are options of each problem, too. */
static GIVE char *common_options(const options *o) {
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

whet_batch *whet_batch_new(const char *list, const whet_options *o, char **error) {
  whet_batch *b = MEMORY_NEW(whet_batch);
  char *common = common_options(o->options);
  b->jobs = jobs_of(o->options);
  b->folder = memory_copy_string(library_or_empty(o->options->out));
  *error = batch_list_read(&b->list, list, common);
  memory_free(common);
  if (!*error && !*b->folder) *error = memory_copy_string("the folder for the results is missing: --out DIR");
  if (!*error && o->options->part) *error = take_part(b, o->options->part);
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
  batch_list_clear(&b->list);
  memory_free(b->folder);
  memory_free(b);
}

void whet_batch_listen(whet_batch *b, void (*listen)(void *context, const char *line), void *context) {
  b->listen = listen;
  b->context = context;
}

void whet_batch_interrupt(whet_batch *b) { b->stop = true; }
size_t whet_batch_note_count(const whet_batch *b) { return b->list.notes.count; }

const char *whet_batch_note(const whet_batch *b, size_t i) {
  REQUIRE(i < b->list.notes.count, "an index below whet_batch_note_count()");
  return b->list.notes.at[i];
}

static GIVE char *run_all(whet_batch *b, const char *program) {
  VECTOR(size_t) which = {0};
  for (size_t i = 0; i < b->list.problems.count; i++) VECTOR_PUSH(which, i);
  batch_run run = {&b->list, program, b->folder, b->jobs, &b->stop, b->listen, b->context};
  char *wrong = batch_run_all(&run, which.count, which.at);
  VECTOR_FREE(which);
  return wrong;
}

static GIVE char *write_in(const whet_batch *b, const char *name, TAKE char *content) {
  char *path = text_format("%s/%s", b->folder, name);
  char *wrong = atomic_file_write(path, content) ? NULL : text_format("cannot write %s: %s", path, strerror(errno));
  memory_free(content);
  memory_free(path);
  return wrong;
}

static GIVE char *make_table(whet_batch *b) {
  if (b->has_table) batch_table_clear(&b->table);
  batch_table_make(&b->table, &b->list, b->folder);
  b->has_table = true;
  if (b->is_part) return NULL; /* others are at work: whoever collects writes the table */
  char *wrong = write_in(b, "table.csv", batch_table_csv(&b->table));
  return wrong ? wrong : write_in(b, "index.html", batch_table_page(&b->table));
}

bool whet_batch_run(whet_batch *b, const char *program, char **error) {
  *error = batch_folder_make(b->folder);
  if (*error) return false;
  if (b->only_collects) {
    *error = make_table(b);
    return !*error;
  }
  int held = batch_folder_hold(b->folder, b->is_part);
  if (held < 0) {
    *error = text_format("another batch works in %s, or it cannot be written to", b->folder);
    return false;
  }
  if (!b->is_part) batch_folder_sweep(b->folder);
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

char *whet_batch_wrong(const whet_batch *b) {
  text out = {0};
  for (size_t i = 0; b->has_table && i < b->table.rows.count; i++) {
    const batch_row *r = &b->table.rows.at[i];
    if (!r->is_wrong) continue;
    text_add(&out, "%s %s: %s, but %s is expected", r->problem->model, r->property, r->verdict, r->problem->expected);
    if (*r->problem->options) text_add(&out, " (%s)", r->problem->options);
    text_add_char(&out, '\n');
  }
  return text_give(&out);
}
