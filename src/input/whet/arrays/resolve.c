/* Marks are taken out of an edge one by one, for each of the two truth values that it may have; what must hold for that is
 * added to the condition, or kept for a loop. */
#include "input/whet/arrays/resolve.h"

#include "input/whet/arrays/reads.h"

/* An edge on its way, and what must hold for all values of an index for it to be taken. */
typedef struct open_edge {
  flow_edge edge;
  VECTOR(quantifier) loops;
} open_edge;

typedef struct resolver {
  lowering *l;
  terms *ts;
  flow_graph *g;
  flow_edges done;
  map *cells;
  unsigned depth;
} resolver;

enum { DEEPEST = 40 };

/* ---- edges as lists of terms ---- */

static void edge_terms(const resolver *r, const flow_edge *e, term_vector *out) {
  VECTOR_PUSH(*out, e->guard);
  for (size_t i = 0; i < e->updates.count; i++) VECTOR_PUSH(*out, e->updates.at[i].value);
  for (size_t i = 0; i < e->calls.count; i++)
    for (size_t j = 0; j < r->g->procedures.at[e->calls.at[i].procedure].in.count; j++)
      VECTOR_PUSH(*out, e->calls.at[i].in[j]);
}

static flow_edge edge_copy(const flow_edge *e) {
  flow_edge made = *e;
  made.updates.at = NULL;
  made.inputs.at = NULL;
  made.calls.at = NULL;
  made.updates.count = made.updates.room = made.inputs.count = made.inputs.room = made.calls.count = made.calls.room =
      0;
  VECTOR_COPY(made.updates, e->updates);
  VECTOR_COPY(made.inputs, e->inputs);
  VECTOR_COPY(made.calls, e->calls);
  return made;
}

static void edge_replace(const resolver *r, flow_edge *e, variable v, term by) {
  e->guard = term_replace(r->ts, e->guard, v, by);
  for (size_t i = 0; i < e->updates.count; i++)
    e->updates.at[i].value = term_replace(r->ts, e->updates.at[i].value, v, by);
  for (size_t i = 0; i < e->calls.count; i++) {
    size_t count = r->g->procedures.at[e->calls.at[i].procedure].in.count;
    term *in = arena_alloc(terms_arena(r->ts), (count + 1) * sizeof *in);
    for (size_t j = 0; j < count; j++) in[j] = term_replace(r->ts, e->calls.at[i].in[j], v, by);
    e->calls.at[i].in = in;
  }
}

static open_edge open_copy(const open_edge *o) {
  open_edge made = {.edge = edge_copy(&o->edge)};
  VECTOR_COPY(made.loops, o->loops);
  return made;
}

static void open_clear(open_edge *o) {
  flow_edge_clear(&o->edge);
  VECTOR_FREE(o->loops);
}

/* ---- polarity ---- */

enum { GROWS = 1, SHRINKS = 2, BOTH = 3 };

/* How the truth of `t` depends on `mark`: it grows or shrinks with it, or both; 0 if it does not depend on it. */
static unsigned polarity(const resolver *r, term t, variable mark) {
  const terms *ts = r->ts;
  if (!term_mentions(ts, t, mark)) return 0;
  unsigned found = BOTH;
  if (term_kind_of(ts, t) == TERM_BOOL_VARIABLE) found = GROWS;
  if (term_kind_of(ts, t) == TERM_AND) {
    found = 0;
    for (size_t i = 0; i < term_arguments(ts, t); i++) found |= polarity(r, term_argument(ts, t, i), mark);
  }
  bool flips = term_is_negated(t) && found != BOTH && found;
  return flips ? found ^ BOTH : found;
}

static unsigned edge_polarity(const resolver *r, const flow_edge *e, variable mark) {
  term_vector all = {0};
  edge_terms(r, e, &all);
  unsigned found = polarity(r, e->guard, mark);
  for (size_t i = 1; i < all.count; i++)
    if (term_mentions(r->ts, all.at[i], mark)) found = BOTH;
  VECTOR_FREE(all);
  return found;
}

/* ---- one mark ---- */

static variable fresh_index(const resolver *r, const quantifier *q, bool is_loop) {
  char *stem = clause_variable_name(r->ts, q->index), *name = text_format(is_loop ? "%s in check" : "%s", stem);
  variable made = variable_fresh(r->ts, name, &(type){.sort = SORT_INT});
  memory_free(name);
  memory_free(stem);
  return made;
}

/* The quantified formula, or its negation, must hold for the edge to be taken. */
static void demand(resolver *r, open_edge *o, quantifier q, bool truth) {
  q = quantifiers_rename(&r->l->quantifiers, r->ts, q, fresh_index(r, &q, q.is_forall == truth));
  if (!truth) {
    q.is_forall = !q.is_forall;
    q.body = term_not(q.body);
  }
  if (!q.is_forall) {
    o->edge.guard = term_and(r->ts, o->edge.guard, term_and(r->ts, quantifier_range(r->ts, &q), q.body));
    VECTOR_PUSH(o->edge.inputs, (flow_input){.var = q.index});
  } else if (q.has_range)
    VECTOR_PUSH(o->loops, q);
  else {
    report_error(r->l->reporter, q.at->at.start, "whether this holds for all integers cannot be found out by a step");
    report_hint(r->l->reporter, "give the index a range, `i : 0..n-1`; a property may say `forall i : int . ..`");
    o->edge.guard = TERM_FALSE;
  }
}

static void resolve(resolver *r, TAKE open_edge o);

static void resolve_as(resolver *r, const open_edge *o, const quantifier *q, bool truth, bool must_hold) {
  open_edge made = open_copy(o);
  edge_replace(r, &made.edge, q->mark, term_of_bool(truth));
  if (must_hold && !term_is_false(made.edge.guard)) demand(r, &made, *q, truth);
  if (term_is_false(made.edge.guard))
    open_clear(&made);
  else
    resolve(r, made);
}

/* ---- maps ---- */

/* The array that a loop makes. */
static void open_map(resolver *r, open_edge *o, const quantifier *q) {
  quantifier made = quantifiers_rename(&r->l->quantifiers, r->ts, *q, fresh_index(r, q, true));
  type of = *variable_type(r->ts, q->mark);
  made.mark = variable_fresh(r->ts, "map in check", &of);
  edge_replace(r, &o->edge, q->mark, term_of_variable(r->ts, made.mark));
  VECTOR_PUSH(o->loops, made);
}

/* ---- loops ---- */

static uint32_t add_place(resolver *r, const flow_edge *e) {
  char *name = text_format("check%zu", r->g->places.count);
  flow_place made = {.name = model_string(r->l->model, name), .at = e->at};
  memory_free(name);
  VECTOR_PUSH(r->g->places, made);
  return (uint32_t)r->g->places.count - 1;
}

static void add_cell(resolver *r, variable v) {
  map_set(r->cells, v.x, r->g->cells.count);
  VECTOR_PUSH(r->g->cells, v);
}

/* Variables of the edge that are needed after its first step, all that no cell holds: they become cells. */
static void freeze(resolver *r, open_edge *o, flow_edge *first) {
  term_vector all = {0};
  variable_vector used = {0};
  for (size_t i = 0; i < o->edge.updates.count; i++) VECTOR_PUSH(all, o->edge.updates.at[i].value);
  for (size_t i = 0; i < o->loops.count; i++) {
    VECTOR_PUSH(all, o->loops.at[i].low);
    VECTOR_PUSH(all, o->loops.at[i].high);
    VECTOR_PUSH(all, o->loops.at[i].body);
    if (o->loops.at[i].is_map) VECTOR_PUSH(all, o->loops.at[i].start);
  }
  substitution *by = substitution_new(r->ts);
  quantifiers_variables(&r->l->quantifiers, r->ts, &all, &used);
  for (size_t i = 0; i < used.count; i++) {
    bool is_index = false;
    for (size_t j = 0; j < o->loops.count; j++)
      is_index |= variable_same(used.at[i], o->loops.at[j].index) ||
                  (o->loops.at[j].is_map && variable_same(used.at[i], o->loops.at[j].mark));
    if (is_index || map_get(r->cells, used.at[i].x, NULL)) continue;
    char *name = text_format("%s in check", variable_name(r->ts, used.at[i]));
    type of = *variable_type(r->ts, used.at[i]);
    variable held = variable_fresh(r->ts, name, &of);
    memory_free(name);
    add_cell(r, held);
    VECTOR_PUSH(first->updates, (update){held, term_of_variable(r->ts, used.at[i])});
    substitution_set(by, used.at[i], term_of_variable(r->ts, held));
  }
  for (size_t i = 0; i < o->edge.updates.count; i++)
    o->edge.updates.at[i].value = substitution_apply(by, o->edge.updates.at[i].value);
  for (size_t i = 0; i < o->loops.count; i++) {
    quantifier *q = &o->loops.at[i];
    q->low = quantifiers_apply(&r->l->quantifiers, r->ts, by, q->low);
    q->high = quantifiers_apply(&r->l->quantifiers, r->ts, by, q->high);
    q->body = quantifiers_apply(&r->l->quantifiers, r->ts, by, q->body);
    if (q->is_map) q->start = quantifiers_apply(&r->l->quantifiers, r->ts, by, q->start);
  }
  substitution_free(by);
  VECTOR_FREE(all);
  VECTOR_FREE(used);
}

static void resolve_edge(resolver *r, flow_edge e) { resolve(r, (open_edge){.edge = e}); }

/* First the condition, then loop by loop, then what the edge does. */
static void add_loops(resolver *r, TAKE open_edge o) {
  terms *ts = r->ts;
  flow_edge first = edge_copy(&o.edge);
  VECTOR_FREE(first.updates);
  quantifier at_first = o.loops.at[0]; /* the first step reads what the later ones find in cells */
  freeze(r, &o, &first);
  flow_edge before = first;
  for (size_t i = 0; i < o.loops.count; i++) {
    const quantifier *q = &o.loops.at[i];
    uint32_t here = add_place(r, &o.edge);
    term index = term_of_variable(ts, q->index);
    add_cell(r, q->index);
    VECTOR_PUSH(before.updates, (update){q->index, i ? q->low : at_first.low});
    if (q->is_map) add_cell(r, q->mark);
    if (q->is_map) VECTOR_PUSH(before.updates, (update){q->mark, i ? q->start : at_first.start});
    before.to = here;
    resolve_edge(r, before);
    flow_edge round = {.from = here, .to = here, .name = "", .at = o.edge.at};
    round.guard = term_and(ts, term_le(ts, index, q->high), q->is_map ? TERM_TRUE : q->body);
    if (q->is_map)
      VECTOR_PUSH(round.updates, (update){q->mark, term_store(ts, term_of_variable(ts, q->mark), index, q->body)});
    VECTOR_PUSH(round.updates, (update){q->index, term_add(ts, index, term_int(ts, 1))});
    resolve_edge(r, round);
    before = (flow_edge){.from = here, .name = "", .at = o.edge.at, .guard = term_gt(ts, index, q->high)};
  }
  VECTOR_COPY(before.updates, o.edge.updates);
  before.to = o.edge.to;
  resolve_edge(r, before);
  open_clear(&o);
}

/* ---- an edge ---- */

static void resolve(resolver *r, TAKE open_edge o) {
  term_vector all = {0};
  edge_terms(r, &o.edge, &all);
  const quantifier *found = quantifiers_first(&r->l->quantifiers, r->ts, all.count, all.at);
  VECTOR_FREE(all);
  if (r->depth > DEEPEST || !lowering_spend(r->l, INSTANCE_WORK, 0)) {
    if (r->depth > DEEPEST && !r->l->exhausted)
      report_error(r->l->reporter, found ? found->at->at.start : 0, "too many quantifiers in one step");
    r->l->exhausted = true;
    open_clear(&o);
    return;
  }
  r->depth++;
  if (found && found->is_map) {
    quantifier q = *found;
    open_map(r, &o, &q);
    resolve(r, o);
  } else if (found) {
    quantifier q = *found;
    unsigned depends = edge_polarity(r, &o.edge, q.mark);
    resolve_as(r, &o, &q, true, depends & GROWS);
    resolve_as(r, &o, &q, false, depends & SHRINKS);
    open_clear(&o);
  } else if (o.loops.count) {
    add_loops(r, o);
  } else {
    o.edge.guard = term_and(r->ts, o.edge.guard, arrays_read_in_types(r->ts, r->g, &o.edge));
    if (term_is_false(o.edge.guard))
      flow_edge_clear(&o.edge);
    else
      VECTOR_PUSH(r->done, o.edge);
    VECTOR_FREE(o.loops);
  }
  r->depth--;
}

void arrays_resolve(lowering *l, flow_graph *g) {
  resolver r = {.l = l, .ts = l->terms, .g = g, .cells = map_new()};
  flow_edges all = g->edges;
  g->edges = (flow_edges){0};
  for (size_t i = 0; i < g->cells.count; i++) map_set(r.cells, g->cells.at[i].x, i);
  for (size_t i = 0; i < all.count; i++) {
    if (l->exhausted)
      flow_edge_clear(&all.at[i]);
    else
      resolve_edge(&r, all.at[i]);
  }
  VECTOR_FREE(all);
  g->edges = r.done;
  map_free(r.cells);
}
