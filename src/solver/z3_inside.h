/* What the files that see Z3 share: z3.c and its parts z3_*.c. Z3's types are named here, its header is not included.
 */
#ifndef WHET_SOLVER_Z3_INSIDE_H
#define WHET_SOLVER_Z3_INSIDE_H

#include "solver/backend.h"

struct _Z3_ast;
struct _Z3_context;
struct _Z3_solver;
struct _Z3_sort;

typedef struct z3 {
  backend base;
  uint64_t memory; /* limit in bytes, or 0 */
  bool for_assumptions;
  struct _Z3_context *context;
  struct _Z3_solver *solver;
  struct _Z3_sort *integer, *boolean, *real;
  struct _Z3_sort *arrays[SORT_ARRAY][MOST_NESTING + 1]; /* by the sort of their elements, and nesting */
  VECTOR(struct _Z3_ast *) asts;                         /* by term.x; NULL if not translated yet */
  VECTOR(uint32_t) pending;
  VECTOR(struct _Z3_ast *) arguments;
  VECTOR(struct _Z3_ast *) assumed; /* by the last check; they are in `asts` */
  struct watchdog *dog;
  uint32_t steps; /* of Z3's own count, when work was last counted; goes round */
} z3;

/* A context with a solver that nothing is asserted in. Freed as the back-end that it is. */
GIVE z3 *z3_new(terms *ts, const budget *b, bool for_assumptions);
/* True if the calls since the last look went well; else `base.lost` says why not. */
bool z3_fine(z3 *z);
/* Counted, NULL if making it failed; whoever holds it releases it. */
GIVE struct _Z3_ast *z3_hold(z3 *z, struct _Z3_ast *a);
void z3_release(z3 *z, struct _Z3_ast *a);
/* Kept by `z`. NULL if the back-end is lost. */
KEEP struct _Z3_ast *z3_translate(z3 *z, term root);
/* The same of a value, as a real; held. */
GIVE struct _Z3_ast *z3_translate_real(z3 *z, term root);
KEEP struct _Z3_sort *z3_sort_of(const z3 *z, variable v);
/* A value that is translated already, as a real if `as_real`; held. */
GIVE struct _Z3_ast *z3_value_of_translated(z3 *z, term t, bool as_real);
/* What stands for a variable; held. */
GIVE struct _Z3_ast *z3_of_constant(z3 *z, uint32_t symbol, struct _Z3_sort *of);
/* The value that `value` is; booleans are 0 and 1. False if it is none. */
bool z3_number_of_ast(z3 *z, struct _Z3_ast *value, number *out);
/* The same of a value of any sort; arrays as array_value.h has them. `m` says what functions are; it may be NULL. */
struct _Z3_model;
bool z3_value_of_ast(z3 *z, struct _Z3_model *m, struct _Z3_ast *value, number *out);
/* A term about arrays whose arguments are translated; held. */
GIVE struct _Z3_ast *z3_of_array_term(z3 *z, term t);
void z3_make_array_sorts(z3 *z);
/* Z3 counts its steps, the same ones in every run; the count goes round. */
uint32_t z3_steps(z3 *z);
/* As many steps as the work that is left; 0 is no limit. */
unsigned z3_steps_left(const budget *b);
/* Those since the last look, and `more`, as work (base/work.h). May wait for the next turn. */
void z3_count_work(z3 *z, uint64_t more);

#endif
