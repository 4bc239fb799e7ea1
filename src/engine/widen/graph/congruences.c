/* Grids at the locations: an abstract interpretation of its own, by a list of locations whose grid grew. Guards count
 * as far as equalities follow from them. */
#include "engine/widen/graph/congruences.h"

/* The equalities that follow from rows: those of the least polyhedron. */
static void equalities_of(const program *p, size_t locals, const row_vector *rows, row_vector *out) {
  polyhedron *all = polyhedron_universe(p->graph->frame.space, p->graph->frame.dimensions.count + locals);
  row_vector found = {0};
  for (size_t i = 0; i < rows->count; i++) polyhedron_add(all, &rows->at[i]);
  polyhedron_rows(all, &found);
  for (size_t i = 0; i < found.count; i++)
    if (found.at[i].equality) VECTOR_PUSH(*out, row_copy(&found.at[i]));
  rows_clear(&found);
  polyhedron_free(all);
}

static void add_rows(grid *g, const row_vector *rows) {
  for (size_t i = 0; i < rows->count; i++) grid_add(g, &rows->at[i]);
}

/* True if the location's grid grew. */
static bool join_at(program *p, uint32_t at, TAKE grid *more) {
  bool grows = !grid_contains(p->grids[at], more) && !polyhedra_failure(p->graph->frame.space);
  if (grows) grid_join(p->grids[at], more);
  grid_free(more);
  return grows;
}

static grid *first_grid(const program *p, const linear_case *states) {
  row_vector equalities = {0};
  grid *g = grid_integers(p->graph->frame.space, p->graph->frame.dimensions.count);
  equalities_of(p, states->locals, &states->rows, &equalities);
  grid_extend(g, states->locals);
  add_rows(g, &equalities);
  grid_project(g, p->graph->frame.dimensions.count);
  rows_clear(&equalities);
  return g;
}

static grid *grid_after(const program *p, uint32_t edge, const row_vector *equalities) {
  const ordered_step *s = &p->steps.at[edge];
  grid *g = grid_copy(p->grids[p->graph->edges.at[edge].from]);
  grid_extend(g, s->locals);
  add_rows(g, equalities);
  add_rows(g, &s->saved);
  for (size_t i = 0; i < s->updates.count; i++) grid_assign(g, s->updates.at[i].dimension, &s->updates.at[i].value);
  grid_project(g, p->graph->frame.dimensions.count);
  return g;
}

static bool has_congruence(const grid *g) {
  congruence_vector all = {0};
  bool has = false;
  grid_congruences(g, &all);
  for (size_t i = 0; i < all.count; i++) has |= number_compare(all.at[i].modulus, number_of(1)) > 0;
  congruences_clear(&all);
  return has;
}

static bool has_congruences(const program *p) {
  for (size_t i = 0; i < p->graph->locations.count; i++)
    if (has_congruence(p->grids[i])) return true;
  return false;
}

void program_drop_grids(program *p) {
  for (size_t i = 0; p->grids && i < p->graph->locations.count; i++) grid_free(p->grids[i]);
  memory_free(p->grids);
  p->grids = NULL;
  p->over_integers = false;
}

bool program_find_grids(program *p) {
  const graph *g = p->graph;
  if (p->grids) return has_congruences(p);
  VECTOR(uint32_t) grown = {0};
  row_vector *equalities = MEMORY_ARRAY(row_vector, g->edges.count + 1);
  bool *waits = MEMORY_ARRAY(bool, g->locations.count + 1);
  p->grids = MEMORY_ARRAY(grid *, g->locations.count + 1);
  for (size_t i = 0; i < g->locations.count; i++) p->grids[i] = grid_nothing(g->frame.space, g->frame.dimensions.count);
  for (size_t e = 0; e < g->edges.count; e++)
    equalities_of(p, g->edges.at[e].step.locals, &g->edges.at[e].step.rows, &equalities[e]);
  for (size_t i = 0; i < g->initial.count; i++) {
    uint32_t at = g->initial.at[i].at;
    if (!join_at(p, at, first_grid(p, &g->initial.at[i].states)) || waits[at]) continue;
    waits[at] = true;
    VECTOR_PUSH(grown, at);
  }
  while (grown.count && !polyhedra_failure(g->frame.space)) {
    uint32_t at = VECTOR_POP(grown);
    waits[at] = false;
    for (size_t e = g->first_edge.at[at]; e < g->first_edge.at[at + 1]; e++) {
      uint32_t to = g->edges.at[e].to;
      if (!join_at(p, to, grid_after(p, (uint32_t)e, &equalities[e])) || waits[to]) continue;
      waits[to] = true;
      VECTOR_PUSH(grown, to);
    }
  }
  for (size_t e = 0; e < g->edges.count; e++) rows_clear(&equalities[e]);
  memory_free(equalities);
  memory_free(waits);
  VECTOR_FREE(grown);
  return has_congruences(p);
}

term congruences_term(const program *p, uint32_t at, const polyhedron *known) {
  const case_frame *f = &p->graph->frame;
  terms *ts = f->model->terms;
  congruence_vector all = {0};
  term_vector conjuncts = {0};
  grid_congruences(p->grids[at], &all);
  for (size_t i = 0; i < all.count; i++) {
    const congruence *c = &all.at[i];
    if (c->value.equality) {
      if (!polyhedron_always(known, &c->value)) VECTOR_PUSH(conjuncts, frame_term(f, &c->value));
    } else if (!number_is(c->modulus, 1)) {
      term rest = term_mod(ts, frame_sum(f, &c->value), term_number(ts, c->modulus));
      VECTOR_PUSH(conjuncts, term_eq(ts, rest, term_int(ts, 0)));
    }
  }
  term result = term_and_all(ts, conjuncts.count, conjuncts.at);
  congruences_clear(&all);
  VECTOR_FREE(conjuncts);
  return result;
}
