/* Makes the frame, the regions of initial and bad states and the relation of all steps from the formulas of a model. */
#include "engine/fbar/problem.h"

#include "model/transform.h"

static term types_of(const problem *p, size_t count, const variable *variables) {
  term all = TERM_TRUE;
  for (size_t i = 0; i < count; i++) all = term_and(p->ts, all, variable_in_type(p->ts, variables[i]));
  return all;
}

static void make_frame(problem *p) {
  variable_vector all = {0};
  for (size_t i = 0; i < p->model->variables.count; i++) VECTOR_PUSH(all, p->model->variables.at[i].var);
  p->frame = presburger_frame(p->sets, all.count, all.at);
  p->known = types_of(p, all.count, all.at);
  for (size_t i = 0; i < p->env->facts.count; i++) {
    if (!presburger_can(p->ts, p->env->facts.at[i])) continue;
    p->known = term_and(p->ts, p->known, p->env->facts.at[i]);
    p->env->used_facts = true;
  }
  VECTOR_FREE(all);
}

/* The states within the types where `t` holds. */
static GIVE region *states_where(problem *p, term t) {
  region *types = region_of_types(p->sets, p->frame), *where = region_of_term(p->sets, p->frame, t),
         *both = region_meet(types, where);
  region_free(types);
  region_free(where);
  return region_tidy(both);
}

/* The states for which some inputs of their types make `t` hold. */
static GIVE region *some_inputs(problem *p, term t) {
  variable_vector used = {0}, wide = {0};
  term_variables(p->ts, 1, &t, &used);
  for (size_t i = 0; i < p->model->variables.count; i++) VECTOR_PUSH(wide, p->model->variables.at[i].var);
  size_t states = wide.count;
  for (size_t i = 0; i < used.count; i++)
    if (!model_is_state_variable(p->model, used.at[i])) VECTOR_PUSH(wide, used.at[i]);
  t = term_and_all(p->ts, 3, (term[]){t, p->known, types_of(p, wide.count - states, wide.at + states)});
  region *whole = region_of_term(p->sets, presburger_frame(p->sets, wide.count, wide.at), t);
  region *projected = region_project(whole, p->frame), *result = region_meet(projected, p->all);
  region_free(projected);
  region_free(whole);
  VECTOR_FREE(used);
  VECTOR_FREE(wide);
  return region_tidy(result);
}

/* What is known without the states that have a step. */
static GIVE region *deadlocks(problem *p) {
  region *left = region_copy(p->all);
  for (size_t i = 0; i < p->model->transitions.count; i++) {
    region *can = some_inputs(p, transition_enabled(p->model, &p->model->transitions.at[i])),
           *less = region_minus(left, can);
    region_free(can);
    region_free(left);
    left = less;
  }
  return region_tidy(left);
}

term problem_step(const problem *p, const transition *t) {
  return term_and_all(p->ts, 3,
                      (term[]){transform_relation(p->model, t), p->known, types_of(p, t->inputs.count, t->inputs.at)});
}

relation *problem_relation(const problem *p, const transition *t) {
  return relation_of_term(p->sets, p->frame, t->inputs.count, t->inputs.at, problem_step(p, t));
}

static relation *joined(TAKE relation *a, const relation *b) {
  relation *both = relation_join(a, b);
  relation_free(a);
  return both;
}

static bool make_steps(problem *p) {
  bool fine = true;
  for (size_t i = 0; i < p->model->transitions.count && fine; i++) {
    relation *step = problem_relation(p, &p->model->transitions.at[i]);
    fine = step != NULL;
    if (fine) VECTOR_PUSH(p->steps, step);
  }
  return fine;
}

/* The relation of no steps, then all there are. */
static bool join_steps(problem *p) {
  p->every = relation_of_term(p->sets, p->frame, 0, NULL, TERM_FALSE);
  for (size_t i = 0; i < p->steps.count; i++) p->every = joined(p->every, p->steps.at[i]);
  for (size_t i = 0; i < p->accelerations.count; i++) p->every = joined(p->every, p->accelerations.at[i].rounds);
  return p->every != NULL;
}

const char *problem_open(problem *p, engine_environment *env) {
  *p = (problem){.env = env, .model = env->model, .ts = env->model->terms};
  p->sets = presburger_new(p->ts, PROBLEM_OPERATIONS);
  make_frame(p);
  if (env->options->accelerate == ACCELERATE_ON) p->known = term_and(p->ts, p->known, problem_bounds(p));
  const property *wanted = &p->model->properties.at[env->property];
  p->all = states_where(p, p->known);
  p->first = states_where(p, term_and(p->ts, p->known, p->model->init));
  p->last = wanted->kind == PROPERTY_DEADLOCKFREE ? deadlocks(p) : some_inputs(p, wanted->bad);
  if (!p->all || !p->first || !p->last || !make_steps(p)) return presburger_trouble(p->sets);
  if (env->options->accelerate == ACCELERATE_ON) problem_accelerate(p);
  if (!join_steps(p)) return presburger_trouble(p->sets);
  p->space = (presburger_space){p->sets, p->every};
  return NULL;
}

void problem_close(problem *p) {
  for (size_t i = 0; i < p->steps.count; i++) relation_free(p->steps.at[i]);
  VECTOR_FREE(p->steps);
  for (size_t i = 0; i < p->accelerations.count; i++) relation_free(p->accelerations.at[i].rounds);
  VECTOR_FREE(p->accelerations);
  relation_free(p->every);
  region_free(p->all);
  region_free(p->first);
  region_free(p->last);
  presburger_free(p->sets);
  *p = (problem){0};
}
