/* Outcomes of node tests as keys that are sorted; nodes with the same key are merged. */
#include "engine/alpha/lists/node_tests.h"

#include <stdlib.h>

/* Compared as bytes: none is left open. */
typedef struct outcome {
  uint64_t data;
  uint8_t reached[HEAP_MOST_VARIABLES];
  uint16_t back;
  uint8_t shared, distance;
  uint8_t unused[4];
} outcome;

_Static_assert(sizeof(outcome) == sizeof(uint64_t) + HEAP_MOST_VARIABLES + 8, "without padding");

typedef struct sorted_node {
  outcome key;
  uint8_t node;
} sorted_node;

static node_set follow(const heap_graph *g, node_set from, size_t field) {
  node_set to = 0;
  for (size_t n = 1; n <= g->count; n++)
    if (from & NODE(n)) to |= g->nodes[n].next[field];
  return to & ~NODE(0);
}

static node_set reached_by(const heap_graph *g, uint8_t from, size_t field) {
  node_set seen = from ? NODE(from) : 0, before;
  do {
    before = seen;
    seen |= follow(g, seen, field);
  } while (seen != before);
  return seen;
}

static void add_distances(const heap_graph *g, unsigned most, outcome *all) {
  node_set seen = heap_graph_named(g), last = seen;
  for (unsigned d = 1; d <= most; d++) {
    node_set fresh = 0;
    for (size_t f = 0; f < g->fields; f++) fresh |= follow(g, last, f);
    last = fresh & ~seen;
    seen |= fresh;
    for (size_t n = 1; n <= g->count; n++)
      if (last & NODE(n)) all[n].distance = (uint8_t)d;
  }
}

static void find_outcomes(const node_tests *t, const heap_graph *g, outcome *all) {
  memset(all, 0, (HEAP_MOST_NODES + 1) * sizeof *all);
  for (size_t n = 1; n <= g->count; n++) {
    all[n].back = g->nodes[n].back;
    all[n].shared = g->nodes[n].shared;
    if (t->data) all[n].data = g->nodes[n].data;
  }
  for (size_t i = 0; i < g->variables; i++) {
    for (size_t f = 0; f < g->fields; f++) {
      if (!(t->reached[i] >> f & 1)) continue;
      node_set reached = reached_by(g, g->at[i], f);
      for (size_t n = 1; n <= g->count; n++)
        if (reached & NODE(n)) all[n].reached[i] |= (uint8_t)(1u << f);
    }
  }
  if (t->distance) add_distances(g, t->distance, all);
}

static int compare_nodes(const void *a, const void *b) {
  return memcmp(&((const sorted_node *)a)->key, &((const sorted_node *)b)->key, sizeof(outcome));
}

/* By node of `g`, the node it becomes; how many there are then, and (unless NULL) their outcomes. */
static uint8_t number_nodes(const node_tests *t, const heap_graph *g, uint8_t *now, outcome *outcomes) {
  outcome all[HEAP_MOST_NODES + 1];
  sorted_node others[HEAP_MOST_NODES];
  size_t other_count = 0;
  uint8_t count = 0;
  memset(now, 0, HEAP_MOST_NODES + 1);
  find_outcomes(t, g, all);
  for (size_t i = 0; i < g->variables; i++)
    if (g->at[i] && !now[g->at[i]]) now[g->at[i]] = ++count;
  for (size_t n = 1; n <= g->count; n++)
    if (!now[n]) others[other_count++] = (sorted_node){all[n], (uint8_t)n};
  if (other_count) qsort(others, other_count, sizeof *others, compare_nodes);
  for (size_t k = 0; k < other_count; k++) {
    if (!k || compare_nodes(&others[k - 1], &others[k])) count++;
    now[others[k].node] = count;
  }
  for (size_t n = 1; outcomes && n <= g->count; n++) outcomes[now[n]] = all[n];
  return count;
}

/* Node n of `from` goes to node now[n] of `to`. */
static void add_nodes(heap_graph *to, const heap_graph *from, const uint8_t *now) {
  for (size_t n = 1; n <= from->count; n++) {
    const heap_node *node = &from->nodes[n];
    heap_node *into = &to->nodes[now[n]];
    into->data |= node->data;
    into->shared |= node->shared;
    into->back &= node->back;
    into->reached &= node->reached;
    into->is_summary |= node->is_summary;
    for (size_t f = 0; f < to->fields; f++) {
      into->next[f] |= node->next[f] & NODE(0);
      for (size_t k = 1; k <= from->count; k++)
        if (node->next[f] & NODE(k)) into->next[f] |= NODE(now[k]);
    }
  }
}

void node_tests_abstract(const node_tests *t, heap_graph *g) {
  heap_graph old = *g;
  uint8_t now[HEAP_MOST_NODES + 1], of[HEAP_MOST_NODES + 1] = {0};
  *g = (heap_graph){.variables = old.variables, .fields = old.fields, .count = number_nodes(t, &old, now, NULL)};
  for (size_t i = 0; i < g->variables; i++) g->at[i] = now[old.at[i]];
  for (size_t n = 1; n <= g->count; n++) {
    g->nodes[n].back = heap_all_back(g->fields);
    g->nodes[n].reached = heap_all_reached(g->variables);
  }
  for (size_t n = 1; n <= old.count; n++) g->nodes[now[n]].is_summary = ++of[now[n]] > 1;
  add_nodes(g, &old, now);
}

bool node_tests_merge(const node_tests *t, heap_graph *g, const heap_graph *more) {
  uint8_t now_g[HEAP_MOST_NODES + 1], now[HEAP_MOST_NODES + 1], back[HEAP_MOST_NODES + 1] = {0};
  outcome in_g[HEAP_MOST_NODES + 1], in_more[HEAP_MOST_NODES + 1];
  uint8_t count = number_nodes(t, g, now_g, in_g);
  if (count != g->count || number_nodes(t, more, now, in_more) != count || more->count != count) return false;
  for (size_t i = 0; i < g->variables; i++)
    if (now_g[g->at[i]] != now[more->at[i]]) return false;
  node_set named = heap_graph_named(g);
  for (size_t n = 1; n <= count; n++) back[now_g[n]] = (uint8_t)n;
  for (size_t k = 1; k <= count; k++)
    if (!(named & NODE(back[k])) && memcmp(&in_g[k], &in_more[k], sizeof(outcome)) != 0) return false;
  for (size_t n = 1; n <= count; n++) now[n] = back[now[n]];
  add_nodes(g, more, now);
  return true;
}

static bool tells_more(const node_tests *t, const node_tests *more, const heap_graph *g) {
  uint8_t now[HEAP_MOST_NODES + 1];
  return number_nodes(more, g, now, NULL) > number_nodes(t, g, now, NULL);
}

bool node_tests_refine(node_tests *t, const heap_graph *g) {
  node_tests more;
  for (size_t i = 0; i < g->variables; i++) {
    for (size_t f = 0; f < g->fields; f++) {
      more = *t;
      more.reached[i] |= (uint8_t)(1u << f);
      if (!tells_more(t, &more, g)) continue;
      *t = more;
      return true;
    }
  }
  more = *t;
  more.data = true;
  if (!t->data && tells_more(t, &more, g)) {
    *t = more;
    return true;
  }
  more = *t;
  while (more.distance < NODE_TESTS_FARTHEST) {
    more.distance++;
    if (!tells_more(t, &more, g)) continue;
    *t = more;
    return true;
  }
  return false;
}

void node_tests_print_last(const terms *ts, const variable_vector *variables, const node_tests *before,
                           const node_tests *now, text *out) {
  const node_layout *l = type_layout(variable_type(ts, variables->at[0]));
  if (now->data && !before->data) text_add(out, "data of nodes");
  for (size_t i = 0; i < variables->count; i++)
    for (size_t f = 0; f < l->pointer_count; f++)
      if ((now->reached[i] & ~before->reached[i]) >> f & 1)
        text_add(out, "reached from %s by %s", variable_shown(ts, variables->at[i]), l->pointers[f]);
  if (now->distance > before->distance) text_add(out, "up to %u from a variable", now->distance);
}
