/* A transition system as rules: the initial states, a rule for each transition and place that it can be taken at, and
 * the bad states. Variables of rules are those of the model; relations have the state variables as parameters. */
#include "engine/bounded.h"
#include "engine/spacer/spacer.h"
#include "predicate/control_and_data.h"
#include "term/substitute.h"

/* More pairs of places and transitions are not looked at one by one. */
enum { MOST_PAIRS = 200000 };

size_t problem_relations(const spacer *s) { return s->problem.relations.count - 1; }

static term at_place(const spacer *s, term value, size_t place) {
  return term_eq(s->ts, value, term_int(s->ts, s->first_place + (int64_t)place));
}

term problem_place(const spacer *s, uint32_t relation) {
  return s->has_places ? at_place(s, term_of_variable(s->ts, s->location), relation) : TERM_TRUE;
}

static size_t choose_places(spacer *s) {
  const model *m = s->env->model;
  size_t locations = 0;
  for (size_t i = 0; i < m->variables.count; i++)
    if (m->variables.at[i].role == ROLE_LOCATION) {
      s->location = m->variables.at[i].var;
      locations++;
    }
  if (locations != 1) return 1;
  const type *t = variable_type(s->ts, s->location);
  uint64_t places = type_size(t, MOST_PAIRS);
  int64_t low;
  if (!type_is_finite(t) || places * (m->transitions.count + 1) > MOST_PAIRS || !number_to_int64(t->low, &low))
    return 1;
  s->has_places = true;
  s->first_place = low;
  return places;
}

static void add_relations(spacer *s, size_t places) {
  const model *m = s->env->model;
  for (size_t i = 0; i < places; i++) {
    horn_relation made = {0};
    for (size_t j = 0; j < m->variables.count; j++)
      if (!s->has_places || !variable_same(m->variables.at[j].var, s->location))
        VECTOR_PUSH(made.parameters, m->variables.at[j].var);
    VECTOR_PUSH(s->problem.relations, made);
  }
  s->problem.query = (uint32_t)places;
  VECTOR_PUSH(s->problem.relations, (horn_relation){0});
}

/* ---- rules ---- */

static const horn_relation *relation_of(const spacer *s, size_t i) { return &s->problem.relations.at[i]; }

static horn_atom atom_of_state(const spacer *s, uint32_t place) {
  horn_atom made = {.relation = place};
  for (size_t i = 0; i < relation_of(s, place)->parameters.count; i++)
    VECTOR_PUSH(made.arguments, term_of_variable(s->ts, relation_of(s, place)->parameters.at[i]));
  return made;
}

static void note_variables(const spacer *s, horn_rule *r) {
  term_vector all = {0};
  VECTOR_PUSH(all, r->constraint);
  for (size_t i = 0; i < r->body.count; i++)
    for (size_t j = 0; j < r->body.at[i].arguments.count; j++) VECTOR_PUSH(all, r->body.at[i].arguments.at[j]);
  for (size_t i = 0; i < r->head.arguments.count; i++) VECTOR_PUSH(all, r->head.arguments.at[i]);
  term_variables(s->ts, all.count, all.at, &r->variables);
  VECTOR_FREE(all);
}

/* All variables are within their types: the states' because those are reachable, the inputs' because they are chosen
 * so. */
static void add_rule(spacer *s, horn_rule *r) {
  note_variables(s, r);
  for (size_t i = 0; i < r->variables.count; i++)
    r->constraint = term_and(s->ts, r->constraint, variable_in_type(s->ts, r->variables.at[i]));
  if (term_is_false(r->constraint))
    horn_rule_clear(r);
  else
    VECTOR_PUSH(s->problem.rules, *r);
}

static void add_initial(spacer *s, substitution *here, uint32_t place) {
  horn_rule r = {.constraint = substitution_apply(here, s->env->model->init), .origin = ORIGIN_INITIAL};
  r.head = atom_of_state(s, place);
  add_rule(s, &r);
}

static void add_bad(spacer *s, substitution *here, uint32_t place, term bad) {
  horn_rule r = {.constraint = substitution_apply(here, bad), .origin = ORIGIN_BAD};
  VECTOR_PUSH(r.body, atom_of_state(s, place));
  r.head.relation = s->problem.query;
  add_rule(s, &r);
}

static void add_step(spacer *s, substitution *here, uint32_t from, uint32_t to, uint32_t index, term enabled) {
  const model *m = s->env->model;
  const transition *t = &m->transitions.at[index];
  horn_rule r = {.constraint = enabled, .origin = index};
  VECTOR_PUSH(r.body, atom_of_state(s, from));
  r.head.relation = to;
  for (size_t i = 0; i < relation_of(s, to)->parameters.count; i++) {
    term after = transition_value_after(m, t, relation_of(s, to)->parameters.at[i]);
    VECTOR_PUSH(r.head.arguments, substitution_apply(here, after));
  }
  add_rule(s, &r);
}

static void add_steps(spacer *s, substitution *here, uint32_t from, uint32_t index) {
  const model *m = s->env->model;
  const transition *t = &m->transitions.at[index];
  term enabled = substitution_apply(here, transition_enabled(m, t));
  if (term_is_false(enabled)) return;
  if (!s->has_places) {
    add_step(s, here, from, from, index, enabled);
    return;
  }
  term after = substitution_apply(here, transition_value_after(m, t, s->location));
  for (uint32_t to = 0; to < problem_relations(s); to++) {
    term both = term_and(s->ts, enabled, at_place(s, after, to));
    if (!term_is_false(both)) add_step(s, here, from, to, index, both);
  }
}

static void add_rules(spacer *s, term bad) {
  substitution *here = substitution_new(s->ts);
  for (uint32_t place = 0; place < problem_relations(s) && !budget_spent(s->env->budget); place++) {
    substitution_clear(here);
    if (s->has_places) substitution_set(here, s->location, term_int(s->ts, s->first_place + place));
    add_initial(s, here, place);
    for (uint32_t i = 0; i < s->env->model->transitions.count; i++) add_steps(s, here, place, i);
    add_bad(s, here, place, bad);
  }
  substitution_free(here);
}

/* Whether nothing can be done is a question about all inputs: they are eliminated. */
static const char *bad_of_deadlock(spacer *s, term *bad) {
  if (terms_have_reals(s->ts)) { /* integer sets know nothing of them */
    bounded_violation v = violation_of(s->env->model, s->env->property);
    *bad = v.bad_states;
    return v.trouble;
  }
  presburger *sets = presburger_new(s->ts, 0);
  predicate_model *system = predicate_model_new(s->env->model, s->env->property, sets);
  const char *trouble = system->trouble;
  *bad = system->bad;
  predicate_model_free(system);
  presburger_free(sets);
  return trouble;
}

const char *problem_of_model(spacer *s) {
  const property *p = &s->env->model->properties.at[s->env->property];
  term bad = p->bad;
  if (p->kind == PROPERTY_DEADLOCKFREE) {
    const char *trouble = bad_of_deadlock(s, &bad);
    if (trouble) return trouble;
  }
  add_relations(s, choose_places(s));
  add_rules(s, bad);
  return budget_spent(s->env->budget);
}
