/* Cut points are the locations that close a cycle in a depth-first walk; if there are too many paths between those,
 * every location is one. */
#include "engine/widen/graph/program.h"

enum { MOST_PATHS = 2000 };

/* ---- ordering updates ---- */

static bool reads(const linear_row *value, size_t dimension) {
  return dimension + 1 < value->count && !number_is(value->at[dimension + 1], 0);
}

/* An update whose target no other one still to be done reads; SIZE_MAX if all are read. */
static size_t find_free(const row_update *left, size_t count) {
  for (size_t i = 0; i < count; i++) {
    bool is_read = false;
    for (size_t j = 0; j < count && !is_read; j++) is_read = j != i && reads(&left[j].value, left[i].dimension);
    if (!is_read) return i;
  }
  return SIZE_MAX;
}

static void widen_row(linear_row *r, size_t dimensions) {
  linear_row wide = row_new(dimensions);
  memcpy(wide.at, r->at, r->count * sizeof(number));
  wide.equality = r->equality;
  row_clear(r);
  *r = wide;
}

/* Keeps the old value of the first target in a dimension of its own, and lets the others read that. */
static void save_first(ordered_step *s, size_t base, row_update *left, size_t count) {
  size_t old = left[0].dimension, saved = base + s->locals++;
  linear_row same = row_new(saved + 1);
  same.equality = true;
  same.at[1 + old] = number_of(1);
  same.at[1 + saved] = number_of(-1);
  VECTOR_PUSH(s->saved, same);
  for (size_t i = 1; i < count; i++) {
    if (!reads(&left[i].value, old)) continue;
    if (left[i].value.count < saved + 2) widen_row(&left[i].value, saved + 1);
    left[i].value.at[1 + saved] = left[i].value.at[1 + old];
    left[i].value.at[1 + old] = number_of(0);
  }
}

static ordered_step order_updates(const linear_case *c, size_t base) {
  ordered_step s = {.locals = c->locals, .rows = &c->rows};
  VECTOR(row_update) left = {0};
  for (size_t i = 0; i < c->updates.count; i++)
    VECTOR_PUSH(left, (row_update){c->updates.at[i].dimension, row_copy(&c->updates.at[i].value)});
  while (left.count) {
    size_t i = find_free(left.at, left.count);
    if (i == SIZE_MAX) {
      save_first(&s, base, left.at, left.count);
      i = 0;
    }
    VECTOR_PUSH(s.updates, left.at[i]);
    memmove(&left.at[i], &left.at[i + 1], (left.count - i - 1) * sizeof *left.at);
    left.count--;
  }
  VECTOR_FREE(left);
  return s;
}

/* ---- steps ---- */

static void tighten(const program *p, uint32_t location, polyhedron *at) {
  if (p->over_integers) polyhedron_tighten(at, p->grids[location]);
}

void program_step(const program *p, uint32_t edge, polyhedron *at) {
  const ordered_step *s = &p->steps.at[edge];
  polyhedron_extend(at, s->locals);
  for (size_t i = 0; i < s->rows->count; i++) polyhedron_add(at, &s->rows->at[i]);
  for (size_t i = 0; i < s->saved.count; i++) polyhedron_add(at, &s->saved.at[i]);
  tighten(p, p->graph->edges.at[edge].from, at);
  for (size_t i = 0; i < s->updates.count; i++)
    polyhedron_assign(at, s->updates.at[i].dimension, &s->updates.at[i].value);
  polyhedron_project(at, p->graph->frame.dimensions.count);
  tighten(p, p->graph->edges.at[edge].to, at);
}

void program_step_back(const program *p, uint32_t edge, polyhedron *at) {
  const ordered_step *s = &p->steps.at[edge];
  polyhedron_extend(at, s->locals);
  for (size_t i = s->updates.count; i-- > 0;)
    polyhedron_assign_back(at, s->updates.at[i].dimension, &s->updates.at[i].value);
  for (size_t i = 0; i < s->rows->count; i++) polyhedron_add(at, &s->rows->at[i]);
  for (size_t i = 0; i < s->saved.count; i++) polyhedron_add(at, &s->saved.at[i]);
  tighten(p, p->graph->edges.at[edge].from, at);
  polyhedron_project(at, p->graph->frame.dimensions.count);
}

void program_restrict(const program *p, uint32_t location, const linear_case *states, polyhedron *at) {
  polyhedron_extend(at, states->locals);
  for (size_t i = 0; i < states->rows.count; i++) polyhedron_add(at, &states->rows.at[i]);
  tighten(p, location, at);
  polyhedron_project(at, p->graph->frame.dimensions.count);
}

/* ---- cut points ---- */

typedef struct cutting {
  program *program;
  const graph *graph;
  bool *is_cut;      /* by location */
  uint32_t *head_of; /* by location that is a cut point */
  VECTOR(uint32_t) preorder;
  size_t most_paths;
} cutting;

static bool is_followed(const graph *g, const graph_edge *e) { return g->locations.at[e->to].matters; }

/* Marks the targets of edges back to where the walk still is. */
static void walk_from(cutting *c, uint32_t root, uint8_t *colour, size_t *next) {
  enum { NEW, OPEN, CLOSED };
  const graph *g = c->graph;
  VECTOR(uint32_t) stack = {0};
  if (colour[root] != NEW) return;
  VECTOR_PUSH(stack, root);
  while (stack.count) {
    uint32_t at = VECTOR_LAST(stack);
    if (colour[at] == NEW) {
      colour[at] = OPEN;
      next[at] = g->first_edge.at[at];
      VECTOR_PUSH(c->preorder, at);
    }
    if (next[at] == g->first_edge.at[at + 1]) {
      colour[at] = CLOSED;
      stack.count--;
      continue;
    }
    const graph_edge *e = &g->edges.at[next[at]++];
    if (!is_followed(g, e)) continue;
    if (colour[e->to] == NEW)
      VECTOR_PUSH(stack, e->to);
    else if (colour[e->to] == OPEN)
      c->is_cut[e->to] = true;
  }
  VECTOR_FREE(stack);
}

static void find_cuts(cutting *c) {
  size_t count = c->graph->locations.count;
  uint8_t *colour = MEMORY_ARRAY(uint8_t, count + 1);
  size_t *next = MEMORY_ARRAY(size_t, count + 1);
  for (size_t i = 0; i < c->graph->initial.count; i++) {
    uint32_t at = c->graph->initial.at[i].at;
    if (c->graph->locations.at[at].matters) walk_from(c, at, colour, next);
  }
  memory_free(colour);
  memory_free(next);
}

static void number_heads(cutting *c) {
  program *p = c->program;
  VECTOR_CLEAR(p->location_of);
  VECTOR_PUSH(p->location_of, 0);
  for (size_t i = 0; i < c->preorder.count; i++) {
    uint32_t at = c->preorder.at[i];
    if (!c->is_cut[at]) continue;
    c->head_of[at] = (uint32_t)p->location_of.count;
    VECTOR_PUSH(p->location_of, at);
  }
  p->cuts.heads = p->location_of.count;
}

/* ---- paths ---- */

typedef struct tracing {
  cutting *cutting;
  uint32_t head;
  uint32_t start;         /* initial states, or NO_STATES */
  VECTOR(uint32_t) edges; /* of the path so far */
  VECTOR(size_t) next;    /* edge to try at each of its locations */
} tracing;

static program_path copy_path(const tracing *t, uint32_t bad) {
  program_path p = {.start = t->start, .bad = bad};
  for (size_t i = 0; i < t->edges.count; i++) VECTOR_PUSH(p.edges, t->edges.at[i]);
  return p;
}

static void add_bad_paths(tracing *t, uint32_t at) {
  program *p = t->cutting->program;
  for (size_t i = 0; i < p->graph->bad.count; i++) {
    if (p->graph->bad.at[i].at != at) continue;
    VECTOR_PUSH(p->bad_paths, copy_path(t, (uint32_t)i));
    VECTOR_PUSH(p->bad_from, t->head);
  }
}

/* The path has come to `at`: it ends there or goes on. */
static void arrive(tracing *t, uint32_t at) {
  cutting *c = t->cutting;
  program *p = c->program;
  if (c->is_cut[at]) {
    VECTOR_PUSH(p->cuts.paths, (cut_path){.from = t->head, .to = c->head_of[at]});
    VECTOR_PUSH(p->paths, copy_path(t, NO_STATES));
    VECTOR_PUSH(t->next, c->graph->first_edge.at[at + 1]);
  } else {
    add_bad_paths(t, at);
    VECTOR_PUSH(t->next, c->graph->first_edge.at[at]);
  }
}

static bool too_many(const cutting *c) { return c->program->paths.count + c->program->bad_paths.count > c->most_paths; }

/* All paths from a location on. */
static void trace_from(tracing *t, uint32_t first) {
  const graph *g = t->cutting->graph;
  uint32_t at = first;
  while (t->next.count && !too_many(t->cutting)) {
    size_t *next = &VECTOR_LAST(t->next);
    if (*next == g->first_edge.at[at + 1]) {
      t->next.count--;
      if (t->next.count) at = g->edges.at[VECTOR_POP(t->edges)].from;
      continue;
    }
    size_t edge = (*next)++;
    if (!is_followed(g, &g->edges.at[edge])) continue;
    VECTOR_PUSH(t->edges, (uint32_t)edge);
    at = g->edges.at[edge].to;
    arrive(t, at);
  }
  VECTOR_CLEAR(t->edges);
  VECTOR_CLEAR(t->next);
}

static void clear_paths(program *p) {
  for (size_t i = 0; i < p->paths.count; i++) VECTOR_FREE(p->paths.at[i].edges);
  for (size_t i = 0; i < p->bad_paths.count; i++) VECTOR_FREE(p->bad_paths.at[i].edges);
  VECTOR_CLEAR(p->paths);
  VECTOR_CLEAR(p->bad_paths);
  VECTOR_CLEAR(p->bad_from);
  VECTOR_CLEAR(p->cuts.paths);
}

static void find_paths(cutting *c) {
  const graph *g = c->graph;
  tracing t = {.cutting = c};
  for (size_t i = 0; i < g->initial.count; i++) {
    uint32_t at = g->initial.at[i].at;
    if (!g->locations.at[at].matters) continue;
    t.head = 0;
    t.start = (uint32_t)i;
    arrive(&t, at);
    trace_from(&t, at);
  }
  for (uint32_t head = 1; head < c->program->cuts.heads; head++) {
    uint32_t at = c->program->location_of.at[head];
    t.head = head;
    t.start = NO_STATES;
    add_bad_paths(&t, at);
    VECTOR_PUSH(t.next, g->first_edge.at[at]);
    trace_from(&t, at);
  }
  VECTOR_FREE(t.edges);
  VECTOR_FREE(t.next);
}

program *program_new(graph *g) {
  program *p = MEMORY_NEW(program);
  p->graph = g;
  for (size_t i = 0; i < g->edges.count; i++)
    VECTOR_PUSH(p->steps, order_updates(&g->edges.at[i].step, g->frame.dimensions.count));
  cutting c = {.program = p,
               .graph = g,
               .most_paths = MOST_PATHS,
               .is_cut = MEMORY_ARRAY(bool, g->locations.count + 1),
               .head_of = MEMORY_ARRAY(uint32_t, g->locations.count + 1)};
  find_cuts(&c);
  number_heads(&c);
  find_paths(&c);
  if (too_many(&c)) {
    for (size_t i = 0; i < c.preorder.count; i++) c.is_cut[c.preorder.at[i]] = true;
    clear_paths(p);
    number_heads(&c);
    c.most_paths = SIZE_MAX; /* each is one edge now, and the graph bounds those */
    find_paths(&c);
  }
  cuts_arrange(&p->cuts);
  frame_types(&g->frame, &p->types);
  memory_free(c.is_cut);
  memory_free(c.head_of);
  VECTOR_FREE(c.preorder);
  return p;
}

void program_free(program *p) {
  if (!p) return;
  clear_paths(p);
  VECTOR_FREE(p->paths);
  VECTOR_FREE(p->bad_paths);
  VECTOR_FREE(p->bad_from);
  VECTOR_FREE(p->location_of);
  cuts_clear(&p->cuts);
  for (size_t i = 0; i < p->steps.count; i++) {
    rows_clear(&p->steps.at[i].saved);
    for (size_t j = 0; j < p->steps.at[i].updates.count; j++) row_clear(&p->steps.at[i].updates.at[j].value);
    VECTOR_FREE(p->steps.at[i].updates);
  }
  VECTOR_FREE(p->steps);
  rows_clear(&p->types);
  for (size_t i = 0; p->grids && i < p->graph->locations.count; i++) grid_free(p->grids[i]);
  memory_free(p->grids);
  graph_free(p->graph);
  memory_free(p);
}
