/* Each step first makes the graph exact at the node in question (one case for each possibility), then changes it. */
#include "proof/check/heap_transfer.h"

/* ---- well-formed graphs ---- */

const char *heap_graph_fault(const heap_graph *g, size_t variables) {
  node_set nodes = NODE(0);
  if (g->variables != variables) return "a graph must have every node variable";
  if (g->count > HEAP_MOST_NODES) return "a graph has too many nodes";
  for (size_t n = 1; n <= g->count; n++) nodes |= NODE(n);
  for (size_t n = 1; n <= g->count; n++) {
    if (!g->nodes[n].data || g->nodes[n].data & ~DATA_ANY) return "a node must have data";
    if (g->nodes[n].next & ~nodes) return "a node leads to one that is not there";
  }
  for (size_t i = 0; i < variables; i++) {
    if (g->at[i] > g->count) return "a variable is at a node that is not there";
    if (g->at[i] && g->nodes[g->at[i]].is_summary) return "a variable is at a summary";
  }
  return NULL;
}

heap_shape heap_shape_of(const heap_graph *g) {
  heap_shape s = {.graph = *g};
  for (size_t n = 1; n <= g->count; n++) s.present |= NODE(n);
  return s;
}

/* ---- steps ---- */

static bool is_present(const heap_shape *s, size_t n) { return n && s->present & NODE(n); }

static void remove_node(heap_shape *s, size_t gone) {
  s->present &= ~NODE(gone);
  for (size_t n = 1; n <= s->graph.count; n++) s->graph.nodes[n].next &= ~NODE(gone);
}

/* Nodes that no variable leads to are not part of a heap. */
static void remove_garbage(heap_shape *s) {
  node_set seen = heap_graph_named(&s->graph), before;
  do {
    before = seen;
    for (size_t n = 1; n <= s->graph.count; n++)
      if (seen & NODE(n)) seen |= s->graph.nodes[n].next & ~NODE(0);
  } while (seen != before);
  for (size_t n = 1; n <= s->graph.count; n++)
    if (is_present(s, n) && !(seen & NODE(n))) remove_node(s, n);
}

/* Which nodes lead to `to`. */
static node_set sources_of(const heap_shape *s, size_t to) {
  node_set found = 0;
  for (size_t n = 1; n <= s->graph.count; n++)
    if (is_present(s, n) && s->graph.nodes[n].next & NODE(to)) found |= NODE(n);
  return found;
}

/* If at most one node of a heap can lead to those of `n`, they are not shared. */
static void note_unshared(heap_shape *s) {
  for (size_t n = 1; n <= s->graph.count; n++) {
    if (!is_present(s, n)) continue;
    node_set sources = sources_of(s, n);
    bool one = !(sources & (sources - 1));
    for (size_t k = 1; k <= s->graph.count; k++)
      if (sources & NODE(k) && s->graph.nodes[k].is_summary) one = false;
    if (one) s->graph.nodes[n].is_shared = false;
  }
}

static size_t free_node(const heap_shape *s) {
  for (size_t n = 1; n <= HEAP_MOST_NODES; n++)
    if (!is_present(s, n)) return n;
  return 0;
}

static void put_node(heap_shape *s, size_t n, heap_node node) {
  s->graph.nodes[n] = node;
  s->present |= NODE(n);
  if (n > s->graph.count) s->graph.count = (uint8_t)n;
}

/* Every node has a next one: those that can have none stand for nothing. False if such a one is a variable's. */
static bool remove_dead_ends(heap_shape *s) {
  for (size_t n = 1; n <= s->graph.count; n++) {
    if (!is_present(s, n) || s->graph.nodes[n].next) continue;
    if (heap_graph_named(&s->graph) & NODE(n)) return false;
    remove_node(s, n);
    n = 0; /* from the first one again */
  }
  return true;
}

/* The next of `from` is one of the nodes that `to` stands for. False if there is no room for it. */
static bool point_at(heap_shape *s, size_t from, size_t *to) {
  size_t chosen = *to;
  if (chosen && s->graph.nodes[chosen].is_summary) {
    size_t one = free_node(s);
    if (!one) return false;
    heap_node node = s->graph.nodes[chosen];
    node.is_summary = false;
    put_node(s, one, node);
    /* Whatever led to the summary may lead to this one of its nodes. */
    for (size_t n = 1; n <= s->graph.count; n++)
      if (is_present(s, n) && s->graph.nodes[n].next & NODE(chosen)) s->graph.nodes[n].next |= NODE(one);
    chosen = one;
  }
  s->graph.nodes[from].next = NODE(chosen);
  if (chosen && !s->graph.nodes[chosen].is_shared)
    for (size_t n = 1; n <= s->graph.count; n++)
      if (n != from) s->graph.nodes[n].next &= ~NODE(chosen);
  *to = chosen;
  return true;
}

static void finish(heap_shape *s, heap_shapes *out) {
  remove_garbage(s);
  note_unshared(s);
  VECTOR_PUSH(*out, *s);
}

static bool read_next(const heap_shape *s, size_t target, size_t from, heap_shapes *out) {
  for (size_t to = 0; to <= s->graph.count; to++) {
    if (!(s->graph.nodes[from].next & NODE(to))) continue;
    heap_shape made = *s;
    size_t node = to;
    if (!point_at(&made, from, &node)) return false;
    if (!remove_dead_ends(&made)) continue;
    made.graph.at[target] = (uint8_t)node;
    finish(&made, out);
  }
  return true;
}

static void write_next(heap_shape *s, size_t from, size_t to) {
  s->graph.nodes[from].next = NODE(to);
  if (to && sources_of(s, to) & ~NODE(from)) s->graph.nodes[to].is_shared = true;
}

bool heap_transfer(const heap_shape *s, const variable_vector *variables, const heap_command *h, bool data,
                   heap_shapes *out) {
  heap_shape made = *s;
  uint8_t value = data ? DATA_TRUE : DATA_FALSE;
  bool has_source = h->kind == HEAP_COPY || h->kind == HEAP_NEXT || h->kind == HEAP_SET_NEXT;
  size_t target = h->kind == HEAP_NONE ? 0 : heap_variable_index(variables, h->target), fresh;
  size_t source = has_source ? s->graph.at[heap_variable_index(variables, h->source)] : 0;
  size_t node = h->kind == HEAP_NONE ? 0 : s->graph.at[target];
  switch (h->kind) {
    case HEAP_NONE: break;
    case HEAP_NEW:
      made.graph.at[target] = 0;
      remove_garbage(&made);
      fresh = free_node(&made);
      if (!fresh) return false;
      put_node(&made, fresh, (heap_node){.next = NODE(0), .data = value});
      made.graph.at[target] = (uint8_t)fresh;
      break;
    case HEAP_COPY:
    case HEAP_CLEAR: made.graph.at[target] = (uint8_t)source; break;
    case HEAP_NEXT: return !source || read_next(s, target, source, out);
    case HEAP_SET_NEXT:
    case HEAP_CUT_NEXT:
      if (!node) return true;
      write_next(&made, node, source);
      break;
    case HEAP_SET_DATA:
      if (!node) return true;
      made.graph.nodes[node].data = value;
      break;
  }
  finish(&made, out);
  return true;
}

/* ---- covering ---- */

typedef struct covering {
  const heap_graph *g;
  const heap_shape *s;
  size_t order[HEAP_MOST_NODES + 1], count; /* the nodes of s, each after one that leads to it */
  size_t to[HEAP_MOST_NODES + 1];           /* by node of s; 0 if it is not mapped yet */
  size_t taken[HEAP_MOST_NODES + 1];        /* by node of g */
  size_t tries;
} covering;

static bool maps_variables(covering *c) {
  const heap_graph *a = &c->s->graph, *b = c->g;
  for (size_t i = 0; i < a->variables; i++) {
    if (!a->at[i] != !b->at[i]) return false;
    for (size_t j = 0; j < i; j++)
      if ((a->at[i] == a->at[j]) != (b->at[i] == b->at[j])) return false;
  }
  return true;
}

/* Nodes as a walk from the variables meets them: most are then settled by the one that led there. */
static void find_order(covering *c) {
  node_set seen = 0;
  const heap_graph *a = &c->s->graph;
  for (size_t i = 0; i < a->variables; i++) {
    if (!a->at[i] || seen & NODE(a->at[i])) continue;
    seen |= NODE(a->at[i]);
    c->order[c->count++] = a->at[i];
  }
  for (size_t k = 0; k < c->count; k++) {
    for (size_t n = 1; n <= a->count; n++) {
      if (!(a->nodes[c->order[k]].next & NODE(n)) || seen & NODE(n)) continue;
      seen |= NODE(n);
      c->order[c->count++] = n;
    }
  }
}

static bool same_names(const covering *c, size_t n, size_t k) {
  for (size_t i = 0; i < c->g->variables; i++)
    if ((c->s->graph.at[i] == n) != (c->g->at[i] == k)) return false;
  return true;
}

/* May n be mapped to k, given what is mapped already? */
static bool fits(const covering *c, size_t n, size_t k) {
  const heap_node *a = &c->s->graph.nodes[n], *b = &c->g->nodes[k];
  if (!same_names(c, n, k) || a->data & ~b->data) return false;
  if ((a->is_shared && !b->is_shared) || (!b->is_summary && (a->is_summary || c->taken[k]))) return false;
  if (a->next & NODE(0) && !(b->next & NODE(0))) return false;
  if (a->next & NODE(n) && !(b->next & NODE(k))) return false;
  for (size_t i = 1; i <= c->s->graph.count; i++) {
    if (!c->to[i]) continue;
    if (a->next & NODE(i) && !(b->next & NODE(c->to[i]))) return false;
    if (c->s->graph.nodes[i].next & NODE(n) && !(c->g->nodes[c->to[i]].next & NODE(k))) return false;
  }
  return true;
}

heap_cover heap_covers(const heap_graph *g, const heap_shape *s) {
  enum { MOST_TRIES = 100000 };
  covering c = {.g = g, .s = s};
  if (!maps_variables(&c)) return HEAP_NOT_COVERED;
  find_order(&c);
  size_t at = 0;
  while (at < c.count) {
    size_t n = c.order[at], k = c.to[n];
    if (k) c.taken[k]--;
    c.to[n] = 0;
    do k++;
    while (k <= g->count && !fits(&c, n, k));
    if (++c.tries > MOST_TRIES) return HEAP_COVER_UNSURE;
    if (k <= g->count) {
      c.to[n] = k;
      c.taken[k]++;
      at++;
    } else if (at-- == 0) {
      return HEAP_NOT_COVERED;
    }
  }
  return HEAP_COVERED;
}
