/* The functions of space.h on unions of differences. Sets that grow too large are trouble. */
#include "engine/fbar/upward_space.h"

/* More differences in a set, or minimal vectors in one, than this are too much work. A difference of two sets must be
 * simpler, since it will be taken from, and be a block. */
enum { MOST_DIFFERENCES = 1000, MOST_AFTER_MINUS = 6, MOST_VECTORS = 2000 };

typedef struct differences {
  VECTOR(upward_difference) list; /* none empty */
} differences;

static differences *of_points(const points *p) { return (differences *)p; }

static void difference_free(upward_difference *d) {
  upward_clear(&d->up);
  upward_clear(&d->without);
}

static void free_points(void *self, points *of) {
  (void)self;
  if (!of) return;
  for (size_t i = 0; i < of_points(of)->list.count; i++) difference_free(&of_points(of)->list.at[i]);
  VECTOR_FREE(of_points(of)->list);
  memory_free(of);
}

/* a within b: nothing of a is outside what b has, and nothing of a is in what b lacks */
static bool is_within(const upward_difference *a, const upward_difference *b) {
  for (size_t i = 0; i < upward_count(&a->up); i++) {
    const int64_t *least = upward_at(&a->up, i);
    if (!upward_has(&b->up, least) && !upward_has(&a->without, least)) return false;
  }
  return !upward_meet_outside(&a->up, &b->without, &a->without, NULL);
}

/* Those that lack nothing are one. */
static bool add_to_whole(differences *to, const upward_difference *made) {
  if (upward_count(&made->without)) return false;
  for (size_t i = 0; i < to->list.count; i++) {
    if (upward_count(&to->list.at[i].without)) continue;
    upward_unite(&to->list.at[i].up, &made->up);
    return true;
  }
  return false;
}

/* Adds what is not empty and not there already; what it contains goes. */
static void add(differences *to, TAKE upward up, TAKE upward without) {
  upward_difference made = {up, without};
  upward_drop(&made.up, &made.without);
  bool there = upward_count(&made.up) == 0 || add_to_whole(to, &made);
  for (size_t i = 0; i < to->list.count && !there; i++) there = is_within(&made, &to->list.at[i]);
  if (there) {
    difference_free(&made);
    return;
  }
  size_t kept = 0;
  for (size_t i = 0; i < to->list.count; i++) {
    if (is_within(&to->list.at[i], &made))
      difference_free(&to->list.at[i]);
    else
      to->list.at[kept++] = to->list.at[i];
  }
  to->list.count = kept;
  VECTOR_PUSH(to->list, made);
}

static points *within_limits(upward_space *s, TAKE differences *made, size_t most) {
  bool fits = made->list.count <= most;
  for (size_t i = 0; i < made->list.count && fits; i++)
    fits =
        upward_count(&made->list.at[i].up) <= MOST_VECTORS && upward_count(&made->list.at[i].without) <= MOST_VECTORS;
  if (fits) return (points *)made;
  free_points(s, (points *)made);
  s->trouble = "too many minimal vectors";
  return NULL;
}

points *upward_points(upward up, upward without) {
  differences *made = MEMORY_NEW(differences);
  add(made, up, without);
  return (points *)made;
}

size_t upward_points_count(const points *of) { return of_points(of)->list.count; }
const upward_difference *upward_points_at(const points *of, size_t i) { return &of_points(of)->list.at[i]; }

/* ---- the interface ---- */

static points *copy(void *self, const points *of) {
  (void)self;
  differences *made = MEMORY_NEW(differences);
  for (size_t i = 0; i < of_points(of)->list.count; i++) {
    const upward_difference *d = &of_points(of)->list.at[i];
    upward_difference same = {upward_copy(&d->up), upward_copy(&d->without)};
    VECTOR_PUSH(made->list, same);
  }
  return (points *)made;
}

static void add_meet(differences *to, const upward_difference *a, const upward_difference *b) {
  upward without = upward_copy(&a->without);
  upward_unite(&without, &b->without);
  add(to, upward_meet(&a->up, &b->up), without);
}

static points *meet(void *self, const points *a, const points *b) {
  differences *made = MEMORY_NEW(differences);
  for (size_t i = 0; i < of_points(a)->list.count; i++)
    for (size_t j = 0; j < of_points(b)->list.count; j++)
      add_meet(made, &of_points(a)->list.at[i], &of_points(b)->list.at[j]);
  return within_limits(self, made, MOST_DIFFERENCES);
}

/* a without (up minus lack): a without up, and a within lack. */
static void add_minus(differences *to, const upward_difference *a, const upward_difference *b) {
  upward without = upward_copy(&a->without);
  upward_unite(&without, &b->up);
  add(to, upward_copy(&a->up), without);
  if (upward_count(&b->without)) add(to, upward_meet(&a->up, &b->without), upward_copy(&a->without));
}

static points *minus(void *self, const points *a, const points *b) {
  points *left = copy(self, a);
  for (size_t j = 0; j < of_points(b)->list.count && left; j++) {
    differences *next = MEMORY_NEW(differences);
    for (size_t i = 0; i < of_points(left)->list.count; i++)
      add_minus(next, &of_points(left)->list.at[i], &of_points(b)->list.at[j]);
    free_points(self, left);
    left = within_limits(self, next, MOST_AFTER_MINUS);
  }
  return left;
}

static points *join(void *self, const points *a, const points *b) {
  points *made = copy(self, a);
  for (size_t j = 0; j < of_points(b)->list.count; j++) {
    const upward_difference *d = &of_points(b)->list.at[j];
    add(of_points(made), upward_copy(&d->up), upward_copy(&d->without));
  }
  return within_limits(self, of_points(made), MOST_DIFFERENCES);
}

static bool step_image(const upward_step *t, way w, const upward *of, upward *out) {
  if (w == WAY_BEFORE) return upward_before(t, of, out);
  if (!t->is_shift) return false;
  *out = upward_after(t, of);
  return true;
}

/* The difference of the images is the image of the difference, since steps and shifts back are functions. */
static points *image(void *self, way w, const points *of) {
  upward_space *s = self;
  differences *made = MEMORY_NEW(differences);
  bool fits = true;
  for (size_t t = 0; t < s->steps.count && fits; t++)
    for (size_t i = 0; i < of_points(of)->list.count && fits; i++) {
      const upward_difference *d = &of_points(of)->list.at[i];
      upward up = {0}, without = {0};
      fits = step_image(&s->steps.at[t], w, &d->up, &up) && step_image(&s->steps.at[t], w, &d->without, &without);
      if (fits)
        add(made, up, without);
      else
        upward_clear(&up);
    }
  if (fits) return within_limits(s, made, MOST_DIFFERENCES);
  free_points(s, (points *)made);
  s->trouble = w == WAY_BEFORE ? "too many minimal vectors" : "images of transfers are not computed";
  return NULL;
}

static points *tidy(void *self, points *of) {
  (void)self;
  return of;
}

static answer is_empty(void *self, const points *of) {
  (void)self;
  return of_points(of)->list.count ? answer_no() : answer_yes();
}

static answer meets(void *self, const points *a, const points *b) {
  (void)self;
  for (size_t i = 0; i < of_points(a)->list.count; i++)
    for (size_t j = 0; j < of_points(b)->list.count; j++) {
      const upward_difference *x = &of_points(a)->list.at[i], *y = &of_points(b)->list.at[j];
      if (upward_meet_outside(&x->up, &y->up, &x->without, &y->without)) return answer_yes();
    }
  return answer_no();
}

static const char *trouble(void *self) { return ((upward_space *)self)->trouble; }

space upward_space_interface(upward_space *s) {
  return (space){s, copy, meet, minus, join, image, tidy, is_empty, meets, free_points, trouble};
}

void upward_space_clear(upward_space *s) {
  for (size_t i = 0; i < s->steps.count; i++) upward_step_clear(&s->steps.at[i]);
  VECTOR_FREE(s->steps);
}
