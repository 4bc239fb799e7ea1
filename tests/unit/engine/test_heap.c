/* Graphs of heaps against what they mean: single heaps of up to four nodes, each mapping tried. The domain that engines
 * compute with and the transfer of the checker are both held to it. */
#include "base/random.h"
#include "engine/widen/heap/heap_graphs.h"
#include "proof/check/heap_transfer.h"
#include "random/random_model.h"
#include "term/term.h"
#include "unit/test.h"

enum { VARIABLES = 3, NODES = 4 };

/* Nodes 1 .. count; only those that variables lead to. */
typedef struct heap {
  int count, at[VARIABLES], next[NODES + 2];
  bool data[NODES + 2];
} heap;

/* ---- single heaps ---- */

static void drop_garbage(heap *h) {
  int order[NODES + 2], now[NODES + 2] = {0}, count = 0;
  for (int i = 0; i < VARIABLES; i++)
    for (int n = h->at[i]; n && !now[n]; n = h->next[n]) {
      order[count++] = n;
      now[n] = count;
    }
  heap old = *h;
  for (int i = 0; i < VARIABLES; i++) h->at[i] = now[old.at[i]];
  for (int k = 0; k < count; k++) {
    h->next[k + 1] = now[old.next[order[k]]];
    h->data[k + 1] = old.data[order[k]];
  }
  h->count = count;
}

static heap random_heap(random_source *r) {
  heap h = {.count = (int)random_below(r, NODES + 1)};
  for (int i = 0; i < VARIABLES; i++) h.at[i] = (int)random_below(r, (uint64_t)h.count + 1);
  for (int n = 1; n <= h.count; n++) {
    h.next[n] = (int)random_below(r, (uint64_t)h.count + 1);
    h.data[n] = random_below(r, 2);
  }
  drop_garbage(&h);
  return h;
}

/* False if null is asked for a field, or there would be too many nodes. */
static bool run_heap(heap *h, const heap_step *s, bool data) {
  int *target = &h->at[s->target], source = h->at[s->source];
  switch (s->kind) {
    case HEAP_NONE: break;
    case HEAP_NEW:
      *target = NODES + 1;
      h->next[NODES + 1] = 0;
      h->data[NODES + 1] = data;
      break;
    case HEAP_COPY: *target = source; break;
    case HEAP_CLEAR: *target = 0; break;
    case HEAP_NEXT:
      if (!source) return false;
      *target = h->next[source];
      break;
    case HEAP_SET_NEXT:
    case HEAP_CUT_NEXT:
      if (!*target) return false;
      h->next[*target] = s->kind == HEAP_SET_NEXT ? source : 0;
      break;
    case HEAP_SET_DATA:
      if (!*target) return false;
      h->data[*target] = data;
      break;
  }
  drop_garbage(h);
  return h->count <= NODES;
}

/* ---- what a graph means ---- */

static bool mapping_is_good(const heap *h, const heap_graph *g, const int *to) {
  int taken[HEAP_MOST_NODES + 1] = {0}, ways[NODES + 2] = {0};
  for (int i = 0; i < VARIABLES; i++) {
    if ((h->at[i] ? to[h->at[i]] : 0) != g->at[i]) return false;
    for (int n = 1; n <= h->count; n++) /* nothing else is mapped to a variable's node */
      if (g->at[i] && to[n] == g->at[i] && n != h->at[i]) return false;
  }
  for (int n = 1; n <= h->count; n++) {
    const heap_node *node = &g->nodes[to[n]];
    if (!(node->data & (h->data[n] ? DATA_TRUE : DATA_FALSE))) return false;
    if (!(node->next & NODE(h->next[n] ? to[h->next[n]] : 0))) return false;
    if (taken[to[n]]++ && !node->is_summary) return false;
    ways[h->next[n]]++;
  }
  for (int n = 1; n <= h->count; n++)
    if (ways[n] > 1 && !g->nodes[to[n]].is_shared) return false;
  return true;
}

static bool is_heap_of(const heap *h, const heap_graph *g) {
  int to[NODES + 2] = {0};
  if (h->count && !g->count) return false;
  for (int n = 1; n <= h->count; n++) to[n] = 1;
  for (;;) {
    if (mapping_is_good(h, g, to)) return true;
    int n = 1;
    while (n <= h->count && to[n] == g->count) to[n++] = 1;
    if (n > h->count) return false;
    to[n]++;
  }
}

static bool is_heap_of_shape(const heap *h, const heap_shape *s) {
  heap_graph g = s->graph;
  for (int n = 1; n <= g.count; n++)
    if (!(s->present & NODE(n))) g.nodes[n].data = 0; /* no node is mapped to it */
  return is_heap_of(h, &g);
}

/* ---- graphs that have some heaps ---- */

static heap_graph graph_of(const heap *h) {
  heap_graph g = {.variables = VARIABLES, .count = (uint8_t)h->count};
  int ways[NODES + 2] = {0};
  for (int n = 1; n <= h->count; n++) ways[h->next[n]]++;
  for (int i = 0; i < VARIABLES; i++) g.at[i] = (uint8_t)h->at[i];
  for (int n = 1; n <= h->count; n++)
    g.nodes[n] =
        (heap_node){.next = NODE(h->next[n]), .data = h->data[n] ? DATA_TRUE : DATA_FALSE, .is_shared = ways[n] > 1};
  return g;
}

static heap random_heap_like(random_source *r, const heap_graph *g) {
  for (;;) {
    heap h = random_heap(r);
    heap_graph one = graph_of(&h);
    if (heap_same_key(&one, g)) return h;
  }
}

/* Some heaps of one key, merged, folded and loosened. */
static heap_graph random_graph(random_source *r) {
  heap first = random_heap(r);
  heap_graph g = graph_of(&first);
  for (uint64_t more = random_below(r, 4); more; more--) {
    heap h = random_heap_like(r, &g);
    heap_graph one = graph_of(&h);
    heap_merge(&g, &one, (heap_merging)random_below(r, 3));
  }
  if (random_below(r, 3) == 0) heap_fold(&g, random_below(r, 2) ? HEAP_WIDEN : HEAP_BY_DATA);
  for (int n = 1; n <= g.count; n++)
    if (random_below(r, 3) == 0) g.nodes[n].next |= NODE(random_below(r, g.count + 1u));
  return g;
}

static heap_step random_step(random_source *r) {
  heap_step s = {.kind = (heap_kind)random_below(r, HEAP_SET_DATA + 1)};
  s.target = (uint8_t)random_below(r, VARIABLES);
  s.source = (uint8_t)random_below(r, VARIABLES);
  s.data = random_below(r, 2) ? DATA_TRUE : DATA_FALSE;
  return s;
}

/* ---- the tests ---- */

TEST(a_heap_is_one_of_its_own_graph) {
  random_source r = {1};
  unsigned others = 0;
  for (unsigned i = 0; i < random_rounds(2000); i++) {
    heap h = random_heap(&r), other = random_heap(&r);
    heap_graph g = graph_of(&h);
    CHECK(is_heap_of(&h, &g));
    others += !is_heap_of(&other, &g);
    CHECK(!heap_graph_fault(&g, VARIABLES));
  }
  CHECK(others, "a graph of one heap has not all others");
}

TEST(steps_keep_every_heap) {
  random_source r = {2};
  unsigned taken = 0;
  variable_vector variables = {0};
  terms *ts = terms_new();
  for (int i = 0; i < VARIABLES; i++)
    VECTOR_PUSH(variables, variable_new(ts, (const char *[]){"p", "q", "r"}[i], &(type){.sort = SORT_NODE}));
  for (unsigned i = 0; i < random_rounds(20000) && !test_failures; i++) {
    heap_graph g = random_graph(&r);
    heap_step s = random_step(&r);
    heap h = random_heap_like(&r, &g);
    heap_graphs made = {0};
    heap_shapes checked = {0};
    heap_shape shape = heap_shape_of(&g);
    heap_command command = {s.kind, variables.at[s.target], variables.at[s.source], TERM_TRUE};
    if (!is_heap_of(&h, &g) || !run_heap(&h, &s, s.data == DATA_TRUE)) continue;
    taken++;
    CHECK(heap_post(&g, &s, &made));
    CHECK(heap_transfer(&shape, &variables, &command, s.data == DATA_TRUE, &checked));
    bool found = false, found_by_checker = false;
    for (size_t k = 0; k < made.count; k++) {
      CHECK(!heap_graph_fault(&made.at[k], VARIABLES));
      found |= is_heap_of(&h, &made.at[k]);
    }
    for (size_t k = 0; k < checked.count; k++) found_by_checker |= is_heap_of_shape(&h, &checked.at[k]);
    CHECK(found, "the domain lost a heap, at %u", i);
    CHECK(found_by_checker, "the checker lost a heap, at %u", i);
    VECTOR_FREE(made);
    VECTOR_FREE(checked);
  }
  CHECK(taken > random_rounds(20000) / 20, "%u steps", taken);
  VECTOR_FREE(variables);
  terms_free(ts);
}

TEST(what_is_said_to_be_within_is) {
  random_source r = {3};
  unsigned within = 0, covered = 0;
  for (unsigned i = 0; i < random_rounds(20000) && !test_failures; i++) {
    heap_graph a = random_graph(&r), b = random_graph(&r);
    if (!heap_same_key(&a, &b)) continue;
    if (random_below(&r, 2)) heap_merge(&b, &a, HEAP_JOIN);
    heap_shape shape = heap_shape_of(&a);
    bool is_within = heap_within(&a, &b), is_covered = heap_covers(&b, &shape) == HEAP_COVERED;
    within += is_within;
    covered += is_covered;
    CHECK(heap_within(&a, &a));
    CHECK(is_within == is_covered, "the domain and the checker agree, at %u", i);
    for (int k = 0; k < 20 && (is_within || is_covered); k++) {
      heap h = random_heap_like(&r, &a);
      CHECK(!is_heap_of(&h, &a) || is_heap_of(&h, &b), "at %u", i);
    }
  }
  CHECK(within && covered);
}

TEST(meets_have_the_heaps_of_both) {
  random_source r = {12};
  unsigned common = 0, incomparable = 0;
  for (unsigned i = 0; i < random_rounds(20000) && !test_failures; i++) {
    heap_graph a = random_graph(&r), b = random_graph(&r);
    if (!heap_same_key(&a, &b)) continue;
    if (random_below(&r, 2)) heap_merge(&b, &a, random_below(&r, 2) ? HEAP_JOIN : HEAP_WIDEN);
    heap_graph c = random_graph(&r);
    if (heap_same_key(&a, &c) && random_below(&r, 2)) heap_merge(&a, &c, HEAP_WIDEN);
    heap_graphs both = {0};
    CHECK(heap_meet(&a, &b, &both));
    incomparable += !heap_within(&a, &b) && !heap_within(&b, &a);
    for (size_t k = 0; k < both.count; k++)
      CHECK(heap_within(&both.at[k], &a) && heap_within(&both.at[k], &b), "%u", i);
    for (int k = 0; k < 20; k++) {
      heap h = random_heap_like(&r, k % 2 ? &a : &b);
      bool is_in_one = false;
      for (size_t g = 0; g < both.count; g++) is_in_one |= is_heap_of(&h, &both.at[g]);
      bool is_in_both = is_heap_of(&h, &a) && is_heap_of(&h, &b);
      CHECK(is_in_one == is_in_both, "at %u", i);
      common += is_in_both;
    }
    VECTOR_FREE(both);
  }
  CHECK(common > random_rounds(100) && incomparable > random_rounds(100), "%u heaps, %u pairs", common, incomparable);
}

TEST(merging_and_folding_keep_every_heap) {
  random_source r = {4};
  for (unsigned i = 0; i < random_rounds(5000) && !test_failures; i++) {
    heap_graph a = random_graph(&r), b = random_graph(&r);
    if (!heap_same_key(&a, &b)) continue;
    heap_graph joined = a, widened = a, folded = a, by_data = a;
    heap_merge(&joined, &b, HEAP_JOIN);
    heap_merge(&widened, &b, HEAP_WIDEN);
    heap_merge(&by_data, &b, HEAP_BY_DATA);
    heap_fold(&folded, random_below(&r, 2) ? HEAP_WIDEN : HEAP_BY_DATA);
    CHECK(heap_within(&a, &joined) && heap_within(&b, &joined) && heap_within(&a, &widened) &&
          heap_within(&b, &widened) && heap_within(&a, &folded) && heap_within(&a, &by_data) &&
          heap_within(&b, &by_data));
    for (int k = 0; k < 20; k++) {
      heap h = random_heap_like(&r, &a);
      if (is_heap_of(&h, &a)) CHECK(is_heap_of(&h, &joined) && is_heap_of(&h, &widened) && is_heap_of(&h, &folded));
      if (is_heap_of(&h, &b)) CHECK(is_heap_of(&h, &joined) && is_heap_of(&h, &widened));
    }
  }
}

/* Widening never adds a node but the one summary (Gulavani, Rajamani 2006, section 6: this is why fixpoints end). */
TEST(widening_adds_one_node_at_most) {
  random_source r = {5};
  for (unsigned i = 0; i < random_rounds(2000); i++) {
    heap_graph a = random_graph(&r);
    int named = 0;
    for (int n = 1; n <= a.count; n++) named += (heap_graph_named(&a) & NODE(n)) != 0;
    int most = a.count > named ? a.count : named + 1;
    for (int k = 0; k < 20; k++) {
      heap h = random_heap_like(&r, &a);
      heap_graph one = graph_of(&h);
      heap_graph by_data = a;
      heap_merge(&a, &one, HEAP_WIDEN);
      CHECK(a.count <= most);
      heap_merge(&by_data, &one, HEAP_BY_DATA);
      CHECK(by_data.count <= most + 3);
    }
  }
}

TEST(tests_of_the_heap_keep_every_heap) {
  random_source r = {6};
  for (unsigned i = 0; i < random_rounds(5000); i++) {
    heap_graph g = random_graph(&r), restricted = g;
    heap h = random_heap_like(&r, &g);
    heap_test t = {(heap_test_kind)random_below(&r, 3), (uint8_t)random_below(&r, VARIABLES),
                   (uint8_t)random_below(&r, VARIABLES), random_below(&r, 2)};
    bool holds = t.kind == HEAP_TEST_NULL   ? !h.at[t.p]
                 : t.kind == HEAP_TEST_SAME ? h.at[t.p] == h.at[t.q]
                                            : h.at[t.p] && h.data[h.at[t.p]];
    bool is_left = heap_restrict(&restricted, &t);
    if (is_heap_of(&h, &g) && holds == t.holds) CHECK(is_left && is_heap_of(&h, &restricted));
  }
}

TEST(two_nodes_do_not_fit_into_one) {
  heap_graph two = {.variables = 1, .count = 3, .at = {1}}, one = {.variables = 1, .count = 2, .at = {1}};
  two.nodes[1] = one.nodes[1] = (heap_node){.next = NODE(2), .data = DATA_TRUE};
  two.nodes[2] = (heap_node){.next = NODE(3), .data = DATA_TRUE};
  two.nodes[3] = (heap_node){.next = NODE(0), .data = DATA_TRUE};
  one.nodes[2] = (heap_node){.next = NODE(0) | NODE(2), .data = DATA_TRUE, .is_shared = true};
  heap_shape shape = heap_shape_of(&two);
  CHECK(!heap_within(&two, &one));
  CHECK(heap_covers(&one, &shape) == HEAP_NOT_COVERED);
  one.nodes[2].is_summary = true;
  CHECK(heap_within(&two, &one));
  CHECK(heap_covers(&one, &shape) == HEAP_COVERED);
}

TEST(a_node_that_is_not_shared_has_one_way_to_it) {
  /* p -> a -> S, q -> b -> S, S a summary of unshared nodes: what p leads to is not what q leads to. */
  heap_graph g = {.variables = 3, .count = 3, .at = {1, 2, 0}};
  g.nodes[1] = g.nodes[2] = (heap_node){.next = NODE(3), .data = DATA_TRUE};
  g.nodes[3] = (heap_node){.next = NODE(0) | NODE(3), .data = DATA_ANY, .is_summary = true};
  heap_graphs made = {0}, both = {0};
  CHECK(heap_post(&g, &(heap_step){HEAP_NEXT, 0, 0, 0}, &made));
  CHECK(made.count == 1);
  CHECK(heap_post(&made.at[0], &(heap_step){HEAP_NEXT, 1, 1, 0}, &both));
  for (size_t i = 0; i < both.count; i++) CHECK(both.at[i].at[0] != both.at[i].at[1]);
  VECTOR_FREE(both);
  VECTOR_CLEAR(made);
  g.nodes[3].is_shared = true;
  CHECK(heap_post(&g, &(heap_step){HEAP_NEXT, 0, 0, 0}, &made));
  bool may_be_same = false;
  for (size_t k = 0; k < made.count; k++) {
    CHECK(heap_post(&made.at[k], &(heap_step){HEAP_NEXT, 1, 1, 0}, &both));
    for (size_t i = 0; i < both.count; i++) may_be_same |= both.at[i].at[0] == both.at[i].at[1];
  }
  CHECK(may_be_same);
  VECTOR_FREE(made);
  VECTOR_FREE(both);
}

TEST_MAIN
