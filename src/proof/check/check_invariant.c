/* The obligations of an inductive invariant (check.h), part by part and transition by transition.
 *
 * - initial, initial types: check_initial.
 * - types preserved: check_types_preserved, once a transition without the invariant; if that fails, with it.
 * - preserved: check_preserved: what the known values leave of the guard; the parts that can be reached; of those, what
 *   the facts on the left leave open; a query for the rest.
 * - excludes: check_excludes.
 *
 * Thousands of parts times tens of transitions are common, so what comparing constants and literals can settle costs no
 * query. Everything else is one query each, to a solver that assumes nothing. */
#include "base/instruments/log.h"
#include "proof/check/by_cases.h"
#include "proof/check/checkers.h"
#include "proof/check/invariant_index.h"
#include "proof/check/literal_facts.h"
#include "proof/check/number_tuples.h"
#include "proof/check/partial_evaluation.h"
#include "proof/type_and_input_conditions.h"

typedef enum obligation_kind { INITIAL, INITIAL_TYPES, PRESERVED, TYPES_PRESERVED, EXCLUDES } obligation_kind;

static const size_t nothing = SIZE_MAX;

typedef struct obligation {
  obligation_kind kind;
  size_t part, transition; /* `nothing` if it is about none */
} obligation;

/* A transition, prepared. */
typedef struct plan {
  move *move;
  term input_types, types_after;
  bool keeps_types;      /* shown for all states within the types */
  partial *fault;        /* PROPERTY_NO_FAULT, if it has faults */
  partial *can_be_taken; /* PROPERTY_DEADLOCKFREE */
  bool exact;            /* `can_be_taken` is no mere under-approximation */
} plan;

typedef struct checking {
  const model *model;
  const property *property;
  terms *ts;
  questions *questions;
  term types;
  bool types_are_assumed, types_are_asserted;
  parts *parts;
  substitution *shared;
  VECTOR(plan) plans;
  partial *bad; /* PROPERTY_SAFE */
  facts *type_facts, *part_facts, *step_facts;
  number *known, *after; /* what the part at hand fixes; the same after the step at hand */
  index_vector reached;
  term_vector rest, alternatives;
  size_t part;
  bool part_is_asserted;
  check_result *result;
} checking;

/* ---- results ---- */

static char *obligation_name(const checking *c, obligation o) {
  text name = {0};
  const char *by = o.transition == nothing ? "" : c->model->transitions.at[o.transition].name;
  switch (o.kind) {
    case INITIAL: text_add(&name, "initial"); break;
    case INITIAL_TYPES: text_add(&name, "initial types"); break;
    case PRESERVED: text_add(&name, "preserved by %s", by); break;
    case TYPES_PRESERVED: text_add(&name, "types preserved by %s", by); break;
    case EXCLUDES:
      if (c->property->kind == PROPERTY_NO_FAULT)
        text_add(&name, "excludes faults of %s", by);
      else
        text_add(&name, "excludes %s", c->property->kind == PROPERTY_DEADLOCKFREE ? "deadlock" : "bad states");
      break;
  }
  if (o.part != nothing) text_add(&name, " %s part %zu", o.kind == EXCLUDES ? "in" : "from", o.part + 1);
  return text_give(&name);
}

/* The check ends here; false, for the caller to return. */
static bool end_with(checking *c, check_kind kind, obligation o, const char *reason) {
  char *name = obligation_name(c, o);
  c->result->kind = kind;
  c->result->what = reason ? text_format("%s: %s", name, reason) : memory_copy_string(name);
  memory_free(name);
  return false;
}

static bool discharged(checking *c) {
  c->result->obligations++;
  return true;
}

static bool within_budget(checking *c) {
  const char *reason = budget_spent(c->questions->budget);
  if (!reason) return true;
  c->result->kind = CHECK_UNSURE;
  c->result->what = memory_copy_string(reason);
  return false;
}

/* ---- queries ---- */

static void assert_types(checking *c, solver *s) {
  if (c->types_are_asserted || !c->types_are_assumed) return;
  solver_assert(s, c->types);
  c->types_are_asserted = true;
}

static void assert_part(checking *c, solver *s) {
  if (c->part_is_asserted) return;
  const part *p = invariant_index_at(c->parts, c->part);
  solver_push(s);
  for (size_t i = 0; i < p->fixed.count; i++)
    solver_assert(s, fixed_term(c->ts, p->fixed.at[i].var, p->fixed.at[i].value));
  for (size_t i = 0; i < p->conjuncts.count; i++) solver_assert(s, p->conjuncts.at[i]);
  c->part_is_asserted = true;
}

/* Do these formulas have a model, together with the part at hand (if the obligation is about one)? */
static answer ask(checking *c, obligation o, size_t count, const term *formulas) {
  solver *s = questions_solver(c->questions);
  assert_types(c, s);
  if (o.part != nothing) assert_part(c, s);
  return by_cases_satisfiable(c->ts, s, count, formulas, &c->result->queries);
}

static void log_obligation(const checking *c, obligation o, answer a) {
  if (!log_hears(LOG_check)) return;
  char *name = obligation_name(c, o);
  LOG(check, "%s: %s", name, answer_is_no(a) ? "holds" : answer_is_yes(a) ? "fails" : a.reason);
  memory_free(name);
}

/* `formulas` say that the obligation fails. */
static bool refute(checking *c, obligation o, size_t count, const term *formulas) {
  answer a = ask(c, o, count, formulas);
  log_obligation(c, o, a);
  if (answer_is_no(a)) return discharged(c);
  if (answer_is_yes(a)) return end_with(c, CHECK_REJECTED, o, NULL);
  return end_with(c, CHECK_UNSURE, o, a.reason);
}

/* ---- the right side ---- */

/* Adds what is open of `t` after the step to `c->rest`; false if the facts rule it out. */
static bool add_rest(checking *c, move *by, term t) {
  term after = by ? move_after(by, t) : t;
  decision d = literal_facts_decide(c->step_facts, after);
  if (d == UNDECIDED) VECTOR_PUSH(c->rest, after);
  return d != DECIDED_FALSE;
}

/* What is open of part `p` holding after the step. */
static term rest_of_part(checking *c, move *by, const part *p) {
  VECTOR_CLEAR(c->rest);
  for (size_t i = 0; i < p->fixed.count; i++) {
    fixed_value f = p->fixed.at[i];
    number after = c->after[f.var.x];
    if (number_is_known(after)) {
      if (!number_equal(after, f.value)) return TERM_FALSE;
    } else if (!add_rest(c, by, fixed_term(c->ts, f.var, f.value))) {
      return TERM_FALSE;
    }
  }
  for (size_t i = 0; i < p->conjuncts.count; i++)
    if (!add_rest(c, by, p->conjuncts.at[i])) return TERM_FALSE;
  return term_and_all(c->ts, c->rest.count, c->rest.at);
}

/* The invariant after the step, as far as the facts leave it open. */
static term right_side(checking *c, move *by) {
  invariant_index_matching(c->parts, c->after, &c->reached);
  VECTOR_CLEAR(c->alternatives);
  for (size_t i = 0; i < c->reached.count; i++) {
    term rest = rest_of_part(c, by, invariant_index_at(c->parts, c->reached.at[i]));
    if (term_is_true(rest)) return TERM_TRUE;
    if (!term_is_false(rest)) VECTOR_PUSH(c->alternatives, rest);
  }
  return term_or_all(c->ts, c->alternatives.count, c->alternatives.at);
}

/* ---- initial ---- */

static void know(checking *c, fixed_value f) { c->known[f.var.x] = c->after[f.var.x] = f.value; }
static void know_not(checking *c, fixed_value f) { c->known[f.var.x] = c->after[f.var.x] = number_unknown; }

/* What init fixes is known (`yes`), or forgotten again. */
static void know_initial(checking *c, bool yes) {
  term_vector conjuncts = {0};
  term_conjuncts(c->ts, c->model->init, &conjuncts);
  for (size_t i = 0; i < conjuncts.count; i++) {
    fixed_value f;
    if (!fixed_of_literal(c->ts, conjuncts.at[i], &f)) continue;
    if (yes)
      know(c, f);
    else
      know_not(c, f);
  }
  VECTOR_FREE(conjuncts);
}

static bool check_initial(checking *c) {
  term init = c->model->init, types = c->types;
  literal_facts_add(c->step_facts, init);
  know_initial(c, true);
  term right = right_side(c, NULL);
  know_initial(c, false);
  bool types_hold = literal_facts_decide(c->step_facts, types) == DECIDED_TRUE;
  literal_facts_clear(c->step_facts);
  if (!(term_is_true(right) ? discharged(c)
                            : refute(c, (obligation){INITIAL, nothing, nothing}, 2, (term[]){init, term_not(right)})))
    return false;
  if (types_hold) return discharged(c);
  return refute(c, (obligation){INITIAL_TYPES, nothing, nothing}, 2, (term[]){init, term_not(types)});
}

/* ---- steps ---- */

/* Once a transition, for all states within the types. If that cannot be shown, each part must help. */
static bool check_types_preserved(checking *c) {
  for (size_t i = 0; i < c->plans.count; i++) {
    if (!within_budget(c)) return false;
    plan *p = &c->plans.at[i];
    p->keeps_types = term_is_true(p->types_after);
    if (!p->keeps_types) {
      term enabled = transition_enabled(c->model, &c->model->transitions.at[i]);
      obligation o = {TYPES_PRESERVED, nothing, i};
      p->keeps_types = answer_is_no(ask(c, o, 3, (term[]){p->input_types, enabled, term_not(p->types_after)}));
    }
    if (p->keeps_types) discharged(c);
  }
  return true;
}

static bool check_step(checking *c, size_t transition, term enabled) {
  plan *p = &c->plans.at[transition];
  literal_facts_clear(c->step_facts);
  literal_facts_add(c->step_facts, enabled);
  literal_facts_add(c->step_facts, p->input_types);
  if (!p->keeps_types && !refute(c, (obligation){TYPES_PRESERVED, c->part, transition}, 3,
                                 (term[]){p->input_types, enabled, term_not(p->types_after)}))
    return false;
  move_known_after(p->move, c->after);
  term right = right_side(c, p->move);
  move_restore(p->move, c->after);
  if (term_is_true(right)) return discharged(c);
  return refute(c, (obligation){PRESERVED, c->part, transition}, 3, (term[]){p->input_types, enabled, term_not(right)});
}

static bool check_preserved(checking *c) {
  for (size_t i = 0; i < c->plans.count; i++) {
    if (!within_budget(c)) return false;
    move *by = c->plans.at[i].move;
    term enabled = move_enter(by, c->known) ? move_enabled(by) : TERM_FALSE;
    bool possible = literal_facts_decide(c->part_facts, enabled) != DECIDED_FALSE;
    if (!(possible ? check_step(c, i, enabled) : discharged(c))) return false;
  }
  return true;
}

/* ---- excludes ---- */

static bool check_bad(checking *c) {
  term bad = partial_evaluation_value(c->bad, c->known);
  if (literal_facts_decide(c->part_facts, bad) == DECIDED_FALSE) return discharged(c);
  return refute(c, (obligation){EXCLUDES, c->part, nothing}, 1, &bad);
}

static bool check_faults(checking *c) {
  for (size_t i = 0; i < c->plans.count; i++) {
    plan *p = &c->plans.at[i];
    term fault = p->fault ? partial_evaluation_value(p->fault, c->known) : TERM_FALSE;
    if (literal_facts_decide(c->part_facts, fault) == DECIDED_FALSE)
      discharged(c);
    else if (!refute(c, (obligation){EXCLUDES, c->part, i}, 2, (term[]){p->input_types, fault}))
      return false;
  }
  return true;
}

static bool check_deadlock(checking *c) {
  obligation o = {EXCLUDES, c->part, nothing};
  const char *inexact = NULL;
  VECTOR_CLEAR(c->rest);
  for (size_t i = 0; i < c->plans.count; i++) {
    plan *p = &c->plans.at[i];
    term can = partial_evaluation_value(p->can_be_taken, c->known);
    decision d = literal_facts_decide(c->part_facts, can);
    if (d == DECIDED_TRUE) return discharged(c);
    if (!p->exact) inexact = c->model->transitions.at[i].name;
    if (d == UNDECIDED) VECTOR_PUSH(c->rest, term_not(can));
  }
  answer a = ask(c, o, c->rest.count, c->rest.at);
  if (answer_is_no(a)) return discharged(c);
  if (answer_is_unsure(a)) return end_with(c, CHECK_UNSURE, o, a.reason);
  if (!inexact) return end_with(c, CHECK_REJECTED, o, NULL);
  char *reason = text_format("the inputs of %s could not be eliminated", inexact);
  end_with(c, CHECK_UNSURE, o, reason);
  memory_free(reason);
  return false;
}

static bool check_excludes(checking *c) {
  if (c->property->kind == PROPERTY_SAFE) return check_bad(c);
  if (c->property->kind == PROPERTY_NO_FAULT) return check_faults(c);
  REQUIRE(c->property->kind == PROPERTY_DEADLOCKFREE, "a property of states");
  return check_deadlock(c);
}

/* ---- parts ---- */

static void enter_part(checking *c, size_t number) {
  const part *p = invariant_index_at(c->parts, number);
  c->part = number;
  c->part_is_asserted = false;
  for (size_t i = 0; i < p->fixed.count; i++) {
    know(c, p->fixed.at[i]);
    literal_facts_add(c->part_facts, fixed_term(c->ts, p->fixed.at[i].var, p->fixed.at[i].value));
  }
  for (size_t i = 0; i < p->conjuncts.count; i++) literal_facts_add(c->part_facts, p->conjuncts.at[i]);
}

static void leave_part(checking *c) {
  const part *p = invariant_index_at(c->parts, c->part);
  for (size_t i = 0; i < p->fixed.count; i++) know_not(c, p->fixed.at[i]);
  literal_facts_clear(c->step_facts);
  literal_facts_clear(c->part_facts);
  if (c->part_is_asserted) solver_pop(questions_solver(c->questions));
}

static bool check_parts(checking *c) {
  bool fine = true;
  for (size_t i = 0; i < invariant_index_count(c->parts) && fine; i++) {
    if (invariant_index_at(c->parts, i)->is_empty) continue;
    enter_part(c, i);
    fine = check_preserved(c) && check_excludes(c);
    leave_part(c);
  }
  return fine;
}

/* ---- setting up ---- */

static plan plan_new(checking *c, const transition *t) {
  const model *m = c->model;
  plan p = {.move = move_new(m, t, c->parts, c->shared),
            .input_types = condition_input_types(m, t),
            .types_after = condition_types_after(m, t),
            .exact = true};
  if (c->property->kind == PROPERTY_NO_FAULT && t->faults.count)
    p.fault = partial_evaluation_new(c->ts, transition_fault(m, t), c->parts, c->shared);
  if (c->property->kind == PROPERTY_DEADLOCKFREE)
    p.can_be_taken = partial_evaluation_new(c->ts, condition_can_be_taken(m, t, &p.exact), c->parts, c->shared);
  return p;
}

static void set_up(checking *c) {
  size_t count = variable_count(c->ts);
  c->shared = substitution_new(c->ts);
  for (size_t i = 0; i < c->model->transitions.count; i++)
    VECTOR_PUSH(c->plans, plan_new(c, &c->model->transitions.at[i]));
  if (c->property->kind == PROPERTY_SAFE) c->bad = partial_evaluation_new(c->ts, c->property->bad, c->parts, c->shared);
  c->known = MEMORY_ARRAY(number, count + 1);
  c->after = MEMORY_ARRAY(number, count + 1);
  for (size_t i = 0; i < count; i++) c->known[i] = c->after[i] = number_unknown;
  c->type_facts = literal_facts_new(c->ts, NULL);
  c->part_facts = literal_facts_new(c->ts, c->type_facts);
  c->step_facts = literal_facts_new(c->ts, c->part_facts);
}

static void tear_down(checking *c) {
  for (size_t i = 0; i < c->plans.count; i++) {
    move_free(c->plans.at[i].move);
    partial_evaluation_free(c->plans.at[i].fault);
    partial_evaluation_free(c->plans.at[i].can_be_taken);
  }
  VECTOR_FREE(c->plans);
  partial_evaluation_free(c->bad);
  substitution_free(c->shared);
  literal_facts_free(c->step_facts);
  literal_facts_free(c->part_facts);
  literal_facts_free(c->type_facts);
  memory_free(c->known);
  memory_free(c->after);
  VECTOR_FREE(c->reached);
  VECTOR_FREE(c->rest);
  VECTOR_FREE(c->alternatives);
  invariant_index_free(c->parts);
}

void check_invariant(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  checking c = {
      .model = m, .property = p, .ts = m->terms, .questions = q, .types = condition_types(m), .result = result};
  c.parts = invariant_index_new(m, e, &result->what);
  if (!c.parts) {
    result->kind = CHECK_REJECTED;
    return;
  }
  set_up(&c);
  if (check_initial(&c)) {
    /* From here on types are a hypothesis: the invariant that is shown is "Inv and Types". */
    literal_facts_add(c.type_facts, c.types);
    c.types_are_assumed = true;
    if (check_types_preserved(&c)) check_parts(&c);
  }
  tear_down(&c);
}
