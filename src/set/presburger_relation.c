/* Relations between integer points, and single points. */
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include "set/presburger_inside.h"

static relation *relation_give(presburger *p, const frame *f, isl_map *map) {
  if (!map) return presburger_fail(p);
  relation *r = MEMORY_NEW(relation);
  *r = (relation){p, f, map};
  return r;
}

relation *relation_of_term(presburger *p, const frame *f, size_t count, const variable *hidden, term t) {
  variable_vector all = {0};
  if (!presburger_lift(p, &t)) return NULL;
  size_t n = f->variables.count;
  for (size_t i = 0; i < n; i++) VECTOR_PUSH(all, f->variables.at[i]);
  for (size_t i = 0; i < n; i++) VECTOR_PUSH(all, variable_next(p->ts, f->variables.at[i]));
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(all, hidden[i]);
  const frame *wide = presburger_frame(p, all.count, all.at);
  VECTOR_FREE(all);
  presburger_begin(p);
  isl_set *set = isl_set_project_out(presburger_translate(p, wide, wide->space, t), isl_dim_set, (unsigned)(2 * n),
                                     (unsigned)count);
  isl_map *map = isl_map_move_dims(isl_map_from_range(set), isl_dim_in, 0, isl_dim_out, 0, (unsigned)n);
  return relation_give(p, f, isl_map_coalesce(isl_map_compute_divs(map)));
}

relation *relation_copy(const relation *r) { return r ? relation_give(r->p, r->frame, isl_map_copy(r->map)) : NULL; }

void relation_free(relation *r) {
  if (!r) return;
  isl_map_free(r->map);
  memory_free(r);
}

relation *relation_closure(const relation *r, bool *exact) {
  isl_bool is_exact = isl_bool_error;
  if (!r) return NULL;
  presburger_begin(r->p);
  isl_map *map = isl_map_transitive_closure(isl_map_copy(r->map), &is_exact);
  *exact = is_exact == isl_bool_true;
  return relation_give(r->p, r->frame, map);
}

region *relation_before(const relation *r, const region *after) {
  if (!r || !after) return NULL;
  REQUIRE(r->frame == after->frame, "a set over the relation's frame");
  presburger_begin(r->p);
  return region_give(r->p, r->frame, isl_set_apply(isl_set_copy(after->set), isl_map_reverse(isl_map_copy(r->map))));
}

region *relation_after(const relation *r, const region *before) {
  if (!r || !before) return NULL;
  REQUIRE(r->frame == before->frame, "a set over the relation's frame");
  presburger_begin(r->p);
  return region_give(r->p, r->frame, isl_set_apply(isl_set_copy(before->set), isl_map_copy(r->map)));
}

relation *relation_join(const relation *a, const relation *b) {
  if (!a || !b) return NULL;
  REQUIRE(a->frame == b->frame, "relations over the same frame");
  presburger_begin(a->p);
  return relation_give(a->p, a->frame, isl_map_union(isl_map_copy(a->map), isl_map_copy(b->map)));
}

relation *relation_then(const relation *a, const relation *b) {
  if (!a || !b) return NULL;
  REQUIRE(a->frame == b->frame, "relations over the same frame");
  presburger_begin(a->p);
  isl_map *map = isl_map_apply_range(isl_map_copy(a->map), isl_map_copy(b->map));
  return relation_give(a->p, a->frame, isl_map_coalesce(map));
}

typedef struct splitting {
  const relation *of;
  relation_vector *out;
} splitting;

static isl_stat keep_piece(isl_basic_map *piece, void *user) {
  splitting *s = user;
  relation *made = relation_give(s->of->p, s->of->frame, isl_map_from_basic_map(piece));
  if (made) VECTOR_PUSH(*s->out, made);
  return made ? isl_stat_ok : isl_stat_error;
}

bool relation_split(const relation *r, relation_vector *out) {
  if (!r) return false;
  presburger_begin(r->p);
  splitting s = {r, out};
  isl_map *map = isl_map_coalesce(isl_map_detect_equalities(isl_map_copy(r->map)));
  bool fine = map && isl_map_foreach_basic_map(map, keep_piece, &s) == isl_stat_ok;
  isl_map_free(map);
  if (!fine) presburger_fail(r->p);
  return fine;
}

relation *relation_turned(const relation *r) {
  if (!r) return NULL;
  presburger_begin(r->p);
  return relation_give(r->p, r->frame, isl_map_reverse(isl_map_copy(r->map)));
}

answer relation_is_within(const relation *a, const relation *b) {
  if (!a || !b) return presburger_no_set;
  presburger_begin(a->p);
  return presburger_answer(a->p, isl_map_is_subset(a->map, b->map));
}

answer relation_is_empty(const relation *r) {
  if (!r) return presburger_no_set;
  presburger_begin(r->p);
  return presburger_answer(r->p, isl_map_is_empty(r->map));
}

answer relation_can_repeat(const relation *r) {
  if (!r) return presburger_no_set;
  presburger_begin(r->p);
  isl_set *from = isl_map_domain(isl_map_copy(r->map)), *to = isl_map_range(isl_map_copy(r->map));
  isl_bool apart = isl_set_is_disjoint(from, to);
  isl_set_free(from);
  isl_set_free(to);
  return presburger_answer(r->p, isl_bool_not(apart));
}

/* ---- points ---- */

bool region_point(const region *r, number *values) {
  if (!r) return false;
  presburger_begin(r->p);
  isl_point *point = isl_set_sample_point(isl_set_copy(r->set));
  bool fine = point && isl_point_is_void(point) == isl_bool_false;
  for (size_t i = 0; i < r->frame->variables.count && fine; i++)
    fine = presburger_number(isl_point_get_coordinate_val(point, isl_dim_set, (int)i), &values[i]);
  isl_point_free(point);
  if (!fine) presburger_fail(r->p);
  return fine;
}

region *region_of_point(presburger *p, const frame *f, const number *values) {
  presburger_begin(p);
  isl_set *set = isl_set_universe(isl_space_copy(f->space));
  for (size_t i = 0; i < f->variables.count; i++) {
    set = isl_set_lower_bound_val(set, isl_dim_set, (unsigned)i, presburger_value(p->context, values[i]));
    set = isl_set_upper_bound_val(set, isl_dim_set, (unsigned)i, presburger_value(p->context, values[i]));
  }
  return region_give(p, f, set);
}
