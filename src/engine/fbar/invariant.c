/* Sets back to formulas. The blocks are put together first: what was split only to find out is one conjunction again. */
#include "engine/fbar/evidence_of.h"

static GIVE region *union_of(problem *p, const partition *blocks, const bits *which) {
  region *all = region_of_term(p->sets, p->frame, TERM_FALSE);
  for BITS_EACH (b, which) {
    region *more = region_join(all, region_in_points(partition_block(blocks, b)));
    region_free(all);
    all = more;
  }
  return region_tidy(all);
}

bool evidence_of_blocks(problem *p, const partition *blocks, const bits *which, evidence *out) {
  region *all = union_of(p, blocks, which), *types = region_of_types(p->sets, p->frame);
  region *simple = region_simplify_under(all, types);
  term_vector pieces = {0};
  bool fine = region_terms(simple, &pieces);
  if (fine) out->kind = EVIDENCE_INVARIANT;
  for (size_t i = 0; i < pieces.count && fine; i++) evidence_add_part(p->ts, out, pieces.at[i]);
  region_free(all);
  region_free(types);
  region_free(simple);
  VECTOR_FREE(pieces);
  return fine;
}
