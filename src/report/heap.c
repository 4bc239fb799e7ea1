/* Writes each graph as a cluster of DOT, with an edge for every node that may come next. */
#include "report/heap.h"

#include "base/escape.h"
#include "term/print.h"

static void add_label(const model *m, const invariant_part *p, text *out) {
  text label = {0};
  term_print(m->terms, part_formula(m->terms, p), &label);
  text_add(out, "    label=");
  text_add_quoted(out, text_string(&label));
  text_add(out, ";\n");
  text_clear(&label);
}

/* Nodes of part `k` are called k_n; null is drawn once for each variable or node that may lead to it. */
static void add_edge_to(size_t k, const char *from, size_t to, text *out) {
  if (to) {
    text_add(out, "    %s -> g%zu_%zu;\n", from, k, to);
    return;
  }
  text_add(out, "    %s_null [shape=plaintext,label=\"null\"];\n    %s -> %s_null;\n", from, from, from);
}

static void add_graph(const model *m, const variable_vector *variables, size_t k, const heap_graph *g, text *out) {
  char from[64];
  for (size_t i = 0; i < g->variables; i++) {
    snprintf(from, sizeof from, "g%zu_v%zu", k, i);
    text_add(out, "    %s [shape=plaintext,label=", from);
    text_add_quoted(out, variable_name(m->terms, variables->at[i]));
    text_add(out, "];\n");
    add_edge_to(k, from, g->at[i], out);
  }
  for (size_t n = 1; n <= g->count; n++) {
    const heap_node *node = &g->nodes[n];
    snprintf(from, sizeof from, "g%zu_%zu", k, n);
    text_add(out, "    %s [shape=%s%s,label=\"%s\"];\n", from, node->is_summary ? "doublecircle" : "circle",
             node->is_shared ? ",style=dashed" : "",
             node->data == DATA_ANY    ? "0 1"
             : node->data == DATA_TRUE ? "1"
                                       : "0");
    for (size_t to = 0; to <= g->count; to++)
      if (node->next & NODE(to)) add_edge_to(k, from, to, out);
  }
}

void heap_dot(const model *m, const evidence *e, text *out) {
  variable_vector variables = {0};
  heap_variables(m, &variables);
  text_add(out, "digraph heap {\n  rankdir=LR;\n  node [fontsize=10];\n");
  for (size_t k = 0; k < e->parts.count; k++) {
    text_add(out, "  subgraph cluster_%zu {\n", k);
    add_label(m, &e->parts.at[k], out);
    if (e->parts.at[k].graph)
      add_graph(m, &variables, k, e->parts.at[k].graph, out);
    else
      text_add(out, "    g%zu_any [shape=plaintext,label=\"any heap\"];\n", k);
    text_add(out, "  }\n");
  }
  text_add(out, "}\n");
  VECTOR_FREE(variables);
}
