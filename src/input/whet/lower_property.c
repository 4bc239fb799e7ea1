/* Properties, asserts and fairness. */
#include "input/whet/lower.h"
#include "model/branching/simplify.h"

static const property_kind kinds[] = {
    [DECLARATION_SAFE] = PROPERTY_SAFE,
    [DECLARATION_UNREACHABLE] = PROPERTY_SAFE,
    [DECLARATION_DEADLOCKFREE] = PROPERTY_DEADLOCKFREE,
    [DECLARATION_TERMINATES] = PROPERTY_LTL,
    [DECLARATION_CTL] = PROPERTY_CTL,
    [DECLARATION_LTL] = PROPERTY_LTL,
    [DECLARATION_CTLSTAR] = PROPERTY_CTLSTAR,
    [DECLARATION_MU] = PROPERTY_MU,
};

void lower_property(lowering *l, const declaration *d) {
  term bad = TERM_FALSE;
  temporal *formula = NULL;
  l->uses_past = false;
  if (d->kind == DECLARATION_SAFE)
    bad = term_not(lower_condition(l, d->expressions.at[0]));
  else if (d->kind == DECLARATION_UNREACHABLE)
    bad = lower_condition(l, d->expressions.at[0]);
  else if (d->kind == DECLARATION_TERMINATES)
    formula = lower_termination(l);
  else if (d->kind != DECLARATION_DEADLOCKFREE)
    formula = lower_temporal(l, d->expressions.at[0]);
  term ends = d->kind == DECLARATION_DEADLOCKFREE ? lower_valid_ends(l, d) : TERM_FALSE;
  bool has_ends = !term_is_false(ends);
  if (has_ends) {
    bool fine = true;
    bad = term_and(l->terms, lower_deadlock(l, d, &fine), term_not(ends));
    if (!fine) return;
  }
  property_kind kind = has_ends ? PROPERTY_SAFE : kinds[d->kind];
  if (kind == PROPERTY_CTLSTAR) kind = temporal_star_simplify(l->terms, formula, &formula);
  property *p = model_add_property(l->model, d->name.word->text, kind, lower_place(l, d->at));
  if (has_ends) p->written = PROPERTY_DEADLOCKFREE;
  if (l->uses_past) VECTOR_PUSH(l->past_properties, l->model->properties.count - 1);
  p->bad = bad;
  p->formula = formula;
  bool has_trigger = d->kind != DECLARATION_UNREACHABLE && d->kind != DECLARATION_MU && !has_ends;
  if (d->expressions.count && !l->keeps_arrays && has_trigger) p->trigger = lower_trigger(l, d->expressions.at[0]);
}

/* What every reachable state satisfies if `f` holds in every reachable state; false if `f` says something else. */
static bool says_of_states(lowering *l, const temporal *f, term *out) {
  term left, right;
  if (temporal_is_propositional(f)) {
    *out = temporal_as_term(l->terms, f);
    return true;
  }
  switch (f->kind) {
    case TEMPORAL_G:
    case TEMPORAL_AG: return says_of_states(l, f->left, out);
    case TEMPORAL_AND:
      if (!says_of_states(l, f->left, &left) || !says_of_states(l, f->right, &right)) return false;
      *out = term_and(l->terms, left, right);
      return true;
    default: return false;
  }
}

/* G p, AG p, and conjunctions of those. Every reachable state is in some run, so all runs satisfy it if all states do. */
static bool says_always(lowering *l, const temporal *f, term *out) {
  term left, right;
  if (f->kind == TEMPORAL_G || f->kind == TEMPORAL_AG) return says_of_states(l, f->left, out);
  if (f->kind != TEMPORAL_AND || !says_always(l, f->left, &left) || !says_always(l, f->right, &right)) return false;
  *out = term_and(l->terms, left, right);
  return true;
}

void lower_always(lowering *l) {
  size_t past = 0;
  if (l->model->fairness.count) return;
  for (size_t i = 0; i < l->model->properties.count; i++) {
    property *p = &l->model->properties.at[i];
    term always;
    bool has_past = past < l->past_properties.count && l->past_properties.at[past] == i;
    past += has_past;
    if (!has_past && !terms_have_reals(l->terms)) continue;
    if ((p->kind != PROPERTY_CTL && p->kind != PROPERTY_LTL) || !says_always(l, p->formula, &always)) continue;
    p->written = p->kind;
    p->kind = PROPERTY_SAFE;
    p->bad = term_not(always);
  }
}

void lower_check(lowering *l, word *name, span at, const process_tree *p, term bad) {
  uint64_t found, word_key = (uint64_t)(uintptr_t)name;
  if (!map_get(l->assertion_index, word_key, &found)) {
    found = l->assertions.count;
    map_set(l->assertion_index, word_key, found);
    VECTOR_PUSH(l->assertions, (lowered_assertion){.name = name, .place = lower_place(l, at), .program = p});
  }
  VECTOR_PUSH(l->assertions.at[found].bad, bad);
}

void lower_assertions(lowering *l, const process_tree *p) {
  for (size_t i = 0; i < l->assertions.count; i++) {
    const lowered_assertion *a = &l->assertions.at[i];
    if (a->program != p) continue;
    property *made = model_add_property(l->model, a->name->text, PROPERTY_SAFE, a->place);
    made->bad = term_or_all(l->terms, a->bad.count, a->bad.at);
  }
}

/* ---- fairness ---- */

/* Adds all steps called `name`; false if there are none. */
static bool add_named(lowering *l, fairness *f, const char *name) {
  uint64_t at;
  if (!names_get(l->step_index, name, &at)) return false;
  for (uint32_t i = (uint32_t)at; i != NO_PROCESS && lowering_spend(l, 1, 0); i = l->next_step.at[i])
    VECTOR_PUSH(f->transitions, i);
  return true;
}

static void add_process(lowering *l, fairness *f, uint32_t process) {
  const steps_of_process *own = &l->process_steps.at[process];
  for (uint32_t i = own->from; i < own->to && lowering_spend(l, 1, 0); i++)
    if (l->model->transitions.at[i].process == process) VECTOR_PUSH(f->transitions, i);
}

static void report_no_action(lowering *l, const expression *e, const char *name) {
  report_error(l->reporter, e->at.start, "there is no action `%s`", name);
  const char *near = names_nearest(l->step_index, name);
  if (near) report_hint(l->reporter, "did you mean `%s`?", near);
}

/* The copies that `e` (P or P[2]) means. */
static bool find_copies(lowering *l, const expression *e, const family *f, size_t *first, size_t *count) {
  *first = 0;
  *count = f->copies;
  if (e->kind != EXPRESSION_INDEX) return true;
  int64_t index;
  if (!lower_int64(l, e->parts[1], &index)) return false;
  *count = 1;
  if (index < f->low || (uint64_t)index - (uint64_t)f->low >= f->copies) {
    report_error(l->reporter, e->at.start, "`%s` has the copies %lld..%lld", f->word->text, (long long)f->low,
                 (long long)(f->low + (int64_t)(f->copies - 1)));
    return false;
  }
  *first = (size_t)(index - f->low);
  return true;
}

static void push_group(lowering *l, fairness *f) {
  if (f->transitions.count) VECTOR_PUSH(l->model->fairness, *f);
  f->transitions.at = NULL;
  f->transitions.count = f->transitions.room = 0;
}

/* Steps of two processes are steps of neither. */
static void refuse_handshakes(lowering *l, const declaration *d) {
  if (l->scope->has_sync && d->group_count)
    report_error(l->reporter, d->at.start,
                 "beside handshakes fairness is about states: `fair when E`; a step of two processes has no one owner");
}

/* `alone`: each copy of a process is a group of its own. */
static void add_member(lowering *l, fairness *f, const expression *e, bool alone) {
  const expression *base = e->kind == EXPRESSION_FIELD ? e->parts[0] : e;
  const expression *name = base->kind == EXPRESSION_INDEX ? base->parts[0] : base;
  const symbol *s = name->word->meaning;
  if (!s || s->kind != SYMBOL_PROCESS || (name == e && names_get(l->step_index, name->word->text, NULL))) {
    if (!add_named(l, f, e->word->text)) report_no_action(l, e, e->word->text);
    return;
  }
  size_t first, count;
  if (!find_copies(l, base, s->family, &first, &count)) return;
  for (size_t i = first; i < first + count; i++) {
    uint32_t process = s->family->first_process + (uint32_t)i;
    if (e->kind == EXPRESSION_FIELD) {
      char *step_name = text_format("%s.%s", l->model->processes.at[process].name, e->word->text);
      if (!add_named(l, f, step_name)) report_no_action(l, e, step_name);
      memory_free(step_name);
    } else {
      add_process(l, f, process);
    }
    if (alone && i + 1 < first + count) push_group(l, f);
  }
}

void lower_fairness(lowering *l, const declaration *d) {
  place at = lower_place(l, d->at);
  for (size_t i = 0; i < d->expressions.count; i++) {
    lower_often(l, d->expressions.at[i], at);
  }
  refuse_handshakes(l, d);
  for (size_t i = 0; i < d->group_count; i++) {
    const fair_group *g = &d->groups[i];
    fairness f = {.kind = d->is_strong ? FAIR_STRONG : FAIR_WEAK, .state = TERM_TRUE, .place = at};
    for (size_t j = 0; j < g->members.count; j++) add_member(l, &f, g->members.at[j], g->members.count == 1);
    push_group(l, &f);
  }
}
