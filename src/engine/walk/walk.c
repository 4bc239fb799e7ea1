/* Random concrete runs of Horn clauses: short ones with small numbers first. Between them one long run goes on, a part at a
 * time; when it has ended, another one begins. Those keep arrays as versions, and so are not for arrays of arrays. It refutes only. */
#include "engine/engine.h"
#include "engine/walk/long_run.h"

enum {
  FIRST_RUN = 12,
  SHORT_RUN = 400,
  LONG_PART = 4000,
  LONGEST_PART = 256 * 1000,
  MORE_STEPS = 4,
  EVERY = 4,
  RUNS_OF_A_SIZE = 12,
  SIZES = 24,
  SIZE_OF_LONG = 4,
  ENDLESS = 1000 * 1000,
  MOST_FACTS = 300 * 1000
};

typedef struct walk_engine {
  engine_environment *env;
  clause_walk *walk;
  long_run *long_runs[2]; /* the second is begun if the first does not come to an end */
  uint64_t runs, part;    /* steps of the next part of the long run */
  uint64_t parts, ended;  /* of long runs */
  bool was_limited;
} walk_engine;

static void *walk_open(engine_environment *env) {
  walk_engine *e = MEMORY_NEW(walk_engine);
  *e = (walk_engine){.env = env, .part = LONG_PART};
  e->walk = clause_walk_new(env->model->terms, env->model->clauses, env->property, env->budget);
  for (int i = 0; i < 2; i++) e->long_runs[i] = long_run_new(e->walk);
  return e;
}

static void walk_close(void *state) {
  walk_engine *e = state;
  for (int i = 0; i < 2; i++) long_run_free(e->long_runs[i]);
  clause_walk_free(e->walk);
  memory_free(e);
}

static engine_status claim_run(walk_engine *e, claim *out) {
  const ground_facts *known = clause_walk_facts(e->walk);
  facts_derive(known, known->query, &out->evidence);
  out->verdict = VERDICT_UNSAFE;
  return ENGINE_DONE;
}

/* Every other one has numbers from all that is allowed, for what small ones do not show; and so has a second one, which takes turns
 * with a first that does not end. */
static walk_end go_on_with_long_run(walk_engine *e, const long_run **with) {
  bool is_second = long_run_length(e->long_runs[0]) >= ENDLESS && e->parts++ % 2;
  long_run *l = e->long_runs[is_second];
  walk_end end = long_run_go_on(l, SIZE_OF_LONG, is_second || e->ended % 2, e->part);
  if (end == WALK_STUCK) e->ended++;
  if (end == WALK_LIMITED && e->part < LONGEST_PART) e->part *= MORE_STEPS;
  *with = l;
  return end;
}

/* The first runs are very short, so that a violation that takes few steps is shown with few. */
static walk_end take_short_run(walk_engine *e) {
  uint64_t steps = FIRST_RUN;
  for (uint64_t i = 0; i < e->runs / RUNS_OF_A_SIZE && steps < SHORT_RUN; i++) steps *= 2;
  if (steps > SHORT_RUN) steps = SHORT_RUN;
  walk_end end = clause_walk_run(e->walk, 1 + e->runs / RUNS_OF_A_SIZE % SIZES, steps);
  if (end == WALK_LIMITED && steps == SHORT_RUN) e->was_limited = true;
  return end;
}

static void report(const walk_engine *e) {
  const ground_facts *known = clause_walk_facts(e->walk);
  e->env->statistics->states = known->list.count;
  e->env->statistics->iterations = e->runs;
  e->env->statistics->depth = long_run_length(e->long_runs[0]);
  events_progress(e->env->events, "%llu runs, %zu facts, %llu steps of a long run", (unsigned long long)e->runs,
                  known->list.count, (unsigned long long)long_run_length(e->long_runs[0]));
}

static engine_status walk_step(void *state, claim *out) {
  walk_engine *e = state;
  bool is_long = e->was_limited && !terms_nest_arrays(e->env->model->terms) && e->runs % EVERY == EVERY - 1;
  const long_run *with = NULL;
  walk_end end = is_long ? go_on_with_long_run(e, &with) : take_short_run(e);
  e->runs++;
  report(e);
  if (end == WALK_FOUND && !is_long) return claim_run(e, out);
  if (end == WALK_FOUND) {
    long_run_evidence(with, &out->evidence);
    out->verdict = VERDICT_UNSAFE;
    return ENGINE_DONE;
  }
  if (budget_spent(e->env->budget)) return claim_give_up(out, budget_spent(e->env->budget));
  if (end == WALK_STUCK && clause_walk_is_only_one(e->walk))
    return claim_give_up(out, "the only run there is ends without a violation, which this engine cannot prove");
  if (clause_walk_facts(e->walk)->list.count > MOST_FACTS) {
    clause_walk_forget(e->walk);
    for (int i = 0; i < 2; i++) long_run_forget_values(e->long_runs[i]);
  }
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
