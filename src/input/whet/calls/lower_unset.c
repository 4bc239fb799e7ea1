/* A variable of a procedure has any value of its type until it gets one. That is an input of the call, but only of what can
 * be read before it is set: a search cannot try all numbers. Liveness of variables tells which those are. */
#include "base/bits.h"
#include "input/whet/calls/lower_in_place.h"

typedef struct liveness {
  lowering *lowering;
  const struct program_graph *graph;
  const transition *transitions; /* one for each edge */
  map *position;                 /* variable -> its number among those of procedures */
  size_t count;
  bits *live;           /* by place */
  bits *reads, *writes; /* by edge */
} liveness;

static void note_read(const liveness *n, bits *out, term t) {
  variable_vector all = {0};
  uint64_t at;
  quantifiers_variables_of(&n->lowering->quantifiers, n->lowering->terms, t, &all);
  for (size_t i = 0; i < all.count; i++)
    if (map_get(n->position, all.at[i].x, &at)) bits_add(out, at);
  VECTOR_FREE(all);
}

/* What properties ask for where the step starts. */
static term checked_at(const liveness *n, const program_edge *e) {
  if (e->role == EDGE_START || e->role == EDGE_RETURN) return in_place_contract(n->lowering, e);
  bool is_assert = e->statement && e->role == EDGE_STATEMENT && e->statement->kind == STATEMENT_ASSERT;
  return is_assert ? lower_condition(n->lowering, e->statement->condition) : TERM_TRUE;
}

static void note_edge(const liveness *n, size_t i) {
  const transition *t = &n->transitions[i];
  uint64_t at;
  note_read(n, &n->reads[i], checked_at(n, &n->graph->edges.at[i]));
  note_read(n, &n->reads[i], t->guard);
  for (size_t j = 0; j < t->faults.count; j++) note_read(n, &n->reads[i], t->faults.at[j].when);
  for (size_t j = 0; j < t->updates.count; j++) {
    note_read(n, &n->reads[i], t->updates.at[j].value);
    if (map_get(n->position, t->updates.at[j].var.x, &at)) bits_add(&n->writes[i], at);
  }
}

/* True if something more is live where the edge starts. */
static bool go_back(const liveness *n, size_t i, bits *scratch) {
  const program_edge *e = &n->graph->edges.at[i];
  bits_assign(scratch, &n->live[e->to]);
  bits_minus(scratch, &n->writes[i]);
  bits_unite(scratch, &n->reads[i]);
  if (bits_is_within(scratch, &n->live[e->from])) return false;
  bits_unite(&n->live[e->from], scratch);
  return true;
}

static void find_live(const liveness *n) {
  bits scratch = bits_new(n->count);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = n->graph->edges.count; i-- > 0;) more |= go_back(n, i, &scratch);
  }
  bits_free(&scratch);
}

static bits *sets(size_t how_many, size_t size) {
  bits *made = MEMORY_ARRAY(bits, how_many);
  for (size_t i = 0; i < how_many; i++) made[i] = bits_new(size);
  return made;
}

static void free_sets(bits *sets, size_t how_many) {
  for (size_t i = 0; i < how_many; i++) bits_free(&sets[i]);
  memory_free(sets);
}

static void give_any_value(lowering *l, transition *t, variable v) {
  const char *own = strrchr(variable_name(l->terms, v), '.');
  char *name = text_format("%s%s", t->name, own ? own : "");
  type of = *variable_type(l->terms, v);
  variable input = transition_add_input(l->model, t, name, &of);
  transition_add_update(t, v, term_of_variable(l->terms, input));
  memory_free(name);
}

static void complete_call(const liveness *n, const program_edge *e, transition *t) {
  lowering *l = n->lowering;
  cell_numbers unset = {0};
  uint64_t at;
  in_place_cells(e->called, true, &unset);
  for (size_t i = 0; i < unset.count; i++) {
    variable v = l->cells.at[unset.at[i]];
    if (map_get(n->position, v.x, &at) && bits_has(&n->live[e->to], at)) give_any_value(l, t, v);
  }
  VECTOR_FREE(unset);
}

void in_place_unset(lowering *l, const family *f, uint32_t first) {
  const struct program_graph *g = f->graph;
  cell_numbers all = {0};
  if (!f->uses.count || l->exhausted) return;
  liveness n = {.lowering = l, .graph = g, .position = map_new(), .transitions = &l->model->transitions.at[first]};
  for (size_t i = 0; i < f->uses.count; i++) in_place_cells(f->uses.at[i].procedure->tree, false, &all);
  n.count = all.count;
  for (size_t i = 0; i < all.count; i++) map_set(n.position, l->cells.at[all.at[i]].x, i);
  n.live = sets(g->places.count, n.count);
  n.reads = sets(g->edges.count, n.count);
  n.writes = sets(g->edges.count, n.count);
  for (size_t i = 0; i < g->edges.count; i++) note_edge(&n, i);
  find_live(&n);
  for (size_t i = 0; i < g->edges.count; i++)
    if (g->edges.at[i].role == EDGE_CALL) complete_call(&n, &g->edges.at[i], &l->model->transitions.at[first + i]);
  free_sets(n.live, g->places.count);
  free_sets(n.reads, g->edges.count);
  free_sets(n.writes, g->edges.count);
  map_free(n.position);
  VECTOR_FREE(all);
}
