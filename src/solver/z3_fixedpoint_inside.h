/* What the files share that ask Spacer and read its answers. */
#ifndef WHET_SOLVER_Z3_FIXEDPOINT_INSIDE_H
#define WHET_SOLVER_Z3_FIXEDPOINT_INSIDE_H

#include "solver/fixedpoint.h"
#include "solver/z3_inside.h"

struct _Z3_fixedpoint;
struct _Z3_func_decl;

struct fixedpoint {
  z3 *z; /* the context; its solver has nothing asserted and says how many steps were done */
  const horn_problem *problem;
  budget *budget;
  struct _Z3_fixedpoint *handle;
  VECTOR(struct _Z3_func_decl *) declarations; /* of the relations */
  struct watchdog *dog;
  fixedpoint_observer *observe;
  void *context;
  bool was_asked, is_ended, is_out_of_work;
  fixedpoint_counts counts;
};

#endif
