/* Which predicates are recursive: Tarjan's strongly connected components, without recursion of ours. A predicate leads to
 * those that its clauses' bodies have. */
#include "input/chc/unfold.h"

typedef struct search {
  const clauses *all;
  index_vector *clauses_of; /* by predicate: the clauses that derive it */
  uint32_t *number, *low;   /* 0: not met yet */
  bool *is_open, *is_recursive;
  index_vector open; /* whose component is not complete */
  uint32_t count;
} search;

/* A predicate whose bodies are being looked at: the clause and the atom that are next. */
typedef struct visit {
  uint32_t predicate;
  size_t clause, atom;
} visit;

static bool next_below(const search *s, visit *v, uint32_t *out) {
  const index_vector *own = &s->clauses_of[v->predicate];
  while (v->clause < own->count) {
    const clause *c = &s->all->clauses.at[own->at[v->clause]];
    if (v->atom < c->body.count) {
      *out = c->body.at[v->atom++].predicate;
      return true;
    }
    v->clause++;
    v->atom = 0;
  }
  return false;
}

static void meet(search *s, uint32_t predicate) {
  s->number[predicate] = s->low[predicate] = ++s->count;
  s->is_open[predicate] = true;
  VECTOR_PUSH(s->open, predicate);
}

static void close_component(search *s, uint32_t root) {
  bool is_alone = VECTOR_LAST(s->open) == root;
  for (uint32_t predicate = UINT32_MAX; predicate != root;) {
    predicate = VECTOR_POP(s->open);
    s->is_open[predicate] = false;
    if (!is_alone) s->is_recursive[predicate] = true;
  }
}

static void search_from(search *s, uint32_t root) {
  VECTOR(visit) stack = {0};
  meet(s, root);
  VECTOR_PUSH(stack, (visit){.predicate = root});
  while (stack.count) {
    visit *v = &VECTOR_LAST(stack);
    uint32_t here = v->predicate, below;
    if (next_below(s, v, &below)) {
      if (below == here) s->is_recursive[here] = true;
      if (!s->number[below]) {
        meet(s, below);
        VECTOR_PUSH(stack, (visit){.predicate = below});
      } else if (s->is_open[below] && s->number[below] < s->low[here]) {
        s->low[here] = s->number[below];
      }
      continue;
    }
    (void)VECTOR_POP(stack);
    if (s->low[here] == s->number[here]) close_component(s, here);
    if (stack.count && s->low[here] < s->low[VECTOR_LAST(stack).predicate])
      s->low[VECTOR_LAST(stack).predicate] = s->low[here];
  }
  VECTOR_FREE(stack);
}

void chc_find_recursive(const clauses *all, bool *out) {
  size_t count = all->predicates.count;
  search s = {.all = all, .is_recursive = out};
  s.clauses_of = MEMORY_ARRAY(index_vector, count + 1);
  s.number = MEMORY_ARRAY(uint32_t, count + 1);
  s.low = MEMORY_ARRAY(uint32_t, count + 1);
  s.is_open = MEMORY_ARRAY(bool, count + 1);
  for (uint32_t i = 0; i < all->clauses.count; i++)
    if (all->clauses.at[i].head != NO_PREDICATE) VECTOR_PUSH(s.clauses_of[all->clauses.at[i].head], i);
  for (uint32_t i = 0; i < count; i++)
    if (!s.number[i]) search_from(&s, i);
  for (size_t i = 0; i < count; i++) VECTOR_FREE(s.clauses_of[i]);
  memory_free(s.clauses_of);
  memory_free(s.number);
  memory_free(s.low);
  memory_free(s.is_open);
  VECTOR_FREE(s.open);
}
