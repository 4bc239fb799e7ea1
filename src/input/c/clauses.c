/* The places and edges of a program as the graph that other languages with procedures have too
 * (input/procedures/flow.h), and its clauses. */
#include "input/c/lower.h"

/* Edges, names and lists of cells stay those of the lowering. */
void c_graph_open(const c_lowering *l, flow_graph *g) {
  *g = (flow_graph){.ts = l->ts, .edges = l->edges};
  for (size_t i = 0; i < l->cells.count; i++) VECTOR_PUSH(g->cells, l->cells.at[i].var);
  for (size_t i = 0; i < l->places.count; i++)
    VECTOR_PUSH(g->places, (flow_place){.name = l->places.at[i].name, .at = l->places.at[i].at});
  for (uint32_t i = 0; i < ERROR_COUNT; i++) {
    g->places.at[l->errors[i]].is_error = true;
    g->places.at[l->errors[i]].property = i;
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

void c_clauses_make(c_lowering *l) {
  flow_graph g;
  l->model->is_c_program = true;
  c_graph_open(l, &g);
  flow_to_clauses(&g, l->model);
  c_graph_close(&g);
  c_properties_add(l);
  if (l->invariants.count)
    model_add_note(l->model, "invariants in the program are not used, for it has recursive functions");
  flow_clauses_finish(l->model);
}
