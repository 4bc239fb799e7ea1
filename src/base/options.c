/* The table of options, and setting them from text. */
#include "base/options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"

#define OPTION_FLAG(FIELD, NAME, LETTER, COMMANDS, ENGINES, HELP) \
  {OPTION_IS_FLAG, NAME, LETTER, "", "", "", COMMANDS, ENGINES, HELP, 0, 1, 0, offsetof(options, FIELD)},
#define OPTION_INTEGER(FIELD, NAME, LETTER, DEFAULT, LOW, HIGH, ARGUMENT, COMMANDS, ENGINES, HELP)       \
  {OPTION_IS_INTEGER,       NAME, LETTER, ARGUMENT, #DEFAULT, "", COMMANDS, ENGINES, HELP, LOW, HIGH, 0, \
   offsetof(options, FIELD)},
#define OPTION_SECONDS(FIELD, NAME, LETTER, DEFAULT, ARGUMENT, COMMANDS, ENGINES, HELP) \
  {OPTION_IS_SECONDS, NAME, LETTER, ARGUMENT, #DEFAULT, "", COMMANDS, ENGINES, HELP, 0, 0, 0, offsetof(options, FIELD)},
#define OPTION_CHOICE(FIELD, NAME, LETTER, DEFAULT, CONSTANTS, WORDS, COMMANDS, ENGINES, HELP) \
  {OPTION_IS_CHOICE,                                                                           \
   NAME,                                                                                       \
   LETTER,                                                                                     \
   "WORD",                                                                                     \
   DEFAULT,                                                                                    \
   WORDS,                                                                                      \
   COMMANDS,                                                                                   \
   ENGINES,                                                                                    \
   HELP,                                                                                       \
   0,                                                                                          \
   ARRAY_LENGTH(((int[]){OPTIONS_UNWRAP CONSTANTS})) - 1,                                      \
   0,                                                                                          \
   offsetof(options, FIELD)},
#define OPTION_TEXT(FIELD, NAME, LETTER, DEFAULT, ARGUMENT, COMMANDS, ENGINES, HELP) \
  {OPTION_IS_TEXT, NAME, LETTER, ARGUMENT, DEFAULT, "", COMMANDS, ENGINES, HELP, 0, 0, 0, offsetof(options, FIELD)},
#define OPTION_LIST(FIELD, NAME, LETTER, SEPARATOR, ARGUMENT, COMMANDS, ENGINES, HELP) \
  {OPTION_IS_LIST, NAME, LETTER, ARGUMENT, "", "", COMMANDS, ENGINES, HELP, 0, 0, SEPARATOR, offsetof(options, FIELD)},
static const option_row rows[] = {
#include "base/options.def"
};

size_t options_count(void) { return ARRAY_LENGTH(rows); }

const option_row *options_at(size_t i) { return &rows[i]; }

size_t options_index(const option_row *row) { return (size_t)(row - rows); }

const option_row *options_find(const char *name) {
  bool is_letter = name[0] && !name[1];
  for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
    if (is_letter ? rows[i].letter == name[0] : !strcmp(rows[i].name, name)) return &rows[i];
  return NULL;
}

static const char *word_in(const char *list, const char *separators, const char *word, size_t *index) {
  size_t length = strlen(word), i = 0;
  for (const char *at = list; *at; i++) {
    size_t n = strcspn(at, separators);
    if (n == length && !strncmp(at, word, n)) {
      if (index) *index = i;
      return at;
    }
    at += n;
    if (*at) at++;
  }
  return NULL;
}

bool options_list_has(const char *list, const char *word) { return word_in(list, " ,", word, NULL) != NULL; }

options *options_new(void) {
  options *o = MEMORY_NEW(options);
  for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
    if (!*rows[i].initial) continue;
    char *error = options_set(o, rows[i].name, rows[i].initial);
    REQUIRE(!error, "defaults within their ranges");
    o->given[i] = false;
  }
  return o;
}

static bool is_text(const option_row *row) { return row->kind == OPTION_IS_TEXT || row->kind == OPTION_IS_LIST; }

static char **text_field(const options *o, const option_row *row) { return (char **)((char *)o + row->offset); }

options *options_copy(const options *o) {
  options *copy = MEMORY_NEW(options);
  *copy = *o;
  for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
    if (is_text(&rows[i]) && *text_field(o, &rows[i]))
      *text_field(copy, &rows[i]) = memory_copy_string(*text_field(o, &rows[i]));
  return copy;
}

void options_free(options *o) {
  if (!o) return;
  for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
    if (is_text(&rows[i])) memory_free(*text_field(o, &rows[i]));
  memory_free(o);
}

static char *set_flag(bool *field, const option_row *row, const char *value) {
  if (value) return text_format("--%s takes no argument", row->name);
  *field = true;
  return NULL;
}

/* Megabytes may be given as 8G or 800M. */
static void read_unit(const option_row *row, char **end, unsigned long long *n) {
  bool is_size = !strcmp(row->argument, "MB") && **end && !(*end)[1];
  if (is_size && **end == 'G' && *n <= row->high) *n *= 1024;
  if (is_size && (**end == 'G' || **end == 'M')) ++*end;
}

static char *set_integer(uint64_t *field, const option_row *row, const char *value) {
  char *end;
  errno = 0;
  unsigned long long n = strtoull(value, &end, 10);
  read_unit(row, &end, &n);
  bool is_number = value[0] >= '0' && value[0] <= '9' && !*end;
  if (!is_number || errno || n < row->low || n > row->high)
    return text_format("--%s: '%s' is not a whole number from %llu to %llu", row->name, value,
                       (unsigned long long)row->low, (unsigned long long)row->high);
  *field = n;
  return NULL;
}

static char *set_seconds(double *field, const option_row *row, const char *value) {
  char *end;
  double seconds = strtod(value, &end);
  bool is_number = value[0] >= '0' && value[0] <= '9' && !*end;
  if (!is_number || !isfinite(seconds))
    return text_format("--%s: '%s' is not a number of seconds such as 10 or 0.5", row->name, value);
  *field = seconds;
  return NULL;
}

static char *set_choice(int *field, const option_row *row, const char *value) {
  size_t index;
  if (!word_in(row->choices, "|", value, &index))
    return text_format("--%s: '%s' is none of %s", row->name, value, row->choices);
  *field = (int)index;
  return NULL;
}

/* A list goes on. */
static char *set_text(char **field, const char *value) {
  char *old = *field;
  *field = memory_copy_string(value);
  memory_free(old);
  return NULL;
}

static char *add_to_list(char **field, const option_row *row, const char *value) {
  char *old = *field;
  *field = old ? text_format("%s%c%s", old, row->separator, value) : memory_copy_string(value);
  memory_free(old);
  return NULL;
}

static const char *nearest_name(const char *name) {
  const char *best = NULL;
  for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
    if (words_are_near(name, rows[i].name) &&
        (!best || words_distance(name, rows[i].name) < words_distance(name, best)))
      best = rows[i].name;
  return best;
}

static char *set_field(void *field, const option_row *row, const char *value) {
  if (row->kind == OPTION_IS_FLAG) return set_flag(field, row, value);
  if (!value)
    return text_format("--%s wants an argument: --%s %s", row->name, row->name,
                       *row->choices ? row->choices : row->argument);
  switch (row->kind) {
    case OPTION_IS_INTEGER: return set_integer(field, row, value);
    case OPTION_IS_SECONDS: return set_seconds(field, row, value);
    case OPTION_IS_CHOICE: return set_choice(field, row, value);
    case OPTION_IS_LIST: return add_to_list(field, row, value);
    default: return set_text(field, value);
  }
}

char *options_set(options *o, const char *name, const char *value) {
  const option_row *row = options_find(name);
  if (!row) {
    const char *near = nearest_name(name);
    return near ? text_format("there is no option --%s; did you mean --%s?", name, near)
                : text_format("there is no option --%s", name);
  }
  char *error = set_field((char *)o + row->offset, row, value);
  if (!error) o->given[row - rows] = true;
  return error;
}

void options_forget(options *o, const char *name) {
  const option_row *row = options_find(name);
  REQUIRE(row && row->kind == OPTION_IS_LIST, "the name of a list");
  memory_free(*text_field(o, row));
  *text_field(o, row) = NULL;
  o->given[row - rows] = false;
}

static GIVE char *choice_string(const option_row *row, int index) {
  const char *at = row->choices;
  while (index--) at += strcspn(at, "|") + 1;
  return memory_copy_bytes(at, strcspn(at, "|"));
}

char *options_get(const options *o, const char *name) {
  const option_row *row = options_find(name);
  REQUIRE(row, "the name of an option");
  const void *field = (const char *)o + row->offset;
  switch (row->kind) {
    case OPTION_IS_FLAG: return memory_copy_string(*(const bool *)field ? "yes" : "");
    case OPTION_IS_INTEGER: return text_format("%llu", (unsigned long long)*(const uint64_t *)field);
    case OPTION_IS_SECONDS: return text_format("%g", *(const double *)field);
    case OPTION_IS_CHOICE: return choice_string(row, *(const int *)field);
    default: return memory_copy_string(*text_field(o, row) ? *text_field(o, row) : "");
  }
}
