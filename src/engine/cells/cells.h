/* The inside of the engine `cells`: clauses with arrays as clauses without, about a few cells of each array.
 *
 * With k cells, a predicate P(x, a, b) about arrays a and b becomes P'(x, i1, a[i1], b[i1], .., ik, a[ik], b[ik]). What is
 * found for P' is a formula for P: for all indices, P' holds of those elements. A clause that derives P'
 * for indices of which nothing is known may use P' of its body for any; it does so at indices that it reads.
 *
 * If there are arrays of arrays, a cell has as many indices as the deepest of them, and each array has an element in it for
 * as many indices as it has, one after the other: with a[i][j] and b[i], the cell is i, j, a[i][j], b[i], b[j]. */
#ifndef WHET_ENGINE_CELLS_CELLS_H
#define WHET_ENGINE_CELLS_CELLS_H

#include "engine/engine.h"
#include "solver/fixedpoint.h"

/* Indices of all cells together are at most so many. */
enum { MOST_CELLS = 3, MOST_INDICES = 4 };

/* An element in a cell: of a parameter of the predicate, an array, at `count` indices of the cell from `first` on. */
typedef struct cell_place {
  uint32_t parameter, first, count;
} cell_place;

/* What has become of a predicate, whose relation has the same number. */
typedef struct cell_predicate {
  index_vector scalars, arrays; /* which parameters of the predicate are such */
  VECTOR(cell_place) places;    /* of a cell */
  variable_vector values;       /* of each cell: of each place, the parameter of the relation that is its element */
} cell_predicate;

typedef struct cell_problem {
  engine_environment *env;
  terms *ts;
  size_t count;            /* cells of each array */
  bool all_pairs;          /* of indices are used for two cells, also those that Spacer does not need */
  size_t depth;            /* indices of a cell */
  variable_vector indices; /* of the cells; parameters of every relation about arrays, and indices of its formula */
  variable_vector sought;  /* the same as variables of clauses: indices of the head's cells */
  VECTOR(cell_predicate) predicates;
  horn_problem problem; /* the last relation is the query */
} cell_problem;

/* How many indices a cell has: as many as the arrays with the most. */
size_t cells_depth(const terms *ts, const clauses *all);
/* The clauses of the model's property without arrays. False if the budget is spent. */
bool cells_make_problem(cell_problem *c);
void cells_clear_problem(cell_problem *c);

/* A clause of its own: head, body and constraint. */
clause clause_copy(const clause *from);
/* Puts a term in the place of a variable, everywhere in the clause. */
void clause_replace(terms *ts, clause *c, variable v, term by);
/* Solves equations of the constraint for variables, which go from the clause. */
void clause_solve_equations(terms *ts, clause *c, budget *b);
/* The clause as a rule of the problem. */
horn_rule clause_without_arrays(cell_problem *c, const clause *from, uint32_t number);

/* Decides the clauses of the environment's model, as an engine does. */
typedef struct cells_engine cells_engine;
GIVE cells_engine *cells_engine_new(engine_environment *env);
void cells_engine_free(TAKE cells_engine *e);
engine_status cells_engine_step(cells_engine *e, claim *out);
/* Short runs, which its first steps make, came to every predicate. */
bool cells_engine_saw_all(const cells_engine *e);

/* The formula of a predicate, of one of its relation: for all `indices`. */
term cells_formula(const cell_problem *c, uint32_t predicate, term of_relation);

#endif
