/* A graph without procedures as a transition system: a location, the cells that matter somewhere, a transition an edge. */
#include "input/procedures/flow.h"
#include "term/substitute.h"

typedef struct maker {
  const flow_graph *g;
  model *model;
  flow_liveness live;
  variable location;
  substitution *by; /* free values of an edge to the inputs of its transition */
} maker;

static void add_location(maker *k) {
  const flow_graph *g = k->g;
  const char **all = arena_alloc(model_arena(k->model), (g->places.count + 1) * sizeof *all);
  for (size_t i = 0; i < g->places.count; i++) all[i] = g->places.at[i].name;
  type t = {.sort = SORT_INT,
            .has_low = true,
            .has_high = true,
            .low = number_of(0),
            .high = number_of((int64_t)g->places.count - 1),
            .names = all,
            .name_count = g->places.count,
            .is_location = true};
  k->location = model_add_variable(k->model, "program", &t, ROLE_LOCATION, (place){0});
  VECTOR_PUSH(k->model->processes, (process){model_string(k->model, "program"), k->location});
  k->model->init = term_eq(g->ts, term_of_variable(g->ts, k->location), term_int(g->ts, 0));
}

/* What a cell holds where it does not matter. */
static term nothing(const maker *k, variable v) {
  return variable_type(k->g->ts, v)->sort == SORT_BOOL ? TERM_FALSE : term_int(k->g->ts, 0);
}

static void add_cells(maker *k) {
  const flow_graph *g = k->g;
  for (size_t cell = 0; cell < g->cells.count; cell++) {
    variable v = g->cells.at[cell];
    bool matters = false;
    for (size_t i = 0; i < g->places.count; i++) matters |= bits_has(&k->live.at[i], cell);
    if (!matters) continue;
    model_adopt_variable(k->model, (state_variable){.var = v, .role = ROLE_STATE});
    if (bits_has(&k->live.at[0], cell)) continue; /* any value at first */
    term first = term_eq(g->ts, term_of_variable(g->ts, v), nothing(k, v));
    k->model->init = term_and(g->ts, k->model->init, first);
  }
}

/* Each transition has inputs of its own, for every free value of the edge. */
static void add_inputs(maker *k, transition *t, const flow_edge *e) {
  variable_vector found = {0};
  substitution_clear(k->by);
  term_variables(k->g->ts, 1, &e->guard, &found);
  for (size_t i = 0; i < e->updates.count; i++) term_variables(k->g->ts, 1, &e->updates.at[i].value, &found);
  for (size_t i = 0; i < found.count; i++) {
    uint64_t cell;
    term known = substitution_apply(k->by, term_of_variable(k->g->ts, found.at[i]));
    bool is_new = term_same(known, term_of_variable(k->g->ts, found.at[i]));
    if (!is_new || map_get(k->live.cells, found.at[i].x, &cell)) continue;
    const char *name = "any";
    for (size_t j = 0; j < e->inputs.count; j++)
      if (variable_same(e->inputs.at[j].var, found.at[i])) name = e->inputs.at[j].name;
    variable own = transition_add_input(k->model, t, name, variable_type(k->g->ts, found.at[i]));
    substitution_set(k->by, found.at[i], term_of_variable(k->g->ts, own));
  }
  VECTOR_FREE(found);
}

static void add_edge(maker *k, const flow_edge *e) {
  const flow_graph *g = k->g;
  term here = term_eq(g->ts, term_of_variable(g->ts, k->location), term_int(g->ts, e->from));
  transition *t = model_add_transition(k->model, e->name, 0, TERM_TRUE, e->at);
  add_inputs(k, t, e);
  t->guard = term_and(g->ts, here, substitution_apply(k->by, e->guard));
  for (size_t cell = 0; cell < g->cells.count; cell++) {
    variable v = g->cells.at[cell];
    bool matters = bits_has(&k->live.at[e->to], cell), mattered = bits_has(&k->live.at[e->from], cell);
    term value = matters ? substitution_apply(k->by, flow_edge_value(g->ts, e, v)) : nothing(k, v);
    if (matters ? !term_same(value, term_of_variable(g->ts, v)) : mattered) transition_add_update(t, v, value);
  }
  if (e->to != e->from) transition_add_update(t, k->location, term_int(g->ts, e->to));
}

void flow_to_system(const flow_graph *g, model *m) {
  assert(!g->procedures.count);
  maker k = {.g = g, .model = m, .by = substitution_new(g->ts)};
  flow_liveness_find(g, &k.live);
  add_location(&k);
  add_cells(&k);
  for (size_t i = 0; i < g->edges.count; i++) add_edge(&k, &g->edges.at[i]);
  for (uint32_t i = 0; i < g->places.count; i++)
    if (g->places.at[i].is_error)
      m->properties.at[g->places.at[i].property].bad =
          term_eq(g->ts, term_of_variable(g->ts, k.location), term_int(g->ts, i));
  flow_liveness_clear(&k.live);
  substitution_free(k.by);
}
