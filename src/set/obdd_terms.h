/* Boolean terms as decision diagrams. */
#ifndef WHET_SET_OBDD_TERMS_H
#define WHET_SET_OBDD_TERMS_H

#include "set/obdd.h"

/* The diagram of a boolean term that is neither constant nor a connective. */
typedef obdd obdd_leaf(void *context, term leaf);

/* `t` as a diagram over those of its leaves. */
obdd obdd_of_term(obdds *d, const terms *ts, term t, obdd_leaf *leaf, void *context);

#endif
