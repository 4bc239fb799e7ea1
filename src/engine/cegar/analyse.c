/* CouAnal and AccCouAnal (Lakhnech, Bensalem, Berezin, Owre 2001, Figs. 3 and 5, with the errata of
 * docs/engines/cegar.md) and the refinement they give.
 *
 * X is the set of states at place i of the trace from which the rest of it can be run, without what the abstract state
 * says already: backwards, X' := pre(alpha^-1(s_i) and X), evaluated with the control and the predicates of s_(i-1) so
 * that only new atoms are left in it. If alpha^-1(s_(i-1)) and X' is empty, the trace is spurious and X is what the
 * abstraction should have known at i.
 *
 *   pre_of        pre of one action
 *   blocks        emptiness
 *   minimise      the literals of X that are needed
 *   analyse       the loop of Figs. 3 and 5 */
#include "engine/cegar/path.h"
#include "term/bounds.h"
#include "term/substitute.h"

typedef struct analysis {
  cegar_tools *t;
  const abstract_trace *trace;
  bool failed;
} analysis;

/* ---- abstract states as formulas ---- */

static void predicate_literals(const cegar_tools *t, const abstract_state *s, term_vector *out) {
  for (size_t i = 0; i < t->known; i++)
    VECTOR_PUSH(*out, s->predicates[i] ? t->predicates.at[i] : term_not(t->predicates.at[i]));
}

static term alpha(const cegar_tools *t, const abstract_state *s) {
  term_vector all = {0};
  predicate_literals(t, s, &all);
  term result = term_and_all(t->ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

term path_in_control(const cegar_tools *t, const abstract_state *s, term f) {
  substitution *by = substitution_new(t->ts);
  for (size_t i = 0; i < t->system->controls.count && !t->system->controls.at[i].is_input; i++) {
    const control *c = &t->system->controls.at[i];
    bool truth = variable_type(t->ts, c->var)->sort == SORT_BOOL;
    substitution_set(by, c->var, truth ? term_of_bool(s->controls[i] != 0) : term_int(t->ts, s->controls[i]));
  }
  term result = predicate_model_prepare(t->system, substitution_apply(by, f));
  substitution_free(by);
  return result;
}

static term evaluate_partly(const cegar_tools *t, const abstract_state *s, term f) {
  term_vector known = {0};
  predicate_literals(t, s, &known);
  term result = term_simplify_under(t->ts, path_in_control(t, s, f), known.count, known.at);
  VECTOR_FREE(known);
  return result;
}

term path_step_condition(const cegar_tools *t, const abstract_state *from, uint32_t action, const abstract_state *to) {
  const predicate_action *a = &t->system->actions.at[action];
  term result = term_and(t->ts, a->enabled, a->known);
  for (size_t i = 0; i < a->updates.count; i++) {
    const control_update *u = &a->updates.at[i];
    result = term_and(t->ts, result, u->when.at[to->controls[u->control] - t->system->controls.at[u->control].low]);
  }
  return path_in_control(t, from, result);
}

/* ---- inputs ---- */

/* exists inputs. f, simplified under the state's predicates. */
static term without_inputs(analysis *x, term f, const abstract_state *s) {
  cegar_tools *t = x->t;
  if (!predicate_model_without_inputs(t->system, t->sets, f, alpha(t, s), &f)) x->failed = true;
  return f;
}

/* ---- the steps of the analysis ---- */

/* pre of action i-1 (from state i-1 to i) of alpha(s_i) and goal, as far as state i-1 does not know it already. Over
 * data and inputs. */
static term pre_of(const analysis *x, size_t i, term goal) {
  const cegar_tools *t = x->t;
  const abstract_state *from = &x->trace->states.at[i - 1], *to = &x->trace->states.at[i];
  uint32_t action = x->trace->actions.at[i - 1];
  const predicate_action *a = &t->system->actions.at[action];
  term after = predicate_model_after(t->system, a, term_and(t->ts, alpha(t, to), goal));
  return evaluate_partly(t, from, term_and(t->ts, path_step_condition(t, from, action, to), after));
}

/* Whether no state that `s` stands for is in X. */
static bool blocks(analysis *x, const abstract_state *s, term set) {
  return answer_is_no(allsat_satisfiable(x->t->allsat, term_and(x->t->ts, alpha(x->t, s), set)));
}

static bool initial_blocks(analysis *x, term set) {
  const abstract_state *s = &x->trace->states.at[0];
  return blocks(x, s, term_and(x->t->ts, path_in_control(x->t, s, x->t->system->init), set));
}

/* Whether the trace cannot come into `set` at place i: no initial state is there, or no step leads there. */
static bool cannot_enter(analysis *x, size_t i, term set) {
  return i == 0 ? initial_blocks(x, set) : blocks(x, &x->trace->states.at[i - 1], pre_of(x, i, set));
}

/* ---- refinement ---- */

typedef VECTOR(term_vector) pieces;

static term pieces_term(const cegar_tools *t, const pieces *p) {
  term_vector all = {0};
  for (size_t i = 0; i < p->count; i++) VECTOR_PUSH(all, term_and_all(t->ts, p->at[i].count, p->at[i].at));
  term result = term_or_all(t->ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

static void pieces_of(const cegar_tools *t, term set, pieces *out) {
  term_vector disjuncts = {0};
  term_disjuncts(t->ts, set, &disjuncts);
  for (size_t i = 0; i < disjuncts.count; i++) {
    term_vector literals = {0};
    term_conjuncts(t->ts, disjuncts.at[i], &literals);
    VECTOR_PUSH(*out, literals);
  }
  VECTOR_FREE(disjuncts);
}

/* A larger set that still cannot be entered at place i: conjuncts are dropped one by one if that does not let the
 * trace in. */
static term minimise(analysis *x, size_t i, term set) {
  pieces p = {0};
  pieces_of(x->t, set, &p);
  for (size_t j = 0; j < p.count; j++) {
    for (size_t k = 0; k < p.at[j].count;) {
      term dropped = p.at[j].at[k];
      p.at[j].at[k] = TERM_TRUE;
      if (cannot_enter(x, i, pieces_term(x->t, &p))) {
        memmove(&p.at[j].at[k], &p.at[j].at[k + 1], (p.at[j].count - k - 1) * sizeof(term));
        p.at[j].count--;
      } else {
        p.at[j].at[k++] = dropped;
      }
    }
  }
  term result = pieces_term(x->t, &p);
  for (size_t j = 0; j < p.count; j++) VECTOR_FREE(p.at[j]);
  VECTOR_FREE(p);
  return result;
}

static analysis_end refine(analysis *x, size_t i, term set, bool all_atoms) {
  cegar_tools *t = x->t;
  if (!all_atoms) set = minimise(x, i, set);
  return first_predicates_add(t->system, t->allsat, set, &t->predicates) ? ANALYSIS_REFINED : ANALYSIS_STUCK;
}

/* ---- the loop ---- */

static const trace_loop *loop_ending_at(const loop_vector *loops, size_t i) {
  for (size_t k = 0; k < loops->count; k++)
    if (loops->at[k].to == i) return &loops->at[k];
  return NULL;
}

/* The last state: what makes it bad beyond what it says itself. */
static term start(analysis *x) {
  const abstract_state *last = &VECTOR_LAST(x->trace->states);
  return without_inputs(x, evaluate_partly(x->t, last, term_and(x->t->ts, x->t->system->bad, x->t->system->bad_known)),
                        last);
}

static analysis_end go_back(analysis *x, const loop_vector *loops, analysis_mode mode, bool all_atoms) {
  cegar_tools *t = x->t;
  size_t i = x->trace->actions.count;
  term set = start(x);
  if (x->failed) return ANALYSIS_FAILED;
  if (blocks(x, &x->trace->states.at[i], set)) return ANALYSIS_STUCK;
  for (;;) {
    const trace_loop *loop = loop_ending_at(loops, i);
    if (loop) {
      term goal = term_and(t->ts, alpha(t, &x->trace->states.at[i]), set);
      if (!loop_before(t, x->trace, loop, goal, mode == ANALYSE_CONGRUENCES, &set)) return ANALYSIS_FAILED;
      i = loop->from;
      if (blocks(x, &x->trace->states.at[i], set)) return refine(x, i, set, all_atoms);
    }
    if (cannot_enter(x, i, set))
      return mode == ANALYSE_AT_LOOPS && !loop ? ANALYSIS_STUCK : refine(x, i, set, all_atoms);
    if (i == 0) return ANALYSIS_PASSED;
    set = without_inputs(x, pre_of(x, i, set), &x->trace->states.at[i - 1]);
    if (x->failed) return ANALYSIS_FAILED;
    i--;
    if (budget_spent(t->env->budget)) return ANALYSIS_FAILED;
  }
}

analysis_end analyse(cegar_tools *t, const abstract_trace *trace, const loop_vector *loops, analysis_mode mode,
                     bool all_atoms) {
  analysis x = {.t = t, .trace = trace};
  return mode != ANALYSE_PLAIN && loops->count == 0 ? ANALYSIS_FAILED : go_back(&x, loops, mode, all_atoms);
}
