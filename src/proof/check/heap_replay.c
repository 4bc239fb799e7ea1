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
  for (size_t i = 0; i < s->heap.count; i++)
    if (s->heap.at[i].next > s->heap.count) return text_format("node %zu has no such next node", i + 1);
  for (size_t i = 0; i < m->variables.count; i++) {
    size_t node;
    variable v = m->variables.at[i].var;
    if (!is_node(m, i)) continue;
    if (!read_node(s, i, &node)) return text_format("%s is no node", variable_shown(m->terms, v));
    values[v.x] = number_of(node ? heap_tagged((int64_t)node, s->heap.at[node - 1].data) : 0);
  }
  return NULL;
}

static GIVE char *compare_cells(const trace_step *after, const heap_cell *wanted, size_t count) {
  if (after->heap.count != count) return text_format("there are %zu nodes, not %zu", after->heap.count, count);
  for (size_t i = 0; i < count; i++) {
    const heap_cell *got = &after->heap.at[i];
    if (got->data != wanted[i].data) return text_format("the data of node %zu is another", i + 1);
    if (got->next != wanted[i].next) return text_format("the next node of node %zu is another", i + 1);
  }
  return NULL;
}

char *heap_replay_step(const model *m, const heap_command *h, bool value, const trace_step *before,
                       const trace_step *after) {
  size_t count = before->heap.count, assigned = SIZE_MAX, becomes = 0, target = 0, source = 0;
  bool reads_source = h->kind == HEAP_COPY || h->kind == HEAP_NEXT || h->kind == HEAP_SET_NEXT;
  if (h->kind != HEAP_NONE && !read_node(before, model_position(m, h->target), &target)) return text_format("no node");
  if (reads_source && !read_node(before, model_position(m, h->source), &source)) return text_format("no node");
  bool writes_field = h->kind == HEAP_SET_NEXT || h->kind == HEAP_CUT_NEXT || h->kind == HEAP_SET_DATA;
  if ((writes_field && !target) || (h->kind == HEAP_NEXT && !source)) return text_format("a field of null");
  heap_cell *cells = MEMORY_ARRAY(heap_cell, count + 1);
  if (count) memcpy(cells, before->heap.at, count * sizeof *cells);
  if (h->kind == HEAP_NEW) {
    cells[count] = (heap_cell){.data = value, .next = 0};
    becomes = ++count;
  } else if (h->kind == HEAP_NEXT) {
    becomes = cells[source - 1].next;
  } else {
    becomes = source; /* 0 if null is assigned */
  }
  if (h->kind == HEAP_SET_DATA) cells[target - 1].data = value;
  if (h->kind == HEAP_SET_NEXT || h->kind == HEAP_CUT_NEXT) cells[target - 1].next = (uint32_t)source;
  if (h->kind != HEAP_NONE && !writes_field) assigned = model_position(m, h->target);
  char *what = compare_cells(after, cells, count);
  memory_free(cells);
  for (size_t i = 0; i < m->variables.count && !what; i++) {
    size_t node, wanted = becomes;
    if (!is_node(m, i)) continue;
    if (i != assigned) read_node(before, i, &wanted);
    if (!read_node(after, i, &node) || node != wanted)
      what = text_format("%s is another node", variable_shown(m->terms, m->variables.at[i].var));
  }
  return what;
}
