/* Everything goes into one text, each part after its length, and the text is digested. */
#include "batch/key.h"

#include <sys/stat.h>

#include "base/digest/build.h"
#include "base/map.h"
#include "base/text.h"
#include "batch/words.h"
#include "input/input.h"

enum { MOST_FILES = 10000 };

static void add_part(text *out, const char *bytes, size_t count) {
  text_add(out, "%zu:", count);
  text_add_bytes(out, bytes, count);
}

static void add_string(text *out, const char *string) { add_part(out, string, strlen(string)); }

typedef struct gathering {
  text *out;
  arena *arena;
  names *seen;
  batch_words files;   /* to be added, by path */
  batch_words folders; /* of --include */
  bool may_include;
} gathering;

static void want_file(gathering *g, const char *path) {
  if (names_get(g->seen, path, NULL) || g->files.count >= MOST_FILES) return;
  names_set(g->seen, path, 1);
  VECTOR_PUSH(g->files, arena_copy_string(g->arena, path));
}

static bool is_file(const char *path) {
  struct stat status;
  return !stat(path, &status) && S_ISREG(status.st_mode);
}

/* Every file that the name may mean: which of them it is, is not looked into. */
static void want_included(gathering *g, const char *from, const char *name) {
  const char *slash = strrchr(from, '/');
  char *beside =
      *name == '/' || !slash ? memory_copy_string(name) : text_format("%.*s/%s", (int)(slash - from), from, name);
  if (is_file(beside)) want_file(g, beside);
  memory_free(beside);
  for (size_t i = 0; i < g->folders.count; i++) {
    char *path = text_format("%s/%s", g->folders.at[i], name);
    if (is_file(path)) want_file(g, path);
    memory_free(path);
  }
}

/* Lines `#include "name"` and `#include <name>` of C, `include "name"` of whet's language, wherever they stand. */
static void want_includes(gathering *g, const char *from, const char *content) {
  for (const char *at = content; (at = strstr(at, "include"));) {
    at += strlen("include");
    const char *name = at + strspn(at, " \t");
    if (*name != '"' && *name != '<') continue;
    size_t length = strcspn(++name, "\">\n");
    char *copy = memory_copy_bytes(name, length);
    if (length && name[length] && name[length] != '\n') want_included(g, from, copy);
    memory_free(copy);
  }
}

static void add_file(gathering *g, const char *path) {
  text content = {0};
  char digits[DIGEST_DIGITS + 1] = "unreadable";
  if (text_add_file(&content, path, INPUT_MOST_BYTES + 1)) {
    digest_digits(text_string(&content), content.count, digits);
    if (g->may_include) want_includes(g, path, text_string(&content));
  }
  add_string(g->out, digits);
  text_clear(&content);
}

/* The name of a file that is read counts by its content alone. */
static void add_words(gathering *g, const batch_words *words) {
  for (size_t i = 0; i < words->count; i++) {
    const char *word = words->at[i], *value = i + 1 < words->count ? words->at[i + 1] : NULL;
    add_string(g->out, word);
    bool is_read = !strcmp(word, "--lemma") || !strcmp(word, "--predicates"), is_folder = !strcmp(word, "--include");
    if (!(is_read || is_folder) || !value) continue;
    if (is_folder)
      VECTOR_PUSH(g->folders, value);
    else
      add_file(g, value);
    i++;
  }
}

void batch_key_of(batch_problem *p) {
  text all = {0};
  const char *dot = strrchr(p->model, '.');
  gathering g = {.out = &all, .arena = arena_new(), .seen = names_new()};
  char build[DIGEST_DIGITS + 1];
  build_digits(build);
  add_string(&all, "whet batch 2");
  add_string(&all, WHET_VERSION);
  add_string(&all, build);
  add_string(&all, dot ? dot : "");
  if (batch_ends_in(p->property, ".prp"))
    add_file(&g, p->property);
  else
    add_string(&all, p->property);
  add_words(&g, &p->words);
  g.may_include = batch_ends_in(p->model, ".c") || batch_ends_in(p->model, ".i") || batch_ends_in(p->model, ".whet");
  want_file(&g, p->model);
  for (size_t i = 0; i < g.files.count; i++) add_file(&g, g.files.at[i]);
  digest_digits(text_string(&all), all.count, p->key);
  VECTOR_FREE(g.files);
  VECTOR_FREE(g.folders);
  names_free(g.seen);
  arena_free(g.arena);
  text_clear(&all);
}
