/* Keeps the minimal vectors found so far and expands them in the order they were found. Vectors that cannot be reached,
 * by a bound on a sum, are left out. */
#include "engine/fbar/vector_search.h"

#include "base/work.h"
#include "engine/fbar/flows.h"

/* A vector from which the transition leads above that of the parent. */
typedef struct node {
  int64_t *vector;
  uint64_t places; /* a bit for each element, modulo 64, that is not 0 */
  int64_t sum;
  uint32_t transition, parent;
  bool is_above; /* another one, which came later: nothing need be done for it */
} node;

#define NO_PARENT UINT32_MAX

/* The weighted sum is at most `most` in every state that can be reached. */
typedef struct bound {
  int64_t *weights;
  int64_t most;
  bool is_used, is_fact;
} bound;

struct vector_search {
  net *n;
  VECTOR(node) nodes;
  VECTOR(uint32_t) minimal; /* nodes that are above no other */
  VECTOR(bound) bounds;
  uint32_t next;  /* to be expanded */
  uint32_t found; /* below an initial state */
  int64_t *scratch;
};

/* ---- bounds ---- */

static void add_bound(vector_search *s, const int64_t *weights, int64_t most, bool is_fact) {
  bound made = {.weights = MEMORY_ARRAY(int64_t, s->n->space.width), .most = most, .is_fact = is_fact};
  memcpy(made.weights, weights, s->n->space.width * sizeof *weights);
  VECTOR_PUSH(s->bounds, made);
}

static void add_flows(vector_search *s) {
  net *n = s->n;
  flows all = flows_of_steps(n->space.width, n->space.steps.count, n->space.steps.at);
  for (size_t i = 0; i < flows_count(&all); i++) {
    const int64_t *weights = flows_at(&all, i);
    bool bounded = true;
    for (size_t k = 0; k < n->space.width && bounded; k++) bounded = !weights[k] || n->to[k] >= 0;
    int64_t most = bounded ? flow_sum(n->space.width, weights, n->to) : INT64_MAX;
    if (most < INT64_MAX) add_bound(s, weights, most, false);
  }
  flows_clear(&all);
}

/* Conjuncts of facts that bound a sum of variables from above. */
static void add_fact(vector_search *s, term literal) {
  net *n = s->n;
  term_kind kind = term_kind_of(n->ts, literal);
  upward_row row;
  if (term_is_negated(literal) || (kind != TERM_LE && kind != TERM_EQ)) return;
  if (!net_row(n, term_argument(n->ts, literal, 0), &row)) return;
  memset(s->scratch, 0, n->space.width * sizeof *s->scratch);
  for (size_t i = 0; i < row.entries.count; i++) s->scratch[row.entries.at[i].from] = row.entries.at[i].coefficient;
  add_bound(s, s->scratch, -row.constant, true);
  VECTOR_FREE(row.entries);
}

static void add_facts(vector_search *s) {
  net *n = s->n;
  for (size_t i = 0; i < n->env->facts.count; i++) {
    term_vector parts = {0};
    term_conjuncts(n->ts, n->env->facts.at[i], &parts);
    for (size_t k = 0; k < parts.count; k++) add_fact(s, parts.at[k]);
    VECTOR_FREE(parts);
  }
}

/* Is nothing above the vector reachable, by a bound? */
static bool is_out_of_bounds(vector_search *s, const int64_t *vector) {
  for (size_t i = 0; i < s->bounds.count; i++) {
    bound *b = &s->bounds.at[i];
    if (flow_sum(s->n->space.width, b->weights, vector) <= b->most) continue;
    b->is_used = true;
    if (b->is_fact) s->n->env->used_facts = true;
    return true;
  }
  return false;
}

/* ---- vectors ---- */

static node node_of(const vector_search *s, const int64_t *vector) {
  node made = {0};
  for (size_t i = 0; i < s->n->space.width; i++) {
    if (vector[i]) made.places |= UINT64_C(1) << i % 64;
    made.sum += vector[i];
  }
  return made;
}

/* a <= b; most pairs are distinguished without a look at the vectors. */
static bool is_below(const vector_search *s, const node *a, const int64_t *a_vector, const node *b,
                     const int64_t *b_vector) {
  return a->sum <= b->sum && !(a->places & ~b->places) && vector_is_above(s->n->space.width, b_vector, a_vector);
}

static void add_node(vector_search *s, const int64_t *vector, uint32_t transition, uint32_t parent) {
  node made = node_of(s, vector);
  work_add(1 + (s->minimal.count + s->bounds.count) / 64);
  for (size_t i = 0; i < s->minimal.count; i++) {
    const node *other = &s->nodes.at[s->minimal.at[i]];
    if (is_below(s, other, other->vector, &made, vector)) return;
  }
  if (is_out_of_bounds(s, vector)) return;
  size_t kept = 0;
  for (size_t i = 0; i < s->minimal.count; i++) {
    node *other = &s->nodes.at[s->minimal.at[i]];
    other->is_above = is_below(s, &made, vector, other, other->vector);
    if (!other->is_above) s->minimal.at[kept++] = s->minimal.at[i];
  }
  s->minimal.count = kept;
  made.vector = MEMORY_ARRAY(int64_t, s->n->space.width);
  memcpy(made.vector, vector, s->n->space.width * sizeof *vector);
  made.transition = transition;
  made.parent = parent;
  VECTOR_PUSH(s->minimal, (uint32_t)s->nodes.count);
  VECTOR_PUSH(s->nodes, made);
}

static bool is_below_initial(const net *n, const int64_t *vector) {
  for (size_t i = 0; i < n->space.width; i++)
    if (n->to[i] >= 0 && vector[i] > n->to[i]) return false;
  return true;
}

static bool expand(vector_search *s, uint32_t at) {
  upward one = upward_none(s->n->space.width);
  upward_add(&one, s->nodes.at[at].vector);
  bool fits = true;
  for (uint32_t t = 0; t < s->n->space.steps.count && fits; t++) {
    upward before;
    fits = upward_before(&s->n->space.steps.at[t], &one, &before);
    if (!fits) break;
    for (size_t i = 0; i < upward_count(&before); i++) add_node(s, upward_at(&before, i), t, at);
    upward_clear(&before);
  }
  upward_clear(&one);
  return fits;
}

/* ---- the search ---- */

vector_search *vector_search_new(net *n) {
  vector_search *s = MEMORY_NEW(vector_search);
  *s = (vector_search){.n = n, .found = NO_PARENT, .scratch = MEMORY_ARRAY(int64_t, n->space.width)};
  add_flows(s);
  add_facts(s);
  for (size_t i = 0; i < upward_points_count(n->last); i++) {
    const upward *up = &upward_points_at(n->last, i)->up;
    for (size_t k = 0; k < upward_count(up); k++) add_node(s, upward_at(up, k), 0, NO_PARENT);
  }
  return s;
}

void vector_search_free(vector_search *s) {
  if (!s) return;
  for (size_t i = 0; i < s->nodes.count; i++) memory_free(s->nodes.at[i].vector);
  for (size_t i = 0; i < s->bounds.count; i++) memory_free(s->bounds.at[i].weights);
  VECTOR_FREE(s->nodes);
  VECTOR_FREE(s->minimal);
  VECTOR_FREE(s->bounds);
  memory_free(s->scratch);
  memory_free(s);
}

size_t vector_search_count(const vector_search *s) { return s->minimal.count; }

vector_search_end vector_search_go(vector_search *s, uint64_t work) {
  uint64_t until = work_done() + work;
  while (s->next < s->nodes.count) {
    if (!s->nodes.at[s->next].is_above) {
      if (is_below_initial(s->n, s->nodes.at[s->next].vector)) {
        s->found = s->next;
        return VECTOR_SEARCH_UNSAFE;
      }
      if (!expand(s, s->next)) return VECTOR_SEARCH_TROUBLE;
    }
    s->next++;
    if (work_done() >= until || budget_spent(s->n->env->budget)) return VECTOR_SEARCH_GOES_ON;
  }
  return VECTOR_SEARCH_SAFE;
}

/* ---- evidence ---- */

/* The initial state above the vector, then the transitions that lead to bad states. */
void vector_search_run(const vector_search *s, evidence *out) {
  const net *n = s->n;
  out->kind = EVIDENCE_TRACE;
  for (uint32_t i = s->found, transition = 0; i != NO_PARENT; i = s->nodes.at[i].parent) {
    trace_step made = {.transition = transition};
    for (size_t k = 0; k < n->space.width; k++) {
      int64_t value = s->nodes.at[i].vector[k] > n->from[k] ? s->nodes.at[i].vector[k] : n->from[k];
      VECTOR_PUSH(made.values, number_of(value + n->least[k]));
    }
    VECTOR_PUSH(out->steps, made);
    transition = s->nodes.at[i].transition;
  }
  trace_recompute(n->model, &out->steps);
}

static term bound_term(const net *n, const bound *b) {
  term sum = term_int(n->ts, 0);
  int64_t most = b->most;
  for (size_t i = 0; i < n->space.width; i++) {
    if (!b->weights[i]) continue;
    term leaf = term_of_variable(n->ts, n->model->variables.at[i].var);
    sum = term_add(n->ts, sum, term_scale(n->ts, number_of(b->weights[i]), leaf));
    most += b->weights[i] * n->least[i];
  }
  return term_le(n->ts, sum, term_int(n->ts, most));
}

/* Whatever is within the bounds and above no minimal vector. */
void vector_search_invariant(const vector_search *s, evidence *out) {
  const net *n = s->n;
  term_vector all = {0};
  for (size_t i = 0; i < s->bounds.count; i++)
    if (s->bounds.at[i].is_used && !s->bounds.at[i].is_fact) VECTOR_PUSH(all, bound_term(n, &s->bounds.at[i]));
  for (size_t i = 0; i < s->minimal.count; i++)
    VECTOR_PUSH(all, term_not(net_above(n, s->nodes.at[s->minimal.at[i]].vector)));
  out->kind = EVIDENCE_INVARIANT;
  evidence_add_part(n->ts, out, term_and_all(n->ts, all.count, all.at));
  VECTOR_FREE(all);
}
