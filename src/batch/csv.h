/* Tables of comma-separated values as RFC 4180 has them: fields in quotes may hold commas, quotes (twice) and line breaks. */
#ifndef WHET_BATCH_CSV_H
#define WHET_BATCH_CSV_H

#include "base/text.h"
#include "base/vector.h"

typedef struct csv_row {
  size_t line; /* where it begins, from 1 */
  VECTOR(const char *) fields;
} csv_row;

typedef struct csv_table {
  arena *arena;
  VECTOR(csv_row) rows; /* empty lines are none */
} csv_table;

/* NULL, or what is wrong, after a line number and a colon. Either way, clear the table. */
GIVE char *csv_read(csv_table *t, const char *content);
void csv_clear(csv_table *t);
/* `field`, with quotes if it needs them, after a comma unless it is the first of its line. */
void csv_add_field(text *out, const char *field);

#endif
