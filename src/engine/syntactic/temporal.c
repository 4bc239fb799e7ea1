/* Temporal properties over the program, and what they say of the model.
 *
 * Exact: what holds holds, what fails fails.
 *
 * Not exact: what holds of all runs of the program holds of those of the model. A run of the program that breaks the
 * property is looked for in the model. Else what the program reaches may be exact all the same (the paper's Theorem 3
 * speaks of such programs): then the checker of evidence accepts it as a quotient. Anything else is for a program with
 * more rounds. The runs of such a program and its fairness are made to contain the model's: a group counts as enabled
 * only if every state that the abstract one stands for has it enabled, and a state of which some may be stuck may
 * idle. */
#include "engine/concrete_run.h"
#include "engine/syntactic/listed.h"
#include "predicate/abstraction_system.h"
#include "proof/check/check.h"

/* How often a loop of the program is gone round to find one of the model; how many states are worth asking whether they
 * are exact. */
enum { MOST_ROUNDS = 4, MOST_TO_TRY = 2000 };

typedef struct asking {
  syntactic *s;
  checked_program *p;
  const property *property; /* of the model */
  abstraction_system *view;
  temporal_checker *checker;
  temporal_question question;
  bool exact;    /* the program is bisimilar to the model, or looked at as if it were */
  uint32_t idle; /* the action of idling in addition to other steps; UINT32_MAX: none */
} asking;

static obdd read_states(void *context, term t) {
  asking *x = context;
  return abstraction_states(x->p->diagrams, t);
}

/* ---- what is enabled ---- */

static obdd has_step(asking *x, uint32_t action) {
  const finite_system *f = &x->view->system;
  return obdd_exists(f->diagrams, f->actions.at[action].relation, obdd_cube(f->diagrams, f->bits, f->next));
}

/* Abstract states such that every state they stand for can take the transition. A guard without inputs is decided by
 * predicates and control. */
static obdd surely_enabled(asking *x, uint32_t action) {
  uint32_t transition = x->p->system->actions.at[action].transition;
  const program_action *a = &x->p->program->actions.at[transition];
  const model *m = x->p->program->model;
  if (x->exact) return has_step(x, action);
  term guard = term_and_all(m->terms, a->own, a->guard.at);
  variable_vector all = {0};
  term_variables(m->terms, 1, &guard, &all);
  bool of_state = true;
  for (size_t i = 0; i < all.count; i++) of_state &= model_is_state_variable(m, all.at[i]);
  VECTOR_FREE(all);
  return of_state ? abstraction_states(x->p->diagrams, guard) : OBDD_FALSE;
}

static void add_idling(asking *x) {
  finite_system *f = &x->view->system;
  obdd moves = OBDD_FALSE;
  x->idle = UINT32_MAX;
  if (x->exact) return;
  for (uint32_t i = 0; i < f->actions.count; i++) moves = obdd_or(f->diagrams, moves, surely_enabled(x, i));
  x->idle = (uint32_t)f->actions.count;
  VECTOR_PUSH(f->actions, (finite_action){"idle", obdd_minus(f->diagrams, abstraction_staying(x->p->diagrams), moves)});
}

/* Who may be stuck need not have been there by a step: that only finitely many steps end there is not broken by it. */
static void leave_out_idling(asking *x, finite_fairness *f) {
  obdds *d = x->view->system.diagrams;
  if (x->exact) return;
  obdd idling = has_step(x, x->idle);
  for (size_t i = 0; i < f->cases.count; i++)
    for (size_t j = 0; j < f->cases.at[i].count; j++) {
      finite_fair_clause *k = &f->cases.at[i].at[j];
      k->wanted_by_steps = obdd_minus(d, k->wanted_by_steps, idling);
    }
}

static void add_fairness(asking *x) {
  finite_system *f = &x->view->system;
  const model *m = x->p->program->model;
  for (size_t i = 0; i < m->fairness.count; i++) {
    const fairness *from = &m->fairness.at[i];
    finite_fairness made = {.kind = from->kind, .enabled = OBDD_FALSE, .state = OBDD_FALSE};
    if (from->kind == FAIR_FORMULA) {
      bool fits = finite_fairness_of(f->diagrams, from->formula, read_states, x, &made);
      REQUIRE(fits, "as many cases as a model may have");
      leave_out_idling(x, &made);
    }
    if (from->kind == FAIR_STATE) made.state = abstraction_states(x->p->diagrams, from->state);
    for (uint32_t a = 0; a < x->p->system->actions.count; a++) {
      bool member = false;
      for (size_t j = 0; j < from->transitions.count; j++)
        member |= from->transitions.at[j] == x->p->system->actions.at[a].transition;
      if (!member) continue;
      VECTOR_PUSH(made.group, a);
      made.enabled = obdd_or(f->diagrams, made.enabled, surely_enabled(x, a));
    }
    VECTOR_PUSH(f->fairness, made);
  }
}

/* ---- runs of the model ---- */

typedef struct path {
  VECTOR(uint32_t) transitions;
  term_vector where;
  size_t loop; /* RUN_HAS_NO_LOOP: none */
  bool idles;  /* it ends in a state without steps */
} path;

static void path_free(path *p) {
  VECTOR_FREE(p->transitions);
  VECTOR_FREE(p->where);
}

static term place_of(const asking *x, const finite_branch *b, size_t position) {
  size_t bits = x->view->system.bits;
  return finite_program_unmap(x->p->program, abstraction_state_term(x->p->diagrams, b->states.at + position * bits));
}

static bool is_idle(const asking *x, uint32_t action) { return action == TEMPORAL_IDLE || action == x->idle; }

/* The way of the program, its loop gone round `rounds` times. Nothing happens after idling but idling. */
static path path_of(const asking *x, const finite_branch *b, size_t rounds) {
  path p = {.loop = b->loop == TEMPORAL_NO_LOOP ? RUN_HAS_NO_LOOP : b->loop};
  size_t length = b->actions.count, round = b->loop == TEMPORAL_NO_LOOP ? 0 : length - b->loop;
  VECTOR_PUSH(p.where, place_of(x, b, 0));
  for (size_t i = 0; i < length + (round ? (rounds - 1) * round : 0) && !p.idles; i++) {
    size_t at = i < length ? i : b->loop + (i - b->loop) % round;
    p.idles = is_idle(x, b->actions.at[at]);
    if (p.idles) break;
    VECTOR_PUSH(p.transitions, x->p->system->actions.at[b->actions.at[at]].transition);
    VECTOR_PUSH(p.where, place_of(x, b, at + 1));
  }
  if (p.idles) p.loop = RUN_HAS_NO_LOOP;
  return p;
}

/* No transition can be taken: over the state if inputs can be eliminated, else nothing is said. */
static term stuck(const asking *x) {
  const syntactic *s = x->s;
  term_vector all = {0};
  for (size_t i = 0; i < s->env->model->transitions.count; i++) {
    term can;
    if (closure_without_inputs(s->system, s->sets, transition_enabled(s->env->model, &s->env->model->transitions.at[i]),
                               &can))
      VECTOR_PUSH(all, term_not(can));
  }
  term result = term_and_all(s->ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

static bool follow(const asking *x, const path *p, bool close, evidence *out) {
  concrete_run q = {.model = x->s->env->model,
                    .solver = x->s->solver,
                    .count = p->transitions.count,
                    .transitions = p->transitions.at,
                    .where = p->where.at,
                    .loop = close ? p->loop : RUN_HAS_NO_LOOP,
                    .at_end = p->idles && close ? stuck(x) : TERM_TRUE,
                    .end = RUN_ENDS_WITHOUT_INPUTS};
  return answer_is_yes(concrete_run_find(&q, out));
}

static bool is_accepted(const syntactic *s, const evidence *e) {
  check_result r = check_evidence(s->env->model, s->env->property, e, s->env->budget, NULL);
  memory_free(r.what);
  return r.kind == CHECK_ACCEPTED;
}

/* A run of the model along the branch, with its loop. */
static bool find_run(const asking *x, const finite_branch *b, evidence *out) {
  bool found = false;
  for (size_t rounds = 1; rounds <= MOST_ROUNDS && !found && !budget_spent(x->s->env->budget); rounds++) {
    path p = path_of(x, b, rounds);
    found = follow(x, &p, true, out);
    if (found) {
      out->kind = EVIDENCE_TRACE;
      out->has_loop = p.idles || p.loop != RUN_HAS_NO_LOOP;
      out->loop = p.idles ? p.transitions.count : p.loop;
    }
    bool again = p.loop != RUN_HAS_NO_LOOP;
    path_free(&p);
    if (!again) break;
  }
  return found;
}

/* ---- conclusions ---- */

static engine_status claim_quotient(asking *x, bool fails, claim *out) {
  const char *trouble = listed_quotient(x->s, x->p->program, &out->evidence);
  if (trouble) {
    evidence_clear(&out->evidence);
    return claim_give_up(out, trouble);
  }
  out->evidence.quotient.is_exact = x->exact;
  out->evidence.quotient.fails = fails;
  out->verdict = fails ? VERDICT_FAILS : VERDICT_HOLDS;
  return ENGINE_DONE;
}

/* Nothing is known yet: another round, unless -K says how many there are. */
static engine_status go_on(const asking *x, const char *why, claim *out) {
  if (!x->s->env->options->closure) return ENGINE_GOES_ON;
  char *reason = text_format("%s, and the abstract program after %zu rounds is not exact (%s); raise -K", why,
                             x->p->program->closure->rounds, x->p->program->inexact);
  engine_status status = claim_give_up(out, reason);
  memory_free(reason);
  return status;
}

static engine_status conclude_holds(asking *x, claim *out) {
  if (x->exact || temporal_is_universal(x->property->formula)) return claim_quotient(x, false, out);
  return go_on(x, "the property holds of the abstract program, but says more than what all runs do", out);
}

/* The run of the program that the quotient is about, as far as it goes. */
static void show_run(asking *x, const finite_branch *b, claim *out) {
  path p = path_of(x, b, 1);
  follow(x, &p, false, &out->evidence);
  path_free(&p);
}

/* If the program is not exact a run that is fair in it need not be fair in the model, which has more enabled. */
static bool is_broken_by_run(const asking *x, const finite_branch *b, evidence *out) {
  if (!find_run(x, b, out)) return false;
  if (x->exact || is_accepted(x->s, out)) return true;
  evidence_clear(out);
  return false;
}

static engine_status conclude_fails(asking *x, claim *out) {
  finite_witness w = {0};
  bool shown = temporal_counterexample(x->checker, &x->question, &w);
  engine_status status = ENGINE_DONE;
  if (shown && w.count == 1 && !w.is_partial && is_broken_by_run(x, &w.at[0], &out->evidence))
    out->verdict = VERDICT_FAILS;
  else if (!x->exact)
    status =
        go_on(x, "no run of the model was found that breaks the property as one of the abstract program does", out);
  else if ((status = claim_quotient(x, true, out)) == ENGINE_DONE && out->verdict == VERDICT_FAILS && shown)
    show_run(x, &w.at[0], out);
  finite_witness_clear(&w);
  return status;
}

static void note_deadlocks(asking *x) {
  double stuck = abstraction_count(x->p->diagrams, temporal_deadlocks(x->checker));
  if (stuck > 0)
    events_note(x->s->env->events,
                "%.0f of the states of the abstract program have no step: runs that come to one idle there for ever",
                stuck);
}

static engine_status ask(asking *x, claim *out) {
  temporal_result r = temporal_check(x->checker, &x->question);
  if (answer_is_unsure(r.holds)) return claim_give_up(out, r.holds.reason);
  x->s->env->statistics->abstract_states = (uint64_t)abstraction_count(x->p->diagrams, temporal_reachable(x->checker));
  note_deadlocks(x);
  return answer_is_yes(r.holds) ? conclude_holds(x, out) : conclude_fails(x, out);
}

static engine_status look(syntactic *s, checked_program *p, bool exact, claim *out) {
  asking x = {.s = s,
              .p = p,
              .property = &s->env->model->properties.at[s->env->property],
              .view = abstraction_system_new(p->diagrams),
              .exact = exact};
  add_idling(&x);
  add_fairness(&x);
  x.checker = temporal_checker_new(&x.view->system, s->env->budget);
  x.question = (temporal_question){x.property->kind, finite_program_map_temporal(p->program, x.property->formula),
                                   read_states, &x};
  engine_status status = ask(&x, out);
  temporal_checker_free(x.checker);
  abstraction_system_free(x.view);
  return status;
}

/* What the program reaches, taken for exact: right if the checker of evidence accepts it. False if nothing came
 * of it. */
static bool is_exact_where_reached(syntactic *s, checked_program *p, claim *out) {
  claim tried = {0};
  bool decided = s->env->statistics->abstract_states <= MOST_TO_TRY && look(s, p, true, &tried) == ENGINE_DONE &&
                 tried.verdict != VERDICT_UNKNOWN;
  if (decided && is_accepted(s, &tried.evidence)) {
    claim_clear(out);
    *out = tried;
    return true;
  }
  claim_clear(&tried);
  return false;
}

engine_status syntactic_check_temporal(syntactic *s, checked_program *p, claim *out) {
  const char *trouble = abstraction_trouble(p->diagrams);
  if (!trouble && abstraction_is_implicit(p->diagrams))
    trouble = "the decision diagrams of the abstract program become too large";
  if (trouble) return claim_give_up(out, trouble);
  engine_status status = look(s, p, p->program->exact, out);
  bool undecided = status == ENGINE_GOES_ON || out->verdict == VERDICT_UNKNOWN;
  if (undecided && !p->program->exact && is_exact_where_reached(s, p, out)) status = ENGINE_DONE;
  return status;
}
