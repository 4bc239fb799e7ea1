/* The clauses of f are the cubes of a cover of what f excludes: all realisable assignments outside f must be covered,
 * those inside must not, and those that no integers realise may be (Minato's and Morreale's irredundant covers,
 * computed on diagrams). Cubes are then made prime, and those that others cover go. */
#include "predicate/readable_clauses.h"

#include <stdlib.h>

#include "base/map.h"
#include "predicate/cells_obdd.h"
#include "set/obdd_terms.h"
#include "term/bounds.h"
#include "term/substitute.h"

enum { MOST_ATOMS = 200, MOST_CUBES = 600, MOST_STEPS = 200000, NODE_LIMIT = 2000000, WORK_FOR_CELLS = 300000 };

typedef struct cube {
  obdd set;
  VECTOR(uint32_t) literals; /* 2 * atom + value */
  size_t weight;             /* the variables in it, and more for each literal */
  double covers;             /* assignments */
} cube;

typedef struct covering {
  terms *ts;
  allsat *allsat;
  obdds *obdds;
  term_vector atoms;
  map *atom_of;
  VECTOR(cube) cubes;
  VECTOR(uint32_t) path;
  size_t steps;
  bool failed;
} covering;

void clauses_clear(clause_vector *all) {
  for (size_t i = 0; i < all->count; i++) VECTOR_FREE(all->at[i]);
  VECTOR_FREE(*all);
}

/* ---- atoms ---- */

/* `v <= c` if the values of v have names: people know these names, not their order. */
static bool compares_names(const terms *ts, term atom, variable *v) {
  if (term_kind_of(ts, atom) != TERM_LE) return false;
  linear l = term_linear(ts, term_argument(ts, atom, 0));
  if (l.count != 1 || term_kind_of(ts, l.leaves[0]) != TERM_INT_VARIABLE) return false;
  *v = term_variable(ts, l.leaves[0]);
  const type *of = variable_type(ts, *v);
  return of->names && type_is_finite(of);
}

static void add_atom(covering *c, term atom) {
  if (map_get(c->atom_of, term_index(atom), NULL)) return;
  map_set(c->atom_of, term_index(atom), c->atoms.count);
  VECTOR_PUSH(c->atoms, atom);
}

/* `v = value`, for all values, or if it holds of them all `true`. */
static void add_values(covering *c, variable v) {
  const type *of = variable_type(c->ts, v);
  number low = of->low, high = of->high;
  for (number n = low; number_compare(n, high) <= 0; n = number_add(n, number_of(1))) {
    term is = term_eq(c->ts, term_of_variable(c->ts, v), term_number(c->ts, n));
    if (!term_is_true(is)) add_atom(c, (term){2 * term_index(is)});
  }
}

static void collect_atoms(covering *c, term t) {
  term_vector all = {0};
  variable v;
  term_atoms(c->ts, t, &all);
  for (size_t i = 0; i < all.count; i++)
    if (compares_names(c->ts, all.at[i], &v))
      add_values(c, v);
    else
      add_atom(c, all.at[i]);
  VECTOR_FREE(all);
}

/* The values of v at which the atom holds. */
static obdd values_where(covering *c, term atom, variable v) {
  const type *of = variable_type(c->ts, v);
  number low = of->low, high = of->high;
  obdd some = OBDD_FALSE;
  substitution *by = substitution_new(c->ts);
  for (number n = low; number_compare(n, high) <= 0; n = number_add(n, number_of(1))) {
    substitution_set(by, v, term_number(c->ts, n));
    if (!term_is_true(substitution_apply(by, atom))) continue;
    term is = term_eq(c->ts, term_of_variable(c->ts, v), term_number(c->ts, n));
    uint64_t at = 0;
    map_get(c->atom_of, term_index(is), &at);
    some = obdd_or(c->obdds, some, term_is_true(is) ? OBDD_TRUE : obdd_variable(c->obdds, at));
  }
  substitution_free(by);
  return some;
}

/* ---- the formula as a diagram ---- */

static obdd leaf_to_obdd(void *context, term atom) {
  covering *c = context;
  uint64_t at;
  variable v;
  if (map_get(c->atom_of, term_index(atom), &at)) return obdd_variable(c->obdds, at);
  return compares_names(c->ts, atom, &v) ? values_where(c, atom, v) : OBDD_TRUE;
}

static obdd formula(covering *c, term t) { return obdd_of_term(c->obdds, c->ts, t, leaf_to_obdd, c); }

/* ---- what integers can be ---- */

/* If that takes too much work, every assignment counts as realisable: the clauses are then more, not wrong. */
static obdd realisable(covering *c) {
  term_vector integer = {0};
  VECTOR(uint32_t) number = {0};
  obdd result = OBDD_TRUE;
  for (uint32_t i = 0; i < c->atoms.count; i++) {
    if (term_kind_of(c->ts, c->atoms.at[i]) == TERM_BOOL_VARIABLE) continue;
    VECTOR_PUSH(integer, c->atoms.at[i]);
    VECTOR_PUSH(number, i);
  }
  uint32_t *component = MEMORY_ARRAY(uint32_t, integer.count + 1);
  size_t components = allsat_components(c->allsat, integer.count, integer.at, TERM_TRUE, component);
  for (size_t k = 0; k < components; k++) {
    term_vector inside = {0};
    VECTOR(obdd) bits = {0};
    for (size_t i = 0; i < integer.count; i++) {
      if (component[i] != k) continue;
      VECTOR_PUSH(inside, integer.at[i]);
      VECTOR_PUSH(bits, obdd_variable(c->obdds, number.at[i]));
    }
    const char *reason = NULL;
    allsat_limit(c->allsat, WORK_FOR_CELLS);
    const cells *rows = allsat_cells(c->allsat, inside.count, inside.at, TERM_TRUE, &reason);
    allsat_limit(c->allsat, 0);
    if (rows) result = obdd_and(c->obdds, result, cells_to_obdd(c->obdds, rows, bits.at));
    VECTOR_FREE(inside);
    VECTOR_FREE(bits);
  }
  memory_free(component);
  VECTOR_FREE(integer);
  VECTOR_FREE(number);
  return result;
}

/* ---- covers ---- */

static obdd literal(covering *c, uint32_t l) {
  obdd v = obdd_variable(c->obdds, l / 2);
  return l & 1 ? v : obdd_not(c->obdds, v);
}

static void add_cube(covering *c) {
  cube made = {.set = OBDD_TRUE};
  for (size_t i = 0; i < c->path.count; i++) {
    VECTOR_PUSH(made.literals, c->path.at[i]);
    made.set = obdd_and(c->obdds, made.set, literal(c, c->path.at[i]));
  }
  VECTOR_PUSH(c->cubes, made);
  c->failed |= c->cubes.count > MOST_CUBES;
}

static bool goes_on(covering *c) {
  c->failed |= ++c->steps > MOST_STEPS || obdds_trouble(c->obdds) != NULL;
  return !c->failed;
}

/* Adds cubes within `upper` that cover `lower`, each under the literals of the path, and gives what they cover. Depth:
 * the number of atoms. */
static obdd cover(covering *c, obdd lower, obdd upper) {
  obdds *d = c->obdds;
  if (lower.node == 0 || !goes_on(c)) return OBDD_FALSE;
  if (upper.node == 1) {
    add_cube(c);
    return OBDD_TRUE;
  }
  size_t one = obdd_first_variable(d, lower), other = obdd_first_variable(d, upper), atom = one < other ? one : other;
  obdd low[2], up[2], covered[2];
  for (int value = 0; value < 2; value++) {
    low[value] = obdd_branch(d, lower, atom, value);
    up[value] = obdd_branch(d, upper, atom, value);
  }
  for (int value = 0; value < 2; value++) {
    VECTOR_PUSH(c->path, (uint32_t)(2 * atom) + (uint32_t)value);
    covered[value] = cover(c, obdd_minus(d, low[value], up[1 - value]), up[value]);
    c->path.count--;
  }
  obdd rest = obdd_or(d, obdd_minus(d, low[0], covered[0]), obdd_minus(d, low[1], covered[1]));
  obdd both = cover(c, rest, obdd_and(d, up[0], up[1]));
  return obdd_or(d, both, obdd_ite(d, obdd_variable(d, atom), covered[1], covered[0]));
}

/* ---- making it smaller ---- */

/* What holds by itself says most, and need not have been found above. */
static void add_literals(covering *c, obdd upper) {
  for (uint32_t l = 0; l < 2 * c->atoms.count && !c->failed; l++) {
    if (obdd_minus(c->obdds, literal(c, l), upper).node != 0 || !goes_on(c)) continue;
    VECTOR_PUSH(c->path, l);
    add_cube(c);
    c->path.count--;
  }
}

enum { WEIGHT_OF_LITERAL = 1000 };

static void weigh(const covering *c, cube *k) {
  variable_vector all = {0};
  for (size_t i = 0; i < k->literals.count; i++) term_variables(c->ts, 1, &c->atoms.at[k->literals.at[i] / 2], &all);
  k->weight = WEIGHT_OF_LITERAL * k->literals.count + all.count;
  VECTOR_FREE(all);
}

static obdd product_without(covering *c, const cube *k, size_t left_out) {
  obdd all = OBDD_TRUE;
  for (size_t i = 0; i < k->literals.count; i++)
    if (i != left_out) all = obdd_and(c->obdds, all, literal(c, k->literals.at[i]));
  return all;
}

static void make_prime(covering *c, cube *k, obdd upper) {
  for (size_t i = 0; i < k->literals.count;) {
    obdd larger = product_without(c, k, i);
    if (obdd_minus(c->obdds, larger, upper).node != 0 || obdds_trouble(c->obdds)) {
      i++;
      continue;
    }
    memmove(&k->literals.at[i], &k->literals.at[i + 1], (k->literals.count - i - 1) * sizeof(uint32_t));
    k->literals.count--;
    k->set = larger;
  }
}

static bool is_needed(covering *c, size_t which, obdd lower) {
  obdd others = OBDD_FALSE;
  for (size_t j = 0; j < c->cubes.count; j++)
    if (j != which) others = obdd_or(c->obdds, others, c->cubes.at[j].set);
  return obdd_minus(c->obdds, lower, others).node != 0;
}

static int compare_cubes(const void *x, const void *y) {
  const cube *p = x, *q = y;
  if (p->literals.count != q->literals.count) return p->literals.count < q->literals.count ? -1 : 1;
  for (size_t i = 0; i < p->literals.count; i++)
    if (p->literals.at[i] != q->literals.at[i]) return p->literals.at[i] < q->literals.at[i] ? -1 : 1;
  return 0;
}

static int compare_weights(const void *x, const void *y) {
  const cube *p = x, *q = y;
  if (p->weight != q->weight) return p->weight > q->weight ? -1 : 1;
  return (p->covers > q->covers) - (p->covers < q->covers);
}

/* Heavy ones go first, and of those the ones that say least. */
static void drop_covered(covering *c, obdd lower) {
  VECTOR(uint32_t) all = {0};
  for (uint32_t i = 0; i < c->atoms.count; i++) VECTOR_PUSH(all, i);
  for (size_t i = 0; i < c->cubes.count; i++) {
    weigh(c, &c->cubes.at[i]);
    c->cubes.at[i].covers = obdd_count(c->obdds, obdd_and(c->obdds, c->cubes.at[i].set, lower), all.count, all.at);
  }
  VECTOR_FREE(all);
  if (c->cubes.count) qsort(c->cubes.at, c->cubes.count, sizeof(cube), compare_cubes);
  for (size_t i = 1; i < c->cubes.count; i++) /* stable, so that the order never depends on the library */
    for (size_t j = i; j > 0 && compare_weights(&c->cubes.at[j - 1], &c->cubes.at[j]) > 0; j--) {
      cube held = c->cubes.at[j];
      c->cubes.at[j] = c->cubes.at[j - 1];
      c->cubes.at[j - 1] = held;
    }
  for (size_t i = 0; i < c->cubes.count && !obdds_trouble(c->obdds);) {
    if (is_needed(c, i, lower)) {
      i++;
      continue;
    }
    VECTOR_FREE(c->cubes.at[i].literals);
    memmove(&c->cubes.at[i], &c->cubes.at[i + 1], (c->cubes.count - i - 1) * sizeof(cube));
    c->cubes.count--;
  }
}

static void give_clauses(const covering *c, clause_vector *out) {
  if (c->cubes.count) qsort(c->cubes.at, c->cubes.count, sizeof(cube), compare_cubes);
  for (size_t i = 0; i < c->cubes.count; i++) {
    const cube *k = &c->cubes.at[i];
    term_vector clause = {0};
    for (size_t j = 0; j < k->literals.count; j++) {
      term atom = c->atoms.at[k->literals.at[j] / 2];
      VECTOR_PUSH(clause, k->literals.at[j] & 1 ? term_not(atom) : atom);
    }
    VECTOR_PUSH(*out, clause);
  }
}

static void find_cubes(covering *c, term t) {
  obdd inside = formula(c, t), possible = realisable(c);
  obdd lower = obdd_minus(c->obdds, possible, inside),
       upper = obdd_or(c->obdds, obdd_not(c->obdds, inside), obdd_not(c->obdds, possible));
  cover(c, lower, upper);
  if (lower.node != 0) add_literals(c, upper);
  for (size_t i = 0; i < c->cubes.count && !c->failed; i++) make_prime(c, &c->cubes.at[i], upper);
  if (!c->failed) drop_covered(c, lower);
  c->failed |= obdds_trouble(c->obdds) != NULL;
}

bool clauses_of(terms *ts, allsat *a, budget *b, term t, clause_vector *out) {
  covering c = {.ts = ts, .allsat = a, .atom_of = map_new()};
  t = term_simplify_in_types(ts, term_lift_ite(ts, term_simplify_in_types(ts, t)));
  collect_atoms(&c, t);
  c.failed = c.atoms.count > MOST_ATOMS;
  if (!c.failed) {
    c.obdds = obdds_new(c.atoms.count, NODE_LIMIT);
    obdds_watch(c.obdds, b);
    find_cubes(&c, t);
    obdds_free(c.obdds);
  }
  if (!c.failed) give_clauses(&c, out);
  for (size_t i = 0; i < c.cubes.count; i++) VECTOR_FREE(c.cubes.at[i].literals);
  VECTOR_FREE(c.cubes);
  VECTOR_FREE(c.path);
  VECTOR_FREE(c.atoms);
  map_free(c.atom_of);
  return !c.failed;
}
