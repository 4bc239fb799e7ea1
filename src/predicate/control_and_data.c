/* Which variables are control is found by starting with all that could be, and taking back integers that meet data in
 * some atom until nothing changes. */
#include "predicate/control_and_data.h"

#include "base/map.h"
#include "model/control.h"
#include "model/transform.h"
#include "term/bounds.h"
#include "term/print.h"

/* Longer enumerations are data; more combinations of control values in one atom than this make its integers data. */
enum { MOST_VALUES = LONGEST_CONTROL, MOST_COMBINATIONS = 4096 };

static term prepare(terms *ts, term t) {
  return term_simplify_in_types(ts, term_lift_ite(ts, term_simplify_in_types(ts, t)));
}

term predicate_model_prepare(const predicate_model *s, term t) { return prepare(s->ts, t); }

/* ---- control or data ---- */

static bool may_be_control(const model *m, variable v) {
  const type *t = variable_type(m->terms, v);
  if (t->sort == SORT_BOOL) return true;
  if (t->sort != SORT_INT || !type_fits_in_words(t)) return false;
  uint64_t size = type_size(t, MOST_VALUES + 1);
  return size > 0 && size <= (uint64_t)(t->names || control_is_wanted(m, v) ? MOST_VALUES : LONGEST_SHORT_RANGE);
}

typedef struct sorting {
  predicate_model *s;
  map *control; /* variable -> 1 while it is control */
  size_t also_count;
  const term *also; /* further formulas that will be abstracted */
  bool changed;
} sorting;

/* The user wants it to be kept (`control`, `--keep`), but it meets data in the atom: both cannot be. */
static void refuse(predicate_model *s, variable v, term atom) {
  if (s->trouble) return;
  text why = {0};
  text_add(&why, "%s cannot be kept: ", variable_name(s->ts, v));
  term_print(s->ts, atom, &why);
  text_add(&why, " compares it with data, or with too many values; keep the other variables too, or not this one");
  s->trouble = arena_copy_string(terms_arena(s->ts), text_string(&why));
  text_clear(&why);
}

static void make_data(sorting *x, variable v, term atom) {
  if (variable_type(x->s->ts, v)->sort == SORT_BOOL || !map_get(x->control, v.x, NULL)) return;
  uint64_t still;
  map_get(x->control, v.x, &still);
  if (!still) return;
  if (control_is_wanted(x->s->model, v)) refuse(x->s, v, atom);
  map_set(x->control, v.x, 0);
  x->changed = true;
}

static bool is_control_now(const sorting *x, variable v) {
  uint64_t still = 0;
  return map_get(x->control, v.x, &still) && still;
}

static void look_at_atom(sorting *x, term atom) {
  const terms *ts = x->s->ts;
  variable_vector all = {0};
  term_variables(ts, 1, &atom, &all);
  uint64_t combinations = 1;
  bool mixed = false;
  for (size_t i = 0; i < all.count; i++) {
    if (!is_control_now(x, all.at[i]))
      mixed = true;
    else if (combinations <= MOST_COMBINATIONS)
      combinations *= type_size(variable_type(ts, all.at[i]), MOST_VALUES);
  }
  if (mixed || combinations > MOST_COMBINATIONS)
    for (size_t i = 0; i < all.count; i++) make_data(x, all.at[i], atom);
  VECTOR_FREE(all);
}

static void look_at(sorting *x, term t) {
  terms *ts = x->s->ts;
  term_vector atoms = {0};
  term_atoms(ts, prepare(ts, t), &atoms);
  for (size_t i = 0; i < atoms.count; i++) look_at_atom(x, atoms.at[i]);
  VECTOR_FREE(atoms);
}

static void look_at_transition(sorting *x, const transition *t) {
  terms *ts = x->s->ts;
  look_at(x, transition_enabled(x->s->model, t));
  for (size_t i = 0; i < t->updates.count; i++) {
    const update *u = &t->updates.at[i];
    if (term_sort(ts, u->value) == SORT_BOOL) {
      look_at(x, u->value);
    } else if (term_sort(ts, u->value) == SORT_INT) {
      /* control: compared with one of its values; data: with something that is data */
      bool control = is_control_now(x, u->var);
      term with =
          control ? term_number(ts, variable_type(ts, u->var)->low) : term_of_variable(ts, variable_next(ts, u->var));
      look_at(x, term_eq(ts, u->value, with));
    }
  }
}

static void sort_variables(sorting *x) {
  const model *m = x->s->model;
  do {
    x->changed = false;
    look_at(x, x->s->init);
    look_at(x, x->s->bad);
    for (size_t i = 0; i < x->also_count; i++) look_at(x, x->also[i]);
    for (size_t i = 0; i < m->transitions.count; i++) look_at_transition(x, &m->transitions.at[i]);
    for (size_t i = 0; i < m->predicates.count; i++) look_at(x, m->predicates.at[i]);
    for (size_t i = 0; i < m->lemmas.count; i++) look_at(x, m->lemmas.at[i]);
  } while (x->changed);
}

static void add_control(predicate_model *s, variable v, bool is_input) {
  const type *t = variable_type(s->ts, v);
  int64_t low = 0;
  if (t->sort == SORT_INT) number_to_int64(t->low, &low);
  map_set(s->control_of, v.x, s->controls.count);
  VECTOR_PUSH(s->controls, (control){v, low, (uint32_t)type_size(t, MOST_VALUES), is_input});
}

static void find_controls(predicate_model *s, size_t count, const term *also) {
  const model *m = s->model;
  sorting x = {.s = s, .control = map_new(), .also_count = count, .also = also};
  for (size_t i = 0; i < m->variables.count; i++)
    if (may_be_control(m, m->variables.at[i].var)) map_set(x.control, m->variables.at[i].var.x, 1);
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count; j++) {
      variable v = m->transitions.at[i].inputs.at[j];
      if (may_be_control(m, v)) map_set(x.control, v.x, 1);
    }
  sort_variables(&x);
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    if (is_control_now(&x, v))
      add_control(s, v, false);
    else
      VECTOR_PUSH(s->data, v);
  }
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count; j++) {
      variable v = m->transitions.at[i].inputs.at[j];
      if (is_control_now(&x, v) && !map_get(s->control_of, v.x, NULL)) add_control(s, v, true);
    }
  map_free(x.control);
}

/* ---- formulas ---- */

bool predicate_model_without_inputs(const predicate_model *s, presburger *p, term t, term context, term *out) {
  *out = t;
  if (predicate_model_is_of_state(s, t)) return true;
  variable_vector all = {0}, kept = {0};
  term_variables(s->ts, 2, (term[]){t, context}, &all);
  for (size_t i = 0; i < all.count; i++)
    if (model_is_state_variable(s->model, all.at[i])) VECTOR_PUSH(kept, all.at[i]);
  const frame *wide = presburger_frame(p, all.count, all.at), *narrow = presburger_frame(p, kept.count, kept.at);
  region *types = region_of_types(p, wide), *whole = region_of_term(p, wide, t), *inside = region_meet(whole, types);
  region *state_types = region_of_types(p, narrow), *given = region_of_term(p, narrow, context),
         *around = region_meet(state_types, given);
  region *rest = region_project(inside, narrow), *simple = region_simplify_under(rest, around);
  bool fine = region_term(simple, out);
  region *made[] = {types, whole, inside, state_types, given, around, rest, simple};
  for (size_t i = 0; i < ARRAY_LENGTH(made); i++) region_free(made[i]);
  VECTOR_FREE(all);
  VECTOR_FREE(kept);
  return fine;
}

static void make_bad(predicate_model *s, presburger *p) {
  const model *m = s->model;
  s->bad = TERM_FALSE;
  if (s->property == SIZE_MAX) return;
  const property *wanted = &m->properties.at[s->property];
  if (wanted->kind == PROPERTY_SAFE || wanted->kind == PROPERTY_NO_FAULT) {
    s->bad = wanted->bad;
  } else if (wanted->kind == PROPERTY_DEADLOCKFREE) {
    s->bad = TERM_TRUE;
    for (size_t i = 0; i < m->transitions.count && !s->trouble; i++) {
      term can;
      if (predicate_model_without_inputs(s, p, transition_enabled(m, &m->transitions.at[i]), TERM_TRUE, &can))
        s->bad = term_and(s->ts, s->bad, term_not(can));
      else
        s->trouble = "inputs of a transition cannot be eliminated";
    }
  } else {
    s->trouble = "temporal properties are for other engines";
  }
}

static bool only_parameters(const predicate_model *s, term t) {
  variable_vector all = {0};
  term_variables(s->ts, 1, &t, &all);
  bool only = all.count > 0; /* `false` is about the initial states: there are none */
  for (size_t i = 0; i < all.count && only; i++) {
    size_t at = model_position(s->model, all.at[i]);
    only = at != SIZE_MAX && s->model->variables.at[at].role == ROLE_PARAMETER &&
           !map_get(s->control_of, all.at[i].x, NULL);
  }
  VECTOR_FREE(all);
  return only;
}

static void split_init(predicate_model *s) {
  term_vector parts = {0}, facts = {0}, rest = {0};
  term_conjuncts(s->ts, s->init, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    if (only_parameters(s, parts.at[i]))
      VECTOR_PUSH(facts, parts.at[i]);
    else
      VECTOR_PUSH(rest, parts.at[i]);
  }
  s->facts = term_and_all(s->ts, facts.count, facts.at);
  s->init = term_and_all(s->ts, rest.count, rest.at);
  VECTOR_FREE(parts);
  VECTOR_FREE(facts);
  VECTOR_FREE(rest);
}

static void add_control_update(predicate_model *s, predicate_action *a, const update *u) {
  uint64_t at;
  if (!map_get(s->control_of, u->var.x, &at)) return;
  const control *c = &s->controls.at[at];
  control_update made = {.control = (uint32_t)at};
  for (uint32_t k = 0; k < c->values; k++) {
    term is = term_sort(s->ts, u->value) == SORT_BOOL ? (k ? u->value : term_not(u->value))
                                                      : term_eq(s->ts, u->value, term_int(s->ts, c->low + k));
    VECTOR_PUSH(made.when, prepare(s->ts, term_simplify_under(s->ts, is, 1, &a->enabled)));
  }
  VECTOR_PUSH(a->updates, made);
}

static void add_action(predicate_model *s, uint32_t transition) {
  const struct transition *t = &s->model->transitions.at[transition];
  predicate_action a = {.transition = transition,
                        .enabled = prepare(s->ts, transition_enabled(s->model, t)),
                        .known = TERM_TRUE,
                        .before = TERM_TRUE};
  if (term_is_false(a.enabled)) return;
  for (size_t i = 0; i < t->updates.count; i++) add_control_update(s, &a, &t->updates.at[i]);
  VECTOR_PUSH(s->actions, a);
}

predicate_model *predicate_model_new(const model *m, size_t property, presburger *p) {
  return predicate_model_new_about(m, property, p, 0, NULL);
}

predicate_model *predicate_model_new_about(const model *m, size_t property, presburger *p, size_t count,
                                           const term *also) {
  predicate_model *s = MEMORY_NEW(predicate_model);
  *s = (predicate_model){.model = m, .property = property, .ts = m->terms, .control_of = map_new(), .init = m->init};
  s->proved = s->bad_known = TERM_TRUE;
  make_bad(s, p);
  s->bad = prepare(s->ts, s->bad);
  s->init = prepare(s->ts, s->init);
  find_controls(s, count, also);
  split_init(s);
  for (uint32_t i = 0; i < m->transitions.count; i++) add_action(s, i);
  return s;
}

void predicate_model_free(predicate_model *s) {
  if (!s) return;
  for (size_t i = 0; i < s->actions.count; i++) {
    for (size_t j = 0; j < s->actions.at[i].updates.count; j++) VECTOR_FREE(s->actions.at[i].updates.at[j].when);
    VECTOR_FREE(s->actions.at[i].updates);
  }
  VECTOR_FREE(s->actions);
  VECTOR_FREE(s->controls);
  VECTOR_FREE(s->data);
  map_free(s->control_of);
  memory_free(s);
}

/* ---- what is proved already ---- */

/* Atoms of facts that no predicate knows make abstraction slower; facts with more than this are left out. */
enum { MOST_ATOMS_PROVED = 6 };

static bool speaks_of(const predicate_model *s, term t, bool control) {
  term_vector atoms = {0};
  term_atoms(s->ts, t, &atoms);
  bool does = false;
  for (size_t i = 0; i < atoms.count && !does; i++) does = predicate_model_is_control(s, atoms.at[i]) == control;
  VECTOR_FREE(atoms);
  return does;
}

/* No atom in it is about both control and data. */
static bool is_separate(const predicate_model *s, term t) {
  term_vector atoms = {0};
  variable_vector all = {0};
  predicate_model_data_atoms(s, t, &atoms);
  term_variables(s->ts, atoms.count, atoms.at, &all);
  bool separate = true;
  for (size_t i = 0; i < all.count && separate; i++) separate = !map_get(s->control_of, all.at[i].x, NULL);
  VECTOR_FREE(all);
  VECTOR_FREE(atoms);
  return separate;
}

/* What `fact` says if `where` holds; `true` if that has too many atoms. */
static term known_where(const predicate_model *s, term fact, term where) {
  term known = prepare(s->ts, term_simplify_under(s->ts, fact, 1, &where));
  if (!speaks_of(s, known, true)) return known;
  term_vector atoms = {0};
  predicate_model_data_atoms(s, known, &atoms);
  if (atoms.count > MOST_ATOMS_PROVED) known = TERM_TRUE;
  VECTOR_FREE(atoms);
  return known;
}

void predicate_model_add_proved(predicate_model *s, term t) {
  term_vector parts = {0};
  term_conjuncts(s->ts, prepare(s->ts, t), &parts);
  for (size_t i = 0; i < parts.count; i++) {
    term fact = parts.at[i];
    if (!is_separate(s, fact)) continue;
    s->proved = term_and(s->ts, s->proved, fact);
    if (!speaks_of(s, fact, true)) {
      s->facts = term_and(s->ts, s->facts, fact);
      continue;
    }
    s->bad_known = term_and(s->ts, s->bad_known, known_where(s, fact, s->bad));
    for (size_t j = 0; j < s->actions.count; j++)
      s->actions.at[j].known = term_and(s->ts, s->actions.at[j].known, known_where(s, fact, s->actions.at[j].enabled));
  }
  VECTOR_FREE(parts);
}

void predicate_model_relative_to(predicate_model *s, term p) {
  p = prepare(s->ts, p);
  if (!is_separate(s, p)) return;
  for (size_t i = 0; i < s->actions.count; i++) {
    predicate_action *a = &s->actions.at[i];
    a->before = prepare(s->ts, term_simplify_under(s->ts, p, 1, &a->enabled));
  }
}

term predicate_model_after(const predicate_model *s, const predicate_action *a, term t) {
  term after = transform_after(s->model, &s->model->transitions.at[a->transition], t);
  if (term_same(after, t)) return t;
  after = prepare(s->ts, after);
  return prepare(s->ts, term_simplify_under(s->ts, after, 1, &a->enabled));
}

static bool all_variables(const predicate_model *s, term t, bool (*is)(const predicate_model *, variable)) {
  variable_vector all = {0};
  term_variables(s->ts, 1, &t, &all);
  bool yes = true;
  for (size_t i = 0; i < all.count && yes; i++) yes = is(s, all.at[i]);
  VECTOR_FREE(all);
  return yes;
}

static bool variable_is_control(const predicate_model *s, variable v) { return map_get(s->control_of, v.x, NULL); }
static bool variable_is_of_state(const predicate_model *s, variable v) { return model_is_state_variable(s->model, v); }
bool predicate_model_is_control(const predicate_model *s, term atom) {
  return all_variables(s, atom, variable_is_control);
}
bool predicate_model_is_of_state(const predicate_model *s, term t) { return all_variables(s, t, variable_is_of_state); }

void predicate_model_data_atoms(const predicate_model *s, term t, term_vector *out) {
  term_vector atoms = {0};
  term_atoms(s->ts, t, &atoms);
  for (size_t i = 0; i < atoms.count; i++) {
    bool there = predicate_model_is_control(s, atoms.at[i]);
    for (size_t j = 0; j < out->count && !there; j++) there = term_same(out->at[j], atoms.at[i]);
    if (!there) VECTOR_PUSH(*out, atoms.at[i]);
  }
  VECTOR_FREE(atoms);
}
