/* Asking whether a formula has a model: yes, no, or unsure with a reason. Unsure never turns into either.
 *
 * Two back-ends stand behind one interface: Z3 in this process (z3.c), and any SMT-LIB 2 solver as a child process (smtlib.c). */
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

typedef struct solver solver;
typedef VECTOR(uint32_t) core_names;

/* Z3 in this process. */
GIVE solver *solver_new(terms *ts, budget *b);
/* `command` is run by the shell and must speak SMT-LIB 2 on its standard input and output ("cvc5 --incremental", "z3 -in"). */
GIVE solver *solver_new_process(terms *ts, budget *b, const char *command);
void solver_free(TAKE solver *s);

/* Every variable is within its type: the solver adds the bounds by itself when it first sees a variable. Set to false where the types are
 * themselves in question (the checker of evidence). */
void solver_assume_types(solver *s, bool yes);

void solver_push(solver *s);
void solver_pop(solver *s);
void solver_assert(solver *s, term t);
/* Asserted so that `solver_core` can name it. */
void solver_assert_named(solver *s, term t, uint32_t name);

/* Does what was asserted have a model? `seconds` bounds this call; the budget bounds it too. 0: only the budget. */
answer solver_check(solver *s, double seconds);
/* After yes: the value of `v` (booleans 0 and 1). Variables the formulas do not mention get a value of their type. */
number solver_value(solver *s, variable v);
/* After no: the names of a subset that has no model either, ascending. */
void solver_core(solver *s, core_names *out);

/* One-shot helpers over push/pop. */
answer solver_satisfiable(solver *s, term t);
answer solver_valid(solver *s, term t);

#endif
