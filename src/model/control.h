/* Control: variables with few values, which are distinguished one by one instead of being described by formulas. A
 * range is short, and so control, up to one length. What is taken of control differs, because distinguishing values
 * costs differently:
 * - kept variables (engine/alpha/kept_variables.c) are all of it, with enumerations of any length: a state has one
 *   value of each, whatever it may be compared with.
 * - controls (predicate/control_and_data.c) are those that never meet data in an atom, for there an atom is about
 *   control or about data; all values are gone through, so enumerations have a limit too.
 *   Those that the user names (`control`, `--keep`) are controls whatever their length, and may not meet data.
 * - location variables (engine/widen/graph/location_variables.c) are places, booleans, short enumerations, and integers
 *   that are only set to constants, for each combination of their values is a location; ranges stay numbers, which
 *   polyhedra describe. */
#ifndef WHET_MODEL_CONTROL_H
#define WHET_MODEL_CONTROL_H

#include "model/model.h"

enum {
  LONGEST_SHORT_RANGE = 16,
  LONGEST_CONTROL = 4096, /* values of an enumeration, or of a variable that the user wants to be kept */
};

static inline bool type_is_short_range(const type *t) {
  return type_fits_in_words(t) && type_size(t, LONGEST_SHORT_RANGE + 1) <= LONGEST_SHORT_RANGE;
}

/* `control NAME`, `--keep NAME`: the variables of this name become controls of the model, however long their range.
 * "a" is also every element of the array a, "P.x" the x of every copy of P. NULL, or why not: owned. */
GIVE char *control_add(model *m, const char *name);
bool control_is_wanted(const model *m, variable v);
/* The controls of `from` that are variables of `to`. */
void control_follow(const model *from, model *to);

#endif
