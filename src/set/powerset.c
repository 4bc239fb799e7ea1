/* Powersets of polyhedra.
 *   Omega                         powerset_add
 *   |-P, order of Egli-Milner     powerset_within, powerset_precedes
 *   [+], the connector            powerset_connect
 *   widening by a connector       powerset_widen */
#include "set/powerset.h"

struct powerset {
  polyhedra *space;
  size_t dimension, users;
  VECTOR(polyhedron *) parts;
};

powerset *powerset_new(polyhedra *s, size_t dimension) {
  powerset *p = MEMORY_NEW(powerset);
  *p = (powerset){.space = s, .dimension = dimension, .users = 1};
  return p;
}

powerset *powerset_share(powerset *s) {
  s->users++;
  return s;
}

void powerset_free(powerset *s) {
  if (!s || --s->users) return;
  for (size_t i = 0; i < s->parts.count; i++) polyhedron_free(s->parts.at[i]);
  VECTOR_FREE(s->parts);
  memory_free(s);
}

void powerset_add(powerset *s, polyhedron *p) {
  REQUIRE(s->users == 1, "a shared set does not change");
  bool redundant = polyhedron_is_empty(p);
  for (size_t i = 0; i < s->parts.count && !redundant; i++) redundant = polyhedron_contains(s->parts.at[i], p);
  if (redundant) {
    polyhedron_free(p);
    return;
  }
  size_t kept = 0;
  for (size_t i = 0; i < s->parts.count; i++) {
    if (polyhedron_contains(p, s->parts.at[i]))
      polyhedron_free(s->parts.at[i]);
    else
      s->parts.at[kept++] = s->parts.at[i];
  }
  s->parts.count = kept;
  VECTOR_PUSH(s->parts, p);
}

size_t powerset_count(const powerset *s) { return s->parts.count; }
const polyhedron *powerset_at(const powerset *s, size_t i) { return s->parts.at[i]; }
bool powerset_is_empty(const powerset *s) { return !s->parts.count; }

size_t powerset_constraints(const powerset *s) {
  size_t n = 0;
  for (size_t i = 0; i < s->parts.count; i++) n += polyhedron_size(s->parts.at[i]);
  return n;
}

static bool has_container(const powerset *s, const polyhedron *p) {
  for (size_t i = 0; i < s->parts.count; i++)
    if (polyhedron_contains(s->parts.at[i], p)) return true;
  return false;
}

static bool has_part(const powerset *s, const polyhedron *p) {
  for (size_t i = 0; i < s->parts.count; i++)
    if (polyhedron_contains(p, s->parts.at[i])) return true;
  return false;
}

bool powerset_within(const powerset *a, const powerset *b) {
  for (size_t i = 0; i < a->parts.count; i++)
    if (!has_container(b, a->parts.at[i])) return false;
  return true;
}

bool powerset_precedes(const powerset *a, const powerset *b) {
  if (powerset_is_empty(a)) return true;
  for (size_t i = 0; i < b->parts.count; i++)
    if (!has_part(a, b->parts.at[i])) return false;
  return powerset_within(a, b);
}

bool powerset_meets(const powerset *a, const powerset *b) {
  for (size_t i = 0; i < a->parts.count; i++)
    for (size_t j = 0; j < b->parts.count; j++)
      if (polyhedron_meets(a->parts.at[i], b->parts.at[j])) return true;
  return false;
}

/* Parts of a set that stays non-redundant when they are added to an empty one. */
static powerset *copy_of(const powerset *a) {
  powerset *out = powerset_new(a->space, a->dimension);
  for (size_t i = 0; i < a->parts.count; i++) VECTOR_PUSH(out->parts, polyhedron_copy(a->parts.at[i]));
  return out;
}

powerset *powerset_join(const powerset *a, const powerset *b) {
  powerset *out = copy_of(a);
  for (size_t i = 0; i < b->parts.count; i++) powerset_add(out, polyhedron_copy(b->parts.at[i]));
  return out;
}

powerset *powerset_meet(const powerset *a, const powerset *b) {
  powerset *out = powerset_new(a->space, a->dimension);
  for (size_t i = 0; i < a->parts.count; i++) {
    for (size_t j = 0; j < b->parts.count; j++) {
      polyhedron *p = polyhedron_copy(a->parts.at[i]);
      polyhedron_meet(p, b->parts.at[j]);
      powerset_add(out, p);
    }
  }
  return out;
}

static void merge(polyhedron *p, const polyhedron *q, const powerset_style *style) {
  if (style->shape != SHAPE_NONE) {
    polyhedron_hull(p, q);
    polyhedron_replace(p, shape_around(p, style->shape));
    return;
  }
  bool too_large = style->most_rows && polyhedron_size(p) + polyhedron_size(q) > style->most_rows;
  if (style->weak_hull || too_large)
    polyhedron_weak_hull(p, q);
  else
    polyhedron_hull(p, q);
}

typedef VECTOR(polyhedron *) hull_vector;

static bool is_smaller(const polyhedron *a, const polyhedron *b) {
  return polyhedron_contains(b, a) && !polyhedron_contains(a, b);
}

static bool is_least(const hull_vector *hulls, size_t i) {
  for (size_t j = 0; j < hulls->count; j++)
    if (j != i && is_smaller(hulls->at[j], hulls->at[i])) return false;
  return true;
}

/* The one from which no other is smaller, going through them from one end: the oldest or the newest of those that are
 * least, if that one was met before all that are larger than another. */
static size_t least_from_one_end(const hull_vector *hulls, bool from_newest) {
  size_t best = from_newest ? hulls->count - 1 : 0;
  for (size_t k = 1; k < hulls->count; k++) {
    size_t i = from_newest ? hulls->count - 1 - k : k;
    if (is_smaller(hulls->at[i], hulls->at[best])) best = i;
  }
  return best;
}

/* Of those that are least, the one with the most constraints; the newest of these. */
static size_t least_with_most_rows(const hull_vector *hulls) {
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < hulls->count; i++) {
    if (!is_least(hulls, i)) continue;
    if (best == SIZE_MAX || polyhedron_size(hulls->at[i]) >= polyhedron_size(hulls->at[best])) best = i;
  }
  return best;
}

/* Among the polyhedra of b that contain one of a (`anchors`; NULL: all of them), one whose hull with `rest` is least;
 * of several, the one that the style says. Merging d into J_d makes sets that are ordered as these hulls are. */
static polyhedron *least_hull(const powerset *b, const bool *anchors, const polyhedron *rest,
                              const powerset_style *style) {
  hull_vector hulls = {0};
  for (size_t i = 0; i < b->parts.count; i++) {
    if (anchors && !anchors[i]) continue;
    polyhedron *hull = polyhedron_copy(b->parts.at[i]);
    merge(hull, rest, style);
    VECTOR_PUSH(hulls, hull);
  }
  if (!hulls.count) return NULL;
  size_t best = style->ties == MERGE_TIES_MOST_ROWS ? least_with_most_rows(&hulls)
                                                    : least_from_one_end(&hulls, style->ties == MERGE_TIES_NEWEST);
  polyhedron *result = hulls.at[best];
  for (size_t i = 0; i < hulls.count; i++)
    if (i != best) polyhedron_free(hulls.at[i]);
  VECTOR_FREE(hulls);
  return result;
}

/* The newest go into others. */
static void keep_few(powerset *s, const powerset_style *style) {
  while (style->most_parts && s->parts.count > style->most_parts) {
    polyhedron *newest = VECTOR_POP(s->parts);
    powerset_add(s, least_hull(s, NULL, newest, style));
    polyhedron_free(newest);
    if (polyhedra_failure(s->space)) return;
  }
}

powerset *powerset_connect(const powerset *a, const powerset *b, const powerset_style *style) {
  if (powerset_precedes(a, b)) return copy_of(b);
  bool *anchors = MEMORY_ARRAY(bool, b->parts.count + 1);
  polyhedron *rest = NULL;
  powerset *out = powerset_new(b->space, b->dimension);
  for (size_t i = 0; i < b->parts.count; i++) {
    anchors[i] = has_part(a, b->parts.at[i]);
    if (anchors[i])
      powerset_add(out, polyhedron_copy(b->parts.at[i]));
    else if (rest)
      merge(rest, b->parts.at[i], style);
    else
      rest = polyhedron_copy(b->parts.at[i]);
  }
  if (rest) {
    polyhedron *best = least_hull(b, anchors, rest, style);
    powerset_add(out, best ? best : polyhedron_copy(rest));
    polyhedron_free(rest);
  }
  memory_free(anchors);
  keep_few(out, style);
  return out;
}

powerset *powerset_widen(const powerset *a, const powerset *b, const powerset_style *style) {
  if (powerset_within(b, a)) return copy_of(a);
  powerset *connected = powerset_connect(a, b, style);
  keep_few(connected, style);
  powerset *out = copy_of(connected);
  for (size_t i = 0; i < a->parts.count; i++) {
    for (size_t j = 0; j < connected->parts.count; j++) {
      const polyhedron *later = connected->parts.at[j], *earlier = a->parts.at[i];
      if (!polyhedron_contains(later, earlier) || polyhedron_contains(earlier, later)) continue;
      polyhedron *wider = polyhedron_copy(later);
      if (style->shape != SHAPE_NONE)
        shape_widen_polyhedron(wider, earlier, style->shape, style->limits);
      else
        polyhedron_widen(wider, earlier, style->widening, style->limits);
      powerset_add(out, wider);
    }
  }
  powerset_free(connected);
  return out;
}
