/* The order of procedures by their calls. */
#include "input/whet/check.h"

/* Steps of all programs if bodies stand in for calls. */
enum { MOST_STEPS = 2000 };

/* A program or a procedure. */
typedef struct caller {
  family *family;
  VECTOR(size_t) called_by; /* once for each call */
  size_t open;              /* calls to procedures that are not in the order yet */
  size_t steps;             /* of its own, and of those that it calls and that are */
} caller;

typedef struct call_graph {
  VECTOR(caller) callers;
  map *position; /* family -> caller */
} call_graph;

static uint64_t key(const family *f) { return (uint64_t)(uintptr_t)f; }

static void add_call(call_graph *g, size_t from, const expression *call) {
  const symbol *to = call->word->meaning;
  uint64_t position;
  if (!to || to->kind != SYMBOL_PROCEDURE || !map_get(g->position, key(to->family), &position)) return;
  VECTOR_PUSH(g->callers.at[position].called_by, from);
  g->callers.at[from].open++;
}

static void add_block(call_graph *g, size_t from, const block *b) {
  g->callers.at[from].steps += b->count;
  for (size_t i = 0; i < b->count; i++) {
    const statement *s = b->at[i];
    if (s->kind == STATEMENT_CALL) add_call(g, from, s->call);
    for (size_t j = 0; j < s->arm_count; j++) add_block(g, from, &s->arms[j].body);
    add_block(g, from, &s->otherwise);
  }
}

static call_graph call_graph_of(const scope *s) {
  call_graph g = {.position = map_new()};
  for (size_t i = 0; i < s->families.count; i++) {
    map_set(g.position, key(s->families.at[i]), i);
    VECTOR_PUSH(g.callers, (caller){.family = s->families.at[i]});
  }
  for (size_t i = 0; i < g.callers.count; i++) add_block(&g, i, &g.callers.at[i].family->tree->body);
  return g;
}

static void call_graph_clear(call_graph *g) {
  for (size_t i = 0; i < g->callers.count; i++) VECTOR_FREE(g->callers.at[i].called_by);
  VECTOR_FREE(g->callers);
  map_free(g->position);
}

static size_t sum_up_to(size_t a, size_t b, size_t most) { return a > most || b > most - a ? most + 1 : a + b; }

/* Gives the steps of all programs. What is recursive never gets into the order. */
static size_t put_in_order(const call_graph *g, scope *s) {
  VECTOR(size_t) ready = {0};
  size_t steps = 0;
  for (size_t i = 0; i < g->callers.count; i++)
    if (!g->callers.at[i].open) VECTOR_PUSH(ready, i);
  while (ready.count) {
    const caller *next = &g->callers.at[VECTOR_POP(ready)];
    if (next->family->tree->is_procedure)
      VECTOR_PUSH(s->in_place, next->family);
    else
      steps = sum_up_to(steps, next->steps, MOST_STEPS);
    for (size_t i = 0; i < next->called_by.count; i++) {
      caller *by = &g->callers.at[next->called_by.at[i]];
      by->steps = sum_up_to(by->steps, next->steps, MOST_STEPS);
      if (!--by->open) VECTOR_PUSH(ready, next->called_by.at[i]);
    }
  }
  VECTOR_FREE(ready);
  return steps;
}

bool check_call_order(checker *c) {
  call_graph g = call_graph_of(c->scope);
  size_t steps = put_in_order(&g, c->scope), procedures = 0;
  for (size_t i = 0; i < g.callers.count; i++) procedures += g.callers.at[i].family->tree->is_procedure;
  bool fits = c->scope->in_place.count == procedures && steps <= MOST_STEPS;
  if (!fits) VECTOR_CLEAR(c->scope->in_place);
  call_graph_clear(&g);
  return fits;
}
