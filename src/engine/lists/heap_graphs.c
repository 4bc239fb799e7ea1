/* Steps on graphs. Materialising a node of a summary (the next one of a variable's node) is where all precision comes
 * from: a node that is not shared has no other way to it. */
#include "engine/lists/heap_graphs.h"

#include "model/heap.h"

void heap_start(heap_graph *g, size_t variables, size_t fields) {
  *g = (heap_graph){.variables = (uint8_t)variables, .fields = (uint8_t)fields};
}

bool heap_restrict(heap_graph *g, const heap_test *t) {
  uint8_t node = g->at[t->p];
  switch (t->kind) {
    case HEAP_TEST_NULL: return (node == 0) == t->holds;
    case HEAP_TEST_SAME: return (node == g->at[t->q]) == t->holds;
    case HEAP_TEST_DATA:
      if (!node) return (t->values & 1) == t->holds;
      g->nodes[node].data &= t->holds ? t->values : ~t->values;
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
    for (size_t f = 0; f < g->fields; f++) {
      node_set next = node.next[f] & NODE(0);
      for (size_t n = 1; n <= old.count; n++)
        if (node.next[f] & NODE(n) && now[n]) next |= NODE(now[n]);
      node.next[f] = next;
    }
    g->nodes[k + 1] = node;
  }
  memset(&g->nodes[count + 1], 0, (HEAP_MOST_NODES - count) * sizeof g->nodes[0]);
  g->count = (uint8_t)count;
}

static bool is_single(node_set set) { return set && !(set & (set - 1)); }
static uint8_t node_of(node_set set) { return (uint8_t)__builtin_ctzll(set); }

/* A node that field f of only one node can lead to is not shared by that field; nor is one whose own field g leads back
 * to each node that it comes from. */
static void forget_sharing(heap_graph *g) {
  for (size_t n = 1; n <= g->count; n++) {
    for (size_t f = 0; f < g->fields; f++) {
      size_t ways = 0;
      unsigned back = heap_all_back(g->fields);
      for (size_t k = 1; k <= g->count; k++) {
        if (!(g->nodes[k].next[f] & NODE(n))) continue;
        ways += g->nodes[k].is_summary ? 2 : 1;
        back &= g->nodes[k].back;
      }
      for (size_t h = 0; h < g->fields; h++)
        if (back & HEAP_BACK(f, h)) ways = 0;
      if (ways < 2) g->nodes[n].shared &= (uint8_t) ~(1u << f);
    }
  }
}

/* What is known of ways back from the ways of single nodes. */
static void note_back(heap_graph *g) {
  for (size_t n = 1; n <= g->count && g->fields > 1; n++) {
    for (size_t f = 0; f < g->fields; f++) {
      node_set next = g->nodes[n].next[f];
      if (!is_single(next)) continue;
      uint8_t to = node_of(next);
      for (size_t h = 0; h < g->fields; h++) {
        bool is_back = !to || (!g->nodes[n].is_summary && !g->nodes[to].is_summary && g->nodes[to].next[h] == NODE(n));
        if (h != f && is_back) g->nodes[n].back |= (uint16_t)HEAP_BACK(f, h);
      }
    }
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
    for (size_t f = 0; f < g->fields; f++) {
      for (size_t n = 1; n <= g->count; n++) {
        if (!(g->nodes[order[k]].next[f] & NODE(n)) || met & NODE(n)) continue;
        met |= NODE(n);
        order[count++] = (uint8_t)n;
      }
    }
  }
  renumber(g, order, count);
  note_back(g);
  forget_sharing(g);
}

/* Takes away the ways of field f of node n from which no way leads back though it must; true if there were some. */
static bool drop_ways(heap_graph *g, size_t n, size_t f) {
  node_set next = g->nodes[n].next[f], kept = next;
  for (size_t h = 0; h < g->fields; h++) {
    if (!(g->nodes[n].back & HEAP_BACK(f, h))) continue;
    for (size_t k = 1; k <= g->count; k++)
      if (kept & NODE(k) && !(g->nodes[k].next[h] & NODE(n))) kept &= ~NODE(k);
  }
  g->nodes[n].next[f] = kept;
  return kept != next;
}

/* A variable's node n leads to a single node: that leads back to n, if it must. */
static bool fix_ways_back(heap_graph *g, size_t n, size_t f) {
  node_set next = g->nodes[n].next[f];
  if (!is_single(next) || next == NODE(0)) return false;
  heap_node *to = &g->nodes[node_of(next)];
  bool changed = false;
  for (size_t h = 0; h < g->fields && !to->is_summary; h++) {
    if (!(g->nodes[n].back & HEAP_BACK(f, h)) || !(to->next[h] & ~NODE(n))) continue;
    to->next[h] &= NODE(n);
    changed = true;
  }
  return changed;
}

/* A node that can have no next one by some field stands for none. False if it is a variable's: there is no such heap. */
static bool drop_impossible(heap_graph *g) {
  node_set named = heap_graph_named(g);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = 1; n <= g->count; n++) {
      bool is_possible = true;
      for (size_t f = 0; f < g->fields; f++) {
        changed |= drop_ways(g, n, f);
        if (named & NODE(n)) changed |= fix_ways_back(g, n, f);
        is_possible &= g->nodes[n].next[f] != 0;
      }
      if (is_possible) continue;
      if (named & NODE(n)) return false;
      for (size_t k = 1; k <= g->count; k++) {
        for (size_t f = 0; f < g->fields; f++) {
          if (!(g->nodes[k].next[f] & NODE(n))) continue;
          g->nodes[k].next[f] &= ~NODE(n);
          changed = true;
        }
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

/* One node of summary `s` is taken out of it, to be what field `f` of node `from` leads to; 0 if there is no room. */
static uint8_t materialise(heap_graph *g, uint8_t s, uint8_t from, size_t f) {
  if (g->count == HEAP_MOST_NODES) return 0;
  uint8_t fresh = ++g->count;
  g->nodes[fresh] = g->nodes[s];
  g->nodes[fresh].is_summary = false;
  for (size_t h = 0; h < g->fields; h++)
    for (size_t n = 1; n <= g->count; n++)
      if (g->nodes[n].next[h] & NODE(s) && (h != f || (n != from && g->nodes[fresh].shared & 1u << f)))
        g->nodes[n].next[h] |= NODE(fresh);
  g->nodes[from].next[f] = NODE(fresh);
  return fresh;
}

/* Field `f` of `from` leads to `to` and to nothing else: if `to` is not shared, that of no other does. */
static void make_only_way(heap_graph *g, uint8_t from, size_t f, uint8_t to) {
  g->nodes[from].next[f] = NODE(to);
  for (size_t n = 1; n <= g->count && to && !(g->nodes[to].shared & 1u << f); n++)
    if (n != from) g->nodes[n].next[f] &= ~NODE(to);
}

/* A graph for each node that field `f` of the variable's node `from` may lead to; nodes keep their numbers. False if there
 * is no room. */
static bool focus(const heap_graph *g, uint8_t from, size_t f, heap_graphs *out) {
  for (uint8_t n = 0; n <= g->count; n++) {
    if (!(g->nodes[from].next[f] & NODE(n))) continue;
    heap_graph made = *g;
    uint8_t to = n;
    if (to && g->nodes[to].is_summary && !(to = materialise(&made, to, from, f))) return false;
    make_only_way(&made, from, f, to);
    if (drop_impossible(&made)) VECTOR_PUSH(*out, made);
  }
  return true;
}

static void set_next(heap_graph *g, uint8_t from, size_t f, uint8_t to) {
  for (size_t n = 1; n <= g->count; n++)
    for (size_t h = 0; h < g->fields; h++)
      if (n != to && g->nodes[n].next[h] & NODE(from)) g->nodes[n].back &= (uint16_t)~HEAP_BACK(h, f);
  for (size_t h = 0; h < g->fields; h++) g->nodes[from].back &= (uint16_t)~HEAP_BACK(f, h);
  g->nodes[from].next[f] = NODE(to);
  for (size_t n = 1; n <= g->count && to; n++)
    if (n != from && g->nodes[n].next[f] & NODE(to)) g->nodes[to].shared |= (uint8_t)(1u << f);
}

static uint64_t data_with(const heap_step *s, uint64_t data) {
  uint64_t result = data & NODE_VALUE(NODE_FREED);
  for (unsigned v = 0; v < s->layout->values; v++)
    if (data & NODE_VALUE(v)) result |= NODE_VALUE(node_with(s->layout, s->field, v, s->part));
  return result;
}

/* The command on a graph that is exact at what it reads; nodes keep their numbers. False if there is no room. */
static bool change(heap_graph *g, const heap_step *s) {
  uint8_t target = g->at[s->target], source = heap_has_source(s->kind) ? g->at[s->source] : 0;
  switch (s->kind) {
    case HEAP_NONE: break;
    case HEAP_NEW:
      if (g->count == HEAP_MOST_NODES) return false;
      g->nodes[++g->count] = (heap_node){.data = s->data, .back = heap_all_back(g->fields)};
      for (size_t f = 0; f < g->fields; f++) g->nodes[g->count].next[f] = NODE(0);
      g->at[s->target] = g->count;
      break;
    case HEAP_COPY: g->at[s->target] = source; break;
    case HEAP_CLEAR: g->at[s->target] = 0; break;
    case HEAP_NEXT: g->at[s->target] = node_of(g->nodes[source].next[s->field]); break;
    case HEAP_SET_NEXT:
    case HEAP_CUT_NEXT: set_next(g, target, s->field, source); break;
    case HEAP_SET_DATA: g->nodes[target].data = data_with(s, g->nodes[target].data); break;
    case HEAP_FREE:
      for (size_t f = 0; f < g->fields; f++) set_next(g, target, f, 0);
      g->nodes[target].data = NODE_VALUE(NODE_FREED);
      break;
  }
  return true;
}

/* ---- what is lost ---- */

/* The nodes that variables may lead to; with `surely`, those that they do. */
static node_set reached(const heap_graph *g, bool surely) {
  node_set met = heap_graph_named(g), before;
  do {
    before = met;
    for (size_t n = 1; n <= g->count; n++) {
      for (size_t f = 0; met & NODE(n) && f < g->fields; f++) {
        node_set next = g->nodes[n].next[f] & ~NODE(0);
        bool is_sure = is_single(g->nodes[n].next[f]) && next && !g->nodes[node_of(next)].is_summary;
        if (!surely || is_sure) met |= next;
      }
    }
  } while (met != before);
  return met;
}

/* The command has been done; adds the graphs in which one of the victims from `first` on is lost, and those in which
 * none is. */
static void settle_victims(const heap_graph *g, const heap_step *s, const uint8_t *victims, size_t count, size_t first,
                           heap_graphs *out) {
  for (size_t i = first; i < count; i++) {
    uint8_t v = victims[i];
    uint64_t alive = v ? g->nodes[v].data & ~NODE_VALUE(NODE_FREED) : 0;
    if (!alive || reached(g, true) & NODE(v) || g->nodes[v].reached & ~(UINT32_C(1) << s->lost)) continue;
    heap_graph other = *g;
    other.at[s->lost] = v;
    other.nodes[v].data = alive;
    tidy(&other);
    VECTOR_PUSH(*out, other);
    other = *g;
    if (!(reached(g, false) & NODE(v))) other.nodes[v].data &= NODE_VALUE(NODE_FREED);
    if (other.nodes[v].data) settle_victims(&other, s, victims, count, i + 1, out);
    return;
  }
  heap_graph made = *g;
  tidy(&made);
  VECTOR_PUSH(*out, made);
}

static size_t find_victims(const heap_graph *g, const heap_step *s, uint8_t *victims) {
  uint8_t target = g->at[s->target];
  bool of_field = s->kind == HEAP_SET_NEXT || s->kind == HEAP_CUT_NEXT;
  if (s->kind == HEAP_NONE || s->kind == HEAP_SET_DATA) return 0;
  if (of_field || s->kind == HEAP_FREE) {
    size_t count = 0;
    for (size_t f = 0; f < g->fields; f++)
      if (!of_field || f == s->field) victims[count++] = node_of(g->nodes[target].next[f]);
    return count;
  }
  victims[0] = target;
  return 1;
}

/* `g` is exact at all that the command reads, and at what it may lose. */
static bool finish(const heap_graph *g, const heap_step *s, bool watches, heap_graphs *out) {
  heap_graph made = *g, before;
  uint8_t victims[NODE_MOST_POINTERS];
  if (!watches && s->kind == HEAP_NEW) { /* what it was at may go, and make room */
    made.at[s->target] = 0;
    tidy(&made);
  }
  before = made;
  size_t count = watches ? find_victims(g, s, victims) : 0;
  if (!change(&made, s)) return false;
  if (!heap_follow_reach(&before, &made, s)) return true;
  settle_victims(&made, s, victims, count, 0, out);
  return true;
}

/* Makes the graph exact at fields from `f` on of the node that the command changes or reads, then goes on. */
static bool focus_fields(const heap_graph *g, const heap_step *s, size_t f, bool watches, heap_graphs *out) {
  bool reads = s->kind == HEAP_NEXT, all = s->kind == HEAP_FREE;
  bool of_field = reads || s->kind == HEAP_SET_NEXT || s->kind == HEAP_CUT_NEXT;
  uint8_t from = reads ? g->at[s->source] : g->at[s->target];
  if (of_field && f < s->field) f = s->field;
  if (!(reads || (watches && (of_field || all))) || f >= g->fields || (of_field && f > s->field))
    return finish(g, s, watches, out);
  heap_graphs some = {0};
  bool fits = focus(g, from, f, &some);
  for (size_t i = 0; i < some.count && fits; i++) fits = focus_fields(&some.at[i], s, f + 1, watches, out);
  VECTOR_FREE(some);
  return fits;
}

bool heap_post(const heap_graph *g, const heap_step *s, heap_graphs *out) {
  bool needs_target =
      s->kind == HEAP_SET_NEXT || s->kind == HEAP_CUT_NEXT || s->kind == HEAP_SET_DATA || s->kind == HEAP_FREE;
  if ((needs_target && !g->at[s->target]) || (s->kind == HEAP_NEXT && !g->at[s->source])) return true;
  return focus_fields(g, s, 0, s->watches_lost && !g->at[s->lost], out);
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
    if ((node->data & ~other->data) || (node->is_summary && !other->is_summary) || (node->shared & ~other->shared) ||
        (other->back & ~node->back) || (other->reached & ~node->reached))
      found &= ~NODE(k);
  }
  return found;
}

/* Node k of b can take n of a: each next node of n may be mapped to one of k's. */
static bool can_take(const embedding *e, size_t n, size_t k) {
  for (size_t f = 0; f < e->a->fields; f++) {
    node_set next = e->a->nodes[n].next[f], there = e->b->nodes[k].next[f];
    if (next & NODE(0) && !(there & NODE(0))) return false;
    for (size_t i = 1; i <= e->a->count; i++)
      if (next & NODE(i) && !(e->may[i] & there)) return false;
  }
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
    if (a->at[i] &&
        ((x->data & ~y->data) || (x->shared & ~y->shared) || (y->back & ~x->back) || (y->reached & ~x->reached)))
      return false;
    for (size_t f = 0; f < a->fields; f++)
      if (x->next[f] & ~y->next[f] & NODE(0)) return false;
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
        node_set next = 0;
        for (size_t f = 0; f < g->fields; f++) next |= g->nodes[n].next[f];
        if (!(next & NODE(k)) || !(reach[n] & ~reach[k])) continue;
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
  uint64_t data = m->b->nodes[n].data, other = m->a->nodes[k].data;
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
  m->a->nodes[fresh] =
      (heap_node){.data = m->b->nodes[n].data, .back = heap_all_back(m->a->fields), .is_summary = as_summary};
  m->a->nodes[fresh].reached = heap_all_reached(m->a->variables);
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
    bool is_full = m->a->count >= MOST_JOINED_NODES + m->a->variables;
    m->to[n] = how == HEAP_BY_DATA         ? same_data(m, n, named_a)
               : how == HEAP_WIDEN && none ? only
                                           : nearest(m, n, named_a, &far);
    bool joins = how == HEAP_JOIN && (!m->to[n] || far) && !is_full;
    if (!m->to[n] && is_full) m->to[n] = nearest(m, n, named_a, &far);
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
    to->shared |= b->nodes[n].shared;
    to->back &= b->nodes[n].back;
    to->reached &= b->nodes[n].reached;
    to->is_summary |= b->nodes[n].is_summary || ++m.mapped[m.to[n]] > 1;
    for (size_t f = 0; f < b->fields; f++) {
      to->next[f] |= b->nodes[n].next[f] & NODE(0);
      for (size_t k = 1; k <= b->count; k++)
        if (b->nodes[n].next[f] & NODE(k)) to->next[f] |= NODE(m.to[k]);
    }
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
