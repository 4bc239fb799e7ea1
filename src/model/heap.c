/* Heaps in traces (nodes by position) and in the words of searched states (nodes as a walk meets them). */
#include "model/heap.h"

static bool is_node(const model *m, size_t position) {
  return variable_type(m->terms, m->variables.at[position].var)->sort == SORT_NODE;
}

/* ---- traces ---- */

/* The node of `v` in a state by position; null if it has no cell. */
static uint32_t node_in(const model *m, const number *state, size_t cells, variable v) {
  int64_t node;
  bool has_cell = number_to_int64(state[model_position(m, v)], &node) && node > 0 && (uint64_t)node <= cells;
  return has_cell ? (uint32_t)node : 0;
}

void heap_tag(const model *m, const heap_cells *cells, number *assignment) {
  for (size_t i = 0; i < m->variables.count; i++) {
    if (!is_node(m, i)) continue;
    number *at = &assignment[m->variables.at[i].var.x];
    int64_t node;
    bool has_cell = number_to_int64(*at, &node) && node > 0 && (uint64_t)node <= cells->count;
    *at = number_of(has_cell ? heap_tagged(node, cells->at[node - 1].data) : 0);
  }
}

void heap_run(const model *m, const heap_command *h, bool value, const number *before, number *after,
              heap_cells *cells) {
  if (h->kind == HEAP_NONE) return;
  size_t at = model_position(m, h->target);
  bool has_source = h->kind == HEAP_COPY || h->kind == HEAP_NEXT || h->kind == HEAP_SET_NEXT;
  uint32_t target = node_in(m, before, cells->count, h->target);
  uint32_t source = has_source ? node_in(m, before, cells->count, h->source) : 0;
  switch (h->kind) {
    case HEAP_NONE: break;
    case HEAP_NEW:
      VECTOR_PUSH(*cells, (heap_cell){.data = value});
      after[at] = number_of((int64_t)cells->count);
      break;
    case HEAP_COPY:
    case HEAP_CLEAR: after[at] = number_of(source); break;
    case HEAP_NEXT:
      if (source) after[at] = number_of(cells->at[source - 1].next);
      break;
    case HEAP_SET_NEXT:
    case HEAP_CUT_NEXT:
      if (target) cells->at[target - 1].next = source;
      break;
    case HEAP_SET_DATA:
      if (target) cells->at[target - 1].data = value;
      break;
  }
}

void heap_decide(const model *m, const number *tagged, substitution *s) {
  terms *ts = m->terms;
  for (size_t i = 0; i < m->variables.count; i++) {
    if (!is_node(m, i)) continue;
    variable p = m->variables.at[i].var;
    substitution_decide(s, term_heap_null(ts, p), term_of_bool(number_is(tagged[p.x], 0)));
    substitution_decide(s, term_heap_data(ts, p), term_of_bool(number_is(number_mod(tagged[p.x], number_of(2)), 1)));
    for (size_t j = 0; j < i; j++) {
      variable q = m->variables.at[j].var;
      if (!is_node(m, j)) continue;
      substitution_decide(s, term_heap_same(ts, p, q), term_of_bool(number_equal(tagged[p.x], tagged[q.x])));
    }
  }
}

/* ---- words ---- */

void heap_words_tag(const model *m, const int64_t *state, int64_t *words) {
  size_t count = m->variables.count;
  for (size_t i = 0; i < count; i++)
    if (is_node(m, i)) words[i] = state[i] ? heap_tagged(state[i], state[count + (size_t)state[i] - 1] & 1) : 0;
}

/* Numbers the nodes as a walk from the variables meets them; `cells[n]` is the word of node n. False if there are
 * more than `nodes`. */
static bool pack(const model *m, size_t nodes, const int64_t *cells, int64_t *out) {
  size_t count = m->variables.count, met = 0;
  int64_t *number_of_node = MEMORY_ARRAY(int64_t, nodes + 2), *order = MEMORY_ARRAY(int64_t, nodes + 2);
  for (size_t i = 0; i < count; i++) {
    if (!is_node(m, i)) continue;
    for (int64_t n = out[i]; n && !number_of_node[n]; n = cells[n] >> 1) {
      order[met] = n;
      number_of_node[n] = (int64_t)++met;
    }
    out[i] = number_of_node[out[i]];
  }
  for (size_t k = 0; k < nodes; k++)
    out[count + k] = k < met ? heap_tagged(number_of_node[cells[order[k]] >> 1], cells[order[k]] & 1) : 0;
  memory_free(number_of_node);
  memory_free(order);
  return met <= nodes;
}

bool heap_words_run(const model *m, const heap_command *h, bool value, size_t nodes, const int64_t *state,
                    int64_t *out) {
  size_t count = m->variables.count;
  if (h->kind == HEAP_NONE) {
    memcpy(out + count, state + count, nodes * sizeof *out);
    return true;
  }
  int64_t *cells = MEMORY_ARRAY(int64_t, nodes + 2);
  memcpy(cells + 1, state + count, nodes * sizeof *cells);
  size_t at = model_position(m, h->target);
  bool has_source = h->kind == HEAP_COPY || h->kind == HEAP_NEXT || h->kind == HEAP_SET_NEXT;
  int64_t target = state[at], source = has_source ? state[model_position(m, h->source)] : 0;
  switch (h->kind) {
    case HEAP_NONE: break;
    case HEAP_NEW:
      out[at] = (int64_t)nodes + 1; /* one more than a state has; packing finds out whether another went */
      cells[nodes + 1] = value;
      break;
    case HEAP_COPY:
    case HEAP_CLEAR: out[at] = source; break;
    case HEAP_NEXT: out[at] = cells[source] >> 1; break;
    case HEAP_SET_NEXT:
    case HEAP_CUT_NEXT: cells[target] = heap_tagged(source, cells[target] & 1); break;
    case HEAP_SET_DATA: cells[target] = heap_tagged(cells[target] >> 1, value); break;
  }
  bool fits = pack(m, nodes, cells, out);
  memory_free(cells);
  return fits;
}
