/* Formulas of CTL*, made as small as their meaning allows: what is a formula of LTL or of CTL becomes one. */
#ifndef WHET_MODEL_SIMPLIFY_H
#define WHET_MODEL_SIMPLIFY_H

#include "model/model.h"

/* `f` has path quantifiers and operators of LTL, those of CTL not yet. The result is true in the same states (PROPERTY_LTL: of all fair
 * runs from a state, exactly if `f` is true there) whatever is fair, and of the kind that is returned: PROPERTY_LTL if `f` asks
 * something of all runs and nothing else, PROPERTY_CTL, or PROPERTY_CTLSTAR. */
property_kind temporal_star_simplify(terms *ts, const temporal *f, KEEP temporal **out);

#endif
