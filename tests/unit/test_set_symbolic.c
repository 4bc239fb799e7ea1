/* Decision diagrams, sets of integers and all-SAT against truth tables and counting out a box of integers. */
#include <malloc.h>

#include "base/random.h"
#include "predicate/allsat.h"
#include "random/random_expression.h"
#include "set/obdd.h"
#include "term/evaluate.h"
#include "unit/test.h"

/* ---- decision diagrams ---- */

enum { VARIABLES = 8, ROWS = 1 << VARIABLES };

/* A set as a table of truth values, row r giving variable i the value of bit i. */
typedef struct table {
  obdd set;
  bool rows[ROWS];
} table;

static bool holds_in(obdds *d, obdd f, unsigned row) {
  for (unsigned i = 0; i < VARIABLES; i++) f = obdd_restrict(d, f, i, row >> i & 1);
  return obdd_same(f, OBDD_TRUE);
}

static void check_table(obdds *d, const table *t, const char *what) {
  for (unsigned r = 0; r < ROWS; r++)
    if (holds_in(d, t->set, r) != t->rows[r]) {
      CHECK(false, "%s differs in row %u", what, r);
      return;
    }
}

static table variable_table(obdds *d, unsigned i) {
  table t = {.set = obdd_variable(d, i)};
  for (unsigned r = 0; r < ROWS; r++) t.rows[r] = r >> i & 1;
  return t;
}

static table combine(obdds *d, random_source *random, const table *a, const table *b, const table *c) {
  table t;
  uint64_t kind = random_below(random, 6);
  switch (kind) {
    case 0: t.set = obdd_and(d, a->set, b->set); break;
    case 1: t.set = obdd_or(d, a->set, b->set); break;
    case 2: t.set = obdd_iff(d, a->set, b->set); break;
    case 3: t.set = obdd_minus(d, a->set, b->set); break;
    case 4: t.set = obdd_ite(d, c->set, a->set, b->set); break;
    default: t.set = obdd_not(d, a->set); break;
  }
  for (unsigned r = 0; r < ROWS; r++) {
    bool x = a->rows[r], y = b->rows[r], z = c->rows[r];
    bool all[] = {x && y, x || y, x == y, x && !y, z ? x : y, !x};
    t.rows[r] = all[kind];
  }
  return t;
}

TEST(diagrams_are_their_truth_tables) {
  random_source random = {1};
  for (int round = 0; round < 20; round++) {
    obdds *d = obdds_new(VARIABLES, 1000000);
    VECTOR(table) pool = {0};
    for (unsigned i = 0; i < VARIABLES; i++) VECTOR_PUSH(pool, variable_table(d, i));
    for (int i = 0; i < 40; i++) {
      table t = combine(d, &random, &pool.at[random_below(&random, pool.count)],
                        &pool.at[random_below(&random, pool.count)], &pool.at[random_below(&random, pool.count)]);
      VECTOR_PUSH(pool, t);
    }
    const table *last = &pool.at[pool.count - 1], *other = &pool.at[pool.count - 2];
    check_table(d, last, "a combination");
    size_t count = 0;
    for (unsigned r = 0; r < ROWS; r++) count += last->rows[r];
    uint32_t all[VARIABLES];
    for (uint32_t i = 0; i < VARIABLES; i++) all[i] = i;
    CHECK(obdd_count(d, last->set, VARIABLES, all) == (double)count);
    /* exists 0, 3. last and other */
    table joined = {.set = obdd_join(d, last->set, other->set, obdd_cube(d, 2, (uint32_t[]){0, 3}))};
    for (unsigned r = 0; r < ROWS; r++)
      for (unsigned v = 0; v < 4; v++) {
        unsigned at = (r & ~9u) | (v & 1) | (v & 2) << 2;
        joined.rows[r] |= last->rows[at] && other->rows[at];
      }
    check_table(d, &joined, "a join");
    table renamed = {.set = obdd_rename(d, joined.set, obdds_renaming(d, 2, (uint32_t[]){1, 2}, (uint32_t[]){0, 3}))};
    for (unsigned r = 0; r < ROWS; r++) renamed.rows[r] = joined.rows[(r & ~6u) | (r & 1) << 1 | (r >> 3 & 1) << 2];
    check_table(d, &renamed, "a renaming");
    VECTOR_FREE(pool);
    obdds_free(d);
  }
}

TEST(the_first_assignment_is_picked) {
  obdds *d = obdds_new(4, 1000000);
  obdd f = obdd_or(d, obdd_and(d, obdd_variable(d, 0), obdd_variable(d, 2)),
                   obdd_and(d, obdd_variable(d, 1), obdd_variable(d, 3)));
  bool values[4];
  CHECK(obdd_pick(d, f, 4, (uint32_t[]){0, 1, 2, 3}, values));
  CHECK(!values[0] && values[1] && !values[2] && values[3]);
  CHECK(obdd_pick(d, f, 4, (uint32_t[]){3, 1, 2, 0}, values));
  CHECK(!values[0] && !values[1] && values[2] && values[3]);
  CHECK(!obdd_pick(d, OBDD_FALSE, 4, (uint32_t[]){0, 1, 2, 3}, values));
  obdds_free(d);
}

TEST(what_is_kept_survives_a_release) {
  obdds *d = obdds_new(40, 1000000);
  obdd parity = OBDD_FALSE;
  size_t mark = obdds_mark(d);
  for (size_t round = 0; round < 200; round++) {
    for (size_t i = 0; i < 40; i++) parity = obdd_not(d, obdd_iff(d, parity, obdd_variable(d, i)));
    obdds_release(d, mark, 1, &parity);
  }
  uint32_t all[40];
  for (uint32_t i = 0; i < 40; i++) all[i] = i;
  CHECK(obdd_same(parity, OBDD_FALSE)); /* an even number of rounds */
  for (size_t i = 0; i < 40; i++) parity = obdd_not(d, obdd_iff(d, parity, obdd_variable(d, i)));
  CHECK(obdd_count(d, parity, 40, all) == 549755813888.0); /* 2^39 */
  obdds_free(d);
}

/* After the limit BuDDy says that everything is empty. */
TEST(the_node_limit_is_trouble_and_never_an_empty_set) {
  enum { BITS = 24 };
  obdds *d = obdds_new(2 * BITS, 1);
  obdd f = OBDD_TRUE;
  for (size_t i = 0; i < BITS; i++) f = obdd_and(d, f, obdd_iff(d, obdd_variable(d, i), obdd_variable(d, BITS + i)));
  CHECK(obdds_trouble(d) != NULL);
  CHECK(answer_is_unsure(obdd_is_empty(d, f)));
  CHECK(answer_is_unsure(obdd_is_empty(d, OBDD_FALSE)));
  obdds_free(d);
  d = obdds_new(2, 1000000);
  CHECK(obdds_trouble(d) == NULL);
  CHECK(answer_is_yes(obdd_is_empty(d, OBDD_FALSE)));
  obdds_free(d);
}

/* The deadline passes while the operation is under way: it ends long before the diagram is whole. */
TEST(a_spent_budget_is_trouble_in_the_middle_of_an_operation) {
  enum { BITS = 19 };
  obdds *d = obdds_new(2 * BITS, 1 << 24);
  budget b = budget_unlimited();
  obdds_watch(d, &b);
  obdd halves[2] = {OBDD_TRUE, OBDD_TRUE};
  for (size_t i = 0; i < BITS; i++) {
    obdd same = obdd_iff(d, obdd_variable(d, i), obdd_variable(d, BITS + i));
    halves[2 * i < BITS] = obdd_and(d, halves[2 * i < BITS], same);
  }
  CHECK(obdds_trouble(d) == NULL);
  b.deadline = clock_seconds();
  b.calls = 1; /* so that the clock is not looked at before the operation */
  obdd both = obdd_and(d, halves[0], halves[1]);
  CHECK(obdds_trouble(d) && !strcmp(obdds_trouble(d), "time limit reached"), "%s", obdds_trouble(d));
  CHECK(answer_is_unsure(obdd_is_empty(d, both)));
  obdds_free(d);
}

/* What memory held before must not matter: it holds large numbers, which are no node's. */
static obdds *in_filled_memory(size_t variables) {
  mallopt(M_PERTURB, 0xa5); /* fills with the complement */
  return obdds_new(variables, 1 << 20);
}

static void done_in_filled_memory(obdds *d) {
  CHECK(obdds_trouble(d) == NULL, "%s", obdds_trouble(d));
  obdds_free(d);
  mallopt(M_PERTURB, 0);
}

/* The operation after variables were added goes deep and makes so many nodes that garbage is collected in the middle of it. */
TEST(garbage_is_collected_after_variables_were_added) {
  enum { BITS = 16 };
  obdds *d = in_filled_memory(2 * BITS);
  obdd halves[2] = {OBDD_TRUE, OBDD_TRUE};
  uint32_t all[2 * BITS];
  for (uint32_t i = 0; i < 2 * BITS; i++) all[i] = i;
  for (size_t i = 0; i < BITS; i++) {
    obdd same = obdd_iff(d, obdd_variable(d, i), obdd_variable(d, BITS + i));
    halves[2 * i < BITS] = obdd_and(d, halves[2 * i < BITS], same);
  }
  obdds_extend(d, 500); /* many, so that their memory is filled */
  obdd both = obdd_and(d, halves[0], halves[1]);
  CHECK(obdd_count(d, both, 2 * BITS, all) == 1 << BITS);
  done_in_filled_memory(d);
}

/* The table is full, to the last node, when a variable is added: so it is for one of these numbers of nodes before. */
TEST(garbage_is_collected_while_variables_are_added) {
  enum { MANY = 32700, FEW = 60 };
  for (size_t before = 0; before < 3; before++) {
    obdds *d = in_filled_memory(8);
    for (size_t i = 0; i < before; i++) obdd_and(d, obdd_variable(d, i), obdd_variable(d, i + 1));
    obdds_extend(d, MANY);
    for (size_t i = 0; i < FEW; i++) {
      size_t made = obdds_extend(d, 1);
      CHECK(obdd_nodes(d, obdd_and(d, obdd_variable(d, 7), obdd_variable(d, made))) == 2);
    }
    done_in_filled_memory(d);
  }
}

/* ---- sets of integers ---- */

enum { INTS = 3, LOW = -4, HIGH = 4, SIDE = HIGH - LOW + 1, BOX = SIDE * SIDE * SIDE };

typedef struct world {
  terms *ts;
  variable ints[INTS];
  presburger *p;
  const frame *frame;
  budget budget;
  solver *solver;
} world;

static world world_new(void) {
  world w = {.ts = terms_new(), .budget = budget_unlimited()};
  type box = {.sort = SORT_INT, .has_low = true, .has_high = true, .low = number_of(LOW), .high = number_of(HIGH)};
  for (int i = 0; i < INTS; i++) w.ints[i] = variable_new(w.ts, (const char *[]){"x", "y", "z"}[i], &box);
  w.p = presburger_new(w.ts, 0);
  w.frame = presburger_frame(w.p, INTS, w.ints);
  return w;
}

static void world_free(world *w) {
  solver_free(w->solver);
  presburger_free(w->p);
  terms_free(w->ts);
}

static void point(unsigned at, number *values) {
  for (int i = 0; i < INTS; i++, at /= SIDE) values[i] = number_of((int64_t)(at % SIDE) + LOW);
}

static bool term_at(const world *w, term t, unsigned at) {
  number values[16] = {0}, here[INTS];
  point(at, here);
  for (int i = 0; i < INTS; i++) values[w->ints[i].x] = here[i];
  return !number_is(term_evaluate(w->ts, t, values), 0);
}

/* The region as a term must hold where `wanted` does, inside the box. */
static void check_region(const world *w, const region *r, const bool *wanted, const char *what) {
  term t;
  if (!r) return; /* too much work is allowed, a wrong set is not */
  CHECK(region_term(r, &t), "%s cannot be read", what);
  bool empty = true;
  for (unsigned i = 0; i < BOX; i++) {
    empty &= !wanted[i];
    if (term_at(w, t, i) != wanted[i]) {
      CHECK(false, "%s differs at point %u", what, i);
      return;
    }
  }
  answer a = region_is_empty(r);
  CHECK(answer_is_unsure(a) || answer_is_yes(a) == empty, "%s: emptiness", what);
}

TEST(sets_are_what_their_terms_say) {
  raw_source source = {.random = {7}, .arena = arena_new(), .int_variables = INTS};
  world w = world_new();
  region *types = region_of_types(w.p, w.frame);
  int done = 0;
  for (int round = 0; round < 300; round++) {
    term s = raw_term(w.ts, raw_boolean(&source, 3), w.ints, NULL),
         t = raw_term(w.ts, raw_boolean(&source, 3), w.ints, NULL);
    if (!presburger_can(w.ts, s) || !presburger_can(w.ts, t)) continue;
    region *whole = region_of_term(w.p, w.frame, s), *a = region_meet(whole, types),
           *b = region_of_term(w.p, w.frame, t);
    region *both = region_meet(a, b), *either = region_join(a, both), *minus = region_minus(a, b),
           *simple = region_simplify_under(b, a);
    static bool in_a[BOX], in_both[BOX], in_minus[BOX];
    for (unsigned i = 0; i < BOX; i++) {
      in_a[i] = term_at(&w, s, i);
      in_both[i] = in_a[i] && term_at(&w, t, i);
      in_minus[i] = in_a[i] && !in_both[i];
    }
    check_region(&w, a, in_a, "a set");
    check_region(&w, both, in_both, "a meet");
    check_region(&w, either, in_a, "a join");
    check_region(&w, minus, in_minus, "a difference");
    region *again = region_meet(simple, a);
    check_region(&w, again, in_both, "a set simplified inside another");
    if (a && both) CHECK(answer_is_yes(region_is_within(both, a)));
    done += a && b;
    region_free(again);
    region_free(simple);
    region_free(minus);
    region_free(either);
    region_free(both);
    region_free(a);
    region_free(b);
    region_free(whole);
  }
  CHECK(done > 200, "only %d were tried", done);
  region_free(types);
  world_free(&w);
  arena_free(source.arena);
}

TEST(projection_is_exact_over_the_integers) {
  raw_source source = {.random = {11}, .arena = arena_new(), .int_variables = INTS};
  world w = world_new();
  const frame *two = presburger_frame(w.p, 2, w.ints);
  region *types = region_of_types(w.p, w.frame);
  for (int round = 0; round < 150; round++) {
    term t = raw_term(w.ts, raw_boolean(&source, 3), w.ints, NULL);
    if (!presburger_can(w.ts, t)) continue;
    region *whole = region_of_term(w.p, w.frame, t), *a = region_meet(whole, types), *flat = region_project(a, two);
    static bool wanted[BOX];
    for (unsigned i = 0; i < BOX; i++) wanted[i] = false;
    for (unsigned i = 0; i < BOX; i++)
      if (term_at(&w, t, i))
        for (unsigned z = 0; z < SIDE; z++) wanted[i % (SIDE * SIDE) + z * SIDE * SIDE] = true;
    check_region(&w, flat, wanted, "a projection");
    region_free(flat);
    region_free(a);
    region_free(whole);
  }
  region_free(types);
  world_free(&w);
  arena_free(source.arena);
}

/* x := x + 2 while x <= y: backwards from x = 3, and exactly the even distances. */
TEST(closures_of_translations_are_exact) {
  world w = world_new();
  terms *ts = w.ts;
  term x = term_of_variable(ts, w.ints[0]), y = term_of_variable(ts, w.ints[1]), z = term_of_variable(ts, w.ints[2]);
  term step = term_and_all(
      ts, 4,
      (term[]){term_le(ts, x, y),
               term_eq(ts, term_of_variable(ts, variable_next(ts, w.ints[0])), term_add(ts, x, term_int(ts, 2))),
               term_eq(ts, term_of_variable(ts, variable_next(ts, w.ints[1])), y),
               term_eq(ts, term_of_variable(ts, variable_next(ts, w.ints[2])), z)});
  relation *one = relation_of_term(w.p, w.frame, 0, NULL, step);
  bool exact = false;
  relation *some = relation_closure(one, &exact);
  CHECK(some && exact);
  region *goal = region_of_term(w.p, w.frame, term_eq(ts, x, term_int(ts, 3))), *before = relation_before(some, goal);
  static bool wanted[BOX];
  for (unsigned i = 0; i < BOX; i++) {
    number at[INTS];
    point(i, at);
    /* the last round starts at 1, which must be at most y */
    wanted[i] = at[0].small <= 1 && (3 - at[0].small) % 2 == 0 && 1 <= at[1].small;
  }
  check_region(&w, before, wanted, "states before the goal");
  CHECK(region_has_divisions(before));
  region *relaxed = region_without_divisions(before);
  CHECK(relaxed && !region_has_divisions(relaxed) && answer_is_yes(region_is_within(before, relaxed)));
  region_free(relaxed);
  region_free(before);
  region_free(goal);
  relation_free(some);
  relation_free(one);
  world_free(&w);
}

TEST(an_inexact_closure_says_so) {
  world w = world_new();
  terms *ts = w.ts;
  const frame *two = presburger_frame(w.p, 2, w.ints);
  term x = term_of_variable(ts, w.ints[0]), y = term_of_variable(ts, w.ints[1]);
  term step = term_and(ts, term_eq(ts, term_of_variable(ts, variable_next(ts, w.ints[0])), x),
                       term_eq(ts, term_of_variable(ts, variable_next(ts, w.ints[1])), term_add(ts, x, y)));
  relation *one = relation_of_term(w.p, two, 0, NULL, step);
  bool exact = true;
  relation *some = relation_closure(one, &exact);
  CHECK(!some || !exact);
  relation_free(some);
  relation_free(one);
  world_free(&w);
}

TEST(products_are_refused_and_work_is_bounded) {
  world w = world_new();
  terms *ts = w.ts;
  term x = term_of_variable(ts, w.ints[0]), y = term_of_variable(ts, w.ints[1]);
  term product = term_eq(ts, term_mul(ts, x, y), term_int(ts, 2));
  CHECK(!presburger_can(ts, product));
  CHECK(region_of_term(w.p, w.frame, product) == NULL && presburger_trouble(w.p));
  CHECK(answer_is_unsure(region_is_empty(NULL)));
  presburger *small = presburger_new(ts, 1);
  const frame *f = presburger_frame(small, INTS, w.ints);
  region *a = region_of_types(small, f),
         *b = region_of_term(small, f, term_eq(ts, term_add(ts, x, y), term_mod(ts, x, term_int(ts, 3))));
  region *both = region_meet(a, b);
  CHECK(!answer_is_yes(region_is_empty(both)));
  region_free(both);
  region_free(a);
  region_free(b);
  presburger_free(small);
  world_free(&w);
}

/* ---- all-SAT ---- */

static size_t random_atoms(world *w, raw_source *source, term *atoms, size_t wanted) {
  term_vector found = {0};
  for (int tries = 0; tries < 50 && found.count < wanted; tries++) {
    term_vector some = {0};
    term_atoms(w->ts, raw_term(w->ts, raw_boolean(source, 2), w->ints, NULL), &some);
    for (size_t i = 0; i < some.count && found.count < wanted; i++) {
      bool there = !term_is_atom(w->ts, some.at[i]);
      for (size_t j = 0; j < found.count; j++) there |= term_same(found.at[j], some.at[i]);
      if (!there) VECTOR_PUSH(found, some.at[i]);
    }
    VECTOR_FREE(some);
  }
  memcpy(atoms, found.at, found.count * sizeof(term));
  size_t count = found.count;
  VECTOR_FREE(found);
  return count;
}

static void check_cells(world *w, allsat *a, size_t count, const term *atoms, term context) {
  const char *reason;
  const cells *c = allsat_cells(a, count, atoms, context, &reason);
  CHECK(c != NULL, "%s", reason);
  if (!c) return;
  static bool wanted[1 << 10];
  memset(wanted, 0, sizeof wanted);
  size_t rows = 0;
  for (unsigned i = 0; i < BOX; i++) {
    if (!term_at(w, context, i)) continue;
    unsigned row = 0;
    for (size_t j = 0; j < count; j++) row |= (unsigned)term_at(w, atoms[j], i) << j;
    rows += !wanted[row];
    wanted[row] = true;
  }
  bool all_there = true;
  for (size_t r = 0; r < c->count; r++) {
    unsigned row = 0;
    for (size_t j = 0; j < count; j++) row |= (unsigned)cells_has(c, r, j) << j;
    all_there &= wanted[row];
  }
  CHECK(c->exact ? all_there && c->count == rows : c->count >= rows, "%zu rows, should be %zu", c->count, rows);
}

static void check_all_sat(bool nonlinear, uint64_t seed, int rounds) {
  raw_source source = {.random = {seed}, .arena = arena_new(), .int_variables = INTS, .nonlinear = nonlinear};
  for (int round = 0; round < rounds; round++) {
    world w = world_new();
    w.solver = solver_new(w.ts, &w.budget);
    allsat *a = allsat_new(w.ts, w.p, w.solver, &w.budget);
    term atoms[8];
    size_t count = random_atoms(&w, &source, atoms, 6);
    check_cells(&w, a, count, atoms, TERM_TRUE);
    check_cells(&w, a, count, atoms,
                term_le(w.ts, term_of_variable(w.ts, w.ints[0]), term_of_variable(w.ts, w.ints[2])));
    check_cells(&w, a, count, atoms, TERM_TRUE);
    CHECK(allsat_statistics_of(a).reused == 1);
    allsat_free(a);
    world_free(&w);
  }
  arena_free(source.arena);
}

/* x - y <= c, x = c, .. only: shortest paths answer, and isl is not asked. */
TEST(all_sat_counts_out_differences) {
  random_source random = {9};
  for (int round = 0; round < 150; round++) {
    world w = world_new();
    w.solver = solver_new(w.ts, &w.budget);
    allsat *a = allsat_new(w.ts, w.p, w.solver, &w.budget);
    term atoms[8];
    size_t count = 0;
    for (int tries = 0; tries < 30 && count < 8; tries++) {
      uint64_t i = random_below(&random, INTS), j = random_below(&random, INTS + 1);
      term left = term_of_variable(w.ts, w.ints[i]), right = term_int(w.ts, random_between(&random, -3, 3));
      if (j < INTS && j != i) right = term_add(w.ts, right, term_of_variable(w.ts, w.ints[j]));
      term atom = term_positive(random_below(&random, 2) ? term_le(w.ts, left, right) : term_eq(w.ts, left, right));
      bool there = term_is_true(atom);
      for (size_t k = 0; k < count; k++) there |= term_same(atoms[k], atom);
      if (!there) atoms[count++] = atom;
    }
    check_cells(&w, a, count, atoms, TERM_TRUE);
    check_cells(&w, a, count - 1, atoms, term_not(atoms[count - 1]));
    CHECK(allsat_statistics_of(a).by_sets == 0 && allsat_statistics_of(a).by_solver == 0);
    allsat_free(a);
    world_free(&w);
  }
}

TEST(all_sat_counts_out_linear_atoms) { check_all_sat(false, 3, 60); }
TEST(all_sat_counts_out_products) { check_all_sat(true, 5, 12); }

TEST(components_share_no_variable) {
  world w = world_new();
  terms *ts = w.ts;
  allsat *a = allsat_new(ts, w.p, NULL, &w.budget);
  term x = term_of_variable(ts, w.ints[0]), y = term_of_variable(ts, w.ints[1]), z = term_of_variable(ts, w.ints[2]),
       one = term_int(ts, 1);
  term atoms[] = {term_positive(term_le(ts, x, one)), term_positive(term_le(ts, y, one)),
                  term_positive(term_le(ts, x, z))};
  uint32_t component[3];
  CHECK(allsat_components(a, 3, atoms, TERM_TRUE, component) == 2);
  CHECK(component[0] == component[2] && component[0] != component[1]);
  CHECK(allsat_components(a, 3, atoms, term_le(ts, y, x), component) == 1);
  allsat_assume(a, term_le(ts, y, z));
  CHECK(allsat_components(a, 3, atoms, TERM_TRUE, component) == 1);
  allsat_free(a);
  world_free(&w);
}

TEST_MAIN
