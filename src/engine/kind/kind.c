/* Bounded search and k-induction (Sheeran, Singh, Stalmarck 2000).
 *
 * With k growing from 0: is there a run of k steps to a bad state (engine/bounded.c)? Is there one of k steps, from
 * any state that facts allow, through states that are not bad, to a bad one (induction.c)? Yes to the first is a
 * violation, with the shortest run there is. No to the second, and to all questions of the first kind so far, is a
 * proof. For Horn clauses an inductive invariant is looked for: it is made of what is then known to end (backward.c). */
#include "base/work.h"
#include "engine/bounded.h"
#include "engine/kind/backward.h"
#include "engine/kind/induction.h"

typedef struct kind {
  engine_environment *env;
  bounded_violation violation;
  unrolling *unrolling;
  bounded *runs;        /* NULL before the first step */
  induction *induction; /* NULL if there is none, or no more */
  backward *backward;   /* NULL as long as nothing is proved, and unless clauses need an invariant */
  uint64_t work_before; /* when that began */
  size_t facts_taken;
} kind;

/* The search backwards may take so many times the work that was needed before, and at least so much. */
enum { BACKWARD_WORK_FACTOR = 1, BACKWARD_WORK = 300000 };

static void *kind_open(engine_environment *env) {
  kind *k = MEMORY_NEW(kind);
  k->env = env;
  return k;
}

static void kind_close(void *state) {
  kind *k = state;
  bounded_free(k->runs);
  induction_free(k->induction);
  backward_free(k->backward);
  unrolling_free(k->unrolling);
  memory_free(k);
}

static void take_facts(kind *k) {
  for (; k->facts_taken < k->env->facts.count; k->facts_taken++) {
    bounded_assume(k->runs, k->env->facts.at[k->facts_taken]);
    if (k->induction) induction_assume(k->induction, k->env->facts.at[k->facts_taken]);
    if (k->backward) backward_assume(k->backward, k->env->facts.at[k->facts_taken]);
  }
  k->env->used_facts = k->facts_taken > 0;
}

static void kind_learn(void *state) {
  kind *k = state;
  if (k->runs) take_facts(k);
}

static void start(kind *k) {
  k->unrolling = unrolling_new(k->env->model);
  k->runs = bounded_new(k->env, k->unrolling, &k->violation);
  if (k->violation.is_of_states) k->induction = induction_new(k->env, k->unrolling, k->violation.bad_states);
  take_facts(k);
}

static void count_questions(kind *k) {
  statistics *s = k->env->statistics;
  const solver_statistics *base = bounded_statistics(k->runs);
  s->answered_solver = base->checks;
  s->unsure = base->unsure;
  if (k->induction) {
    s->answered_solver += induction_statistics(k->induction)->checks;
    s->unsure += induction_statistics(k->induction)->unsure;
  }
  if (k->backward) {
    s->answered_solver += backward_statistics(k->backward)->checks;
    s->unsure += backward_statistics(k->backward)->unsure;
  }
  s->queries = s->answered_solver;
  s->depth = bounded_length(k->runs);
  s->clear_depth = s->depth ? s->depth - 1 : 0;
}

static void report_iteration(kind *k) {
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "depth", bounded_length(k->runs));
  json_field_count(&w, "queries", k->env->statistics->queries);
  events_iteration(k->env->events, &w);
  events_progress(k->env->events, "%zu steps", bounded_length(k->runs));
}

static engine_status claim_formula(kind *k, evidence_kind kind, term formula, claim *out) {
  out->verdict = VERDICT_SAFE;
  out->evidence.kind = kind;
  evidence_add_part(k->env->model->terms, &out->evidence, formula);
  return ENGINE_DONE;
}

/* From now on steps search backwards. */
static engine_status begin_backward(kind *k) {
  k->work_before = work_done();
  k->backward = backward_new(k->env, k->unrolling, k->violation.bad_states);
  for (size_t i = 0; i < k->facts_taken; i++) backward_assume(k->backward, k->env->facts.at[i]);
  return ENGINE_GOES_ON;
}

static engine_status claim_k_inductive(kind *k, claim *out) {
  out->evidence.depth = induction_depth(k->induction);
  out->evidence.states_differ = induction_needs_distinct_states(k->induction);
  return claim_formula(k, EVIDENCE_K_INDUCTIVE, term_not(k->violation.bad_states), out);
}

/* Nothing bad within the steps looked at, and the induction went through for as many. */
static engine_status claim_safe(kind *k, claim *out) {
  size_t depth = induction_depth(k->induction);
  bool distinct = induction_needs_distinct_states(k->induction);
  term good = term_not(k->violation.bad_states);
  events_note(k->env->events, "the property is %zu-inductive%s", depth, distinct ? " on paths without cycles" : "");
  if (depth == 1 && !distinct) return claim_formula(k, EVIDENCE_INVARIANT, good, out);
  return k->env->wants_invariant ? begin_backward(k) : claim_k_inductive(k, out);
}

/* The search backwards took long enough, and there is other evidence. */
static bool is_enough(const kind *k, backward_end end) {
  if (!k->env->takes_induction || induction_needs_distinct_states(k->induction)) return false;
  uint64_t most = BACKWARD_WORK_FACTOR * k->work_before;
  return end == BACKWARD_TROUBLE || work_done() - k->work_before > (most > BACKWARD_WORK ? most : BACKWARD_WORK);
}

static engine_status step_backward(kind *k, claim *out) {
  backward_end end = backward_step(k->backward);
  count_questions(k);
  events_progress(k->env->events, "%zu-inductive, %zu sets of states lead to a bad one", induction_depth(k->induction),
                  backward_sets(k->backward));
  if (end == BACKWARD_DONE) return claim_formula(k, EVIDENCE_INVARIANT, backward_rest(k->backward), out);
  if (is_enough(k, end)) return claim_k_inductive(k, out);
  if (end == BACKWARD_GOES_ON) return ENGINE_GOES_ON;
  char *reason = text_format("the property is %zu-inductive, but no invariant was found: %s",
                             induction_depth(k->induction), backward_trouble(k->backward));
  claim_give_up(out, reason);
  memory_free(reason);
  return ENGINE_DONE;
}

/* True: it is a proof. An induction that the solver cannot decide any more is left alone. */
static bool prove(kind *k) {
  answer a = induction_ask(k->induction);
  if (answer_is_no(a)) return true;
  if (!answer_is_unsure(a)) return false;
  if (!budget_spent_now(k->env->budget)) events_note(k->env->events, "no more induction: %s", a.reason);
  induction_free(k->induction);
  k->induction = NULL;
  return false;
}

static engine_status kind_step(void *state, claim *out) {
  kind *k = state;
  if (k->backward) return step_backward(k, out);
  if (!k->runs) {
    k->violation = violation_of(k->env->model, k->env->property);
    if (k->violation.trouble) return claim_give_up(out, k->violation.trouble);
    start(k);
  }
  answer run = bounded_ask(k->runs, 0, &out->evidence);
  count_questions(k);
  if (answer_is_yes(run)) {
    out->verdict = VERDICT_UNSAFE;
    return ENGINE_DONE;
  }
  if (answer_is_unsure(run)) return claim_give_up(out, run.reason);
  report_iteration(k);
  bool proved = k->induction && prove(k);
  count_questions(k);
  return proved ? claim_safe(k, out) : ENGINE_GOES_ON;
}

const engine engine_kind = {
    .name = "kind",
    .title = "bounded search for runs, and k-induction",
    .paper = "Sheeran, Singh, Stalmarck: Checking Safety Properties Using Induction and a SAT-Solver (FMCAD 2000)",
    .limits = ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL,
    .open = kind_open,
    .step = kind_step,
    .close = kind_close,
    .treats_reals = true,
    .uses_facts = true,
    .learn = kind_learn,
};
