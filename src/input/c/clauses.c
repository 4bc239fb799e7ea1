/* The places and edges of a program as the graph that other languages with procedures have too
 * (input/procedures/flow.h), and its clauses. */
#include "input/c/source/source.h"

/* Edges, names and lists of cells stay those of the lowering. */
void c_graph_open(const c_lowering *l, flow_graph *g) {
  *g = (flow_graph){.ts = l->ts, .edges = l->edges};
  for (size_t i = 0; i < l->cells.count; i++) VECTOR_PUSH(g->cells, l->cells.at[i].var);
  for (size_t i = 0; i < l->places.count; i++)
    VECTOR_PUSH(g->places, (flow_place){.name = l->places.at[i].name, .at = l->places.at[i].at});
  for (uint32_t i = 0, property = 0; i < l->error_count; i++) {
    g->places.at[l->errors[i]].is_error = true;
    g->places.at[l->errors[i]].property = l->is_asked[i] ? property++ : NO_PROPERTY;
  }
  for (size_t i = 0; i < l->procedures.count; i++) {
    const c_procedure *p = &l->procedures.at[i];
    size_t results = c_type_is_integer(p->result);
    VECTOR_PUSH(g->procedures, (flow_procedure){p->entry, p->exit, p->in, p->kept, p->out, p->in.count, results});
  }
  for (size_t i = 0; i < l->invariants.count; i++)
    VECTOR_PUSH(g->readings, (flow_reading){l->invariants.at[i].place, l->invariants.at[i].formula});
}

void c_graph_close(flow_graph *g) {
  VECTOR_FREE(g->cells);
  VECTOR_FREE(g->places);
  VECTOR_FREE(g->procedures);
  VECTOR_FREE(g->readings);
}

typedef struct heads {
  const c_lowering *l;
  flow_liveness live;
  variable *by_cell;
} heads;

/* A place is a predicate over the cells that matter there, in their order. */
static bool head_in_clauses(void *context, uint32_t place, c_head *out) {
  heads *h = context;
  uint32_t predicate = c_predicate_of(h->l, place);
  if (predicate == NO_PREDICATE) return false;
  size_t next = 0;
  BITS_EACH (cell, &h->live.at[place])
    h->by_cell[cell] = h->l->model->clauses->predicates.at[predicate].parameters.at[next++];
  *out = (c_head){predicate, h->live.at[place], h->by_cell};
  return true;
}

static void keep_source(c_lowering *l, const flow_graph *g) {
  heads h = {.l = l, .by_cell = MEMORY_ARRAY(variable, l->cells.count + 1)};
  for (size_t i = 0; i < l->edges.count; i++)
    for (size_t j = 0; j < l->edges.at[i].inputs.count; j++) {
      const c_input *in = &l->edges.at[i].inputs.at[j];
      if (in->at.line) VECTOR_PUSH(l->inputs, (source_input){in->var, in->at});
    }
  flow_liveness_find(g, &h.live);
  c_procedures_keep(l, &h.live, c_loops_keep(l, head_in_clauses, &h));
  flow_liveness_clear(&h.live);
  memory_free(h.by_cell);
}

void c_clauses_make(c_lowering *l) {
  flow_graph g;
  l->model->is_c_program = true;
  c_graph_open(l, &g);
  flow_to_clauses(&g, l->model);
  keep_source(l, &g);
  c_graph_close(&g);
  c_properties_add(l);
  if (l->invariants.count)
    model_add_note(l->model, "invariants in the program are not used, for it has %s",
                   l->procedures.count ? "recursive functions" : "arrays that are not expanded");
  flow_clauses_finish(l->model);
}
