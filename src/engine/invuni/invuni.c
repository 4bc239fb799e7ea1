/* The deductive rule Inv-Uni (Lakhnech, Bensalem, Berezin, Owre 2001, section 3): an abstraction that need not prove
 * the property helps to.
 *
 *   Q    the reached abstract states of the first abstraction, as a formula (bdd2f). It simulates the system relative to
 *        P: no step is taken from states without P, so Q is kept by steps from states with P, and need not be by others
 *   P    the property;  P'  the lemmas, strengthened round by round with wp_a(P and P') of the actions a that fail
 *   the rule: init implies P and P'; Q and P and P' implies wp_a(P and P') for every action a. Then Q and P and P' is
 * an invariant, also if Q alone is not. */
#include "base/escape.h"
#include "engine/by_place.h"
#include "engine/engine.h"
#include "model/transform.h"
#include "predicate/first_predicates.h"
#include "term/bounds.h"
#include "term/print.h"

/* An abstraction of more states, if these are searched one by one, is not worth its time: the rule also works
 * without. */
enum { MOST_STATES = 20000 };

typedef struct invuni {
  engine_environment *env;
  terms *ts;
  solver *solver;
  presburger *sets;
  predicate_model *system;
  allsat *allsat;
  term_vector predicates;
  abstraction *abstraction; /* NULL without abstraction */
  term q, p, also;          /* Q with the facts, P, P' */
  bool uses_lemmas;         /* P' began with some */
  uint64_t rounds, questions;
} invuni;

static void *invuni_open(engine_environment *env) {
  invuni *e = MEMORY_NEW(invuni);
  e->env = env;
  e->ts = env->model->terms;
  return e;
}

static void invuni_close(void *state) {
  invuni *e = state;
  abstraction_free(e->abstraction);
  allsat_free(e->allsat);
  predicate_model_free(e->system);
  presburger_free(e->sets);
  solver_free(e->solver);
  VECTOR_FREE(e->predicates);
  memory_free(e);
}

static engine_status give_up_with(claim *out, TAKE char *reason) {
  claim_give_up(out, reason);
  memory_free(reason);
  return ENGINE_DONE;
}

/* ---- the start: Q, P, P' ---- */

static GIVE char *build_abstraction(invuni *e) {
  allsat_assume(e->allsat, e->system->facts);
  predicate_model_relative_to(e->system, e->p);
  seeds_choice choice = {.depth = e->env->options->wp_depth, .no_guards = e->env->options->no_guards};
  first_predicates_initial(e->system, e->allsat, choice, &e->predicates);
  e->abstraction = abstraction_new(
      e->system, e->allsat, e->env->budget, e->predicates.count, e->predicates.at,
      (abstraction_limits){.nodes = ABSTRACTION_NODES, .work = ABSTRACTION_WORK, .states = MOST_STATES});
  bool is_built = !abstraction_trouble(e->abstraction) && abstraction_reach(e->abstraction, true) != REACH_TROUBLE;
  term reached = is_built ? abstraction_reached_term(e->abstraction) : TERM_TRUE;
  if (abstraction_trouble(e->abstraction)) {
    const char *spent = budget_spent(e->env->budget);
    if (spent) return memory_copy_string(spent);
    events_note(e->env->events, "no abstract states are used: %s", abstraction_trouble(e->abstraction));
    abstraction_free(e->abstraction);
    e->abstraction = NULL;
    return NULL;
  }
  e->env->statistics->predicates = e->predicates.count;
  e->env->statistics->abstract_states = (uint64_t)abstraction_reached(e->abstraction);
  e->q = term_and(e->ts, e->q, reached);
  for (size_t i = 0; i < e->predicates.count; i++) events_predicate(e->env->events, e->ts, e->predicates.at[i]);
  return NULL;
}

static answer holds_at_first(invuni *e, term t) {
  e->questions++;
  answer breaks = solver_satisfiable(e->solver, term_and(e->ts, e->env->model->init, term_not(t)));
  return answer_is_yes(breaks) ? answer_no() : answer_is_no(breaks) ? answer_yes() : breaks;
}

/* P' is made of the lemmas that initial states do not break. */
static void take_lemmas(invuni *e) {
  const term_vector *lemmas = &e->env->model->lemmas;
  if (answer_is_yes(holds_at_first(e, term_and_all(e->ts, lemmas->count, lemmas->at)))) {
    e->also = term_and_all(e->ts, lemmas->count, lemmas->at);
    e->uses_lemmas = lemmas->count > 0;
    return;
  }
  e->also = TERM_TRUE;
  for (size_t i = 0; i < lemmas->count; i++) {
    if (answer_is_yes(holds_at_first(e, lemmas->at[i]))) {
      e->also = term_and(e->ts, e->also, lemmas->at[i]);
      e->uses_lemmas = true;
      continue;
    }
    char *shown = term_string(e->ts, lemmas->at[i]);
    events_note(e->env->events, "a lemma does not hold initially and is not used: %s", shown);
    memory_free(shown);
  }
}

static GIVE char *start(invuni *e) {
  const model *m = e->env->model;
  e->solver = solver_new(e->ts, e->env->budget);
  e->sets = presburger_new(e->ts, 0);
  e->system = predicate_model_new(m, e->env->property, e->sets);
  e->allsat = allsat_new(e->ts, e->sets, e->solver, e->env->budget);
  if (e->system->trouble) return memory_copy_string(e->system->trouble);
  for (size_t i = 0; i < e->env->facts.count; i++) predicate_model_add_proved(e->system, e->env->facts.at[i]);
  e->env->used_facts = e->env->facts.count > 0;
  e->q = term_and(e->ts, e->system->facts, e->system->proved);
  term bad = e->system->bad;
  if (!predicate_model_without_inputs(e->system, e->sets, bad, TERM_TRUE, &bad))
    return memory_copy_string("inputs in the property cannot be eliminated");
  e->p = term_not(bad);
  if (m->lemmas.count)
    take_lemmas(e);
  else
    e->also = TERM_TRUE;
  return e->env->options->no_abstraction ? NULL : build_abstraction(e);
}

/* ---- the rule ---- */

/* Which actions do not preserve P and P'; unsure is a reason to give up. */
static const char *failing_actions(invuni *e, bool *fails, size_t *count) {
  const model *m = e->env->model;
  const char *unsure = NULL;
  term goal = term_and(e->ts, e->p, e->also);
  *count = 0;
  solver_push(e->solver);
  solver_assert(e->solver, e->q);
  solver_assert(e->solver, goal);
  for (size_t i = 0; i < m->transitions.count && !unsure; i++) {
    e->questions++;
    answer breaks = solver_satisfiable(e->solver, term_not(transform_wp(m, &m->transitions.at[i], goal)));
    if (answer_is_unsure(breaks)) unsure = breaks.reason;
    fails[i] = !answer_is_no(breaks);
    *count += fails[i];
  }
  solver_pop(e->solver);
  return unsure;
}

static GIVE char *names_of(const invuni *e, const bool *fails) {
  text t = {0};
  const char *between = "not preserved by ";
  for (size_t i = 0; i < e->env->model->transitions.count; i++) {
    if (!fails[i]) continue;
    text_add(&t, "%s%s", between, e->env->model->transitions.at[i].name);
    between = ", ";
  }
  return text_give(&t);
}

/* P' := P' and wp_a(P and P') for the actions that fail. */
static bool strengthen(invuni *e, const bool *fails) {
  const model *m = e->env->model;
  term goal = term_and(e->ts, e->p, e->also);
  for (size_t i = 0; i < m->transitions.count; i++) {
    if (!fails[i]) continue;
    term breaks = term_simplify_in_types(e->ts, term_not(transform_wp(m, &m->transitions.at[i], goal)));
    if (!predicate_model_without_inputs(e->system, e->sets, breaks, TERM_TRUE, &breaks)) return false;
    e->also = term_and(e->ts, e->also, term_not(breaks));
  }
  return true;
}

static engine_status claim_safe(invuni *e, claim *out) {
  term also = term_and(e->ts, e->p, e->also);
  out->verdict = VERDICT_SAFE;
  if (!e->abstraction) {
    out->evidence.kind = EVIDENCE_INVARIANT;
    evidence_add_part(e->ts, &out->evidence, term_and(e->ts, e->system->facts, also));
  } else if (!by_place_invariant(e->system, e->abstraction, also, &out->evidence)) {
    return claim_give_up(out, abstraction_trouble(e->abstraction));
  }
  return ENGINE_DONE;
}

static void report(invuni *e, const bool *fails, size_t count) {
  text iteration = {0};
  json_writer w = json_object_to(&iteration);
  json_field_count(&w, "round", e->rounds);
  json_field_count(&w, "queries", e->questions);
  json_field_array(&w, "failing");
  for (size_t i = 0; i < e->env->model->transitions.count && count; i++)
    if (fails[i]) json_add_string(&w, e->env->model->transitions.at[i].name);
  json_end_array(&w);
  events_iteration(e->env->events, &w);
}

/* An initial state breaks P and P' within so many steps as there were rounds. It may be the lemmas that are broken: the rule
 * is tried without them, and then it is the property. */
static engine_status after_break(invuni *e, claim *out) {
  if (!e->uses_lemmas)
    return give_up_with(
        out, text_format("an initial state breaks the property within %llu steps", (unsigned long long)e->rounds));
  events_note(e->env->events,
              "an initial state breaks the property or a lemma within %llu steps: again, without lemmas",
              (unsigned long long)e->rounds);
  e->uses_lemmas = false;
  e->also = TERM_TRUE;
  e->rounds = 0;
  return ENGINE_GOES_ON;
}

/* One round. */
static engine_status apply_rule(invuni *e, bool *fails, claim *out) {
  size_t count;
  answer first = holds_at_first(e, term_and(e->ts, e->p, e->also));
  if (answer_is_unsure(first)) return claim_give_up(out, first.reason);
  if (answer_is_no(first)) return after_break(e, out);
  const char *unsure = failing_actions(e, fails, &count);
  if (unsure) return claim_give_up(out, unsure);
  report(e, fails, count);
  if (count == 0) return claim_safe(e, out);
  if (e->rounds >= e->env->options->strengthen) return give_up_with(out, names_of(e, fails));
  if (!strengthen(e, fails)) return claim_give_up(out, "inputs of a transition cannot be eliminated");
  e->rounds++;
  return ENGINE_GOES_ON;
}

static engine_status invuni_step(void *state, claim *out) {
  invuni *e = state;
  if (!e->solver) {
    char *trouble = start(e);
    if (trouble) return give_up_with(out, trouble);
  }
  bool *fails = MEMORY_ARRAY(bool, e->env->model->transitions.count + 1);
  engine_status status = apply_rule(e, fails, out);
  memory_free(fails);
  statistics *s = e->env->statistics;
  s->iterations++;
  s->refinements = e->rounds;
  allsat_statistics a = allsat_statistics_of(e->allsat);
  s->answered_sets = a.by_sets;
  s->answered_difference = a.by_differences;
  s->answered_witness = a.by_points;
  s->cache_hits = a.by_conflicts;
  s->answered_solver = solver_statistics_of(e->solver)->checks + a.by_own_solver;
  s->queries = s->answered_solver + s->answered_sets + s->answered_difference + s->answered_witness + s->cache_hits;
  return status;
}

const engine engine_invuni = {
    .name = "invuni",
    .title = "the rule Inv-Uni: abstract states and lemmas in a deductive proof, strengthened automatically",
    .paper = "Lakhnech, Bensalem, Berezin, Owre: Incremental Verification by Abstraction (TACAS 2001)",
    .limits = ENGINE_NO_HEAP | ENGINE_NO_TEMPORAL,
    .open = invuni_open,
    .step = invuni_step,
    .close = invuni_close,
    .uses_facts = true,
};
