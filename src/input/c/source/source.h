/* What the parts of a model stand for in the text of the program (model/program_source.h): names of cells, what may be
 * changed, loops and functions. */
#ifndef WHET_INPUT_C_SOURCE_SOURCE_H
#define WHET_INPUT_C_SOURCE_SOURCE_H

#include "input/c/lower.h"

/* ---- names.c ---- */

/* Names for cells that matter somewhere. */
typedef struct c_naming {
  c_lowering *l;
  bits live;               /* the cells that matter */
  const variable *by_cell; /* what stands for each; NULL: its own variable */
  source_moment moment;
  VECTOR(program_name) made;
} c_naming;

/* Those of a variable that is called so. What has no name of its own is left out: memory, and arrays without a constant
 * length or of more than one dimension that are not expanded. */
void c_naming_add(c_naming *k, const c_object *o);
/* In the model's arena. */
program_names c_naming_end(c_naming *k);

/* ---- targets.c ---- */

/* What a loop of the function may change that is there before it. */
source_targets c_targets_of_loop(c_lowering *l, const c_node *loop, const c_node *function);
/* What a call of the function may change of the whole program. */
source_targets c_targets_of_function(c_lowering *l, const c_node *function);

/* ---- contracts.c ---- */

/* The procedures, of which the model has the clauses; `live` is of their graph. */
void c_procedures_keep(c_lowering *l, const flow_liveness *live, program_source *out);
/* The cells of the values that the procedure was called with, as they are where `live` cells matter. */
void c_naming_add_first(c_naming *to, const c_procedure *p, size_t count, const c_object *const *variables);
/* The predicate of a place; NO_PREDICATE if it has none. */
uint32_t c_predicate_of(const c_lowering *l, uint32_t place);

#endif
