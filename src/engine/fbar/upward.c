/* Operations on lists of minimal vectors: union, intersection, inclusion, and the vectors before or after a step. */
#include "engine/fbar/upward.h"

#include "base/work.h"

/* More minimal vectors than this are too much work; larger numbers cannot come up in sensible models, and leave room
 * for sums. */
enum { MOST_MINIMAL = 4000, VECTORS_PER_UNIT = 100 /* base/work.h */ };
static const int64_t largest = INT64_C(1) << 40;

/* Of comparing every vector of one set with every one of another. */
static void count_work(size_t a, size_t b, size_t width) { work_add(1 + a * b * width / 512); }

upward upward_none(size_t width) { return (upward){.width = width}; }

upward upward_every(size_t width) {
  upward u = upward_none(width);
  for (size_t i = 0; i < width; i++) VECTOR_PUSH(u.cells, 0);
  return u;
}

upward upward_copy(const upward *u) {
  upward made = upward_none(u->width);
  VECTOR_RESERVE(made.cells, u->cells.count);
  if (u->cells.count) memcpy(made.cells.at, u->cells.at, u->cells.count * sizeof *u->cells.at);
  made.cells.count = u->cells.count;
  return made;
}

void upward_clear(upward *u) { VECTOR_FREE(u->cells); }

bool vector_is_above(size_t width, const int64_t *a, const int64_t *b) {
  for (size_t i = 0; i < width; i++)
    if (a[i] < b[i]) return false;
  return true;
}

bool upward_has(const upward *u, const int64_t *vector) {
  work_add(upward_count(u) / VECTORS_PER_UNIT);
  for (size_t i = 0; i < upward_count(u); i++)
    if (vector_is_above(u->width, vector, upward_at(u, i))) return true;
  return false;
}

static void append(upward *u, const int64_t *vector) {
  VECTOR_RESERVE(u->cells, u->cells.count + u->width);
  memcpy(u->cells.at + u->cells.count, vector, u->width * sizeof *vector);
  u->cells.count += u->width;
}

void upward_add(upward *u, const int64_t *vector) {
  if (upward_has(u, vector)) return;
  size_t kept = 0;
  for (size_t i = 0; i < upward_count(u); i++) {
    if (vector_is_above(u->width, upward_at(u, i), vector)) continue;
    memmove(u->cells.at + kept * u->width, upward_at(u, i), u->width * sizeof *vector);
    kept++;
  }
  u->cells.count = kept * u->width;
  append(u, vector);
}

void upward_unite(upward *to, const upward *with) {
  for (size_t i = 0; i < upward_count(with); i++) upward_add(to, upward_at(with, i));
}

upward upward_meet(const upward *a, const upward *b) {
  upward made = upward_none(a->width);
  count_work(upward_count(a), upward_count(b), a->width);
  int64_t *both = MEMORY_ARRAY(int64_t, a->width);
  for (size_t i = 0; i < upward_count(a); i++)
    for (size_t j = 0; j < upward_count(b); j++) {
      const int64_t *x = upward_at(a, i), *y = upward_at(b, j);
      for (size_t k = 0; k < a->width; k++) both[k] = x[k] > y[k] ? x[k] : y[k];
      upward_add(&made, both);
    }
  memory_free(both);
  return made;
}

bool upward_meet_outside(const upward *a, const upward *b, const upward *c, const upward *d) {
  int64_t *both = MEMORY_ARRAY(int64_t, a->width);
  bool found = false;
  count_work(upward_count(a), upward_count(b), a->width);
  for (size_t i = 0; i < upward_count(a) && !found; i++)
    for (size_t j = 0; j < upward_count(b) && !found; j++) {
      const int64_t *x = upward_at(a, i), *y = upward_at(b, j);
      for (size_t k = 0; k < a->width; k++) both[k] = x[k] > y[k] ? x[k] : y[k];
      found = !upward_has(c, both) && !(d && upward_has(d, both));
    }
  memory_free(both);
  return found;
}

bool upward_is_within(const upward *a, const upward *b) {
  for (size_t i = 0; i < upward_count(a); i++)
    if (!upward_has(b, upward_at(a, i))) return false;
  return true;
}

void upward_drop(upward *u, const upward *other) {
  size_t kept = 0;
  for (size_t i = 0; i < upward_count(u); i++) {
    if (upward_has(other, upward_at(u, i))) continue;
    memmove(u->cells.at + kept * u->width, upward_at(u, i), u->width * sizeof *u->cells.at);
    kept++;
  }
  u->cells.count = kept * u->width;
}

/* ---- steps ---- */

void upward_step_clear(upward_step *s) {
  upward_clear(&s->guard);
  for (size_t i = 0; i < s->rows.count; i++) VECTOR_FREE(s->rows.at[i].entries);
  VECTOR_FREE(s->rows);
}

/* Minimal vectors above `start` whose row is at least `bound`, added to `out`. Each entry in turn takes 0, 1, .. of
 * what is missing, the last one all of it. */
static bool raise_row(const upward_row *row, int64_t bound, const int64_t *start, upward *out) {
  size_t width = out->width, count = row->entries.count;
  __int128 missing = (__int128)bound - row->constant; /* products of a coefficient and a cell need more than 64 bits */
  for (size_t k = 0; k < count; k++)
    missing -= (__int128)row->entries.at[k].coefficient * start[row->entries.at[k].from];
  if (missing <= 0) {
    upward_add(out, start);
    return true;
  }
  if (!count) return true;
  if (missing > largest) return false;
  int64_t *taken = MEMORY_ARRAY(int64_t, count), *vector = MEMORY_ARRAY(int64_t, width);
  bool fits = true, more = true;
  while (more && fits) {
    int64_t left = (int64_t)missing;
    for (size_t k = 0; k + 1 < count; k++) left -= taken[k] * row->entries.at[k].coefficient;
    int64_t last = row->entries.at[count - 1].coefficient;
    taken[count - 1] = left > 0 ? (left + last - 1) / last : 0;
    memcpy(vector, start, width * sizeof *vector);
    for (size_t k = 0; k < count; k++) vector[row->entries.at[k].from] += taken[k];
    upward_add(out, vector);
    fits = upward_count(out) <= MOST_MINIMAL;
    /* the next choice for all but the last: like counting; a digit is at its highest once nothing is missing */
    more = false;
    for (size_t k = 0; k + 1 < count && !more; k++) {
      more = left > 0;
      if (more) {
        taken[k]++;
      } else {
        left += taken[k] * row->entries.at[k].coefficient;
        taken[k] = 0;
      }
    }
  }
  memory_free(taken);
  memory_free(vector);
  return fits;
}

bool upward_of_row(size_t width, const upward_row *row, int64_t bound, upward *out) {
  upward every = upward_every(width);
  *out = upward_none(width);
  bool fits = raise_row(row, bound, upward_at(&every, 0), out);
  if (!fits) upward_clear(out);
  upward_clear(&every);
  return fits;
}

bool upward_before(const upward_step *s, const upward *of, upward *out) {
  bool fits = true;
  *out = upward_none(of->width);
  count_work(upward_count(of), of->width, of->width);
  for (size_t m = 0; m < upward_count(of) && fits; m++) {
    upward now = upward_copy(&s->guard);
    for (size_t i = 0; i < of->width && fits; i++) {
      upward next = upward_none(of->width);
      for (size_t k = 0; k < upward_count(&now) && fits; k++)
        fits = raise_row(&s->rows.at[i], upward_at(of, m)[i], upward_at(&now, k), &next);
      upward_clear(&now);
      now = next;
    }
    upward_unite(out, &now);
    upward_clear(&now);
    fits = fits && upward_count(out) <= MOST_MINIMAL;
  }
  for (size_t i = 0; i < out->cells.count && fits; i++) fits = out->cells.at[i] <= largest;
  if (!fits) upward_clear(out);
  return fits;
}

upward upward_after(const upward_step *s, const upward *of) {
  REQUIRE(s->is_shift, "a shift");
  upward taken = upward_meet(&s->guard, of);
  for (size_t i = 0; i < taken.cells.count; i++) taken.cells.at[i] += s->rows.at[i % taken.width].constant;
  return taken;
}
