/* A graph whose locations remember the edge that led to them. */
#include "base/instruments/check.h"
#include "engine/widen/graph/graph.h"

enum { MOST_LOCATIONS = 1000, MOST_EDGES = 10000 };

typedef struct splitting {
  const graph *from;
  graph *to;
  uint32_t *first; /* by location: its copy for initial states, NO_COPY */
  size_t firsts;   /* such copies; those of edges follow them */
} splitting;

#define NO_COPY UINT32_MAX

static row_vector copy_rows(const row_vector *rows) {
  row_vector copy = {0};
  for (size_t i = 0; i < rows->count; i++) VECTOR_PUSH(copy, row_copy(&rows->at[i]));
  return copy;
}

static linear_case copy_case(const linear_case *c) {
  linear_case copy = {.locals = c->locals, .rows = copy_rows(&c->rows)};
  for (size_t i = 0; i < c->updates.count; i++)
    VECTOR_PUSH(copy.updates, (row_update){c->updates.at[i].dimension, row_copy(&c->updates.at[i].value)});
  for (size_t i = 0; i < c->heap.count; i++) VECTOR_PUSH(copy.heap, c->heap.at[i]);
  return copy;
}

static void add_copy(splitting *s, uint32_t of) {
  const location *l = &s->from->locations.at[of];
  number *values = MEMORY_ARRAY(number, s->from->control.count + 1);
  if (l->values) memcpy(values, l->values, s->from->control.count * sizeof(number));
  VECTOR_PUSH(s->to->locations, (location){.values = values, .matters = l->matters});
}

/* The location that copy `k` is of. */
static uint32_t original(const splitting *s, size_t k) {
  if (k >= s->firsts) return s->from->edges.at[k - s->firsts].to;
  uint32_t at = 0;
  while (s->first[at] != k) at++;
  return at;
}

static void add_locations(splitting *s) {
  const graph *g = s->from;
  for (size_t i = 0; i < g->locations.count; i++) s->first[i] = NO_COPY;
  for (size_t i = 0; i < g->initial.count; i++) {
    uint32_t at = g->initial.at[i].at;
    if (s->first[at] == NO_COPY) {
      s->first[at] = (uint32_t)s->firsts++;
      add_copy(s, at);
    }
    VECTOR_PUSH(s->to->initial, (graph_states){s->first[at], copy_case(&g->initial.at[i].states)});
  }
  for (size_t e = 0; e < g->edges.count; e++) add_copy(s, g->edges.at[e].to);
}

static void add_edges_and_bad(splitting *s) {
  const graph *g = s->from;
  for (size_t k = 0; k < s->to->locations.count; k++) {
    uint32_t at = original(s, k);
    VECTOR_PUSH(s->to->first_edge, s->to->edges.count);
    for (size_t e = g->first_edge.at[at]; e < g->first_edge.at[at + 1]; e++)
      VECTOR_PUSH(s->to->edges, (graph_edge){(uint32_t)k, (uint32_t)(s->firsts + e), g->edges.at[e].transition,
                                             g->edges.at[e].part, copy_case(&g->edges.at[e].step)});
    for (size_t i = 0; i < g->bad.count; i++)
      if (g->bad.at[i].at == at) VECTOR_PUSH(s->to->bad, (graph_states){(uint32_t)k, copy_case(&g->bad.at[i].states)});
  }
  VECTOR_PUSH(s->to->first_edge, s->to->edges.count);
}

static bool is_too_large(const graph *g) {
  size_t edges = 0;
  for (size_t e = 0; e < g->edges.count; e++) {
    uint32_t to = g->edges.at[e].to;
    edges += g->first_edge.at[to + 1] - g->first_edge.at[to];
  }
  return g->edges.count + g->initial.count > MOST_LOCATIONS || edges > MOST_EDGES;
}

graph *graph_split_by_step(const graph *g) {
  if (is_too_large(g)) return NULL;
  splitting s = {.from = g, .to = MEMORY_NEW(graph), .first = MEMORY_ARRAY(uint32_t, g->locations.count + 1)};
  s.to->frame.model = g->frame.model;
  s.to->frame.space = g->frame.space;
  for (size_t i = 0; i < g->frame.dimensions.count; i++) frame_add(&s.to->frame, g->frame.dimensions.at[i]);
  for (size_t i = 0; i < g->control.count; i++) VECTOR_PUSH(s.to->control, g->control.at[i]);
  add_locations(&s);
  add_edges_and_bad(&s);
  memory_free(s.first);
  CHECKED(graph_check(s.to));
  return s.to;
}
