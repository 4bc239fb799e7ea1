/* The record of a search: lines `name value`, the last of which is a checksum of the others. Files have the number of
 * the property in their names, so that several properties can be searched in one folder. */
#include "engine/explicit/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest/digest.h"
#include "base/files/atomic_file.h"
#include "base/text.h"

static const double SECONDS_BETWEEN_RECORDS = 5;
static const char *const FIRST_LINE = "whet search 1";
enum { LARGEST_RECORD = 1 << 24 };

struct checkpoint {
  disk_folder *folder;
  const search *search;
  char model[DIGEST_DIGITS + 1]; /* of the model and the property */
  char *path;                    /* of the record */
  uint64_t number;               /* of the file of levels that is written, */
  uint64_t recorded;             /* and of the one that the record names */
  bool has_record;
  double last_written;
};

void earlier_search_clear(earlier_search *e) {
  memory_free(e->low);
  memory_free(e->high);
  memory_free(e->gap);
}

checkpoint *checkpoint_new(const search *s, disk_folder *f) {
  checkpoint *c = MEMORY_NEW(checkpoint);
  text shown = {0};
  c->folder = f;
  c->search = s;
  model_print(s->model, &shown);
  text_add(&shown, "\nproperty %zu %s\n", s->env->property, s->property->name);
  digest_digits(shown.at, shown.count, c->model);
  text_clear(&shown);
  c->path = text_format("%s/search-%zu", disk_folder_path(f), s->env->property + 1);
  return c;
}

void checkpoint_free(checkpoint *c) {
  if (!c) return;
  memory_free(c->path);
  memory_free(c);
}

static GIVE char *log_name(const checkpoint *c, uint64_t number) {
  return text_format("levels-%zu-%" PRIu64, c->search->env->property + 1, number);
}

char *checkpoint_log_name(const checkpoint *c) { return log_name(c, c->number); }

void checkpoint_lock(checkpoint *c, const key_log *l) {
  if (key_log_file(l) >= 0 && flock(key_log_file(l), LOCK_EX | LOCK_NB))
    disk_folder_set_problem(c->folder, text_format("another search uses %s", disk_folder_path(c->folder)));
}

void checkpoint_begin_log(checkpoint *c) { c->number++; }

/* ---- writing ---- */

static void remove_log(const checkpoint *c, uint64_t number) {
  char *name = log_name(c, number), *path = text_format("%s/%s", disk_folder_path(c->folder), name);
  unlink(path);
  memory_free(path);
  memory_free(name);
}

static void sign(text *t) {
  char digits[DIGEST_DIGITS + 1];
  digest_digits(t->at, t->count, digits);
  text_add(t, "sum %s\n", digits);
}

static void add_record(const checkpoint *c, const earlier_search *now, text *out) {
  text_add(out, "%s\nmodel %s\nlevels-file %" PRIu64 "\n", FIRST_LINE, c->model, c->number);
  text_add(out, "end %" PRIu64 "\nlevels-sum %" PRIu64 "\nstates %" PRIu64 "\nlevels %" PRIu64 "\n", now->end, now->sum,
           now->states, now->levels);
  for (size_t i = 0; i < c->search->model->variables.count; i++)
    text_add(out, "range %" PRId64 " %" PRId64 "\n", now->low[i], now->high[i]);
  text_add(out, "gap %s\n", now->gap ? now->gap : "");
  sign(out);
}

void checkpoint_write(checkpoint *c, const key_log *l, const earlier_search *now, bool is_last) {
  if (!is_last && c->last_written && clock_seconds() - c->last_written < SECONDS_BETWEEN_RECORDS) return;
  text record = {0};
  add_record(c, now, &record);
  if (fdatasync(key_log_file(l)) || !atomic_file_write(c->path, text_string(&record))) {
    disk_folder_set_problem(c->folder, text_format("cannot write %s: %s", c->path, strerror(errno)));
  } else {
    if (c->has_record && c->recorded != c->number) remove_log(c, c->recorded);
    c->has_record = true;
    c->recorded = c->number;
    c->last_written = clock_seconds();
  }
  text_clear(&record);
}

void checkpoint_remove(checkpoint *c) {
  unlink(c->path);
  remove_log(c, c->number);
  if (c->has_record) remove_log(c, c->recorded);
}

/* ---- reading ---- */

static void refuse(const checkpoint *c, const char *why) {
  disk_folder_set_problem(c->folder, text_format("%s %s", c->path, why));
}

/* NULL if there is no such file, or it cannot be read: then there is a problem. */
static GIVE char *read_record(const checkpoint *c, size_t *count) {
  struct stat about;
  FILE *file = fopen(c->path, "re");
  if (!file) {
    if (errno != ENOENT) refuse(c, "cannot be read");
    return NULL;
  }
  bool is_fine = !fstat(fileno(file), &about) && S_ISREG(about.st_mode) && about.st_size <= LARGEST_RECORD;
  char *content = is_fine ? memory_alloc_zero(1, (size_t)about.st_size + 1) : NULL;
  *count = is_fine ? fread(content, 1, (size_t)about.st_size, file) : 0;
  if (!is_fine || *count != (size_t)about.st_size || memchr(content, 0, *count)) {
    refuse(c, "is no record of a search");
    memory_free(content);
    content = NULL;
  }
  fclose(file);
  return content;
}

/* Whether the last line is the checksum of those before. */
static bool is_signed(char *content, size_t count) {
  char digits[DIGEST_DIGITS + 1];
  size_t line = strlen("sum ") + DIGEST_DIGITS + 1;
  if (count <= line || content[count - 1] != '\n') return false;
  char *last = content + count - line;
  digest_digits(content, count - line, digits);
  return !strncmp(last, "sum ", 4) && !strncmp(last + 4, digits, DIGEST_DIGITS);
}

/* The rest of the next line, if it begins with this name; NULL otherwise. */
static char *line_of(char **at, const char *name) {
  size_t length = strlen(name);
  char *line = *at, *end = strchr(line, '\n');
  if (!end || strncmp(line, name, length) || line[length] != ' ') return NULL;
  *end = '\0';
  *at = end + 1;
  return line + length + 1;
}

static bool number_of_line(char **at, const char *name, uint64_t *out) {
  char *line = line_of(at, name), *end;
  if (!line || line[0] < '0' || line[0] > '9') return false;
  errno = 0;
  *out = strtoull(line, &end, 10);
  return !errno && !*end;
}

static bool range_of_line(char **at, int64_t *low, int64_t *high) {
  char *line = line_of(at, "range"), *end;
  if (!line) return false;
  errno = 0;
  *low = strtoll(line, &end, 10);
  if (*end != ' ') return false;
  *high = strtoll(end + 1, &end, 10);
  return !errno && !*end && *low <= *high;
}

static bool read_lines(checkpoint *c, char *at, earlier_search *out) {
  size_t count = c->search->model->variables.count;
  bool is_fine = number_of_line(&at, "levels-file", &c->number) && number_of_line(&at, "end", &out->end) &&
                 number_of_line(&at, "levels-sum", &out->sum) && number_of_line(&at, "states", &out->states) &&
                 number_of_line(&at, "levels", &out->levels);
  out->low = MEMORY_ARRAY(int64_t, count);
  out->high = MEMORY_ARRAY(int64_t, count);
  for (size_t i = 0; i < count && is_fine; i++) is_fine = range_of_line(&at, &out->low[i], &out->high[i]);
  char *gap = is_fine ? line_of(&at, "gap") : NULL;
  if (gap && *gap) out->gap = memory_copy_string(gap);
  return gap != NULL;
}

bool checkpoint_read(checkpoint *c, earlier_search *out) {
  size_t count;
  char *content = read_record(c, &count), *at = content;
  if (!content) return false;
  bool is_whole = is_signed(content, count) && !strncmp(content, FIRST_LINE, strlen(FIRST_LINE));
  const char *model = NULL;
  if (is_whole) {
    at = strchr(at, '\n') + 1;
    model = line_of(&at, "model");
  }
  bool is_same = model && !strcmp(model, c->model);
  if (!model)
    refuse(c, "is damaged");
  else if (!c->search->env->options->resume)
    refuse(c, "is of an earlier search: --resume goes on with it; remove it to begin anew");
  else if (!is_same)
    refuse(c, "is of another model, property or set of options");
  else if (!read_lines(c, at, out))
    refuse(c, "is damaged");
  c->has_record = true;
  c->recorded = c->number;
  memory_free(content);
  return !disk_folder_problem(c->folder);
}
