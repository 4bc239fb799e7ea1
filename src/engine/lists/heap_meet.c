/* The heaps that two graphs have in common, as graphs: a node for each pair of nodes, one of each graph, that a node of
 * a heap may be mapped to at the same time. If a node that is no summary is in several pairs, only one of them can be
 * taken: there is a graph for each choice. So every heap of both is one of a result, and each result is within both. */
#include "engine/lists/heap_graphs.h"

enum { MOST_CHOICES = 500 };

typedef struct product {
  const heap_graph *a, *b;
  heap_graph graph;
  uint8_t left[HEAP_MOST_NODES + 1], right[HEAP_MOST_NODES + 1]; /* by node of the graph: the pair that it is */
} product;

/* The node for this pair, made if it is new; 0 if it stands for nothing, or there is no room: *fits is false then. */
static uint8_t pair_node(product *p, uint8_t u, uint8_t v, bool *fits) {
  for (uint8_t n = 1; n <= p->graph.count; n++)
    if (p->left[n] == u && p->right[n] == v) return n;
  const heap_node *x = &p->a->nodes[u], *y = &p->b->nodes[v];
  if (!(x->data & y->data)) return 0;
  if (p->graph.count == HEAP_MOST_NODES) {
    *fits = false;
    return 0;
  }
  uint8_t n = ++p->graph.count;
  p->graph.nodes[n] = (heap_node){.data = x->data & y->data,
                                  .is_summary = x->is_summary && y->is_summary,
                                  .shared = x->shared & y->shared,
                                  .back = x->back | y->back,
                                  .reached = x->reached | y->reached};
  p->left[n] = u;
  p->right[n] = v;
  return n;
}

/* A node of a variable goes with that of the same variable, any other with any other. */
static bool may_pair(const product *p, size_t u, size_t v) {
  for (size_t i = 0; i < p->a->variables; i++)
    if ((p->a->at[i] == u) != (p->b->at[i] == v)) return false;
  return true;
}

static bool add_next(product *p, uint8_t n, size_t f) {
  node_set x = p->a->nodes[p->left[n]].next[f], y = p->b->nodes[p->right[n]].next[f], next = x & y & NODE(0);
  bool fits = true;
  for (size_t u = 1; u <= p->a->count && fits; u++) {
    for (size_t v = 1; x & NODE(u) && v <= p->b->count && fits; v++) {
      if (!(y & NODE(v)) || !may_pair(p, u, v)) continue;
      uint8_t to = pair_node(p, (uint8_t)u, (uint8_t)v, &fits);
      if (to) next |= NODE(to);
    }
  }
  p->graph.nodes[n].next[f] = next;
  return fits;
}

/* False if no heap is in both. */
static bool place_variables(product *p, bool *fits) {
  for (size_t i = 0; i < p->a->variables; i++) {
    if (!p->a->at[i]) continue;
    uint8_t n = pair_node(p, p->a->at[i], p->b->at[i], fits);
    if (!n) return false;
    p->graph.at[i] = n;
  }
  return true;
}

static node_set reachable(const heap_graph *g) {
  node_set met = heap_graph_named(g);
  for (bool grows = true; grows;) {
    grows = false;
    for (size_t n = 1; n <= g->count; n++) {
      node_set next = 0;
      for (size_t f = 0; f < g->fields; f++) next |= g->nodes[n].next[f] & ~NODE(0);
      if (!(met & NODE(n)) || !(next & ~met)) continue;
      met |= next;
      grows = true;
    }
  }
  return met & ~NODE(0);
}

static bool share_single(const product *p, size_t n, size_t k) {
  return (p->left[n] == p->left[k] && !p->a->nodes[p->left[n]].is_summary) ||
         (p->right[n] == p->right[k] && !p->b->nodes[p->right[n]].is_summary);
}

static void remove_node(heap_graph *g, size_t n) {
  for (size_t k = 1; k <= g->count; k++)
    for (size_t f = 0; f < g->fields; f++) g->nodes[k].next[f] &= ~NODE(n);
}

/* Two nodes that cannot both stand for something: without the one, and without the other. */
static bool settle(const product *p, size_t *choices, heap_graphs *out) {
  node_set met = reachable(&p->graph);
  for (size_t n = 1; n <= p->graph.count; n++) {
    for (size_t k = 1; k < n; k++) {
      if (!(met & NODE(n)) || !(met & NODE(k)) || !share_single(p, n, k)) continue;
      product without_first = *p, without_second = *p;
      remove_node(&without_first.graph, n);
      remove_node(&without_second.graph, k);
      if (++*choices > MOST_CHOICES) return false;
      return settle(&without_first, choices, out) && settle(&without_second, choices, out);
    }
  }
  heap_graph made = p->graph;
  if (heap_settle(&made)) VECTOR_PUSH(*out, made);
  return true;
}

bool heap_meet(const heap_graph *a, const heap_graph *b, heap_graphs *out) {
  if (!heap_same_key(a, b)) return true;
  if (heap_within(a, b) || heap_within(b, a)) {
    VECTOR_PUSH(*out, heap_within(a, b) ? *a : *b);
    return true;
  }
  product p = {.a = a, .b = b, .graph = {.variables = a->variables, .fields = a->fields}};
  bool fits = true;
  if (!place_variables(&p, &fits)) return fits;
  for (uint8_t n = 1; n <= p.graph.count && fits; n++)
    for (size_t f = 0; f < a->fields && fits; f++) fits = add_next(&p, n, f);
  size_t choices = 0;
  return fits && settle(&p, &choices, out);
}
