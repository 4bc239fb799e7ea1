/* Both back-ends against counting all assignments of small variables. The formulas are trees with a meaning of their
 * own (random_expression.h), so neither the terms nor a solver checks itself. Then everything that can go wrong,
 * which must be unsure and nothing else. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/work.h"
#include "random/random_expression.h"
#include "solver/solver.h"
#include "term/evaluate.h"
#include "unit/test.h"

enum { INTS = 3, BOOLS = 2, LOW = -1, HIGH = 2, ASSIGNMENTS = 4 * 4 * 4 * 4 };

static const type integer = {.sort = SORT_INT}, boolean = {.sort = SORT_BOOL};
static terms *ts;
static variable ints[INTS], bools[BOOLS];
static budget unlimited;

static void start_with(const type *int_type) {
  ts = terms_new();
  unlimited = budget_unlimited();
  char name[] = "i0";
  for (int i = 0; i < INTS; i++, name[1]++) ints[i] = variable_new(ts, name, int_type);
  strcpy(name, "b0");
  for (int i = 0; i < BOOLS; i++, name[1]++) bools[i] = variable_new(ts, name, &boolean);
}

static void start_small(void) {
  start_with(
      &(type){.sort = SORT_INT, .has_low = true, .has_high = true, .low = number_of(LOW), .high = number_of(HIGH)});
}

static term x(int i) { return term_of_variable(ts, ints[i]); }
static term k(int64_t n) { return term_int(ts, n); }

/* Assignment number `code`. */
static void decode(int code, number *int_values, bool *bool_values) {
  for (int i = 0; i < INTS; i++, code /= 4) int_values[i] = number_of(LOW + code % 4);
  for (int i = 0; i < BOOLS; i++, code /= 2) bool_values[i] = code % 2;
}

static bool all_true(int count, raw *const *formulas, const number *int_values, const bool *bool_values) {
  for (int i = 0; i < count; i++)
    if (number_is(raw_evaluate(formulas[i], int_values, bool_values), 0)) return false;
  return true;
}

static bool has_model(int count, raw *const *formulas) {
  number int_values[INTS];
  bool bool_values[BOOLS];
  for (int code = 0; code < ASSIGNMENTS; code++) {
    decode(code, int_values, bool_values);
    if (all_true(count, formulas, int_values, bool_values)) return true;
  }
  return false;
}

static void check_model(solver *s, int count, raw *const *formulas) {
  number int_values[INTS];
  bool bool_values[BOOLS];
  for (int i = 0; i < INTS; i++) {
    int_values[i] = solver_value(s, ints[i]);
    CHECK(number_compare(int_values[i], number_of(LOW)) >= 0 && number_compare(int_values[i], number_of(HIGH)) <= 0);
  }
  for (int i = 0; i < BOOLS; i++) bool_values[i] = number_is(solver_value(s, bools[i]), 1);
  CHECK(all_true(count, formulas, int_values, bool_values));
}

/* Formula i has the name 7 * i + 1; the ones outside the core go away, and the rest must still have no model. */
static void check_core(solver *s, int count, raw *const *formulas, bool first_is_unnamed) {
  core_names core = {0};
  solver_core(s, &core);
  raw *kept[8];
  int kept_count = 0;
  if (first_is_unnamed) kept[kept_count++] = formulas[0];
  for (size_t i = 0; i < core.count; i++) {
    CHECK(core.at[i] % 7 == 1 && core.at[i] / 7 < (unsigned)count);
    CHECK(i == 0 || core.at[i - 1] < core.at[i]);
    kept[kept_count++] = formulas[core.at[i] / 7];
  }
  CHECK(!has_model(kept_count, kept));
  VECTOR_FREE(core);
}

static void compare_with_counting(solver *s, uint64_t seed, int rounds, bool named) {
  int yes = 0, no = 0;
  for (int round = 0; round < rounds; round++) {
    raw_source source = {{seed + (uint64_t)round}, arena_new(), INTS, BOOLS, round % 3 == 0, round % 5 == 0};
    raw *formulas[5];
    int count = 1 + (int)random_below(&source.random, 5);
    bool first_is_unnamed = random_below(&source.random, 2);
    solver_push(s);
    for (int i = 0; i < count; i++) {
      formulas[i] = raw_boolean(&source, 3);
      term t = raw_term(ts, formulas[i], ints, bools);
      if (random_below(&source.random, 4) == 0) solver_push(s), solver_assert(s, term_not(t)), solver_pop(s);
      if (named && (i > 0 || !first_is_unnamed))
        solver_assert_named(s, t, (uint32_t)(7 * i + 1));
      else
        solver_assert(s, t);
    }
    answer a = solver_check(s, 0);
    bool wanted = has_model(count, formulas);
    CHECK(a.kind == (wanted ? ANSWER_YES : ANSWER_NO), "round %d: %d %s", round, a.kind, a.reason ? a.reason : "");
    if (answer_is_yes(a)) check_model(s, count, formulas);
    if (answer_is_no(a) && named) check_core(s, count, formulas, first_is_unnamed);
    wanted ? yes++ : no++;
    solver_pop(s);
    arena_free(source.arena);
  }
  CHECK(yes > rounds / 10 && no > rounds / 10, "%d with a model, %d without", yes, no);
}

static void compare_process(const char *command, uint64_t seed, int rounds) {
  start_small();
  solver *s = solver_new_process(ts, &unlimited, command);
  compare_with_counting(s, seed, rounds, false);
  compare_with_counting(s, seed + 1000000, rounds, true);
  solver_free(s);
  terms_free(ts);
}

TEST(z3_in_this_process_agrees_with_counting) {
  start_small();
  solver *s = solver_new(ts, &unlimited);
  compare_with_counting(s, 1, 2000, false);
  compare_with_counting(s, 2000001, 1000, true);
  solver_free(s);
  terms_free(ts);
}

TEST(z3_as_a_process_agrees_with_counting) { compare_process("z3 -in", 5, 300); }
TEST(cvc5_as_a_process_agrees_with_counting) { compare_process("cvc5 --incremental -q", 9, 150); }

/* The one-shot questions, and variables without bounds: then only what is true for every assignment counts. */
TEST(one_shot_questions_leave_nothing_behind) {
  start_small();
  solver *s = solver_new(ts, &unlimited);
  for (int round = 0; round < 500; round++) {
    raw_source source = {{4000 + (uint64_t)round}, arena_new(), INTS, BOOLS, true, false};
    raw *f = raw_boolean(&source, 3);
    term t = raw_term(ts, f, ints, bools);
    raw *negation = arena_alloc(source.arena, sizeof *negation);
    *negation = (raw){.kind = RAW_NOT, .a = f};
    CHECK(answer_is_yes(solver_satisfiable(s, t)) == has_model(1, &f));
    CHECK(answer_is_yes(solver_valid(s, t)) == !has_model(1, &negation));
    arena_free(source.arena);
  }
  CHECK(answer_is_yes(solver_check(s, 0)));
  solver_free(s);
  terms_free(ts);
}

TEST(types_are_assumed_unless_told_otherwise) {
  start_small();
  for (int process = 0; process < 2; process++)
    for (int assume = 0; assume < 2; assume++) {
      solver *s = process ? solver_new_process(ts, &unlimited, "z3 -in") : solver_new(ts, &unlimited);
      solver_assume_types(s, assume);
      solver_push(s);
      solver_assert(s, term_gt(ts, x(0), k(HIGH)));
      CHECK(answer_is_no(solver_check(s, 0)) == assume);
      solver_pop(s);
      solver_push(s);
      solver_assert(s, term_ge(ts, x(0), k(HIGH)));
      CHECK(answer_is_yes(solver_check(s, 0)));
      CHECK(assume ? number_is(solver_value(s, ints[0]), HIGH)
                   : number_compare(solver_value(s, ints[0]), number_of(HIGH)) >= 0);
      solver_pop(s);
      solver_free(s);
    }
  terms_free(ts);
}

TEST(large_numbers_survive) {
  start_with(&integer);
  number huge;
  CHECK(number_parse("-1000000000000000000000000000007", 32, &huge));
  term wanted = term_eq(ts, term_add(ts, x(0), x(1)), term_number(ts, huge));
  const char *commands[] = {NULL, "z3 -in", "cvc5 --incremental -q"};
  for (int i = 0; i < 3; i++) {
    solver *s = i ? solver_new_process(ts, &unlimited, commands[i]) : solver_new(ts, &unlimited);
    solver_assert(s, wanted);
    solver_assert(s, term_eq(ts, x(1), k(2)));
    CHECK(answer_is_yes(solver_check(s, 0)));
    CHECK(number_equal(solver_value(s, ints[0]), number_sub(huge, number_of(2))));
    solver_free(s);
  }
  terms_free(ts);
}

TEST(division_by_zero_means_the_same_everywhere) {
  start_with(&integer);
  term zero_divisor = term_eq(ts, x(1), k(0));
  term quotient = term_eq(ts, term_div(ts, x(0), x(1)), k(0)), rest = term_eq(ts, term_mod(ts, x(0), x(1)), x(0));
  const char *commands[] = {NULL, "z3 -in", "cvc5 --incremental -q"};
  for (int i = 0; i < 3; i++) {
    solver *s = i ? solver_new_process(ts, &unlimited, commands[i]) : solver_new(ts, &unlimited);
    CHECK(answer_is_yes(solver_valid(s, term_implies(ts, zero_divisor, term_and(ts, quotient, rest)))));
    solver_free(s);
  }
  terms_free(ts);
}

TEST(names_that_mean_something_to_smt_lib_do_no_harm) {
  start_with(&integer);
  const char *bools_named[] = {"true", "false", "and", "not", "?3", "let", "Bool"};
  const char *ints_named[] = {"+", "div", "select", "?12", "abs", "a b", "whet-core!0", "x!next"};
  const char *commands[] = {"z3 -in", "cvc5 --incremental -q"};
  term all = TERM_TRUE, sum = k(0);
  for (size_t i = 0; i < ARRAY_LENGTH(bools_named); i++)
    all = term_and(ts, all, term_not(term_of_variable(ts, variable_new(ts, bools_named[i], &boolean))));
  for (size_t i = 0; i < ARRAY_LENGTH(ints_named); i++)
    sum = term_add(ts, sum, term_of_variable(ts, variable_new(ts, ints_named[i], &integer)));
  term shared = term_mul(ts, term_max(ts, sum, x(0)), term_max(ts, sum, x(0)));
  all = term_and(ts, all, term_and(ts, term_eq(ts, sum, k(3)), term_le(ts, shared, k(9))));
  for (int i = 0; i < 2; i++) {
    solver *s = solver_new_process(ts, &unlimited, commands[i]);
    solver_assert_named(s, all, 5);
    solver_assert_named(s, TERM_TRUE, 6);
    answer a = solver_check(s, 0);
    CHECK(answer_is_yes(a), "%s: %s", commands[i], a.reason ? a.reason : "no");
    solver_assert_named(s, TERM_FALSE, 7);
    core_names core = {0};
    CHECK(answer_is_no(solver_check(s, 0)));
    solver_core(s, &core);
    CHECK(core.count && VECTOR_LAST(core) == 7);
    VECTOR_FREE(core);
    solver_free(s);
  }
  terms_free(ts);
}

/* What goes wrong is unsure, with a reason, and leaves nothing behind. */

static bool has_children(void) { return waitpid(-1, NULL, WNOHANG) >= 0; }

static void check_unsure(answer a, const char *part_of_reason) {
  CHECK(answer_is_unsure(a));
  CHECK(a.reason && strstr(a.reason, part_of_reason), "%s", a.reason ? a.reason : "no reason");
}

TEST(a_process_that_is_no_solver_is_unsure) {
  start_with(&integer);
  const char *commands[][2] = {
      {"false", "status 1"},
      {"true", "status 0"},
      {"/no/such/solver", "status 127"},
      {"yes", "unexpected greeting"},
      {"cat", "unexpected greeting"},
      {"cat /dev/zero", "makes no sense"},
      {"echo '(error \"x\")'; cat >/dev/null", "(error \"x\")"},
      {"head -c 4000000 /dev/zero >&2; exit 3", "status 3"},
      {"kill -9 $$", "signal 9"},
      {"exec >&-; sleep 100", "signal 9"},
      {"echo '(((((('", "status 0"},
      {"echo ')'", "makes no sense"},
  };
  for (size_t i = 0; i < ARRAY_LENGTH(commands); i++) {
    solver *s = solver_new_process(ts, &unlimited, commands[i][0]);
    solver_assert(s, term_gt(ts, x(0), x(1)));
    for (int again = 0; again < 5; again++) {
      answer a = solver_check(s, 0);
      CHECK(answer_is_unsure(a));
      CHECK(a.reason && strstr(a.reason, commands[i][1]), "%s: %s", commands[i][0], a.reason ? a.reason : "no reason");
    }
    solver_free(s);
    CHECK(!has_children());
  }
  terms_free(ts);
}

/* A solver in shell: `answers` is what it prints for the successive check-sat; everything else works as it should. */
static solver *puppet(const char *answers) {
  char *command = text_format(
      "set -- %s; while read -r line; do case $line in *check-sat*) echo \"$1\"; shift;; *get-value*) "
      "echo '((|i0| 1) (|i1| 0))';; *get-unsat-core*) echo '(whet-core!999)';; esac; "
      "case $line in *echo*) m=${line#*whet-}; echo whet-${m%%\\\"*};; esac; done",
      answers);
  solver *s = solver_new_process(ts, &unlimited, command);
  memory_free(command);
  return s;
}

TEST(answers_that_are_not_exactly_one_word_are_unsure) {
  start_with(&integer);
  term t = term_gt(ts, x(0), x(1));
  const char *wrong[] = {"'sat sat'", "'unsat unsat'",   "''",
                         "'(sat)'",   "unsatisfiable",   "'\"sat'",
                         "'unsat)'",  "'(error \"y\")'", "'unsat (error \"an assertion was dropped\")'"};
  for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
    solver *s = puppet(wrong[i]);
    solver_assert(s, t);
    answer a = solver_check(s, 2);
    CHECK(answer_is_unsure(a), "%s", wrong[i]);
    solver_free(s);
  }
  CHECK(!has_children());
  terms_free(ts);
}

TEST(a_model_that_is_wrong_is_unsure_and_a_core_that_is_wrong_is_all) {
  start_with(&integer);
  solver *s = puppet("sat sat unsat");
  solver_assert_named(s, term_gt(ts, x(0), x(1)), 3);
  CHECK(answer_is_yes(solver_check(s, 0)));
  CHECK(number_is(solver_value(s, ints[0]), 1));
  solver_assert_named(s, term_lt(ts, x(0), x(1)), 4);
  check_unsure(solver_check(s, 0), "does not satisfy");
  CHECK(answer_is_no(solver_check(s, 0)));
  core_names core = {0};
  solver_core(s, &core);
  CHECK(core.count == 2 && core.at[0] == 3 && core.at[1] == 4);
  VECTOR_FREE(core);
  solver_free(s);
  terms_free(ts);
}

/* No solver finds out in time whether a number is the sum of three cubes. */
static term hard(void) {
  term cubes = k(0);
  for (int i = 0; i < INTS; i++) cubes = term_add(ts, cubes, term_mul(ts, x(i), term_mul(ts, x(i), x(i))));
  return term_eq(ts, cubes, k(114));
}

static void check_recovers(solver *s, double limit, const char *reason) {
  solver_push(s);
  solver_assert(s, term_gt(ts, x(0), k(5)));
  solver_push(s);
  solver_assert(s, hard());
  double before = clock_seconds();
  check_unsure(solver_check(s, limit), reason);
  printf("# unsure after %.3f s\n", clock_seconds() - before);
  solver_pop(s);
  solver_push(s);
  solver_assert(s, term_le(ts, x(0), k(5)));
  CHECK(answer_is_no(solver_check(s, 0)));
  solver_pop(s);
  solver_assert(s, term_le(ts, x(0), k(6)));
  CHECK(answer_is_yes(solver_check(s, 0)));
  CHECK(number_is(solver_value(s, ints[0]), 6));
  solver_pop(s);
}

TEST(a_question_that_takes_too_long_is_unsure_and_the_next_one_is_answered) {
  start_with(&integer);
  const char *commands[] = {NULL, "z3 -in", "cvc5 --incremental -q"};
  for (int i = 0; i < 3; i++) {
    solver *s = i ? solver_new_process(ts, &unlimited, commands[i]) : solver_new(ts, &unlimited);
    for (int again = 0; again < 3; again++) check_recovers(s, 1, "time limit of one question");
    solver_free(s);
  }
  CHECK(!has_children());
  terms_free(ts);
}

static void pause_once(void *pauses) {
  ++*(int *)pauses;
  work_set_turn(UINT64_MAX, pause_once, pauses);
  nanosleep(&(struct timespec){.tv_nsec = 900 * 1000 * 1000}, NULL);
}

/* Engines that take turns wait in the middle of whatever they do; the work of a check is counted when it is done. */
TEST(waiting_for_the_next_turn_is_no_time_of_the_question) {
  start_small();
  int pauses = 0;
  solver *s = solver_new(ts, &unlimited);
  solver_assert(s, term_lt(ts, x(0), x(1)));
  work_set_turn(work_done() + 1, pause_once, &pauses);
  CHECK(answer_is_yes(solver_check(s, 0.7)));
  CHECK(pauses == 1 && solver_statistics_of(s)->restarts == 0);
  work_set_turn(UINT64_MAX, NULL, NULL);
  solver_free(s);
  terms_free(ts);
}

TEST(a_process_that_hangs_is_killed) {
  start_with(&integer);
  solver *s = solver_new_process(ts, &unlimited, "sleep 1000 & sleep 1000");
  solver_assert(s, term_gt(ts, x(0), x(1)));
  check_unsure(solver_check(s, 0.1), "time limit");
  solver_free(s);
  CHECK(!has_children());
  terms_free(ts);
}

TEST(a_budget_that_is_spent_is_unsure_at_once) {
  start_with(&integer);
  atomic_bool stop = true;
  budget spent[] = {{.deadline = clock_seconds() - 1}, {.stop = &stop}, {.reason = "memory limit reached"}};
  const char *reasons[] = {"time limit reached", "interrupted", "memory limit reached"};
  for (int i = 0; i < 3; i++)
    for (int process = 0; process < 2; process++) {
      solver *s = process ? solver_new_process(ts, &spent[i], "z3 -in") : solver_new(ts, &spent[i]);
      solver_assert(s, TERM_FALSE);
      check_unsure(solver_check(s, 0), reasons[i]);
      solver_free(s);
    }
  terms_free(ts);
}

TEST(the_deadline_of_the_budget_ends_a_check) {
  start_with(&integer);
  budget b = {.deadline = clock_seconds() + 0.3};
  solver *s = solver_new(ts, &b);
  solver_assert(s, hard());
  check_unsure(solver_check(s, 1000), "time limit reached");
  check_unsure(solver_check(s, 1000), "time limit reached");
  solver_free(s);
  terms_free(ts);
}

static atomic_bool stopped;
static void on_signal(int number) { (void)number, stopped = true; }

static void *send_signal(void *argument) {
  usleep(200000);
  kill(getpid(), SIGINT);
  return argument;
}

TEST(an_interrupt_reaches_the_program_and_ends_a_check) {
  start_with(&integer);
  for (int process = 0; process < 2; process++) {
    stopped = false;
    budget b = {.stop = &stopped};
    struct sigaction action = {.sa_handler = on_signal}, before;
    sigaction(SIGINT, &action, &before);
    solver *s = process ? solver_new_process(ts, &b, "z3 -in") : solver_new(ts, &b);
    solver_assert(s, hard());
    pthread_t sender;
    pthread_create(&sender, NULL, send_signal, NULL);
    check_unsure(solver_check(s, 0), "interrupted");
    pthread_join(sender, NULL);
    CHECK(stopped);
    solver_free(s);
    sigaction(SIGINT, &before, NULL);
  }
  terms_free(ts);
}

TEST(a_broken_pipe_raises_no_signal) {
  start_with(&integer);
  stopped = false;
  struct sigaction action = {.sa_handler = on_signal}, before;
  sigaction(SIGPIPE, &action, &before);
  solver *s = solver_new_process(ts, &unlimited, "exec <&-; sleep 1");
  for (int i = 0; i < 1000; i++) solver_assert(s, term_gt(ts, term_scale(ts, number_of(i + 2), x(0)), x(1)));
  check_unsure(solver_check(s, 0), "solver process");
  CHECK(!stopped);
  solver_free(s);
  sigaction(SIGPIPE, &before, NULL);
  terms_free(ts);
}

/* What the child of a fork says, as its exit status: limits of Z3 stay with the process that set them. */
static int in_child(int (*run)(void)) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) _exit(run());
  int status;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int run_out_of_memory(void) {
  budget b = {.memory = memory_resident() + 80000000};
  solver *s = solver_new(ts, &b);
  term t = TERM_TRUE;
  for (int i = 0; i < 300000; i++) {
    term product = term_mul(ts, term_add(ts, x(0), k(i)), x(1));
    t = term_and(ts, t, term_or(ts, term_lt(ts, product, k(i)), term_gt(ts, product, term_mul(ts, x(1), x(2)))));
    if (i % 1000 == 0) solver_assert(s, t), t = TERM_TRUE;
  }
  answer a = solver_check(s, 20);
  int result = answer_is_unsure(a) && strstr(a.reason, "memory") ? 0 : answer_is_unsure(a) ? 1 : 2;
  if (result) printf("# %s\n", a.reason ? a.reason : "an answer");
  solver_free(s);
  return result;
}

TEST(running_out_of_memory_is_unsure) {
  start_with(&integer);
  CHECK(in_child(run_out_of_memory) == 0);
  terms_free(ts);
}

static solver *inherited;
static int use_inherited(void) {
  answer a = solver_check(inherited, 0.2);
  if (!answer_is_unsure(a)) return 1;
  solver_pop(inherited);
  return answer_is_yes(solver_check(inherited, 5)) ? 0 : 2;
}

TEST(a_solver_made_before_a_fork_works_in_the_child) {
  start_with(&integer);
  inherited = solver_new(ts, &unlimited);
  solver_assert(inherited, term_gt(ts, x(0), x(1)));
  CHECK(answer_is_yes(solver_check(inherited, 1)));
  solver_push(inherited);
  solver_assert(inherited, hard());
  CHECK(in_child(use_inherited) == 0);
  solver_free(inherited);
  terms_free(ts);
}

TEST(formulas_about_the_heap_are_unsure) {
  start_with(&integer);
  variable p = variable_new(ts, "p", &(type){.sort = SORT_NODE}), q = variable_new(ts, "q", &(type){.sort = SORT_NODE});
  for (int process = 0; process < 2; process++) {
    solver *s = process ? solver_new_process(ts, &unlimited, "z3 -in") : solver_new(ts, &unlimited);
    check_unsure(solver_satisfiable(s, term_heap_null(ts, p)), "heap");
    check_unsure(solver_valid(s, term_or(ts, term_heap_same(ts, p, q), term_gt(ts, x(0), k(1)))), "heap");
    CHECK(answer_is_yes(solver_satisfiable(s, term_gt(ts, x(0), k(1)))));
    solver_free(s);
  }
  terms_free(ts);
}

TEST(formulas_too_deep_for_a_solver_are_unsure) {
  start_with(&integer);
  solver *s = solver_new(ts, &unlimited);
  term t = x(0);
  for (int i = 0; i < 60000; i++) {
    t = term_ite(ts, term_of_variable(ts, bools[0]), term_add(ts, t, x(i % INTS)), term_abs(ts, t));
    if (i == 500) CHECK(answer_is_yes(solver_satisfiable(s, term_eq(ts, t, k(3)))));
  }
  check_unsure(solver_satisfiable(s, term_eq(ts, t, k(3))), "too deep");
  CHECK(answer_is_yes(solver_satisfiable(s, term_eq(ts, x(0), k(3)))));
  solver_free(s);
  terms_free(ts);
}

TEST_MAIN
