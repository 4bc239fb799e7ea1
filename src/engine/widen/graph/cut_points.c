/* Components of the graph of cut points (Tarjan, with a stack of its own), in topological order. */
#include "engine/widen/domain.h"

typedef struct walk {
  cut_graph *cuts;
  VECTOR(uint32_t) * leaving;   /* by head: its paths */
  uint32_t *index, *low, *next; /* index 0: not met */
  bool *on_stack;
  VECTOR(uint32_t) stack, calls;
  uint32_t met;
} walk;

static void enter(walk *w, uint32_t head) {
  w->index[head] = w->low[head] = ++w->met;
  w->on_stack[head] = true;
  VECTOR_PUSH(w->stack, head);
  VECTOR_PUSH(w->calls, head);
}

static void close_component(walk *w, uint32_t root) {
  component c = {0};
  for (uint32_t head = UINT32_MAX; head != root;) {
    head = VECTOR_POP(w->stack);
    w->on_stack[head] = false;
    VECTOR_PUSH(c.heads, head);
  }
  VECTOR_PUSH(w->cuts->components, c);
}

static void advance(walk *w) {
  uint32_t head = VECTOR_LAST(w->calls);
  if (w->next[head] < w->leaving[head].count) {
    uint32_t to = w->cuts->paths.at[w->leaving[head].at[w->next[head]++]].to;
    if (!w->index[to])
      enter(w, to);
    else if (w->on_stack[to] && w->index[to] < w->low[head])
      w->low[head] = w->index[to];
    return;
  }
  w->calls.count--;
  if (w->low[head] == w->index[head]) close_component(w, head);
  if (w->calls.count && w->low[head] < w->low[VECTOR_LAST(w->calls)]) w->low[VECTOR_LAST(w->calls)] = w->low[head];
}

static void find_components(cut_graph *c) {
  walk w = {.cuts = c};
  w.leaving = memory_alloc_zero(c->heads, sizeof *w.leaving);
  w.index = MEMORY_ARRAY(uint32_t, c->heads);
  w.low = MEMORY_ARRAY(uint32_t, c->heads);
  w.next = MEMORY_ARRAY(uint32_t, c->heads);
  w.on_stack = MEMORY_ARRAY(bool, c->heads);
  for (size_t i = 0; i < c->paths.count; i++) {
    const cut_path *p = &c->paths.at[i];
    VECTOR_PUSH(w.leaving[p->from], (uint32_t)i);
    for (size_t j = 0; j < p->beside.count; j++) VECTOR_PUSH(w.leaving[p->beside.at[j]], (uint32_t)i);
  }
  for (uint32_t head = 0; head < c->heads; head++) {
    if (!w.index[head]) enter(&w, head);
    while (w.calls.count) advance(&w);
  }
  for (size_t i = 0; i < c->heads; i++) VECTOR_FREE(w.leaving[i]);
  memory_free(w.leaving), memory_free(w.index), memory_free(w.low), memory_free(w.next), memory_free(w.on_stack);
  VECTOR_FREE(w.stack);
  VECTOR_FREE(w.calls);
}

/* Tarjan closes a component after all that it leads to. */
static void reverse_components(cut_graph *c) {
  for (size_t i = 0, j = c->components.count; i + 1 < j; i++) {
    component held = c->components.at[i];
    c->components.at[i] = c->components.at[--j];
    c->components.at[j] = held;
  }
}

static void sort_heads(component *c) {
  for (size_t i = 1; i < c->heads.count; i++)
    for (size_t j = i; j > 0 && c->heads.at[j - 1] > c->heads.at[j]; j--) {
      uint32_t held = c->heads.at[j];
      c->heads.at[j] = c->heads.at[j - 1];
      c->heads.at[j - 1] = held;
    }
}

/* A path is inner if one of the heads that it starts from is of the component, and closes a loop if one of those is not
 * before its end. */
static bool arrange_path(const cut_graph *c, cut_path *p) {
  uint32_t here = c->component_of.at[p->to];
  bool inner = c->component_of.at[p->from] == here;
  p->back = inner && p->from >= p->to;
  for (size_t i = 0; i < p->beside.count; i++) {
    if (c->component_of.at[p->beside.at[i]] != here) continue;
    inner = true;
    p->back |= p->beside.at[i] >= p->to;
  }
  return inner;
}

void cuts_arrange(cut_graph *c) {
  find_components(c);
  reverse_components(c);
  for (size_t i = 0; i < c->heads; i++) VECTOR_PUSH(c->component_of, 0);
  for (size_t i = 0; i < c->components.count; i++) {
    sort_heads(&c->components.at[i]);
    for (size_t j = 0; j < c->components.at[i].heads.count; j++)
      c->component_of.at[c->components.at[i].heads.at[j]] = (uint32_t)i;
  }
  for (size_t i = 0; i < c->paths.count; i++) {
    cut_path *p = &c->paths.at[i];
    component *to = &c->components.at[c->component_of.at[p->to]];
    if (arrange_path(c, p))
      VECTOR_PUSH(to->inner, (uint32_t)i);
    else
      VECTOR_PUSH(to->entering, (uint32_t)i);
  }
}

void cuts_clear(cut_graph *c) {
  for (size_t i = 0; i < c->components.count; i++) {
    VECTOR_FREE(c->components.at[i].heads);
    VECTOR_FREE(c->components.at[i].inner);
    VECTOR_FREE(c->components.at[i].entering);
  }
  for (size_t i = 0; i < c->paths.count; i++) VECTOR_FREE(c->paths.at[i].beside);
  VECTOR_FREE(c->paths);
  VECTOR_FREE(c->components);
  VECTOR_FREE(c->component_of);
}
