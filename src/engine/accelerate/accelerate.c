/* Bounded search in which a cycle of transitions may be taken any number of times in one step, so that a loop of millions of
 * rounds is as short as one of two.
 *
 *   repeated_transitions.c   the transitions taken many times
 *   written_out.c            a run over these as a run of the model
 *   here                     runs of one length after the other (engine/bounded.h) */
#include "engine/accelerate/repeated_transitions.h"
#include "engine/accelerate/written_out.h"
#include "engine/bounded.h"

/* Longer runs are left to others: what is found here is short. */
enum { LONGEST_RUN = 40 };

typedef struct accelerate {
  engine_environment *env;
  engine_environment inside; /* the same with more transitions */
  repeated_transitions repeated;
  cycle_vector left_out; /* that did not do the same in each round */
  bounded_violation violation;
  unrolling *unrolling;
  bounded *runs; /* NULL before the first step */
  size_t facts_taken;
} accelerate;

static void *accelerate_open(engine_environment *env) {
  accelerate *a = MEMORY_NEW(accelerate);
  a->env = env;
  return a;
}

static void stop_search(accelerate *a) {
  bounded_free(a->runs);
  unrolling_free(a->unrolling);
  repeated_transitions_clear(&a->repeated);
  a->runs = NULL;
  a->unrolling = NULL;
}

static void accelerate_close(void *state) {
  accelerate *a = state;
  if (a->runs) stop_search(a);
  VECTOR_FREE(a->left_out);
  memory_free(a);
}

static void take_facts(accelerate *a) {
  for (; a->facts_taken < a->env->facts.count; a->facts_taken++)
    bounded_assume(a->runs, a->env->facts.at[a->facts_taken]);
}

static void accelerate_learn(void *state) {
  accelerate *a = state;
  if (a->runs) take_facts(a);
}

/* False if nothing can be repeated. */
static bool start(accelerate *a) {
  repeated_transitions_make(a->env->model, &a->left_out, a->env->budget, &a->repeated);
  a->env->statistics->accelerated = a->repeated.of.count;
  if (!a->repeated.of.count) {
    repeated_transitions_clear(&a->repeated);
    return false;
  }
  a->inside = *a->env;
  a->inside.model = &a->repeated.all;
  a->unrolling = unrolling_new(&a->repeated.all);
  a->runs = bounded_new(&a->inside, a->unrolling, &a->violation);
  a->facts_taken = 0;
  take_facts(a);
  return true;
}

static void count_questions(accelerate *a) {
  const solver_statistics *asked = bounded_statistics(a->runs);
  a->env->statistics->queries = a->env->statistics->answered_solver = asked->checks;
  a->env->statistics->unsure = asked->unsure;
  a->env->statistics->depth = bounded_length(a->runs);
}

static void report_iteration(accelerate *a) {
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "depth", bounded_length(a->runs));
  json_field_count(&w, "repeated", a->repeated.of.count);
  json_field_count(&w, "queries", a->env->statistics->queries);
  events_iteration(a->env->events, &w);
  events_progress(a->env->events, "%zu steps; %zu cycles can be repeated", bounded_length(a->runs),
                  a->repeated.of.count);
}

/* The run found is one of the model, or the cycle that is to blame is left out from now on. */
static engine_status settle(accelerate *a, claim *out) {
  transition_cycle wrong = {0};
  answer is_run = written_out(a->env, &a->repeated, &out->evidence.steps, &wrong);
  if (answer_is_yes(is_run)) {
    out->verdict = VERDICT_UNSAFE;
    return ENGINE_DONE;
  }
  if (answer_is_unsure(is_run)) return claim_give_up(out, is_run.reason);
  evidence_clear(&out->evidence);
  stop_search(a);
  if (!wrong.length) return claim_give_up(out, "a run that was found cannot be taken");
  VECTOR_PUSH(a->left_out, wrong);
  return ENGINE_GOES_ON;
}

static engine_status accelerate_step(void *state, claim *out) {
  accelerate *a = state;
  if (!a->runs) {
    if (a->env->model->clauses) return claim_give_up(out, "runs of clauses are not accelerated");
    a->violation = violation_of(a->env->model, a->env->property);
    if (a->violation.trouble) return claim_give_up(out, a->violation.trouble);
    if (!start(a)) return claim_give_up(out, "no cycle of transitions does the same again and again");
  }
  if (bounded_length(a->runs) > LONGEST_RUN) return claim_give_up(out, "no short run breaks the property");
  answer run = bounded_ask(a->runs, 0, &out->evidence);
  count_questions(a);
  if (answer_is_unsure(run)) return claim_give_up(out, run.reason);
  if (answer_is_yes(run)) return settle(a, out);
  report_iteration(a);
  return ENGINE_GOES_ON;
}

const engine engine_accelerate = {
    .name = "accelerate",
    .title = "bounded search with transitions that are taken many times at once",
    .paper = "",
    .limits = ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL,
    .open = accelerate_open,
    .step = accelerate_step,
    .close = accelerate_close,
    .uses_facts = true,
    .learn = accelerate_learn,
};
