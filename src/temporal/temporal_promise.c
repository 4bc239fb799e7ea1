/* A node is a state, before a promise that stays open is made or after it. Breadth first from the initial states; then the strongly
 * connected parts of the nodes with an open promise (Tarjan, with a stack of its own); then breadth first around a loop. */
#include "temporal/temporal_promise.h"

#define NO_NODE UINT32_MAX

typedef struct promise_search {
  const listed_system *system;
  uint32_t never;
  bool is_always;
  bool *asks, *lacks; /* by state: a promise is made there; it is not kept there */
  uint32_t *first;    /* by state: its first step; one more at the end */
  uint32_t *parent;   /* by node: the node before it, itself if it is the first; NO_NODE if it is not reached */
  uint32_t *by;       /* by node: the action that leads to it */
  uint32_t *queue;
  uint32_t reached; /* how many nodes, the first of the queue */
} promise_search;

static uint32_t open_node(uint32_t state) { return 2 * state + 1; }
static bool is_open(uint32_t node) { return node & 1; }
static uint32_t state_of(uint32_t node) { return node / 2; }

static void open_search(promise_search *p, const temporal_promise *promise, listed_truth *truth, void *context) {
  const listed_system *s = p->system;
  size_t nodes = 2 * s->states + 2;
  p->asks = MEMORY_ARRAY(bool, s->states + 1);
  p->lacks = MEMORY_ARRAY(bool, s->states + 1);
  p->first = MEMORY_ARRAY(uint32_t, s->states + 2);
  p->parent = MEMORY_ARRAY(uint32_t, nodes);
  p->by = MEMORY_ARRAY(uint32_t, nodes);
  p->queue = MEMORY_ARRAY(uint32_t, nodes);
  for (uint32_t i = 0; i < s->states; i++) {
    if (i == p->never) continue;
    p->lacks[i] = !truth(context, i, promise->gives);
    p->asks[i] = p->lacks[i] && truth(context, i, promise->asks);
  }
  for (size_t i = 0; i < s->steps.count; i++) p->first[s->steps.at[i].from + 1]++;
  for (size_t i = 0; i < s->states; i++) p->first[i + 1] += p->first[i];
}

static void close_search(promise_search *p) {
  memory_free(p->asks);
  memory_free(p->lacks);
  memory_free(p->first);
  memory_free(p->parent);
  memory_free(p->by);
  memory_free(p->queue);
}

/* ---- breadth first ---- */

static void forget_reached(promise_search *p) {
  for (size_t i = 0; i < 2 * (size_t)p->system->states + 2; i++) p->parent[i] = NO_NODE;
  p->reached = 0;
}

static void reach(promise_search *p, uint32_t node, uint32_t from, uint32_t by) {
  if (p->parent[node] != NO_NODE) return;
  p->parent[node] = from;
  p->by[node] = by;
  p->queue[p->reached++] = node;
}

/* The state before the promise is made, and after it if it can be made there. */
static void reach_closed(promise_search *p, uint32_t state, uint32_t from, uint32_t by) {
  uint32_t open = open_node(state), closed = 2 * state;
  if (p->asks[state]) reach(p, open, from == NO_NODE ? open : from, by);
  if (p->is_always) reach(p, closed, from == NO_NODE ? closed : from, by);
}

static void reach_all(promise_search *p) {
  const listed_system *s = p->system;
  forget_reached(p);
  for (size_t i = 0; i < s->initial.count; i++)
    if (s->initial.at[i] != p->never) reach_closed(p, s->initial.at[i], NO_NODE, 0);
  for (uint32_t at = 0; at < p->reached; at++) {
    uint32_t node = p->queue[at], from = state_of(node);
    for (uint32_t i = p->first[from]; i < p->first[from + 1]; i++) {
      uint32_t to = s->steps.at[i].to;
      if (to == p->never) continue;
      if (!is_open(node))
        reach_closed(p, to, node, s->steps.at[i].action);
      else if (p->lacks[to])
        reach(p, open_node(to), node, s->steps.at[i].action);
    }
  }
}

/* ---- loops ---- */

typedef struct parts_search {
  uint32_t *number, *low, *next; /* by state; a number of 0: not seen yet */
  bool *is_on_stack, *is_on_loop;
  index_vector stack, path;
  uint32_t count;
} parts_search;

static void enter(const promise_search *p, parts_search *f, uint32_t state) {
  f->number[state] = f->low[state] = ++f->count;
  f->next[state] = p->first[state];
  f->is_on_stack[state] = true;
  VECTOR_PUSH(f->stack, state);
  VECTOR_PUSH(f->path, state);
}

static void leave(parts_search *f, uint32_t state) {
  f->path.count--;
  if (f->path.count && f->low[state] < f->low[VECTOR_LAST(f->path)]) f->low[VECTOR_LAST(f->path)] = f->low[state];
  if (f->low[state] != f->number[state]) return;
  bool is_many = VECTOR_LAST(f->stack) != state;
  for (uint32_t member = NO_NODE; member != state;) {
    member = VECTOR_POP(f->stack);
    f->is_on_stack[member] = false;
    f->is_on_loop[member] |= is_many;
  }
}

static void search_parts(const promise_search *p, parts_search *f, uint32_t start) {
  enter(p, f, start);
  while (f->path.count) {
    uint32_t at = VECTOR_LAST(f->path);
    if (f->next[at] == p->first[at + 1]) {
      leave(f, at);
      continue;
    }
    uint32_t to = p->system->steps.at[f->next[at]++].to;
    if (to == p->never || !p->lacks[to]) continue;
    if (to == at) f->is_on_loop[at] = true;
    if (!f->number[to])
      enter(p, f, to);
    else if (f->is_on_stack[to] && f->number[to] < f->low[at])
      f->low[at] = f->number[to];
  }
}

/* The first node reached from which the promise can stay open on a loop, or whose state idles. */
static uint32_t first_on_loop(const promise_search *p) {
  size_t states = p->system->states + 1;
  parts_search f = {.number = MEMORY_ARRAY(uint32_t, states),
                    .low = MEMORY_ARRAY(uint32_t, states),
                    .next = MEMORY_ARRAY(uint32_t, states),
                    .is_on_stack = MEMORY_ARRAY(bool, states),
                    .is_on_loop = MEMORY_ARRAY(bool, states)};
  uint32_t found = NO_NODE;
  for (uint32_t i = 0; i < p->reached && found == NO_NODE; i++) {
    uint32_t node = p->queue[i], state = state_of(node);
    if (!is_open(node)) continue;
    if (!f.number[state]) search_parts(p, &f, state);
    bool idles = p->first[state] == p->first[state + 1];
    if (f.is_on_loop[state] || idles) found = node;
  }
  memory_free(f.number);
  memory_free(f.low);
  memory_free(f.next);
  memory_free(f.is_on_stack);
  memory_free(f.is_on_loop);
  VECTOR_FREE(f.stack);
  VECTOR_FREE(f.path);
  return found;
}

/* ---- the run ---- */

/* Appends what leads to the node from the first one that it was reached from, which is there already. */
static void add_way(const promise_search *p, uint32_t node, listed_path *out) {
  index_vector nodes = {0};
  for (; p->parent[node] != node; node = p->parent[node]) VECTOR_PUSH(nodes, node);
  if (!out->states.count) VECTOR_PUSH(out->states, state_of(node));
  while (nodes.count) {
    uint32_t next = VECTOR_POP(nodes);
    VECTOR_PUSH(out->states, state_of(next));
    VECTOR_PUSH(out->actions, p->by[next]);
  }
  VECTOR_FREE(nodes);
}

/* Breadth first from the node to a step that leads back to it. */
static void add_loop(promise_search *p, uint32_t node, listed_path *out) {
  const listed_system *s = p->system;
  uint32_t start = state_of(node);
  out->loop = out->states.count - 1;
  if (p->first[start] == p->first[start + 1]) {
    VECTOR_PUSH(out->states, start);
    VECTOR_PUSH(out->actions, TEMPORAL_IDLE);
    return;
  }
  forget_reached(p);
  reach(p, node, node, 0);
  for (uint32_t at = 0; at < p->reached; at++) {
    uint32_t from = state_of(p->queue[at]);
    for (uint32_t i = p->first[from]; i < p->first[from + 1]; i++) {
      const listed_step *step = &s->steps.at[i];
      if (step->to == start) {
        add_way(p, p->queue[at], out);
        VECTOR_PUSH(out->states, start);
        VECTOR_PUSH(out->actions, step->action);
        return;
      }
      if (step->to != p->never && p->lacks[step->to]) reach(p, open_node(step->to), p->queue[at], step->action);
    }
  }
  REQUIRE(false, "a state on a loop");
}

bool listed_promise_run(const temporal_promise *promise, const listed_system *s, uint32_t never, listed_truth *truth,
                        void *context, listed_path *out) {
  promise_search p = {.system = s, .never = never, .is_always = promise->is_always};
  *out = (listed_path){.loop = TEMPORAL_NO_LOOP};
  open_search(&p, promise, truth, context);
  reach_all(&p);
  uint32_t node = first_on_loop(&p);
  if (node != NO_NODE) {
    add_way(&p, node, out);
    add_loop(&p, node, out);
  }
  close_search(&p);
  return node != NO_NODE;
}
