/* Evidence about a model with counters (model/counted/counted.h), which is made again here, by code that is not trusted: it is shown that the model as
 * read maps to it. Write h(s) for the state of the counted model in which shared variables are as in s and each counter is the number of
 * copies in its local state (counting_map.h), and Types for "every variable is within its type, and every copy in a local state that has a counter":
 *
 *   types       init implies Types, and a step from Types leads to Types; so every reachable state has them
 *   initial     init(s) implies that h(s) is initial
 *   steps       from s with Types, whenever t can be taken and leads to s', one of the counted transitions of its orbit can be taken in h(s), with
 *               the same inputs, and leads to h(s')
 *   back        if a counted transition can be taken in h(s), s with Types, and leads to x, some t of its orbit can be taken in s, with the
 *               same inputs, and leads to some s' with h(s') = x
 *   states      with Types, a state formula of the property or of fairness holds in s exactly if that of the counted property holds in h(s);
 *               of a property of states: if s is bad, or has a run-time error with some inputs, h(s) is bad
 *   fairness    the same groups have a transition and the counted ones of its orbit
 *
 * With all but the last three every run of the model is, by h, a run of the counted one: so if that is never bad, nor is the model. With all of them h is a
 * bisimulation that keeps state formulas, who belongs to which fair group, and so whether a group can be taken; and s can do nothing
 * exactly if h(s) can do nothing. Then both have the same temporal properties and deadlocks. Where it is claimed that a temporal property fails, some
 * initial state has to be mapped to each initial state of the counted model:
 *
 *   all starts  if x is initial, so is the state that has its shared variables and all copies in one local state, and it is mapped to x
 *
 * A run that breaks a property of states is not taken from the counted model: it is to be a run of the model as read. */
#include "model/transform.h"
#include "proof/check/checkers.h"
#include "proof/check/identical/counting_map.h"
#include "proof/type_and_input_conditions.h"

typedef struct checking {
  const model *m;
  const counter_model *c;
  const property *p, *there;
  terms *ts;
  questions *questions;
  check_result *result;
  counting_map map;
} checking;

static bool reject(checking *x, const char *what) {
  return check_end(x->result, CHECK_REJECTED, memory_copy_string(what), NULL);
}

/* No state has all of these. */
static bool refute(checking *x, size_t count, const term *formulas, const char *what, const char *of) {
  if (!check_within_budget(x->questions, x->result)) return false;
  return check_refute_all(x->questions, formulas, count, text_format("%s%s", what, of), x->result);
}

/* ---- form ---- */

static bool speaks_of(const checking *x, term t, const transition *step) {
  variable_vector all = {0};
  bool fine = true;
  term_variables(x->ts, 1, &t, &all);
  for (size_t i = 0; i < all.count; i++) {
    bool is_known = model_position(x->c->made, all.at[i]) != SIZE_MAX;
    for (size_t j = 0; step && j < step->inputs.count; j++) is_known |= variable_same(step->inputs.at[j], all.at[i]);
    fine &= is_known;
  }
  VECTOR_FREE(all);
  return fine;
}

static bool formula_speaks_of(const checking *x, const temporal *f) {
  if (!f) return true;
  if (f->kind == TEMPORAL_STATE) return speaks_of(x, f->state, NULL);
  return formula_speaks_of(x, f->left) && formula_speaks_of(x, f->right);
}

/* It is a model: its formulas speak of its own variables. */
static bool is_closed(const checking *x) {
  const model *made = x->c->made;
  bool fine =
      speaks_of(x, made->init, NULL) && speaks_of(x, x->there->bad, NULL) && formula_speaks_of(x, x->there->formula);
  for (size_t i = 0; i < made->transitions.count && fine; i++) {
    const transition *t = &made->transitions.at[i];
    fine = speaks_of(x, transition_enabled(made, t), t);
    for (size_t j = 0; j < t->updates.count && fine; j++)
      fine = model_position(made, t->updates.at[j].var) != SIZE_MAX && speaks_of(x, t->updates.at[j].value, t);
  }
  for (size_t i = 0; i < made->fairness.count && fine; i++)
    fine = made->fairness.at[i].kind != FAIR_STATE || speaks_of(x, made->fairness.at[i].state, NULL);
  return fine;
}

static bool check_form(checking *x, const evidence *e) {
  const counter_model *c = x->c;
  if (!counting_map_is_sound(c) || c->steps.count != c->made->transitions.count ||
      c->orbit_of.count != x->m->transitions.count || !is_closed(x))
    return reject(x, "the counted model is not one");
  bool is_fault = x->p->kind == PROPERTY_NO_FAULT && x->there->kind == PROPERTY_SAFE;
  if ((x->there->kind != x->p->kind && !is_fault) || strcmp(x->there->name, x->p->name) != 0)
    return reject(x, "it is about another property");
  if (x->there->kind == PROPERTY_NO_FAULT || x->p->kind == PROPERTY_ENDS)
    return reject(x, "counters say nothing about this kind of property");
  if (evidence_is_against(e) && !property_is_temporal(x->p))
    return reject(x, "a run of the counted model is none of the model");
  return true;
}

/* ---- types, initial states ---- */

/* Every copy is in one of the local states that have a counter. */
static term all_are_somewhere(const checking *x) {
  term all = TERM_TRUE;
  for (size_t copy = 0; copy < x->c->copies; copy++) {
    term some = TERM_FALSE;
    for (size_t s = 0; s < x->c->counters.count; s++) some = term_or(x->ts, some, counted_is_in(x->c, copy, s));
    all = term_and(x->ts, all, some);
  }
  return all;
}

static bool check_types(checking *x, term types, term somewhere) {
  term first[] = {x->m->init, term_not(term_and(x->ts, types, somewhere))};
  if (!refute(x, 2, first, "initial types", "")) return false;
  for (size_t i = 0; i < x->m->transitions.count; i++) {
    const transition *t = &x->m->transitions.at[i];
    term after = term_and(x->ts, condition_types_after(x->m, t), transform_after(x->m, t, somewhere));
    term step[] = {types, somewhere, condition_input_types(x->m, t), transition_enabled(x->m, t), term_not(after)};
    if (!refute(x, ARRAY_LENGTH(step), step, "types preserved by ", t->name)) return false;
  }
  return true;
}

/* From here on, every state is within its types, and marks are what they are to be. */
static void assume(checking *x, term types) {
  term_vector marks = {0};
  counting_map_define(&x->map, &marks);
  solver_assert(questions_solver(x->questions), types);
  for (size_t i = 0; i < marks.count; i++) solver_assert(questions_solver(x->questions), marks.at[i]);
  VECTOR_FREE(marks);
}

static bool check_initial(checking *x) {
  term all[] = {x->m->init, term_not(counting_map_before(&x->map, x->c->made->init))};
  return refute(x, 2, all, "the counted state is initial", "");
}

/* With all copies in the first of the local states in which they may start. */
static bool check_all_starts(checking *x) {
  const counter_model *c = x->c;
  if (!c->first.count || c->first.at[0] >= c->counters.count)
    return check_end(x->result, CHECK_UNSURE, memory_copy_string("copies start nowhere"), NULL);
  substitution *by = substitution_new(x->ts);
  term is_mapped = TERM_TRUE;
  for (size_t i = 0; i < c->locals.count; i++) {
    number n = c->values.at[c->first.at[0] * c->width + i % c->width];
    bool is_bool = variable_type(x->ts, c->locals.at[i])->sort == SORT_BOOL;
    substitution_set(by, c->locals.at[i], is_bool ? term_of_bool(number_is(n, 1)) : term_number(x->ts, n));
  }
  for (size_t s = 0; s < c->counters.count; s++) {
    int64_t count = s == c->first.at[0] ? (int64_t)c->copies : 0;
    term counter = term_of_variable(x->ts, c->counters.at[s]);
    is_mapped = term_and(x->ts, is_mapped, term_eq(x->ts, counter, term_int(x->ts, count)));
  }
  term is_start = term_and(x->ts, substitution_apply(by, x->m->init), is_mapped);
  substitution_free(by);
  term all[] = {c->made->init, term_not(is_start)};
  return refute(x, 2, all, "each counted start is that of a state", "");
}

/* ---- steps ---- */

static bool check_step(checking *x, uint32_t transition) {
  const struct transition *t = &x->m->transitions.at[transition];
  term_vector matches = {0};
  for (size_t i = 0; i < x->c->steps.count; i++)
    if (x->c->steps.at[i].orbit == x->c->orbit_of.at[transition])
      VECTOR_PUSH(matches, counting_map_matches(&x->map, t, &x->c->made->transitions.at[i]));
  term all[] = {condition_input_types(x->m, t), transition_enabled(x->m, t),
                term_not(term_or_all(x->ts, matches.count, matches.at))};
  VECTOR_FREE(matches);
  return refute(x, ARRAY_LENGTH(all), all, "a counted step for ", t->name);
}

/* What `t` does, over the inputs of `made`. */
static term step_with_inputs_of(checking *x, const transition *t, const transition *made) {
  term parts[] = {condition_input_types(x->m, t), transition_enabled(x->m, t), counting_map_matches(&x->map, t, made)};
  term all = term_and_all(x->ts, ARRAY_LENGTH(parts), parts);
  if (t->inputs.count != made->inputs.count) return TERM_FALSE;
  substitution *by = substitution_new(x->ts);
  for (size_t i = 0; i < t->inputs.count; i++)
    substitution_set(by, t->inputs.at[i], term_of_variable(x->ts, made->inputs.at[i]));
  all = substitution_apply(by, all);
  substitution_free(by);
  return all;
}

static bool check_step_back(checking *x, size_t made) {
  const transition *step = &x->c->made->transitions.at[made];
  term_vector matches = {0};
  for (size_t i = 0; i < x->m->transitions.count; i++)
    if (x->c->orbit_of.at[i] == x->c->steps.at[made].orbit)
      VECTOR_PUSH(matches, step_with_inputs_of(x, &x->m->transitions.at[i], step));
  term all[] = {counting_map_before(&x->map, transition_enabled(x->c->made, step)),
                condition_input_types(x->c->made, step), term_not(term_or_all(x->ts, matches.count, matches.at))};
  VECTOR_FREE(matches);
  return refute(x, ARRAY_LENGTH(all), all, "a step for the counted ", step->name);
}

static bool check_steps(checking *x, bool back) {
  bool fine = true;
  for (uint32_t i = 0; i < x->m->transitions.count && fine; i++) fine = check_step(x, i);
  for (size_t i = 0; i < x->c->steps.count && fine && back; i++) fine = check_step_back(x, i);
  return fine;
}

/* ---- states ---- */

static bool check_same_states(checking *x, term here, term there, const char *what) {
  term all[] = {term_not(term_iff(x->ts, here, counting_map_before(&x->map, there)))};
  return refute(x, 1, all, what, "");
}

static bool check_formula(checking *x, const temporal *here, const temporal *there) {
  if (!here || !there) return here == there || reject(x, "the counted property is another one");
  bool same_name = here->name == there->name || (here->name && there->name && !strcmp(here->name, there->name));
  if (here->kind != there->kind || !same_name) return reject(x, "the counted property is another one");
  if (here->kind == TEMPORAL_STATE)
    return check_same_states(x, here->state, there->state, "a state formula of the property");
  return check_formula(x, here->left, there->left) && check_formula(x, here->right, there->right);
}

/* Of a run-time error with any inputs, within their types or not. */
static bool check_bad_states(checking *x) {
  term all[] = {x->p->bad, term_not(counting_map_before(&x->map, x->there->bad))};
  return refute(x, 2, all, "the counted state is bad", "");
}

/* ---- fairness ---- */

static bool is_in_group(const fairness *f, uint32_t transition) {
  for (size_t i = 0; i < f->transitions.count; i++)
    if (f->transitions.at[i] == transition) return true;
  return false;
}

static bool groups_agree(const checking *x, const fairness *here, const fairness *there) {
  for (uint32_t i = 0; i < x->c->orbit_of.count; i++)
    for (uint32_t j = 0; j < x->c->steps.count; j++)
      if (x->c->steps.at[j].orbit == x->c->orbit_of.at[i] && is_in_group(here, i) != is_in_group(there, j))
        return false;
  return true;
}

static bool check_fairness(checking *x) {
  const model *made = x->c->made;
  if (x->m->fairness.count != made->fairness.count) return reject(x, "the counted fairness is another one");
  for (size_t i = 0; i < x->m->fairness.count; i++) {
    const fairness *here = &x->m->fairness.at[i], *there = &made->fairness.at[i];
    if (here->kind != there->kind || here->kind == FAIR_FORMULA)
      return reject(x, "the counted fairness is another one");
    if (here->kind == FAIR_STATE &&
        !check_same_states(x, here->state, there->state, "the states of a fairness condition"))
      return false;
    if (here->kind != FAIR_STATE && !groups_agree(x, here, there))
      return reject(x, "the counted fairness is another one");
  }
  return true;
}

/* ---- all of it ---- */

static bool check_map(checking *x, bool is_against) {
  bool is_temporal = property_is_temporal(x->p), back = is_temporal || x->p->kind == PROPERTY_DEADLOCKFREE;
  term types = condition_types(x->m), somewhere = all_are_somewhere(x);
  if (!check_types(x, types, somewhere)) return false;
  assume(x, term_and(x->ts, types, somewhere));
  if (!check_initial(x) || !check_steps(x, back)) return false;
  if (x->there->kind == PROPERTY_SAFE) return check_bad_states(x);
  if (!is_temporal) return true;
  return check_formula(x, x->p->formula, x->there->formula) && check_fairness(x) &&
         (!is_against || check_all_starts(x));
}

void check_counted(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  checking x = {.m = m, .c = e->counted, .p = p, .ts = m->terms, .questions = q, .result = result};
  if (!e->counted || e->counted->original != m || e->other_property != 0) {
    reject(&x, "it is about another model");
    return;
  }
  x.there = &e->counted->made->properties.at[0];
  if (!check_form(&x, e)) return;
  counting_map_open(&x.map, e->counted);
  bool fine = check_map(&x, evidence_is_against(e));
  counting_map_close(&x.map);
  if (!fine) return;
  check_result found = check_evidence(e->counted->made, 0, e->other, q->budget, q->command);
  found.obligations += result->obligations;
  found.queries += result->queries;
  *result = found;
}
