/* Rounds over all locations until nothing grows, with widening at cut points once they have grown some times, then
 * rounds that recover bounds. Grids come first and are met with on the way. */
#include "engine/widen/lane/preview.h"

#include "base/work.h"
#include "engine/widen/graph/congruences.h"
#include "engine/widen/graph/print_locations.h"

#define MOST_WORK UINT64_C(300000) /* base/work.h */
enum { MOST_ROUNDS = 60, GROWTHS_BEFORE_WIDENING = 2, GROWTHS_WITH_LIMITS = 10, ROUNDS_OF_NARROWING = 2 };

#define PREVIEW(CONSTANT, SHAPE, FEWEST, MOST, HAS_LEMMAS, RUN) \
  [PREVIEW_##CONSTANT] = {SHAPE, FEWEST, MOST, HAS_LEMMAS},
static const preview_row rows[PREVIEW_KINDS] = {
#include "engine/widen/lane/previews.def"
};
#undef PREVIEW

const preview_row *preview_row_of(preview_kind kind) {
  REQUIRE(kind > PREVIEW_NONE && kind < PREVIEW_KINDS, "a preview");
  return &rows[kind];
}

typedef struct place_set {
  weak_shape *shape; /* NULL if there are equalities only */
  row_vector equalities;
  size_t growths;
  bool is_cut;
} place_set;

struct preview {
  program *program;
  const graph *graph;
  weak_shape_kind kind;
  place_set *at; /* by location */
  row_vector limits;
  size_t rounds;
};

static size_t dimension(const preview *v) { return v->graph->frame.dimensions.count; }
static polyhedra *space(const preview *v) { return v->graph->frame.space; }
static bool failed(const preview *v) { return polyhedra_failure(space(v)) != NULL; }

static weak_shape *new_shape(const preview *v, bool empty) { return shape_new(space(v), v->kind, dimension(v), empty); }

static void add_rows(weak_shape *a, const row_vector *rows) {
  for (size_t i = 0; i < rows->count; i++) shape_add(a, &rows->at[i]);
}

/* What is known at a location whatever leads there. */
static void settle(const preview *v, uint32_t at, weak_shape *a) {
  shape_project(a, dimension(v));
  add_rows(a, &v->program->types);
  add_rows(a, &v->at[at].equalities);
}

static weak_shape *first_shape(const preview *v, const graph_states *in) {
  weak_shape *a = new_shape(v, false);
  shape_extend(a, in->states.locals);
  add_rows(a, &v->program->types);
  add_rows(a, &in->states.rows);
  settle(v, in->at, a);
  return a;
}

static weak_shape *shape_after(const preview *v, size_t edge) {
  const graph_edge *e = &v->graph->edges.at[edge];
  const ordered_step *s = &v->program->steps.at[edge];
  weak_shape *a = shape_copy(v->at[e->from].shape);
  shape_extend(a, s->locals);
  /* Twice: what a row says may depend on the bounds that a later one gives. */
  for (int i = 0; i < 2; i++) add_rows(a, s->rows);
  add_rows(a, &s->saved);
  if (!shape_is_empty(a))
    for (size_t i = 0; i < s->updates.count; i++) shape_assign(a, s->updates.at[i].dimension, &s->updates.at[i].value);
  settle(v, e->to, a);
  return a;
}

/* ---- the fixpoint ---- */

static bool grow(preview *v, uint32_t at, TAKE weak_shape *more) {
  place_set *s = &v->at[at];
  bool grows = !shape_contains(s->shape, more) && !failed(v);
  if (grows) {
    weak_shape *before = shape_copy(s->shape);
    shape_join(s->shape, more);
    if (s->is_cut && ++s->growths > GROWTHS_BEFORE_WIDENING)
      shape_widen(s->shape, before, s->growths > GROWTHS_WITH_LIMITS ? NULL : &v->limits);
    shape_free(before);
  }
  shape_free(more);
  return grows;
}

/* True if it came to its end: all steps stay within. */
static bool iterate(preview *v) {
  const graph *g = v->graph;
  uint64_t end = work_done() + MOST_WORK;
  for (size_t i = 0; i < g->initial.count; i++) grow(v, g->initial.at[i].at, first_shape(v, &g->initial.at[i]));
  while (v->rounds++ < MOST_ROUNDS && work_done() < end) {
    bool grows = false;
    for (size_t e = 0; e < g->edges.count && !failed(v); e++)
      if (!shape_is_empty(v->at[g->edges.at[e].from].shape)) grows |= grow(v, g->edges.at[e].to, shape_after(v, e));
    if (!grows) return true;
  }
  return false;
}

/* What is closed under steps stays so when each location has only what steps lead to. */
static void narrow(preview *v) {
  const graph *g = v->graph;
  weak_shape **next = MEMORY_ARRAY(weak_shape *, g->locations.count + 1);
  for (size_t i = 0; i < g->locations.count; i++) next[i] = new_shape(v, true);
  for (size_t i = 0; i < g->initial.count; i++) {
    weak_shape *first = first_shape(v, &g->initial.at[i]);
    shape_join(next[g->initial.at[i].at], first);
    shape_free(first);
  }
  for (size_t e = 0; e < g->edges.count && !failed(v); e++) {
    weak_shape *after = shape_after(v, e);
    shape_join(next[g->edges.at[e].to], after);
    shape_free(after);
  }
  for (size_t i = 0; i < g->locations.count; i++) {
    shape_free(v->at[i].shape);
    v->at[i].shape = next[i];
  }
  memory_free(next);
}

/* ---- making ---- */

/* Rows of guards and of bad states, and what is left if they fail. */
static void add_limits(preview *v, const linear_case *c) {
  for (size_t i = 0; i < c->rows.count && !c->locals; i++) {
    linear_row both[] = {row_copy(&c->rows.at[i]), row_copy(&c->rows.at[i])};
    both[0].equality = both[1].equality = false;
    for (size_t k = 0; k < both[1].count; k++) both[1].at[k] = number_negate(both[1].at[k]);
    if (!c->rows.at[i].equality) both[1].at[0] = number_sub(both[1].at[0], number_of(1));
    VECTOR_PUSH(v->limits, both[0]);
    VECTOR_PUSH(v->limits, both[1]);
  }
}

static void keep_equalities(preview *v, uint32_t at) {
  congruence_vector all = {0};
  grid_congruences(v->program->grids[at], &all);
  for (size_t i = 0; i < all.count; i++)
    if (all.at[i].value.equality) VECTOR_PUSH(v->at[at].equalities, row_copy(&all.at[i].value));
  congruences_clear(&all);
}

preview *preview_new(program *p, weak_shape_kind shape) {
  preview *v = MEMORY_NEW(preview);
  *v = (preview){.program = p, .graph = p->graph, .kind = shape};
  const graph *g = v->graph;
  v->at = MEMORY_ARRAY(place_set, g->locations.count + 1);
  program_find_grids(p);
  for (uint32_t i = 0; i < g->locations.count; i++) keep_equalities(v, i);
  if (shape == SHAPE_NONE) return v;
  for (uint32_t head = 1; head < p->cuts.heads; head++) v->at[p->location_of.at[head]].is_cut = true;
  for (uint32_t i = 0; i < g->locations.count; i++) v->at[i].shape = new_shape(v, true);
  for (size_t i = 0; i < g->bad.count; i++) add_limits(v, &g->bad.at[i].states);
  for (size_t i = 0; i < g->edges.count; i++) add_limits(v, &g->edges.at[i].step);
  bool is_closed = iterate(v);
  for (uint32_t i = 0; i < g->locations.count && !is_closed; i++) {
    shape_free(v->at[i].shape);
    v->at[i].shape = new_shape(v, false);
  }
  for (int i = 0; i < ROUNDS_OF_NARROWING && is_closed && !failed(v); i++) narrow(v);
  return v;
}

void preview_free(preview *v) {
  if (!v) return;
  for (size_t i = 0; i < v->graph->locations.count; i++) {
    shape_free(v->at[i].shape);
    rows_clear(&v->at[i].equalities);
  }
  memory_free(v->at);
  rows_clear(&v->limits);
  memory_free(v);
}

/* ---- what it says ---- */

static bool is_reached(const preview *v, uint32_t at) {
  return !grid_is_empty(v->program->grids[at]) && !(v->at[at].shape && shape_is_empty(v->at[at].shape));
}

/* As a polyhedron, whose constraints are all there is: it is only asked by linear programming. */
static polyhedron *polyhedron_at(const preview *v, uint32_t at) {
  polyhedron *p = polyhedron_universe(space(v), dimension(v));
  row_vector rows = {0};
  if (v->at[at].shape) shape_rows(v->at[at].shape, &rows);
  for (size_t i = 0; i < rows.count; i++) polyhedron_add(p, &rows.at[i]);
  for (size_t i = 0; i < v->at[at].equalities.count; i++) polyhedron_add(p, &v->at[at].equalities.at[i]);
  for (size_t i = 0; i < v->program->types.count; i++) polyhedron_add(p, &v->program->types.at[i]);
  rows_clear(&rows);
  return p;
}

/* By divisibility alone. */
static bool grid_excludes(const preview *v, const graph_states *bad) {
  polyhedron *p = polyhedron_universe(space(v), dimension(v) + bad->states.locals);
  for (size_t i = 0; i < bad->states.rows.count; i++) polyhedron_add(p, &bad->states.rows.at[i]);
  polyhedron_tighten(p, v->program->grids[bad->at]);
  bool empty = polyhedron_is_empty(p);
  polyhedron_free(p);
  return empty;
}

static bool excludes(const preview *v, const graph_states *bad) {
  if (!is_reached(v, bad->at) || grid_excludes(v, bad)) return true;
  polyhedron *p = polyhedron_at(v, bad->at);
  polyhedron_extend(p, bad->states.locals);
  for (size_t i = 0; i < bad->states.rows.count; i++) polyhedron_add(p, &bad->states.rows.at[i]);
  bool possible = polyhedron_has_point(p);
  polyhedron_free(p);
  return !possible;
}

bool preview_excludes_bad(const preview *v) {
  for (size_t i = 0; i < v->graph->bad.count; i++)
    if (!excludes(v, &v->graph->bad.at[i])) return false;
  return !failed(v);
}

size_t preview_rounds(const preview *v) { return v->rounds; }

static void rows_at(const preview *v, uint32_t at, row_vector *out) {
  rows_clear(out);
  if (v->at[at].shape) shape_rows(v->at[at].shape, out);
}

size_t preview_constraints(const preview *v) {
  size_t count = 0;
  row_vector rows = {0};
  for (uint32_t i = 0; i < v->graph->locations.count; i++) {
    rows_at(v, i, &rows);
    count += rows.count + v->at[i].equalities.count;
  }
  rows_clear(&rows);
  return count;
}

/* Without the rows that types say, and those that the equalities at the location do. */
static term formula_at(const preview *v, uint32_t at) {
  const case_frame *f = &v->graph->frame;
  polyhedron *known = polyhedron_universe(space(v), dimension(v));
  row_vector rows = {0};
  term_vector conjuncts = {0};
  for (size_t i = 0; i < v->program->types.count; i++) polyhedron_add(known, &v->program->types.at[i]);
  VECTOR_PUSH(conjuncts, congruences_term(v->program, at, known));
  for (size_t i = 0; i < v->at[at].equalities.count; i++) polyhedron_add(known, &v->at[at].equalities.at[i]);
  rows_at(v, at, &rows);
  for (size_t i = 0; i < rows.count; i++) {
    if (polyhedron_always(known, &rows.at[i])) continue;
    VECTOR_PUSH(conjuncts, frame_term(f, &rows.at[i]));
    polyhedron_add(known, &rows.at[i]);
  }
  term result = term_and_all(f->model->terms, conjuncts.count, conjuncts.at);
  polyhedron_free(known);
  rows_clear(&rows);
  VECTOR_FREE(conjuncts);
  return result;
}

void preview_write(const preview *v, evidence *out) {
  terms *ts = v->graph->frame.model->terms;
  out->kind = EVIDENCE_INVARIANT;
  for (uint32_t at = 0; at < v->graph->locations.count; at++)
    if (is_reached(v, at)) evidence_add_part(ts, out, term_and(ts, location_term(v->graph, at), formula_at(v, at)));
}

static GIVE term *formulas_of(const preview *v) {
  term *formulas = MEMORY_ARRAY(term, v->graph->locations.count + 1);
  for (uint32_t at = 0; at < v->graph->locations.count; at++)
    formulas[at] = is_reached(v, at) ? formula_at(v, at) : TERM_FALSE;
  return formulas;
}

void preview_print(const preview *v, text *lines) {
  term *formulas = formulas_of(v);
  locations_print(v->graph, formulas, lines);
  memory_free(formulas);
}

void preview_lemmas(const preview *v, term_vector *lemmas) {
  term *formulas = formulas_of(v);
  locations_lemmas(v->graph, formulas, lemmas);
  memory_free(formulas);
}
