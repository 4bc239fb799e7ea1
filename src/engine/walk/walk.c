/* Random concrete runs of Horn clauses: short ones with small numbers first. Every fourth may be long. It refutes only. */
#include "engine/clause_walk.h"
#include "engine/engine.h"

enum {
  SHORT_RUN = 400,
  LONG_RUN = 4000,
  MORE_STEPS = 4,
  EVERY = 4,
  RUNS_OF_A_SIZE = 12,
  SIZES = 24,
  MOST_FACTS = 1000 * 1000
};

typedef struct walk_engine {
  engine_environment *env;
  clause_walk *walk;
  uint64_t runs, longest; /* steps of the next long run */
  bool was_limited;
} walk_engine;

static void *walk_open(engine_environment *env) {
  walk_engine *e = MEMORY_NEW(walk_engine);
  *e = (walk_engine){.env = env, .longest = LONG_RUN};
  e->walk = clause_walk_new(env->model->terms, env->model->clauses, env->property, env->budget);
  return e;
}

static void walk_close(void *state) {
  walk_engine *e = state;
  clause_walk_free(e->walk);
  memory_free(e);
}

static engine_status claim_run(walk_engine *e, claim *out) {
  const ground_facts *known = clause_walk_facts(e->walk);
  facts_derive(known, known->query, &out->evidence);
  out->verdict = VERDICT_UNSAFE;
  return ENGINE_DONE;
}

static engine_status walk_step(void *state, claim *out) {
  walk_engine *e = state;
  bool is_long = e->was_limited && e->runs % EVERY == EVERY - 1;
  size_t size = 1 + e->runs / RUNS_OF_A_SIZE % SIZES;
  walk_end end = clause_walk_run(e->walk, size, is_long ? e->longest : SHORT_RUN);
  e->runs++;
  const ground_facts *known = clause_walk_facts(e->walk);
  e->env->statistics->states = known->list.count;
  e->env->statistics->iterations = e->runs;
  events_progress(e->env->events, "%llu runs, %zu facts", (unsigned long long)e->runs, known->list.count);
  if (end == WALK_FOUND) return claim_run(e, out);
  if (budget_spent(e->env->budget)) return claim_give_up(out, budget_spent(e->env->budget));
  if (end == WALK_STUCK && clause_walk_is_only_one(e->walk))
    return claim_give_up(out, "the only run there is ends without a violation, which this engine cannot prove");
  e->was_limited |= end == WALK_LIMITED;
  if (end == WALK_LIMITED && is_long) e->longest *= MORE_STEPS;
  if (known->list.count > MOST_FACTS) clause_walk_forget(e->walk);
  return ENGINE_GOES_ON;
}

static bool walk_wants_model_as_read(const options *o, const model *m, size_t property) {
  (void)o, (void)m, (void)property;
  return true;
}

const engine engine_walk = {
    .name = "walk",
    .title = "random concrete runs of Horn clauses; refutes only",
    .paper = "",
    .limits = ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL | ENGINE_ONLY_CLAUSES,
    .open = walk_open,
    .step = walk_step,
    .close = walk_close,
    .treats_trees = true,
    .treats_arrays = true,
    .treats_reals = true,
    .wants_model_as_read = walk_wants_model_as_read,
};
