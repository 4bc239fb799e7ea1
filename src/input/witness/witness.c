/* What is not in the format, or not known of it, is refused with its place. */
#include "input/witness/witness.h"

#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "input/witness/yaml.h"

typedef struct witness_reading {
  c_witness *witness;
  char *error;
} witness_reading;

static void fail(witness_reading *r, place at, const char *format, ...) PRINTF_LIKE(3, 4);

static void fail(witness_reading *r, place at, const char *format, ...) {
  if (r->error) return;
  text out = {0};
  va_list list;
  text_add(&out, "%s:%u:%u: error: ", r->witness->path, at.line, at.column);
  va_start(list, format);
  text_add_list(&out, format, list);
  va_end(list);
  r->error = text_give(&out);
}

/* ---- fields ---- */

static const yaml_node *field_if_any(const yaml_node *n, const char *key) {
  for (size_t i = 0; n->kind == YAML_FIELDS && i < n->count; i++)
    if (n->keys[i]->kind == YAML_WORDS && !strcmp(n->keys[i]->words, key)) return n->values[i];
  return NULL;
}

/* After an error, something of the right kind. */
static const yaml_node *field(witness_reading *r, const yaml_node *n, const char *key, yaml_kind kind) {
  static const char *const kinds[] = {[YAML_WORDS] = "a word", [YAML_LIST] = "a list", [YAML_FIELDS] = "fields"};
  static const yaml_node empty[] = {[YAML_WORDS] = {.kind = YAML_WORDS, .words = ""},
                                    [YAML_LIST] = {.kind = YAML_LIST},
                                    [YAML_FIELDS] = {.kind = YAML_FIELDS}};
  const yaml_node *found = field_if_any(n, key);
  if (found && found->kind == kind) return found;
  if (n->kind != YAML_FIELDS)
    fail(r, n->at, "fields are wanted here, among them `%s`", key);
  else if (!found)
    fail(r, n->at, "there is no `%s`", key);
  else
    fail(r, found->at, "`%s` is to be %s", key, kinds[kind]);
  return &empty[kind];
}

static const char *word(witness_reading *r, const yaml_node *n, const char *key) {
  return field(r, n, key, YAML_WORDS)->words;
}

/* Which of the words it is; 0 after an error. */
static size_t choice(witness_reading *r, const yaml_node *n, const char *key, size_t count, const char *const *words) {
  const yaml_node *at = field(r, n, key, YAML_WORDS);
  for (size_t i = 0; i < count; i++)
    if (!strcmp(at->words, words[i])) return i;
  fail(r, at->at, "the %s `%s` is not read; %s is", key, at->words, words[0]);
  return 0;
}

static uint32_t positive(witness_reading *r, const yaml_node *n) {
  number value;
  int64_t small;
  bool fine = n->kind == YAML_WORDS && number_parse(n->words, strlen(n->words), &value) &&
              number_to_int64(value, &small) && small > 0 && small < UINT32_MAX;
  if (!fine) fail(r, n->at, "a number from 1 on is wanted here");
  return fine ? (uint32_t)small : 0;
}

static void read_location(witness_reading *r, const yaml_node *n, witness_point *out) {
  const yaml_node *at = field(r, n, "location", YAML_FIELDS), *column = field_if_any(at, "column");
  word(r, at, "file_name");
  out->said = at->at;
  out->at.line = positive(r, field(r, at, "line", YAML_WORDS));
  if (column) out->at.column = positive(r, column);
}

/* An expression goes into the text of the program: it must not be able to be anything else there. */
static void read_expression(witness_reading *r, const yaml_node *n, witness_point *out) {
  static const char *const formats[] = {"c_expression"};
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ ()[].<>=!&|+-*/%^~?:";
  const yaml_node *value = field(r, n, "value", YAML_WORDS);
  choice(r, n, "format", ARRAY_LENGTH(formats), formats);
  size_t length = strspn(value->words, allowed);
  int depth = 0;
  for (size_t i = 0; i < length && depth >= 0; i++)
    depth += strchr("([", value->words[i]) ? 1 : strchr(")]", value->words[i]) ? -1 : 0;
  if (value->words[length]) fail(r, value->at, "`%c` is not read in an expression of a witness", value->words[length]);
  if (depth || strstr(value->words, "//") || strstr(value->words, "/*") || !value->words[strspn(value->words, " ")])
    fail(r, value->at, "this is no expression of C");
  out->value = value->words;
}

/* ---- what is said ---- */

/* "\result == 5" */
static void read_comparison(witness_reading *r, const yaml_node *n, witness_point *out) {
  static const char *const formats[] = {"acsl_expression"};
  static const char *const comparisons[] = {"==", "!=", "<=", ">=", "<", ">"};
  const yaml_node *value = field(r, n, "value", YAML_WORDS);
  const char *at = value->words;
  choice(r, n, "format", ARRAY_LENGTH(formats), formats);
  at += strspn(at, " ");
  bool fine = !strncmp(at, "\\result", strlen("\\result"));
  at += fine ? strlen("\\result") : 0;
  at += strspn(at, " ");
  for (size_t i = 0; i < ARRAY_LENGTH(comparisons) && !out->comparison; i++)
    if (!strncmp(at, comparisons[i], strlen(comparisons[i]))) out->comparison = comparisons[i];
  at += out->comparison ? strlen(out->comparison) : 0;
  at += strspn(at, " ");
  size_t length = strcspn(at, " ");
  fine = fine && out->comparison && number_parse(at, length, &out->number) && !at[length + strspn(at + length, " ")];
  if (!fine) fail(r, value->at, "`%s` is not read; `\\result == 5` is", value->words);
}

static void read_constraint(witness_reading *r, const yaml_node *n, witness_point *out) {
  static const char *const truths[] = {"true", "false"};
  if (out->kind == POINT_ASSUMPTION) read_expression(r, field(r, n, "constraint", YAML_FIELDS), out);
  if (out->kind == POINT_RETURN) read_comparison(r, field(r, n, "constraint", YAML_FIELDS), out);
  if (out->kind == POINT_BRANCHING)
    out->holds = !choice(r, field(r, n, "constraint", YAML_FIELDS), "value", ARRAY_LENGTH(truths), truths);
}

static void read_waypoint(witness_reading *r, const yaml_node *n, witness_point *out) {
  static const char *const types[] = {"assumption", "branching", "function_enter", "function_return", "target"};
  static const char *const actions[] = {"follow", "avoid"};
  const yaml_node *at = field(r, n, "waypoint", YAML_FIELDS);
  out->kind = (point_kind)(POINT_ASSUMPTION + choice(r, at, "type", ARRAY_LENGTH(types), types));
  out->avoids = choice(r, at, "action", ARRAY_LENGTH(actions), actions);
  read_location(r, at, out);
  read_constraint(r, at, out);
  if (out->kind == POINT_TARGET && out->avoids) fail(r, at->at, "a target is not to be avoided");
}

/* Those that are avoided, then the one that is followed. The last segment has the target. */
static void read_segments(witness_reading *r, const yaml_node *content) {
  c_witness *w = r->witness;
  for (size_t i = 0; i < content->count && !r->error; i++) {
    const yaml_node *segment = field(r, content->values[i], "segment", YAML_LIST);
    for (size_t j = 0; j < segment->count && !r->error; j++) {
      witness_point made = {.segment = i};
      read_waypoint(r, segment->values[j], &made);
      bool is_last = j + 1 == segment->count, is_end = i + 1 == content->count && is_last;
      if (made.avoids == is_last)
        fail(r, segment->values[j]->at, "the last waypoint of a segment, and no other, is followed");
      if ((made.kind == POINT_TARGET) != is_end)
        fail(r, segment->values[j]->at, "the last waypoint of all, and no other, is the target");
      VECTOR_PUSH(w->points, made);
    }
    if (!segment->count) fail(r, segment->at, "there is no waypoint in this segment");
  }
  w->segments = content->count;
  if (!content->count) fail(r, content->at, "there is no segment; one with a target is needed");
}

static void read_invariants(witness_reading *r, const yaml_node *content) {
  static const char *const types[] = {"loop_invariant", "location_invariant"};
  for (size_t i = 0; i < content->count && !r->error; i++) {
    const yaml_node *n = field(r, content->values[i], "invariant", YAML_FIELDS);
    witness_point made = {.kind = choice(r, n, "type", ARRAY_LENGTH(types), types) ? POINT_LOCATION_INVARIANT
                                                                                   : POINT_LOOP_INVARIANT};
    read_location(r, n, &made);
    read_expression(r, n, &made);
    VECTOR_PUSH(r->witness->points, made);
  }
}

/* ---- the task ---- */

/* Of several properties, those of memory safety together are read. */
static void read_specification(witness_reading *r, const yaml_node *task) {
  static const char *const known[][2] = {{"G ! call(reach_error())", "unreach-call"},
                                         {"G ! overflow", "no-overflow"},
                                         {"G valid-deref", "valid-deref"},
                                         {"G valid-free", "valid-free"},
                                         {"G valid-memtrack", "valid-memtrack"},
                                         {"G valid-memcleanup", "valid-memcleanup"}};
  const yaml_node *n = field(r, task, "specification", YAML_WORDS);
  size_t found = 0, of_memory = 0;
  for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
    if (!strstr(n->words, known[i][0])) continue;
    found++;
    of_memory += i >= 2 && i <= 4;
    r->witness->property = known[i][1];
  }
  if (found > 1) r->witness->property = "valid-memsafety";
  if (strstr(n->words, "F end"))
    fail(r, n->at, "there are no witnesses of termination in the format 2.0; those of other properties are read");
  else if (!found || (found > 1 && of_memory < found))
    fail(r, n->at, "this specification is not decided; CHECK( init(main()), LTL(G ! call(reach_error())) ) is");
}

static void read_task(witness_reading *r, const yaml_node *task) {
  static const char *const machines[] = {"LP64", "ILP32"}, *const languages[] = {"C"};
  const yaml_node *digests = field(r, task, "input_file_hashes", YAML_FIELDS);
  if (field(r, task, "input_files", YAML_LIST)->count > 1)
    fail(r, task->at, "the witness is about several files; one about one file is read");
  for (size_t i = 0; i < digests->count; i++) {
    if (digests->values[i]->kind == YAML_WORDS)
      VECTOR_PUSH(r->witness->digests, digests->values[i]->words);
    else
      fail(r, digests->values[i]->at, "the SHA-256 of a file is wanted here");
  }
  read_specification(r, task);
  r->witness->is_32 = choice(r, task, "data_model", ARRAY_LENGTH(machines), machines);
  choice(r, task, "language", ARRAY_LENGTH(languages), languages);
}

static void read_entry(witness_reading *r, const yaml_node *n) {
  static const char *const types[] = {"invariant_set", "violation_sequence"}, *const versions[] = {"2.0", "2.1"};
  r->witness->is_violation = choice(r, n, "entry_type", ARRAY_LENGTH(types), types);
  const yaml_node *metadata = field(r, n, "metadata", YAML_FIELDS);
  choice(r, metadata, "format_version", ARRAY_LENGTH(versions), versions);
  read_task(r, field(r, metadata, "task", YAML_FIELDS));
  const yaml_node *content = field(r, n, "content", YAML_LIST);
  if (r->error) return;
  if (r->witness->is_violation)
    read_segments(r, content);
  else
    read_invariants(r, content);
}

bool c_witness_is_named(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (!strcmp(dot, ".yml") || !strcmp(dot, ".yaml"));
}

char *c_witness_read(c_witness *w, const char *path, const char *content, size_t length) {
  *w = (c_witness){.arena = arena_new()};
  w->path = arena_copy_string(w->arena, path);
  witness_reading r = {.witness = w};
  char *wrong = NULL;
  const yaml_node *root = yaml_read(w->arena, content, length, &wrong);
  if (!root) {
    char *message = text_format("%s:%s", path, wrong);
    memory_free(wrong);
    return message;
  }
  if (root->kind != YAML_LIST)
    fail(&r, root->at, "a witness is a list of entries");
  else if (root->count != 1)
    fail(&r, root->at, "there are %zu entries; a witness with one is read", root->count);
  else
    read_entry(&r, root->values[0]);
  return r.error;
}

void c_witness_clear(c_witness *w) {
  VECTOR_FREE(w->digests);
  VECTOR_FREE(w->points);
  arena_free(w->arena);
  *w = (c_witness){0};
}
