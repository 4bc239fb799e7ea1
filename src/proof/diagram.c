/* Decision diagrams: built from sorted states, visited state by state, read as formulas. */
#include "proof/diagram.h"

#include "base/map.h"

diagram *diagram_new(size_t count, const variable *levels) {
  diagram *d = MEMORY_NEW(diagram);
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(d->levels, levels[i]);
  VECTOR_PUSH(d->nodes, (diagram_node){(uint32_t)count, 0, 0});
  d->is_empty = true;
  return d;
}

void diagram_free(diagram *d) {
  if (!d) return;
  VECTOR_FREE(d->levels);
  VECTOR_FREE(d->nodes);
  VECTOR_FREE(d->edges);
  memory_free(d);
}

/* ---- building from sorted states ----
 *
 * The nodes on the way of the last state are open: their last edge has no end yet. When the next state leaves that way,
 * those below the place where it does are complete, and looked up among the nodes there are. */

typedef VECTOR(diagram_edge) edge_vector;

struct diagram_builder {
  diagram *d;
  edge_vector *open; /* of each level */
  int64_t *last;     /* the state added last */
  bool has_last;
  uint32_t *table; /* node numbers by hash, 0 = none */
  size_t table_size, table_count;
};

enum { FIRST_TABLE = 1 << 10 };

diagram_builder *diagram_builder_new(diagram *d) {
  REQUIRE(d->is_empty && d->nodes.count == 1, "an empty diagram");
  diagram_builder *b = MEMORY_NEW(diagram_builder);
  b->d = d;
  b->open = MEMORY_ARRAY(edge_vector, d->levels.count);
  b->last = MEMORY_ARRAY(int64_t, d->levels.count);
  b->table_size = FIRST_TABLE;
  b->table = MEMORY_ARRAY(uint32_t, b->table_size);
  return b;
}

static uint64_t hash_edges(uint32_t level, size_t count, const diagram_edge *edges) {
  uint64_t h = hash_mix(level);
  for (size_t i = 0; i < count; i++)
    h = hash_mix(hash_mix(h ^ (uint64_t)edges[i].low) + (uint64_t)edges[i].high) + edges[i].child;
  return hash_mix(h);
}

static bool is_node(const diagram *d, uint32_t n, uint32_t level, size_t count, const diagram_edge *edges) {
  const diagram_node *node = &d->nodes.at[n];
  if (node->level != level || node->count != count) return false;
  for (size_t i = 0; i < count; i++) {
    const diagram_edge *a = &d->edges.at[node->first + i], *b = &edges[i];
    if (a->low != b->low || a->high != b->high || a->child != b->child) return false;
  }
  return true;
}

static void insert_node(diagram_builder *b, uint32_t n) {
  const diagram_node *node = &b->d->nodes.at[n];
  size_t at = hash_edges(node->level, node->count, b->d->edges.at + node->first) & (b->table_size - 1);
  while (b->table[at]) at = (at + 1) & (b->table_size - 1);
  b->table[at] = n;
}

static void grow_table(diagram_builder *b) {
  b->table_size *= 2;
  memory_free(b->table);
  b->table = MEMORY_ARRAY(uint32_t, b->table_size);
  for (uint32_t n = 1; n < b->d->nodes.count; n++) insert_node(b, n);
}

static uint32_t find_or_add(diagram_builder *b, uint32_t level, size_t count, const diagram_edge *edges) {
  diagram *d = b->d;
  size_t at = hash_edges(level, count, edges) & (b->table_size - 1);
  for (; b->table[at]; at = (at + 1) & (b->table_size - 1))
    if (is_node(d, b->table[at], level, count, edges)) return b->table[at];
  REQUIRE(d->nodes.count < UINT32_MAX && d->edges.count + count < UINT32_MAX, "a diagram of moderate size");
  uint32_t n = (uint32_t)d->nodes.count;
  VECTOR_PUSH(d->nodes, (diagram_node){level, (uint32_t)d->edges.count, (uint32_t)count});
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(d->edges, edges[i]);
  b->table[at] = n;
  if (2 * d->nodes.count > b->table_size) grow_table(b);
  return n;
}

/* Gives the last edge of `open` its child; if the edge before leads there too and the values follow each other, both
 * become one. */
static void end_edge(edge_vector *open, uint32_t child) {
  diagram_edge *last = &VECTOR_LAST(*open);
  last->child = child;
  if (open->count < 2) return;
  diagram_edge *before = last - 1;
  if (before->child != child || before->high == INT64_MAX || before->high + 1 != last->low) return;
  before->high = last->high;
  open->count--;
}

/* Completes the open nodes of all levels after `level`. */
static void close_below(diagram_builder *b, size_t level) {
  uint32_t child = DIAGRAM_END;
  for (size_t i = b->d->levels.count; i-- > level;) {
    end_edge(&b->open[i], child);
    if (i == level) break;
    child = find_or_add(b, (uint32_t)i, b->open[i].count, b->open[i].at);
    VECTOR_CLEAR(b->open[i]);
  }
}

void diagram_builder_add(diagram_builder *b, const int64_t *values) {
  size_t levels = b->d->levels.count, from = 0;
  if (b->has_last) {
    while (from < levels && values[from] == b->last[from]) from++;
    REQUIRE(from < levels && values[from] > b->last[from], "states in ascending order");
    close_below(b, from);
  }
  for (size_t i = from; i < levels; i++) VECTOR_PUSH(b->open[i], (diagram_edge){values[i], values[i], 0});
  memcpy(b->last, values, levels * sizeof *values);
  b->has_last = true;
}

void diagram_builder_finish(diagram_builder *b) {
  diagram *d = b->d;
  if (b->has_last && d->levels.count == 0) {
    d->is_empty = false;
    d->root = DIAGRAM_END;
  } else if (b->has_last) {
    close_below(b, 0);
    d->is_empty = false;
    d->root = find_or_add(b, 0, b->open[0].count, b->open[0].at);
  }
  for (size_t i = 0; i < d->levels.count; i++) VECTOR_FREE(b->open[i]);
  memory_free(b->open);
  memory_free(b->last);
  memory_free(b->table);
  memory_free(b);
}

void diagram_add_constants(diagram *d, size_t count, const variable *vars, const int64_t *values) {
  size_t old = d->levels.count;
  if (!count) return;
  VECTOR_RESERVE(d->levels, old + count);
  d->levels.count = old + count;
  memmove(d->levels.at + count, d->levels.at, old * sizeof *vars);
  memcpy(d->levels.at, vars, count * sizeof *vars);
  for (size_t i = 0; i < d->nodes.count; i++) d->nodes.at[i].level += (uint32_t)count;
  for (size_t i = count; i-- > 0 && !d->is_empty;) {
    VECTOR_PUSH(d->edges, (diagram_edge){values[i], values[i], d->root});
    d->root = (uint32_t)d->nodes.count;
    VECTOR_PUSH(d->nodes, (diagram_node){(uint32_t)i, (uint32_t)d->edges.count - 1, 1});
  }
}

/* ---- reading ---- */

const diagram_edge *diagram_follow(const diagram *d, uint32_t n, int64_t value) {
  const diagram_node *node = &d->nodes.at[n];
  const diagram_edge *edges = d->edges.at + node->first;
  size_t low = 0, high = node->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (value > edges[middle].high)
      low = middle + 1;
    else
      high = middle;
  }
  return low < node->count && edges[low].low <= value ? &edges[low] : NULL;
}

bool diagram_has(const diagram *d, const int64_t *values) {
  if (d->is_empty) return false;
  uint32_t at = d->root;
  for (size_t i = 0; i < d->levels.count; i++) {
    const diagram_edge *e = diagram_follow(d, at, values[i]);
    if (!e) return false;
    at = e->child;
  }
  return true;
}

static uint64_t add_up(uint64_t a, uint64_t b) { return a + b < a ? UINT64_MAX : a + b; }

static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t r;
  return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

uint64_t diagram_count(const diagram *d) {
  if (d->is_empty) return 0;
  uint64_t *counts = MEMORY_ARRAY(uint64_t, d->nodes.count);
  counts[DIAGRAM_END] = 1;
  for (size_t n = 1; n < d->nodes.count; n++)
    for (uint32_t i = 0; i < d->nodes.at[n].count; i++) {
      const diagram_edge *e = &d->edges.at[d->nodes.at[n].first + i];
      uint64_t values = add_up((uint64_t)e->high - (uint64_t)e->low, 1);
      counts[n] = add_up(counts[n], times(values, counts[e->child]));
    }
  uint64_t result = counts[d->root];
  memory_free(counts);
  return result;
}

term diagram_edge_term(terms *ts, variable v, const diagram_edge *e) {
  term x = term_of_variable(ts, v);
  if (variable_type(ts, v)->sort == SORT_BOOL) return e->low == e->high ? (e->low ? x : term_not(x)) : TERM_TRUE;
  if (e->low == e->high) return term_eq(ts, x, term_int(ts, e->low));
  return term_and(ts, term_le(ts, term_int(ts, e->low), x), term_le(ts, x, term_int(ts, e->high)));
}

term diagram_term(terms *ts, const diagram *d) {
  if (d->is_empty) return TERM_FALSE;
  term_vector nodes = {0}, edges = {0};
  VECTOR_PUSH(nodes, TERM_TRUE);
  for (size_t n = 1; n < d->nodes.count; n++) {
    const diagram_node *node = &d->nodes.at[n];
    VECTOR_CLEAR(edges);
    for (uint32_t i = 0; i < node->count; i++) {
      const diagram_edge *e = &d->edges.at[node->first + i];
      VECTOR_PUSH(edges, term_and(ts, diagram_edge_term(ts, d->levels.at[node->level], e), nodes.at[e->child]));
    }
    VECTOR_PUSH(nodes, term_or_all(ts, edges.count, edges.at));
  }
  term result = nodes.at[d->root];
  VECTOR_FREE(nodes);
  VECTOR_FREE(edges);
  return result;
}

/* A place on the way down. */
typedef struct turn {
  const diagram_edge *edge, *end; /* the edge taken, and where the node's edges end */
} turn;

bool diagram_visit(const diagram *d, diagram_visitor *visit, void *context) {
  size_t levels = d->levels.count, depth = 0;
  int64_t *values = MEMORY_ARRAY(int64_t, levels);
  uint32_t *path = MEMORY_ARRAY(uint32_t, levels + 1);
  turn *turns = MEMORY_ARRAY(turn, levels);
  diagram_place at = {values, path, 0};
  bool go_on = true;
  path[0] = d->root;
  while (!d->is_empty) {
    for (; depth < levels; depth++) {
      const diagram_node *node = &d->nodes.at[path[depth]];
      turns[depth] = (turn){d->edges.at + node->first, d->edges.at + node->first + node->count};
      values[depth] = turns[depth].edge->low;
      path[depth + 1] = turns[depth].edge->child;
    }
    go_on = visit(context, &at);
    /* Back to the last place with another value. */
    while (depth > 0 && values[depth - 1] == turns[depth - 1].edge->high &&
           turns[depth - 1].edge + 1 == turns[depth - 1].end)
      depth--;
    if (depth == 0 || !go_on) break;
    turn *t = &turns[depth - 1];
    if (values[depth - 1] == t->edge->high)
      values[depth - 1] = (++t->edge)->low;
    else
      values[depth - 1]++;
    path[depth] = t->edge->child;
    at.changed = depth - 1;
  }
  memory_free(values);
  memory_free(path);
  memory_free(turns);
  return go_on;
}
