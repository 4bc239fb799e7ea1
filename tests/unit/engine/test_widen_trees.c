/* widen on clauses with several atoms in a body: verdicts whose evidence is checked, and the parts: cases of clauses, graphs of predicates and
 * calls, images, trees that are followed back. */
#include "engine/widen/repair.h"
#include "engine/widen/trees/clause_confirm.h"
#include "engine/widen/trees/clause_domain.h"
#include "engine/widen/trees/clause_split.h"
#include "unit/engine/tree_clauses.h"

extern const engine engine_widen;

enum { WORK = 20000000 };

static void expect_of(const char *content, bool are_trees, verdict wanted) {
  CHECK(expect_on_trees(&engine_widen, content, are_trees, WORK, NULL, wanted).iterations > 0);
}

static void expect(const char *content, verdict wanted) { expect_of(content, true, wanted); }

TEST(recursion_with_two_calls) {
  expect(FIBONACCI("(< r (- n 1))"), VERDICT_SAFE);
  expect(FIBONACCI("(and (= n 3) (distinct r 2))"), VERDICT_SAFE);
  expect(FIBONACCI("(and (= n 6) (= r 8))"), VERDICT_UNSAFE);
}

/* Two sets, one for each clause, and none of them alone. */
TEST(a_disjunction) {
  const char *head =
      "(declare-fun m (Int Int) Bool)\n(assert (forall ((n Int)) (=> (> n 100) (m n (- n 10)))))\n"
      "(assert (forall ((n Int) (a Int) (b Int)) (=> (and (<= n 100) (m (+ n 11) a) (m a b)) (m n b))))\n";
  char *safe =
      text_format("%s(assert (forall ((n Int) (r Int)) (=> (and (m n r) (<= n 101) (distinct r 91)) false)))\n", head);
  char *wrong =
      text_format("%s(assert (forall ((n Int) (r Int)) (=> (and (m n r) (<= n 102) (distinct r 91)) false)))\n", head);
  expect(safe, VERDICT_SAFE);
  expect(wrong, VERDICT_UNSAFE);
  memory_free(safe);
  memory_free(wrong);
}

/* The bound is of the first call, and arguments only go down: without calls nothing is known of them. */
TEST(what_is_called_matters) {
  expect(
      "(declare-fun p (Int Int) Bool)\n"
      "(assert (forall ((n Int)) (=> (<= n 0) (p n n))))\n"
      "(assert (forall ((n Int) (a Int) (b Int)) (=> (and (> n 0) (p (- n 1) a) (p (- n 2) b)) (p n n))))\n"
      "(assert (forall ((r Int)) (=> (and (p 10 r) (> r 10)) false)))\n",
      VERDICT_SAFE);
}

TEST(booleans_and_mutual_recursion) {
  const char *head =
      "(declare-fun even (Int Bool) Bool)\n(declare-fun odd (Int Bool) Bool)\n(assert (even 0 true))\n"
      "(assert (forall ((n Int) (b Bool) (m Int) (c Bool)) (=> (and (even n b) (even m c)) (odd (+ n m 1) (and b "
      "c)))))\n"
      "(assert (forall ((n Int) (b Bool) (m Int) (c Bool)) (=> (and (odd n b) (odd m c)) (even (+ n m) (= b c)))))\n";
  char *safe = text_format("%s(assert (forall ((n Int)) (=> (even n false) false)))\n", head);
  char *wrong = text_format("%s(assert (forall ((n Int) (b Bool)) (=> (and (odd n b) (> n 6)) false)))\n", head);
  expect(safe, VERDICT_SAFE);
  expect(wrong, VERDICT_UNSAFE);
  memory_free(safe);
  memory_free(wrong);
}

/* Over the rationals 1 is a double of something. */
TEST(trees_that_only_the_rationals_have) {
  const char *head =
      "(declare-fun p (Int) Bool)\n(assert (p 1))\n"
      "(assert (forall ((a Int) (b Int)) (=> (and (p a) (p b)) (p (+ a b 2)))))\n";
  char *wrong = text_format("%s(assert (forall ((n Int)) (=> (and (p n) (= (mod n 4) 0)) false)))\n", head);
  expect(wrong, VERDICT_UNSAFE);
  memory_free(wrong);
}

#define MEAN                                                                                                       \
  "(declare-fun mean (Real) Bool)\n(assert (mean 0.0))\n(assert (forall ((a Real)) (=> (and (> a 0.5) (< a 1.0)) " \
  "(mean a))))\n"                                                                                                  \
  "(assert (forall ((a Real) (b Real)) (=> (and (mean a) (mean b)) (mean (/ (+ a b) 2.0)))))\n"

/* That the bound itself is not reached needs strict constraints. */
TEST(reals_in_trees) {
  expect(MEAN "(assert (forall ((a Real)) (=> (and (mean a) (>= a 1.0)) false)))\n", VERDICT_SAFE);
  expect(MEAN "(assert (forall ((a Real)) (=> (and (mean a) (< a 0.0)) false)))\n", VERDICT_SAFE);
  expect(MEAN "(assert (=> (mean (/ 7.0 16.0)) false))\n", VERDICT_UNSAFE);
  expect(MEAN "(assert (forall ((a Real)) (=> (and (mean a) (> a (/ 99.0 100.0))) false)))\n", VERDICT_UNSAFE);
}

/* There is a transition system, and the clauses are asked all the same. */
TEST(linear_clauses_with_reals) {
  const char *head =
      "(declare-fun tank (Real Real Int) Bool)\n(assert (tank 0.0 0.0 0))\n"
      "(assert (forall ((l Real) (t Real) (d Real) (n Int)) (=> (and (tank l t n) (> d 0.0) (<= d 1.0)) (tank (+ l (* "
      "2.0 d)) (+ t d) (+ n 1)))))\n";
  char *safe = text_format(
      "%s(assert (forall ((l Real) (t Real) (n Int)) (=> (and (tank l t n) (or (> l (* 2.0 t)) (> t (to_real n)))) "
      "false)))\n",
      head);
  char *wrong =
      text_format("%s(assert (forall ((t Real) (n Int)) (=> (and (tank 5.0 t n) (< t 3.0) (= n 3)) false)))\n", head);
  expect_of(safe, false, VERDICT_SAFE);
  expect_of(wrong, false, VERDICT_UNSAFE);
  memory_free(safe);
  memory_free(wrong);
}

/* Z3 may not find formulas for `merged`, which is unfolded: then the clauses as read are asked. */
TEST(an_unfolded_predicate) { expect(MERGED, VERDICT_SAFE); }

TEST(spent_work_is_unknown) { expect_spent_on_trees(&engine_widen); }

/* ---- parts ---- */

typedef struct setting {
  model *model;
  statistics statistics;
  budget budget;
  engine_environment env;
  polyhedra *space;
  clause_system system;
  clause_style style;
  clause_domain *domain;
} setting;

static void open_setting(setting *s, const char *content, clause_style style) {
  *s = (setting){.budget = budget_unlimited(), .style = style};
  s->model = clauses_of_text(content);
  s->env = (engine_environment){.model = s->model, .statistics = &s->statistics, .budget = &s->budget};
  s->space = polyhedra_new(&s->budget);
  polyhedra_allow(s->space, 0);
  const char *why = clause_system_open(&s->system, &s->env, s->model->clauses, s->space);
  CHECK(!why, "%s", why);
  s->domain = clause_domain_new(&s->system, &s->style, WIDENING_H79, 1, &why);
  CHECK(!why, "%s", why);
}

static void close_setting(setting *s) {
  CHECK(!polyhedra_failure(s->space), "%s", polyhedra_failure(s->space));
  clause_domain_free(s->domain);
  clause_system_close(&s->system);
  polyhedra_free(s->space);
  model_free(s->model);
}

/* q is of no use for "false". */
#define PAIRS                                                                                                   \
  "(declare-fun p (Int Int) Bool)\n(declare-fun q (Int) Bool)\n(assert (p 0 0))\n"                              \
  "(assert (forall ((a Int) (b Int) (c Int)) (=> (and (p a b) (p b c) (or (< a 5) (= a 9))) (p (+ a 1) c))))\n" \
  "(assert (forall ((a Int)) (=> (p a a) (q a))))\n"                                                            \
  "(assert (forall ((a Int) (b Int)) (=> (and (p a b) (> b a)) false)))\n"

TEST(clauses_as_cases) {
  setting s;
  open_setting(&s, PAIRS, (clause_style){.name = "test"});
  const clause_system *all = &s.system;
  CHECK(all->matters.at[0] && !all->matters.at[1] && all->matters.at[clause_query(all)]);
  CHECK(clause_dimension(all, 0) == 2 && clause_dimension(all, clause_query(all)) == 0);
  CHECK(clause_matters(all, 0) && clause_matters(all, 1) && !clause_matters(all, 2) && clause_matters(all, 3));
  const clause_steps *two = &all->steps.at[1];
  CHECK(two->cases.count == 2 && two->blocks.count == 3);
  CHECK(two->blocks.at[1].at[1] == two->blocks.at[2].at[0], "b is in both atoms of the body");
  CHECK(two->blocks.at[0].at[1] == two->blocks.at[2].at[1], "c is in the head and in the second atom");
  CHECK(two->frame.dimensions.count == 4, "a + 1, c, a, b");
  close_setting(&s);
}

TEST(graphs_of_predicates_and_calls) {
  static const struct {
    bool directed, by_clause;
    size_t heads, paths; /* heads with the entry */
  } expected[] = {{false, false, 3, 3},
                  {true, false, 4, 6},
                  {false, true, 4, 1 + 4 + 2},
                  {true, true, 5, 1 + (1 + 2 + 4) + (1 + 2)}};
  for (size_t i = 0; i < ARRAY_LENGTH(expected); i++) {
    setting s;
    open_setting(&s, PAIRS,
                 (clause_style){.name = "test", .directed = expected[i].directed, .by_clause = expected[i].by_clause});
    const clause_graph *g = &s.domain->graph;
    CHECK(g->heads.count == expected[i].heads && g->cuts.heads == expected[i].heads, "%zu: %zu heads", i,
          g->heads.count);
    CHECK(g->rules.count == expected[i].paths && g->cuts.paths.count == expected[i].paths, "%zu: %zu paths", i,
          g->rules.count);
    for (size_t j = 0; j < g->cuts.paths.count; j++) {
      const cut_path *p = &g->cuts.paths.at[j];
      uint32_t from = g->cuts.component_of.at[p->from], to = g->cuts.component_of.at[p->to];
      CHECK(from <= to && g->rules.at[j].sources.count == p->beside.count + 1);
      for (size_t k = 0; k < p->beside.count; k++) CHECK(g->cuts.component_of.at[p->beside.at[k]] <= to);
    }
    close_setting(&s);
  }
}

/* Whatever the style: a run ends with sets that no path leads out of. */
TEST(runs_end_with_what_is_closed) {
  for (unsigned i = 0; i < 8; i++) {
    setting s;
    hint_vector none = {0};
    const char *failure = NULL;
    open_setting(&s, PAIRS, (clause_style){.name = "test", .directed = i & 1, .by_clause = i & 2, .delay = i & 4});
    const domain *d = &s.domain->domain;
    run *r = fixpoint(d, &none, NULL, SCHEDULE_JOINT, &s.budget, &failure);
    CHECK(!failure, "%s", failure);
    for (uint32_t path = 0; path < d->cuts->paths.count; path++) {
      const cut_path *p = &d->cuts->paths.at[path];
      VECTOR(const element *) sources = {0};
      VECTOR_PUSH(sources, run_final(r, p->from));
      for (size_t j = 0; j < p->beside.count; j++) VECTOR_PUSH(sources, run_final(r, p->beside.at[j]));
      element *image = d->post_all(d->context, path, sources.at);
      CHECK(d->within(image, run_final(r, p->to)), "style %u, path %u", i, path);
      d->release(image);
      VECTOR_FREE(sources);
    }
    run_free(r);
    close_setting(&s);
  }
}

/* Sums are below 4, and widening drops that bound: no guard has it, nor has the query. The step that lost it is to blame. */
TEST(a_step_is_to_blame) {
  setting s;
  hint_vector none = {0};
  const char *failure = NULL;
  open_setting(&s,
               "(declare-fun p (Int) Bool)\n(assert (p 0))\n"
               "(assert (forall ((a Int) (b Int)) (=> (and (p a) (p b) (< (+ a b) 3)) (p (+ a b 1)))))\n"
               "(assert (forall ((a Int) (b Int)) (=> (and (p a) (p b) (> (+ a b) 100)) false)))\n",
               (clause_style){.name = "test"});
  run *r = fixpoint(&s.domain->domain, &none, NULL, SCHEDULE_JOINT, &s.budget, &failure);
  CHECK(!failure && r->has_error);
  refinement f = refine(r, SCHEDULE_JOINT);
  CHECK(f.kind == REFINE_HINT && f.heads.count == 1 && f.step >= 1, "kind %d", (int)f.kind);
  CHECK(s.domain->graph.heads.at[f.heads.at[0]].predicate == 0);
  refinement_free(&s.domain->domain, &f);
  run_free(r);
  close_setting(&s);
}

TEST(trees_are_asked_of_the_solver) {
  setting s;
  open_setting(&s, PAIRS, (clause_style){.name = "test"});
  tree_shapes tree = {0};
  evidence e = {0};
  VECTOR_PUSH(tree, (tree_shape){.clause = 0});
  VECTOR_PUSH(tree, (tree_shape){.clause = 3});
  VECTOR_PUSH(tree.at[1].premises, 0);
  CHECK(answer_is_no(clause_confirm(&s.system, &tree, &e)) && e.kind == EVIDENCE_NONE);
  tree.at[1].clause = 1;
  VECTOR_PUSH(tree.at[1].premises, 0);
  CHECK(answer_is_yes(clause_confirm(&s.system, &tree, &e)) && e.kind == EVIDENCE_DERIVATION);
  CHECK(e.derivation.count == 2 && e.derivation.at[1].premises.count == 2);
  CHECK(e.derivation.at[1].values.count == s.model->clauses->clauses.at[1].variables.count);
  for (size_t i = 0; i < tree.count; i++) VECTOR_FREE(tree.at[i].premises);
  VECTOR_FREE(tree);
  evidence_clear(&e);
  close_setting(&s);
}

/* Each part implies the formula, and together they are all of it. */
TEST(formulas_are_split_into_conjunctions) {
  model *m = model_of_text(
      "var x, y : int = 0\nvar a, b : bool = false\nsafe p: !((a <=> x > y) && (b || x = 3 || y != x) && (a || b))");
  terms *ts = m->terms;
  budget unlimited = budget_unlimited();
  term formula = m->properties.at[0].bad;
  term_vector parts = {0};
  variable_vector kept = {0};
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(kept, m->variables.at[i].var);
  clause_split *split = clause_split_new(ts, &unlimited, formula, &kept);
  term part, narrow = term_gt(ts, term_of_variable(ts, kept.at[0]), term_of_variable(ts, kept.at[1]));
  while (answer_is_yes(clause_split_next(split, narrow, &part))) VECTOR_PUSH(parts, part);
  size_t narrow_parts = parts.count;
  while (answer_is_yes(clause_split_next(split, TERM_TRUE, &part))) VECTOR_PUSH(parts, part);
  CHECK(narrow_parts > 0 && parts.count > narrow_parts && clause_split_is_needed(ts, formula));
  CHECK(answer_is_no(clause_split_next(split, TERM_TRUE, &part)));
  clause_split_free(split);
  solver *s = solver_new(ts, &unlimited);
  for (size_t i = 0; i < parts.count; i++) {
    term_vector literals = {0};
    CHECK(answer_is_yes(solver_valid(s, term_implies(ts, parts.at[i], formula))));
    CHECK(!clause_split_is_needed(ts, parts.at[i]));
    CHECK(i >= narrow_parts || answer_is_yes(solver_satisfiable(s, term_and(ts, parts.at[i], narrow))));
    term_conjuncts(ts, parts.at[i], &literals);
    for (size_t j = 0; j < literals.count; j++) CHECK(term_is_atom(ts, literals.at[j]));
    VECTOR_FREE(literals);
  }
  CHECK(answer_is_yes(solver_valid(s, term_implies(ts, formula, term_or_all(ts, parts.count, parts.at)))));
  solver_free(s);
  VECTOR_FREE(parts);
  VECTOR_FREE(kept);
  model_free(m);
}

TEST_MAIN
