/* The functions of space.h, each by a call of the library of integer sets. */
#include "engine/fbar/presburger_space.h"

static points *copy(void *self, const points *of) {
  (void)self;
  return points_of_region(region_copy(region_in_points(of)));
}

static points *meet(void *self, const points *a, const points *b) {
  (void)self;
  return points_of_region(region_meet(region_in_points(a), region_in_points(b)));
}

static points *minus(void *self, const points *a, const points *b) {
  (void)self;
  return points_of_region(region_minus(region_in_points(a), region_in_points(b)));
}

static points *join(void *self, const points *a, const points *b) {
  (void)self;
  return points_of_region(region_join(region_in_points(a), region_in_points(b)));
}

static points *image(void *self, way w, const points *of) {
  const presburger_space *s = self;
  const region *r = region_in_points(of);
  return points_of_region(region_tidy(w == WAY_BEFORE ? relation_before(s->steps, r) : relation_after(s->steps, r)));
}

static points *tidy(void *self, points *of) {
  (void)self;
  return points_of_region(region_tidy(region_of_points(of)));
}

static answer is_empty(void *self, const points *of) {
  (void)self;
  return region_is_empty(region_in_points(of));
}

static answer meets(void *self, const points *a, const points *b) {
  (void)self;
  return region_meets(region_in_points(a), region_in_points(b));
}

static void free_points(void *self, points *of) {
  (void)self;
  region_free(region_of_points(of));
}

static const char *trouble(void *self) { return presburger_trouble(((presburger_space *)self)->sets); }

space presburger_space_interface(presburger_space *s) {
  return (space){s, copy, meet, minus, join, image, tidy, is_empty, meets, free_points, trouble};
}
