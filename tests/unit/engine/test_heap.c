/* Graphs of heaps against what they mean: single heaps of up to four nodes, each mapping tried. The domain that engines
 * compute with and the transfer of the checker are both held to it. */
#include "base/random.h"
#include "engine/alpha/lists/node_tests.h"
#include "engine/lists/heap_graphs.h"
#include "proof/check/heap_transfer.h"
#include "random/random_model.h"
#include "term/term.h"
#include "unit/test.h"

/* The last variable is the one for what is lost. */
enum { VARIABLES = 4, LOST = 3, NODES = 4, FIELDS = 2, VALUES = 3 };

static const node_layout LAYOUT = {
    .pointer_count = FIELDS,
    .field_count = 1,
    .pointers = {"next", "prev"},
    .fields = {{.name = "data", .of = {.sort = SORT_INT}, .size = VALUES, .stride = 1}},
    .values = VALUES,
};

/* Nodes 1 .. count; only those that variables lead to. A freed one has NODE_FREED for its data. */
typedef struct heap {
  int count, at[VARIABLES], next[FIELDS][NODES + 2], data[NODES + 2];
} heap;

/* ---- single heaps ---- */

/* Nodes that are reached from these variables, in this order. */
static int walk(const heap *h, int variables, int *order, int *now) {
  int count = 0;
  for (int i = 0; i < variables; i++) {
    if (h->at[i] && !now[h->at[i]]) order[count++] = h->at[i], now[h->at[i]] = count;
    for (int k = 0; k < count; k++)
      for (int f = 0; f < FIELDS; f++) {
        int n = h->next[f][order[k]];
        if (n && !now[n]) order[count++] = n, now[n] = count;
      }
  }
  return count;
}

static void drop_garbage(heap *h) {
  int order[NODES + 2], now[NODES + 2] = {0};
  int count = walk(h, VARIABLES, order, now);
  heap old = *h;
  for (int i = 0; i < VARIABLES; i++) h->at[i] = now[old.at[i]];
  for (int k = 0; k < count; k++) {
    for (int f = 0; f < FIELDS; f++) h->next[f][k + 1] = now[old.next[f][order[k]]];
    h->data[k + 1] = old.data[order[k]];
  }
  h->count = count;
}

/* Half of them are as doubly linked lists are: what `next` leads to leads back. */
static heap random_heap(random_source *r) {
  heap h = {.count = (int)random_below(r, NODES + 1)};
  bool is_double = random_below(r, 2);
  for (int i = 0; i < VARIABLES; i++) h.at[i] = (int)random_below(r, (uint64_t)h.count + 1);
  if (random_below(r, 4)) h.at[LOST] = 0;
  for (int n = 1; n <= h.count; n++) {
    for (int f = 0; f < FIELDS; f++) h.next[f][n] = (int)random_below(r, (uint64_t)h.count + 1);
    h.data[n] = (int)random_below(r, VALUES);
  }
  for (int n = 1; n <= h.count && is_double; n++) {
    h.next[0][n] = n < h.count ? n + 1 : 0;
    h.next[1][n] = n - 1;
  }
  for (int n = 1; n <= h.count; n++) {
    if (random_below(r, 6)) continue;
    h.data[n] = NODE_FREED;
    for (int f = 0; f < FIELDS; f++) h.next[f][n] = 0;
  }
  drop_garbage(&h);
  return h;
}

/* What the variable for lost nodes becomes: `victim` had a way less. */
static void lose(heap *h, int victim) {
  int order[NODES + 2], now[NODES + 2] = {0};
  walk(h, LOST, order, now);
  if (victim && !h->at[LOST] && h->data[victim] != NODE_FREED && !now[victim]) h->at[LOST] = victim;
}

/* False if null is asked for a field, or there would be too many nodes. */
static bool run_heap(heap *h, const heap_step *s, int data) {
  int *target = &h->at[s->target], was = *target, source = h->at[s->source], old[FIELDS];
  bool of_field = s->kind == HEAP_SET_NEXT || s->kind == HEAP_CUT_NEXT;
  if ((of_field || s->kind == HEAP_FREE || s->kind == HEAP_SET_DATA) && !was) return false;
  for (int f = 0; f < FIELDS; f++) old[f] = was ? h->next[f][was] : 0;
  switch (s->kind) {
    case HEAP_NONE: break;
    case HEAP_NEW:
      *target = NODES + 1;
      for (int f = 0; f < FIELDS; f++) h->next[f][NODES + 1] = 0;
      h->data[NODES + 1] = data;
      break;
    case HEAP_COPY: *target = source; break;
    case HEAP_CLEAR: *target = 0; break;
    case HEAP_NEXT:
      if (!source) return false;
      *target = h->next[s->field][source];
      break;
    case HEAP_SET_NEXT:
    case HEAP_CUT_NEXT: h->next[s->field][was] = s->kind == HEAP_SET_NEXT ? source : 0; break;
    case HEAP_SET_DATA:
      if (h->data[was] != NODE_FREED) h->data[was] = data;
      break;
    case HEAP_FREE:
      h->data[was] = NODE_FREED;
      for (int f = 0; f < FIELDS; f++) h->next[f][was] = 0;
      break;
  }
  for (int f = 0; s->watches_lost && f < FIELDS; f++)
    if (s->kind == HEAP_FREE || (of_field && f == s->field)) lose(h, old[f]);
  if (s->watches_lost && !of_field && s->kind != HEAP_FREE) lose(h, was);
  drop_garbage(h);
  return h->count <= NODES;
}

/* ---- what a graph means ---- */

static bool mapping_is_good(const heap *h, const heap_graph *g, const int *to) {
  int taken[HEAP_MOST_NODES + 1] = {0}, ways[FIELDS][NODES + 2] = {0};
  for (int i = 0; i < VARIABLES; i++) {
    if ((h->at[i] ? to[h->at[i]] : 0) != g->at[i]) return false;
    for (int n = 1; n <= h->count; n++) /* nothing else is mapped to a variable's node */
      if (g->at[i] && to[n] == g->at[i] && n != h->at[i]) return false;
  }
  for (int v = 0; v < VARIABLES; v++) {
    int order[NODES + 2], now[NODES + 2] = {0};
    heap alone = *h;
    alone.at[0] = h->at[v];
    walk(&alone, 1, order, now);
    for (int n = 1; n <= h->count; n++)
      if (g->nodes[to[n]].reached >> v & 1 && !now[n]) return false;
  }
  for (int n = 1; n <= h->count; n++) {
    const heap_node *node = &g->nodes[to[n]];
    if (!(node->data & NODE_VALUE(h->data[n]))) return false;
    if (taken[to[n]]++ && !node->is_summary) return false;
    for (int f = 0; f < FIELDS; f++) {
      int next = h->next[f][n];
      if (!(node->next[f] & NODE(next ? to[next] : 0))) return false;
      ways[f][next]++;
      for (int k = 0; k < FIELDS; k++)
        if (node->back & HEAP_BACK(f, k) && next && h->next[k][next] != n) return false;
    }
  }
  for (int n = 1; n <= h->count; n++)
    for (int f = 0; f < FIELDS; f++)
      if (ways[f][n] > 1 && !(g->nodes[to[n]].shared & 1 << f)) return false;
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
  heap_graph g = {.variables = VARIABLES, .count = (uint8_t)h->count, .fields = FIELDS};
  int ways[FIELDS][NODES + 2] = {0};
  for (int i = 0; i < VARIABLES; i++) g.at[i] = (uint8_t)h->at[i];
  for (int n = 1; n <= h->count; n++)
    for (int f = 0; f < FIELDS; f++) ways[f][h->next[f][n]]++;
  for (int n = 1; n <= h->count; n++) {
    g.nodes[n] = (heap_node){.data = NODE_VALUE(h->data[n])};
    for (int f = 0; f < FIELDS; f++) {
      int next = h->next[f][n];
      g.nodes[n].next[f] = NODE(next);
      if (ways[f][n] > 1) g.nodes[n].shared |= (uint8_t)(1 << f);
      if (!next || h->next[1 - f][next] == n) g.nodes[n].back |= (uint16_t)HEAP_BACK(f, 1 - f);
    }
  }
  for (int v = 0; v < VARIABLES; v++) {
    int order[NODES + 2], now[NODES + 2] = {0};
    heap alone = *h;
    alone.at[0] = h->at[v];
    int count = walk(&alone, 1, order, now);
    for (int k = 0; k < count; k++) g.nodes[order[k]].reached |= UINT32_C(1) << v;
  }
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
    if (random_below(r, 3) == 0) g.nodes[n].next[random_below(r, FIELDS)] |= NODE(random_below(r, g.count + 1u));
  for (int n = 1; n <= g.count; n++)
    if (random_below(r, 3) == 0) g.nodes[n].reached &= (uint32_t)random_below(r, 1 << VARIABLES);
  return g;
}

static heap_step random_step(random_source *r) {
  heap_step s = {.kind = (heap_kind)random_below(r, HEAP_FREE + 1), .layout = &LAYOUT, .lost = LOST};
  s.target = (uint8_t)random_below(r, LOST);
  s.source = (uint8_t)random_below(r, LOST);
  s.part = (uint8_t)random_below(r, VALUES);
  s.field = s.kind == HEAP_SET_DATA ? 0 : (uint8_t)random_below(r, FIELDS);
  s.data = NODE_VALUE(s.part);
  s.watches_lost = random_below(r, 2);
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
    CHECK(!heap_graph_fault(&g, VARIABLES, &LAYOUT));
  }
  CHECK(others, "a graph of one heap has not all others");
}

TEST(steps_keep_every_heap) {
  random_source r = {2};
  unsigned taken = 0, losses = 0;
  variable_vector variables = {0};
  terms *ts = terms_new();
  for (int i = 0; i < VARIABLES; i++)
    VECTOR_PUSH(variables, variable_new(ts, (const char *[]){"p", "q", "r", "lost"}[i], &(type){.sort = SORT_NODE}));
  for (unsigned i = 0; i < random_rounds(20000) && !test_failures; i++) {
    heap_graph g = random_graph(&r);
    heap_step s = random_step(&r);
    heap h = random_heap_like(&r, &g);
    heap_graphs made = {0};
    heap_shapes checked = {0};
    heap_shape shape = heap_shape_of(&g);
    heap_command command = {s.kind, s.field, variables.at[s.target], variables.at[s.source], TERM_TRUE};
    heap_frame frame = {&LAYOUT, &variables, s.watches_lost, variables.at[LOST]};
    int lost = h.at[LOST];
    if (!is_heap_of(&h, &g) || !run_heap(&h, &s, s.part)) continue;
    losses += !lost && h.at[LOST];
    taken++;
    CHECK(heap_post(&g, &s, &made));
    CHECK(heap_transfer(&shape, &frame, &command, s.part, &checked));
    bool found = false, found_by_checker = false;
    for (size_t k = 0; k < made.count; k++) {
      CHECK(!heap_graph_fault(&made.at[k], VARIABLES, &LAYOUT));
      found |= is_heap_of(&h, &made.at[k]);
    }
    for (size_t k = 0; k < checked.count; k++) found_by_checker |= is_heap_of_shape(&h, &checked.at[k]);
    CHECK(found, "the domain lost a heap, at %u", i);
    CHECK(found_by_checker, "the checker lost a heap, at %u", i);
    VECTOR_FREE(made);
    VECTOR_FREE(checked);
  }
  CHECK(taken > random_rounds(20000) / 20, "%u steps", taken);
  CHECK(losses > random_rounds(20000) / 1000, "%u losses", losses);
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

/* ---- node tests ---- */

static node_tests random_tests(random_source *r) {
  node_tests t = {.data = random_below(r, 2), .distance = (uint8_t)random_below(r, 3)};
  for (int i = 0; i < VARIABLES; i++) t.reached[i] = (uint8_t)random_below(r, 1 << FIELDS);
  return t;
}

/* The same heap with other numbers of nodes. */
static heap renumbered(random_source *r, const heap *h) {
  int now[NODES + 2] = {0};
  heap out = {.count = h->count};
  for (int n = 1; n <= h->count; n++) {
    int k = 1 + (int)random_below(r, (uint64_t)n);
    now[n] = now[k], now[k] = n;
    if (k == n) now[n] = n;
  }
  for (int i = 0; i < VARIABLES; i++) out.at[i] = now[h->at[i]];
  for (int n = 1; n <= h->count; n++) {
    out.data[now[n]] = h->data[n];
    for (int f = 0; f < FIELDS; f++) out.next[f][now[n]] = now[h->next[f][n]];
  }
  return out;
}

TEST(node_tests_keep_every_heap_and_do_not_see_numbers) {
  random_source r = {21};
  unsigned merged = 0, told = 0;
  for (unsigned i = 0; i < random_rounds(5000) && !test_failures; i++) {
    node_tests t = random_tests(&r), more = t;
    heap h = random_heap(&r), other = renumbered(&r, &h);
    heap_graph one = graph_of(&h), same = graph_of(&other), g = random_graph(&r), kept = g;
    CHECK(is_heap_of(&h, &same));
    node_tests_abstract(&t, &same);
    node_tests_abstract(&t, &kept);
    heap_graph abstract = one;
    node_tests_abstract(&t, &abstract);
    CHECK(is_heap_of(&h, &abstract), "the heap itself, at %u", i);
    CHECK(!memcmp(&abstract, &same, sizeof same), "numbers of nodes are seen, at %u", i);
    CHECK(!heap_graph_fault(&kept, VARIABLES, &LAYOUT));
    if (node_tests_refine(&more, &one)) {
      heap_graph finer = one;
      node_tests_abstract(&more, &finer);
      CHECK(finer.count > abstract.count, "a test that tells nothing apart, at %u", i);
      told++;
    }
    for (int k = 0; k < 10; k++) {
      heap in = random_heap_like(&r, &g);
      if (is_heap_of(&in, &g)) CHECK(is_heap_of(&in, &kept), "a heap is lost, at %u", i);
    }
    heap like = random_heap_like(&r, &one);
    heap_graph second = graph_of(&like), both = abstract;
    node_tests_abstract(&t, &second);
    if (!node_tests_merge(&t, &both, &second)) continue;
    CHECK(is_heap_of(&h, &both) && is_heap_of(&like, &both), "merging lost a heap, at %u", i);
    merged += memcmp(&both, &abstract, sizeof both) != 0;
  }
  CHECK(merged > random_rounds(10) && told > random_rounds(20), "%u merged, %u told apart", merged, told);
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
      CHECK(by_data.count <= HEAP_MOST_NODES);
    }
  }
}

TEST(tests_of_the_heap_keep_every_heap) {
  random_source r = {6};
  for (unsigned i = 0; i < random_rounds(5000); i++) {
    heap_graph g = random_graph(&r), restricted = g;
    heap h = random_heap_like(&r, &g);
    heap_test t = {(heap_test_kind)random_below(&r, 3), (uint8_t)random_below(&r, VARIABLES),
                   (uint8_t)random_below(&r, VARIABLES), random_below(&r, 8), random_below(&r, 2)};
    bool holds = t.kind == HEAP_TEST_NULL   ? !h.at[t.p]
                 : t.kind == HEAP_TEST_SAME ? h.at[t.p] == h.at[t.q]
                                            : t.values >> (h.at[t.p] ? h.data[h.at[t.p]] : 0) & 1;
    bool is_left = heap_restrict(&restricted, &t);
    if (is_heap_of(&h, &g) && holds == t.holds) CHECK(is_left && is_heap_of(&h, &restricted));
  }
}

TEST(two_nodes_do_not_fit_into_one) {
  heap_graph two = {.variables = 1, .fields = 1, .count = 3, .at = {1}},
             one = {.variables = 1, .fields = 1, .count = 2, .at = {1}};
  two.nodes[1] = one.nodes[1] = (heap_node){.next = {NODE(2)}, .data = 2};
  two.nodes[2] = (heap_node){.next = {NODE(3)}, .data = 2};
  two.nodes[3] = (heap_node){.next = {NODE(0)}, .data = 2};
  one.nodes[2] = (heap_node){.next = {NODE(0) | NODE(2)}, .data = 2, .shared = 1};
  heap_shape shape = heap_shape_of(&two);
  CHECK(!heap_within(&two, &one));
  CHECK(heap_covers(&one, &shape) == HEAP_NOT_COVERED);
  one.nodes[2].is_summary = true;
  CHECK(heap_within(&two, &one));
  CHECK(heap_covers(&one, &shape) == HEAP_COVERED);
}

TEST(a_node_that_is_not_shared_has_one_way_to_it) {
  /* p -> a -> S, q -> b -> S, S a summary of unshared nodes: what p leads to is not what q leads to. */
  heap_graph g = {.variables = 3, .fields = 1, .count = 3, .at = {1, 2, 0}};
  g.nodes[1] = g.nodes[2] = (heap_node){.next = {NODE(3)}, .data = 2};
  g.nodes[3] = (heap_node){.next = {NODE(0) | NODE(3)}, .data = 3, .is_summary = true};
  heap_graphs made = {0}, both = {0};
  CHECK(heap_post(&g, &(heap_step){.kind = HEAP_NEXT}, &made));
  CHECK(made.count == 1);
  CHECK(heap_post(&made.at[0], &(heap_step){.kind = HEAP_NEXT, .target = 1, .source = 1}, &both));
  for (size_t i = 0; i < both.count; i++) CHECK(both.at[i].at[0] != both.at[i].at[1]);
  VECTOR_FREE(both);
  VECTOR_CLEAR(made);
  g.nodes[3].shared = 1;
  CHECK(heap_post(&g, &(heap_step){.kind = HEAP_NEXT}, &made));
  bool may_be_same = false;
  for (size_t k = 0; k < made.count; k++) {
    CHECK(heap_post(&made.at[k], &(heap_step){.kind = HEAP_NEXT, .target = 1, .source = 1}, &both));
    for (size_t i = 0; i < both.count; i++) may_be_same |= both.at[i].at[0] == both.at[i].at[1];
  }
  CHECK(may_be_same);
  VECTOR_FREE(made);
  VECTOR_FREE(both);
}

TEST_MAIN
