/* Writing JSON piece by piece, the only way in which whet does. Commas, colons, quotes and escapes are set here; the
 * caller gives keys and values in order, and closes what was opened. */
#ifndef WHET_BASE_JSON_WRITER_H
#define WHET_BASE_JSON_WRITER_H

#include "base/text.h"

typedef struct json_writer {
  text *out;
  bool is_indented; /* one value a line, a space more for each level */
  bool has_before;  /* a value stands before the next one, in the same brackets */
  bool is_value;    /* a key was written: its value comes next */
  unsigned depth;
  const char *space; /* before the next value; NULL: none */
} json_writer;

/* Writes to the end of `out`: without any space, or indented. */
json_writer json_writer_to(text *out);
json_writer json_writer_indented(text *out);
/* Without any space; an object is begun. */
json_writer json_object_to(text *out);

void json_begin_object(json_writer *w);
void json_end_object(json_writer *w);
void json_begin_array(json_writer *w);
void json_end_array(json_writer *w);
/* The next value begins with `space`, after its comma: a line break, say. Once. */
void json_space(json_writer *w, const char *space);

/* In an object, before each value. */
void json_key(json_writer *w, const char *key);

void json_add_string(json_writer *w, const char *string);
void json_add_integer(json_writer *w, int64_t n);
void json_add_count(json_writer *w, uint64_t n);
void json_add_real(json_writer *w, double n, int digits); /* so many after the point */
void json_add_bool(json_writer *w, bool b);
void json_add_null(json_writer *w);
void json_add_number(json_writer *w, const char *number);     /* as JSON writes it */
void json_add_document(json_writer *w, const char *document); /* any value that is JSON already */

/* A key and its value. */
void json_field_string(json_writer *w, const char *key, const char *string);
void json_field_count(json_writer *w, const char *key, uint64_t n);
void json_field_bool(json_writer *w, const char *key, bool b);
void json_field_array(json_writer *w, const char *key);  /* begun: json_end_array ends it */
void json_field_object(json_writer *w, const char *key); /* likewise */

#endif
