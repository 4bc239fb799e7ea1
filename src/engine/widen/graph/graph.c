/* Locations are found as they are reached: control's values are put into guards and updates; a value that does not come
 * out as a constant splits the step, one way for each value it may have. */
#include "engine/widen/graph/graph.h"

#include "base/instruments/check.h"
#include "base/map.h"
#include "engine/widen/graph/location_variables.h"
#include "proof/evidence.h"
#include "term/bounds.h"
#include "term/heap/node_layout.h"
#include "term/substitute.h"

enum { MOST_LOCATIONS = 2000, MOST_EDGES = 20000 };

/* A way a step can go: under `condition`, to control's `values`. */
typedef struct way {
  term condition;
  number *values;
  uint8_t part; /* what p.data becomes */
} way;
typedef VECTOR(way) ways;

typedef struct builder {
  graph *graph;
  const model *model;
  terms *ts;
  budget *budget;
  location_variables control;
  substitution *here; /* control by its values at a location */
  names *known;       /* values as text -> location */
  const char *failure;
} builder;

/* ---- locations ---- */

static uint32_t find_location(builder *b, TAKE number *values) {
  graph *g = b->graph;
  text key = {0};
  uint64_t at;
  for (size_t i = 0; i < b->control.count; i++) {
    number_print(&key, values[i]);
    text_add_char(&key, ' ');
  }
  if (names_get(b->known, text_string(&key), &at)) {
    memory_free(values);
  } else {
    at = g->locations.count;
    names_set(b->known, text_string(&key), at);
    VECTOR_PUSH(g->locations, (location){.values = values});
    if (g->locations.count > MOST_LOCATIONS) b->failure = "too many combinations of control";
  }
  text_clear(&key);
  return (uint32_t)at;
}

static number *copy_values(const builder *b, const number *values) {
  number *copy = MEMORY_ARRAY(number, b->control.count + 1);
  if (values) memcpy(copy, values, b->control.count * sizeof(number));
  return copy;
}

static term value_term(const builder *b, size_t i, number value) {
  bool is_bool = variable_type(b->ts, b->control.at[i].var)->sort == SORT_BOOL;
  return is_bool ? term_of_bool(!number_is(value, 0)) : term_number(b->ts, value);
}

static void stand_at(builder *b, const number *values) {
  substitution_clear(b->here);
  for (size_t i = 0; i < b->control.count; i++)
    substitution_set(b->here, b->control.at[i].var, value_term(b, i, values[i]));
}

static void ways_free(ways *w) {
  for (size_t i = 0; i < w->count; i++) memory_free(w->at[i].values);
  VECTOR_FREE(*w);
}

/* Control variable i becomes `value`, a term without control: each way is split into those in which it is a constant.
 */
static void split_by_value(builder *b, ways *all, size_t i, term value) {
  ways next = {0};
  for (size_t w = 0; w < all->count; w++) {
    for (size_t k = 0; k < b->control.at[i].values.count; k++) {
      number n = b->control.at[i].values.at[k];
      term condition = term_and(b->ts, all->at[w].condition, term_eq(b->ts, value, value_term(b, i, n)));
      if (term_is_false(condition)) continue;
      number *values = copy_values(b, all->at[w].values);
      values[i] = n;
      VECTOR_PUSH(next, (way){condition, values, all->at[w].part});
      if (next.count > MOST_EDGES) b->failure = "too many combinations of control";
    }
    if (b->failure) break;
  }
  ways_free(all);
  *all = next;
}

/* p.data := value: a way for each position of the field. */
static void split_by_data(builder *b, ways *all, unsigned size, term value) {
  ways next = {0};
  for (size_t w = 0; w < all->count; w++) {
    for (unsigned part = 0; part < size; part++) {
      term condition = term_and(b->ts, all->at[w].condition, term_eq(b->ts, value, term_int(b->ts, part)));
      if (term_is_false(condition)) continue;
      VECTOR_PUSH(next, (way){condition, copy_values(b, all->at[w].values), (uint8_t)part});
    }
  }
  ways_free(all);
  *all = next;
}

/* ---- initial states ---- */

/* One way for each combination of control's values that may be initial. */
static void initial_ways(builder *b, ways *all) {
  VECTOR_PUSH(*all, (way){.condition = b->model->init, .values = copy_values(b, NULL)});
  for (size_t i = 0; i < b->control.count && !b->failure; i++) {
    ways next = {0};
    for (size_t w = 0; w < all->count && !b->failure; w++) {
      for (size_t k = 0; k < b->control.at[i].values.count; k++) {
        number n = b->control.at[i].values.at[k];
        term condition = term_replace(b->ts, all->at[w].condition, b->control.at[i].var, value_term(b, i, n));
        if (term_is_false(condition)) continue;
        number *values = copy_values(b, all->at[w].values);
        values[i] = n;
        VECTOR_PUSH(next, (way){.condition = condition, .values = values});
      }
      if (next.count > MOST_LOCATIONS) b->failure = "too many combinations of control";
    }
    ways_free(all);
    *all = next;
  }
}

static void add_states(builder *b, uint32_t at, term condition, bool initial) {
  case_vector cases = {0};
  const char *failure = cases_of(&b->graph->frame, condition, 0, NULL, &cases);
  if (failure) b->failure = failure;
  for (size_t i = 0; i < cases.count; i++) {
    graph_states s = {at, cases.at[i]};
    if (initial)
      VECTOR_PUSH(b->graph->initial, s);
    else
      VECTOR_PUSH(b->graph->bad, s);
  }
  VECTOR_FREE(cases);
}

static void add_initial(builder *b) {
  ways all = {0};
  initial_ways(b, &all);
  for (size_t i = 0; i < all.count && !b->failure; i++) {
    uint32_t at = find_location(b, copy_values(b, all.at[i].values));
    add_states(b, at, all.at[i].condition, true);
  }
  ways_free(&all);
}

/* ---- edges ---- */

static size_t control_index(const builder *b, variable v) {
  for (size_t i = 0; i < b->control.count; i++)
    if (variable_same(b->control.at[i].var, v)) return i;
  return SIZE_MAX;
}

static void add_edges(builder *b, uint32_t from, uint32_t transition, const way *w, size_t count,
                      const update *updates) {
  case_vector cases = {0};
  const char *failure = cases_of(&b->graph->frame, w->condition, count, updates, &cases);
  if (failure) b->failure = failure;
  if (cases.count) {
    uint32_t to = find_location(b, copy_values(b, w->values));
    for (size_t i = 0; i < cases.count; i++)
      VECTOR_PUSH(b->graph->edges, (graph_edge){from, to, transition, w->part, cases.at[i]});
  }
  if (b->graph->edges.count > MOST_EDGES) b->failure = "too many steps between combinations of control";
  VECTOR_FREE(cases);
}

/* The steps of a transition from where `here` stands. */
static void follow(builder *b, uint32_t from, uint32_t index, term enabled) {
  const transition *t = &b->model->transitions.at[index];
  term condition = substitution_apply(b->here, enabled);
  if (term_is_false(condition)) return;
  condition = term_simplify_in_types(b->ts, condition);
  if (term_is_false(condition)) return;
  ways all = {0};
  VECTOR(update) rest = {0};
  VECTOR_PUSH(all, (way){.condition = condition, .values = copy_values(b, b->graph->locations.at[from].values)});
  if (t->heap.kind == HEAP_SET_DATA)
    split_by_data(b, &all, b->model->nodes->fields[t->heap.field].size, substitution_apply(b->here, t->heap.value));
  for (size_t i = 0; i < t->updates.count && !b->failure; i++) {
    size_t c = control_index(b, t->updates.at[i].var);
    term value = substitution_apply(b->here, t->updates.at[i].value);
    if (c == SIZE_MAX && frame_dimension(&b->graph->frame, t->updates.at[i].var) == NO_DIMENSION) continue;
    if (c == SIZE_MAX)
      VECTOR_PUSH(rest, (update){t->updates.at[i].var, value});
    else
      split_by_value(b, &all, c, value);
  }
  for (size_t i = 0; i < all.count && !b->failure; i++) add_edges(b, from, index, &all.at[i], rest.count, rest.at);
  VECTOR_FREE(rest);
  ways_free(&all);
}

static void explore(builder *b, const term *bad) {
  graph *g = b->graph;
  term_vector enabled = {0};
  for (size_t i = 0; i < b->model->transitions.count; i++)
    VECTOR_PUSH(enabled, transition_enabled(b->model, &b->model->transitions.at[i]));
  for (uint32_t at = 0; at < g->locations.count && !b->failure; at++) {
    VECTOR_PUSH(g->first_edge, g->edges.count);
    stand_at(b, g->locations.at[at].values);
    for (size_t i = 0; i < enabled.count && !b->failure; i++) follow(b, at, (uint32_t)i, enabled.at[i]);
    if (!b->failure && bad) add_states(b, at, term_simplify_in_types(b->ts, substitution_apply(b->here, *bad)), false);
    const char *spent = budget_spent(b->budget);
    if (spent) b->failure = spent;
  }
  VECTOR_PUSH(g->first_edge, g->edges.count);
  VECTOR_FREE(enabled);
}

/* Locations from which a bad state may be reached. The others need no invariant but `true`: what follows them is of
 * their kind. */
static void mark_what_matters(graph *g) {
  for (size_t i = 0; i < g->bad.count; i++) g->locations.at[g->bad.at[i].at].matters = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = g->edges.count; i-- > 0;) {
      const graph_edge *e = &g->edges.at[i];
      if (!g->locations.at[e->to].matters || g->locations.at[e->from].matters) continue;
      g->locations.at[e->from].matters = true;
      changed = true;
    }
  }
}

static const char *check_edge(const graph *g, size_t i) {
  const graph_edge *e = &g->edges.at[i];
  if (e->from >= g->locations.count || e->to >= g->locations.count) return "edges join locations";
  if (e->transition >= g->frame.model->transitions.count) return "edges are of transitions";
  if (i < g->first_edge.at[e->from] || i >= g->first_edge.at[e->from + 1]) return "edges stand at where they start";
  if (i > g->first_edge.at[e->from] && g->edges.at[i - 1].transition > e->transition)
    return "edges of a location are sorted by transition";
  if (g->locations.at[e->to].matters && !g->locations.at[e->from].matters)
    return "what leads to a location that matters matters";
  return NULL;
}

const char *graph_check(const graph *g) {
  const char *broken = NULL;
  if (g->first_edge.count != g->locations.count + 1 || VECTOR_LAST(g->first_edge) != g->edges.count)
    return "every location has its edges";
  for (size_t i = 0; i < g->locations.count; i++) {
    if (g->first_edge.at[i] > g->first_edge.at[i + 1]) return "edges of locations come in their order";
    if (!g->locations.at[i].values) return "a location has values";
  }
  for (size_t i = 0; i < g->edges.count && !broken; i++) broken = check_edge(g, i);
  for (size_t i = 0; i < g->initial.count && !broken; i++)
    if (g->initial.at[i].at >= g->locations.count) broken = "initial states are at locations";
  for (size_t i = 0; i < g->bad.count && !broken; i++)
    if (g->bad.at[i].at >= g->locations.count || !g->locations.at[g->bad.at[i].at].matters)
      broken = "bad states are at locations that matter";
  return broken;
}

graph *graph_new(const model *m, const term *bad, control_choice choice, polyhedra *s, budget *budget,
                 const char **why) {
  return graph_new_over(m, bad, NULL, choice, s, budget, why);
}

graph *graph_new_over(const model *m, const term *bad, const bool *kept, control_choice choice, polyhedra *s,
                      budget *budget, const char **why) {
  graph *g = MEMORY_NEW(graph);
  builder b = {.graph = g,
               .model = m,
               .ts = m->terms,
               .budget = budget,
               .here = substitution_new(m->terms),
               .known = names_new()};
  g->frame.model = m;
  g->frame.space = s;
  location_variables_find(m, choice, &b.control);
  for (size_t i = 0; i < b.control.count; i++) VECTOR_PUSH(g->control, b.control.at[i].var);
  for (size_t i = 0; i < m->variables.count; i++)
    if (control_index(&b, m->variables.at[i].var) == SIZE_MAX && (!kept || kept[i]) &&
        variable_type(m->terms, m->variables.at[i].var)->sort != SORT_NODE)
      frame_add(&g->frame, m->variables.at[i].var);
  add_initial(&b);
  explore(&b, bad);
  if (bad)
    mark_what_matters(g);
  else
    for (size_t i = 0; i < g->locations.count; i++) g->locations.at[i].matters = true;
  substitution_free(b.here);
  names_free(b.known);
  location_variables_clear(&b.control);
  *why = b.failure;
  if (!b.failure) {
    CHECKED(graph_check(g));
    return g;
  }
  graph_free(g);
  return NULL;
}

void graph_free(graph *g) {
  if (!g) return;
  for (size_t i = 0; i < g->locations.count; i++) memory_free(g->locations.at[i].values);
  for (size_t i = 0; i < g->edges.count; i++) case_clear(&g->edges.at[i].step);
  for (size_t i = 0; i < g->initial.count; i++) case_clear(&g->initial.at[i].states);
  for (size_t i = 0; i < g->bad.count; i++) case_clear(&g->bad.at[i].states);
  VECTOR_FREE(g->locations);
  VECTOR_FREE(g->edges);
  VECTOR_FREE(g->first_edge);
  VECTOR_FREE(g->initial);
  VECTOR_FREE(g->bad);
  VECTOR_FREE(g->control);
  frame_clear(&g->frame);
  memory_free(g);
}

term location_term(const graph *g, uint32_t at) {
  terms *ts = g->frame.model->terms;
  term result = TERM_TRUE;
  for (size_t i = 0; i < g->control.count; i++)
    result = term_and(ts, result, fixed_term(ts, g->control.at[i], g->locations.at[at].values[i]));
  return result;
}
