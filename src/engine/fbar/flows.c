/* The weights w >= 0 for which no step makes the sum larger are a cone: it is enough that the step does not from the
 * least vectors of its guard, nor more of it from larger ones. Its edges are found one constraint after the other
 * (Farkas, Fourier, Motzkin; for Petri nets: Colom and Silva): what fulfils the constraint stays, and each pair of an
 * edge that does not and one that does so strictly gives the edge between them on which the constraint is tight. On an
 * edge many inequalities are tight: what has fewer than another is no edge.
 *
 * Numbers of edges may explode. Those that are kept always fulfil all constraints so far, so leaving some out, the ones
 * with the most places, costs bounds, never truth. */
#include "engine/fbar/flows.h"

#include "base/bits.h"
#include "base/work.h"

enum { MOST_EDGES = 160, MOST_PAIRS = 20000 };
static const int64_t largest_weight = INT64_C(1) << 20;

typedef struct edge {
  int64_t *weights;
  bits loose; /* which inequalities are not tight: weights, then constraints so far */
  size_t places;
} edge;

typedef VECTOR(edge) edge_vector;

typedef struct cone {
  size_t width, height;        /* `height`: how many constraints there are */
  VECTOR(int64_t) constraints; /* rows of `width`: the weighted sum is to be at most 0, or 0 */
  edge_vector edges;
  bool is_tight; /* the sums are to be 0 */
} cone;

static void edge_free(edge *e) {
  memory_free(e->weights);
  bits_free(&e->loose);
}

/* ---- constraints ---- */

static void add_constraint(cone *c, const int64_t *row) {
  bool trivial = true;
  for (size_t i = 0; i < c->width && trivial; i++) trivial = c->is_tight ? row[i] == 0 : row[i] <= 0;
  for (size_t k = 0; k < c->height && !trivial; k++)
    trivial = memcmp(c->constraints.at + k * c->width, row, c->width * sizeof *row) == 0;
  if (trivial) return; /* holds for all weights, or is there already */
  for (size_t i = 0; i < c->width; i++) VECTOR_PUSH(c->constraints, row[i]);
  c->height++;
}

/* What the step adds to each element of the vector, as a constraint: `from` is one of the least that it can be taken
 * from. */
static void add_gain(cone *c, const upward_step *s, const int64_t *from) {
  int64_t *row = MEMORY_ARRAY(int64_t, c->width);
  for (size_t i = 0; i < c->width; i++) {
    row[i] = s->rows.at[i].constant - from[i];
    for (size_t k = 0; k < s->rows.at[i].entries.count; k++)
      row[i] += s->rows.at[i].entries.at[k].coefficient * from[s->rows.at[i].entries.at[k].from];
  }
  add_constraint(c, row);
  memory_free(row);
}

/* What it adds if element `j` is larger by one. */
static void add_column(cone *c, const upward_step *s, size_t j) {
  int64_t *row = MEMORY_ARRAY(int64_t, c->width);
  row[j] = -1;
  for (size_t i = 0; i < c->width; i++)
    for (size_t k = 0; k < s->rows.at[i].entries.count; k++)
      if (s->rows.at[i].entries.at[k].from == j) row[i] += s->rows.at[i].entries.at[k].coefficient;
  add_constraint(c, row);
  memory_free(row);
}

static void add_step(cone *c, const upward_step *s) {
  for (size_t g = 0; g < upward_count(&s->guard); g++) add_gain(c, s, upward_at(&s->guard, g));
  for (size_t j = 0; j < c->width && !s->is_shift; j++) add_column(c, s, j);
}

/* ---- edges ---- */

int64_t flow_sum(size_t width, const int64_t *weights, const int64_t *vector) {
  int64_t sum = 0, part;
  for (size_t i = 0; i < width; i++) {
    if (!weights[i]) continue;
    if (__builtin_mul_overflow(weights[i], vector[i], &part) || __builtin_add_overflow(sum, part, &sum))
      return INT64_MAX;
  }
  return sum;
}

static int64_t divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* p * a + q * b without common factors; false if a weight becomes too large. */
static bool combine(const cone *c, const edge *a, int64_t p, const edge *b, int64_t q, edge *out) {
  int64_t common = 0;
  *out = (edge){.weights = MEMORY_ARRAY(int64_t, c->width)};
  bool fits = true;
  for (size_t i = 0; i < c->width && fits; i++) {
    int64_t x, y;
    fits = !__builtin_mul_overflow(p, a->weights[i], &x) && !__builtin_mul_overflow(q, b->weights[i], &y) &&
           !__builtin_add_overflow(x, y, &out->weights[i]);
    common = fits ? divisor(out->weights[i], common) : common;
  }
  for (size_t i = 0; i < c->width && fits; i++) {
    out->weights[i] /= common;
    out->places += out->weights[i] != 0;
    fits = out->weights[i] <= largest_weight;
  }
  if (!fits) {
    memory_free(out->weights);
    return false;
  }
  out->loose = bits_copy(&a->loose);
  bits_unite(&out->loose, &b->loose);
  return true;
}

/* Adds what is loose no more than necessary. */
static void add_edge(edge_vector *to, TAKE edge made) {
  size_t kept = 0;
  bool there = false;
  work_add(1 + to->count / 16);
  for (size_t i = 0; i < to->count && !there; i++) there = bits_is_within(&to->at[i].loose, &made.loose);
  if (there) {
    edge_free(&made);
    return;
  }
  for (size_t i = 0; i < to->count; i++) {
    if (bits_is_within(&made.loose, &to->at[i].loose))
      edge_free(&to->at[i]);
    else
      to->at[kept++] = to->at[i];
  }
  to->count = kept;
  VECTOR_PUSH(*to, made);
}

/* Those with the fewest places, in the order they have. */
static void keep_few(edge_vector *v) {
  for (size_t most = 1; v->count > MOST_EDGES; most++) {
    size_t small = 0;
    for (size_t i = 0; i < v->count; i++) small += v->at[i].places <= most;
    if (small < MOST_EDGES) continue;
    size_t kept = 0;
    for (size_t i = 0; i < v->count; i++) {
      if (v->at[i].places <= most && kept < MOST_EDGES)
        v->at[kept++] = v->at[i];
      else
        edge_free(&v->at[i]);
    }
    v->count = kept;
  }
}

static void cut_by(cone *c, size_t at) {
  const int64_t *row = c->constraints.at + at * c->width;
  edge_vector old = c->edges;
  int64_t *sums = MEMORY_ARRAY(int64_t, old.count + 1);
  c->edges = (edge_vector){0};
  for (size_t i = 0; i < old.count; i++) {
    sums[i] = flow_sum(c->width, old.at[i].weights, row);
    if (sums[i] < 0) bits_add(&old.at[i].loose, c->width + at);
  }
  size_t pairs = 0;
  for (size_t i = 0; i < old.count; i++) {
    for (size_t j = 0; j < old.count && sums[i] > 0 && sums[i] < INT64_MAX && pairs < MOST_PAIRS; j++) {
      edge made;
      if (sums[j] >= 0) continue;
      pairs++;
      int64_t common = divisor(sums[i], -sums[j]);
      if (!combine(c, &old.at[i], -sums[j] / common, &old.at[j], sums[i] / common, &made)) continue;
      bits_remove(&made.loose, c->width + at);
      add_edge(&c->edges, made);
    }
  }
  for (size_t i = 0; i < old.count; i++) {
    if (sums[i] == 0 || (sums[i] < 0 && !c->is_tight))
      add_edge(&c->edges, old.at[i]);
    else
      edge_free(&old.at[i]);
  }
  VECTOR_FREE(old);
  memory_free(sums);
  keep_few(&c->edges);
}

/* How many pairs a constraint makes of the edges there are. */
static size_t pairs_of(const cone *c, size_t at) {
  size_t above = 0, below = 0;
  for (size_t i = 0; i < c->edges.count; i++) {
    int64_t sum = flow_sum(c->width, c->edges.at[i].weights, c->constraints.at + at * c->width);
    above += sum > 0;
    below += sum < 0;
  }
  return above * below;
}

/* The one that makes the fewest pairs comes next. */
static void cut_by_all(cone *c) {
  bool *done = MEMORY_ARRAY(bool, c->height + 1);
  for (size_t round = 0; round < c->height; round++) {
    size_t best = SIZE_MAX, fewest = SIZE_MAX;
    for (size_t k = 0; k < c->height; k++) {
      size_t pairs = done[k] ? SIZE_MAX : pairs_of(c, k);
      if (pairs < fewest) best = k, fewest = pairs;
    }
    done[best] = true;
    work_add(1 + c->edges.count * c->width * c->height / 512);
    cut_by(c, best);
  }
  memory_free(done);
}

static void add_flows(flows *to, size_t count, const upward_step *steps, bool is_tight) {
  cone c = {.width = to->width, .is_tight = is_tight};
  for (size_t t = 0; t < count; t++) add_step(&c, &steps[t]);
  for (size_t i = 0; i < c.width; i++) {
    edge unit = {.weights = MEMORY_ARRAY(int64_t, c.width), .loose = bits_new(c.width + c.height), .places = 1};
    unit.weights[i] = 1;
    bits_add(&unit.loose, i);
    VECTOR_PUSH(c.edges, unit);
  }
  cut_by_all(&c);
  for (size_t i = 0; i < c.edges.count; i++) {
    for (size_t k = 0; k < c.width; k++) VECTOR_PUSH(to->weights, c.edges.at[i].weights[k]);
    edge_free(&c.edges.at[i]);
  }
  VECTOR_FREE(c.edges);
  VECTOR_FREE(c.constraints);
}

/* What is conserved is few, and found first; what may also be lost are many more sums. */
flows flows_of_steps(size_t width, size_t count, const upward_step *steps) {
  flows made = {.width = width};
  add_flows(&made, count, steps, true);
  add_flows(&made, count, steps, false);
  return made;
}

void flows_clear(flows *f) { VECTOR_FREE(f->weights); }
