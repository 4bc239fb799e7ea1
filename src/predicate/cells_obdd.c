/* Sorted rows of an all-SAT result become a decision diagram by halving. */
#include "predicate/cells_obdd.h"

/* The rows from..to, which agree on all atoms before `depth`. Depth is bounded by what allsat allows. */
static obdd rows_to_obdd(obdds *b, const cells *c, const obdd *bits, size_t from, size_t to, size_t depth) {
  if (from == to) return OBDD_FALSE;
  if (depth == c->atoms) return OBDD_TRUE;
  assert(from < to && to <= c->count);
  size_t middle = from;
  while (middle < to && cells_has(c, middle, depth)) middle++;
  obdd yes = rows_to_obdd(b, c, bits, from, middle, depth + 1), no = rows_to_obdd(b, c, bits, middle, to, depth + 1);
  return obdd_ite(b, bits[depth], yes, no);
}

obdd cells_to_obdd(obdds *b, const cells *c, const obdd *bits) { return rows_to_obdd(b, c, bits, 0, c->count, 0); }
