/* Which variables surely lead to the nodes of a graph: followed through steps. A simple way from a variable to a node
 * passes each node once; so a way that is cut at a field of a single node is one of which the rest, from where the
 * field led, comes to its end without that node. Whatever cannot be such a rest is led to as before. */
#include "engine/lists/heap_graphs.h"
#include "model/heap.h"

static uint32_t bit_of(size_t variable) { return UINT32_C(1) << variable; }

static bool is_single(node_set set) { return set && !(set & (set - 1)); }

/* Nodes that may be met from those of `from`, themselves included, without `avoided` (0: nothing is). */
static node_set met_from(const heap_graph *g, node_set from, size_t avoided) {
  node_set none = NODE(0) | NODE(avoided), met = from & ~none, last = 0;
  while (met != last) {
    last = met;
    for (size_t n = 1; n <= g->count; n++)
      for (size_t f = 0; last & NODE(n) && f < g->fields; f++) met |= g->nodes[n].next[f] & ~none;
  }
  return met;
}

static bool add_reached(heap_graph *g, size_t n, uint32_t more) {
  bool is_new = more & ~g->nodes[n].reached;
  g->nodes[n].reached |= more;
  return is_new;
}

/* Nodes that are there in every heap. */
static node_set surely_there(const heap_graph *g) {
  node_set there = heap_graph_named(g) & ~NODE(0), last = 0;
  while (there != last) {
    last = there;
    for (size_t n = 1; n <= g->count; n++) {
      for (size_t f = 0; last & NODE(n) && f < g->fields; f++) {
        node_set next = g->nodes[n].next[f];
        if (is_single(next) && next != NODE(0) && !g->nodes[__builtin_ctzll(next)].is_summary) there |= next;
      }
    }
  }
  return there;
}

void heap_note_reach(heap_graph *g) {
  node_set there = surely_there(g);
  for (size_t i = 0; i < g->variables; i++)
    if (g->at[i]) g->nodes[g->at[i]].reached |= bit_of(i);
  for (bool grows = true; grows;) {
    grows = false;
    for (size_t n = 1; n <= g->count; n++) {
      for (size_t f = 0; there & NODE(n) && f < g->fields; f++) {
        node_set next = g->nodes[n].next[f];
        if (is_single(next) && next & there)
          grows |= add_reached(g, (size_t)__builtin_ctzll(next), g->nodes[n].reached);
      }
      for (size_t i = 0; i < g->variables; i++) /* what leads to a variable's node leads to what the variable does */
        if (g->at[i] && g->nodes[n].reached & bit_of(i)) grows |= add_reached(g, n, g->nodes[g->at[i]].reached);
    }
  }
}

static void forget(heap_graph *g, node_set nodes, uint32_t variables) {
  for (size_t n = 1; n <= g->count; n++)
    if (nodes & NODE(n)) g->nodes[n].reached &= ~variables;
}

/* The target is to lead to what the source did, of these nodes. */
static void copy_reach(const heap_graph *before, heap_graph *after, const heap_step *s, node_set nodes) {
  for (size_t n = 1; n <= after->count; n++) {
    after->nodes[n].reached &= ~bit_of(s->target);
    if (nodes & NODE(n) && before->nodes[n].reached & bit_of(s->source)) after->nodes[n].reached |= bit_of(s->target);
  }
}

/* Fields of the node that are changed, or of the source's that are not followed. */
static node_set led_by(const heap_graph *g, size_t node, bool all, size_t field, bool but_field) {
  node_set set = 0;
  for (size_t f = 0; f < g->fields; f++)
    if (all || (f == field) != but_field) set |= g->nodes[node].next[f];
  return set;
}

static uint32_t variables_that_may_meet(const heap_graph *g, size_t node) {
  uint32_t found = 0;
  for (size_t i = 0; i < g->variables; i++)
    if (g->at[i] && met_from(g, NODE(g->at[i]), 0) & NODE(node)) found |= bit_of(i);
  return found;
}

static bool is_contradictory(const heap_graph *g) {
  for (size_t v = 0; v < g->variables; v++) {
    node_set met = g->at[v] ? met_from(g, NODE(g->at[v]), 0) : 0;
    for (size_t i = 0; i < g->variables; i++)
      if (g->at[i] && g->nodes[g->at[i]].reached & bit_of(v) && !(met & NODE(g->at[i]))) return true;
  }
  return false;
}

bool heap_follow_reach(const heap_graph *before, heap_graph *after, const heap_step *s) {
  const node_set all = ~NODE(0);
  size_t target = before->at[s->target], source = heap_has_source(s->kind) ? before->at[s->source] : 0;
  if (!s->watches_lost) { /* nobody asks */
    forget(after, all, UINT32_MAX);
    return true;
  }
  switch (s->kind) {
    case HEAP_NONE:
    case HEAP_SET_DATA: break;
    case HEAP_NEW:
    case HEAP_CLEAR: forget(after, all, bit_of(s->target)); break;
    case HEAP_COPY: copy_reach(before, after, s, all); break;
    case HEAP_NEXT: {
      node_set otherwise = met_from(before, led_by(before, source, false, s->field, true), source);
      copy_reach(before, after, s, all & ~otherwise & ~NODE(source));
      break;
    }
    case HEAP_SET_NEXT:
    case HEAP_CUT_NEXT:
    case HEAP_FREE: {
      node_set cut = met_from(before, led_by(before, target, s->kind == HEAP_FREE, s->field, false), target);
      forget(after, cut, variables_that_may_meet(before, target));
      break;
    }
  }
  heap_note_reach(after);
  return !is_contradictory(after);
}
