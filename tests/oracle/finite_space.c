#include "oracle/finite_space.h"

typedef VECTOR(uint32_t) state_vector;

struct finite_space {
  size_t states;
  state_vector *next[2]; /* by way, by state */
};

static bits *bits_of(const points *p) { return (bits *)p; }

points *finite_points(const bits *of) {
  bits *made = MEMORY_NEW(bits);
  *made = bits_copy(of);
  return (points *)made;
}

const bits *finite_points_bits(const points *of) { return bits_of(of); }

finite_space *finite_space_new(size_t states) {
  finite_space *f = MEMORY_NEW(finite_space);
  f->states = states;
  for (int w = 0; w < 2; w++) f->next[w] = MEMORY_ARRAY(state_vector, states + 1);
  return f;
}

void finite_space_free(finite_space *f) {
  if (!f) return;
  for (int w = 0; w < 2; w++) {
    for (size_t i = 0; i < f->states; i++) VECTOR_FREE(f->next[w][i]);
    memory_free(f->next[w]);
  }
  memory_free(f);
}

size_t finite_space_states(const finite_space *f) { return f->states; }

void finite_space_add_step(finite_space *f, uint32_t from, uint32_t to) {
  REQUIRE(from < f->states && to < f->states, "states of the space");
  VECTOR_PUSH(f->next[WAY_AFTER][from], to);
  VECTOR_PUSH(f->next[WAY_BEFORE][to], from);
}

void finite_space_image(const finite_space *f, way w, const bits *of, bits *out) {
  BITS_EACH (i, of)
    for (size_t j = 0; j < f->next[w][i].count; j++) bits_add(out, f->next[w][i].at[j]);
}

/* ---- the interface ---- */

static points *copy(void *self, const points *of) {
  (void)self;
  return finite_points(bits_of(of));
}

static points *meet(void *self, const points *a, const points *b) {
  (void)self;
  points *made = finite_points(bits_of(a));
  bits_meet(bits_of(made), bits_of(b));
  return made;
}

static points *minus(void *self, const points *a, const points *b) {
  (void)self;
  points *made = finite_points(bits_of(a));
  bits_minus(bits_of(made), bits_of(b));
  return made;
}

static points *join(void *self, const points *a, const points *b) {
  (void)self;
  points *made = finite_points(bits_of(a));
  bits_unite(bits_of(made), bits_of(b));
  return made;
}

static points *image(void *self, way w, const points *of) {
  finite_space *f = self;
  bits *made = MEMORY_NEW(bits);
  *made = bits_new(f->states);
  finite_space_image(f, w, bits_of(of), made);
  return (points *)made;
}

static points *tidy(void *self, points *of) {
  (void)self;
  return of;
}

static answer is_empty(void *self, const points *of) {
  (void)self;
  return bits_is_empty(bits_of(of)) ? answer_yes() : answer_no();
}

static answer meets(void *self, const points *a, const points *b) {
  (void)self;
  const bits *x = bits_of(a), *y = bits_of(b);
  for (size_t i = 0; i < bits_words(x->size); i++)
    if (x->words[i] & y->words[i]) return answer_yes();
  return answer_no();
}

static void free_points(void *self, points *of) {
  (void)self;
  if (!of) return;
  bits_free(bits_of(of));
  memory_free(of);
}

static const char *trouble(void *self) {
  (void)self;
  return NULL;
}

space finite_space_interface(finite_space *f) {
  return (space){f, copy, meet, minus, join, image, tidy, is_empty, meets, free_points, trouble};
}
