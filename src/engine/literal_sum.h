/* A literal that is an inequality, as a sum that is at most 0. */
#ifndef WHET_ENGINE_LITERAL_SUM_H
#define WHET_ENGINE_LITERAL_SUM_H

#include "term/term.h"

/* The literal says that `sum` is at most 0, or (`is_strict`, only of reals) less. False if it is no inequality. */
bool literal_sum(terms *ts, term literal, term *sum, bool *is_strict);

#endif
