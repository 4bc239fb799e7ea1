/* The obligations of a k-inductive invariant (check.h). Each is one question about a run of up to k steps.
 *
 * Write F for the invariant together with the types.
 * - first states: after each of 0 .. k - 1 steps from an initial state, F holds.
 * - step: after k steps through states in which F holds, and which all differ if that is claimed, F holds.
 * - excludes: F implies that the state is not bad.
 * Then F holds in every reachable state: of a shortest run to a state without it all states differ, there are at least
 * k before the last, and F holds in them. */
#include "proof/check/checkers.h"
#include "proof/copies.h"
#include "proof/type_and_input_conditions.h"

typedef struct k_checking {
  const model *model;
  const property *property;
  terms *ts;
  questions *questions;
  copies *copies;
  term invariant; /* with the types */
  check_result *result;
} k_checking;

static void assert_at(k_checking *c, term t, size_t time) {
  solver_assert(questions_solver(c->questions), copies_at(c->copies, t, time));
}

/* Asserts that the invariant fails at that time, asks, and takes it back. */
static bool holds_at(k_checking *c, size_t time, TAKE char *what) {
  term fails = copies_at(c->copies, term_not(c->invariant), time);
  return check_refute_all(c->questions, &fails, 1, what, c->result);
}

static bool check_first_states(k_checking *c, size_t depth) {
  solver *s = questions_solver(c->questions);
  bool fine = true;
  solver_push(s);
  assert_at(c, c->model->init, 0);
  for (size_t i = 0; i < depth && fine; i++) {
    fine = check_within_budget(c->questions, c->result) && holds_at(c, i, text_format("holds after %zu steps", i));
    assert_at(c, c->invariant, i);
    solver_assert(s, copies_step(c->copies, i));
  }
  solver_pop(s);
  return fine;
}

static bool check_step(k_checking *c, size_t depth, bool states_differ) {
  solver *s = questions_solver(c->questions);
  solver_push(s);
  bool fine = true;
  for (size_t i = 0; i < depth && fine; i++) {
    fine = check_within_budget(c->questions, c->result);
    assert_at(c, c->invariant, i);
    solver_assert(s, copies_step(c->copies, i));
    for (size_t j = 0; states_differ && j < i; j++) solver_assert(s, copies_differ(c->copies, j, i));
  }
  fine = fine && holds_at(c, depth, text_format("holds after %zu states in which it holds", depth));
  solver_pop(s);
  return fine;
}

static bool excludes(k_checking *c, term inputs_are_fine, term bad, TAKE char *what) {
  return check_refute_all(c->questions, (term[]){c->invariant, inputs_are_fine, bad}, 3, what, c->result);
}

static bool check_faults(k_checking *c) {
  const model *m = c->model;
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    char *what = text_format("excludes faults of %s", t->name);
    if (!excludes(c, condition_input_types(m, t), transition_fault(m, t), what)) return false;
  }
  return true;
}

/* A condition that is no exact one says less than that a step can be taken: what it shows is right, and what it does
 * not show is unsure. */
static bool check_deadlock(k_checking *c) {
  const model *m = c->model;
  bool exact = true;
  term_vector stuck = {0};
  for (size_t i = 0; i < m->transitions.count; i++)
    VECTOR_PUSH(stuck, term_not(condition_can_be_taken(m, &m->transitions.at[i], &exact)));
  bool fine =
      excludes(c, TERM_TRUE, term_and_all(c->ts, stuck.count, stuck.at), memory_copy_string("excludes deadlock"));
  if (!fine && !exact) c->result->kind = CHECK_UNSURE;
  VECTOR_FREE(stuck);
  return fine;
}

static bool check_excludes(k_checking *c) {
  if (c->property->kind == PROPERTY_SAFE)
    return excludes(c, TERM_TRUE, c->property->bad, memory_copy_string("excludes bad states"));
  if (c->property->kind == PROPERTY_NO_FAULT) return check_faults(c);
  REQUIRE(c->property->kind == PROPERTY_DEADLOCKFREE, "a property of states");
  return check_deadlock(c);
}

void check_k_induction(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  k_checking c = {.model = m, .property = p, .ts = m->terms, .questions = q, .copies = copies_new(m), .result = result};
  c.invariant = term_and(c.ts, condition_types(m), evidence_formula(c.ts, e));
  if (!e->depth || e->depth > MOST_INDUCTION_DEPTH)
    check_end(result, CHECK_REJECTED, text_format("a depth from 1 to %d", MOST_INDUCTION_DEPTH), NULL);
  else if (check_excludes(&c) && check_first_states(&c, e->depth))
    check_step(&c, e->depth, e->states_differ);
  copies_free(c.copies);
}
