/* Walking terms without recursion: the cone below some roots in ascending order, and what is read off it. */
#include <stdlib.h>

#include "term/table.h"

static void marks_start(const terms *ts) {
  term_marks *m = ts->marks;
  while (m->stamps.count < ts->nodes.count) VECTOR_PUSH(m->stamps, 0);
  if (++m->stamp == 0) {
    memset(m->stamps.at, 0, m->stamps.count * sizeof(uint32_t));
    m->stamp = 1;
  }
}

static bool mark(const terms *ts, uint32_t index) {
  term_marks *m = ts->marks;
  if (m->stamps.at[index] == m->stamp) return false;
  m->stamps.at[index] = m->stamp;
  return true;
}

static int compare_indices(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

void terms_cone(const terms *ts, size_t count, const term *roots, index_vector *out) {
  marks_start(ts);
  size_t done = out->count, first = done;
  for (size_t i = 0; i < count; i++)
    if (mark(ts, term_index(roots[i]))) VECTOR_PUSH(*out, term_index(roots[i]));
  for (; done < out->count; done++) {
    const term_node *n = &ts->nodes.at[out->at[done]];
    for (uint32_t i = 0; i < n->count; i++) {
      uint32_t below = term_index(ts->arguments.at[n->start + i]);
      if (mark(ts, below)) VECTOR_PUSH(*out, below);
    }
  }
  if (out->count > first) qsort(out->at + first, out->count - first, sizeof(uint32_t), compare_indices);
}

static bool kind_is_variable(term_kind kind) {
  return kind == TERM_BOOL_VARIABLE || kind == TERM_INT_VARIABLE || kind == TERM_NODE_VARIABLE;
}

void term_variables(const terms *ts, size_t count, const term *roots, variable_vector *out) {
  index_vector cone = {0};
  terms_cone(ts, count, roots, &cone);
  for (size_t i = 0; i < cone.count; i++)
    if (kind_is_variable((term_kind)ts->nodes.at[cone.at[i]].kind))
      VECTOR_PUSH(*out, (variable){ts->nodes.at[cone.at[i]].extra});
  VECTOR_FREE(cone);
}

bool term_mentions(const terms *ts, term t, variable v) {
  variable_vector all = {0};
  term_variables(ts, 1, &t, &all);
  bool found = false;
  for (size_t i = 0; i < all.count && !found; i++) found = variable_same(all.at[i], v);
  VECTOR_FREE(all);
  return found;
}

void term_atoms(const terms *ts, term t, term_vector *out) {
  index_vector cone = {0};
  terms_cone(ts, 1, &t, &cone);
  for (size_t i = 0; i < cone.count; i++)
    if (term_is_atom(ts, (term){2 * cone.at[i]})) VECTOR_PUSH(*out, (term){2 * cone.at[i]});
  VECTOR_FREE(cone);
}

/* Conjunctions may stand inside conjunctions (build.c, SPREAD_LIMIT), and one in many: each is spread once. */
static void spread(const terms *ts, term t, bool negate, term_vector *out) {
  term_vector stack = {0};
  marks_start(ts);
  VECTOR_PUSH(stack, negate ? term_not(t) : t);
  while (stack.count) {
    term top = VECTOR_POP(stack);
    const term_node *n = &ts->nodes.at[term_index(top)];
    if (n->kind == TERM_AND && !term_is_negated(top)) {
      if (!mark(ts, term_index(top))) continue;
      for (uint32_t i = n->count; i-- > 0;) VECTOR_PUSH(stack, ts->arguments.at[n->start + i]);
    } else if (!term_is_true(top)) {
      VECTOR_PUSH(*out, negate ? term_not(top) : top);
    }
  }
  VECTOR_FREE(stack);
}

void term_conjuncts(const terms *ts, term t, term_vector *out) { spread(ts, t, false, out); }
void term_disjuncts(const terms *ts, term t, term_vector *out) { spread(ts, t, true, out); }

bool term_is_linear(const terms *ts, term t) {
  index_vector cone = {0};
  terms_cone(ts, 1, &t, &cone);
  bool linear_so_far = true;
  for (size_t i = 0; i < cone.count && linear_so_far; i++) {
    term_kind kind = (term_kind)ts->nodes.at[cone.at[i]].kind;
    linear_so_far = kind < TERM_PRODUCT;
  }
  VECTOR_FREE(cone);
  return linear_so_far;
}
