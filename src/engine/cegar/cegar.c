/* Counterexample-guided predicate abstraction (Lakhnech, Bensalem, Berezin, Owre 2001).
 *
 *   seeds (predicate/first_predicates.c)               section 4.1, the initial abstraction
 *   abstraction (predicate/abstraction.c)  the exact abstract system; rings; the shortest abstract counterexample
 *   engine/concrete_run.c            a real run along it
 *   analyse.c                        CouAnal, AccCouAnal, refinement (Figs. 3 and 5)
 *   accelerate.c, partitions.c       loops and closures; which stretches of a counterexample are loops
 *   engine/by_place.c                the abstract states reached as an invariant
 *   product.c                        the abstract states as a formula for people
 *   trees/                           the same on Horn clauses, if there is no transition system or there are reals
 *   here                             the iteration */
#include "base/escape.h"
#include "base/instruments/log.h"
#include "base/map.h"
#include "base/work.h"
#include "engine/by_place.h"
#include "engine/cegar/path.h"
#include "engine/cegar/trees/trees.h"
#include "model/transform.h"
#include "term/print.h"

/* More predicates than MANY_SEEDS make the first abstraction so expensive that starting from fewer is better. */
enum { MOST_ROUNDS = 16, MOST_TRIES = 64, MANY_SEEDS = 16, OFFERS_AT_ONCE = 8 };
/* After so many refinements one partition of counterexamples into loops is not trusted any more: its predicates may be a
 * sequence without end. WORK_ON_PARTITIONS is for the others of one counterexample, in units of base/work.h. */
enum { MANY_REFINEMENTS = 6, WORK_ON_PARTITIONS = 1000000 };

typedef struct cegar {
  cegar_tools tools;
  uint64_t iterations, refinements;
  size_t facts_taken, offers_taken, hints_taken, reported;
  bool is_implicit;       /* the relation is not built any more */
  tree_refinement *trees; /* on clauses; then nothing else is of use */
} cegar;

static void *cegar_open(engine_environment *env) {
  cegar *c = MEMORY_NEW(cegar);
  c->tools.env = env;
  c->tools.ts = env->model->terms;
  if (tree_refinement_treats(env->model)) c->trees = tree_refinement_new(env);
  return c;
}

static void cegar_close(void *state) {
  cegar *c = state;
  tree_refinement_free(c->trees);
  allsat_free(c->tools.allsat);
  predicate_model_free(c->tools.system);
  presburger_free(c->tools.sets);
  solver_free(c->tools.solver);
  VECTOR_FREE(c->tools.predicates);
  input_copies_free(c->tools.copies);
  memory_free(c);
}

static void take_facts(cegar *c) {
  cegar_tools *t = &c->tools;
  for (; c->facts_taken < t->env->facts.count; c->facts_taken++)
    predicate_model_add_proved(t->system, t->env->facts.at[c->facts_taken]);
  t->env->used_facts = c->facts_taken > 0;
  allsat_assume(t->allsat, t->system->facts);
}

/* What others proved since: the next abstraction is made with it. */
static void cegar_learn(void *state) {
  cegar *c = state;
  if (c->tools.solver && c->facts_taken < c->tools.env->facts.count) take_facts(c);
}

static const char *start(cegar *c) {
  cegar_tools *t = &c->tools;
  t->solver = solver_new(t->ts, t->env->budget);
  t->sets = presburger_new(t->ts, 0);
  t->system = predicate_model_new(t->env->model, t->env->property, t->sets);
  t->allsat = allsat_new(t->ts, t->sets, t->solver, t->env->budget);
  t->copies = input_copies_new(t->ts);
  if (t->system->trouble) return t->system->trouble;
  /* Definition 1. The search ends with the first bad states, so this changes no counterexample. */
  if (predicate_model_is_of_state(t->system, t->system->bad))
    predicate_model_relative_to(t->system, term_not(t->system->bad));
  take_facts(c);
  return NULL;
}

static void choose_predicates(cegar *c) {
  cegar_tools *t = &c->tools;
  seeds_choice choice = {.depth = t->env->options->wp_depth, .no_guards = t->env->options->no_guards};
  first_predicates_initial(t->system, t->allsat, choice, &t->predicates);
  if (t->predicates.count > MANY_SEEDS) {
    VECTOR_CLEAR(t->predicates);
    first_predicates_initial(t->system, t->allsat, (seeds_choice){.depth = 0, .no_guards = true}, &t->predicates);
  }
}

/* Whether the property itself is an inductive invariant: the coarsest abstraction, by the property alone, proves it.
 * That is cheap to ask, and saves building a finer one that may be large. */
static bool property_is_inductive(cegar *c) {
  const cegar_tools *t = &c->tools;
  const model *m = t->env->model;
  if (!predicate_model_is_of_state(t->system, t->system->bad)) return false;
  term good = term_not(t->system->bad);
  bool inductive = answer_is_no(solver_satisfiable(t->solver, term_and(t->ts, m->init, t->system->bad)));
  solver_push(t->solver);
  solver_assert(t->solver, t->system->facts);
  solver_assert(t->solver, t->system->proved);
  solver_assert(t->solver, good);
  for (size_t i = 0; i < m->transitions.count && inductive; i++)
    inductive = answer_is_no(solver_satisfiable(t->solver, term_not(transform_wp(m, &m->transitions.at[i], good))));
  solver_pop(t->solver);
  return inductive;
}

static engine_status claim_property(cegar *c, claim *out) {
  const predicate_model *s = c->tools.system;
  events_note(c->tools.env->events, "the property is inductive by itself");
  out->verdict = VERDICT_SAFE;
  out->evidence.kind = EVIDENCE_INVARIANT;
  evidence_add_part(s->ts, &out->evidence, term_and(s->ts, s->facts, term_not(s->bad)));
  return ENGINE_DONE;
}

/* ---- reports ---- */

static void count_questions(cegar *c) {
  statistics *s = c->tools.env->statistics;
  allsat_statistics a = allsat_statistics_of(c->tools.allsat);
  s->iterations = c->iterations;
  s->refinements = c->refinements;
  s->predicates = c->tools.predicates.count;
  s->answered_solver = solver_statistics_of(c->tools.solver)->checks + a.by_own_solver;
  s->answered_sets = a.by_sets;
  s->answered_difference = a.by_differences;
  s->answered_witness = a.by_points;
  s->cache_hits = a.by_conflicts;
  s->queries = s->answered_solver + s->answered_sets + s->answered_difference + s->answered_witness + s->cache_hits;
  s->unsure = a.unsure;
}

static void report_iteration(cegar *c, const abstraction *a, size_t length, size_t known) {
  const cegar_tools *t = &c->tools;
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "predicates", known);
  json_key(&w, "abstract_states");
  json_add_real(&w, abstraction_reached(a), 0);
  json_field_count(&w, "rings", abstraction_rings(a));
  if (length != SIZE_MAX) json_field_count(&w, "counterexample", length);
  json_field_count(&w, "queries", allsat_statistics_of(t->allsat).questions);
  json_field_array(&w, "new_predicates");
  for (size_t i = known; i < t->predicates.count; i++) {
    char *shown = term_string(t->ts, t->predicates.at[i]);
    json_add_string(&w, shown);
    memory_free(shown);
  }
  json_end_array(&w);
  events_iteration(t->env->events, &w);
}

/* As soon as they are there: whatever ends the run, its predicates are known. */
static void report_predicates(cegar *c) {
  for (; c->reported < c->tools.predicates.count; c->reported++)
    events_predicate(c->tools.env->events, c->tools.ts, c->tools.predicates.at[c->reported]);
}

/* ---- unsafe, or refine ---- */

/* A run along the actions to a bad state. */
static bool find_run(const cegar_tools *t, size_t count, const uint32_t *actions, evidence *out) {
  const model *m = t->env->model;
  bool is_fault = m->properties.at[t->env->property].kind == PROPERTY_NO_FAULT;
  VECTOR(uint32_t) transitions = {0};
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(transitions, t->system->actions.at[actions[i]].transition);
  concrete_run q = {.model = m,
                    .solver = t->solver,
                    .count = count,
                    .transitions = transitions.at,
                    .copies = t->copies,
                    .loop = RUN_HAS_NO_LOOP,
                    .at_end = t->system->bad,
                    .end = is_fault ? RUN_ENDS_IN_ANY_FAULT : RUN_ENDS_WITHOUT_INPUTS};
  bool found = answer_is_yes(concrete_run_find(&q, out));
  if (found) out->kind = EVIDENCE_TRACE;
  VECTOR_FREE(transitions);
  return found;
}

/* Runs with the loops of the trace taken 0, 1, .. times: all loops the same number of times, then each alone. */
static bool find_unrolled(cegar *c, const abstract_trace *trace, const loop_vector *loops, evidence *out) {
  cegar_tools *t = &c->tools;
  bool found = false;
  size_t tries = loops->count ? (loops->count + 1) * (MOST_ROUNDS + 1) : 0;
  for (size_t n = 0; n < tries && n < MOST_TRIES && !found; n++) {
    size_t rounds = n % (MOST_ROUNDS + 1), which = n / (MOST_ROUNDS + 1);
    VECTOR(uint32_t) actions = {0};
    size_t at = 0;
    for (size_t k = 0; k < loops->count; k++) {
      const trace_loop *loop = &loops->at[k];
      for (; at < loop->from; at++) VECTOR_PUSH(actions, trace->actions.at[at]);
      size_t times = which == 0 || which == k + 1 ? rounds : (loop->to - loop->from) / loop->word;
      for (size_t i = 0; i < times * loop->word; i++)
        VECTOR_PUSH(actions, trace->actions.at[loop->from + i % loop->word]);
      at = loop->to;
    }
    for (; at < trace->actions.count; at++) VECTOR_PUSH(actions, trace->actions.at[at]);
    found = find_run(t, actions.count, actions.at, out);
    VECTOR_FREE(actions);
    if (budget_spent(t->env->budget)) break;
  }
  return found;
}

/* Predicates that others found, a few at a time: false if there is no new one. */
static bool take_from(cegar *c, const term_vector *offers, size_t *taken) {
  cegar_tools *t = &c->tools;
  term_vector atoms = {0};
  size_t before = t->predicates.count;
  while (*taken < offers->count && t->predicates.count < before + OFFERS_AT_ONCE) {
    VECTOR_CLEAR(atoms);
    predicate_model_data_atoms(t->system, offers->at[(*taken)++], &atoms);
    for (size_t i = 0; i < atoms.count; i++) {
      bool known = false, is_mixed = false;
      for (size_t j = 0; j < t->predicates.count; j++) known |= term_same(t->predicates.at[j], atoms.at[i]);
      for (size_t j = 0; j < t->system->controls.count; j++)
        is_mixed |= term_mentions(t->ts, atoms.at[i], t->system->controls.at[j].var);
      if (!known && !is_mixed) VECTOR_PUSH(t->predicates, atoms.at[i]);
    }
  }
  VECTOR_FREE(atoms);
  return t->predicates.count > before;
}

typedef enum refine_end { REFINED, REFUTED, REFINE_STUCK } refine_end;

/* The partition that is tried first: innermost loops, from the beginning on. */
static refine_end refine_by_loops(cegar *c, const abstract_trace *trace, const loop_vector *loops, evidence *out) {
  cegar_tools *t = &c->tools;
  bool all_atoms = t->env->options->all_atoms;
  analysis_end end = analyse(t, trace, loops, ANALYSE_LOOPS, all_atoms);
  if (end == ANALYSIS_PASSED) {
    end = analyse(t, trace, loops, ANALYSE_CONGRUENCES, all_atoms);
    if (end == ANALYSIS_PASSED && find_unrolled(c, trace, loops, out)) return REFUTED;
  }
  return end == ANALYSIS_REFINED ? REFINED : REFINE_STUCK;
}

typedef struct other_partitions {
  cegar_tools *t;
  const abstract_trace *trace;
  const loop_vector *tried;
  analysis_mode mode;
  uint64_t work; /* at the beginning */
  size_t count;
  bool wants_all, refined;
} other_partitions;

static bool same_loops(const loop_vector *a, const loop_vector *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++) {
    bool there = false;
    for (size_t j = 0; j < b->count; j++)
      there |= a->at[i].from == b->at[j].from && a->at[i].to == b->at[j].to && a->at[i].word == b->at[j].word;
    same = there;
  }
  return same;
}

static bool try_partition(void *context, const loop_vector *loops) {
  other_partitions *o = context;
  if (budget_spent(o->t->env->budget) || work_done() - o->work > WORK_ON_PARTITIONS) return false;
  if (same_loops(loops, o->tried)) return true;
  o->count++;
  bool all_atoms = o->t->env->options->all_atoms;
  o->refined |= analyse(o->t, o->trace, loops, o->mode, all_atoms) == ANALYSIS_REFINED;
  return !o->refined || o->wants_all;
}

/* The other partitions, until one gives new predicates, or all of them. */
static bool refine_by_others(cegar *c, const abstract_trace *trace, const loop_vector *tried, analysis_mode mode) {
  other_partitions o = {.t = &c->tools, .trace = trace, .tried = tried, .mode = mode, .work = work_done()};
  o.wants_all = c->tools.env->options->all_partitions;
  partitions_visit(&c->tools, trace, try_partition, &o);
  LOG(abstraction, "%zu other partitions into loops were tried%s", o.count, o.refined ? ", with success" : "");
  return o.refined;
}

static refine_end refine(cegar *c, const abstract_trace *trace, evidence *out) {
  cegar_tools *t = &c->tools;
  if (find_run(t, trace->actions.count, trace->actions.at, out)) return REFUTED;
  loop_vector loops = {0};
  refine_end end = REFINE_STUCK;
  if (!t->env->options->no_acceleration) {
    loops_find(t, trace, &loops);
    end = refine_by_loops(c, trace, &loops, out);
    if (end == REFINED && t->env->options->all_partitions)
      refine_by_others(c, trace, &loops, ANALYSE_LOOPS);
    else if (end == REFINED && c->refinements >= MANY_REFINEMENTS)
      refine_by_others(c, trace, &loops, ANALYSE_AT_LOOPS);
    if (end == REFINE_STUCK && refine_by_others(c, trace, &loops, ANALYSE_LOOPS)) end = REFINED;
    VECTOR_CLEAR(loops);
  }
  if (end == REFINE_STUCK && analyse(t, trace, &loops, ANALYSE_PLAIN, t->env->options->all_atoms) == ANALYSIS_REFINED)
    end = REFINED;
  VECTOR_FREE(loops);
  return end;
}

/* One abstraction, and what is concluded from it. */
static engine_status iterate(cegar *c, abstraction *a, claim *out) {
  cegar_tools *t = &c->tools;
  size_t known = t->known = t->predicates.count;
  abstract_trace trace = {0};
  reach_end end = abstraction_trouble(a) ? REACH_TROUBLE : abstraction_reach(a, false);
  engine_status status = ENGINE_DONE;
  if (end == REACH_TROUBLE) {
    claim_give_up(out, abstraction_trouble(a));
  } else if (end == REACH_SAFE) {
    t->env->statistics->abstract_states = (uint64_t)abstraction_reached(a);
    report_iteration(c, a, SIZE_MAX, known);
    if (by_place_invariant(t->system, a, TERM_TRUE, &out->evidence))
      out->verdict = VERDICT_SAFE;
    else
      claim_give_up(out, abstraction_trouble(a));
  } else if (!abstraction_counterexample(a, &trace)) {
    claim_give_up(out, abstraction_trouble(a) ? abstraction_trouble(a) : "no abstract counterexample can be read");
  } else {
    /* Every run has an abstract one as long as it is, and this is a shortest one that is bad. */
    uint64_t clear = trace.actions.count ? trace.actions.count - 1 : 0;
    if (clear > t->env->statistics->clear_depth) t->env->statistics->clear_depth = clear;
    refine_end refined = refine(c, &trace, &out->evidence);
    LOG(abstraction, "an abstract counterexample of %zu steps is %s; %zu predicates now", trace.actions.count,
        refined == REFUTED ? "real" : "spurious", t->predicates.count);
    report_iteration(c, a, trace.actions.count, known);
    if (refined == REFUTED) out->verdict = VERDICT_UNSAFE;
    if (refined == REFINE_STUCK && !budget_spent(t->env->budget) && take_from(c, &t->env->offers, &c->offers_taken))
      refined = REFINED;
    if (refined == REFINE_STUCK) {
      const char *spent = budget_spent(t->env->budget);
      claim_give_up(out, spent ? spent : "a spurious counterexample gives no new predicate");
    }
    if (refined == REFINED) {
      c->refinements++;
      status = ENGINE_GOES_ON;
    }
  }
  abstract_trace_clear(&trace);
  return status;
}

static GIVE abstraction *abstract(cegar *c) {
  const cegar_tools *t = &c->tools;
  abstraction_limits limits = {ABSTRACTION_NODES, ABSTRACTION_WORK, .is_implicit = c->is_implicit,
                               .cartesian = t->env->options->cartesian};
  abstraction *a = abstraction_new(t->system, t->allsat, t->env->budget, t->predicates.count, t->predicates.at, limits);
  if (abstraction_is_implicit(a) && !c->is_implicit)
    events_note(t->env->events, "%zu predicates: from here on without the abstract relation", t->predicates.count);
  c->is_implicit = abstraction_is_implicit(a);
  return a;
}

static engine_status cegar_step(void *state, claim *out) {
  cegar *c = state;
  cegar_tools *t = &c->tools;
  if (c->trees) return tree_refinement_step(c->trees, out);
  if (t->env->wants_product) return cegar_make_product(t->env, out);
  if (!t->solver) {
    const char *trouble = start(c);
    if (trouble) return claim_give_up(out, trouble);
    if (property_is_inductive(c)) {
      count_questions(c);
      return claim_property(c, out);
    }
    choose_predicates(c);
  }
  take_from(c, &t->env->hints, &c->hints_taken);
  c->iterations++;
  events_progress(t->env->events, "%zu predicates", t->predicates.count);
  abstraction *a = abstract(c);
  engine_status status = iterate(c, a, out);
  abstraction_free(a);
  count_questions(c);
  report_predicates(c);
  return status;
}

void cegar_find_predicates(const engine_environment *env, size_t property, term_vector *out) {
  engine_environment inside = *env;
  inside.property = property;
  inside.wants_product = false;
  cegar *c = cegar_open(&inside);
  uint64_t most = env->options->max_iterations ? env->options->max_iterations : MOST_REFINEMENTS_FOR_PRODUCT + 1;
  claim decided = {0};
  engine_status status = ENGINE_GOES_ON;
  while (status == ENGINE_GOES_ON && c->iterations < most && !budget_spent(env->budget))
    status = cegar_step(c, &decided);
  bool is_inductive = decided.verdict == VERDICT_SAFE && !c->iterations; /* it has looked for no predicates */
  if (is_inductive) choose_predicates(c);
  /* if it could go on, those of the last abstraction, without what is found in its counterexample */
  size_t count = status == ENGINE_GOES_ON ? c->tools.known : c->tools.predicates.count;
  for (size_t i = 0; i < count; i++) {
    bool known = false;
    for (size_t j = 0; j < out->count; j++) known |= term_same(out->at[j], c->tools.predicates.at[i]);
    if (!known) VECTOR_PUSH(*out, c->tools.predicates.at[i]);
  }
  claim_clear(&decided);
  cegar_close(c);
}

static bool cegar_wants_model_as_read(const options *o, const model *m, size_t property) {
  (void)o, (void)property;
  return tree_refinement_treats(m);
}

const engine engine_cegar = {
    .name = "cegar",
    .title = "predicate abstraction refined by (accelerated) backward analysis of counterexamples",
    .paper =
        "Lakhnech, Bensalem, Berezin, Owre: Incremental Verification by Abstraction (TACAS 2001); on clauses "
        "Grebenshchikov, Lopes, Popeea, Rybalchenko: Synthesizing Software Verifiers from Proof Rules (PLDI 2012)",
    .limits = ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL,
    .open = cegar_open,
    .step = cegar_step,
    .close = cegar_close,
    .treats_trees = true,
    .treats_real_clauses = true,
    .uses_facts = true,
    .learn = cegar_learn,
    .wants_model_as_read = cegar_wants_model_as_read,
};
