/* With its parts presburger_*.c the only file that sees isl. isl hands NULL along chains and counts its own operations;
 * both end here as NULL with a reason.
 *
 *   presburger_terms.c      terms to sets
 *   presburger_read.c       sets to terms
 *   presburger_relation.c   relations, and single points
 *   here                    frames, results, numbers, and what sets do with each other */
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/work.h"
#include "set/presburger_inside.h"

enum { DEFAULT_OPERATIONS = 2000000, WORK_OF_OPERATION = 5, PAIRS_PER_UNIT = 32 /* base/work.h */ };

presburger *presburger_new(terms *ts, uint64_t operations) {
  presburger *p = MEMORY_NEW(presburger);
  p->ts = ts;
  p->context = isl_ctx_alloc();
  p->operations = operations ? operations : DEFAULT_OPERATIONS;
  isl_options_set_on_error(p->context, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(p->context, p->operations);
  return p;
}

void presburger_free(presburger *p) {
  if (!p) return;
  for (size_t i = 0; i < p->frames.count; i++) {
    VECTOR_FREE(p->frames.at[i]->variables);
    map_free(p->frames.at[i]->dimension);
    isl_space_free(p->frames.at[i]->space);
    memory_free(p->frames.at[i]);
  }
  VECTOR_FREE(p->frames);
  isl_ctx_free(p->context);
  memory_free(p);
}

void presburger_set_operations(presburger *p, uint64_t operations) {
  p->operations = operations ? operations : DEFAULT_OPERATIONS;
  isl_ctx_set_max_operations(p->context, p->operations);
}

const char *presburger_trouble(const presburger *p) { return p->trouble; }

const frame *presburger_frame(presburger *p, size_t count, const variable *variables) {
  for (size_t i = 0; i < p->frames.count; i++) {
    const frame *f = p->frames.at[i];
    if (f->variables.count == count && (!count || !memcmp(f->variables.at, variables, count * sizeof(variable))))
      return f;
  }
  frame *f = MEMORY_NEW(frame);
  f->dimension = map_new();
  for (size_t i = 0; i < count; i++) {
    VECTOR_PUSH(f->variables, variables[i]);
    map_set(f->dimension, variables[i].x, i);
  }
  f->space = isl_space_set_alloc(p->context, 0, (unsigned)count);
  VECTOR_PUSH(p->frames, f);
  return f;
}

/* ---- results ---- */

void presburger_begin(presburger *p) {
  work_add(WORK_OF_OPERATION);
  isl_ctx_reset_error(p->context);
  isl_ctx_reset_operations(p->context);
}

void *presburger_fail(presburger *p) {
  p->trouble = isl_ctx_last_error(p->context) == isl_error_quota ? "a set of integer points took too much work"
                                                                 : "the library of integer sets failed";
  presburger_begin(p);
  return NULL;
}

region *region_give(presburger *p, const frame *f, isl_set *set) {
  if (!set) return presburger_fail(p);
  uint64_t parts = (uint64_t)isl_set_n_basic_set(set);
  work_add(parts * parts / PAIRS_PER_UNIT); /* each is compared with the others */
  region *r = MEMORY_NEW(region);
  *r = (region){p, f, set};
  return r;
}

answer presburger_answer(presburger *p, int b) {
  if (b == isl_bool_error) {
    presburger_fail(p);
    return answer_unsure(p->trouble);
  }
  return b == isl_bool_true ? answer_yes() : answer_no();
}

const answer presburger_no_set = {ANSWER_UNSURE, "there is no such set of integer points"};

/* ---- numbers ---- */

isl_val *presburger_value(isl_ctx *c, number n) {
  int64_t small;
  if (number_to_int64(n, &small)) return isl_val_int_from_si(c, (long)small);
  char *digits = number_string(n);
  isl_val *v = isl_val_read_from_str(c, digits);
  memory_free(digits);
  return v;
}

bool presburger_number(isl_val *v, number *out) {
  char *digits = v ? isl_val_to_str(v) : NULL;
  bool fine = digits && number_parse(digits, strlen(digits), out);
  free(digits);
  isl_val_free(v);
  return fine;
}

/* ---- sets ---- */

region *region_of_types(presburger *p, const frame *f) {
  presburger_begin(p);
  isl_set *set = isl_set_universe(isl_space_copy(f->space));
  for (size_t i = 0; i < f->variables.count; i++) {
    const type *of = variable_type(p->ts, f->variables.at[i]);
    bool truth = of->sort == SORT_BOOL;
    if (truth || of->has_low)
      set = isl_set_lower_bound_val(set, isl_dim_set, (unsigned)i,
                                    presburger_value(p->context, truth ? number_of(0) : of->low));
    if (truth || of->has_high)
      set = isl_set_upper_bound_val(set, isl_dim_set, (unsigned)i,
                                    presburger_value(p->context, truth ? number_of(1) : of->high));
  }
  return region_give(p, f, set);
}

region *region_copy(const region *r) { return r ? region_give(r->p, r->frame, isl_set_copy(r->set)) : NULL; }

void region_free(region *r) {
  if (!r) return;
  isl_set_free(r->set);
  memory_free(r);
}

typedef isl_set *set_operation(isl_set *a, isl_set *b);

static region *combine(const region *a, const region *b, set_operation *operation) {
  if (!a || !b) return NULL;
  REQUIRE(a->frame == b->frame, "sets over the same frame");
  presburger_begin(a->p);
  return region_give(a->p, a->frame, operation(isl_set_copy(a->set), isl_set_copy(b->set)));
}

region *region_meet(const region *a, const region *b) { return combine(a, b, isl_set_intersect); }
region *region_join(const region *a, const region *b) { return combine(a, b, isl_set_union); }
region *region_minus(const region *a, const region *b) { return combine(a, b, isl_set_subtract); }

region *region_simplify_under(const region *r, const region *context) {
  if (!r || !context) return NULL;
  REQUIRE(r->frame == context->frame, "sets over the same frame");
  presburger_begin(r->p);
  isl_set *set = isl_set_coalesce(isl_set_compute_divs(isl_set_copy(r->set)));
  return region_give(r->p, r->frame, isl_set_coalesce(isl_set_gist(set, isl_set_copy(context->set))));
}

answer region_is_empty(const region *r) {
  if (!r) return presburger_no_set;
  presburger_begin(r->p);
  return presburger_answer(r->p, isl_set_is_empty(r->set));
}

answer region_meets(const region *a, const region *b) {
  if (!a || !b) return presburger_no_set;
  REQUIRE(a->frame == b->frame, "sets over the same frame");
  presburger_begin(a->p);
  return presburger_answer(a->p, isl_bool_not(isl_set_is_disjoint(a->set, b->set)));
}

region *region_tidy(region *r) {
  if (!r) return NULL;
  presburger_begin(r->p);
  isl_set *set = isl_set_coalesce(isl_set_detect_equalities(isl_set_coalesce(isl_set_compute_divs(r->set))));
  if (set) {
    r->set = set;
    return r;
  }
  presburger *p = r->p;
  memory_free(r);
  return presburger_fail(p);
}

answer region_is_within(const region *a, const region *b) {
  if (!a || !b) return presburger_no_set;
  presburger_begin(a->p);
  return presburger_answer(a->p, isl_set_is_subset(a->set, b->set));
}

region *region_project(const region *r, const frame *smaller) {
  if (!r) return NULL;
  presburger_begin(r->p);
  const frame *f = r->frame;
  isl_set *set = isl_set_copy(r->set);
  size_t kept = 0;
  for (size_t i = f->variables.count; i-- > 0;) {
    if (map_get(smaller->dimension, f->variables.at[i].x, NULL))
      kept++;
    else
      set = isl_set_project_out(set, isl_dim_set, (unsigned)i, 1);
  }
  REQUIRE(kept == smaller->variables.count, "a frame within the frame");
  size_t at = 0;
  for (size_t i = 0; i < f->variables.count; i++) {
    if (!map_get(smaller->dimension, f->variables.at[i].x, NULL)) continue;
    REQUIRE(variable_same(smaller->variables.at[at], f->variables.at[i]), "in the same order");
    at++;
  }
  return region_give(r->p, smaller, set);
}

bool region_has_divisions(const region *r) {
  if (!r) return false;
  presburger_begin(r->p);
  isl_set *set = isl_set_coalesce(isl_set_compute_divs(isl_set_copy(r->set)));
  isl_bool has = isl_set_involves_locals(set);
  isl_set_free(set);
  return has != isl_bool_false;
}

region *region_without_divisions(const region *r) {
  if (!r) return NULL;
  presburger_begin(r->p);
  isl_set *set = isl_set_remove_divs(isl_set_coalesce(isl_set_compute_divs(isl_set_copy(r->set))));
  return region_give(r->p, r->frame, isl_set_coalesce(set));
}

size_t region_pieces(const region *r) {
  isl_size n = r ? isl_set_n_basic_set(r->set) : 0;
  return n > 0 ? (size_t)n : 0;
}
