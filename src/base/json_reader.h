/* Reading JSON piece by piece, without building a tree: a trace of a million states is read in one pass.
 *
 * The first error sticks: every call after it returns false at once, so that callers check when it suits them. The
 * text is hostile; nothing here recurses. Integers are exact at any size. */
#ifndef WHET_BASE_JSON_READER_H
#define WHET_BASE_JSON_READER_H

#include "base/number.h"

typedef struct json_reader {
  const char *start, *at, *end;
  text string;        /* the last string or key read */
  char *error;        /* NULL while all is well; owned */
  size_t error_place; /* offset */
} json_reader;

json_reader json_open(const char *content, size_t length);
void json_close(json_reader *r);
/* Sets the error (takes it) at the current place; false. */
bool json_fail(json_reader *r, TAKE char *error);

/* The first character of the next value or sign: { [ " - 0..9 t f n } ] , :  0 at the end or after an error. */
char json_peek(json_reader *r);
/* `{` or `[`. */
bool json_enter(json_reader *r, char opening);
/* Inside an object: true with the next key in r->string, its value comes next; false after the `}` (consumed) or on an
 * error.
 * `*first` must be true at the first call, and is then kept by this function. */
bool json_next_key(json_reader *r, bool *first);
/* The same inside an array. */
bool json_next_element(json_reader *r, bool *first);
bool json_read_string(json_reader *r);               /* into r->string */
bool json_read_integer(json_reader *r, number *out); /* other numbers are errors */
bool json_read_number(json_reader *r);               /* as it is written, into r->string */
bool json_read_bool(json_reader *r, bool *out);
/* Any value, of any depth. */
bool json_skip(json_reader *r);
/* Nothing but white space is left. */
bool json_at_end(json_reader *r);

#endif
