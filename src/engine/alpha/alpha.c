/* alpha: concrete search with abstract matching, refined from below.
 *
 * C. Pasareanu, R. Pelanek, W. Visser: Predicate Abstraction with Under-approximation Refinement. Real
 * steps are executed; a state is expanded unless one with the same control and the same truth of all predicates was
 * before. So whatever is found is real. For every step the prover is asked whether it is exact: whether all states with
 * that abstraction have the same step. If not, the predicates that would make it so are added and the search starts
 * again; if all steps are exact, what was visited is a finite quotient bisimilar to the system.
 *
 *   section 4.1, Fig. 2, 3   explore.c, alpha_step           section 7.1  explore.c: first_states, step_open
 *   section 4.2              exactness.c                    section 7.2  predicates.c: places
 *   section 6.1, heuristic   add_concrete_state             section 7.3  `lightweight` in exactness.c
 *   section 8.6, 10          closed.c                       section 7.3  predicate/likely/
 *   section 3.3, 6.3         modal.c                        section 7.3  lists/: the shape of the heap
 *   section 8                exactness.c; paper.c counts as the paper does */
#include "engine/alpha/alpha.h"

#include "base/instruments/log.h"
#include "base/work.h"
#include "engine/alpha/lists/lists.h"
#include "model/transform.h"
#include "term/bounds.h"
#include "term/print.h"

enum { ITERATIONS_FOR_TESTS = 8 };
/* What the concrete states have in common is told once that much work was done, and again when it is so many times as much. */
enum { WORK_BEFORE_LIKELY = 15000, LIKELY_AGAIN = 8 };

static void add_atoms(alpha *a, term t, uint32_t place) {
  term_vector atoms = {0};
  data_atoms(a->ts, &a->kept, term_lift_ite(a->ts, t), &atoms);
  for (size_t i = 0; i < atoms.count; i++) predicates_add(a->predicates, atoms.at[i], place);
  VECTOR_FREE(atoms);
}

static void add_formula_atoms(alpha *a, const temporal *f) {
  if (f->kind == TEMPORAL_STATE) add_atoms(a, f->state, 0);
  if (f->left) add_formula_atoms(a, f->left);
  if (f->right) add_formula_atoms(a, f->right);
}

static void add_property_atoms(alpha *a) {
  if (a->property->kind == PROPERTY_SAFE) add_atoms(a, a->property->bad, 0);
  if (property_is_temporal(a->property)) {
    add_formula_atoms(a, a->property->formula);
    for (size_t i = 0; i < a->m->fairness.count; i++)
      if (a->m->fairness.at[i].kind == FAIR_STATE)
        add_atoms(a, a->m->fairness.at[i].state, 0);
      else if (a->m->fairness.at[i].kind == FAIR_FORMULA)
        add_formula_atoms(a, a->m->fairness.at[i].formula);
  }
  if (a->property->kind != PROPERTY_NO_FAULT) return;
  for (size_t i = 0; i < a->actions.count; i++) {
    const alpha_action *act = &a->actions.at[i];
    const transition *t = &a->m->transitions.at[act->transition];
    if (act->open) continue;
    substitution *fixed = substitution_new(a->ts);
    for (size_t j = 0; j < t->inputs.count; j++) {
      substitution_set(fixed, t->inputs.at[j], term_of_value(a->ts, t->inputs.at[j], act->inputs.at[j]));
    }
    add_atoms(a, term_simplify_in_types(a->ts, substitution_apply(fixed, transition_fault(a->m, t))), 0);
    substitution_free(fixed);
  }
}

/* Guards in the order of the text, then what the user gave, then (but for the paper's accounting) the property. */
static void first_predicates(alpha *a) {
  for (size_t i = 0; i < a->actions.count; i++)
    for (size_t j = 0; j < a->actions.at[i].test_atoms.count && !a->actions.at[i].open; j++)
      predicates_add(a->predicates, a->actions.at[i].test_atoms.at[j], a->local ? a->actions.at[i].place : 0);
  for (size_t i = 0; i < a->m->predicates.count; i++) add_atoms(a, a->m->predicates.at[i], 0);
  if (!a->paper || property_is_temporal(a->property)) add_property_atoms(a);
  for (size_t i = 0; i < a->m->properties.count && a->env->wants_product; i++)
    if (a->m->properties.at[i].kind == PROPERTY_SAFE) add_atoms(a, a->m->properties.at[i].bad, 0);
}

/* A chain of weakest preconditions can be about as long as there are actions before it closes, so waiting less would
 * pin down states for nothing. */
static uint32_t rounds_before_concretizing(const alpha *a) {
  const options *o = a->env->options;
  if (o->concretize_after) return (uint32_t)o->concretize_after;
  if (a->paper) return UINT32_MAX;
  return a->actions.count > 3 ? (uint32_t)a->actions.count : 3;
}

/* As soon as they are there: whatever ends the run, its predicates are known. */
static void report_predicates(alpha *a) {
  for (; a->reported < predicates_count(a->predicates); a->reported++)
    events_predicate(a->env->events, a->ts, predicates_at(a->predicates, a->reported));
}

/* Facts strengthen the left side of every question from the next iteration on; the paper's accounting knows of none. */
static void alpha_learn(void *state) {
  alpha *a = state;
  if (a->lists || a->refused) return;
  a->env->used_facts = !a->paper && a->env->facts.count > 0;
  exact_learn(a);
}

/* The paper's own setting is exact; so is whatever needs the quotient. */
static void choose_exactness(alpha *a) {
  option_exactness how = a->env->options->exactness;
  a->relaxed = how != EXACTNESS_FULL && !a->paper && !a->env->wants_product && !property_is_temporal(a->property);
  a->by_property = a->relaxed && how == EXACTNESS_PROPERTY;
  if (a->relaxed) likely_forms_make(a->m, a->kept.is_kept.at, &a->likely);
}

static bool is_system_wanted(const engine_environment *env) {
  return env->wants_product && !env->wants_tests && env->options->system_kind != KIND_PROGRAM;
}

static void *alpha_open(engine_environment *env) {
  alpha *a = MEMORY_NEW(alpha);
  const options *o = env->options;
  a->env = env;
  if (env->model->has_heap) {
    a->lists = alpha_lists_new(env, &a->refused);
    return a;
  }
  a->m = env->model;
  a->ts = env->model->terms;
  a->property = &env->model->properties.at[env->property];
  a->paper = o->account == ACCOUNT_PAPER;
  a->local = o->local_predicates || !(a->paper || o->global_predicates || is_system_wanted(env));
  a->lightweight = o->lightweight;
  a->semantics = semantics_new(a->m);
  a->solver = solver_new(a->ts, env->budget);
  a->prover = prover_new(a->ts, a->solver);
  if (a->property->kind == PROPERTY_SAFE) a->bad = state_condition_new(a->m, a->property->bad);
  kept_init(&a->kept, a->m);
  choose_exactness(a);
  a->predicates = predicates_new(a->ts, &a->kept);
  actions_make(a->m, &a->kept, a->predicates, &a->actions);
  first_predicates(a);
  a->concretize_after = rounds_before_concretizing(a);
  if (a->paper) a->account = paper_account_new();
  alpha_learn(a);
  report_predicates(a);
  return a;
}

static void alpha_close(void *state) {
  alpha *a = state;
  if (a->lists || a->refused) {
    alpha_lists_free(a->lists);
    memory_free(a);
    return;
  }
  explore_free(a->last);
  seen_states_free(a->seen);
  VECTOR_FREE(a->likely);
  paper_account_free(a->account);
  actions_clear(&a->actions);
  predicates_free(a->predicates);
  kept_clear(&a->kept);
  VECTOR_FREE(a->facts_everywhere);
  VECTOR_FREE(a->facts_by_control);
  state_condition_free(a->bad);
  prover_free(a->prover);
  solver_free(a->solver);
  semantics_free(a->semantics);
  memory_free(a);
}

/* The heuristic of section 6.1: a step that stays inexact is pinned down by the values of its source. */
static void add_concrete_state(alpha *a, const alpha_action *act, const exploration *s) {
  for (size_t i = 0; i < s->edges.count; i++) {
    if (&a->actions.at[s->edges.at[i].action] != act) continue;
    const int64_t *state = s->states.at + s->edges.at[i].from * s->width;
    for (size_t j = 0; j < s->width; j++) {
      term x = term_of_variable(a->ts, a->m->variables.at[j].var);
      if (!a->kept.is_kept.at[j])
        predicates_add(a->predicates, term_eq(a->ts, x, term_int(a->ts, state[j])), a->local ? act->place : 0);
    }
    return;
  }
}

/* Predicates that others found, once; false if there is none left. */
static bool take_offers(alpha *a) {
  bool any = a->offers_taken < a->env->offers.count;
  for (; a->offers_taken < a->env->offers.count; a->offers_taken++) add_atoms(a, a->env->offers.at[a->offers_taken], 0);
  return any;
}

/* A step that stays inexact is helped by what others know, and only then by values. */
static void refine(alpha *a, const exploration *s) {
  for (size_t i = 0; i < s->wanted.count; i++)
    predicates_add(a->predicates, s->wanted.at[i].atom, s->wanted.at[i].place);
  for (size_t i = 0; i < a->actions.count; i++) {
    alpha_action *act = &a->actions.at[i];
    act->inexact_rounds = act->inexact ? act->inexact_rounds + 1 : 0;
    if (act->inexact_rounds < a->concretize_after) continue;
    if (!take_offers(a)) add_concrete_state(a, act, s);
    act->inexact_rounds = 0;
  }
}

static void count(alpha *a, const exploration *s) {
  statistics *st = a->env->statistics;
  const prover_statistics *p = prover_statistics_of(a->prover);
  st->iterations = a->iteration;
  st->states = s->concrete;
  st->abstract_states = store_count(s->visited);
  st->transitions = s->edges.count;
  st->predicates = predicates_count(a->predicates);
  st->queries += s->queries;
  st->cache_hits += s->cache_hits;
  st->answered_folding = p->folding;
  st->answered_same_atom = p->same_atom;
  st->answered_interval = p->interval;
  st->answered_difference = p->difference;
  st->answered_solver = p->solver;
  st->unsure = p->unsure;
}

/* `whet tests`: the runs of this search. */
static engine_status give_tests(alpha *a, const exploration *s, bool is_exact, claim *out) {
  text runs = {0};
  const char *trouble = s->incomplete ? s->incomplete : alpha_print_tests(a, s, is_exact, &runs);
  if (!trouble) {
    events_product(a->env->events, text_string(&runs));
    out->verdict = VERDICT_SAFE;
    out->evidence.kind = EVIDENCE_INVARIANT;
    evidence_add_part(a->ts, &out->evidence, TERM_TRUE);
  }
  text_clear(&runs);
  return trouble ? claim_give_up(out, trouble) : ENGINE_DONE;
}

static bool is_last_for_tests(const alpha *a) {
  uint64_t most = a->env->options->max_iterations ? a->env->options->max_iterations : ITERATIONS_FOR_TESTS;
  return a->env->wants_tests && a->iteration >= most;
}

static void give_graph(alpha *a, const exploration *s) {
  text graph = {0};
  alpha_print_graph(a, s, a->env->options->to ? a->env->options->to : "aut", &graph);
  events_product(a->env->events, text_string(&graph));
  text_clear(&graph);
}

static engine_status conclude(alpha *a, const exploration *s, claim *out) {
  if (s->has_error) {
    out->verdict = VERDICT_UNSAFE;
    alpha_evidence_trace(a, s, &out->evidence);
    return ENGINE_DONE;
  }
  if (s->incomplete) return claim_give_up(out, s->incomplete);
  if (property_is_temporal(a->property)) {
    const char *reason = alpha_conclude_temporal(a, s, out);
    return reason ? claim_give_up(out, reason) : ENGINE_DONE;
  }
  const char *undecided = alpha_property_undecided(a, s);
  if (undecided) return claim_give_up(out, undecided);
  if (a->env->wants_product) {
    for (size_t i = 0; i < a->actions.count; i++)
      if (a->actions.at[i].open)
        return claim_give_up(out, "an action has inputs of infinite type, so its steps have no finite quotient");
    give_graph(a, s);
  }
  out->verdict = VERDICT_SAFE;
  alpha_evidence_invariant(a, s, &out->evidence);
  return ENGINE_DONE;
}

/* `whet abstract --kind`: the abstract system for the first predicates, or what the first search visits. Nothing is claimed of the model. */
static engine_status give_system(alpha *a, claim *out) {
  const char *trouble = NULL;
  exploration *s = NULL;
  switch (a->env->options->system_kind) {
    case KIND_MAY: s = modal_system(a, MODAL_MAY, &trouble); break;
    case KIND_MUST: s = modal_system(a, MODAL_MUST, &trouble); break;
    case KIND_MUST_MINUS: s = modal_system(a, MODAL_MUST_MINUS, &trouble); break;
    default:
      s = explore_new(a);
      if (explore_run(a, s, &trouble) == EXPLORE_COMPLETE) trouble = s->incomplete;
  }
  if (!trouble) {
    give_graph(a, s);
    out->verdict = VERDICT_SAFE;
    out->evidence.kind = EVIDENCE_INVARIANT;
    evidence_add_part(a->ts, &out->evidence, TERM_TRUE);
  }
  explore_free(s);
  return trouble ? claim_give_up(out, trouble) : ENGINE_DONE;
}

/* For the other engines: likely invariants (section 7.3), from the concrete states of this iteration. */
static void begin_likely(alpha *a) {
  uint64_t after = a->likely_told ? LIKELY_AGAIN * a->likely_told : WORK_BEFORE_LIKELY;
  if (a->env->wants_likely && work_done() >= after) a->seen = seen_states_new(a->m);
}

static void tell_likely(alpha *a) {
  term_vector candidates = {0};
  if (!a->seen) return;
  a->likely_told = work_done() + 1;
  seen_states_candidates(a->seen, &candidates);
  events_likely(a->env->events, a->ts, &candidates);
  VECTOR_FREE(candidates);
  seen_states_free(a->seen);
  a->seen = NULL;
}

/* One iteration of RefinementSearch (Fig. 3). */
static engine_status alpha_step(void *state, claim *out) {
  alpha *a = state;
  if (a->refused) return claim_give_up(out, a->refused);
  if (a->lists) return alpha_lists_step(a->lists, out);
  if (is_system_wanted(a->env)) return give_system(a, out);
  double start = clock_seconds();
  const char *reason = NULL;
  a->iteration++;
  exploration *s = explore_new(a);
  explore_free(a->last);
  a->last = s;
  if (a->paper) paper_start_iteration(a);
  begin_likely(a);
  explore_outcome outcome = explore_run(a, s, &reason);
  tell_likely(a);
  LOG(alpha, "iteration %llu: %zu abstract states, %zu edges, %zu predicates wanted%s%s",
      (unsigned long long)a->iteration, s->parents.count, s->edges.count, s->wanted.count,
      s->has_error ? ", an error" : "", reason ? ", stopped" : "");
  count(a, s);
  alpha_report_iteration(a, s, clock_seconds() - start);
  bool is_exact = outcome == EXPLORE_COMPLETE && !s->wanted.count;
  if (outcome == EXPLORE_COMPLETE && a->env->wants_tests && (is_exact || is_last_for_tests(a)))
    return give_tests(a, s, is_exact, out);
  if (s->has_error || (outcome == EXPLORE_COMPLETE && !s->wanted.count)) return conclude(a, s, out);
  if (alpha_find_broken_run(a, s, out)) return ENGINE_DONE;
  if (outcome == EXPLORE_STOPPED) return claim_give_up(out, reason);
  if (a->relaxed && closed_conclude(a, s, out)) return ENGINE_DONE;
  refine(a, s);
  report_predicates(a);
  return ENGINE_GOES_ON;
}

/* The paper's counts are those of its models as they stand. */
static bool alpha_wants_model_as_read(const options *o, const model *m, size_t property) {
  (void)m, (void)property;
  return o->account == ACCOUNT_PAPER;
}

const engine engine_alpha = {
    .name = "alpha",
    .title = "concrete search with abstract matching, refined from below",
    .paper = "Pasareanu, Pelanek, Visser: Predicate Abstraction with Under-approximation Refinement, LMCS 2007",
    .open = alpha_open,
    .step = alpha_step,
    .close = alpha_close,
    .uses_facts = true,
    .learn = alpha_learn,
    .restarts_with = exact_may_use,
    .wants_model_as_read = alpha_wants_model_as_read,
};
