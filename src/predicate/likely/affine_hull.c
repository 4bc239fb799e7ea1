/* The differences from the first vector are kept as rows of integers in reduced echelon form: the pivot of a row is its first number that is not 0, and
 * all other rows have 0 there. Each column without a pivot gives one equation. */
#include "predicate/likely/affine_hull.h"

#include "base/memory.h"

struct affine_hull {
  size_t width;
  int64_t *first, *work;
  VECTOR(int64_t) rows; /* width numbers each */
  VECTOR(size_t) pivots;
  uint32_t count, since;
  bool is_lost; /* a number did not fit */
};

affine_hull *affine_hull_new(size_t width) {
  affine_hull *h = MEMORY_NEW(affine_hull);
  h->width = width;
  h->first = MEMORY_ARRAY(int64_t, width + 1);
  h->work = MEMORY_ARRAY(int64_t, width + 1);
  return h;
}

void affine_hull_free(affine_hull *h) {
  if (!h) return;
  memory_free(h->first);
  memory_free(h->work);
  VECTOR_FREE(h->rows);
  VECTOR_FREE(h->pivots);
  memory_free(h);
}

uint32_t affine_hull_count(const affine_hull *h) { return h->count; }
uint32_t affine_hull_since(const affine_hull *h) { return h->since; }

static int64_t gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/* Divides by the common divisor; the first number that is not 0 becomes positive. False if all are 0. */
static bool normalise(size_t width, int64_t *row, size_t *pivot) {
  int64_t divisor = 0;
  for (size_t i = 0; i < width; i++) divisor = gcd(divisor, row[i]);
  if (!divisor) return false;
  for (*pivot = 0; !row[*pivot];) ++*pivot;
  if (row[*pivot] < 0) divisor = -divisor;
  for (size_t i = 0; i < width; i++) row[i] /= divisor;
  return true;
}

/* row := row * by[pivot] - by * row[pivot], over their common divisor. False if a number does not fit. */
static bool eliminate(size_t width, int64_t *row, const int64_t *by, size_t pivot) {
  if (!row[pivot]) return true;
  int64_t divisor = gcd(by[pivot], row[pivot]), left = by[pivot] / divisor, right = row[pivot] / divisor;
  for (size_t i = 0; i < width; i++) {
    int64_t a, b;
    if (__builtin_mul_overflow(row[i], left, &a) || __builtin_mul_overflow(by[i], right, &b) ||
        __builtin_sub_overflow(a, b, &row[i]) || row[i] == INT64_MIN)
      return false;
  }
  return true;
}

static void add_row(affine_hull *h, size_t pivot) {
  for (size_t r = 0; r < h->pivots.count; r++) {
    int64_t *row = h->rows.at + r * h->width;
    h->is_lost |= !eliminate(h->width, row, h->work, pivot);
    if (h->is_lost) return;
    normalise(h->width, row, &h->pivots.at[r]);
  }
  for (size_t i = 0; i < h->width; i++) VECTOR_PUSH(h->rows, h->work[i]);
  VECTOR_PUSH(h->pivots, pivot);
}

void affine_hull_note(affine_hull *h, const int64_t *vector) {
  size_t pivot;
  h->count++;
  if (h->count == 1) {
    for (size_t i = 0; i < h->width; i++) h->first[i] = vector[i];
    h->since = 1;
    return;
  }
  for (size_t i = 0; i < h->width && !h->is_lost; i++)
    h->is_lost |= __builtin_sub_overflow(vector[i], h->first[i], &h->work[i]) || h->work[i] == INT64_MIN;
  for (size_t r = 0; r < h->pivots.count && !h->is_lost; r++)
    h->is_lost |= !eliminate(h->width, h->work, h->rows.at + r * h->width, h->pivots.at[r]);
  if (h->is_lost || !normalise(h->width, h->work, &pivot)) return;
  h->since = h->count;
  add_row(h, pivot);
}

/* ---- equations ---- */

static bool is_pivot(const affine_hull *h, size_t column) {
  for (size_t r = 0; r < h->pivots.count; r++)
    if (h->pivots.at[r] == column) return true;
  return false;
}

bool affine_hull_determines(const affine_hull *h, size_t column) { return !is_pivot(h, column); }

/* A common multiple of the pivots of rows that are not 0 in `column`; false if it does not fit. */
static bool common_multiple(const affine_hull *h, size_t column, int64_t *out) {
  *out = 1;
  for (size_t r = 0; r < h->pivots.count; r++) {
    const int64_t *row = h->rows.at + r * h->width;
    int64_t pivot = row[h->pivots.at[r]];
    if (row[column] && __builtin_mul_overflow(*out / gcd(*out, pivot), pivot, out)) return false;
  }
  return true;
}

/* The equation of a column without a pivot, into `out`; false if a number does not fit. */
static bool equation_of(const affine_hull *h, size_t column, int64_t *out, int64_t *constant) {
  int64_t multiple;
  size_t pivot;
  if (!common_multiple(h, column, &multiple)) return false;
  for (size_t i = 0; i < h->width; i++) out[i] = i == column ? multiple : 0;
  for (size_t r = 0; r < h->pivots.count; r++) {
    const int64_t *row = h->rows.at + r * h->width;
    if (row[column] && __builtin_mul_overflow(-(multiple / row[h->pivots.at[r]]), row[column], &out[h->pivots.at[r]]))
      return false;
  }
  normalise(h->width, out, &pivot);
  *constant = 0;
  for (size_t i = 0; i < h->width; i++) {
    int64_t product;
    if (__builtin_mul_overflow(out[i], h->first[i], &product) || __builtin_add_overflow(*constant, product, constant))
      return false;
  }
  return true;
}

void affine_hull_equations(const affine_hull *h, affine_hull_visit *visit, void *context) {
  int64_t *equation = MEMORY_ARRAY(int64_t, h->width + 1), constant;
  for (size_t i = 0; i < h->width && h->count && !h->is_lost; i++)
    if (!is_pivot(h, i) && equation_of(h, i, equation, &constant)) visit(context, equation, constant);
  memory_free(equation);
}
