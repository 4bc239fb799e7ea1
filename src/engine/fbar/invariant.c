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

/* ---- place by place ---- */

/* What `of`, which lies in these places, says besides; processes from `process` on are still to be placed. False if it
 * cannot be written. */
static bool add_by_place(problem *p, const region *of, term places, size_t process, term *out) {
  if (answer_is_yes(region_is_empty(of))) return true;
  if (budget_spent(p->env->budget)) return false;
  if (process == p->model->processes.count) {
    region *types = region_of_types(p->sets, p->frame), *at = region_of_term(p->sets, p->frame, places),
           *given = region_meet(types, at), *simple = region_simplify_under(of, given);
    term rest;
    bool fine = region_term(simple, &rest);
    if (fine) *out = term_or(p->ts, *out, term_and(p->ts, places, rest));
    region *made[] = {types, at, given, simple};
    for (size_t i = 0; i < ARRAY_LENGTH(made); i++) region_free(made[i]);
    return fine;
  }
  variable location = p->model->processes.at[process].location;
  bool fine = true;
  for (size_t k = 0; k < variable_type(p->ts, location)->name_count && fine; k++) {
    term at = term_eq(p->ts, term_of_variable(p->ts, location), term_int(p->ts, (int64_t)k));
    region *there = region_of_term(p->sets, p->frame, at), *part = region_meet(of, there);
    fine = add_by_place(p, part, term_and(p->ts, places, at), process + 1, out);
    region_free(there);
    region_free(part);
  }
  return fine;
}

bool formula_of_blocks(problem *p, const partition *blocks, const bits *which, term *out) {
  presburger_set_operations(p->sets, UNION_OPERATIONS);
  region *all = union_of(p, blocks, which), *types = region_of_types(p->sets, p->frame),
         *simple = region_simplify_under(all, types);
  bool fine = region_term(simple, out);
  if (fine && p->model->processes.count && !term_is_true(*out)) {
    *out = TERM_FALSE;
    fine = add_by_place(p, all, TERM_TRUE, 0, out);
  }
  region_free(all);
  region_free(types);
  region_free(simple);
  presburger_set_operations(p->sets, PROBLEM_OPERATIONS);
  return fine;
}
