/* The transitive closure of a round is isl's. An inexact closure is an upper bound, so emptiness after it is still
 * right, and nothing else is concluded from it. */
#include "engine/loop_round.h"

/* Sets of more pieces are not worth going on with: their atoms would be too many. */
enum { MOST_PIECES = 24 };

void loop_round_clear(loop_round *r) {
  VECTOR_FREE(r->data);
  VECTOR_FREE(r->hidden);
}

static bool closure_before(const loop_round *r, const frame *f, const relation *one, term goal, bool keep_divisions,
                           term *out) {
  bool exact;
  relation *some = relation_closure(one, &exact);
  region *types = region_of_types(r->sets, f), *whole = region_of_term(r->sets, f, goal),
         *aim = region_meet(whole, types);
  region *before = relation_before(some, aim), *all = region_join(aim, before), *relaxed = NULL;
  if (all && !keep_divisions && region_has_divisions(all)) relaxed = region_without_divisions(all);
  region *simple = region_simplify_under(relaxed ? relaxed : all, types);
  bool fine = simple && region_pieces(simple) <= MOST_PIECES && region_term(simple, out);
  region_free(simple);
  region_free(relaxed);
  region_free(all);
  region_free(before);
  region_free(aim);
  region_free(whole);
  region_free(types);
  relation_free(some);
  return fine;
}

bool loop_round_before(const loop_round *r, term goal, bool keep_divisions, term *out) {
  const frame *f = presburger_frame(r->sets, r->data.count, r->data.at);
  relation *one = relation_of_term(r->sets, f, r->hidden.count, r->hidden.at, r->step);
  bool fine = one && closure_before(r, f, one, goal, keep_divisions, out);
  relation_free(one);
  return fine;
}
