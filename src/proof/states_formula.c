/* The diagram as a formula, from its last level up, without the levels that init gives a value. */
#include "proof/states_formula.h"

#include "base/map.h"
#include "proof/evidence.h"

term states_formula_value(terms *ts, variable v, int64_t value) {
  return variable_type(ts, v)->sort == SORT_BOOL ? term_of_bool(value != 0) : term_int(ts, value);
}

/* Levels to which a conjunct of init gives a value: `is_fixed[level]` and `values[level]`. */
static void read_fixed(const model *m, const diagram *d, bool *is_fixed, int64_t *values) {
  map *levels = map_new();
  term_vector parts = {0};
  for (size_t i = 0; i < d->levels.count; i++) map_set(levels, d->levels.at[i].x, i);
  term_conjuncts(m->terms, m->init, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    fixed_value f;
    uint64_t level;
    int64_t value;
    if (!fixed_of_literal(m->terms, parts.at[i], &f) || !map_get(levels, f.var.x, &level)) continue;
    if (!number_to_int64(f.value, &value)) continue;
    is_fixed[level] = true;
    values[level] = value;
  }
  VECTOR_FREE(parts);
  map_free(levels);
}

term states_formula_where_initial(const model *m, const diagram *d) {
  if (d->is_empty) return TERM_FALSE;
  bool *is_fixed = MEMORY_ARRAY(bool, d->levels.count), *is_met = MEMORY_ARRAY(bool, d->nodes.count);
  int64_t *values = MEMORY_ARRAY(int64_t, d->levels.count);
  term *nodes = MEMORY_ARRAY(term, d->nodes.count);
  term_vector edges = {0};
  read_fixed(m, d, is_fixed, values);
  is_met[d->root] = true;
  for (size_t n = d->nodes.count; n-- > 1;) {
    const diagram_node *node = &d->nodes.at[n];
    for (uint32_t i = 0; i < node->count && is_met[n]; i++) {
      const diagram_edge *e = &d->edges.at[node->first + i];
      if (!is_fixed[node->level] || (e->low <= values[node->level] && values[node->level] <= e->high))
        is_met[e->child] = true;
    }
  }
  for (size_t n = 1; n < d->nodes.count; n++) {
    const diagram_node *node = &d->nodes.at[n];
    if (!is_met[n]) continue;
    VECTOR_CLEAR(edges);
    for (uint32_t i = 0; i < node->count; i++) {
      const diagram_edge *e = &d->edges.at[node->first + i];
      if (!is_met[e->child]) continue;
      term within = diagram_edge_term(m->terms, d->levels.at[node->level], e);
      if (is_fixed[node->level]) within = term_of_bool(e->low <= values[node->level] && values[node->level] <= e->high);
      VECTOR_PUSH(edges, term_and(m->terms, within, nodes[e->child]));
    }
    nodes[n] = term_or_all(m->terms, edges.count, edges.at);
  }
  term result = nodes[d->root];
  VECTOR_FREE(edges);
  memory_free(nodes);
  memory_free(values);
  memory_free(is_fixed);
  memory_free(is_met);
  return result;
}
