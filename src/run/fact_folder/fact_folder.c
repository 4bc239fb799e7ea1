/* Names of files that were seen are kept, so that each is read once. */
#include "run/fact_folder/fact_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/files/atomic_file.h"
#include "base/instruments/log.h"
#include "base/map.h"
#include "run/fact_folder/fact_file.h"
#include "run/fact_folder/inductive_part.h"

enum { MOST_CANDIDATES = 1000 };
#define SECONDS_BETWEEN_LOOKS 1.0
#define PROVER "--facts"

struct fact_folder {
  model *model;
  char *path;
  shared_facts *known;
  names *seen; /* 0: it is damaged */
  formula_names *names;
  size_t published; /* so many of the known facts were looked at by fact_folder_publish */
  double last_look;
  bool has_looked;
  fact_counts counts;
};

fact_folder *fact_folder_open(model *m, const char *path, shared_facts *known, char **error) {
  struct stat there;
  if (mkdir(path, 0777) && (errno != EEXIST || stat(path, &there) || !S_ISDIR(there.st_mode))) {
    *error = text_format("cannot use the folder %s for facts: %s", path, strerror(errno == EEXIST ? ENOTDIR : errno));
    return NULL;
  }
  fact_folder *f = MEMORY_NEW(fact_folder);
  *f = (fact_folder){
      .model = m, .path = memory_copy_string(path), .known = known, .seen = names_new(), .names = formula_names_of(m)};
  return f;
}

void fact_folder_free(fact_folder *f) {
  if (!f) return;
  memory_free(f->path);
  names_free(f->seen);
  formula_names_free(f->names);
  memory_free(f);
}

fact_counts fact_folder_counts(const fact_folder *f) { return f->counts; }

/* ---- reading ---- */

typedef VECTOR(char *) name_vector;

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* Those not seen before, in the order of the alphabet, so that it does not depend on the file system. */
static void list_new(const fact_folder *f, name_vector *out) {
  DIR *d = opendir(f->path);
  for (struct dirent *entry; d && (entry = readdir(d));)
    if (fact_file_is_named(entry->d_name) && !names_get(f->seen, entry->d_name, NULL))
      VECTOR_PUSH(*out, memory_copy_string(entry->d_name));
  if (d) closedir(d);
  if (out->count) qsort(out->at, out->count, sizeof *out->at, by_name);
}

static fact_file_answer read_one(const fact_folder *f, const char *name, term *out) {
  text content = {0};
  char *path = text_format("%s/%s", f->path, name);
  bool is_there = text_add_file(&content, path, FACT_FILE_MOST_BYTES + 1);
  fact_file_answer a = FACT_FILE_DAMAGED;
  if (is_there && content.count <= FACT_FILE_MOST_BYTES && strlen(text_string(&content)) == content.count)
    a = fact_file_read(f->model, f->names, name, text_string(&content), out);
  memory_free(path);
  text_clear(&content);
  return a;
}

static void read_new(fact_folder *f, fact_counts *n, term_vector *candidates) {
  name_vector files = {0};
  list_new(f, &files);
  for (size_t i = 0; i < files.count; i++) {
    term fact = TERM_TRUE;
    bool is_full = candidates->count >= MOST_CANDIDATES;
    fact_file_answer a = is_full ? FACT_FILE_FOREIGN : read_one(f, files.at[i], &fact);
    names_set(f->seen, files.at[i], a != FACT_FILE_DAMAGED);
    n->left_out += is_full;
    n->found += a == FACT_FILE_READ;
    n->foreign += a == FACT_FILE_FOREIGN && !is_full;
    n->damaged += a == FACT_FILE_DAMAGED;
    if (a == FACT_FILE_READ) VECTOR_PUSH(*candidates, fact);
    memory_free(files.at[i]);
  }
  VECTOR_FREE(files);
}

bool fact_folder_look(fact_folder *f, const worker_limits *limits, const atomic_bool *stop, term_vector *news) {
  terms *ts = f->model->terms;
  term_vector candidates = {0};
  fact_counts n = {0};
  const term_vector *known = shared_facts_facts(f->known);
  f->last_look = clock_seconds();
  read_new(f, &n, &candidates);
  if (candidates.count)
    inductive_part_find(f->model, term_and_all(ts, known->count, known->at), 0, limits, stop, &candidates);
  bool is_any = candidates.count && shared_facts_add_kept(f->known, PROVER, &candidates, limits, news) == LEARNED_FACTS;
  n.kept = candidates.count;
  for (size_t i = 0; i < candidates.count && !is_any; i++) n.kept -= !shared_facts_has(f->known, candidates.at[i]);
  LOG(facts, "folder: %zu facts, %zu kept, %zu foreign, %zu damaged", n.found, n.kept, n.foreign, n.damaged);
  if (!f->has_looked) f->counts = n;
  f->has_looked = true;
  VECTOR_FREE(candidates);
  return is_any;
}

bool fact_folder_look_again(fact_folder *f, const worker_limits *limits, const atomic_bool *stop, term_vector *news) {
  return clock_seconds() - f->last_look >= SECONDS_BETWEEN_LOOKS && fact_folder_look(f, limits, stop, news);
}

/* ---- writing ---- */

static void publish_one(fact_folder *f, term fact) {
  char *content = fact_file_content(f->model->terms, fact), *name = fact_file_name(content);
  char *path = text_format("%s/%s", f->path, name);
  struct stat there;
  uint64_t is_whole = 0;
  bool is_seen = names_get(f->seen, name, &is_whole);
  if (*content && (is_seen ? !is_whole : stat(path, &there) != 0)) atomic_file_write(path, content);
  if (*content) names_set(f->seen, name, 1);
  memory_free(content);
  memory_free(name);
  memory_free(path);
}

void fact_folder_publish(fact_folder *f) {
  const term_vector *known = shared_facts_facts(f->known);
  for (; f->published < known->count; f->published++) publish_one(f, known->at[f->published]);
}
