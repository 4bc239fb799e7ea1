/* Heaps in traces (nodes by position) and in the words of searched states (nodes as a walk meets them). */
#include "model/heap.h"

static bool is_node(const model *m, size_t position) {
  return variable_type(m->terms, m->variables.at[position].var)->sort == SORT_NODE;
}

/* ---- commands, on the node of each variable by position ---- */

/* The node that a variable other than `lost` leads to. */
static bool is_reached(const model *m, const uint32_t *at, const heap_cells *cells, uint32_t wanted) {
  bool *met = MEMORY_ARRAY(bool, cells->count + 1);
  VECTOR(uint32_t) left = {0};
  size_t lost = model_position(m, m->lost);
  met[0] = true;
  for (size_t i = 0; i < m->variables.count; i++)
    if (i != lost && is_node(m, i)) VECTOR_PUSH(left, at[i]);
  while (left.count) {
    uint32_t n = VECTOR_POP(left);
    if (met[n]) continue;
    met[n] = true;
    for (size_t f = 0; f < m->nodes->pointer_count; f++) VECTOR_PUSH(left, cells->at[n - 1].next[f]);
  }
  bool found = met[wanted];
  memory_free(met);
  VECTOR_FREE(left);
  return found;
}

/* What the command may take the last way to: where its target is, or what the fields that it changes lead to. */
static size_t find_victims(const model *m, const heap_command *h, uint32_t target, const heap_cells *cells,
                           uint32_t *victims) {
  size_t count = 0;
  switch (h->kind) {
    case HEAP_NEW:
    case HEAP_COPY:
    case HEAP_CLEAR:
    case HEAP_NEXT: victims[count++] = target; break;
    case HEAP_SET_NEXT:
    case HEAP_CUT_NEXT:
      if (target) victims[count++] = cells->at[target - 1].next[h->field];
      break;
    case HEAP_FREE:
      for (size_t f = 0; target && f < m->nodes->pointer_count; f++) victims[count++] = cells->at[target - 1].next[f];
      break;
    case HEAP_NONE:
    case HEAP_SET_DATA: break;
  }
  return count;
}

static void change(const model *m, const heap_command *h, unsigned value, uint32_t *at, heap_cells *cells) {
  uint32_t *variable = &at[model_position(m, h->target)], target = *variable;
  uint32_t source = heap_has_source(h->kind) ? at[model_position(m, h->source)] : 0;
  switch (h->kind) {
    case HEAP_NONE: break;
    case HEAP_NEW:
      VECTOR_PUSH(*cells, (heap_cell){.value = (uint8_t)value});
      *variable = (uint32_t)cells->count;
      break;
    case HEAP_COPY:
    case HEAP_CLEAR: *variable = source; break;
    case HEAP_NEXT:
      if (source) *variable = cells->at[source - 1].next[h->field];
      break;
    case HEAP_SET_NEXT:
    case HEAP_CUT_NEXT:
      if (target) cells->at[target - 1].next[h->field] = source;
      break;
    case HEAP_SET_DATA:
      if (target && cells->at[target - 1].value != NODE_FREED)
        cells->at[target - 1].value = (uint8_t)node_with(m->nodes, h->field, cells->at[target - 1].value, value);
      break;
    case HEAP_FREE:
      if (target) cells->at[target - 1] = (heap_cell){.value = NODE_FREED};
      break;
  }
}

static void run(const model *m, const heap_command *h, unsigned value, uint32_t *at, heap_cells *cells) {
  uint32_t victims[NODE_MOST_POINTERS];
  if (h->kind == HEAP_NONE) return;
  size_t count = m->frees ? find_victims(m, h, at[model_position(m, h->target)], cells, victims) : 0;
  change(m, h, value, at, cells);
  uint32_t *lost = m->frees ? &at[model_position(m, m->lost)] : NULL;
  for (size_t i = 0; i < count && !*lost; i++)
    if (victims[i] && cells->at[victims[i] - 1].value != NODE_FREED && !is_reached(m, at, cells, victims[i]))
      *lost = victims[i];
}

/* ---- traces ---- */

void heap_tag(const model *m, const heap_cells *cells, number *assignment) {
  for (size_t i = 0; i < m->variables.count; i++) {
    if (!is_node(m, i)) continue;
    number *at = &assignment[m->variables.at[i].var.x];
    int64_t node;
    bool has_cell = number_to_int64(*at, &node) && node > 0 && (uint64_t)node <= cells->count;
    *at = number_of(has_cell ? node_tagged(node, cells->at[node - 1].value) : 0);
  }
}

void heap_run(const model *m, const heap_command *h, unsigned value, const number *before, number *after,
              heap_cells *cells) {
  if (h->kind == HEAP_NONE) return;
  uint32_t *at = MEMORY_ARRAY(uint32_t, m->variables.count + 1);
  for (size_t i = 0; i < m->variables.count; i++) {
    int64_t node;
    bool has_cell = is_node(m, i) && number_to_int64(before[i], &node) && node > 0 && (uint64_t)node <= cells->count;
    at[i] = has_cell ? (uint32_t)node : 0;
  }
  run(m, h, value, at, cells);
  for (size_t i = 0; i < m->variables.count; i++)
    if (is_node(m, i)) after[i] = number_of(at[i]);
  memory_free(at);
}

void heap_decide_data(const model *m, variable p, unsigned value, substitution *s) {
  const node_layout *l = m->nodes;
  for (size_t f = 0; f < l->field_count; f++)
    for (unsigned part = 0; part < l->fields[f].size; part++) {
      uint64_t values = node_values_with(l, f, part);
      substitution_decide(s, term_heap_data(m->terms, p, values), term_of_bool(values >> value & 1));
    }
  if (m->frees)
    substitution_decide(s, term_heap_data(m->terms, p, NODE_VALUE(NODE_FREED)), term_of_bool(value == NODE_FREED));
}

void heap_decide(const model *m, const number *tagged, substitution *s) {
  terms *ts = m->terms;
  for (size_t i = 0; i < m->variables.count; i++) {
    if (!is_node(m, i)) continue;
    variable p = m->variables.at[i].var;
    int64_t value = 0;
    number_to_int64(number_mod(tagged[p.x], number_of(64)), &value);
    substitution_decide(s, term_heap_null(ts, p), term_of_bool(number_is(tagged[p.x], 0)));
    heap_decide_data(m, p, (unsigned)value, s);
    for (size_t j = 0; j < i; j++) {
      variable q = m->variables.at[j].var;
      if (!is_node(m, j)) continue;
      substitution_decide(s, term_heap_same(ts, p, q), term_of_bool(number_equal(tagged[p.x], tagged[q.x])));
    }
  }
}

/* ---- words ---- */

enum { BITS = 8 }; /* of a node's number or value; nodes are at most 60 (--nodes) */

int64_t heap_word_of(const heap_cell *c) {
  int64_t word = c->value;
  for (size_t f = 0; f < NODE_MOST_POINTERS; f++) word |= (int64_t)c->next[f] << BITS * (f + 1);
  return word;
}

heap_cell heap_word_cell(int64_t word) {
  heap_cell c = {.value = word & 255};
  for (size_t f = 0; f < NODE_MOST_POINTERS; f++) c.next[f] = word >> BITS * (f + 1) & 255;
  return c;
}

void heap_words_tag(const model *m, const int64_t *state, int64_t *words) {
  size_t count = m->variables.count;
  for (size_t i = 0; i < count; i++) {
    if (!is_node(m, i)) continue;
    words[i] = state[i] ? node_tagged(state[i], heap_word_cell(state[count + (size_t)state[i] - 1]).value) : 0;
  }
}

static void meet(uint32_t node, uint32_t *number_of_node, uint32_t *order, size_t *met) {
  if (!node || number_of_node[node]) return;
  order[*met] = node;
  number_of_node[node] = (uint32_t)++ * met;
}

/* Numbers the nodes as a walk from the variables meets them. False if there are more than `nodes`. */
static bool pack(const model *m, size_t nodes, const uint32_t *at, const heap_cells *cells, int64_t *out) {
  size_t count = m->variables.count, met = 0, done = 0;
  uint32_t *number_of_node = MEMORY_ARRAY(uint32_t, cells->count + 1),
           *order = MEMORY_ARRAY(uint32_t, cells->count + 1);
  for (size_t i = 0; i < count; i++) {
    if (!is_node(m, i)) continue;
    meet(at[i], number_of_node, order, &met);
    for (; done < met; done++)
      for (size_t f = 0; f < m->nodes->pointer_count; f++)
        meet(cells->at[order[done] - 1].next[f], number_of_node, order, &met);
    out[i] = number_of_node[at[i]];
  }
  for (size_t k = 0; k < nodes; k++) {
    heap_cell cell = {0};
    if (k < met) cell = cells->at[order[k] - 1];
    for (size_t f = 0; f < NODE_MOST_POINTERS; f++) cell.next[f] = number_of_node[cell.next[f]];
    out[count + k] = k < met ? heap_word_of(&cell) : 0;
  }
  memory_free(number_of_node);
  memory_free(order);
  return met <= nodes;
}

bool heap_words_run(const model *m, const heap_command *h, unsigned value, size_t nodes, const int64_t *state,
                    int64_t *out) {
  size_t count = m->variables.count;
  if (h->kind == HEAP_NONE) {
    memcpy(out + count, state + count, nodes * sizeof *out);
    return true;
  }
  heap_cells cells = {0};
  uint32_t *at = MEMORY_ARRAY(uint32_t, count + 1);
  for (size_t i = 0; i < count; i++) at[i] = is_node(m, i) ? (uint32_t)state[i] : 0;
  for (size_t k = 0; k < nodes; k++) VECTOR_PUSH(cells, heap_word_cell(state[count + k]));
  run(m, h, value, at, &cells);
  bool fits = pack(m, nodes, at, &cells, out);
  memory_free(at);
  VECTOR_FREE(cells);
  return fits;
}
