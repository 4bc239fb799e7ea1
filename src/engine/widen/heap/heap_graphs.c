/* Steps on graphs. Materialising a node of a summary (the next one of a variable's node) is where all precision comes
 * from: a node that is not shared has no other way to it. */
#include "engine/widen/heap/heap_graphs.h"

void heap_start(heap_graph *g, size_t variables) { *g = (heap_graph){.variables = (uint8_t)variables}; }

bool heap_restrict(heap_graph *g, const heap_test *t) {
  uint8_t node = g->at[t->p];
  switch (t->kind) {
    case HEAP_TEST_NULL: return (node == 0) == t->holds;
    case HEAP_TEST_SAME: return (node == g->at[t->q]) == t->holds;
    case HEAP_TEST_DATA:
      if (!node) return !t->holds;
      g->nodes[node].data &= t->holds ? DATA_TRUE : DATA_FALSE;
      return g->nodes[node].data != 0;
  }
  return true;
}

/* ---- keeping graphs small ---- */

static node_set bits_above(size_t count) { return count >= HEAP_MOST_NODES ? 0 : ~(NODE(count + 1) - 1); }

/* Numbers the nodes again: `order[k]` becomes node k + 1; others go. */
static void renumber(heap_graph *g, const uint8_t *order, size_t count) {
  heap_graph old = *g;
  uint8_t now[HEAP_MOST_NODES + 1] = {0};
  for (size_t k = 0; k < count; k++) now[order[k]] = (uint8_t)(k + 1);
  for (size_t i = 0; i < g->variables; i++) g->at[i] = now[old.at[i]];
  for (size_t k = 0; k < count; k++) {
    heap_node node = old.nodes[order[k]];
    node_set next = node.next & NODE(0);
    for (size_t n = 1; n <= old.count; n++)
      if (node.next & NODE(n) && now[n]) next |= NODE(now[n]);
    node.next = next;
    g->nodes[k + 1] = node;
  }
  memset(&g->nodes[count + 1], 0, (HEAP_MOST_NODES - count) * sizeof g->nodes[0]);
  g->count = (uint8_t)count;
}

/* A node that only one node can lead to is not shared. */
static void forget_sharing(heap_graph *g) {
  for (size_t n = 1; n <= g->count; n++) {
    size_t ways = 0;
    for (size_t k = 1; k <= g->count; k++)
      if (g->nodes[k].next & NODE(n)) ways += g->nodes[k].is_summary ? 2 : 1;
    if (ways < 2) g->nodes[n].is_shared = false;
  }
}

/* Keeps what variables lead to, numbered as a walk from them meets it. */
static void tidy(heap_graph *g) {
  uint8_t order[HEAP_MOST_NODES + 1];
  size_t count = 0;
  node_set met = NODE(0);
  for (size_t i = 0; i < g->variables; i++) {
    if (met & NODE(g->at[i])) continue;
    met |= NODE(g->at[i]);
    order[count++] = g->at[i];
  }
  for (size_t k = 0; k < count; k++) {
    for (size_t n = 1; n <= g->count; n++) {
      if (!(g->nodes[order[k]].next & NODE(n)) || met & NODE(n)) continue;
      met |= NODE(n);
      order[count++] = (uint8_t)n;
    }
  }
  renumber(g, order, count);
  forget_sharing(g);
}

/* A node that can have no next one stands for none. False if it is a variable's: there is no such heap. */
static bool drop_impossible(heap_graph *g) {
  node_set named = heap_graph_named(g);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = 1; n <= g->count; n++) {
      if (g->nodes[n].next) continue;
      if (named & NODE(n)) return false;
      for (size_t k = 1; k <= g->count; k++) {
        if (!(g->nodes[k].next & NODE(n))) continue;
        g->nodes[k].next &= ~NODE(n);
        changed = true;
      }
    }
  }
  return true;
}

bool heap_settle(heap_graph *g) {
  if (!drop_impossible(g)) return false;
  tidy(g);
  return true;
}

/* ---- steps ---- */

/* One node of summary `s` is taken out of it, to be what node `from` leads to; 0 if there is no room. */
static uint8_t materialise(heap_graph *g, uint8_t s, uint8_t from) {
  if (g->count == HEAP_MOST_NODES) return 0;
  uint8_t fresh = ++g->count;
  heap_node *node = &g->nodes[fresh];
  *node = g->nodes[s];
  node->is_summary = false;
  for (size_t n = 1; n <= g->count && node->is_shared; n++)
    if (n != from && g->nodes[n].next & NODE(s)) g->nodes[n].next |= NODE(fresh);
  g->nodes[from].next = NODE(fresh);
  return fresh;
}

/* `from` leads to `to` and to nothing else: if `to` is not shared, nothing else leads to it. */
static void make_only_way(heap_graph *g, uint8_t from, uint8_t to) {
  g->nodes[from].next = NODE(to);
  for (size_t n = 1; n <= g->count && to && !g->nodes[to].is_shared; n++)
    if (n != from) g->nodes[n].next &= ~NODE(to);
}

/* target := source.next, if that is `to`. */
static bool follow(const heap_graph *g, const heap_step *s, uint8_t to, heap_graphs *out) {
  heap_graph made = *g;
  uint8_t from = g->at[s->source];
  if (to && g->nodes[to].is_summary && !(to = materialise(&made, to, from))) return false;
  make_only_way(&made, from, to);
  if (!drop_impossible(&made)) return true;
  made.at[s->target] = to;
  tidy(&made);
  VECTOR_PUSH(*out, made);
  return true;
}

static bool follow_next(const heap_graph *g, const heap_step *s, heap_graphs *out) {
  uint8_t from = g->at[s->source];
  bool fits = true;
  for (size_t n = 0; from && n <= g->count && fits; n++)
    if (g->nodes[from].next & NODE(n)) fits = follow(g, s, (uint8_t)n, out);
  return fits;
}

static void set_next(heap_graph *g, uint8_t from, uint8_t to) {
  g->nodes[from].next = NODE(to);
  for (size_t n = 1; n <= g->count && to; n++)
    if (n != from && g->nodes[n].next & NODE(to)) g->nodes[to].is_shared = true;
}

bool heap_post(const heap_graph *g, const heap_step *s, heap_graphs *out) {
  if (s->kind == HEAP_NEXT) return follow_next(g, s, out);
  heap_graph made = *g;
  uint8_t target = g->at[s->target];
  switch (s->kind) {
    case HEAP_NONE:
    case HEAP_NEXT: break;
    case HEAP_NEW:
      made.at[s->target] = 0; /* what it was at may go, and make room */
      tidy(&made);
      if (made.count == HEAP_MOST_NODES) return false;
      made.nodes[++made.count] = (heap_node){.next = NODE(0), .data = s->data};
      made.at[s->target] = made.count;
      break;
    case HEAP_COPY: made.at[s->target] = g->at[s->source]; break;
    case HEAP_CLEAR: made.at[s->target] = 0; break;
    case HEAP_SET_NEXT:
    case HEAP_CUT_NEXT:
      if (!target) return true;
      set_next(&made, target, s->kind == HEAP_SET_NEXT ? g->at[s->source] : 0);
      break;
    case HEAP_SET_DATA:
      if (!target) return true;
      made.nodes[target].data = s->data;
      break;
  }
  tidy(&made);
  VECTOR_PUSH(*out, made);
  return true;
}

/* ---- comparing ---- */

bool heap_same_key(const heap_graph *a, const heap_graph *b) {
  for (size_t i = 0; i < a->variables; i++) {
    if (!a->at[i] != !b->at[i]) return false;
    for (size_t j = 0; j < i; j++)
      if ((a->at[i] == a->at[j]) != (b->at[i] == b->at[j])) return false;
  }
  return true;
}

typedef struct embedding {
  const heap_graph *a, *b;
  node_set may[HEAP_MOST_NODES + 1]; /* by node of a: those of b it may be mapped to */
  size_t tries;
} embedding;

static node_set nodes_like(const embedding *e, size_t n, node_set named_a, node_set named_b) {
  const heap_node *node = &e->a->nodes[n];
  node_set found = 0;
  for (size_t i = 0; i < e->a->variables; i++)
    if (e->a->at[i] == n) found |= NODE(e->b->at[i]);
  for (size_t k = 1; k <= e->b->count && !(named_a & NODE(n)); k++)
    if (!(named_b & NODE(k))) found |= NODE(k);
  for (size_t k = 1; k <= e->b->count; k++) {
    const heap_node *other = &e->b->nodes[k];
    if ((node->data & ~other->data) || (node->is_summary && !other->is_summary) ||
        (node->is_shared && !other->is_shared))
      found &= ~NODE(k);
  }
  return found;
}

/* Node k of b can take n of a: each next node of n may be mapped to one of k's. */
static bool can_take(const embedding *e, size_t n, size_t k) {
  node_set next = e->a->nodes[n].next, there = e->b->nodes[k].next;
  if (next & NODE(0) && !(there & NODE(0))) return false;
  for (size_t i = 1; i <= e->a->count; i++)
    if (next & NODE(i) && !(e->may[i] & there)) return false;
  return true;
}

/* False if a node can be mapped to none. */
static bool narrow(embedding *e) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = 1; n <= e->a->count; n++) {
      for (size_t k = 1; k <= e->b->count; k++) {
        if (!(e->may[n] & NODE(k)) || can_take(e, n, k)) continue;
        e->may[n] &= ~NODE(k);
        changed = true;
      }
      if (!e->may[n]) return false;
    }
  }
  return true;
}

/* Maps node n and those after it, one choice at a time. Graphs have few nodes that can be mapped in two ways, so this
 * is short; if it is not, the answer is no. */
static bool choose(embedding *e, size_t n) {
  enum { MOST_TRIES = 2000 };
  if (n > e->a->count) return true;
  for (size_t k = 1; k <= e->b->count; k++) {
    if (!(e->may[n] & NODE(k)) || ++e->tries > MOST_TRIES) continue;
    embedding one = *e;
    one.may[n] = NODE(k);
    for (size_t i = 1; i <= e->a->count && !e->b->nodes[k].is_summary; i++)
      if (i != n) one.may[i] &= ~NODE(k);
    if (narrow(&one) && choose(&one, n + 1)) return true;
    e->tries = one.tries;
  }
  return false;
}

/* Compares the nodes of variables first: most graphs differ there. */
static bool names_fit(const heap_graph *a, const heap_graph *b) {
  for (size_t i = 0; i < a->variables; i++) {
    const heap_node *x = &a->nodes[a->at[i]], *y = &b->nodes[b->at[i]];
    if (!a->at[i] != !b->at[i]) return false;
    if (a->at[i] && ((x->data & ~y->data) || (x->is_shared && !y->is_shared) || (x->next & ~y->next & NODE(0))))
      return false;
  }
  return true;
}

bool heap_within(const heap_graph *a, const heap_graph *b) {
  if (!names_fit(a, b) || !heap_same_key(a, b)) return false;
  embedding e = {.a = a, .b = b};
  node_set named_a = heap_graph_named(a), named_b = heap_graph_named(b);
  for (size_t n = 1; n <= a->count; n++) e.may[n] = nodes_like(&e, n, named_a, named_b);
  return narrow(&e) && choose(&e, 1);
}

/* ---- merging ---- */

enum { MOST_JOINED_NODES = 16 }; /* beyond these, nodes are mapped to the nearest even if they are joined */

/* By node: the variables that lead to it. */
static void find_reach(const heap_graph *g, uint32_t *reach) {
  memset(reach, 0, (HEAP_MOST_NODES + 1) * sizeof *reach);
  for (size_t i = 0; i < g->variables; i++) reach[g->at[i]] |= UINT32_C(1) << i;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = 1; n <= g->count; n++) {
      for (size_t k = 1; k <= g->count; k++) {
        if (!(g->nodes[n].next & NODE(k)) || !(reach[n] & ~reach[k])) continue;
        reach[k] |= reach[n];
        changed = true;
      }
    }
  }
}

typedef struct merging {
  heap_graph *a;
  const heap_graph *b;
  uint32_t reach_a[HEAP_MOST_NODES + 1], reach_b[HEAP_MOST_NODES + 1];
  uint8_t to[HEAP_MOST_NODES + 1];     /* by node of b */
  uint8_t mapped[HEAP_MOST_NODES + 1]; /* by node of a: how many */
} merging;

/* How unlike they are: data counts most. */
static unsigned distance(const merging *m, size_t n, size_t k) {
  uint8_t data = m->b->nodes[n].data, other = m->a->nodes[k].data;
  unsigned by_data = data == other ? 0 : !(data & ~other) ? 1 : !(other & ~data) ? 2 : 3;
  return 2 * by_data + (m->reach_b[n] != m->reach_a[k]);
}

static uint8_t nearest(const merging *m, size_t n, node_set named, unsigned *how_far) {
  uint8_t best = 0;
  for (size_t k = 1; k <= m->a->count; k++) {
    if (named & NODE(k)) continue;
    unsigned d = distance(m, n, k);
    if (best && d >= *how_far) continue;
    best = (uint8_t)k;
    *how_far = d;
  }
  return best;
}

/* A node of the same data. */
static uint8_t same_data(const merging *m, size_t n, node_set named) {
  for (size_t k = 1; k <= m->a->count; k++)
    if (!(named & NODE(k)) && m->a->nodes[k].data == m->b->nodes[n].data) return (uint8_t)k;
  return 0;
}

static uint8_t add_node(merging *m, size_t n, bool as_summary) {
  uint8_t fresh = ++m->a->count;
  m->a->nodes[fresh] = (heap_node){.data = m->b->nodes[n].data, .is_summary = as_summary};
  m->reach_a[fresh] = m->reach_b[n];
  return fresh;
}

static void map_nodes(merging *m, heap_merging how) {
  node_set named_a = heap_graph_named(m->a), named_b = heap_graph_named(m->b);
  uint8_t only = 0; /* the summary that takes all, if `a` has no node for them */
  bool none = !(~named_a & ~bits_above(m->a->count) & ~NODE(0));
  for (size_t i = 0; i < m->b->variables; i++) m->to[m->b->at[i]] = m->a->at[i];
  for (size_t n = 1; n <= m->b->count; n++) {
    unsigned far = 0;
    if (named_b & NODE(n)) continue;
    m->to[n] = how == HEAP_BY_DATA         ? same_data(m, n, named_a)
               : how == HEAP_WIDEN && none ? only
                                           : nearest(m, n, named_a, &far);
    bool joins = how == HEAP_JOIN && (!m->to[n] || far) && m->a->count < MOST_JOINED_NODES + m->a->variables;
    if (joins || !m->to[n]) m->to[n] = add_node(m, n, how == HEAP_WIDEN);
    if (how == HEAP_WIDEN && none) only = m->to[n];
  }
}

void heap_merge(heap_graph *a, const heap_graph *b, heap_merging how) {
  merging m = {.a = a, .b = b};
  find_reach(a, m.reach_a);
  find_reach(b, m.reach_b);
  map_nodes(&m, how);
  for (size_t n = 1; n <= b->count; n++) {
    heap_node *to = &a->nodes[m.to[n]];
    to->data |= b->nodes[n].data;
    to->is_shared |= b->nodes[n].is_shared;
    to->is_summary |= b->nodes[n].is_summary || ++m.mapped[m.to[n]] > 1;
    to->next |= b->nodes[n].next & NODE(0);
    for (size_t k = 1; k <= b->count; k++)
      if (b->nodes[n].next & NODE(k)) to->next |= NODE(m.to[k]);
  }
}

void heap_fold(heap_graph *g, heap_merging how) {
  heap_graph bare = *g;
  node_set named = heap_graph_named(g), others = ~named & ~bits_above(g->count) & ~NODE(0);
  if (!others) return;
  /* The named nodes alone, with nowhere to go: the merging then adds the summaries and all ways. */
  uint8_t order[HEAP_MOST_NODES];
  size_t count = 0;
  for (size_t n = 1; n <= g->count; n++)
    if (named & NODE(n)) order[count++] = (uint8_t)n;
  renumber(&bare, order, count);
  heap_merge(&bare, g, how);
  *g = bare;
}
