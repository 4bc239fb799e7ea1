/* Independent packs of variables: if no constraint and no update connects two sets of variables, each part of the
 * property is proved over the variables that it is about; the others may have any value at any time. */
#ifndef WHET_ENGINE_WIDEN_LANE_PACKS_H
#define WHET_ENGINE_WIDEN_LANE_PACKS_H

#include "engine/engine.h"
#include "engine/widen/lane/lane.h"

typedef struct packs packs;

/* NULL if the property is about all variables at once. */
GIVE packs *packs_new(const model *m, term bad);
void packs_free(TAKE packs *p);
size_t packs_count(const packs *p);
/* Proves each pack with this lane's setting, this much work and this many runs for each. True if all are proved:
 * *out is the invariant. */
bool packs_prove(const packs *p, engine_environment *env, polyhedra *s, const lane_style *style, widening how,
                 uint64_t work, size_t runs, evidence *out);

#endif
