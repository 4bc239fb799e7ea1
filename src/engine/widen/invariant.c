/* Spreads what a run reached at the cut points over the locations between them, makes it smaller if asked to, and
 * writes it as evidence, text or lemmas. */
#include "engine/widen/invariant.h"

#include "engine/widen/graph/congruences.h"
#include "engine/widen/graph/print_locations.h"
#include "engine/widen/numeric.h"

enum { ROUNDS_OF_NARROWING = 2 };

typedef struct spreading {
  const program *program;
  const graph *graph;
  powerset **sets; /* by location */
  bool *is_cut;
  polyhedron *types;
} spreading;

static void add_to(spreading *s, uint32_t location, TAKE polyhedron *p) { powerset_add(s->sets[location], p); }

static void start(spreading *s, const run *r) {
  const program *p = s->program;
  for (uint32_t head = 1; head < p->cuts.heads; head++) {
    uint32_t at = p->location_of.at[head];
    const powerset *reached = element_set(run_final(r, head));
    s->is_cut[at] = true;
    for (size_t i = 0; i < powerset_count(reached); i++) {
      polyhedron *copy = polyhedron_copy(powerset_at(reached, i));
      polyhedron_meet(copy, s->types);
      add_to(s, at, copy);
    }
  }
}

/* Initial states at locations that are no cut points. */
static void add_first_states(spreading *s) {
  const program *p = s->program;
  for (size_t i = 0; i < s->graph->initial.count; i++) {
    const graph_states *in = &s->graph->initial.at[i];
    if (s->is_cut[in->at] || !s->graph->locations.at[in->at].matters) continue;
    polyhedron *at = polyhedron_universe(s->graph->frame.space, s->graph->frame.dimensions.count);
    program_restrict(p, in->at, &in->states, at);
    add_to(s, in->at, at);
  }
}

/* Locations that are no cut points, each after those that lead to it: the reverse of the order in which a walk leaves
 * them. */
typedef VECTOR(uint32_t) location_list;

static void order_between(const spreading *s, uint32_t root, uint8_t *met, size_t *next, location_list *out) {
  const graph *g = s->graph;
  location_list stack = {0};
  if (met[root] || s->is_cut[root] || !g->locations.at[root].matters) return;
  met[root] = true;
  next[root] = g->first_edge.at[root];
  VECTOR_PUSH(stack, root);
  while (stack.count) {
    uint32_t at = VECTOR_LAST(stack);
    if (next[at] == g->first_edge.at[at + 1]) {
      VECTOR_PUSH(*out, at);
      stack.count--;
      continue;
    }
    uint32_t to = g->edges.at[next[at]++].to;
    if (met[to] || s->is_cut[to] || !g->locations.at[to].matters) continue;
    met[to] = true;
    next[to] = g->first_edge.at[to];
    VECTOR_PUSH(stack, to);
  }
  VECTOR_FREE(stack);
}

static void spread_from(spreading *s, uint32_t at) {
  const graph *g = s->graph;
  for (size_t e = g->first_edge.at[at]; e < g->first_edge.at[at + 1]; e++) {
    uint32_t to = g->edges.at[e].to;
    if (s->is_cut[to] || !g->locations.at[to].matters) continue;
    for (size_t i = 0; i < powerset_count(s->sets[at]); i++) {
      polyhedron *next = polyhedron_copy(powerset_at(s->sets[at], i));
      program_step(s->program, (uint32_t)e, next);
      add_to(s, to, next);
    }
  }
}

static void spread(spreading *s) {
  size_t count = s->graph->locations.count;
  uint8_t *met = MEMORY_ARRAY(uint8_t, count + 1);
  size_t *next = MEMORY_ARRAY(size_t, count + 1);
  location_list order = {0};
  for (uint32_t at = 0; at < count; at++) order_between(s, at, met, next, &order);
  for (uint32_t at = 0; at < count; at++)
    if (s->is_cut[at]) spread_from(s, at);
  for (size_t i = order.count; i-- > 0;) spread_from(s, order.at[i]);
  memory_free(met);
  memory_free(next);
  VECTOR_FREE(order);
}

/* ---- narrowing ---- */

/* All of it as one polyhedron. */
static powerset *hull_of(TAKE powerset *s) {
  if (powerset_count(s) < 2) return s;
  polyhedron *hull = polyhedron_copy(powerset_at(s, 0));
  powerset *one = powerset_new(polyhedron_space(hull), polyhedron_dimension(hull));
  for (size_t i = 1; i < powerset_count(s); i++) polyhedron_hull(hull, powerset_at(s, i));
  powerset_add(one, hull);
  powerset_free(s);
  return one;
}

static powerset *no_states(const spreading *s) {
  return powerset_new(s->graph->frame.space, s->graph->frame.dimensions.count);
}

/* What enters a cut point in one step from the sets as they are, or initially. */
static powerset *entering(const spreading *s, uint32_t at) {
  const graph *g = s->graph;
  powerset *out = no_states(s);
  for (size_t i = 0; i < g->initial.count; i++) {
    if (g->initial.at[i].at != at) continue;
    polyhedron *first = polyhedron_universe(g->frame.space, g->frame.dimensions.count);
    program_restrict(s->program, at, &g->initial.at[i].states, first);
    powerset_add(out, first);
  }
  for (size_t e = 0; e < g->edges.count; e++) {
    const powerset *from = s->sets[g->edges.at[e].from];
    for (size_t i = 0; g->edges.at[e].to == at && i < powerset_count(from); i++) {
      polyhedron *next = polyhedron_copy(powerset_at(from, i));
      program_step(s->program, (uint32_t)e, next);
      polyhedron_meet(next, s->types);
      powerset_add(out, next);
    }
  }
  return out;
}

/* A set that every step leads into is an invariant, and so is what the steps make of it: smaller, with bounds that
 * widening lost. A convex one stays so. */
static void narrow(spreading *s) {
  size_t count = s->graph->locations.count;
  powerset **next = MEMORY_ARRAY(powerset *, count + 1);
  for (uint32_t at = 0; at < count; at++) {
    next[at] = s->is_cut[at] ? entering(s, at) : no_states(s);
    if (s->is_cut[at] && powerset_count(s->sets[at]) == 1) next[at] = hull_of(next[at]);
  }
  for (size_t i = 0; i < count; i++) powerset_free(s->sets[i]);
  memory_free(s->sets);
  s->sets = next;
  add_first_states(s);
  spread(s);
}

/* ---- writing ---- */

static term part_term(const spreading *s, uint32_t at, const polyhedron *p) {
  terms *ts = s->graph->frame.model->terms;
  row_vector rows = {0};
  term_vector conjuncts = {0};
  polyhedron_rows(p, &rows);
  for (size_t i = 0; i < rows.count; i++)
    if (!polyhedron_implies(s->types, &rows.at[i])) VECTOR_PUSH(conjuncts, frame_term(&s->graph->frame, &rows.at[i]));
  if (s->program->over_integers) VECTOR_PUSH(conjuncts, congruences_term(s->program, at, p));
  term result = term_and_all(ts, conjuncts.count, conjuncts.at);
  rows_clear(&rows);
  VECTOR_FREE(conjuncts);
  return result;
}

static void write(const spreading *s, evidence *out) {
  const graph *g = s->graph;
  terms *ts = g->frame.model->terms;
  out->kind = EVIDENCE_INVARIANT;
  for (uint32_t at = 0; at < g->locations.count; at++) {
    if (!g->locations.at[at].matters) evidence_add_part(ts, out, location_term(g, at));
    for (size_t i = 0; i < powerset_count(s->sets[at]); i++)
      evidence_add_part(ts, out, term_and(ts, location_term(g, at), part_term(s, at, powerset_at(s->sets[at], i))));
  }
}

static term set_term(const spreading *s, uint32_t at) {
  term_vector parts = {0};
  for (size_t i = 0; i < powerset_count(s->sets[at]); i++)
    VECTOR_PUSH(parts, part_term(s, at, powerset_at(s->sets[at], i)));
  term result = term_or_all(s->graph->frame.model->terms, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

/* What holds at each location: anything if nothing bad is ahead. */
static term *formulas_of(const spreading *s) {
  const graph *g = s->graph;
  term *formulas = MEMORY_ARRAY(term, g->locations.count + 1);
  for (uint32_t at = 0; at < g->locations.count; at++)
    formulas[at] = g->locations.at[at].matters ? set_term(s, at) : TERM_TRUE;
  return formulas;
}

static spreading spread_out(const program *p, const run *r) {
  const graph *g = p->graph;
  spreading s = {.program = p,
                 .graph = g,
                 .sets = MEMORY_ARRAY(powerset *, g->locations.count + 1),
                 .is_cut = MEMORY_ARRAY(bool, g->locations.count + 1)};
  s.types = polyhedron_universe(g->frame.space, g->frame.dimensions.count);
  for (size_t i = 0; i < p->types.count; i++) polyhedron_add(s.types, &p->types.at[i]);
  for (size_t i = 0; i < g->locations.count; i++) s.sets[i] = no_states(&s);
  start(&s, r);
  add_first_states(&s);
  spread(&s);
  return s;
}

static void spreading_free(spreading *s) {
  for (size_t i = 0; i < s->graph->locations.count; i++) powerset_free(s->sets[i]);
  polyhedron_free(s->types);
  memory_free(s->sets);
  memory_free(s->is_cut);
}

void invariant_of(const program *p, const run *r, evidence *out) {
  spreading s = spread_out(p, r);
  write(&s, out);
  spreading_free(&s);
}

term *invariant_formulas(const program *p, const run *r) {
  spreading s = spread_out(p, r);
  term *formulas = formulas_of(&s);
  spreading_free(&s);
  return formulas;
}

static GIVE term *narrowed(const program *p, const run *r, evidence *out) {
  spreading s = spread_out(p, r);
  for (int i = 0; i < ROUNDS_OF_NARROWING; i++) narrow(&s);
  write(&s, out);
  term *formulas = formulas_of(&s);
  spreading_free(&s);
  return formulas;
}

void invariant_print(const program *p, const run *r, evidence *out, text *lines) {
  term *formulas = narrowed(p, r, out);
  locations_print(p->graph, formulas, lines);
  memory_free(formulas);
}

void invariant_lemmas(const program *p, const run *r, evidence *out, term_vector *lemmas) {
  term *formulas = narrowed(p, r, out);
  locations_lemmas(p->graph, formulas, lemmas);
  memory_free(formulas);
}
