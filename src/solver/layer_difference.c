/* Difference bounds: plus - minus <= bound; plus and minus are leaves of linear forms or the constant 0.
 *
 * The bounds are edges minus -> plus of a graph; they can be met together exactly if no cycle has a negative sum,
 * and then shortest distances are a solution, in integers (Bellman and Ford). The context's own solution is found once;
 * a question starts from it, adds the denial of its right side and repairs it. Edges are added one by one: only nodes
 * behind the new edge are looked at, and if its own beginning would have to be lowered, it closes a negative cycle
 * (Cotton and Maler 2006). Values that a difference is not to have are met by cases, below or above, up to a fixed
 * number of them.
 *
 * No solution: yes, whatever else is on the left. A solution: a counterexample, so no, if all that is relevant is a
 * difference bound over variables or a boolean variable; else a guess for layer_witness.c. */
#include "base/work.h"
#include "solver/layers.h"

enum { CASES_DEEP = 10, CASES_MOST = 48, EDGES_PER_UNIT = 100 /* base/work.h */ };

typedef struct edge {
  uint32_t plus, minus;
  uint32_t next; /* of those at work with the same `minus`: index in `edges` plus 1, or 0 */
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
  size_t at_work;         /* so many edges are met by the values at hand */
  VECTOR(uint32_t) first; /* by node: the last edge at work that begins there, index in `edges` plus 1, or 0 */
  VECTOR(gap) gaps;
  VECTOR(number) solution;  /* of the context, by node */
  size_t met;               /* so many edges the solution meets */
  VECTOR(uint32_t) lowered; /* nodes whose edges are to be looked at: a queue */
  VECTOR(bool) is_lowered;  /* by node: it is in the queue */
  VECTOR(number) trial;     /* of the question: one row for each level of cases */
  size_t best;              /* the row of `trial` that is a solution, plus 1; 0 if there is none */
  unsigned cases;
};

difference *difference_new(void) { return MEMORY_NEW(difference); }

void difference_free(difference *d) {
  if (!d) return;
  VECTOR_FREE(d->leaves);
  VECTOR_FREE(d->nodes);
  VECTOR_FREE(d->edges);
  VECTOR_FREE(d->first);
  VECTOR_FREE(d->gaps);
  VECTOR_FREE(d->solution);
  VECTOR_FREE(d->lowered);
  VECTOR_FREE(d->is_lowered);
  VECTOR_FREE(d->trial);
  memory_free(d);
}

void difference_forget(difference *d) {
  d->is_built = false;
  d->best = 0;
}

/* The graph. */

static void add_edge(difference *d, uint32_t plus, uint32_t minus, number bound) {
  VECTOR_PUSH(d->edges, (edge){plus, minus, 0, bound});
}

static void put_to_work(difference *d) {
  edge *e = &d->edges.at[d->at_work++];
  e->next = d->first.at[e->minus];
  d->first.at[e->minus] = (uint32_t)d->at_work;
}

static void put_aside(difference *d, size_t but) {
  while (d->at_work > but) {
    const edge *e = &d->edges.at[--d->at_work];
    d->first.at[e->minus] = e->next;
  }
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

/* Without a value. */
static uint32_t add_node(difference *d, const leaf *l) {
  VECTOR_PUSH(d->leaves, l);
  VECTOR_PUSH(d->first, 0);
  VECTOR_PUSH(d->is_lowered, false);
  return (uint32_t)d->leaves.count - 1;
}

/* A new node is bound to nothing but its type, so the solution is easily extended. */
static uint32_t node_of(difference *d, const leaf *l) {
  if (l->number == 0) return 0;
  while (d->nodes.count <= l->number) VECTOR_PUSH(d->nodes, 0);
  if (d->nodes.at[l->number] >> 32 == d->stamp) return (uint32_t)d->nodes.at[l->number];
  uint32_t fresh = add_node(d, l);
  d->nodes.at[l->number] = (uint64_t)d->stamp << 32 | fresh;
  add_interval(d, fresh, 0, &l->types);
  VECTOR_PUSH(d->solution, number_add(d->solution.at[0], nearest_to_zero(&l->types)));
  return fresh;
}

/* ---- repair ---- */

/* Of the edge's end, if it does not meet the edge. */
static bool lower_end(difference *d, number *values, const edge *e) {
  number most = number_add(values[e->minus], e->bound);
  if (number_compare(values[e->plus], most) <= 0) return false;
  values[e->plus] = most;
  if (!d->is_lowered.at[e->plus]) VECTOR_PUSH(d->lowered, e->plus);
  d->is_lowered.at[e->plus] = true;
  return true;
}

/* The edges from a node that was lowered; false if the node `never` would have to be. */
static bool lower_behind(difference *d, number *values, uint32_t node, uint32_t never, size_t *looks) {
  for (uint32_t at = d->first.at[node]; at; at = d->edges.at[at - 1].next, ++*looks)
    if (lower_end(d, values, &d->edges.at[at - 1]) && d->edges.at[at - 1].plus == never) return false;
  return true;
}

/* Lowers values, which meet the edges at work, until they meet this one too; false if that never ends. */
static bool meet(difference *d, number *values, const edge *e, size_t *looks) {
  bool can = !lower_end(d, values, e) || e->plus != e->minus;
  for (size_t i = 0; i < d->lowered.count; i++) {
    uint32_t node = d->lowered.at[i];
    d->is_lowered.at[node] = false;
    can = can && lower_behind(d, values, node, e->minus, looks);
  }
  VECTOR_CLEAR(d->lowered);
  return can;
}

/* Puts all edges to work: lowers values, which meet those that are, until they meet all; false if that never ends. */
static bool repair(difference *d, number *values) {
  bool can = true;
  size_t looks = d->edges.count - d->at_work;
  for (; can && d->at_work < d->edges.count; put_to_work(d)) can = meet(d, values, &d->edges.at[d->at_work], &looks);
  work_add(looks / EDGES_PER_UNIT);
  return can;
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
  d->at_work = 0;
  VECTOR_CLEAR(d->first);
  VECTOR_CLEAR(d->is_lowered);
  VECTOR_CLEAR(d->gaps);
  VECTOR_CLEAR(d->solution);
  add_node(d, NULL);
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
  d->met = d->at_work;
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
    put_aside(d, --d->edges.count);
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
  put_aside(d, d->met);
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
