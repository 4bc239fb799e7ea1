/* Variables of the quantifier are known by their numbers, as the body has them: 0 is the one that is bound last. One is
 * given by an equation whose other side has no variables of the quantifier but those that are given before. */
#include "input/chc/one_point.h"

#include "base/map.h"

typedef struct one_point {
  const nodes *all;
  const uint8_t *has_more;
  index_vector candidates; /* nodes of equations */
  bool *is_given;          /* by number of the variable */
  uint32_t count;          /* of variables */
} one_point;

/* ---- conditions ---- */

/* Conjuncts of `root` that are equations. */
static void add_conjuncts(one_point *p, uint32_t root) {
  index_vector pending = {0};
  VECTOR_PUSH(pending, root);
  while (pending.count) {
    const node *n = &p->all->nodes.at[VECTOR_LAST(pending)];
    uint32_t at = VECTOR_POP(pending);
    if (n->op == NODE_EQUAL && n->count == 2 && !p->has_more[at]) VECTOR_PUSH(p->candidates, at);
    for (uint32_t i = 0; n->op == NODE_AND && i < n->count; i++) VECTOR_PUSH(pending, node_argument(p->all, n, i));
  }
  VECTOR_FREE(pending);
}

/* What stands to the left of implications, or negated in a disjunction. */
static void add_hypotheses(one_point *p, uint32_t root) {
  const node *n = &p->all->nodes.at[root];
  for (; n->op == NODE_IMPLIES && n->count == 2; n = &p->all->nodes.at[node_argument(p->all, n, 1)])
    add_conjuncts(p, node_argument(p->all, n, 0));
  for (uint32_t i = 0; n->op == NODE_OR && i < n->count; i++) {
    const node *part = &p->all->nodes.at[node_argument(p->all, n, i)];
    if (part->op == NODE_NOT) add_conjuncts(p, node_argument(p->all, part, 0));
  }
}

/* ---- equations ---- */

/* All variables of the quantifier in the expression are given. No quantifier is inside. */
static bool is_given(const one_point *p, uint32_t root) {
  index_vector pending = {0};
  map *seen = map_new();
  bool fine = true;
  VECTOR_PUSH(pending, root);
  while (pending.count && fine) {
    uint32_t at = VECTOR_POP(pending);
    const node *n = &p->all->nodes.at[at];
    if (map_get(seen, at, NULL)) continue;
    map_set(seen, at, 1);
    if (n->op == NODE_BOUND) fine = n->name >= p->count || p->is_given[n->name];
    for (uint32_t i = 0; i < n->count; i++) VECTOR_PUSH(pending, node_argument(p->all, n, i));
  }
  VECTOR_FREE(pending);
  map_free(seen);
  return fine;
}

/* True if the equation gives a variable that was not given. */
static bool gives(one_point *p, const node *equation) {
  for (uint32_t side = 0; side < 2; side++) {
    const node *v = &p->all->nodes.at[node_argument(p->all, equation, side)];
    if (v->op != NODE_BOUND || v->name >= p->count || p->is_given[v->name]) continue;
    if (!is_given(p, node_argument(p->all, equation, 1 - side))) continue;
    p->is_given[v->name] = true;
    return true;
  }
  return false;
}

bool one_point_equations(const nodes *all, const uint8_t *has_more, uint32_t quantifier, index_vector *out) {
  const node *n = &all->nodes.at[quantifier];
  one_point p = {.all = all, .has_more = has_more, .count = n->bound_count};
  uint32_t left = p.count;
  p.is_given = MEMORY_ARRAY(bool, p.count + 1);
  if (n->op == NODE_EXISTS)
    add_conjuncts(&p, node_argument(all, n, 0));
  else
    add_hypotheses(&p, node_argument(all, n, 0));
  for (bool more = true; more && left;) {
    more = false;
    for (size_t i = 0; i < p.candidates.count; i++) {
      if (!gives(&p, &all->nodes.at[p.candidates.at[i]])) continue;
      VECTOR_PUSH(*out, p.candidates.at[i]);
      more = true;
      left--;
    }
  }
  VECTOR_FREE(p.candidates);
  memory_free(p.is_given);
  return !left;
}
