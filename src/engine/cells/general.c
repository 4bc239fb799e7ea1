/* The engine: clauses without arguments that are sums of others; of those, the ones with variables for their large numbers,
 * if they have such, and the clauses as they are, in turn. */
#include "engine/cells/cells.h"
#include "engine/cells/constants.h"
#include "engine/cells/sums.h"

/* Of so many steps, the first is one of the clauses as they are, the others of those with variables for large numbers; or
 * the other way round, if short runs of the clauses as they are come everywhere: no loop goes round so often then. */
enum { TURNS = 5 };

/* The same model with other clauses. */
typedef struct other_clauses {
  model model; /* its clauses are owned, or NULL */
  engine_environment env;
} other_clauses;

typedef struct general_cells {
  engine_environment *env;
  other_clauses reduced;
  term_vector known;   /* by predicate, if there are reduced clauses: what holds besides */
  cells_engine *plain; /* NULL before the first step */
  size_t turns;
  /* NULL if there are no large numbers, or it has given up. */
  cells_engine *general;
  general_numbers numbers;
  other_clauses generalised;
} general_cells;

static void *cells_open(engine_environment *env) {
  general_cells *g = MEMORY_NEW(general_cells);
  g->env = env;
  return g;
}

static void set_clauses(other_clauses *to, const engine_environment *env, TAKE clauses *c) {
  to->model = *env->model;
  to->model.clauses = c;
  to->env = *env;
  to->env.model = &to->model;
}

static void begin(general_cells *g) {
  engine_environment *env = g->env;
  set_clauses(&g->reduced, env, clauses_without_sums(env, &g->known));
  if (g->reduced.model.clauses) env = &g->reduced.env;
  set_clauses(&g->generalised, env, clauses_generalise(env->model->terms, env->model->clauses, &g->numbers));
  if (g->generalised.model.clauses) g->general = cells_engine_new(&g->generalised.env);
  g->plain = cells_engine_new(env);
}

static void cells_close(void *state) {
  general_cells *g = state;
  cells_engine_free(g->general);
  cells_engine_free(g->plain);
  if (g->generalised.model.clauses) horn_clauses_free(g->generalised.model.clauses);
  if (g->reduced.model.clauses) horn_clauses_free(g->reduced.model.clauses);
  VECTOR_FREE(g->numbers);
  VECTOR_FREE(g->known);
  memory_free(g);
}

/* What is known for all numbers is known for these. */
static void take_numbers(const general_cells *g, claim *out) {
  term_vector *all = &out->evidence.interpretation;
  terms *ts = g->env->model->terms;
  for (size_t i = 0; i < all->count; i++) all->at[i] = general_formula_back(ts, &g->numbers, all->at[i]);
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

/* What was found about fewer arguments, of all of them. */
static void add_known(const general_cells *g, claim *out) {
  term_vector *all = &out->evidence.interpretation;
  for (size_t i = 0; i < all->count && i < g->known.count; i++)
    all->at[i] = term_and(g->env->model->terms, all->at[i], g->known.at[i]);
}

static engine_status cells_step(void *state, claim *out) {
  general_cells *g = state;
  if (!g->plain) {
    begin(g);
    return ENGINE_GOES_ON;
  }
  bool is_first = g->turns++ % TURNS == 0;
  bool is_turn_of_plain = !g->general || g->turns == 1 || is_first != cells_engine_saw_all(g->plain);
  engine_status status = is_turn_of_plain ? cells_engine_step(g->plain, out) : step_general(g, out);
  if (status == ENGINE_DONE && out->verdict == VERDICT_SAFE) add_known(g, out);
  return status;
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
