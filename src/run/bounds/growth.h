/* By how much steps make a potential grow at most: a sum of values that never change. */
#ifndef WHET_RUN_BOUNDS_GROWTH_H
#define WHET_RUN_BOUNDS_GROWTH_H

#include "run/bounds/frozen_model.h"
#include "run/bounds/step_questions.h"

/* By each step of these transitions the potential, counted as 0 if it is negative, grows by no more than `*out`, counted so too. False if
 * none is found. */
bool growth_find(step_questions *q, const frozen_model *f, const index_vector *transitions, term potential,
                 bool is_careful, term *out);

#endif
