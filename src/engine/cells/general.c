/* The engine: clauses with variables for their large numbers, if they have such, and the clauses as they are, in turn. */
#include "engine/cells/cells.h"
#include "engine/cells/constants.h"

/* Of so many steps, the last is one of the clauses as they are. */
enum { TURNS = 5 };

typedef struct general_cells {
  engine_environment *env;
  cells_engine *plain;
  size_t turns;
  /* NULL if there are no large numbers, or it has given up. */
  cells_engine *general;
  general_numbers numbers;
  model model; /* the same with other clauses */
  engine_environment of_general;
} general_cells;

static void *cells_open(engine_environment *env) {
  general_cells *g = MEMORY_NEW(general_cells);
  g->env = env;
  g->model = *env->model;
  g->model.clauses = clauses_generalise(env->model->terms, env->model->clauses, &g->numbers);
  g->of_general = *env;
  g->of_general.model = &g->model;
  if (g->model.clauses) g->general = cells_engine_new(&g->of_general);
  g->plain = cells_engine_new(env);
  return g;
}

static void cells_close(void *state) {
  general_cells *g = state;
  cells_engine_free(g->general);
  cells_engine_free(g->plain);
  if (g->model.clauses) horn_clauses_free(g->model.clauses);
  VECTOR_FREE(g->numbers);
  memory_free(g);
}

/* What is known for all numbers is known for these. */
static void take_numbers(const general_cells *g, claim *out) {
  term_vector *all = &out->evidence.interpretation;
  for (size_t i = 0; i < all->count; i++) all->at[i] = general_formula_back(g->model.terms, &g->numbers, all->at[i]);
}

static engine_status step_general(general_cells *g, claim *out) {
  if (cells_engine_step(g->general, out) == ENGINE_GOES_ON) return ENGINE_GOES_ON;
  if (out->verdict == VERDICT_SAFE) {
    take_numbers(g, out);
    return ENGINE_DONE;
  }
  claim_clear(out);
  cells_engine_free(g->general);
  g->general = NULL;
  return ENGINE_GOES_ON;
}

static engine_status cells_step(void *state, claim *out) {
  general_cells *g = state;
  bool is_turn_of_plain = ++g->turns % TURNS == 0 || !g->general;
  return is_turn_of_plain ? cells_engine_step(g->plain, out) : step_general(g, out);
}

const engine engine_cells = {
    .name = "cells",
    .title = "clauses with arrays as clauses about one or two cells of each; proves only",
    .paper = "Monniaux, Gonnord: Cell Morphing: From Array Programs to Array-Free Horn Clauses (SAS 2016)",
    .limits = ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL | ENGINE_ONLY_CLAUSES,
    .open = cells_open,
    .step = cells_step,
    .close = cells_close,
    .treats_trees = true,
    .treats_arrays = true,
    .treats_reals = true,
};
