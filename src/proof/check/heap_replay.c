/* One command at a time on explicit cells: what it must have changed is compared, and all else must be as it was. */
#include "proof/check/heap_replay.h"

static bool is_node(const model *m, size_t position) {
  return variable_type(m->terms, m->variables.at[position].var)->sort == SORT_NODE;
}

/* Which node the variable at `position` names; false if it names none. */
static bool read_node(const trace_step *s, size_t position, size_t *node) {
  int64_t n;
  if (position >= s->values.count || !number_to_int64(s->values.at[position], &n)) return false;
  if (n < 0 || (uint64_t)n > s->heap.count) return false;
  *node = (size_t)n;
  return true;
}

char *heap_replay_load(const model *m, const trace_step *s, number *values) {
  for (size_t i = 0; i < s->heap.count; i++) {
    const heap_cell *c = &s->heap.at[i];
    bool has_value = c->value < m->nodes->values || (m->frees && c->value == NODE_FREED);
    if (!has_value) return text_format("node %zu has no such data", i + 1);
    for (size_t f = 0; f < m->nodes->pointer_count; f++)
      if (c->next[f] > s->heap.count) return text_format("node %zu has no such %s node", i + 1, m->nodes->pointers[f]);
  }
  for (size_t i = 0; i < m->variables.count; i++) {
    size_t node;
    variable v = m->variables.at[i].var;
    if (!is_node(m, i)) continue;
    if (!read_node(s, i, &node)) return text_format("%s is no node", variable_shown(m->terms, v));
    values[v.x] = number_of(node ? node_tagged((int64_t)node, s->heap.at[node - 1].value) : 0);
  }
  return NULL;
}

static GIVE char *compare_cells(const model *m, const trace_step *after, const heap_cell *wanted, size_t count) {
  if (after->heap.count != count) return text_format("there are %zu nodes, not %zu", after->heap.count, count);
  for (size_t i = 0; i < count; i++) {
    const heap_cell *got = &after->heap.at[i];
    if (got->value != wanted[i].value) return text_format("the data of node %zu is another", i + 1);
    for (size_t f = 0; f < m->nodes->pointer_count; f++)
      if (got->next[f] != wanted[i].next[f])
        return text_format("the %s node of node %zu is another", m->nodes->pointers[f], i + 1);
  }
  return NULL;
}

typedef struct replaying {
  const model *model;
  heap_cell *cells;
  size_t count;
  size_t *at; /* by position: the node of a variable */
} replaying;

/* Marks what can be reached from the variables, but for that of lost nodes, until nothing is added. */
static bool is_led_to(const replaying *r, size_t wanted) {
  const model *m = r->model;
  bool *led = MEMORY_ARRAY(bool, r->count + 1), grows = true;
  for (size_t i = 0; i < m->variables.count; i++)
    if (is_node(m, i) && !variable_same(m->variables.at[i].var, m->lost)) led[r->at[i]] = true;
  while (grows) {
    grows = false;
    for (size_t n = 1; n <= r->count; n++) {
      for (size_t f = 0; led[n] && f < m->nodes->pointer_count; f++) {
        grows |= !led[r->cells[n - 1].next[f]];
        led[r->cells[n - 1].next[f]] = true;
      }
    }
  }
  bool found = led[wanted];
  memory_free(led);
  return found;
}

static void do_command(replaying *r, const heap_command *h, unsigned value, size_t source) {
  size_t *target = &r->at[model_position(r->model, h->target)];
  heap_cell *cell = *target ? &r->cells[*target - 1] : NULL;
  if (h->kind == HEAP_SET_DATA) cell->value = (uint8_t)node_with(r->model->nodes, h->field, cell->value, value);
  if (h->kind == HEAP_SET_NEXT || h->kind == HEAP_CUT_NEXT) cell->next[h->field] = (uint32_t)source;
  if (h->kind == HEAP_FREE) *cell = (heap_cell){.value = NODE_FREED};
  if (h->kind == HEAP_COPY || h->kind == HEAP_CLEAR) *target = source;
  if (h->kind == HEAP_NEXT) *target = r->cells[source - 1].next[h->field];
  if (h->kind != HEAP_NEW) return;
  r->cells[r->count++] = (heap_cell){.value = (uint8_t)value};
  *target = r->count;
}

/* What had a way that the command took and is not freed, and has no other: the variable for lost nodes is that. */
static void note_lost(replaying *r, const heap_command *h, size_t old_node, const heap_cell *old_cell) {
  const model *m = r->model;
  size_t *lost = &r->at[model_position(m, m->lost)];
  bool changes_field = h->kind == HEAP_SET_NEXT || h->kind == HEAP_CUT_NEXT;
  if (h->kind == HEAP_SET_DATA) return;
  if (!changes_field && h->kind != HEAP_FREE) {
    if (!*lost && old_node && old_cell->value != NODE_FREED && !is_led_to(r, old_node)) *lost = old_node;
    return;
  }
  for (size_t f = 0; f < m->nodes->pointer_count; f++) {
    uint32_t node = old_cell->next[f];
    if (*lost || (changes_field && f != h->field) || !node) continue;
    if (r->cells[node - 1].value != NODE_FREED && !is_led_to(r, node)) *lost = node;
  }
}

static GIVE char *compare_variables(const replaying *r, const trace_step *after) {
  const model *m = r->model;
  for (size_t i = 0; i < m->variables.count; i++) {
    size_t node;
    if (!is_node(m, i) || (read_node(after, i, &node) && node == r->at[i])) continue;
    return text_format("%s is another node", variable_shown(m->terms, m->variables.at[i].var));
  }
  return NULL;
}

char *heap_replay_step(const model *m, const heap_command *h, unsigned value, const trace_step *before,
                       const trace_step *after) {
  size_t target = 0, source = 0;
  bool reads_source = h->kind == HEAP_COPY || h->kind == HEAP_NEXT || h->kind == HEAP_SET_NEXT;
  if (h->kind != HEAP_NONE && !read_node(before, model_position(m, h->target), &target)) return text_format("no node");
  if (reads_source && !read_node(before, model_position(m, h->source), &source)) return text_format("no node");
  bool writes_field =
      h->kind == HEAP_SET_NEXT || h->kind == HEAP_CUT_NEXT || h->kind == HEAP_SET_DATA || h->kind == HEAP_FREE;
  if ((writes_field && !target) || (h->kind == HEAP_NEXT && !source)) return text_format("a field of null");
  if (value >= NODE_MOST_VALUES) return text_format("no such data");
  replaying r = {m, MEMORY_ARRAY(heap_cell, before->heap.count + 1), before->heap.count,
                 MEMORY_ARRAY(size_t, m->variables.count + 1)};
  if (r.count) memcpy(r.cells, before->heap.at, r.count * sizeof *r.cells);
  for (size_t i = 0; i < m->variables.count; i++)
    if (is_node(m, i)) read_node(before, i, &r.at[i]);
  heap_cell old = target ? r.cells[target - 1] : (heap_cell){0};
  if (h->kind != HEAP_NONE) {
    do_command(&r, h, value, source);
    if (m->frees) note_lost(&r, h, target, &old);
  }
  char *what = compare_cells(m, after, r.cells, r.count);
  if (!what) what = compare_variables(&r, after);
  memory_free(r.cells);
  memory_free(r.at);
  return what;
}
