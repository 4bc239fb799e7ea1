/* What solver.c asks of a back-end. Included by solver.c and by the back-ends only.
 *
 * solver.c keeps the stack of all that is asserted; a back-end mirrors it. A back-end that can no longer be trusted to
 * mirror it sets `lost` to the reason, does nothing from then on, and is given the whole stack again after `restart`.
 */
#ifndef WHET_SOLVER_BACKEND_H
#define WHET_SOLVER_BACKEND_H

#include "base/limits.h"
#include "solver/solver.h"

typedef struct backend backend;

typedef struct backend_methods {
  void (*free)(TAKE backend *b);
  /* Forgets everything; clears `lost` if that helps. `cores`: labels will be asked for. */
  void (*restart)(backend *b, bool cores);
  void (*push)(backend *b);
  void (*pop)(backend *b);
  /* Comes before the first assertion that mentions `v` on the current stack. */
  void (*declare)(backend *b, variable v, bool within_type);
  void (*assert_term)(backend *b, term t);
  void (*assert_labelled)(backend *b, term t, uint32_t label);
  answer (*check)(backend *b, const limits *l);
  /* The same if these literals hold; `core_assumed` gives their positions after no. NULL if it cannot do that. */
  answer (*check_assuming)(backend *b, const limits *l, size_t count, const term *literals);
  bool (*core_assumed)(backend *b, core_names *positions);
  /* After yes: the values of declared variables. False if there are none to be had. */
  bool (*model)(backend *b, const limits *l, size_t count, const variable *variables, number *out);
  /* After no: the labels of a core. False if there are none to be had. */
  bool (*core)(backend *b, const limits *l, core_names *labels);
  bool model_is_checked; /* by evaluating what is asserted: for programs that are not ours */
} backend_methods;

struct backend {
  const backend_methods *methods;
  terms *ts;
  const char *lost;
  VECTOR(char *) reasons; /* messages live as long as the solver */
};

GIVE backend *z3_backend(terms *ts, const budget *b, bool for_assumptions);
GIVE backend *smtlib_backend(terms *ts, const budget *b, const char *command);

/* A copy of `message` that lives as long as the solver; the same message is kept once, and after many different ones a
 * general one stands for the rest. */
KEEP const char *backend_reason(backend *b, const char *message);

#endif
