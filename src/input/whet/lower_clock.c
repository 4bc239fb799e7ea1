/* Clocks and the invariants of states, as an ordinary model: a step `delay` adds the same amount to all clocks and keeps
 * every invariant; other steps lead only into states that satisfy theirs. */
#include "input/whet/lower.h"
#include "term/substitute.h"

static term is_at(lowering *l, term location, int64_t state) {
  return term_eq(l->terms, location, term_int(l->terms, state));
}

static void add_invariant(lowering *l, family *f, const invariant_tree *v) {
  variable location = l->cells.at[f->first_location + f->copy];
  term condition = lower_condition(l, v->condition);
  for (size_t i = 0; i < v->states.count; i++) {
    size_t state;
    family_state(f, v->states.at[i].word, &state);
    VECTOR_PUSH(l->invariants, (state_invariant){location, (int64_t)state, condition});
    if (state == 0) VECTOR_PUSH(l->init, condition); /* where the process starts */
  }
}

void lower_invariants(lowering *l, const module *m) {
  for (size_t i = 0; i < m->declarations.count; i++) {
    const declaration *d = m->declarations.at[i];
    if (d->kind != DECLARATION_PROCESS) continue;
    family *f = d->process->family;
    for (size_t copy = 0; copy < f->copies && d->process->invariant_count && !l->exhausted; copy++) {
      lower_set_copy(l, f, copy);
      for (size_t j = 0; j < d->process->invariant_count; j++) add_invariant(l, f, &d->process->invariants[j]);
    }
  }
}

/* What `t` does not change holds after it, since it held before. */
static bool may_break(const lowering *l, const transition *t, const state_invariant *v) {
  for (size_t i = 0; i < t->updates.count; i++) {
    variable changed = t->updates.at[i].var;
    if (variable_same(changed, v->location) || term_mentions(l->terms, v->condition, changed)) return true;
  }
  return false;
}

static term invariant_after(lowering *l, const transition *t, const state_invariant *v, substitution *after) {
  term at = is_at(l, transition_value_after(l->model, t, v->location), v->state);
  return term_is_false(at) ? TERM_TRUE : term_implies(l->terms, at, substitution_apply(after, v->condition));
}

static void keep_invariants(lowering *l, transition *t, substitution *after) {
  substitution_clear(after);
  for (size_t i = 0; i < t->updates.count; i++) substitution_set(after, t->updates.at[i].var, t->updates.at[i].value);
  for (size_t i = 0; i < l->invariants.count && lowering_spend(l, 1, 0); i++)
    if (may_break(l, t, &l->invariants.at[i]))
      t->guard = term_and(l->terms, t->guard, invariant_after(l, t, &l->invariants.at[i], after));
  if (term_is_false(t->guard)) t->process = NO_PROCESS;
}

static place place_of_clock(const lowering *l, variable clock) {
  return l->model->variables.at[model_position(l->model, clock)].place;
}

static void add_delay(lowering *l) {
  place at = place_of_clock(l, l->clocks.at[0]);
  transition *t = model_add_transition(l->model, "delay", NO_PROCESS, TERM_TRUE, at);
  variable amount = transition_add_input(l->model, t, "delay.d", &(type){.sort = SORT_REAL});
  term d = term_of_variable(l->terms, amount);
  t->guard = term_gt(l->terms, d, term_int(l->terms, 0));
  for (size_t i = 0; i < l->clocks.count; i++)
    transition_add_update(t, l->clocks.at[i], term_add(l->terms, term_of_variable(l->terms, l->clocks.at[i]), d));
}

void lower_time(lowering *l) {
  if (!l->clocks.count || l->exhausted) return;
  add_delay(l);
  substitution *after = substitution_new(l->terms);
  for (size_t i = 0; i < l->model->transitions.count && !l->exhausted; i++)
    keep_invariants(l, &l->model->transitions.at[i], after);
  substitution_free(after);
}
