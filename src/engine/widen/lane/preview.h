/* Cheap analyses that come before polyhedra: linear equalities and congruences alone, or together with boxes or
 * octagons: previews.def. One convex set at each location, nothing is repaired. Packs of variables (packs.h) are in the
 * table too: they run once and before the others. */
#ifndef WHET_ENGINE_WIDEN_LANE_PREVIEW_H
#define WHET_ENGINE_WIDEN_LANE_PREVIEW_H

#include "engine/widen/graph/program.h"
#include "proof/evidence.h"
#include "set/shapes.h"

/* Octagons cost more than boxes: if all lanes are used, one of the two is. */
enum { MOST_FOR_OCTAGONS = 20 };

#define PREVIEW(CONSTANT, ...) PREVIEW_##CONSTANT,
typedef enum preview_kind {
  PREVIEW_NONE,
#include "engine/widen/lane/previews.def"
  PREVIEW_KINDS
} preview_kind;
#undef PREVIEW

/* A row of previews.def, without its function. */
typedef struct preview_row {
  weak_shape_kind shape;
  size_t fewest, most; /* dimensions */
  bool has_lemmas;
} preview_row;

/* REQUIREs a kind of the table. */
KEEP const preview_row *preview_row_of(preview_kind kind);

typedef struct preview preview;

/* Ask for polyhedra_failure after each of these: if there is one, the preview means nothing. */
GIVE preview *preview_new(program *p, weak_shape_kind shape);
void preview_free(TAKE preview *v);
/* No bad state is in it. */
bool preview_excludes_bad(const preview *v);
/* How many rounds it took, and how many constraints it has in all. */
size_t preview_rounds(const preview *v);
size_t preview_constraints(const preview *v);
void preview_write(const preview *v, evidence *out);
/* As text (graph/print_locations.h). */
void preview_print(const preview *v, text *lines);
void preview_lemmas(const preview *v, term_vector *lemmas);

#endif
