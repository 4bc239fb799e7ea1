/* The parts of syntactic by themselves: simplify_in_context on the paper's example, assignments that integers realise and their
 * clauses against counting out points, programs against their obligations and against `explicit`. */
#include "base/map.h"
#include "base/random.h"
#include "engine/syntactic/consistency_formula.h"
#include "engine/syntactic/finite_program.h"
#include "engine/syntactic/realisable.h"
#include "engine/syntactic/simplify_in_context.h"
#include "random/random_model.h"
#include "term/evaluate.h"
#include "term/print.h"
#include "unit/engine_run.h"
#include "unit/input/input_helper.h"
#include "unit/test.h"
#include "unit/work_budget.h"

extern const engine engine_syntactic, engine_explicit;

typedef struct lab {
  model *m;
  budget budget;
  solver *solver;
  presburger *sets;
  allsat *allsat;
} lab;

static lab *lab_new(TAKE model *m) {
  lab *l = MEMORY_NEW(lab);
  l->m = m;
  l->budget = budget_unlimited();
  l->solver = solver_new(m->terms, &l->budget);
  l->sets = presburger_new(m->terms, 0);
  l->allsat = allsat_new(m->terms, l->sets, l->solver, &l->budget);
  return l;
}

static void lab_free(TAKE lab *l) {
  allsat_free(l->allsat);
  presburger_free(l->sets);
  solver_free(l->solver);
  model_free(l->m);
  memory_free(l);
}

/* ---- simplify_in_context ---- */

static void expect_term(lab *l, term t, const char *wanted) {
  char *got = term_string(l->m->terms, t);
  CHECK(term_same(t, read_condition(l->m, wanted)), "got %s, wanted %s", got, wanted);
  memory_free(got);
}

TEST(the_example_of_the_paper) {
  lab *l = lab_new(read_good_model("var x, y, u : int\nsafe all: (if x = u then y else x) = u\n"));
  const property *p = &l->m->properties.at[0];
  predicate_model *s = predicate_model_new(l->m, 0, l->sets);
  expect_term(l, simplify_in_context(l->m->terms, predicate_model_prepare(s, term_not(p->bad)), 0, NULL),
              "x = u && y = u");
  predicate_model_free(s);
  lab_free(l);
}

TEST(facts_decide_atoms_and_rewrite_none) {
  lab *l = lab_new(read_good_model("var x, y, z : int\nvar b : bool\nsafe s: true\n"));
  term fact = read_condition(l->m, "x <= y && !b");
  expect_term(l, simplify_in_context(l->m->terms, read_condition(l->m, "x <= y + 1 || z = 1"), 1, &fact), "true");
  expect_term(l, simplify_in_context(l->m->terms, read_condition(l->m, "x > y && z = 1"), 1, &fact), "false");
  expect_term(l, simplify_in_context(l->m->terms, read_condition(l->m, "x >= y && (b || z = 1)"), 1, &fact),
              "y <= x && z = 1");
  expect_term(l,
              simplify_in_context(l->m->terms, read_condition(l->m, "(x <= 3 && (x <= 5 => z = 1)) || z = 2"), 0, NULL),
              "x <= 3 && z = 1 || z = 2");
  lab_free(l);
}

TEST(expressed_by_known_predicates) {
  lab *l = lab_new(read_good_model("var s, t : int\nsafe a: true\n"));
  term_vector known = {0}, fresh = {0};
  term out, t = read_condition(l->m, "s = t");
  VECTOR_PUSH(known, term_positive(read_condition(l->m, "s <= t")));
  VECTOR_PUSH(fresh, t);
  CHECK(!simplify_define(l->m->terms, l->allsat, t, TERM_TRUE, &known, &fresh, &out));
  VECTOR_PUSH(known, term_positive(read_condition(l->m, "s + 1 <= t")));
  CHECK(simplify_define(l->m->terms, l->allsat, t, TERM_TRUE, &known, &fresh, &out));
  CHECK(answer_is_yes(solver_valid(l->solver, term_iff(l->m->terms, out, t))));
  term_vector atoms = {0};
  term_atoms(l->m->terms, out, &atoms);
  for (size_t i = 0; i < atoms.count; i++)
    CHECK(term_same(atoms.at[i], known.at[0]) || term_same(atoms.at[i], known.at[1]));
  VECTOR_FREE(atoms);
  VECTOR_FREE(known);
  VECTOR_FREE(fresh);
  lab_free(l);
}

/* ---- realisable assignments and clauses ---- */

enum { VARIABLES = 3, BOX = 9, MOST = 10 };

/* Bounds on differences with small constants; sometimes one that is no difference, so that integer sets are used. */
static term random_atom(lab *l, random_source *r, bool only_differences) {
  terms *ts = l->m->terms;
  term a = term_of_variable(ts, l->m->variables.at[random_below(r, VARIABLES)].var);
  term b = term_of_variable(ts, l->m->variables.at[random_below(r, VARIABLES)].var);
  term sum = random_below(r, 3) ? term_sub(ts, a, b) : a;
  if (!only_differences && !random_below(r, 3)) sum = term_add(ts, term_add(ts, a, b), a);
  term zero = term_int(ts, random_between(r, -1, 1));
  return random_below(r, 3) ? term_le(ts, sum, zero) : term_eq(ts, sum, zero);
}

static void random_atoms(lab *l, random_source *r, bool only_differences, term_vector *out) {
  size_t wanted = (size_t)random_between(r, 1, MOST);
  for (size_t tries = 0; tries < 200 && out->count < wanted; tries++) {
    term t = term_positive(random_atom(l, r, only_differences));
    bool there = term_is_true(t);
    for (size_t i = 0; i < out->count; i++) there |= term_same(out->at[i], t);
    if (!there) VECTOR_PUSH(*out, t);
  }
}

/* Which assignments the points of a box realise: differences of three variables with constants up to 1 need no larger
 * one. */
static void count_out(lab *l, const term_vector *atoms, bool *seen) {
  number *values = MEMORY_ARRAY(number, variable_count(l->m->terms) + 1);
  for (int64_t x = -BOX; x <= BOX; x++)
    for (int64_t y = -BOX; y <= BOX; y++)
      for (int64_t z = -BOX; z <= BOX; z++) {
        const int64_t point[] = {x, y, z};
        size_t row = 0;
        for (size_t i = 0; i < VARIABLES; i++) values[l->m->variables.at[i].var.x] = number_of(point[i]);
        for (size_t i = 0; i < atoms->count; i++)
          row |= (size_t)!number_is(term_evaluate(l->m->terms, atoms->at[i], values), 0) << i;
        seen[row] = true;
      }
  memory_free(values);
}

static bool allows(terms *ts, const term_vector *parts, const term_vector *bits, size_t row) {
  map *by = map_new();
  for (size_t i = 0; i < bits->count; i++) map_set(by, term_index(bits->at[i]), term_of_bool(row >> i & 1).x);
  bool all = true;
  for (size_t i = 0; i < parts->count && all; i++) all = term_is_true(simplify_replace(ts, parts->at[i], by));
  map_free(by);
  return all;
}

static void check_round(lab *l, random_source *r, bool only_differences) {
  terms *ts = l->m->terms;
  term_vector atoms = {0}, bits = {0}, joint = {0}, grouped = {0}, diagram = {0};
  bool seen[1 << MOST] = {false}, exact = true, grouped_exact = true;
  const char *reason;
  realisable found = {0};
  random_atoms(l, r, only_differences, &atoms);
  count_out(l, &atoms, seen);
  for (size_t i = 0; i < atoms.count; i++)
    VECTOR_PUSH(bits, term_of_variable(ts, variable_fresh(ts, "bit", &(type){.sort = SORT_BOOL})));
  consistency_question q = {atoms.count, atoms.at, bits.at, NULL, TERM_TRUE, false};
  CHECK(consistency_formula_add(ts, l->allsat, &l->budget, &q, &joint, &exact, &reason) && exact);
  q.grouped = true;
  CHECK(consistency_formula_add(ts, l->allsat, &l->budget, &q, &grouped, &grouped_exact, &reason));
  CHECK(realisable_find(ts, l->allsat, &l->budget, atoms.count, atoms.at, TERM_TRUE, &found, &reason));
  VECTOR_PUSH(diagram, realisable_term(ts, &found, bits.at));
  double wanted = 0;
  for (size_t row = 0; row < (size_t)1 << atoms.count; row++) {
    wanted += seen[row];
    CHECK(allows(ts, &joint, &bits, row) == seen[row]);
    CHECK(allows(ts, &diagram, &bits, row) == seen[row]);
    CHECK(!seen[row] || allows(ts, &grouped, &bits, row));
  }
  CHECK(realisable_count(&found) == wanted);
  realisable_clear(&found);
  VECTOR_FREE(atoms);
  VECTOR_FREE(bits);
  VECTOR_FREE(joint);
  VECTOR_FREE(grouped);
  VECTOR_FREE(diagram);
}

TEST(assignments_are_those_of_points) {
  random_source r = {31};
  for (unsigned round = 0; round < random_rounds(40) && !test_failures; round++) {
    lab *l = lab_new(read_good_model("var x, y : int\nvar z : int\nsafe a: true\n"));
    check_round(l, &r, round % 3 != 0);
    lab_free(l);
  }
}

/* Section 3.3: 53 atoms took a plain search more than a million questions. */
TEST(fifty_atoms_jointly) {
  lab *l = lab_new(read_good_model("var a, b, c, d, e : int\nsafe s: true\n"));
  terms *ts = l->m->terms;
  term_vector atoms = {0};
  realisable found = {0};
  const char *reason = NULL;
  for (int64_t k = -2; k <= 2; k++)
    for (size_t i = 0; i < 5; i++)
      for (size_t j = 0; j < i; j++) {
        term sum = term_sub(ts, term_of_variable(ts, l->m->variables.at[i].var),
                            term_of_variable(ts, l->m->variables.at[j].var));
        if (i == j + 1 || i == 4)
          VECTOR_PUSH(atoms,
                      term_positive(k % 2 ? term_le(ts, sum, term_int(ts, k)) : term_eq(ts, sum, term_int(ts, k))));
      }
  for (int64_t k = -2; k <= 2; k++)
    for (size_t i = 0; i < 3; i++)
      VECTOR_PUSH(atoms, term_positive(term_le(ts, term_of_variable(ts, l->m->variables.at[i].var), term_int(ts, k))));
  CHECK(atoms.count >= 50, "%zu", atoms.count);
  CHECK(realisable_find(ts, l->allsat, &l->budget, atoms.count, atoms.at, TERM_TRUE, &found, &reason), "%s",
        reason ? reason : "");
  CHECK(found.exact && realisable_count(&found) > 10000 && found.nodes.count < 1000000);
  printf("# %zu atoms: %.0f assignments in %zu nodes\n", atoms.count, realisable_count(&found), found.nodes.count);
  realisable_clear(&found);
  VECTOR_FREE(atoms);
  lab_free(l);
}

/* ---- programs ---- */

/* The program of a model for its first property. */
typedef struct bench {
  lab *l;
  predicate_model *system;
  closure *closure;
  finite_program *program;
} bench;

static bench bench_new(TAKE model *m, size_t rounds) {
  bench b = {.l = lab_new(m)};
  term bad = m->properties.at[0].bad;
  b.system = predicate_model_new(m, 0, b.l->sets);
  allsat_assume(b.l->allsat, b.system->facts);
  b.closure = closure_new(b.system, b.l->allsat, b.l->sets, &b.l->budget, 1, &bad, (closure_limits){.rounds = rounds});
  b.program = finite_program_new(b.closure, CONSISTENCY_ANY);
  model_add_property(b.program->model, "p", PROPERTY_SAFE, (place){0})->bad = finite_program_map(b.program, bad);
  return b;
}

static void bench_free(bench *b) {
  finite_program_free(b->program);
  closure_free(b->closure);
  predicate_model_free(b->system);
  lab_free(b->l);
}

TEST(control_that_is_not_kept) {
  engine_result r =
      engine_run_text(&engine_syntactic,
                      "const N = 0\nconst W = 1\nconst C = 2\nvar st1, st2 : int = N\nvar y1, y2 : nat = 0\n"
                      "action wait1: st1 = N -> st1, y1 := W, y2 + 1\n"
                      "action enter1: st1 = W && (y2 = 0 || y1 <= y2) -> st1 := C\n"
                      "action release1: st1 = C -> st1, y1 := N, 0\n"
                      "action wait2: st2 = N -> st2, y2 := W, y1 + 1\n"
                      "action enter2: st2 = W && (y1 = 0 || y2 < y1) -> st2 := C\n"
                      "action release2: st2 = C -> st2, y2 := N, 0\n"
                      "safe mutex: !(st1 = C && st2 = C)\n",
                      20000000, 0, NULL);
  CHECK(r.verdict == VERDICT_SAFE && r.checked && r.statistics.predicates == 9 && r.statistics.abstract_states == 9,
        "%llu predicates, %llu states", (unsigned long long)r.statistics.predicates,
        (unsigned long long)r.statistics.abstract_states);
  engine_result_free(&r);
}

/* `explicit` counts the states of the program that decision diagrams count for the engine. */
TEST(explicit_counts_the_same_states) {
  static const struct {
    const char *path;
    size_t rounds;
    uint64_t states;
  } cases[] = {{"predabs/bakery3.whet", 0, 31},
               {"predabs/bakery4.whet", 0, 129},
               {"predabs/bakery5.whet", 0, 651},
               {"predabs/lem0.whet", 1, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bench b = bench_new(model_of_file(cases[i].path), cases[i].rounds);
    CHECK(!b.program->trouble);
    engine_result r = engine_run_model(&engine_explicit, b.program->model, NULL, 20000000, 0, NULL);
    CHECK(r.verdict == VERDICT_SAFE && r.statistics.states == cases[i].states, "%s: %llu", cases[i].path,
          (unsigned long long)r.statistics.states);
    engine_result_free(&r);
    program_obligations found = finite_program_check(b.program, b.l->solver);
    CHECK(!found.fails && found.proved == found.all && found.all > 0);
    bench_free(&b);
  }
}

/* A program in which one value, guard or initial state was changed does not pass. */
TEST(obligations_notice_changes) {
  for (unsigned what = 0; what < 3; what++) {
    bench b = bench_new(model_of_file("bakery2.whet"), 0);
    model *m = b.program->model;
    program_action *enter1 = &b.program->actions.at[1];
    term bit = term_of_variable(m->terms, b.program->bits.at[0].var);
    if (what == 0) m->transitions.at[0].updates.at[1].value = term_not(m->transitions.at[0].updates.at[1].value);
    if (what == 1) VECTOR_PUSH(enter1->guard, bit);
    if (what == 2) VECTOR_PUSH(b.program->init, term_not(bit));
    CHECK(finite_program_check(b.program, b.l->solver).fails, "change %u", what);
    bench_free(&b);
  }
}

/* Every program of a random model passes its own obligations. */
TEST(obligations_of_random_programs) {
  unsigned programs = 0;
  random_knobs knobs;
  random_knobs_find("linear", &knobs);
  for (uint64_t seed = 1; seed <= random_rounds(40); seed++) {
    char *source = random_model(seed, knobs);
    bench b = {.l = lab_new(read_good_model(source))};
    b.l->budget = work_budget(300000);
    b.system = predicate_model_new_about(b.l->m, SIZE_MAX, b.l->sets, 0, NULL);
    allsat_assume(b.l->allsat, b.system->facts);
    b.closure = closure_new(b.system, b.l->allsat, b.l->sets, &b.l->budget, 0, NULL,
                            (closure_limits){.rounds = 1 + seed % 2, .predicates = 30});
    b.program = finite_program_new(b.closure, CONSISTENCY_ANY);
    if (!b.program->trouble) {
      program_obligations found = finite_program_check(b.program, b.l->solver);
      CHECK(!found.fails, "seed %llu\n%s", (unsigned long long)seed, source);
      programs += found.proved == found.all;
    }
    bench_free(&b);
    memory_free(source);
  }
  printf("# %u programs\n", programs);
  CHECK(random_rounds(40) < 20 || programs > 5);
}

TEST_MAIN
