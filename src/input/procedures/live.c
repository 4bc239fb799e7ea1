/* Which cells matter at which place: going backwards along edges until nothing changes. */
#include "input/procedures/flow.h"

term flow_edge_value(terms *ts, const flow_edge *e, variable cell) {
  for (size_t i = 0; i < e->updates.count; i++)
    if (variable_same(e->updates.at[i].var, cell)) return e->updates.at[i].value;
  return term_of_variable(ts, cell);
}

void flow_edge_clear(flow_edge *e) {
  VECTOR_FREE(e->updates);
  VECTOR_FREE(e->inputs);
  VECTOR_FREE(e->calls);
}

/* An edge as reading needs it: by update, which cells its value reads. */
typedef struct edge_reads {
  bits always;               /* read by the guard and by calls */
  bits written;              /* cells with an update */
  VECTOR(bits) by_update;    /* what the value reads */
  VECTOR(size_t) of_updates; /* the cells */
} edge_reads;

static void note_reads(const flow_graph *g, const flow_liveness *v, term t, bits *out) {
  variable_vector all = {0};
  uint64_t cell;
  term_variables(g->ts, 1, &t, &all);
  for (size_t i = 0; i < all.count; i++)
    if (map_get(v->cells, all.at[i].x, &cell)) bits_add(out, cell);
  VECTOR_FREE(all);
}

static edge_reads reads_of(const flow_graph *g, const flow_liveness *v, const flow_edge *e) {
  size_t cells = g->cells.count;
  edge_reads r = {.always = bits_new(cells), .written = bits_new(cells)};
  note_reads(g, v, e->guard, &r.always);
  for (size_t i = 0; i < e->calls.count; i++)
    for (size_t j = 0; j < g->procedures.at[e->calls.at[i].procedure].in.count; j++)
      note_reads(g, v, e->calls.at[i].in[j], &r.always);
  for (size_t i = 0; i < e->updates.count; i++) {
    uint64_t cell = 0;
    bits reads = bits_new(cells);
    REQUIRE(map_get(v->cells, e->updates.at[i].var.x, &cell), "updates of cells");
    note_reads(g, v, e->updates.at[i].value, &reads);
    bits_add(&r.written, cell);
    VECTOR_PUSH(r.by_update, reads);
    VECTOR_PUSH(r.of_updates, (size_t)cell);
  }
  return r;
}

static void edge_reads_free(edge_reads *r) {
  bits_free(&r->always);
  bits_free(&r->written);
  for (size_t i = 0; i < r->by_update.count; i++) bits_free(&r->by_update.at[i]);
  VECTOR_FREE(r->by_update);
  VECTOR_FREE(r->of_updates);
}

/* True if more is known to matter at the start of the edge. */
static bool go_back(const edge_reads *r, const bits *after, bits *before, bits *scratch) {
  bits_assign(scratch, after);
  bits_minus(scratch, &r->written);
  bits_unite(scratch, &r->always);
  for (size_t i = 0; i < r->by_update.count; i++)
    if (bits_has(after, r->of_updates.at[i])) bits_unite(scratch, &r->by_update.at[i]);
  if (bits_is_within(scratch, before)) return false;
  bits_unite(before, scratch);
  return true;
}

static void go_back_until_the_end(const flow_graph *g, flow_liveness *v, const edge_reads *reads) {
  bits scratch = bits_new(g->cells.count);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = g->edges.count; i-- > 0;)
      more |= go_back(&reads[i], &v->at[g->edges.at[i].to], &v->at[g->edges.at[i].from], &scratch);
  }
  bits_free(&scratch);
}

void flow_liveness_find(const flow_graph *g, flow_liveness *out) {
  out->places = g->places.count;
  out->cells = map_new();
  out->at = MEMORY_ARRAY(bits, g->places.count + 1);
  for (size_t i = 0; i < g->cells.count; i++) map_set(out->cells, g->cells.at[i].x, i);
  for (size_t i = 0; i < g->places.count; i++) out->at[i] = bits_new(g->cells.count);
  for (size_t i = 0; i < g->procedures.count; i++) {
    const flow_procedure *p = &g->procedures.at[i];
    for (size_t j = 0; j < p->kept.count; j++) bits_add(&out->at[p->exit], p->kept.at[j]);
    for (size_t j = 0; j < p->out.count; j++) bits_add(&out->at[p->exit], p->out.at[j]);
  }
  for (size_t i = 0; i < g->readings.count; i++)
    note_reads(g, out, g->readings.at[i].what, &out->at[g->readings.at[i].place]);
  edge_reads *reads = MEMORY_ARRAY(edge_reads, g->edges.count + 1);
  for (size_t i = 0; i < g->edges.count; i++) reads[i] = reads_of(g, out, &g->edges.at[i]);
  go_back_until_the_end(g, out, reads);
  for (size_t i = 0; i < g->edges.count; i++) edge_reads_free(&reads[i]);
  memory_free(reads);
}

void flow_liveness_clear(flow_liveness *v) {
  for (size_t i = 0; i < v->places; i++) bits_free(&v->at[i]);
  memory_free(v->at);
  map_free(v->cells);
}
