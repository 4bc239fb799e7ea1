/* Asking whether a formula has a model: yes, no, or unsure with a reason. Unsure never turns into either.
 *
 * Two back-ends stand behind one interface: Z3 in this process (z3.c), and any SMT-LIB 2 solver as a child process
 * (smtlib.c). Whatever goes wrong in either (time, memory, a crash, output that makes no sense) is unsure for this
 * check; the next one starts the back-end afresh and gives it again all that is asserted. Formulas that speak of the
 * heap are unsure too. A solver belongs to one thread. */
#ifndef WHET_SOLVER_SOLVER_H
#define WHET_SOLVER_SOLVER_H

#include "base/budget.h"
#include "term/term.h"

typedef enum answer_kind { ANSWER_UNSURE, ANSWER_YES, ANSWER_NO } answer_kind;

/* A struct, so that `if (answer)` does not compile. */
typedef struct answer {
  answer_kind kind;
  const char *reason; /* why unsure; lives as long as the solver, or for ever */
} answer;

static inline bool answer_is_yes(answer a) { return a.kind == ANSWER_YES; }
static inline bool answer_is_no(answer a) { return a.kind == ANSWER_NO; }
static inline bool answer_is_unsure(answer a) { return a.kind == ANSWER_UNSURE; }
static inline answer answer_yes(void) { return (answer){ANSWER_YES, NULL}; }
static inline answer answer_no(void) { return (answer){ANSWER_NO, NULL}; }
static inline answer answer_unsure(const char *reason) { return (answer){ANSWER_UNSURE, reason}; }

typedef struct solver solver;
typedef VECTOR(uint32_t) core_names;

/* Z3 in this process. `ts` and `b` outlive the solver. */
GIVE solver *solver_new(terms *ts, budget *b);
/* The same, for many questions with assumptions about one large formula that stays: with Z3's older arithmetic. */
GIVE solver *solver_new_for_assumptions(terms *ts, budget *b);
/* `command` is run by the shell and must speak SMT-LIB 2 on its standard input and output ("yices-smt2 --incremental");
 * the names cvc5 and z3 alone get the words they need. It is started by the first check, and ended with the solver. It belongs to the process that made it: after a
 * fork only one side may go on with it. */
GIVE solver *solver_new_process(terms *ts, budget *b, const char *command);
void solver_free(TAKE solver *s);

/* Every variable is within its type: the solver adds the bounds by itself when it first sees a variable. Set to false,
 * before anything is asserted, if the types are themselves in question (the checker of evidence). */
void solver_assume_types(solver *s, bool yes);
bool solver_assumes_types(const solver *s);

void solver_push(solver *s);
void solver_pop(solver *s);
void solver_assert(solver *s, term t);
/* Asserted so that `solver_core` can name it. A name may be used more than once. */
void solver_assert_named(solver *s, term t, uint32_t name);

/* Does what was asserted have a model? `seconds` bounds this call; the budget bounds it too. 0: only the budget. */
answer solver_check(solver *s, double seconds);
/* After yes, until anything is pushed, popped or asserted: the value of `v` (booleans 0 and 1). Variables the formulas
 * do not mention get a value of their type. */
number solver_value(solver *s, variable v);
/* After no, until anything is pushed, popped or asserted: the names of a subset that, with all that is not named, has
 * no model either; ascending, each once. */
void solver_core(solver *s, core_names *out);

/* Does what was asserted have a model in which the literals (boolean variables, plain or negated) hold as well? They
 * are not asserted, and what the solver learns in the search is kept for the next: many questions about the same
 * formulas are cheapest this way. No values come with a yes but those asked for by `solver_values`. In this process
 * only. */
answer solver_check_assuming(solver *s, size_t count, const term *literals, double seconds);
/* After that said no, until the next call that changes or asks anything: the positions of literals that, with all that
 * is asserted, have no model either; ascending. */
void solver_core_assumed(solver *s, core_names *out);
/* After that said yes, as long: the values of these variables; of those that the formulas do not mention, any of their
 * type. False if there are none to be had. */
bool solver_values(solver *s, size_t count, const variable *variables, number *out);

/* Whether all that is asserted and `t` have a model; whether `t` follows from all that is asserted. Nothing stays
 * asserted. */
answer solver_satisfiable(solver *s, term t);
answer solver_valid(solver *s, term t);

/* Takes note of the variables of `t`. Their bounds then need not be asserted again for each question that is pushed and
 * popped above. */
void solver_mention(solver *s, term t);
/* Is the budget spent, so that asking again is of no use? */
bool solver_is_spent(const solver *s);
/* A value of the type, as near to 0 as can be; 0 for false. What variables that no formula mentions are given. */
number solver_any_value(const type *t);

typedef struct solver_statistics {
  uint64_t checks, yes, no, unsure;
  uint64_t restarts; /* how often the back-end was built again */
  double seconds;    /* spent in checks */
} solver_statistics;
KEEP const solver_statistics *solver_statistics_of(const solver *s);

#endif
