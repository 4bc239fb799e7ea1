/* Of YAML, what task definitions are written in: `key: value`, and lists of such or of words, an item to a line. */
#include "input/witness/task.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { MOST_BYTES = 1 << 20 };

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), of_ending = strlen(ending);
  return length > of_ending && !strcmp(path + length - of_ending, ending);
}

bool c_task_is_named(const char *path) { return ends_in(path, ".yml") || ends_in(path, ".prp"); }

/* `name`, from the folder of `path`. */
static const char *beside(c_task *t, const char *path, const char *name) {
  const char *slash = strrchr(path, '/');
  if (*name == '/' || !slash) return arena_copy_string(t->arena, name);
  char *joined = text_format("%.*s/%s", (int)(slash - path), path, name);
  const char *kept = arena_copy_string(t->arena, joined);
  memory_free(joined);
  return kept;
}

/* ---- properties ---- */

/* What a file of properties checks, in the words of the competition, and what whet calls it. */
static const struct {
  const char *words, *name;
} meanings[] = {
    {"G ! call(reach_error())", "unreach-call"},
    {"G ! call(__VERIFIER_error())", "unreach-call"},
    {"G ! overflow", "no-overflow"},
    {"G valid-deref", "valid-deref"},
    {"G valid-free", "valid-free"},
    {"G valid-memtrack", "valid-memtrack"},
    {"G valid-memcleanup", "valid-memcleanup"},
    {"G ! data-race", NULL},
    {"F end", "termination"},
    {"G def-behavior", NULL},
};

/* If one of several properties is violated, the definition says which; of the others it says nothing. */
static void add_property(c_task *t, const char *name, const char *as_named, const char *expected) {
  if (*t->violated && name && strcmp(t->violated, name)) expected = "";
  for (size_t i = 0; i < t->properties.count; i++)
    if (name && t->properties.at[i].name && !strcmp(t->properties.at[i].name, name)) return;
  c_task_property made = {name, arena_copy_string(t->arena, as_named), arena_copy_string(t->arena, expected)};
  VECTOR_PUSH(t->properties, made);
}

/* A property that no file was found for is known by the file's name. */
static void add_by_name(c_task *t, const char *file, const char *expected) {
  static const char *const names[] = {"unreach-call",   "no-overflow",      "valid-deref", "valid-free",
                                      "valid-memtrack", "valid-memcleanup", "termination"};
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
  const char *found = NULL;
  if (!strcmp(base, "valid-memsafety.prp")) {
    add_property(t, "valid-deref", base, expected);
    add_property(t, "valid-free", base, expected);
    add_property(t, "valid-memtrack", base, expected);
    return;
  }
  for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
    if (!strncmp(base, names[i], strlen(names[i])) && !strcmp(base + strlen(names[i]), ".prp")) found = names[i];
  add_property(t, found, base, expected);
}

static GIVE char *add_properties(c_task *t, const char *path, const char *expected) {
  text content = {0};
  bool is_any = false;
  if (!text_add_file(&content, path, MOST_BYTES)) {
    text_clear(&content);
    return text_format("%s cannot be read", path);
  }
  for (size_t i = 0; i < ARRAY_LENGTH(meanings); i++)
    if (strstr(text_string(&content), meanings[i].words)) {
      add_property(t, meanings[i].name, meanings[i].words, expected);
      is_any = true;
    }
  text_clear(&content);
  return is_any ? NULL
                : text_format(
                      "%s: there is no property that is known (CHECK( init(main()), LTL(G ! call(reach_error())) ))",
                      path);
}

/* ---- definitions ---- */

typedef struct yaml_line {
  size_t indent;
  bool is_item; /* begins with `- ` */
  char *key, *value;
} yaml_line;

static char *without_quotes(char *word) {
  size_t n = strlen(word);
  while (n && isspace((unsigned char)word[n - 1])) word[--n] = 0;
  if (n >= 2 && (*word == '\'' || *word == '"') && word[n - 1] == *word) {
    word[n - 1] = 0;
    return word + 1;
  }
  return word;
}

/* Takes a line apart in place. False if there is nothing on it. */
static bool take_apart(char *line, yaml_line *out) {
  char *comment = strstr(line, " #");
  if (*line == '#' || !strncmp(line, "---", 3)) return false;
  if (comment) *comment = 0;
  *out = (yaml_line){.indent = strspn(line, " ")};
  line += out->indent;
  if (!strncmp(line, "- ", 2)) {
    out->is_item = true;
    line += 2;
  }
  char *colon = strstr(line, ": ");
  if (!colon && *line && line[strlen(line) - 1] == ':') colon = line + strlen(line) - 1;
  out->key = colon ? line : (char *)"";
  out->value = colon ? colon + 1 + strspn(colon + 1, " ") : line;
  if (colon) *colon = 0;
  out->value = without_quotes(out->value);
  return *out->key || *out->value;
}

typedef struct reading {
  c_task *task;
  const char *path;
  char *section; /* the last key without indentation */
  const char *property_file, *expected;
  char *wrong;
} reading;

static void end_property(reading *r) {
  if (!r->property_file) return;
  const char *path = beside(r->task, r->path, r->property_file);
  FILE *f = fopen(path, "r");
  if (f)
    fclose(f);
  else
    add_by_name(r->task, path, r->expected ? r->expected : "");
  if (f && !r->wrong) r->wrong = add_properties(r->task, path, r->expected ? r->expected : "");
  r->property_file = r->expected = NULL;
  r->task->violated = "";
}

static void set_file(reading *r, const char *name) {
  if (r->task->file && !r->wrong)
    r->wrong = text_format("%s: there are several input files; a task with one is read", r->path);
  r->task->file = beside(r->task, r->path, name);
}

static void use_line(reading *r, const yaml_line *l) {
  bool is_top = !l->indent && !l->is_item;
  if (is_top) r->section = l->key;
  if (!strcmp(r->section, "input_files") && *l->value) set_file(r, l->value);
  if (!strcmp(r->section, "properties") && l->is_item) end_property(r);
  if (!strcmp(l->key, "property_file")) r->property_file = arena_copy_string(r->task->arena, l->value);
  if (!strcmp(l->key, "expected_verdict")) r->expected = arena_copy_string(r->task->arena, l->value);
  if (!strcmp(l->key, "subproperty")) r->task->violated = arena_copy_string(r->task->arena, l->value);
  if (!strcmp(l->key, "data_model"))
    r->task->machine = !strcmp(l->value, "ILP32") ? "32" : !strcmp(l->value, "LP64") ? "64" : "?";
  if (!strcmp(l->key, "language") && strcmp(l->value, "C") && !r->wrong)
    r->wrong = text_format("%s: the language is `%s`; C is read", r->path, l->value);
}

static GIVE char *read_definition(c_task *t, const char *path) {
  text content = {0};
  if (!text_add_file(&content, path, MOST_BYTES)) {
    text_clear(&content);
    return text_format("%s cannot be read", path);
  }
  reading r = {.task = t, .path = path, .section = (char *)""};
  char *all = text_give(&content), *rest = all;
  for (char *line; (line = strsep(&rest, "\n"));) {
    yaml_line l;
    if (take_apart(line, &l)) use_line(&r, &l);
  }
  end_property(&r);
  memory_free(all);
  if (!r.wrong && !t->file) r.wrong = text_format("%s: there is no `input_files`; a task definition has one", path);
  if (!r.wrong && !strcmp(t->machine, "?")) r.wrong = text_format("%s: the data model is neither ILP32 nor LP64", path);
  return r.wrong;
}

GIVE char *c_task_read(c_task *t, const char *path) {
  *t = (c_task){.arena = arena_new(), .machine = "", .violated = ""};
  return ends_in(path, ".prp") ? add_properties(t, path, "") : read_definition(t, path);
}

void c_task_clear(c_task *t) {
  VECTOR_FREE(t->properties);
  arena_free(t->arena);
  *t = (c_task){0};
}
