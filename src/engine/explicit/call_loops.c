/* A search with a stack among the edges, now and then: each time there are twice as many. */
#include "engine/explicit/call_loops.h"

enum { FIRST_LOOK = 32 };

void call_loops_clear(call_loops *l) {
  for (size_t i = 0; i < l->edges.count; i++) {
    VECTOR_FREE(l->edges.at[i].by.premises);
    VECTOR_FREE(l->edges.at[i].by.values);
  }
  VECTOR_FREE(l->edges);
}

void call_loops_add(call_loops *l, uint32_t from, uint32_t to, derivation_step by) {
  VECTOR_PUSH(l->edges, (call_edge){from, to, by});
}

bool call_loops_wait(const call_loops *l) { return l->edges.count >= FIRST_LOOK && l->edges.count >= l->look_at; }

/* ---- the search ---- */

typedef enum visited { NOT_VISITED, ON_STACK, VISITED } visited;

typedef struct loop_search {
  const call_loops *loops;
  uint32_t *first;    /* by fact: where its edges begin in `order`; one more at the end */
  uint32_t *order;    /* edges by the fact that they begin at */
  uint32_t *next;     /* by fact: the next edge to take */
  visited *state;     /* by fact */
  index_vector taken; /* edges on the stack */
  index_vector stack; /* facts */
} loop_search;

static void sort_edges(loop_search *s, size_t facts) {
  const call_loops *l = s->loops;
  for (size_t i = 0; i < l->edges.count; i++) s->first[l->edges.at[i].from + 1]++;
  for (size_t i = 0; i < facts; i++) s->first[i + 1] += s->first[i];
  for (size_t i = 0; i < facts; i++) s->next[i] = s->first[i];
  for (size_t i = 0; i < l->edges.count; i++) s->order[s->next[l->edges.at[i].from]++] = (uint32_t)i;
  for (size_t i = 0; i < facts; i++) s->next[i] = s->first[i];
}

/* True if an edge leads to a fact on the stack: it is the last one taken. */
static bool search_from(loop_search *s, uint32_t start) {
  VECTOR_PUSH(s->stack, start);
  s->state[start] = ON_STACK;
  while (s->stack.count) {
    uint32_t at = VECTOR_LAST(s->stack);
    if (s->next[at] == s->first[at + 1]) {
      s->state[at] = VISITED;
      s->stack.count--;
      if (s->taken.count) s->taken.count--;
      continue;
    }
    uint32_t edge = s->order[s->next[at]++], to = s->loops->edges.at[edge].to;
    if (s->state[to] == VISITED) continue;
    VECTOR_PUSH(s->taken, edge);
    if (s->state[to] == ON_STACK) return true;
    s->state[to] = ON_STACK;
    VECTOR_PUSH(s->stack, to);
  }
  return false;
}

/* ---- the loop as facts ---- */

static uint32_t append(ground_facts *known, const call_edge *e, uint32_t from) {
  derivation_step by = {.clause = e->by.clause};
  number_vector values = {0};
  VECTOR_COPY(values, known->list.at[e->to].values);
  VECTOR_COPY(by.premises, e->by.premises);
  VECTOR_COPY(by.values, e->by.values);
  by.premises.at[0] = from;
  uint32_t made = facts_append(known, known->list.at[e->to].predicate, &values, by);
  VECTOR_FREE(values);
  return made;
}

static uint32_t append_loop(const loop_search *s, ground_facts *known) {
  const call_loops *l = s->loops;
  uint32_t start = l->edges.at[VECTOR_LAST(s->taken)].to, at = start;
  size_t first = s->taken.count - 1;
  while (l->edges.at[s->taken.at[first]].from != start) first--;
  for (size_t i = first; i < s->taken.count; i++) at = append(known, &l->edges.at[s->taken.at[i]], at);
  return at;
}

uint32_t call_loops_find(call_loops *l, ground_facts *known) {
  size_t facts = known->list.count;
  loop_search s = {.loops = l,
                   .first = MEMORY_ARRAY(uint32_t, facts + 2),
                   .order = MEMORY_ARRAY(uint32_t, l->edges.count + 1),
                   .next = MEMORY_ARRAY(uint32_t, facts + 1),
                   .state = MEMORY_ARRAY(visited, facts + 1)};
  uint32_t found = NO_FACT;
  l->look_at = 2 * l->edges.count;
  sort_edges(&s, facts);
  for (uint32_t i = 0; i < facts && found == NO_FACT; i++)
    if (s.state[i] == NOT_VISITED && search_from(&s, i)) found = append_loop(&s, known);
  memory_free(s.first);
  memory_free(s.order);
  memory_free(s.next);
  memory_free(s.state);
  VECTOR_FREE(s.taken);
  VECTOR_FREE(s.stack);
  return found;
}
