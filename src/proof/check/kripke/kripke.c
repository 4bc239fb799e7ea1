/* Graphs as sorted lists of edges, and their fair components.
 *
 * A strongly connected set of nodes is left alone for ever by some fair run exactly if every constraint is met
 * inside it. A component that misses a strong one may meet it without the nodes that want it, so these are taken out
 * and the rest is looked at again (Emerson and Lei). */
#include "proof/check/kripke/kripke.h"

#include <stdlib.h>

kripke *kripke_new(size_t nodes) {
  kripke *g = MEMORY_NEW(kripke);
  g->nodes = nodes;
  return g;
}

void kripke_free(kripke *g) {
  if (!g) return;
  for (size_t i = 0; i < g->constraints.count; i++) {
    bits_free(&g->constraints.at[i].wanted);
    bits_free(&g->constraints.at[i].seen);
    VECTOR_FREE(g->constraints.at[i].group);
    for (size_t j = 0; j < g->constraints.at[i].atoms.count; j++) {
      bits_free(&g->constraints.at[i].atoms.at[j].maybe);
      bits_free(&g->constraints.at[i].atoms.at[j].surely);
    }
    VECTOR_FREE(g->constraints.at[i].atoms);
  }
  VECTOR_FREE(g->constraints);
  VECTOR_FREE(g->edges);
  memory_free(g->first);
  memory_free(g->backward);
  memory_free(g->backward_first);
  memory_free(g);
}

void kripke_add_edge(kripke *g, uint32_t from, uint32_t label, uint32_t to) {
  REQUIRE(from < g->nodes && to < g->nodes, "nodes of the graph");
  VECTOR_PUSH(g->edges, (kripke_edge){from, label, to});
}

kripke_constraint *kripke_add_constraint(kripke *g) {
  kripke_constraint c = {.wanted = bits_new(g->nodes), .seen = bits_new(g->nodes)};
  VECTOR_PUSH(g->constraints, c);
  return &VECTOR_LAST(g->constraints);
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

void kripke_sort_group(kripke_constraint *c) {
  if (c->group.count) qsort(c->group.at, c->group.count, sizeof *c->group.at, by_number);
}

/* Counting sort, by `from`; stable. */
void kripke_sort(kripke *g) {
  kripke_edge *sorted = MEMORY_ARRAY(kripke_edge, g->edges.count + 1);
  g->first = MEMORY_ARRAY(size_t, g->nodes + 2);
  g->backward_first = MEMORY_ARRAY(size_t, g->nodes + 2);
  g->backward = MEMORY_ARRAY(uint32_t, g->edges.count + 1);
  for (size_t i = 0; i < g->edges.count; i++) {
    g->first[g->edges.at[i].from + 2]++;
    g->backward_first[g->edges.at[i].to + 2]++;
  }
  for (size_t n = 2; n < g->nodes + 2; n++) {
    g->first[n] += g->first[n - 1];
    g->backward_first[n] += g->backward_first[n - 1];
  }
  for (size_t i = 0; i < g->edges.count; i++) sorted[g->first[g->edges.at[i].from + 1]++] = g->edges.at[i];
  memory_free(g->edges.at);
  g->edges.at = sorted;
  g->edges.room = g->edges.count + 1;
  for (size_t i = 0; i < g->edges.count; i++) g->backward[g->backward_first[sorted[i].to + 1]++] = (uint32_t)i;
}

void kripke_reach_back(const kripke *g, const bits *through, bits *target) {
  VECTOR(uint32_t) open = {0};
  for (size_t n = 0; n < g->nodes; n++)
    if (bits_has(target, n)) VECTOR_PUSH(open, (uint32_t)n);
  while (open.count) {
    uint32_t n = VECTOR_POP(open);
    for (size_t i = g->backward_first[n]; i < g->backward_first[n + 1]; i++) {
      uint32_t from = g->edges.at[g->backward[i]].from;
      if (bits_has(target, from) || !bits_has(through, from)) continue;
      bits_add(target, from);
      VECTOR_PUSH(open, from);
    }
  }
  VECTOR_FREE(open);
}

/* ---- components ---- */

enum { UNSEEN = 0 };

/* Tarjan's algorithm without recursion. A set of nodes being looked at has a number; `region` says in which one a node
 * is. */
typedef struct search {
  const kripke *graph;
  budget *budget;
  uint32_t *region, region_count; /* 0: taken out */
  uint32_t *order, *low, counter;
  bool *on_stack;
  size_t *edge; /* the next edge to follow */
  VECTOR(uint32_t) stack, path;
  VECTOR(uint32_t) pending; /* nodes to start from, in the regions made last */
  bits good;
} search;

static bool is_inside(const search *s, uint32_t from, uint32_t to) {
  return s->region[from] && s->region[from] == s->region[to];
}

static void enter(search *s, uint32_t n) {
  s->order[n] = s->low[n] = ++s->counter;
  s->on_stack[n] = true;
  s->edge[n] = s->graph->first[n];
  VECTOR_PUSH(s->stack, n);
  VECTOR_PUSH(s->path, n);
}

static bool has_label(const kripke_constraint *c, uint32_t label) {
  size_t low = 0, high = c->group.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (c->group.at[middle] < label)
      low = middle + 1;
    else
      high = middle;
  }
  return low < c->group.count && c->group.at[low] == label;
}

/* Is the constraint met in the nodes, which are one region? */
static bool is_seen(const search *s, const kripke_constraint *c, size_t count, const uint32_t *nodes) {
  for (size_t i = 0; i < count; i++) {
    if (bits_has(&c->seen, nodes[i])) return true;
    if (!c->group.count) continue;
    for (size_t e = s->graph->first[nodes[i]]; e < s->graph->first[nodes[i] + 1]; e++) {
      const kripke_edge *edge = &s->graph->edges.at[e];
      if (is_inside(s, edge->from, edge->to) && has_label(c, edge->label)) return true;
    }
  }
  return false;
}

static bool has_edge_inside(const search *s, size_t count, const uint32_t *nodes) {
  for (size_t i = 0; i < count; i++)
    for (size_t e = s->graph->first[nodes[i]]; e < s->graph->first[nodes[i] + 1]; e++)
      if (is_inside(s, nodes[i], s->graph->edges.at[e].to)) return true;
  return false;
}

/* Without these the constraint may be met, though a component with them does not meet it; NULL: by no part of it. */
static const bits *nodes_to_take_out(const kripke_constraint *c) {
  if (!c->formula) return c->is_strong ? &c->wanted : NULL;
  const kripke_often *only = kripke_only_negated(c);
  return only ? &only->surely : NULL;
}

/* A component is complete. It becomes a region of its own: good, given up, or to be looked at again without some nodes.
 */
static void classify(search *s, size_t count, const uint32_t *nodes) {
  bool is_good = true, again = false;
  s->region_count++;
  for (size_t i = 0; i < count; i++) s->region[nodes[i]] = s->region_count;
  is_good = has_edge_inside(s, count, nodes);
  for (size_t k = 0; k < s->graph->constraints.count && is_good && !again; k++) {
    const kripke_constraint *c = &s->graph->constraints.at[k];
    if (c->formula ? kripke_formula_is_met(c, count, nodes) : is_seen(s, c, count, nodes)) continue;
    const bits *out = nodes_to_take_out(c);
    for (size_t i = 0; i < count && out; i++) {
      if (!bits_has(out, nodes[i])) continue;
      s->region[nodes[i]] = 0;
      again = true;
    }
    is_good = again || (!c->formula && c->is_strong);
  }
  for (size_t i = 0; i < count; i++) {
    uint32_t n = nodes[i];
    if (!again) s->region[n] = 0;
    if (is_good && !again) bits_add(&s->good, n);
    if (again && s->region[n]) {
      s->order[n] = UNSEEN;
      VECTOR_PUSH(s->pending, n);
    }
  }
}

static void leave(search *s, uint32_t n) {
  s->path.count--;
  if (s->path.count) {
    uint32_t parent = VECTOR_LAST(s->path);
    if (s->low[n] < s->low[parent]) s->low[parent] = s->low[n];
  }
  if (s->low[n] != s->order[n]) return;
  size_t start = s->stack.count;
  do s->on_stack[s->stack.at[--start]] = false;
  while (s->stack.at[start] != n);
  size_t count = s->stack.count - start;
  s->stack.count = start;
  classify(s, count, s->stack.at + start);
}

static void run_from(search *s, uint32_t root) {
  enter(s, root);
  while (s->path.count) {
    uint32_t n = VECTOR_LAST(s->path);
    if (s->edge[n] == s->graph->first[n + 1]) {
      leave(s, n);
      continue;
    }
    uint32_t to = s->graph->edges.at[s->edge[n]++].to;
    if (!is_inside(s, n, to)) continue;
    if (s->order[to] == UNSEEN)
      enter(s, to);
    else if (s->on_stack[to] && s->order[to] < s->low[n])
      s->low[n] = s->order[to];
  }
}

/* Adds nodes of `within` that are in a fair set. */
static void find_fair_sets(const kripke *g, const bits *within, budget *b, bits *good) {
  search s = {.graph = g, .budget = b, .region_count = 1, .good = bits_new(g->nodes)};
  s.region = MEMORY_ARRAY(uint32_t, g->nodes + 1);
  s.order = MEMORY_ARRAY(uint32_t, g->nodes + 1);
  s.low = MEMORY_ARRAY(uint32_t, g->nodes + 1);
  s.on_stack = MEMORY_ARRAY(bool, g->nodes + 1);
  s.edge = MEMORY_ARRAY(size_t, g->nodes + 1);
  for (size_t n = g->nodes; n-- > 0;) {
    if (!bits_has(within, n)) continue;
    s.region[n] = 1;
    VECTOR_PUSH(s.pending, (uint32_t)n);
  }
  while (s.pending.count && !budget_spent(b)) {
    uint32_t n = VECTOR_POP(s.pending);
    if (s.region[n] && s.order[n] == UNSEEN) run_from(&s, n);
  }
  VECTOR_FREE(s.pending);
  VECTOR_FREE(s.stack);
  VECTOR_FREE(s.path);
  memory_free(s.region);
  memory_free(s.order);
  memory_free(s.low);
  memory_free(s.on_stack);
  memory_free(s.edge);
  bits_unite(good, &s.good);
  bits_free(&s.good);
}

/* `within` but for the nodes of the choices in `missed`. */
static bits without(const bits *within, const kripke_choices *choices, uint32_t missed) {
  bits left = bits_copy(within);
  for (size_t i = 0; i < choices->count; i++)
    if (missed >> i & 1) bits_minus(&left, &choices->at[i]->surely);
  return left;
}

bits kripke_fair(const kripke *g, const bits *within, budget *b) {
  kripke_choices choices = {0};
  bits good = bits_new(g->nodes);
  bool fits = kripke_find_choices(g, &choices);
  REQUIRE(fits, "as many negated atoms as a model may have");
  for (uint32_t missed = 0; missed >> choices.count == 0 && !budget_spent(b); missed++) {
    bits left = without(within, &choices, missed);
    find_fair_sets(g, &left, b, &good);
    bits_free(&left);
  }
  VECTOR_FREE(choices);
  kripke_reach_back(g, within, &good);
  return good;
}
