/* Which cells matter at which place: going backwards along edges until nothing changes. */
#include "input/c/lower.h"

term c_edge_value(const c_lowering *l, const c_edge *e, size_t cell) {
  variable v = l->cells.at[cell].var;
  for (size_t i = 0; i < e->updates.count; i++)
    if (variable_same(e->updates.at[i].var, v)) return e->updates.at[i].value;
  return term_of_variable(l->ts, v);
}

/* An edge as reading needs it: by update, which cells its value reads. */
typedef struct edge_reads {
  bits always;               /* read by the guard and by calls */
  bits written;              /* cells with an update */
  VECTOR(bits) by_update;    /* what the value reads */
  VECTOR(size_t) of_updates; /* the cells */
} edge_reads;

static void note_reads(const c_lowering *l, const c_liveness *v, term t, bits *out) {
  variable_vector all = {0};
  uint64_t cell;
  term_variables(l->ts, 1, &t, &all);
  for (size_t i = 0; i < all.count; i++)
    if (map_get(v->cells, all.at[i].x, &cell)) bits_add(out, cell);
  VECTOR_FREE(all);
}

static edge_reads reads_of(const c_lowering *l, const c_liveness *v, const c_edge *e) {
  size_t cells = l->cells.count;
  edge_reads r = {.always = bits_new(cells), .written = bits_new(cells)};
  note_reads(l, v, e->guard, &r.always);
  for (size_t i = 0; i < e->calls.count; i++)
    for (size_t j = 0; j < l->procedures.at[e->calls.at[i].procedure].in.count; j++)
      note_reads(l, v, e->calls.at[i].in[j], &r.always);
  for (size_t i = 0; i < e->updates.count; i++) {
    uint64_t cell = 0;
    bits reads = bits_new(cells);
    REQUIRE(map_get(v->cells, e->updates.at[i].var.x, &cell), "updates of cells");
    note_reads(l, v, e->updates.at[i].value, &reads);
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

static void go_back_until_the_end(const c_lowering *l, c_liveness *v, const edge_reads *reads) {
  bits scratch = bits_new(l->cells.count);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = l->edges.count; i-- > 0;)
      more |= go_back(&reads[i], &v->at[l->edges.at[i].to], &v->at[l->edges.at[i].from], &scratch);
  }
  bits_free(&scratch);
}

void c_liveness_find(const c_lowering *l, c_liveness *out) {
  out->cells = map_new();
  out->at = MEMORY_ARRAY(bits, l->places.count + 1);
  for (size_t i = 0; i < l->cells.count; i++) map_set(out->cells, l->cells.at[i].var.x, i);
  for (size_t i = 0; i < l->places.count; i++) out->at[i] = bits_new(l->cells.count);
  for (size_t i = 0; i < l->procedures.count; i++) {
    const c_procedure *p = &l->procedures.at[i];
    for (size_t j = 0; j < p->kept.count; j++) bits_add(&out->at[p->exit], p->kept.at[j]);
    for (size_t j = 0; j < p->out.count; j++) bits_add(&out->at[p->exit], p->out.at[j]);
  }
  for (size_t i = 0; i < l->invariants.count; i++)
    note_reads(l, out, l->invariants.at[i].formula, &out->at[l->invariants.at[i].place]);
  edge_reads *reads = MEMORY_ARRAY(edge_reads, l->edges.count + 1);
  for (size_t i = 0; i < l->edges.count; i++) reads[i] = reads_of(l, out, &l->edges.at[i]);
  go_back_until_the_end(l, out, reads);
  for (size_t i = 0; i < l->edges.count; i++) edge_reads_free(&reads[i]);
  memory_free(reads);
}

void c_liveness_free(const c_lowering *l, c_liveness *v) {
  for (size_t i = 0; i < l->places.count; i++) bits_free(&v->at[i]);
  memory_free(v->at);
  map_free(v->cells);
}
