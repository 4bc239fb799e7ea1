/* Components of atoms, the assignments that each allows (engine/syntactic/realisable.h), and how these are said.
 *
 * As clauses, which people can read: a search over all assignments that the clauses so far allow finds one that nothing
 * realises; what is needed of it to see that is the next clause. So every clause is a smallest one, and together they
 * allow exactly what is realised. */
#include "engine/syntactic/consistency_formula.h"

#include <stdlib.h>

#include "base/map.h"
#include "engine/syntactic/realisable.h"

/* Clauses are for people; larger components are written as a diagram. */
enum { MOST_ROWS = 4000, MOST_BITS = 64, MOST_CLAUSES = 400 };

typedef struct clause {
  uint64_t positive, negative; /* one of these holds, or one of those does not */
} clause;

typedef struct clause_work {
  const realisable *cases;
  size_t count;
  VECTOR(uint64_t) rows; /* ascending */
  VECTOR(clause) clauses;
  bool too_many;
} clause_work;

static int compare_rows(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Depth is the number of atoms. */
static void list_rows(clause_work *w, uint32_t node, uint64_t row) {
  if (node == REALISABLE_NONE) return;
  if (node == REALISABLE_ALL) {
    VECTOR_PUSH(w->rows, row);
    return;
  }
  const realisable_node *n = &w->cases->nodes.at[node];
  list_rows(w, n->yes, row | UINT64_C(1) << n->atom);
  list_rows(w, n->no, row);
}

static bool has_row(const clause_work *w, uint64_t row) {
  return w->rows.count && bsearch(&row, w->rows.at, w->rows.count, sizeof(uint64_t), compare_rows);
}

static bool some_row_agrees(const clause_work *w, uint64_t row, uint64_t mask) {
  for (size_t i = 0; i < w->rows.count; i++)
    if (!((w->rows.at[i] ^ row) & mask)) return true;
  return false;
}

/* `row` is not realised: the clause against it, with what is not needed dropped, from the last atom on. */
static void add_clause(clause_work *w, uint64_t row) {
  uint64_t mask = w->count == MOST_BITS ? UINT64_MAX : (UINT64_C(1) << w->count) - 1;
  for (size_t i = w->count; i-- > 0;) {
    uint64_t smaller = mask & ~(UINT64_C(1) << i);
    if (!some_row_agrees(w, row, smaller)) mask = smaller;
  }
  VECTOR_PUSH(w->clauses, (clause){~row & mask, row & mask});
  w->too_many |= w->clauses.count > MOST_CLAUSES;
}

static bool is_broken(const clause *c, uint64_t row, uint64_t decided) {
  return !((c->positive | c->negative) & ~decided) && !(c->positive & row) && !(c->negative & ~row);
}

static bool breaks_some(const clause_work *w, uint64_t row, uint64_t decided) {
  for (size_t i = 0; i < w->clauses.count; i++)
    if (is_broken(&w->clauses.at[i], row, decided)) return true;
  return false;
}

/* Depth is the number of atoms, at most MOST_BITS. */
static void find_clauses(clause_work *w, size_t depth, uint64_t row) {
  if (w->too_many || breaks_some(w, row, depth == MOST_BITS ? UINT64_MAX : (UINT64_C(1) << depth) - 1)) return;
  if (depth == w->count) {
    if (!has_row(w, row)) add_clause(w, row);
    return;
  }
  find_clauses(w, depth + 1, row | UINT64_C(1) << depth);
  find_clauses(w, depth + 1, row);
}

static term clause_term(terms *ts, const clause *c, size_t count, const term *bits) {
  term_vector all = {0};
  for (size_t i = 0; i < count; i++) {
    if (c->positive >> i & 1) VECTOR_PUSH(all, bits[i]);
    if (c->negative >> i & 1) VECTOR_PUSH(all, term_not(bits[i]));
  }
  term result = term_or_all(ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

/* False if there are too many. `wanted` may be NULL. */
static bool add_clauses(terms *ts, const realisable *c, size_t count, const term *bits, const bool *wanted,
                        term_vector *out) {
  if (count > MOST_BITS || realisable_count(c) > MOST_ROWS) return false;
  clause_work w = {.cases = c, .count = count};
  uint64_t interesting = 0;
  for (size_t i = 0; i < count; i++) interesting |= (uint64_t)(!wanted || wanted[i]) << i;
  list_rows(&w, c->root, 0);
  if (w.rows.count) qsort(w.rows.at, w.rows.count, sizeof(uint64_t), compare_rows);
  find_clauses(&w, 0, 0);
  for (size_t i = 0; i < w.clauses.count && !w.too_many; i++) {
    const clause *k = &w.clauses.at[i];
    if ((k->positive | k->negative) & interesting) VECTOR_PUSH(*out, clause_term(ts, k, count, bits));
  }
  /* nothing at all is realised: the clause without literals */
  if (!w.rows.count) VECTOR_PUSH(*out, TERM_FALSE);
  VECTOR_FREE(w.rows);
  VECTOR_FREE(w.clauses);
  return !w.too_many;
}

/* ---- components ---- */

/* Atoms with the same linear part are one component, all others components of their own. */
static size_t group(terms *ts, size_t count, const term *atoms, uint32_t *component) {
  map *of_form = map_new();
  size_t components = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t at;
    bool compares = term_kind_of(ts, atoms[i]) == TERM_LE || term_kind_of(ts, atoms[i]) == TERM_EQ;
    term form = atoms[i];
    if (compares) {
      term sum = term_argument(ts, atoms[i], 0);
      form = term_sub(ts, sum, term_number(ts, term_linear(ts, sum).constant));
    }
    if (!map_get(of_form, form.x, &at)) map_set(of_form, form.x, at = components++);
    component[i] = (uint32_t)at;
  }
  map_free(of_form);
  return components;
}

typedef struct component_work {
  term_vector atoms, bits;
  VECTOR(bool) wanted;
  bool has_wanted;
} component_work;

static bool add_component(terms *ts, allsat *a, budget *b, const consistency_question *q, component_work *w,
                          term_vector *out, bool *exact, const char **reason) {
  realisable c = {0};
  size_t before = out->count;
  bool found = realisable_find(ts, a, b, w->atoms.count, w->atoms.at, q->context, &c, reason);
  if (found && !add_clauses(ts, &c, w->atoms.count, w->bits.at, q->wanted ? w->wanted.at : NULL, out)) {
    out->count = before;
    VECTOR_PUSH(*out, realisable_term(ts, &c, w->bits.at));
  }
  *exact &= found && c.exact;
  realisable_clear(&c);
  return found;
}

bool consistency_formula_add(terms *ts, allsat *a, budget *b, const consistency_question *q, term_vector *out,
                             bool *exact, const char **reason) {
  uint32_t *component = MEMORY_ARRAY(uint32_t, q->count + 1), *joint = MEMORY_ARRAY(uint32_t, q->count + 1);
  size_t joint_components = allsat_components(a, q->count, q->atoms, q->context, joint);
  size_t components = q->grouped ? group(ts, q->count, q->atoms, component) : joint_components;
  bool fine = true;
  *reason = NULL;
  if (q->grouped && components > joint_components) *exact = false;
  if (!q->grouped) memcpy(component, joint, q->count * sizeof(uint32_t));
  for (size_t k = 0; k < components && fine; k++) {
    component_work w = {.has_wanted = !q->wanted};
    for (size_t i = 0; i < q->count; i++) {
      if (component[i] != k) continue;
      VECTOR_PUSH(w.atoms, q->atoms[i]);
      VECTOR_PUSH(w.bits, q->bits[i]);
      VECTOR_PUSH(w.wanted, !q->wanted || q->wanted[i]);
      w.has_wanted |= q->wanted && q->wanted[i];
    }
    if (w.has_wanted) fine = add_component(ts, a, b, q, &w, out, exact, reason);
    VECTOR_FREE(w.atoms);
    VECTOR_FREE(w.bits);
    VECTOR_FREE(w.wanted);
  }
  memory_free(component);
  memory_free(joint);
  return fine;
}
