/* Tables, folders and task definitions become problems. Paths in a table start from its folder, as those of task definitions do. */
#include "batch/list.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/map.h"
#include "base/text.h"
#include "batch/csv.h"
#include "batch/key.h"
#include "batch/words.h"
#include "input/input.h"
#include "input/witness/task.h"

enum { MOST_BYTES = 64 << 20, DEEPEST_FOLDER = 64 };

typedef struct reading {
  batch_list *list;
  batch_words common;
} reading;

static const char *keep(const reading *r, TAKE char *string) {
  const char *kept = arena_copy_string(r->list->arena, string);
  memory_free(string);
  return kept;
}

/* What comes before the last slash; "" if there is none. */
static const char *folder_of(const reading *r, const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? arena_copy_bytes(r->list->arena, path, slash > path ? (size_t)(slash - path) : 1) : "";
}

static void add_problem(const reading *r, batch_problem p) {
  batch_words_add_common(&r->common, &p.words);
  p.name = p.model;
  VECTOR_PUSH(r->list->problems, p);
}

/* ---- tables ---- */

typedef enum column { COLUMN_MODEL, COLUMN_PROPERTY, COLUMN_OPTIONS, COLUMN_EXPECTED, COLUMNS } column;
static const char *const column_names[COLUMNS] = {"model", "property", "options", "expected"};

/* NULL if the word is none of those that say what is expected. */
static const char *expected_of(const char *word) {
  static const char *const holds[] = {"true", "safe", "holds", "sat", "SAFE", "HOLDS"};
  static const char *const violated[] = {"false", "unsafe", "fails", "unsat", "UNSAFE", "FAILS"};
  for (size_t i = 0; i < ARRAY_LENGTH(holds); i++) {
    if (!strcmp(word, holds[i])) return "true";
    if (!strcmp(word, violated[i])) return "false";
  }
  return *word && strcmp(word, "unknown") ? NULL : "";
}

/* Where each column stands; SIZE_MAX if it is not there. */
static GIVE char *read_header(const csv_table *t, size_t places[COLUMNS]) {
  const csv_row *header = t->rows.count ? &t->rows.at[0] : NULL;
  for (size_t c = 0; c < COLUMNS; c++) places[c] = SIZE_MAX;
  for (size_t i = 0; header && i < header->fields.count; i++) {
    size_t c = 0;
    while (c < COLUMNS && strcmp(header->fields.at[i], column_names[c]) != 0) c++;
    if (c == COLUMNS)
      return text_format(
          "%zu: there is no column `%s`; the first line names some of: model, property, options, expected",
          header->line, header->fields.at[i]);
    if (places[c] != SIZE_MAX) return text_format("%zu: the column `%s` is there twice", header->line, column_names[c]);
    places[c] = i;
  }
  return places[COLUMN_MODEL] == SIZE_MAX
             ? text_format("%zu: the first line names the columns, and `model` is one of them",
                           header ? header->line : 1)
             : NULL;
}

static GIVE char *read_row(const reading *r, const csv_row *row, const size_t places[COLUMNS], const char *folder) {
  arena *a = r->list->arena;
  const char *fields[COLUMNS];
  for (size_t c = 0; c < COLUMNS; c++)
    fields[c] = places[c] < row->fields.count ? arena_copy_string(a, row->fields.at[places[c]]) : "";
  if (!*fields[COLUMN_MODEL]) return text_format("%zu: no model is named", row->line);
  if (!strcmp(fields[COLUMN_MODEL], "-"))
    return text_format("%zu: standard input (-) cannot be a model of a batch, which may read it again", row->line);
  const char *expected = expected_of(fields[COLUMN_EXPECTED]), *property = fields[COLUMN_PROPERTY];
  if (!expected)
    return text_format("%zu: `%s` is no answer to expect; true and false are, or nothing", row->line,
                       fields[COLUMN_EXPECTED]);
  batch_problem p = {.model = batch_path(a, folder, fields[COLUMN_MODEL]),
                     .property = batch_ends_in(property, ".prp") ? batch_path(a, folder, property) : property,
                     .expected = expected,
                     .options = fields[COLUMN_OPTIONS]};
  char *wrong = batch_words_read(a, p.options, folder, &p.words);
  if (wrong) {
    char *placed = text_format("%zu: %s", row->line, wrong);
    memory_free(wrong);
    VECTOR_FREE(p.words);
    return placed;
  }
  add_problem(r, p);
  return NULL;
}

static GIVE char *read_table(const reading *r, const char *path) {
  text content = {0};
  csv_table t;
  size_t places[COLUMNS];
  if (!text_add_file(&content, path, MOST_BYTES)) {
    text_clear(&content);
    return text_format("cannot read %s: %s", path, strerror(errno));
  }
  const char *folder = folder_of(r, path);
  char *wrong = csv_read(&t, text_string(&content));
  if (!wrong) wrong = read_header(&t, places);
  for (size_t i = 1; !wrong && i < t.rows.count; i++) {
    wrong = t.rows.at[i].fields.count > t.rows.at[0].fields.count
                ? text_format("%zu: there are more fields than columns", t.rows.at[i].line)
                : read_row(r, &t.rows.at[i], places, folder);
  }
  csv_clear(&t);
  text_clear(&content);
  if (!wrong) return NULL;
  char *placed = text_format("%s:%s", path, wrong);
  memory_free(wrong);
  return placed;
}

/* ---- task definitions ---- */

/* Each property that whet has is a problem of its own; the others are named in notes. */
static void add_task(const reading *r, const char *path, const c_task *t) {
  arena *a = r->list->arena;
  for (size_t i = 0; i < t->properties.count; i++) {
    const c_task_property *of = &t->properties.at[i];
    if (!of->name) {
      VECTOR_PUSH(r->list->notes,
                  keep(r, text_format("%s: %s is left out: whet has no such property", path, of->as_named)));
      continue;
    }
    batch_problem p = {.model = arena_copy_string(a, t->file),
                       .property = arena_copy_string(a, of->name),
                       .expected = !strcmp(of->expected, "true")    ? "true"
                                   : !strcmp(of->expected, "false") ? "false"
                                                                    : "",
                       .options = ""};
    if (*t->machine) {
      VECTOR_PUSH(p.words, "--machine");
      VECTOR_PUSH(p.words, arena_copy_string(a, t->machine));
    }
    add_problem(r, p);
  }
}

static GIVE char *read_task(const reading *r, const char *path) {
  c_task t;
  char *wrong = c_task_read(&t, path);
  if (!wrong) add_task(r, path, &t);
  c_task_clear(&t);
  return wrong;
}

/* ---- folders ---- */

static bool is_model(const char *path) {
  for (size_t i = 0; i < languages_count(); i++)
    if (batch_ends_in(path, languages_ending(i))) return true;
  return false;
}

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* Names of files below `folder`, with it, in the order of the alphabet; none that begin with a point. */
static GIVE char *list_files(const reading *r, const char *folder, unsigned depth, batch_words *out) {
  DIR *d = opendir(folder);
  batch_words folders = {0};
  char *wrong = d ? NULL : text_format("cannot read the folder %s: %s", folder, strerror(errno));
  for (struct dirent *entry; d && (entry = readdir(d));) {
    struct stat there;
    const char *path = *entry->d_name == '.' ? NULL : batch_path(r->list->arena, folder, entry->d_name);
    if (!path || stat(path, &there)) continue;
    if (S_ISREG(there.st_mode)) VECTOR_PUSH(*out, path);
    if (S_ISDIR(there.st_mode) && depth < DEEPEST_FOLDER) VECTOR_PUSH(folders, path);
  }
  if (d) closedir(d);
  for (size_t i = 0; i < folders.count && !wrong; i++) wrong = list_files(r, folders.at[i], depth + 1, out);
  VECTOR_FREE(folders);
  return wrong;
}

/* Task definitions come first: the programs that they name are no problems of their own. */
static GIVE char *read_folder(const reading *r, const char *path) {
  batch_words files = {0};
  batch_list *l = r->list;
  char *wrong = list_files(r, path, 0, &files);
  if (!wrong && files.count) qsort(files.at, files.count, sizeof *files.at, by_name);
  for (size_t i = 0; !wrong && i < files.count; i++) {
    char *why = batch_ends_in(files.at[i], ".yml") ? read_task(r, files.at[i]) : NULL;
    if (why)
      VECTOR_PUSH(l->notes, keep(r, text_format("%s is left out: it is no task definition: %s", files.at[i], why)));
    memory_free(why);
  }
  names *of_tasks = names_new();
  for (size_t i = 0; i < l->problems.count; i++) names_set(of_tasks, l->problems.at[i].model, 1);
  for (size_t i = 0; !wrong && i < files.count; i++)
    if (is_model(files.at[i]) && !names_get(of_tasks, files.at[i], NULL))
      add_problem(r, (batch_problem){.model = files.at[i], .property = "", .expected = "", .options = ""});
  names_free(of_tasks);
  VECTOR_FREE(files);
  return wrong;
}

/* ---- all ---- */

/* A folder is named without slashes at its end, so that tables do not depend on them. */
static const char *without_slashes(const reading *r, const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  return arena_copy_bytes(r->list->arena, path, length);
}

static GIVE char *read_any(const reading *r, const char *path) {
  struct stat there;
  if (stat(path, &there)) return text_format("cannot read %s: %s", path, strerror(errno));
  if (S_ISDIR(there.st_mode)) return read_folder(r, without_slashes(r, path));
  if (batch_ends_in(path, ".csv")) return read_table(r, path);
  if (batch_ends_in(path, ".yml")) return read_task(r, path);
  return text_format("%s is no list of problems: that is a table (.csv), a folder, or a task definition (.yml)", path);
}

char *batch_list_read(batch_list *l, const char *path, const char *common) {
  *l = (batch_list){.arena = arena_new()};
  reading r = {.list = l};
  char *wrong = batch_words_read(l->arena, common, "", &r.common);
  if (!wrong) wrong = read_any(&r, path);
  if (!wrong && !l->problems.count) wrong = text_format("there is no problem in %s", path);
  for (size_t i = 0; !wrong && i < l->problems.count; i++) batch_key_of(&l->problems.at[i]);
  VECTOR_FREE(r.common);
  return wrong;
}

void batch_list_keep_part(batch_list *l, size_t part, size_t parts) {
  size_t kept = 0;
  for (size_t i = 0; i < l->problems.count; i++) {
    batch_problem *p = &l->problems.at[i];
    char digits[] = {p->key[0], p->key[1], p->key[2], p->key[3], p->key[4], p->key[5], p->key[6], 0};
    if (strtoul(digits, NULL, 16) % parts == part)
      l->problems.at[kept++] = *p;
    else
      VECTOR_FREE(p->words);
  }
  l->problems.count = kept;
}

void batch_list_clear(batch_list *l) {
  for (size_t i = 0; i < l->problems.count; i++) VECTOR_FREE(l->problems.at[i].words);
  VECTOR_FREE(l->problems);
  VECTOR_FREE(l->notes);
  arena_free(l->arena);
}
