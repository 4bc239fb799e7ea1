/* Slicing: only variables that a guard, a fault or the property reads, directly or through updates of such variables,
 * stay. A variable goes only if the initial condition ties it to nothing else, so that a run of the slice can be
 * completed; one that is tied stays, and may take any value in a step if the slice is a loose one. Inputs that nothing
 * reads go. */
#include "base/map.h"
#include "model/control.h"
#include "model/pass.h"
#include "term/bounds.h"
#include "term/fold.h"

/* Terms that belong to variables, found by the variable's position: heads[position], then `next`. */
typedef struct chained {
  term t;
  size_t next; /* index plus 1, or 0 */
} chained;

typedef struct chains {
  VECTOR(size_t) heads;
  VECTOR(chained) all;
} chains;

typedef struct slicing {
  const model *m;
  term init; /* of the model, maybe with known first values put in */
  budget *budget;
  term_walk *walk;     /* from what is needed: a term that was reached once needs nothing more */
  map *read_inputs;    /* what else was reached */
  VECTOR(bool) needed; /* by position */
  VECTOR(size_t) work;
  chains values;      /* what is assigned to each variable */
  chains literals;    /* conjuncts of the initial condition that speak of one variable only */
  bool loosens;       /* a variable that is tied, but not needed, may take any value in a step */
  VECTOR(bool) loose; /* by position */
} slicing;

static void chains_open(chains *c, size_t positions) {
  for (size_t i = 0; i < positions; i++) VECTOR_PUSH(c->heads, 0);
}

static void chains_add(chains *c, size_t position, term t) {
  VECTOR_PUSH(c->all, (chained){t, c->heads.at[position]});
  c->heads.at[position] = c->all.count;
}

static const chained *chains_first(const chains *c, size_t position) {
  return c->heads.at[position] ? &c->all.at[c->heads.at[position] - 1] : NULL;
}

static const chained *chains_next(const chains *c, const chained *at) {
  return at->next ? &c->all.at[at->next - 1] : NULL;
}

static void chains_free(chains *c) {
  VECTOR_FREE(c->heads);
  VECTOR_FREE(c->all);
}

static void need_variables(slicing *s, term t) {
  variable_vector all = {0};
  term_walk_variables(s->walk, t, &all);
  for (size_t i = 0; i < all.count; i++) {
    size_t at = model_position(s->m, all.at[i]);
    if (at == SIZE_MAX) map_set(s->read_inputs, all.at[i].x, 1);
    if (at == SIZE_MAX || s->needed.at[at]) continue;
    s->needed.at[at] = true;
    VECTOR_PUSH(s->work, at);
  }
  VECTOR_FREE(all);
}

static void tie_variables(slicing *s, term t) {
  variable_vector all = {0};
  if (!s->loosens) {
    need_variables(s, t);
    return;
  }
  term_variables(s->m->terms, 1, &t, &all);
  for (size_t i = 0; i < all.count; i++) s->loose.at[model_position(s->m, all.at[i])] = true;
  VECTOR_FREE(all);
}

/* Conjuncts of the initial condition that speak of several variables, or of one in a way that intervals do not capture.
 */
static void need_tied_variables(slicing *s) {
  const terms *ts = s->m->terms;
  term_vector parts = {0};
  term_conjuncts(ts, s->init, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    term_kind kind = term_kind_of(ts, parts.at[i]);
    bool interval_like =
        kind == TERM_BOOL_VARIABLE || kind == TERM_LE || (kind == TERM_EQ && !term_is_negated(parts.at[i]));
    if (interval_like && kind != TERM_BOOL_VARIABLE) {
      linear l = term_linear(ts, term_argument(ts, parts.at[i], 0));
      interval_like =
          l.count == 1 && number_is(l.coefficients[0], 1) && term_kind_of(ts, l.leaves[0]) == TERM_INT_VARIABLE;
    }
    if (!interval_like) {
      tie_variables(s, parts.at[i]);
      continue;
    }
    variable_vector one = {0};
    term_variables(ts, 1, &parts.at[i], &one);
    chains_add(&s->literals, model_position(s->m, one.at[0]), parts.at[i]);
    VECTOR_FREE(one);
  }
  VECTOR_FREE(parts);
}

/* Literals over `v` alone in the initial condition: a value that satisfies them all, or false. */
static bool choose_first_value(const slicing *s, size_t position, number *out) {
  const terms *ts = s->m->terms;
  const type *t = variable_type(ts, s->m->variables.at[position].var);
  bool has_low = t->has_low, has_high = t->has_high;
  number low = t->low, high = t->high;
  if (t->sort == SORT_BOOL) has_low = has_high = true, low = number_of(0), high = number_of(1);
  for (const chained *c = chains_first(&s->literals, position); c; c = chains_next(&s->literals, c)) {
    term p = c->t;
    number at_least = number_of(0), at_most = number_of(0);
    bool bounds_low = false, bounds_high = false;
    if (term_kind_of(ts, p) == TERM_BOOL_VARIABLE) {
      at_least = at_most = number_of(!term_is_negated(p));
      bounds_low = bounds_high = true;
    } else { /* v + c <= 0, its negation, or v + c = 0: need_tied_variables lets nothing else through */
      number constant = term_linear(ts, term_argument(ts, p, 0)).constant;
      bounds_low = term_kind_of(ts, p) == TERM_EQ || term_is_negated(p);
      bounds_high = !term_is_negated(p);
      at_most = number_negate(constant);
      at_least = term_is_negated(p) ? number_sub(number_of(1), constant) : number_negate(constant);
    }
    if (bounds_low && (!has_low || number_compare(at_least, low) > 0)) has_low = true, low = at_least;
    if (bounds_high && (!has_high || number_compare(at_most, high) < 0)) has_high = true, high = at_most;
  }
  *out = has_low ? low : has_high ? high : number_of(0);
  return !(has_low && has_high && number_compare(low, high) > 0);
}

static void find_needed(slicing *s, size_t property) {
  const model *m = s->m;
  for (size_t i = 0; i < m->variables.count; i++) {
    VECTOR_PUSH(s->needed, false);
    VECTOR_PUSH(s->loose, false);
  }
  chains_open(&s->values, m->variables.count);
  chains_open(&s->literals, m->variables.count);
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].updates.count; j++) {
      const update *u = &m->transitions.at[i].updates.at[j];
      chains_add(&s->values, model_position(m, u->var), u->value);
    }
  for (size_t i = 0; i < m->variables.count; i++)
    if (m->variables.at[i].role == ROLE_LOCATION) need_variables(s, term_of_variable(m->terms, m->variables.at[i].var));
  need_variables(s, m->properties.at[property].bad);
  for (size_t i = 0; i < m->transitions.count && !budget_spent(s->budget); i++) {
    need_variables(s, m->transitions.at[i].guard);
    for (size_t j = 0; j < m->transitions.at[i].faults.count; j++)
      need_variables(s, m->transitions.at[i].faults.at[j].when);
  }
  need_tied_variables(s);
  for (size_t done = 0; done < s->work.count && !budget_spent(s->budget); done++)
    for (const chained *c = chains_first(&s->values, s->work.at[done]); c; c = chains_next(&s->values, c))
      need_variables(s, c->t);
  for (size_t i = 0; i < m->variables.count; i++) {
    s->loose.at[i] = s->loose.at[i] && !s->needed.at[i];
    s->needed.at[i] = s->needed.at[i] || s->loose.at[i];
  }
}

static bool is_any_loose(const slicing *s) {
  for (size_t i = 0; i < s->loose.count; i++)
    if (s->loose.at[i]) return true;
  return false;
}

/* For each input of each transition: its index among those that something reads, or INPUT_GONE. True if some went. */
static bool number_inputs(const slicing *s, pass_result *r) {
  bool some_go = false;
  for (size_t i = 0; i < s->m->transitions.count && !budget_spent(s->budget); i++) {
    const transition *t = &s->m->transitions.at[i];
    uint32_t kept = 0;
    VECTOR_PUSH(r->input_starts, r->inputs.count);
    for (size_t j = 0; j < t->inputs.count; j++)
      VECTOR_PUSH(r->inputs, map_get(s->read_inputs, t->inputs.at[j].x, NULL) ? kept++ : INPUT_GONE);
    some_go |= kept < t->inputs.count;
  }
  return some_go;
}

/* Of variables that may take any value: an input each. */
static void loosen_updates(pass_result *r, const slicing *s, transition *made) {
  for (size_t i = 0; i < s->loose.count; i++) {
    if (!s->loose.at[i]) continue;
    variable v = s->m->variables.at[i].var;
    const char *name = variable_name(s->m->terms, v);
    variable any = transition_add_input(r->model, made, name, variable_type(s->m->terms, v));
    transition_add_update(made, v, term_of_variable(s->m->terms, any));
  }
}

static void slice_transition(pass_result *r, const slicing *s, uint32_t index, const uint32_t *inputs) {
  const transition *t = &s->m->transitions.at[index];
  transition *made = model_add_transition(r->model, t->name, t->process, t->guard, t->place);
  VECTOR_PUSH(r->transitions, index);
  for (size_t i = 0; i < t->inputs.count; i++)
    if (inputs[i] != INPUT_GONE) VECTOR_PUSH(made->inputs, t->inputs.at[i]);
  for (size_t i = 0; i < t->faults.count; i++) VECTOR_PUSH(made->faults, t->faults.at[i]);
  for (size_t i = 0; i < t->updates.count; i++) {
    size_t at = model_position(s->m, t->updates.at[i].var);
    if (s->needed.at[at] && !s->loose.at[at]) VECTOR_PUSH(made->updates, t->updates.at[i]);
  }
  loosen_updates(r, s, made);
}

/* The initial condition without the conjuncts about variables that go. */
static term slice_init(const slicing *s) {
  const model *m = s->m;
  term_vector parts = {0}, kept = {0};
  variable_vector all = {0};
  term_conjuncts(m->terms, s->init, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    VECTOR_CLEAR(all);
    term_variables(m->terms, 1, &parts.at[i], &all);
    bool keep = true;
    for (size_t j = 0; j < all.count; j++) {
      size_t at = model_position(m, all.at[j]);
      keep &= at == SIZE_MAX || s->needed.at[at];
    }
    if (keep) VECTOR_PUSH(kept, parts.at[i]);
  }
  term result = term_and_all(m->terms, kept.count, kept.at);
  VECTOR_FREE(parts);
  VECTOR_FREE(kept);
  VECTOR_FREE(all);
  return result;
}

static void copy_terms_over_kept(const slicing *s, const term_vector *from, term_vector *to) {
  variable_vector all = {0};
  for (size_t i = 0; i < from->count; i++) {
    VECTOR_CLEAR(all);
    term_variables(s->m->terms, 1, &from->at[i], &all);
    bool keep = true;
    for (size_t j = 0; j < all.count; j++) keep &= s->needed.at[model_position(s->m, all.at[j])];
    if (keep) VECTOR_PUSH(*to, from->at[i]);
  }
  VECTOR_FREE(all);
}

/* What goes, with first values; true if that makes the model smaller. */
static bool choose_what_goes(slicing *s, pass_result *r) {
  bool drops = false, possible = true;
  for (size_t i = 0; i < s->m->variables.count && possible; i++) {
    VECTOR_PUSH(r->first, number_of(0));
    if (s->needed.at[i]) {
      if (s->loose.at[i]) VECTOR_PUSH(r->loose, r->kept.count);
      VECTOR_PUSH(r->kept, i);
    } else {
      drops = true;
      possible = choose_first_value(s, i, &r->first.at[i]);
    }
  }
  return possible && (number_inputs(s, r) || drops || is_any_loose(s));
}

static void make_slice(const slicing *s, size_t property, pass_result *r) {
  const model *m = s->m;
  r->model = model_derive(m);
  pass_copy_frame(r, m, property);
  r->model->init = slice_init(s);
  for (uint32_t i = 0; i < m->transitions.count && !budget_spent(s->budget); i++)
    slice_transition(r, s, i, r->inputs.at + r->input_starts.at[i]);
  copy_terms_over_kept(s, &m->predicates, &r->model->predicates);
  copy_terms_over_kept(s, &m->lemmas, &r->model->lemmas);
  copy_terms_over_kept(s, &m->domain, &r->model->domain);
  control_follow(m, r->model);
}

/* The variable that a conjunct of the initial condition gives a value, as a term. */
static bool read_first_value(terms *ts, term t, variable *v, term *value) {
  if (term_kind_of(ts, t) == TERM_BOOL_VARIABLE) {
    *v = term_variable(ts, t);
    *value = term_of_bool(!term_is_negated(t));
    return true;
  }
  if (term_kind_of(ts, t) != TERM_EQ || term_is_negated(t)) return false;
  linear l = term_linear(ts, term_argument(ts, t, 0));
  if (l.count != 1 || !number_is(l.coefficients[0], 1) || term_kind_of(ts, l.leaves[0]) != TERM_INT_VARIABLE)
    return false;
  *v = term_variable(ts, l.leaves[0]);
  *value = term_number(ts, number_negate(l.constant));
  return true;
}

/* The same condition, in which values that it gives are put in elsewhere: fewer variables are tied to others then. */
static term init_with_values(const model *m) {
  terms *ts = m->terms;
  substitution *values = substitution_new(ts);
  term_vector parts = {0}, given = {0};
  term_conjuncts(ts, m->init, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    variable v;
    term value;
    if (!read_first_value(ts, parts.at[i], &v, &value)) continue;
    substitution_set(values, v, value);
    VECTOR_PUSH(given, parts.at[i]);
  }
  term result = term_and(ts, term_and_all(ts, given.count, given.at), substitution_apply(values, m->init));
  substitution_free(values);
  VECTOR_FREE(parts);
  VECTOR_FREE(given);
  return result;
}

static pass_result slice(const model *m, size_t property, bool loosens, budget *b) {
  pass_result r = {.facts = TERM_TRUE};
  slicing s = {.m = m, .budget = b, .loosens = loosens};
  if (property_is_temporal(&m->properties.at[property]) || m->fairness.count) return r;
  s.init = loosens ? init_with_values(m) : m->init;
  s.walk = term_walk_new(m->terms);
  s.read_inputs = map_new();
  find_needed(&s, property);
  if (choose_what_goes(&s, &r) && !b->reason) make_slice(&s, property, &r);
  VECTOR_FREE(s.needed);
  VECTOR_FREE(s.loose);
  VECTOR_FREE(s.work);
  term_walk_free(s.walk);
  map_free(s.read_inputs);
  chains_free(&s.values);
  chains_free(&s.literals);
  return r;
}

pass_result pass_slice(const model *m, size_t property, budget *b) { return slice(m, property, false, b); }
pass_result pass_slice_loosely(const model *m, size_t property, budget *b) { return slice(m, property, true, b); }
