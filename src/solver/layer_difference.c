/* Difference bounds: plus - minus <= bound; plus and minus are leaves of linear forms or the constant 0.
 *
 * The bounds are edges minus -> plus of a graph; they can be met together exactly if no cycle has a negative sum,
 * and then shortest distances are a solution, in integers (Bellman and Ford). The context's own solution is found once;
 * a question starts from it, adds the denial of its right side and repairs it, which is cheap when little has to
 * change. Values that a difference is not to have are met by cases, below or above, up to a fixed number of them.
 *
 * No solution: yes, whatever else is on the left. A solution: a counterexample, so no, if all that is relevant is a
 * difference bound over variables or a boolean variable; else a guess for layer_witness.c. */
#include "base/work.h"
#include "solver/layers.h"

enum { CASES_DEEP = 10, CASES_MOST = 48, EDGES_PER_UNIT = 300 /* base/work.h */ };

typedef struct edge {
  uint32_t plus, minus;
  number bound;
} edge;

typedef struct gap {
  uint32_t plus, minus;
  number value; /* which plus - minus is not to have */
} gap;

struct difference {
  bool is_built;
  uint32_t stamp;
  VECTOR(const leaf *) leaves; /* by node number; node 0 is the constant 0 */
  VECTOR(uint64_t) nodes;      /* by leaf number: stamp << 32 | node */
  VECTOR(edge) edges;
  VECTOR(gap) gaps;
  VECTOR(number) solution; /* of the context, by node */
  VECTOR(number) trial;    /* of the question: one row for each level of cases */
  size_t best;             /* the row of `trial` that is a solution, plus 1; 0 if there is none */
  unsigned cases;
};

difference *difference_new(void) { return MEMORY_NEW(difference); }

void difference_free(difference *d) {
  if (!d) return;
  VECTOR_FREE(d->leaves);
  VECTOR_FREE(d->nodes);
  VECTOR_FREE(d->edges);
  VECTOR_FREE(d->gaps);
  VECTOR_FREE(d->solution);
  VECTOR_FREE(d->trial);
  memory_free(d);
}

void difference_forget(difference *d) {
  d->is_built = false;
  d->best = 0;
}

/* The graph. */

static void add_edge(difference *d, uint32_t plus, uint32_t minus, number bound) {
  VECTOR_PUSH(d->edges, (edge){plus, minus, bound});
}

static void add_interval(difference *d, uint32_t plus, uint32_t minus, const interval *i) {
  if (i->has_high) add_edge(d, plus, minus, i->high);
  if (i->has_low) add_edge(d, minus, plus, number_negate(i->low));
}

static number nearest_to_zero(const interval *i) {
  if (i->has_low && number_sign(i->low) > 0) return i->low;
  if (i->has_high && number_sign(i->high) < 0) return i->high;
  return number_of(0);
}

/* A new node is bound to nothing but its type, so the solution is easily extended. */
static uint32_t node_of(difference *d, const leaf *l) {
  if (l->number == 0) return 0;
  while (d->nodes.count <= l->number) VECTOR_PUSH(d->nodes, 0);
  if (d->nodes.at[l->number] >> 32 == d->stamp) return (uint32_t)d->nodes.at[l->number];
  uint32_t fresh = (uint32_t)d->leaves.count;
  VECTOR_PUSH(d->leaves, l);
  d->nodes.at[l->number] = (uint64_t)d->stamp << 32 | fresh;
  add_interval(d, fresh, 0, &l->types);
  VECTOR_PUSH(d->solution, number_add(d->solution.at[0], nearest_to_zero(&l->types)));
  return fresh;
}

/* Lowers values until every edge is met; false if that never ends. */
static bool repair(const difference *d, number *values) {
  bool changed = true;
  size_t round = 0;
  for (; changed && round <= d->leaves.count; round++) {
    changed = false;
    for (size_t i = 0; i < d->edges.count; i++) {
      const edge *e = &d->edges.at[i];
      number most = number_add(values[e->minus], e->bound);
      if (number_compare(values[e->plus], most) <= 0) continue;
      values[e->plus] = most;
      changed = true;
    }
  }
  work_add(round * d->edges.count / EDGES_PER_UNIT);
  return !changed;
}

static void build(prover *p) {
  difference *d = p->difference;
  if (d->is_built) return;
  d->is_built = true;
  if (++d->stamp == 0) {
    VECTOR_CLEAR(d->nodes);
    d->stamp = 1;
  }
  VECTOR_CLEAR(d->leaves);
  VECTOR_CLEAR(d->edges);
  VECTOR_CLEAR(d->gaps);
  VECTOR_CLEAR(d->solution);
  VECTOR_PUSH(d->leaves, NULL);
  VECTOR_PUSH(d->solution, number_of(0));
  const form *const *forms;
  const exclusion *exclusions;
  size_t form_count = context_forms(p->context, &forms), exclusion_count = context_exclusions(p->context, &exclusions);
  for (size_t i = 0; i < form_count; i++) {
    if (!forms[i]->is_difference) continue;
    interval values = context_interval(p->context, forms[i]);
    add_interval(d, node_of(d, forms[i]->plus), node_of(d, forms[i]->minus), &values);
  }
  for (size_t i = 0; i < exclusion_count; i++) {
    const form *f = exclusions[i].form;
    if (f->is_difference) VECTOR_PUSH(d->gaps, (gap){node_of(d, f->plus), node_of(d, f->minus), exclusions[i].value});
  }
  if (!repair(d, d->solution.at)) context_refute(p->context);
}

/* The question. */

static void add_claim(difference *d, const form *f, const shape_claim *c) {
  uint32_t plus = node_of(d, f->plus), minus = node_of(d, f->minus);
  if (c->kind == CLAIM_DIFFERENT) {
    VECTOR_PUSH(d->gaps, (gap){plus, minus, c->bound});
    return;
  }
  interval values = {c->kind != CLAIM_AT_MOST, c->kind != CLAIM_AT_LEAST, c->bound, c->bound};
  add_interval(d, plus, minus, &values);
}

static const gap *hit_gap(const difference *d, const number *values) {
  for (size_t i = 0; i < d->gaps.count; i++) {
    const gap *g = &d->gaps.at[i];
    if (number_equal(number_sub(values[g->plus], values[g->minus]), g->value)) return g;
  }
  return NULL;
}

typedef enum outcome { POSSIBLE, IMPOSSIBLE, TOO_MANY_CASES } outcome;

/* Looks for a solution that starts from the values of row `level` of `trial`. At most CASES_DEEP levels. */
static outcome search(difference *d, size_t level) {
  size_t width = d->leaves.count;
  number *values = &d->trial.at[level * width];
  if (!repair(d, values)) return IMPOSSIBLE;
  const gap *hit = hit_gap(d, values);
  if (!hit) {
    d->best = level + 1;
    return POSSIBLE;
  }
  if (level == CASES_DEEP || d->cases++ >= CASES_MOST) return TOO_MANY_CASES;
  outcome result = IMPOSSIBLE;
  for (int above = 0; above < 2; above++) {
    if (above)
      add_edge(d, hit->minus, hit->plus, number_negate(number_add(hit->value, number_of(1))));
    else
      add_edge(d, hit->plus, hit->minus, number_sub(hit->value, number_of(1)));
    memcpy(values + width, values, width * sizeof *values);
    outcome one = search(d, level + 1);
    d->edges.count--;
    if (one == POSSIBLE) return one;
    if (one == TOO_MANY_CASES) result = one;
  }
  return result;
}

static bool is_exact(const shape *s) {
  return s->kind == SHAPE_BOOL || (s->form && s->form->is_difference && s->form->of_variables);
}

/* Conjuncts of the denial that contradict each other or the context outright are not seen by the bounds if they are
 * boolean variables. */
static bool is_plainly_contradicted(const context *c, const question *q, size_t i) {
  if (context_has(c, term_not(q->denial[i]))) return true;
  for (size_t j = 0; j < i; j++)
    if (term_same(q->denial[i], term_not(q->denial[j]))) return true;
  return false;
}

/* Does a solution count for all that is relevant? */
static bool counts_for_everything(prover *p, const question *q) {
  context *c = p->context;
  for (size_t i = 0; i < q->count; i++)
    if (!is_exact(shape_of(p->shapes, q->denial[i])) || is_plainly_contradicted(c, q, i)) return false;
  bool marked = false;
  for (size_t i = 0; i < context_count(c); i++) {
    term literal = context_literal(c, i);
    if (is_exact(shape_of(p->shapes, literal))) continue;
    if (!context_is_satisfiable(c)) return false;
    if (!marked) context_mark_relevant(c, q->count, q->denial);
    marked = true;
    if (context_is_relevant(c, literal)) return false;
  }
  return true;
}

/* The claim that a conjunct of the denial makes about a difference; false if it makes none. */
static bool find_claim(prover *p, term conjunct, const form **f, shape_claim *c) {
  const shape *s = shape_of(p->shapes, conjunct);
  if (!s->form || !s->form->is_difference) return false;
  *f = s->form;
  *c = claim_of(s, conjunct);
  return true;
}

/* Looks for a solution of the context and the denial. Nodes that the denial brings stay: they come first, so that the
 * edges of the denial can go. */
static outcome solve(prover *p, const question *q) {
  difference *d = p->difference;
  const form *f;
  shape_claim what;
  for (size_t i = 0; i < q->count; i++)
    if (find_claim(p, q->denial[i], &f, &what)) node_of(d, f->plus), node_of(d, f->minus);
  size_t edges = d->edges.count, gaps = d->gaps.count, width = d->leaves.count;
  for (size_t i = 0; i < q->count; i++)
    if (find_claim(p, q->denial[i], &f, &what)) add_claim(d, f, &what);
  VECTOR_RESERVE(d->trial, width * (CASES_DEEP + 1));
  memcpy(d->trial.at, d->solution.at, width * sizeof *d->trial.at);
  d->cases = 0;
  outcome found = search(d, 0);
  d->edges.count = edges;
  d->gaps.count = gaps;
  return found;
}

answer layer_difference(prover *p, const question *q) {
  p->difference->best = 0;
  build(p);
  if (context_is_refuted(p->context)) return answer_yes();
  outcome found = solve(p, q);
  if (found == IMPOSSIBLE) return answer_yes();
  if (found == POSSIBLE && counts_for_everything(p, q)) return answer_no();
  return layer_passes();
}

bool difference_guess(const difference *d, size_t count, number *values) {
  if (!d->best) return false;
  const number *row = &d->trial.at[(d->best - 1) * d->leaves.count];
  for (size_t i = 1; i < d->leaves.count; i++) {
    const leaf *l = d->leaves.at[i];
    if (l->is_variable && l->variable.x < count) values[l->variable.x] = number_sub(row[i], row[0]);
  }
  return true;
}
