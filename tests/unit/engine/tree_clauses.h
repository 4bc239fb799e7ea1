/* What the tests of engines on clauses with several predicates in a body share: texts, and what is expected of an engine on one. */
#ifndef WHET_TESTS_TREE_CLAUSES_H
#define WHET_TESTS_TREE_CLAUSES_H

#include "unit/engine_run.h"
#include "unit/test.h"

#define FIBONACCI(QUERY)                                                                                     \
  "(declare-fun fib (Int Int) Bool)\n(assert (fib 0 0))\n(assert (fib 1 1))\n"                               \
  "(assert (forall ((n Int) (a Int) (b Int)) (=> (and (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))\n" \
  "(assert (forall ((n Int) (r Int)) (=> (and (fib n r) " QUERY ") false)))\n"

/* Z3 may find no formulas for `merged`, which is unfolded: then the clauses as read must be asked. */
#define MERGED                                                                                                       \
  "(declare-fun left (Int Int) Bool)\n(declare-fun right (Int Int) Bool)\n(declare-fun merged (Int Int) Bool)\n"     \
  "(assert (left 0 0))\n(assert (forall ((k Int) (x Int)) (=> (left k x) (left (+ k 1) (+ x 2)))))\n"                \
  "(assert (right 0 0))\n(assert (forall ((k Int) (y Int)) (=> (right k y) (right (+ k 1) (+ y 4)))))\n"             \
  "(assert (forall ((i Int) (j Int) (x Int) (y Int)) (=> (and (left i x) (right j y)) (merged (+ i j) (+ x y)))))\n" \
  "(assert (forall ((k Int) (s Int)) (=> (and (merged k s) (or (< s (* 2 k)) (> s (* 4 k)))) false)))\n"

/* The verdict is that, and its evidence was accepted. Gives the statistics of the run. */
static inline statistics expect_on_trees(const engine *e, const char *content, bool are_trees, uint64_t work,
                                         const char *const *options, verdict wanted) {
  model *m = clauses_of_text(content);
  engine_result r = engine_run_model(e, m, NULL, work, 0, options);
  statistics counted = r.statistics;
  CHECK(m->clauses->are_trees == are_trees, "%s", content);
  CHECK(r.verdict == wanted, "%s: verdict %d, %s", content, (int)r.verdict, r.reason ? r.reason : "");
  CHECK(r.verdict == VERDICT_UNKNOWN || r.checked, "%s: %s", content, r.reason ? r.reason : "not checked");
  engine_result_free(&r);
  model_free(m);
  return counted;
}

/* With little work there is no verdict, but a reason. */
static inline void expect_spent_on_trees(const engine *e) {
  model *m = clauses_of_text(FIBONACCI("(and (= n 30) (= r 832041))"));
  engine_result r = engine_run_model(e, m, NULL, 2000, 0, NULL);
  CHECK(r.verdict == VERDICT_UNKNOWN && r.reason, "verdict %d", (int)r.verdict);
  engine_result_free(&r);
  model_free(m);
}

#endif
