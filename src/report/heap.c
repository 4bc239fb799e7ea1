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
static void add_edge_to(size_t k, const char *from, size_t to, const char *label, text *out) {
  if (!to) text_add(out, "    %s%s_null [shape=plaintext,label=\"null\"];\n", from, label);
  text_add(out, "    %s -> ", from);
  if (to)
    text_add(out, "g%zu_%zu", k, to);
  else
    text_add(out, "%s%s_null", from, label);
  text_add(out, *label ? " [label=\"%s\"];\n" : ";\n", label);
}

static void add_node(const model *m, size_t k, size_t n, const heap_graph *g, text *out) {
  const heap_node *node = &g->nodes[n];
  char from[64], label[64];
  text data = {0};
  heap_values_print(m->nodes, node->data, " ", &data);
  snprintf(from, sizeof from, "g%zu_%zu", k, n);
  text_add(out, "    %s [shape=%s%s,label=", from, node->is_summary ? "doublecircle" : "circle",
           node->shared ? ",style=dashed" : "");
  text_add_quoted(out, text_string(&data));
  text_add(out, "];\n");
  text_clear(&data);
  for (size_t f = 0; f < g->fields; f++) {
    snprintf(label, sizeof label, "%s", g->fields > 1 ? m->nodes->pointers[f] : "");
    for (size_t to = 0; to <= g->count; to++)
      if (node->next[f] & NODE(to)) add_edge_to(k, from, to, label, out);
  }
}

static void add_graph(const model *m, const variable_vector *variables, size_t k, const heap_graph *g, text *out) {
  char from[64];
  for (size_t i = 0; i < g->variables; i++) {
    snprintf(from, sizeof from, "g%zu_v%zu", k, i);
    text_add(out, "    %s [shape=plaintext,label=", from);
    text_add_quoted(out, variable_name(m->terms, variables->at[i]));
    text_add(out, "];\n");
    add_edge_to(k, from, g->at[i], "", out);
  }
  for (size_t n = 1; n <= g->count; n++) add_node(m, k, n, g, out);
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
