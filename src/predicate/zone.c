/* Difference bounds closed by shortest paths; holes (x - y != c) move borders or split the set. */
#include "predicate/zone.h"

#define NONE (INT64_MAX / 4)
#define LARGEST (INT64_C(1) << 40) /* sums along a path of all variables stay far below NONE */

enum { MOST_SPLITS = 256 };

static bool index_of(size_t count, const variable *variables, variable v, uint8_t *out) {
  for (size_t i = 0; i < count; i++)
    if (variable_same(variables[i], v)) {
      *out = (uint8_t)(i + 1);
      return true;
    }
  return false;
}

bool zone_literal_of(const terms *ts, size_t count, const variable *variables, term literal, zone_literal *out) {
  term_kind kind = term_kind_of(ts, literal);
  if (kind != TERM_LE && kind != TERM_EQ) return false;
  linear l = term_linear(ts, term_argument(ts, literal, 0));
  int64_t constant;
  uint8_t place[2] = {0, 0}; /* of the variable with coefficient 1, of the one with -1 */
  if (l.count > 2 || !number_to_int64(l.constant, &constant) || constant > LARGEST || constant < -LARGEST) return false;
  for (size_t i = 0; i < l.count; i++) {
    bool minus = number_is(l.coefficients[i], -1);
    if (!minus && !number_is(l.coefficients[i], 1)) return false;
    if (term_kind_of(ts, l.leaves[i]) != TERM_INT_VARIABLE || place[minus]) return false;
    if (!index_of(count, variables, term_variable(ts, l.leaves[i]), &place[minus])) return false;
  }
  bool negated = term_is_negated(literal);
  if (kind == TERM_EQ)
    *out = (zone_literal){negated ? ZONE_DIFFERENT : ZONE_EQUAL, place[0], place[1], -constant};
  else if (negated) /* first - second + constant >= 1 */
    *out = (zone_literal){ZONE_AT_MOST, place[1], place[0], constant - 1};
  else
    *out = (zone_literal){ZONE_AT_MOST, place[0], place[1], -constant};
  return true;
}

static inline int64_t *at(zone *z, uint8_t first, uint8_t second) { return &z->bound[first * z->count + second]; }

void zone_start(zone *z, size_t variables) {
  REQUIRE(variables <= ZONE_VARIABLES, "few enough variables");
  z->count = (uint8_t)(variables + 1);
  z->holes = 0;
  z->empty = false;
  for (uint8_t i = 0; i < z->count; i++)
    for (uint8_t j = 0; j < z->count; j++) *at(z, i, j) = i == j ? 0 : NONE;
}

void zone_copy(zone *to, const zone *from) {
  to->count = from->count;
  to->holes = from->holes;
  to->empty = from->empty;
  memcpy(to->bound, from->bound, (size_t)from->count * from->count * sizeof(int64_t));
  memcpy(to->hole, from->hole, from->holes * sizeof(zone_literal));
}

static int64_t add(int64_t a, int64_t b) { return a == NONE || b == NONE ? NONE : a + b; }

/* first - second <= bound, and all that follows from it. */
static void tighten(zone *z, uint8_t first, uint8_t second, int64_t bound) {
  if (z->empty || bound >= *at(z, first, second)) return;
  if (add(bound, *at(z, second, first)) < 0) {
    z->empty = true;
    return;
  }
  for (uint8_t i = 0; i < z->count; i++) {
    int64_t to = add(*at(z, i, first), bound);
    if (to == NONE) continue;
    for (uint8_t j = 0; j < z->count; j++) {
      int64_t through = add(to, *at(z, second, j));
      if (through < *at(z, i, j)) *at(z, i, j) = through;
    }
  }
}

bool zone_add(zone *z, zone_literal l) {
  if (l.kind == ZONE_DIFFERENT) {
    if (z->holes == ZONE_HOLES) return false;
    z->hole[z->holes++] = l;
    return true;
  }
  tighten(z, l.first, l.second, l.bound);
  if (l.kind == ZONE_EQUAL) tighten(z, l.second, l.first, -l.bound);
  return true;
}

static void move_borders(zone *z) {
  for (bool moved = true; moved && !z->empty;) {
    moved = false;
    for (uint8_t i = 0; i < z->holes && !z->empty; i++) {
      const zone_literal *h = &z->hole[i];
      if (*at(z, h->first, h->second) == h->bound) tighten(z, h->first, h->second, h->bound - 1), moved = true;
      if (!z->empty && *at(z, h->second, h->first) == -h->bound)
        tighten(z, h->second, h->first, -h->bound - 1), moved = true;
    }
  }
}

void zone_settle(zone *z) {
  move_borders(z);
  uint8_t kept = 0;
  for (uint8_t i = 0; i < z->holes && !z->empty; i++) {
    const zone_literal h = z->hole[i];
    bool outside = h.bound > *at(z, h.first, h.second) || -h.bound > *at(z, h.second, h.first);
    if (!outside) z->hole[kept++] = h;
  }
  z->holes = kept;
}

/* Holes at the border move it; one inside splits the set. Depth is at most the number of holes, `*splits` bounds the
 * work. */
static answer search(zone *z, int *splits) {
  move_borders(z);
  if (z->empty) return answer_yes();
  for (uint8_t i = 0; i < z->holes; i++) {
    const zone_literal h = z->hole[i];
    if (h.bound > *at(z, h.first, h.second) || -h.bound > *at(z, h.second, h.first)) continue;
    if (--*splits < 0) return answer_unsure("too many values are excluded");
    zone half;
    zone_copy(&half, z);
    tighten(&half, h.first, h.second, h.bound - 1);
    answer a = search(&half, splits);
    if (!answer_is_yes(a)) return a;
    tighten(z, h.second, h.first, -h.bound - 1);
    return search(z, splits);
  }
  return answer_no();
}

static bool has_hole_inside(const zone *z) {
  for (uint8_t i = 0; i < z->holes; i++) {
    const zone_literal *h = &z->hole[i];
    if (h->bound <= z->bound[h->first * z->count + h->second] && -h->bound <= z->bound[h->second * z->count + h->first])
      return true;
  }
  return false;
}

answer zone_is_empty(const zone *z) {
  int splits = MOST_SPLITS;
  if (z->empty) return answer_yes();
  if (!has_hole_inside(z)) return answer_no();
  zone copy;
  zone_copy(&copy, z);
  return search(&copy, &splits);
}
