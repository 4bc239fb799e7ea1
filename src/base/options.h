/* The options of a run: one struct, made from options.def as all else about them is. */
#ifndef WHET_BASE_OPTIONS_H
#define WHET_BASE_OPTIONS_H

#include "base/base.h"

#define OPTIONS_UNWRAP(...) __VA_ARGS__

#define OPTION_FLAG(...)
#define OPTION_INTEGER(...)
#define OPTION_SECONDS(...)
#define OPTION_TEXT(...)
#define OPTION_LIST(...)
#define OPTION_CHOICE(FIELD, NAME, LETTER, DEFAULT, CONSTANTS, ...) \
  typedef enum option_##FIELD{OPTIONS_UNWRAP CONSTANTS} option_##FIELD;
#include "base/options.def"
#undef OPTION_FLAG
#undef OPTION_INTEGER
#undef OPTION_SECONDS
#undef OPTION_TEXT
#undef OPTION_LIST
#undef OPTION_CHOICE

#define OPTION_FLAG(...) +1
#define OPTION_INTEGER(...) +1
#define OPTION_SECONDS(...) +1
#define OPTION_TEXT(...) +1
#define OPTION_LIST(...) +1
#define OPTION_CHOICE(...) +1
enum {
  OPTIONS_COUNT = 0
#include "base/options.def"
};
#undef OPTION_FLAG
#undef OPTION_INTEGER
#undef OPTION_SECONDS
#undef OPTION_TEXT
#undef OPTION_LIST
#undef OPTION_CHOICE

#define OPTION_FLAG(FIELD, ...) bool FIELD;
#define OPTION_INTEGER(FIELD, ...) uint64_t FIELD;
#define OPTION_SECONDS(FIELD, ...) double FIELD;
#define OPTION_TEXT(FIELD, ...) char *FIELD; /* owned; NULL if not given and without a default */
#define OPTION_LIST(FIELD, ...) char *FIELD; /* the same: what was given, with the separator between */
#define OPTION_CHOICE(FIELD, ...) option_##FIELD FIELD;
typedef struct options {
#include "base/options.def"
  bool given[OPTIONS_COUNT]; /* by row: set by options_set, whatever the value */
} options;
#undef OPTION_FLAG
#undef OPTION_INTEGER
#undef OPTION_SECONDS
#undef OPTION_TEXT
#undef OPTION_LIST
#undef OPTION_CHOICE

typedef enum option_kind {
  OPTION_IS_FLAG,
  OPTION_IS_INTEGER,
  OPTION_IS_SECONDS,
  OPTION_IS_CHOICE,
  OPTION_IS_TEXT,
  OPTION_IS_LIST,
} option_kind;

/* A row of the table. */
typedef struct option_row {
  option_kind kind;
  const char *name;               /* without dashes */
  char letter;                    /* the short form, or 0 */
  const char *argument;           /* "" for flags */
  const char *initial;            /* the default as text, "" if there is none */
  const char *choices;            /* "bfs|dfs" for choices, else "" */
  const char *commands, *engines; /* names with spaces between */
  const char *help;
  uint64_t low, high; /* of integers */
  char separator;     /* of lists: between the values that were given one after the other */
  size_t offset;      /* of the field */
} option_row;

size_t options_count(void);
KEEP const option_row *options_at(size_t i);
/* Its position in the table. */
size_t options_index(const option_row *row);
/* By name, or by a name of one letter; NULL if there is none. */
KEEP const option_row *options_find(const char *name);
/* True if `word` is one of the names in `list`, which has spaces or commas between them. */
bool options_list_has(const char *list, const char *word);

GIVE options *options_new(void);
GIVE options *options_copy(const options *o);
void options_free(TAKE options *o);
/* Sets an option from text. `value` may be NULL for flags. NULL if all is well, else what is wrong and what would be
 * right. A list grows by each value that is given; any other option is replaced. */
GIVE char *options_set(options *o, const char *name, const char *value);
/* A list is empty again, as if it had not been given. REQUIREs the name of one. */
void options_forget(options *o, const char *name);
/* The value as text: "" if not given, "yes" for a flag that is. REQUIREs a known name. */
GIVE char *options_get(const options *o, const char *name);

#endif
