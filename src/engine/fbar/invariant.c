/* Sets back to formulas. The blocks are put together first: what was split only to find out is one conjunction again.
 */
#include "engine/fbar/evidence_of.h"

/* Work allowed for putting the blocks together: without it the invariant is only longer. */
enum { UNION_OPERATIONS = 100000 };

static GIVE region *union_of(problem *p, const partition *blocks, const bits *which) {
  region *all = region_of_term(p->sets, p->frame, TERM_FALSE);
  BITS_EACH (b, which) {
    region *more = region_join(all, region_in_points(partition_block(blocks, b)));
    region_free(all);
    all = more;
  }
  return region_tidy(all);
}

static bool add_parts(problem *p, const region *of, evidence *out) {
  region *types = region_of_types(p->sets, p->frame), *simple = region_simplify_under(of, types);
  term_vector pieces = {0};
  bool fine = region_terms(simple, &pieces);
  for (size_t i = 0; i < pieces.count && fine; i++) evidence_add_part(p->ts, out, pieces.at[i]);
  region_free(types);
  region_free(simple);
  VECTOR_FREE(pieces);
  return fine;
}

bool evidence_of_blocks(problem *p, const partition *blocks, const bits *which, evidence *out) {
  presburger_set_operations(p->sets, UNION_OPERATIONS);
  region *all = union_of(p, blocks, which);
  bool fine = add_parts(p, all, out);
  region_free(all);
  presburger_set_operations(p->sets, PROBLEM_OPERATIONS);
  if (!fine) {
    /* too many pieces to be put together */
    evidence_clear(out);
    fine = true;
    BITS_EACH (b, which) fine = fine && add_parts(p, region_in_points(partition_block(blocks, b)), out);
  }
  if (fine) out->kind = EVIDENCE_INVARIANT;
  return fine;
}
