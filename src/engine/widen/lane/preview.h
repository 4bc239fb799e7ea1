/* Cheap analyses that come before polyhedra: linear equalities and congruences alone, or together with boxes or
 * octagons. One convex set at each location, nothing is repaired. */
#ifndef WHET_ENGINE_WIDEN_LANE_PREVIEW_H
#define WHET_ENGINE_WIDEN_LANE_PREVIEW_H

#include "engine/widen/graph/program.h"
#include "proof/evidence.h"

typedef enum preview_kind {
  PREVIEW_NONE,
  PREVIEW_EQUALITIES,
  PREVIEW_BOXES,
  PREVIEW_OCTAGONS,
  PREVIEW_PACKS /* not of this kind, but also once and before (packs.h) */
} preview_kind;

typedef struct preview preview;

/* Ask for polyhedra_failure after each of these: where there is one, the preview means nothing. */
GIVE preview *preview_new(program *p, preview_kind kind);
void preview_free(TAKE preview *v);
/* No bad state is in it. */
bool preview_excludes_bad(const preview *v);
/* How many rounds it took, and how many constraints it has in all. */
size_t preview_rounds(const preview *v);
size_t preview_constraints(const preview *v);
void preview_write(const preview *v, evidence *out);
/* As text (places.h). */
void preview_print(const preview *v, text *lines);
void preview_lemmas(const preview *v, term_vector *lemmas);

#endif
