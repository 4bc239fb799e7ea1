/* Arrays as values: a default and finitely many indices that have another element. Each is kept once with the table of
 * terms and goes by its number, so that two arrays are equal exactly if their numbers are; evaluation
 * (term/evaluate.h) can then treat all values as numbers. Number 0 is the array of zeros (or of `false`). Elements of an
 * array of arrays are the numbers of those; number 0 is then the array of arrays of zeros.
 *
 * Arrays share what they have in common: a write to one of n elements takes about log n time and space. */
#ifndef WHET_TERM_ARRAY_VALUE_H
#define WHET_TERM_ARRAY_VALUE_H

#include "term/term.h"

typedef struct array_entry {
  number index, element;
} array_entry;

typedef struct array_value {
  number otherwise; /* the element at all other indices */
  size_t count;
  const array_entry *entries; /* by ascending index; none has the element `otherwise` */
} array_value;

/* The number of the array with these elements; of two with one index the later counts. */
number array_value_of(const terms *ts, number otherwise, size_t count, const array_entry *entries);
/* Valid until the next array is made or looked at. */
array_value array_value_look(const terms *ts, number array);
number array_value_at(const terms *ts, number array, number index);
number array_value_with(const terms *ts, number array, number index, number element);
/* How many indices have another element than the default. */
size_t array_value_count(const terms *ts, number array);
/* True if the array was first made by a write to another one, which has a smaller number. */
bool array_value_origin(const terms *ts, number array, number *from, array_entry *write);
/* It is the number of an array of this type. */
bool array_value_is_of(const terms *ts, number array, const type *of);

/* For those who make many: all arrays that were made since the mark are forgotten, and their numbers mean nothing then. */
typedef struct array_mark {
  size_t nodes, values;
} array_mark;
array_mark array_values_mark(const terms *ts);
void array_values_release(const terms *ts, array_mark to);

/* The value as a term of that type: a number, a truth value, or writes to a constant array. */
term term_of_any_value(terms *ts, const type *of, number value);

/* Inside the table of terms. */
struct array_values;
GIVE struct array_values *array_values_new(void);
GIVE struct array_values *array_values_copy(const struct array_values *from);
void array_values_free(TAKE struct array_values *v);

#endif
