/* Data that are never looked into are their positions in the array they come from.
 *
 * Of a `type Data` nothing is known but equality. Let there be one array of Data that no step writes, and let no guard, no
 * index, no number and no run-time error depend on whether data are equal: only properties do, and truth values that only
 * properties and such truth values depend on, all of them so that the property is broken the more easily the fewer data are
 * equal (`safe .. received = sent`; `ok := ok && d = file[i]`). Then the property can be broken exactly if it can be broken
 * with an array whose element at each index i is i.
 *
 * If it can with that array, it can: that is one of the arrays there are. If it can with some array, take the run, and put
 * in place of each value where it comes from: the index at which the array was read; for a value that a variable had at the
 * start, or that was an input, a number that is nothing else in the run. By induction every step can be taken as before
 * (nothing that decides about it depends on data), values that are equal now were equal before, and what depends on
 * equality is what it was or nearer to a broken property. So the property is broken here too.
 *
 * A datum that a property reads outside of an array is 0 in such models; a constant of its own stands for it, of which
 * nothing is known, as no other value in the run needs to be equal to it. */
#ifndef WHET_INPUT_WHET_ARRAYS_POSITIONS_H
#define WHET_INPUT_WHET_ARRAYS_POSITIONS_H

#include "input/whet/arrays/to_system.h"

/* Of parts in which all that is left of arrays is `a[i]` of such arrays `a` ("sources", one a type): i in its place. False,
 * with messages, if the model is not as above. */
bool positions_put(lowering *l, const model_parts *parts, const variable_vector *sources);

#endif
