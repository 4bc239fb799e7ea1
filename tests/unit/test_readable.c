/* Invariants as people read them: the known texts, and for random models that what was written, read again, is an
 * invariant that the checker accepts and that says the same. */
#include "base/random.h"
#include "input/input.h"
#include "predicate/readable_clauses.h"
#include "proof/check/check.h"
#include "random/random_model.h"
#include "run/readable.h"
#include "term/print.h"
#include "unit/engine_run.h"
#include "unit/test.h"
#include "unit/work_budget.h"

extern const engine engine_cegar, engine_explicit, engine_alpha, engine_widen;

/* The engine's invariant of the first property, or one without kind. */
static evidence invariant_of(const engine *e, model *m, uint64_t work) {
  options *o = options_new();
  statistics numbers = {0};
  budget b = work_budget(work);
  engine_environment env = {.model = m, .options = o, .statistics = &numbers, .budget = &b};
  claim c = {0};
  void *state = e->open(&env);
  while (e->step(state, &c) == ENGINE_GOES_ON && !budget_spent(&b)) continue;
  e->close(state);
  options_free(o);
  memory_free(c.reason);
  if (c.verdict == VERDICT_SAFE && (c.evidence.kind == EVIDENCE_INVARIANT || c.evidence.kind == EVIDENCE_STATES))
    return c.evidence;
  evidence_clear(&c.evidence);
  return (evidence){0};
}

/* ---- known texts ---- */

static void expect_text_by(const engine *by, const char *content, const char *wanted) {
  model *m = model_of_text(content);
  evidence e = invariant_of(by, m, 60000000);
  budget b = budget_unlimited();
  text shown = {0};
  CHECK(e.kind != EVIDENCE_NONE && readable_invariant(m->terms, &e, &b, &shown));
  CHECK_TEXT(text_string(&shown), wanted);
  text_clear(&shown);
  evidence_clear(&e);
  model_free(m);
}

static void expect_text(const char *content, const char *wanted) { expect_text_by(&engine_cegar, content, wanted); }

TEST(values_at_the_same_distance) {
  expect_text_by(&engine_explicit, "var x : 0..100 = 0\naction up: x <= 98 -> x := x + 2\nsafe even: x % 2 = 0\n",
                 "x % 2 = 0\n");
  expect_text_by(&engine_explicit, "var x : int = -7\naction up: x < 20 -> x := x + 3\nsafe good: x != 0\n",
                 "x % 3 = 2 && x >= -7 && x <= 20\n");
}

TEST(bakery_by_place) {
  expect_text(
      "var pc1 : {l11, l12, l13} = l11\nvar pc2 : {l21, l22, l23} = l21\nvar y1, y2 : nat = 0\n"
      "action w1: pc1 = l11 -> pc1 := l12, y1 := y2 + 1\naction e1: pc1 = l12 && (y2 = 0 || y1 <= y2) -> pc1 := l13\n"
      "action r1: pc1 = l13 -> pc1 := l11, y1 := 0\naction w2: pc2 = l21 -> pc2 := l22, y2 := y1 + 1\n"
      "action e2: pc2 = l22 && (y1 = 0 || y2 < y1) -> pc2 := l23\naction r2: pc2 = l23 -> pc2 := l21, y2 := 0\n"
      "predicates y1 = 0, y2 = 0, y1 <= y2\nsafe mutex: !(pc1 = l13 && pc2 = l23)\n",
      "pc1 = l13 => pc2 != l23\n"
      "pc1 = l11 && pc2 = l21 => y1 = 0 && y2 = 0\n"
      "(pc1 = l11 && pc2 = l22 || pc1 = l11 && pc2 = l23) => y1 = 0 && y2 != 0\n"
      "(pc1 = l12 && pc2 = l21 || pc1 = l13 && pc2 = l21) => y1 != 0 && y2 = 0\n"
      "pc1 = l12 && pc2 = l22 => y1 != 0 && y2 != 0\n"
      "pc1 = l12 && pc2 = l23 => y2 != 0 && y1 > y2\n"
      "pc1 = l13 && pc2 = l22 => y1 != 0 && y1 <= y2\n");
}

TEST(what_follows_from_other_predicates_is_left_out) {
  expect_text(
      "var l : {A, B} = A\nvar x, y : int = 0\naction a: l = A && x < 10 -> x, y := x + 1, y + 1\naction b: l = A && x "
      "!= y -> l := B\nsafe ok: l != B\npredicates x <= y, y <= x, x = y\n",
      "l = A && x = y\n");
}

/* ---- formulas: clauses of random ones, against the solver ---- */

static term random_formula(terms *ts, random_source *r, const term *atoms, size_t count) {
  term t = atoms[random_below(r, count)];
  for (uint64_t i = 0, n = 2 + random_below(r, 8); i < n; i++) {
    term a = atoms[random_below(r, count)], b = random_below(r, 2) ? t : term_not(t);
    switch (random_below(r, 3)) {
      case 0: t = term_and(ts, a, b); break;
      case 1: t = term_iff(ts, a, b); break;
      default: t = term_ite(ts, a, b, atoms[random_below(r, count)]); break;
    }
  }
  return t;
}

static term clauses_term(terms *ts, const clause_vector *all, size_t without, size_t literal) {
  term_vector parts = {0};
  for (size_t i = 0; i < all->count; i++) {
    term_vector kept = {0};
    for (size_t j = 0; j < all->at[i].count; j++)
      if (i != without || j != literal) VECTOR_PUSH(kept, all->at[i].at[j]);
    if (i != without || literal != SIZE_MAX) VECTOR_PUSH(parts, term_or_all(ts, kept.count, kept.at));
    VECTOR_FREE(kept);
  }
  term result = term_and_all(ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

TEST(clauses_say_the_same_and_none_can_be_left_out) {
  random_source r = {7};
  for (int round = 0; round < 60; round++) {
    model *m = model_of_text(
        "var x, y : int\nvar k : 0..5\nvar b, c : bool\nsafe ok: true\npredicates x <= 3, x <= 5, x = y, x <= y, 2 * x "
        "+ y <= 7, b, c, k = 2, k <= 3, y >= 0\n");
    terms *ts = m->terms;
    budget budget = budget_unlimited();
    solver *s = solver_new(ts, &budget);
    presburger *sets = presburger_new(ts, 0);
    allsat *a = allsat_new(ts, sets, s, &budget);
    term t = random_formula(ts, &r, m->predicates.at, m->predicates.count);
    clause_vector all = {0};
    CHECK(clauses_of(ts, a, &budget, t, &all));
    CHECK(answer_is_yes(solver_valid(s, term_iff(ts, t, clauses_term(ts, &all, SIZE_MAX, SIZE_MAX)))),
          "round %d: another meaning", round);
    for (size_t i = 0; i < all.count; i++) {
      CHECK(answer_is_no(solver_valid(s, term_iff(ts, t, clauses_term(ts, &all, i, SIZE_MAX)))),
            "round %d: clause %zu is not needed", round, i);
      for (size_t j = 0; j < all.at[i].count; j++)
        CHECK(answer_is_no(solver_valid(s, term_iff(ts, t, clauses_term(ts, &all, i, j)))),
              "round %d: a literal of clause %zu is not needed", round, i);
    }
    clauses_clear(&all);
    allsat_free(a);
    presburger_free(sets);
    solver_free(s);
    model_free(m);
  }
}

/* ---- random models ---- */

static void check_round_trip(const engine *e, const char *knobs, uint64_t first, unsigned seeds) {
  unsigned written = 0, large = 0;
  for (uint64_t seed = first; seed < first + seeds; seed++) {
    random_knobs all = {0};
    CHECK(random_knobs_find(knobs, &all));
    char *content = random_model(seed, all);
    model *m = model_of_text(content);
    evidence found = m->properties.count && !property_is_temporal(&m->properties.at[0]) && !m->has_heap
                         ? invariant_of(e, m, 1000000)
                         : (evidence){0};
    budget b = budget_unlimited();
    text shown = {0};
    if (found.kind != EVIDENCE_NONE && !readable_invariant(m->terms, &found, &b, &shown)) large++;
    if (shown.count) {
      diagnostics d = {0};
      term_vector lines = {0};
      bool read = input_read_expressions(m, "lines", text_string(&shown), shown.count, &lines, &d);
      CHECK(read, "seed %llu: not readable: %s\n%s", (unsigned long long)seed, text_string(&d.text),
            text_string(&shown));
      evidence again = {.kind = EVIDENCE_INVARIANT};
      evidence_add_part(m->terms, &again, term_and_all(m->terms, lines.count, lines.at));
      check_result r = check_evidence(m, 0, &again, &b, NULL);
      CHECK(r.kind != CHECK_REJECTED, "seed %llu: %s\n%s", (unsigned long long)seed, r.what, content);
      written += r.kind == CHECK_ACCEPTED;
      memory_free(r.what);
      evidence_clear(&again);
      VECTOR_FREE(lines);
      text_clear(&d.text);
    }
    text_clear(&shown);
    evidence_clear(&found);
    model_free(m);
    memory_free(content);
  }
  printf("# %s, %s: %u invariants written, read again and accepted; %u too large\n", e->name, knobs, written, large);
  CHECK(seeds < 10 || written > 0);
}

TEST(lines_are_invariants_again) {
  check_round_trip(&engine_cegar, "linear", 2001, random_rounds(24));
  check_round_trip(&engine_cegar, "infinite", 2101, random_rounds(24));
  check_round_trip(&engine_explicit, "finite", 2201, random_rounds(24));
}

TEST_MAIN
