/* Good evidence is accepted, by the checker and (invariants) by other solvers on the written file; what is wrong is
 * named. */
#include "base/random.h"
#include "term/substitute.h"
#include "unit/proof/proof_models.h"
#include "unit/test.h"

static void expect_kind(const case_of_evidence *c, check_kind wanted, const char *what) {
  check_result r = check_now(c);
  CHECK(r.kind == wanted, "%s: %d, %s", c->name, (int)r.kind, r.what ? r.what : "nothing");
  if (what) CHECK_TEXT(r.what ? r.what : "", what);
  CHECK((r.what == NULL) == (r.kind == CHECK_ACCEPTED));
  CHECK(r.kind != CHECK_ACCEPTED || r.obligations > 0);
  memory_free(r.what);
}

TEST(good_evidence_is_accepted) {
  for (size_t i = 0; i < proof_cases(); i++) {
    case_of_evidence c = proof_case(i);
    expect_kind(&c, CHECK_ACCEPTED, NULL);
    proof_case_free(&c);
  }
}

TEST(good_evidence_is_accepted_with_other_solvers) {
  static const char *const commands[] = {"cvc5 --incremental", "z3 -in"};
  budget b = budget_unlimited();
  for (size_t i = 0; i < proof_cases(); i++) {
    case_of_evidence c = proof_case(i);
    for (size_t j = 0; j < ARRAY_LENGTH(commands); j++) {
      check_result r = check_evidence(c.model, c.property, &c.evidence, &b, commands[j]);
      CHECK(r.kind == CHECK_ACCEPTED, "%s by %s: %s", c.name, commands[j], r.what);
      memory_free(r.what);
    }
    proof_case_free(&c);
  }
}

TEST(a_solver_that_cannot_be_run_leaves_it_open) {
  budget b = budget_unlimited();
  case_of_evidence c = proof_case(0);
  check_result r = check_evidence(c.model, c.property, &c.evidence, &b, "false");
  CHECK(r.kind == CHECK_UNSURE && r.what, "%d", (int)r.kind);
  memory_free(r.what);
  proof_case_free(&c);
}

TEST(solvers_confirm_every_written_invariant) {
  for (size_t i = 0; i < proof_invariants(); i++) {
    case_of_evidence c = proof_case(i);
    size_t length;
    char *content = certificate_text(&c, &length);
    CHECK(ask_other("z3", content) == OTHER_CONFIRMS, "z3 on %s", c.name);
    CHECK(ask_other("cvc5 --incremental", content) == OTHER_CONFIRMS, "cvc5 on %s", c.name);
    memory_free(content);
    proof_case_free(&c);
  }
}

/* ---- obligations are named ---- */

TEST(an_invariant_that_is_not_initial_is_named) {
  case_of_evidence c = proof_case(0);
  c.evidence.parts.at[0].formula = term_not(c.evidence.parts.at[0].formula);
  expect_kind(&c, CHECK_REJECTED, "initial");
  proof_case_free(&c);
}

/* 200 odd numbers, which a solver is asked about in groups: every one of them counts, the last as well as the first. */
TEST(each_of_many_initial_values_is_looked_at) {
  enum { MANY = 200 };
  terms *ts = terms_new();
  model *m = model_new(ts, "many.whet");
  type whole = type_int();
  term x = term_of_variable(ts, model_add_variable(m, "x", &whole, ROLE_STATE, (place){0}));
  term_vector values = {0};
  for (int i = 0; i < MANY; i++) VECTOR_PUSH(values, term_eq(ts, x, term_int(ts, 2 * i + 1)));
  m->init = term_or_all(ts, values.count, values.at);
  VECTOR_FREE(values);
  model_add_property(m, "small", PROPERTY_SAFE, (place){0})->bad = term_gt(ts, x, term_int(ts, 1000));
  for (int left_out = -1; left_out <= MANY; left_out++) {
    bool all = left_out < 0 || left_out == MANY;
    case_of_evidence c = {"many", m, 0, {.kind = EVIDENCE_INVARIANT}};
    term without = term_not(term_eq(ts, x, term_int(ts, all ? 2 * left_out : 2 * left_out + 1)));
    evidence_add_part(ts, &c.evidence, term_and(ts, without, term_le(ts, x, term_int(ts, 2 * MANY))));
    expect_kind(&c, all ? CHECK_ACCEPTED : CHECK_REJECTED, all ? NULL : "initial");
    evidence_clear(&c.evidence);
  }
  model_free(m);
}

TEST(a_transition_that_leaves_the_invariant_is_named) {
  case_of_evidence c = proof_case(0);
  VECTOR_FREE(c.evidence.parts.at[3].fixed); /* WN */
  c.evidence.parts.at[3].formula = TERM_FALSE;
  expect_kind(&c, CHECK_REJECTED, "preserved by wait1 from part 1");
  proof_case_free(&c);
}

TEST(bad_states_inside_are_named) {
  case_of_evidence c = proof_case(0);
  evidence_clear(&c.evidence);
  c.evidence.kind = EVIDENCE_INVARIANT;
  evidence_add_part(c.model->terms, &c.evidence, TERM_TRUE);
  expect_kind(&c, CHECK_REJECTED, "excludes bad states in part 1");
  proof_case_free(&c);
}

TEST(deadlocks_inside_are_named) {
  case_of_evidence c = proof_case(10);
  evidence_clear(&c.evidence);
  c.evidence.kind = EVIDENCE_INVARIANT;
  evidence_add_part(c.model->terms, &c.evidence, TERM_TRUE);
  expect_kind(&c, CHECK_REJECTED, "excludes deadlock in part 1");
  proof_case_free(&c);
}

TEST(faults_inside_are_named) {
  case_of_evidence c = proof_case(11);
  evidence_clear(&c.evidence);
  c.evidence.kind = EVIDENCE_INVARIANT;
  evidence_add_part(c.model->terms, &c.evidence, TERM_TRUE);
  expect_kind(&c, CHECK_REJECTED, "excludes faults of over in part 1");
  proof_case_free(&c);
}

/* A model whose assignment leaves the type without a fault breaks what models promise; the checker does not believe it.
 */
TEST(types_are_proved_and_not_assumed) {
  terms *ts = terms_new();
  model *m = model_new(ts, "lying.whet");
  type small = type_range(0, 5);
  variable v = model_add_variable(m, "x", &small, ROLE_STATE, (place){0});
  term x = term_of_variable(ts, v);
  m->init = term_eq(ts, x, term_int(ts, 0));
  transition *t = model_add_transition(m, "up", NO_PROCESS, TERM_TRUE, (place){0});
  transition_add_update(t, v, term_add(ts, x, term_int(ts, 1)));
  model_add_property(m, "small", PROPERTY_SAFE, (place){0})->bad = term_gt(ts, x, term_int(ts, 5));
  case_of_evidence c = {"lying types", m, 0, {.kind = EVIDENCE_INVARIANT}};
  evidence_add_part(ts, &c.evidence, TERM_TRUE);
  expect_kind(&c, CHECK_REJECTED, "types preserved by up from part 1");
  m->init = term_eq(ts, x, term_int(ts, 6));
  expect_kind(&c, CHECK_REJECTED, "initial types");
  /* The invariant may help: nothing is enabled where it holds. */
  m->init = term_eq(ts, x, term_int(ts, 0));
  m->transitions.at[0].guard = term_ge(ts, x, term_int(ts, 1));
  evidence_clear(&c.evidence);
  c.evidence.kind = EVIDENCE_INVARIANT;
  evidence_add_part(ts, &c.evidence, term_le(ts, x, term_int(ts, 0)));
  expect_kind(&c, CHECK_ACCEPTED, NULL);
  proof_case_free(&c);
}

TEST(inputs_are_within_their_types) {
  terms *ts = terms_new();
  model *m = model_new(ts, "inputs.whet");
  type any = type_int(), nat = type_nat();
  variable v = model_add_variable(m, "x", &any, ROLE_STATE, (place){0});
  term x = term_of_variable(ts, v), zero = term_int(ts, 0);
  m->init = term_eq(ts, x, zero);
  transition *t = model_add_transition(m, "pick", NO_PROCESS, TERM_TRUE, (place){0});
  variable i = transition_add_input(m, t, "pick.i", &nat);
  transition_add_update(t, v, term_add(ts, x, term_of_variable(ts, i)));
  model_add_property(m, "up", PROPERTY_SAFE, (place){0})->bad = term_lt(ts, x, zero);
  case_of_evidence c = {"inputs", m, 0, {.kind = EVIDENCE_INVARIANT}};
  evidence_add_part(ts, &c.evidence, term_ge(ts, x, zero));
  expect_kind(&c, CHECK_ACCEPTED, NULL);
  proof_case_free(&c);
}

TEST(a_formula_over_other_variables_is_refused) {
  case_of_evidence c = proof_case(4);
  variable next = variable_next(c.model->terms, c.model->variables.at[0].var);
  variable in = c.model->transitions.at[0].inputs.at[0];
  term t = term_ge(c.model->terms, term_of_variable(c.model->terms, next), term_int(c.model->terms, 0));
  evidence_add_part(c.model->terms, &c.evidence, t);
  expect_kind(&c, CHECK_REJECTED, "part 2 mentions x!next, which is no state variable");
  c.evidence.parts.at[1].formula = TERM_TRUE;
  VECTOR_PUSH(c.evidence.parts.at[1].fixed, (fixed_value){in, number_of(0)});
  expect_kind(&c, CHECK_REJECTED, "part 2 mentions move.d, which is no state variable");
  c.evidence.parts.at[1].fixed.at[0].var.x = 123456;
  expect_kind(&c, CHECK_REJECTED, "part 2 fixes an unknown variable");
  proof_case_free(&c);
}

/* More shapes of parts than are indexed one by one: f0 or f1 or ..; the step leaves them all. */
TEST(parts_of_many_shapes_are_told_apart) {
  enum { FLAGS = 24 };
  terms *ts = terms_new();
  model *m = model_new(ts, "shapes.whet");
  case_of_evidence c = {"shapes", m, 0, {.kind = EVIDENCE_INVARIANT}};
  type flag = type_bool();
  for (int i = 0; i < FLAGS; i++) {
    char name[10];
    snprintf(name, sizeof name, "f%d", i);
    variable v = model_add_variable(m, name, &flag, ROLE_STATE, (place){0});
    m->init = term_and(ts, m->init, fixed_term(ts, v, number_of(i == 0)));
    evidence_add_part(ts, &c.evidence, term_of_variable(ts, v));
  }
  variable first = m->variables.at[0].var, second = m->variables.at[1].var;
  transition *t = model_add_transition(m, "clear", NO_PROCESS, term_of_variable(ts, first), (place){0});
  transition_add_update(t, first, TERM_FALSE);
  model_add_property(m, "any", PROPERTY_SAFE, (place){0});
  expect_kind(&c, CHECK_REJECTED, "preserved by clear from part 1");
  transition_add_update(&m->transitions.at[0], second, TERM_TRUE);
  expect_kind(&c, CHECK_ACCEPTED, NULL);
  proof_case_free(&c);
}

TEST(what_has_no_format_is_left_open) {
  case_of_evidence c = proof_case(0);
  model_add_property(c.model, "live", PROPERTY_CTL, (place){0});
  c.property = c.model->properties.count - 1;
  expect_kind(&c, CHECK_UNSURE, "this kind of evidence says nothing about temporal properties");
  c.property = 0;
  c.model->has_heap = true;
  expect_kind(&c, CHECK_UNSURE, "this evidence says nothing about the heap");
  c.model->has_heap = false;
  evidence_clear(&c.evidence);
  expect_kind(&c, CHECK_UNSURE, "there is no evidence");
  proof_case_free(&c);
}

TEST(a_spent_budget_leaves_it_open) {
  for (size_t i = 0; i < proof_cases(); i += proof_invariants()) {
    case_of_evidence c = proof_case(i);
    atomic_bool stop = true;
    budget b = budget_unlimited();
    b.stop = &stop;
    check_result r = check_evidence(c.model, c.property, &c.evidence, &b, NULL);
    CHECK(r.kind == CHECK_UNSURE && r.what, "%s: %d", c.name, (int)r.kind);
    memory_free(r.what);
    proof_case_free(&c);
  }
}

TEST(inputs_that_cannot_be_eliminated_are_named) {
  terms *ts = terms_new();
  model *m = model_new(ts, "square.whet");
  type any = type_int();
  variable v = model_add_variable(m, "x", &any, ROLE_STATE, (place){0});
  term x = term_of_variable(ts, v);
  m->init = term_eq(ts, x, term_int(ts, 49));
  transition *t = model_add_transition(m, "root", NO_PROCESS, TERM_TRUE, (place){0});
  variable i = transition_add_input(m, t, "root.i", &any);
  t->guard = term_eq(ts, term_mul(ts, term_of_variable(ts, i), term_of_variable(ts, i)), x);
  model_add_property(m, "deadlockfree", PROPERTY_DEADLOCKFREE, (place){0});
  case_of_evidence c = {"roots", m, 0, {.kind = EVIDENCE_INVARIANT}};
  evidence_add_part(ts, &c.evidence, m->init);
  expect_kind(&c, CHECK_UNSURE, "excludes deadlock in part 1: the inputs of root could not be eliminated");
  /* As a trace: 48 is no square, which only the solver finds; 49 is one. */
  evidence_clear(&c.evidence);
  c.evidence.kind = EVIDENCE_TRACE;
  trace_step s = {0};
  VECTOR_PUSH(s.values, number_of(49));
  VECTOR_PUSH(c.evidence.steps, s);
  expect_kind(&c, CHECK_REJECTED, "last state: root can be taken");
  m->init = term_eq(ts, x, term_int(ts, 48));
  c.evidence.steps.at[0].values.at[0] = number_of(48);
  check_result r = check_now(&c);
  CHECK(r.kind != CHECK_REJECTED, "%s", r.what);
  memory_free(r.what);
  proof_case_free(&c);
}

/* ---- traces are replayed ---- */

TEST(what_is_wrong_with_a_trace_is_named) {
  case_of_evidence c = proof_case(8);
  number *values = c.evidence.steps.at[3].values.at;
  values[1] = number_of(2);
  expect_kind(&c, CHECK_REJECTED, "step 3 (P[1].leave): s is 2, not 1");
  values[1] = number_of(1);
  c.evidence.steps.at[2].transition = 4;
  expect_kind(&c, CHECK_REJECTED, "step 2 (P[2].enter): the guard does not hold");
  c.evidence.steps.at[2].transition = 6;
  expect_kind(&c, CHECK_REJECTED, "step 2: no such transition");
  c.evidence.steps.at[2].transition = 1;
  c.evidence.steps.at[0].values.at[0] = number_of(1);
  expect_kind(&c, CHECK_REJECTED, "initial: state 0 is not initial");
  c.evidence.steps.at[0].values.at[0] = number_of(0);
  c.evidence.steps.at[0].values.at[2] = number_of(3);
  expect_kind(&c, CHECK_REJECTED, "state 0: P[1] is 3, outside its type");
  c.evidence.steps.at[0].values.at[2] = number_of(0);
  VECTOR_FREE(c.evidence.steps.at[7].values);
  VECTOR_FREE(c.evidence.steps.at[7].inputs);
  c.evidence.steps.count--;
  expect_kind(&c, CHECK_REJECTED, "last state: it does not violate mutex");
  proof_case_free(&c);
}

TEST(wrong_inputs_and_faults_are_named) {
  case_of_evidence c = proof_case(9);
  c.evidence.steps.at[1].inputs.at[0] = number_of(2);
  expect_kind(&c, CHECK_REJECTED, "step 1 (move): move.d is 2, outside its type");
  c.evidence.steps.at[1].inputs.count = 0;
  expect_kind(&c, CHECK_REJECTED, "step 1 (move): 0 values for 1 inputs");
  proof_case_free(&c);
  c = proof_case(11);
  c.evidence.fault_transition = 0;
  expect_kind(&c, CHECK_REJECTED, "last state: up has no such fault");
  c.evidence.fault_transition = 7;
  expect_kind(&c, CHECK_REJECTED, "last state: no such transition");
  c.evidence.fault_transition = 1;
  VECTOR_FREE(c.evidence.steps.at[4].values);
  c.evidence.steps.count--;
  expect_kind(&c, CHECK_REJECTED, "last state: over does not have this fault: leaves its type");
  proof_case_free(&c);
  c = proof_case(10);
  VECTOR_FREE(c.evidence.steps.at[5].values);
  c.evidence.steps.count--;
  expect_kind(&c, CHECK_REJECTED, "last state: up can be taken");
  proof_case_free(&c);
}

TEST(a_step_into_a_fault_is_refused) {
  case_of_evidence c = proof_case(11);
  c.property = 0;
  trace_step s = {.transition = 1};
  VECTOR_PUSH(s.values, number_of(11));
  VECTOR_PUSH(c.evidence.steps, s);
  expect_kind(&c, CHECK_REJECTED, "step 5 (over): it has a fault: leaves its type");
  proof_case_free(&c);
}

TEST_MAIN
