/* A transition has an edge if its guard fixes the place before it, and its update is a constant. */
#include "run/bounds/control_edges.h"

#include <string.h>

#include "proof/evidence.h"

/* More would make walks slow. */
enum { MOST_PLACES = 100 * 1000 };

/* What some conjunct says that `v` is; NO_PLACE if none does. */
static uint32_t fixed_by(const terms *ts, term formula, variable v) {
  term_vector parts = {0};
  uint32_t found = NO_PLACE;
  int64_t value;
  term_conjuncts(ts, formula, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    fixed_value f;
    if (fixed_of_literal(ts, parts.at[i], &f) && variable_same(f.var, v) && number_to_int64(f.value, &value) &&
        value >= 0 && value < MOST_PLACES)
      found = (uint32_t)value;
  }
  VECTOR_FREE(parts);
  return found;
}

static bool changes(const transition *t, variable v) {
  for (size_t i = 0; i < t->updates.count; i++)
    if (variable_same(t->updates.at[i].var, v)) return true;
  return false;
}

void control_edges_find(const model *m, uint32_t process, control_edges *out) {
  variable location = m->processes.at[process].location;
  uint64_t places = type_size(variable_type(m->terms, location), MOST_PLACES);
  *out = (control_edges){
      .places = (uint32_t)places, .first = fixed_by(m->terms, m->init, location), .is_whole = places < MOST_PLACES};
  for (uint32_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    if (term_is_false(t->guard)) continue;
    uint32_t from = fixed_by(m->terms, t->guard, location);
    number after;
    int64_t to = NO_PLACE;
    bool is_moved = changes(t, location);
    if (is_moved &&
        !(term_is_number(m->terms, transition_value_after(m, t, location), &after) && number_to_int64(after, &to)))
      to = NO_PLACE;
    if (!is_moved) to = from;
    if (is_moved && (from == NO_PLACE || to < 0 || to >= (int64_t)places)) out->is_whole = false;
    if (from < places && to >= 0 && to < (int64_t)places)
      VECTOR_PUSH(out->edges, (control_edge){i, from, (uint32_t)to});
  }
}

void control_edges_clear(control_edges *g) { VECTOR_FREE(g->edges); }

static void spread(const control_edges *g, bool backwards, uint32_t without, bool *reached) {
  for (bool grows = true; grows;) {
    grows = false;
    for (size_t i = 0; i < g->edges.count; i++) {
      uint32_t from = backwards ? g->edges.at[i].to : g->edges.at[i].from;
      uint32_t to = backwards ? g->edges.at[i].from : g->edges.at[i].to;
      if (!reached[from] || reached[to] || to == without) continue;
      reached[to] = grows = true;
    }
  }
}

void control_edges_reach(const control_edges *g, uint32_t from, uint32_t without, bool *reached) {
  memset(reached, 0, g->places * sizeof *reached);
  if (from == without) return;
  reached[from] = true;
  spread(g, false, without, reached);
}

void control_edges_reach_back(const control_edges *g, uint32_t to, uint32_t without, bool *reached) {
  memset(reached, 0, g->places * sizeof *reached);
  if (to == without) return;
  reached[to] = true;
  spread(g, true, without, reached);
}

static size_t count_true(const bool *of, size_t count) {
  size_t found = 0;
  for (size_t i = 0; i < count; i++) found += of[i];
  return found;
}

/* The loop that this edge closes, if every way to it leads through where it leads to. */
static bool loop_closed_by(const control_edges *g, const control_edge *back, bool *inside) {
  control_edges_reach(g, g->first, back->to, inside);
  if (inside[back->from]) return false;
  control_edges_reach_back(g, back->from, back->to, inside);
  inside[back->to] = true;
  return true;
}

bool control_edges_loop(const control_edges *g, const control_edge *edge, bool *inside) {
  bool *tried = MEMORY_ARRAY(bool, g->places), found = false;
  for (size_t i = 0; i < g->edges.count && g->is_whole && g->first < g->places; i++) {
    if (!loop_closed_by(g, &g->edges.at[i], tried) || !tried[edge->from] || !tried[edge->to]) continue;
    if (found && count_true(tried, g->places) >= count_true(inside, g->places)) continue;
    memcpy(inside, tried, g->places * sizeof *inside);
    found = true;
  }
  memory_free(tried);
  return found;
}

const control_edge *control_edges_of(const control_edges *g, uint32_t transition) {
  for (size_t i = 0; i < g->edges.count; i++)
    if (g->edges.at[i].transition == transition) return &g->edges.at[i];
  return NULL;
}

const control_edge *control_edges_once(const control_edges *g, uint32_t transition) {
  const control_edge *edge = g->is_whole ? control_edges_of(g, transition) : NULL;
  if (!edge) return NULL;
  bool *reached = MEMORY_ARRAY(bool, g->places);
  control_edges_reach(g, edge->to, NO_PLACE, reached);
  bool comes_back = reached[edge->from];
  memory_free(reached);
  return comes_back ? NULL : edge;
}
