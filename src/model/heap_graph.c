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

uint32_t heap_all_reached(size_t variables) {
  return variables >= HEAP_MOST_VARIABLES ? UINT32_MAX : (UINT32_C(1) << variables) - 1;
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

uint16_t heap_all_back(size_t fields) {
  unsigned all = 0;
  for (size_t f = 0; f < fields; f++)
    for (size_t g = 0; g < fields; g++)
      if (f != g) all |= HEAP_BACK(f, g);
  return (uint16_t)all;
}

/* A value: the parts of its fields, truth values as digits. */
static void print_value(const node_layout *l, unsigned value, text *out) {
  for (size_t f = 0; f < l->field_count; f++) {
    unsigned part = node_part(l, f, value);
    if (f) text_add_char(out, '/');
    if (l->fields[f].of.sort == SORT_BOOL)
      text_add(out, "%u", part);
    else
      node_part_print(l, f, part, out);
  }
}

void heap_values_print(const node_layout *l, uint64_t data, const char *between, text *out) {
  bool first = true;
  for (unsigned v = 0; v <= NODE_FREED; v++) {
    if (!(data & NODE_VALUE(v))) continue;
    if (!first) text_add(out, "%s", between);
    first = false;
    if (v == NODE_FREED)
      text_add(out, "freed");
    else
      print_value(l, v, out);
  }
}

static void print_set(const heap_graph *g, node_set set, text *out) {
  bool first = true;
  for (size_t k = 0; k <= g->count; k++) {
    if (!(set & NODE(k))) continue;
    text_add(out, first ? " " : ", ");
    print_node(k, out);
    first = false;
  }
}

void heap_graph_print(const terms *ts, const variable_vector *variables, const heap_graph *g, text *out) {
  const node_layout *l = type_layout(variable_type(ts, variables->at[0]));
  for (size_t i = 0; i < g->variables; i++) {
    text_add(out, "%s%s -> ", i ? ", " : "", variable_shown(ts, variables->at[i]));
    print_node(g->at[i], out);
  }
  for (size_t n = 1; n <= g->count; n++) {
    const heap_node *node = &g->nodes[n];
    text_add(out, "; ");
    print_node(n, out);
    text_add(out, "%s%s [", node->is_summary ? "*" : "", node->shared ? "+" : "");
    heap_values_print(l, node->data, l == &node_layout_default ? "" : " ", out);
    text_add(out, "]");
    for (size_t f = 0; f < g->fields; f++) {
      if (g->fields > 1) text_add(out, "%s %s", f ? "," : "", l->pointers[f]);
      text_add(out, " ->");
      print_set(g, node->next[f], out);
    }
  }
}
