/* Arrays of one run: each write makes a new version, and the newest ones are read and written in constant time. Versions
 * go by numbers, as array values do (array_value.h), but two versions may be equal: `array_versions_same` says so.
 *
 * One version of each family has a table of its elements; each other one is known by how it differs from its neighbour on
 * the way there (H. G. Baker: Shallow Binding Makes Functional Arrays Fast, 1991). Reading an old version moves the table
 * to it, or, if that is far, gives it a table of its own. */
#ifndef WHET_TERM_ARRAY_VERSIONS_H
#define WHET_TERM_ARRAY_VERSIONS_H

#include "term/term.h"

typedef struct array_versions array_versions;

GIVE array_versions *array_versions_new(void);
void array_versions_free(TAKE array_versions *v);
/* How many there are: what they take in memory grows with it. */
size_t array_versions_count(const array_versions *v);

number array_versions_constant(array_versions *v, number otherwise);
number array_versions_at(array_versions *v, number array, number index);
/* The array itself if it has that element already. */
number array_versions_with(array_versions *v, number array, number index, number element);
/* Exact. */
bool array_versions_same(array_versions *v, number a, number b);

/* The version that is the array value; the same for the same one. */
number array_versions_of_value(array_versions *v, const terms *ts, number value);
/* The array value that the version is. It takes time for each of its elements, once. */
number array_versions_value(array_versions *v, const terms *ts, number array);
/* Array values may have been released (array_values_release): none is known any more. */
void array_versions_forget_values(array_versions *v);

#endif
