/* The pointer variables that graphs of heaps speak of, and graphs as text. */
#include "model/heap_graph.h"

const char *heap_variables(const model *m, variable_vector *out) {
  for (size_t i = 0; i < m->variables.count; i++)
    if (variable_type(m->terms, m->variables.at[i].var)->sort == SORT_NODE) VECTOR_PUSH(*out, m->variables.at[i].var);
  return out->count > HEAP_MOST_VARIABLES ? "more than 32 variables for nodes" : NULL;
}

size_t heap_variable_index(const variable_vector *all, variable v) {
  for (size_t i = 0; i < all->count; i++)
    if (variable_same(all->at[i], v)) return i;
  REQUIRE(false, "a node variable of the model");
  return 0;
}

node_set heap_graph_named(const heap_graph *g) {
  node_set named = 0;
  for (size_t i = 0; i < g->variables; i++) named |= NODE(g->at[i]);
  return named & ~NODE(0);
}

/* a, b, .. z, n27, n28, .. */
static void print_node(size_t n, text *out) {
  if (n == 0)
    text_add(out, "null");
  else if (n <= 26)
    text_add_char(out, (char)('a' + n - 1));
  else
    text_add(out, "n%zu", n);
}

void heap_graph_print(const terms *ts, const variable_vector *variables, const heap_graph *g, text *out) {
  for (size_t i = 0; i < g->variables; i++) {
    text_add(out, "%s%s -> ", i ? ", " : "", variable_shown(ts, variables->at[i]));
    print_node(g->at[i], out);
  }
  for (size_t n = 1; n <= g->count; n++) {
    const heap_node *node = &g->nodes[n];
    text_add(out, "; ");
    print_node(n, out);
    text_add(out, "%s%s [%s%s] ->", node->is_summary ? "*" : "", node->is_shared ? "+" : "",
             node->data & DATA_FALSE ? "0" : "", node->data & DATA_TRUE ? "1" : "");
    bool first = true;
    for (size_t k = 0; k <= g->count; k++) {
      if (!(node->next & NODE(k))) continue;
      text_add(out, first ? " " : ", ");
      print_node(k, out);
      first = false;
    }
  }
}
