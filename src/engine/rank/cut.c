/* The graph of places, and where it is cut (cut.h). */
#include "engine/rank/cut.h"

#include "model/transform.h"
#include "term/substitute.h"

/* More places are not looked at. */
enum { MOST_PLACES = 200 };

typedef struct place_graph {
  variable place;
  int64_t low;
  size_t count;
  bool *leads; /* [from * count + to] */
  bool *is_cut;
  size_t *height; /* how many steps there may be until a place of the cut; 0 while it is not known */
  char *state;    /* of the search: 0 not seen, 1 on the way, 2 done */
} place_graph;

/* The one place variable. */
static bool find_place(const model *m, place_graph *g) {
  size_t places = 0;
  int64_t high = 0;
  for (size_t i = 0; i < m->variables.count; i++)
    if (m->variables.at[i].role == ROLE_LOCATION) g->place = m->variables.at[i].var, places++;
  if (places != 1) return false;
  const type *of = variable_type(m->terms, g->place);
  if (!of->has_low || !of->has_high || !number_to_int64(of->low, &g->low) || !number_to_int64(of->high, &high))
    return false;
  g->count = (size_t)(high - g->low + 1);
  return g->count <= MOST_PLACES;
}

static term at_place(const model *m, const place_graph *g, size_t i) {
  return term_eq(m->terms, term_of_variable(m->terms, g->place), term_int(m->terms, g->low + (int64_t)i));
}

/* Where the transition leads from the place: to one that is known, or maybe to any. */
static void add_edges(const model *m, place_graph *g, const transition *t, size_t from) {
  terms *ts = m->terms;
  term value = term_int(ts, g->low + (int64_t)from);
  if (term_is_false(term_replace(ts, transition_enabled(m, t), g->place, value))) return;
  term after = term_replace(ts, transform_after(m, t, term_of_variable(ts, g->place)), g->place, value);
  number n;
  int64_t to = 0;
  bool is_known =
      term_is_number(ts, after, &n) && number_to_int64(n, &to) && to >= g->low && to < g->low + (int64_t)g->count;
  for (size_t i = 0; i < g->count; i++)
    if (!is_known || (int64_t)i == to - g->low) g->leads[from * g->count + i] = true;
}

/* Steps to a place that is on the way lead back: it is one of the cut. The number of places bounds the depth. */
static void search(place_graph *g, size_t from) {
  g->state[from] = 1;
  for (size_t i = 0; i < g->count; i++) {
    if (!g->leads[from * g->count + i]) continue;
    if (g->state[i] == 1) g->is_cut[i] = true;
    if (g->state[i] == 0) search(g, i);
  }
  g->state[from] = 2;
}

static size_t height_of(place_graph *g, size_t from) {
  if (g->height[from]) return g->height[from];
  size_t most = 1;
  for (size_t i = 0; i < g->count; i++)
    if (g->leads[from * g->count + i] && !g->is_cut[i]) {
      size_t more = height_of(g, i) + 1;
      if (more > most) most = more;
    }
  return g->height[from] = most;
}

static void write_cut(const model *m, place_graph *g, place_cut *out) {
  terms *ts = m->terms;
  out->cut = TERM_FALSE;
  for (size_t i = 0; i < g->count; i++) {
    term here = at_place(m, g, i);
    term height = term_int(ts, (int64_t)height_of(g, i));
    out->between = term_add(ts, out->between, term_ite(ts, here, height, term_int(ts, 0)));
    if (!g->is_cut[i]) continue;
    out->cut = term_or(ts, out->cut, here);
    VECTOR_PUSH(out->tests, here);
  }
}

void place_cut_open(const model *m, place_cut *out) {
  place_graph g = {0};
  *out = (place_cut){.cut = TERM_TRUE, .between = term_int(m->terms, 0)};
  if (!find_place(m, &g)) return;
  g.leads = MEMORY_ARRAY(bool, g.count *g.count + 1);
  g.is_cut = MEMORY_ARRAY(bool, g.count + 1);
  g.height = MEMORY_ARRAY(size_t, g.count + 1);
  g.state = MEMORY_ARRAY(char, g.count + 1);
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < g.count; j++) add_edges(m, &g, &m->transitions.at[i], j);
  for (size_t i = 0; i < g.count; i++)
    if (!g.state[i]) search(&g, i);
  write_cut(m, &g, out);
  memory_free(g.leads);
  memory_free(g.is_cut);
  memory_free(g.height);
  memory_free(g.state);
}

void place_cut_clear(place_cut *c) { VECTOR_FREE(c->tests); }
