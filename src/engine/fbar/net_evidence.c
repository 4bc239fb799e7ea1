/* Evidence about well-structured models, without any solver: sets back to formulas, and runs by going back from minimal
 * bad vectors until one is below an initial state. */
#include "engine/fbar/net.h"

/* ---- invariants ---- */

static term above_term(const net *n, const int64_t *vector) {
  term_vector all = {0};
  for (size_t i = 0; i < n->space.width; i++)
    if (vector[i] > 0)
      VECTOR_PUSH(all, term_ge(n->ts, term_of_variable(n->ts, n->model->variables.at[i].var),
                               term_int(n->ts, vector[i] + n->least[i])));
  term result = term_and_all(n->ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

static term upward_term(const net *n, const upward *u) {
  term_vector any = {0};
  for (size_t i = 0; i < upward_count(u); i++) VECTOR_PUSH(any, above_term(n, upward_at(u, i)));
  term result = term_or_all(n->ts, any.count, any.at);
  VECTOR_FREE(any);
  return result;
}

/* All that is above some state outside `which`. */
static upward above_others(const net *n, const partition *blocks, const bits *which) {
  upward above = upward_none(n->space.width);
  for (size_t b = 0; b < partition_count(blocks); b++) {
    if (bits_has(which, b)) continue;
    const points *of = partition_block(blocks, b);
    for (size_t i = 0; i < upward_points_count(of); i++) upward_unite(&above, &upward_points_at(of, i)->up);
  }
  return above;
}

static bool lies_outside(const points *of, const upward *above) {
  for (size_t i = 0; i < upward_points_count(of); i++) {
    const difference *d = upward_points_at(of, i);
    upward both = upward_meet(&d->up, above);
    bool outside = upward_is_within(&both, &d->without);
    upward_free(&both);
    if (!outside) return false;
  }
  return true;
}

/* Where the blocks are closed downwards they are what is not above the others; else they are written one by one. */
bool evidence_of_net(net *n, const partition *blocks, const bits *which, evidence *out) {
  upward above = above_others(n, blocks, which);
  bool closed = true;
  BITS_EACH (b, which) closed = closed && lies_outside(partition_block(blocks, b), &above);
  out->kind = EVIDENCE_INVARIANT;
  if (closed) {
    evidence_add_part(n->ts, out, term_not(upward_term(n, &above)));
  } else {
    BITS_EACH (b, which)
      for (size_t i = 0; i < upward_points_count(partition_block(blocks, b)); i++) {
        const difference *d = upward_points_at(partition_block(blocks, b), i);
        evidence_add_part(n->ts, out, term_and(n->ts, upward_term(n, &d->up), term_not(upward_term(n, &d->without))));
      }
  }
  upward_free(&above);
  return true;
}

/* ---- runs ---- */

/* A vector from which the transition leads above that of the parent. */
typedef struct node {
  int64_t *vector;
  uint32_t transition, parent;
} node;

#define NO_PARENT UINT32_MAX

typedef struct hunt {
  net *n;
  VECTOR(node) nodes;
  upward seen;
} hunt;

static void add_node(hunt *h, const int64_t *vector, uint32_t transition, uint32_t parent) {
  if (upward_has(&h->seen, vector)) return;
  node made = {MEMORY_ARRAY(int64_t, h->n->space.width), transition, parent};
  memcpy(made.vector, vector, h->n->space.width * sizeof *vector);
  upward_add(&h->seen, vector);
  VECTOR_PUSH(h->nodes, made);
}

static bool is_below_initial(const net *n, const int64_t *vector) {
  for (size_t i = 0; i < n->space.width; i++)
    if (n->to[i] >= 0 && vector[i] > n->to[i]) return false;
  return true;
}

static bool expand(hunt *h, uint32_t at) {
  upward one = upward_none(h->n->space.width);
  upward_add(&one, h->nodes.at[at].vector);
  bool fits = true;
  for (uint32_t t = 0; t < h->n->space.steps.count && fits; t++) {
    upward before;
    fits = upward_before(&h->n->space.steps.at[t], &one, &before);
    if (!fits) break;
    for (size_t i = 0; i < upward_count(&before); i++) add_node(h, upward_at(&before, i), t, at);
    upward_free(&before);
  }
  upward_free(&one);
  return fits;
}

/* The initial state above the vector, then the transitions that lead to bad states. */
static void write_run(const hunt *h, uint32_t at, evidence *out) {
  const net *n = h->n;
  out->kind = EVIDENCE_TRACE;
  for (uint32_t i = at, transition = 0; i != NO_PARENT; i = h->nodes.at[i].parent) {
    trace_step made = {.transition = transition};
    for (size_t k = 0; k < n->space.width; k++) {
      int64_t value = h->nodes.at[i].vector[k] > n->from[k] ? h->nodes.at[i].vector[k] : n->from[k];
      VECTOR_PUSH(made.values, number_of(value + n->least[k]));
    }
    VECTOR_PUSH(out->steps, made);
    transition = h->nodes.at[i].transition;
  }
  trace_recompute(n->model, &out->steps);
}

const char *evidence_of_net_run(net *n, evidence *out) {
  hunt h = {.n = n, .seen = upward_none(n->space.width)};
  const char *why = "no run was found";
  for (size_t i = 0; i < upward_points_count(n->last); i++) {
    const upward *up = &upward_points_at(n->last, i)->up;
    for (size_t k = 0; k < upward_count(up); k++) add_node(&h, upward_at(up, k), 0, NO_PARENT);
  }
  for (uint32_t at = 0; at < h.nodes.count; at++) {
    if (is_below_initial(n, h.nodes.at[at].vector)) {
      write_run(&h, at, out);
      why = NULL;
      break;
    }
    const char *spent = budget_spent(n->env->budget);
    if (spent || !expand(&h, at)) {
      why = spent ? spent : "too many minimal vectors";
      break;
    }
  }
  for (size_t i = 0; i < h.nodes.count; i++) memory_free(h.nodes.at[i].vector);
  VECTOR_FREE(h.nodes);
  upward_free(&h.seen);
  return why;
}
