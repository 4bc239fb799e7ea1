/* Transitions made ready: finite inputs fixed to each choice, tests split into control and data, and what each action
 * makes of each predicate. */
#include "engine/alpha/alpha.h"
#include "model/transform.h"
#include "term/bounds.h"

/* A transition with more choices of finite inputs than this is treated as open: the solver picks the values that
 * matter. */
enum { INPUT_CHOICES = 4096 };

void data_atoms(const terms *ts, const kept_variables *c, term t, term_vector *out) {
  term_vector all = {0};
  term_atoms(ts, t, &all);
  for (size_t i = 0; i < all.count; i++)
    if (!kept_is_data_free(c, all.at[i])) VECTOR_PUSH(*out, all.at[i]);
  VECTOR_FREE(all);
}

static void split_test(const model *m, const kept_variables *c, alpha_action *a) {
  terms *ts = m->terms;
  term_vector parts = {0}, over_control = {0}, over_data = {0};
  term_conjuncts(ts, a->enabled, &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (kept_is_data_free(c, parts.at[i]))
      VECTOR_PUSH(over_control, parts.at[i]);
    else
      VECTOR_PUSH(over_data, parts.at[i]);
  a->control_test = state_condition_new(m, term_and_all(ts, over_control.count, over_control.at));
  a->data_test = term_and_all(ts, over_data.count, over_data.at);
  a->test_mixed = !kept_is_free_of(c, a->data_test);
  data_atoms(ts, c, a->data_test, &a->test_atoms);
  VECTOR_FREE(parts);
  VECTOR_FREE(over_control);
  VECTOR_FREE(over_data);
}

/* The value of a control variable that the test asks for: the place of the process, else the first other one. */
static uint32_t find_place(const model *m, const kept_variables *c, predicates *p, const transition *t,
                           const alpha_action *a) {
  const terms *ts = m->terms;
  term_vector parts = {0};
  uint32_t place = 0;
  bool own = false;
  term_conjuncts(ts, a->enabled, &parts);
  for (size_t i = 0; i < parts.count && !own; i++) {
    if (term_kind_of(ts, parts.at[i]) != TERM_EQ || term_is_negated(parts.at[i])) continue;
    linear l = term_linear(ts, term_argument(ts, parts.at[i], 0));
    int64_t value;
    if (l.count != 1 || term_kind_of(ts, l.leaves[0]) != TERM_INT_VARIABLE || !number_is(l.coefficients[0], 1))
      continue;
    size_t at = model_position(m, term_variable(ts, l.leaves[0]));
    if (at == SIZE_MAX || !c->is_kept.at[at] || !number_to_int64(number_negate(l.constant), &value)) continue;
    own = t->process != NO_PROCESS && variable_same(m->variables.at[at].var, m->processes.at[t->process].location);
    if (own || !place) place = predicates_place(p, at, value);
  }
  VECTOR_FREE(parts);
  return place;
}

static image make_image(const model *m, const kept_variables *c, substitution *by, term t, bool touched) {
  terms *ts = m->terms;
  image made = {.kind = IMAGE_UNTOUCHED};
  if (!touched) return made;
  made.formula = term_lift_ite(ts, term_simplify_in_types(ts, substitution_apply(by, t)));
  made.kind = term_index(made.formula) == 0 ? IMAGE_CONSTANT : IMAGE_FORMULA;
  if (made.kind == IMAGE_FORMULA) {
    made.mixed = !kept_is_free_of(c, made.formula);
    data_atoms(ts, c, made.formula, &made.atoms);
  }
  return made;
}

static bool assigns_any(const terms *ts, const alpha_action *a, term t) {
  variable_vector all = {0};
  bool found = false;
  term_variables(ts, 1, &t, &all);
  for (size_t i = 0; i < all.count && !found; i++)
    for (size_t j = 0; j < a->updates.count && !found; j++) found = variable_same(all.at[i], a->updates.at[j].var);
  VECTOR_FREE(all);
  return found;
}

void action_make_images(const model *m, const kept_variables *c, const predicates *p, alpha_action *a) {
  if (a->images.count == predicates_count(p)) return;
  substitution *by = substitution_new(m->terms);
  for (size_t i = 0; i < a->updates.count; i++) substitution_set(by, a->updates.at[i].var, a->updates.at[i].value);
  while (a->images.count < predicates_count(p)) {
    term t = predicates_at(p, a->images.count);
    VECTOR_PUSH(a->images, make_image(m, c, by, t, assigns_any(m->terms, a, t)));
  }
  substitution_free(by);
}

/* New values of control variables that depend on data must follow from the predicates as well. */
static void make_control_images(const model *m, const kept_variables *c, alpha_action *a) {
  terms *ts = m->terms;
  for (size_t i = 0; i < a->updates.count; i++) {
    size_t at = model_position(m, a->updates.at[i].var);
    if (!c->is_kept.at[at] || kept_is_data_free(c, a->updates.at[i].value)) continue;
    image made = {.kind = IMAGE_FORMULA, .mixed = true};
    if (term_sort(ts, a->updates.at[i].value) == SORT_BOOL) made.formula = term_lift_ite(ts, a->updates.at[i].value);
    VECTOR_PUSH(a->control_images, made);
    VECTOR_PUSH(a->control_targets, at);
  }
}

static void add_action(const model *m, const kept_variables *c, predicates *p, uint32_t index, const int64_t *inputs,
                       bool open, action_vector *out) {
  terms *ts = m->terms;
  const transition *t = &m->transitions.at[index];
  alpha_action a = {.transition = index, .open = open};
  substitution *fixed = substitution_new(ts);
  for (size_t i = 0; i < t->inputs.count && !open; i++) {
    substitution_set(fixed, t->inputs.at[i], term_of_value(ts, t->inputs.at[i], inputs[i]));
    VECTOR_PUSH(a.inputs, inputs[i]);
  }
  a.enabled = term_lift_ite(ts, term_simplify_in_types(ts, substitution_apply(fixed, transition_enabled(m, t))));
  for (size_t i = 0; i < t->updates.count; i++)
    VECTOR_PUSH(a.updates, (update){t->updates.at[i].var, substitution_apply(fixed, t->updates.at[i].value)});
  substitution_free(fixed);
  split_test(m, c, &a);
  a.place = find_place(m, c, p, t, &a);
  make_control_images(m, c, &a);
  VECTOR_PUSH(*out, a);
}

static bool has_few_choices(const model *m, const transition *t) {
  uint64_t choices = 1;
  for (size_t i = 0; i < t->inputs.count && choices <= INPUT_CHOICES; i++)
    choices *= type_size(variable_type(m->terms, t->inputs.at[i]), INPUT_CHOICES + 1);
  return choices <= INPUT_CHOICES;
}

void actions_make(const model *m, const kept_variables *c, predicates *p, action_vector *out) {
  for (uint32_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    if (!transition_has_finite_inputs(m, t) || !has_few_choices(m, t)) {
      add_action(m, c, p, i, NULL, true, out);
      continue;
    }
    VECTOR(int64_t) inputs = {0};
    VECTOR_RESERVE(inputs, t->inputs.count);
    inputs_first(m, t, inputs.at);
    do add_action(m, c, p, i, inputs.at, false, out);
    while (inputs_advance(m, t, inputs.at));
    VECTOR_FREE(inputs);
  }
}

static void image_free(image *i) { VECTOR_FREE(i->atoms); }

void actions_clear(action_vector *all) {
  for (size_t i = 0; i < all->count; i++) {
    alpha_action *a = &all->at[i];
    for (size_t j = 0; j < a->images.count; j++) image_free(&a->images.at[j]);
    for (size_t j = 0; j < a->control_images.count; j++) image_free(&a->control_images.at[j]);
    VECTOR_FREE(a->images);
    VECTOR_FREE(a->control_images);
    VECTOR_FREE(a->control_targets);
    VECTOR_FREE(a->inputs);
    VECTOR_FREE(a->updates);
    VECTOR_FREE(a->test_atoms);
    state_condition_free(a->control_test);
  }
  VECTOR_FREE(*all);
}
