/* A run: sets of states that reach a bad state in 0, 1, .. steps, back to an initial state; then one state after the
 * other, forwards.
 *
 *   layers               B_0 = bad, B_j+1 = what has a step into B_j and is in none before; accelerated steps count as
 *                        one
 *   hop                  from a state of B_j+1 to one of B_j
 *   run_out, write_out   rounds of an accelerated cycle, as the steps of the model that they are: computed if there are
 *                        no inputs, else through sets of states
 * All of it is exact, so the checker will be able to repeat it. */
#include "engine/fbar/evidence_of.h"
#include "model/semantics.h"
#include "model/transform.h"
#include "term/substitute.h"

typedef VECTOR(region *) region_vector;

typedef struct witness {
  problem *p;
  evidence *out;
  region_vector layers;
  size_t width;
  number *at;         /* the state at hand */
  semantics *meaning; /* NULL before it is needed */
  const char *why;    /* it did not work out */
} witness;

static void free_regions(region_vector *v) {
  for (size_t i = 0; i < v->count; i++) region_free(v->at[i]);
  VECTOR_FREE(*v);
}

static bool fail(witness *w, const char *why) {
  if (!w->why) w->why = why ? why : "the run could not be written out";
  return false;
}

static bool go_on(witness *w) {
  const char *spent = budget_spent(w->p->env->budget);
  if (spent) fail(w, spent);
  return !w->why;
}

/* ---- backwards ---- */

static bool build_layers(witness *w) {
  region *seen = region_copy(w->p->last);
  VECTOR_PUSH(w->layers, region_copy(w->p->last));
  for (;;) {
    const region *newest = VECTOR_LAST(w->layers);
    answer reached = region_meets(newest, w->p->first);
    if (answer_is_unsure(reached)) fail(w, reached.reason);
    if (!answer_is_no(reached) || !go_on(w)) break;
    region *before = relation_before(w->p->every, newest), *fresh = region_tidy(region_minus(before, seen));
    region *more = region_tidy(region_join(seen, before));
    region_free(before);
    region_free(seen);
    seen = more;
    answer none = region_is_empty(fresh);
    VECTOR_PUSH(w->layers, fresh);
    if (!answer_is_no(none)) fail(w, answer_is_yes(none) ? "no run was found" : none.reason);
    if (w->why) break;
  }
  region_free(seen);
  return !w->why;
}

/* ---- one step of the model ---- */

/* Values of the transition's inputs, of their types, that make `t` hold if the state is the one at hand (and the
 * next one is `next`, if it is given). */
static bool find_inputs(witness *w, const transition *tr, term t, const number *next, number_vector *out) {
  const model *m = w->p->model;
  terms *ts = w->p->ts;
  substitution *by = substitution_new(ts);
  for (size_t i = 0; i < w->width; i++) {
    variable v = m->variables.at[i].var;
    bool truth = variable_type(ts, v)->sort == SORT_BOOL;
    substitution_set(by, v, truth ? term_of_bool(!number_is(w->at[i], 0)) : term_number(ts, w->at[i]));
    if (next)
      substitution_set(by, variable_next(ts, v),
                       truth ? term_of_bool(!number_is(next[i], 0)) : term_number(ts, next[i]));
  }
  for (size_t i = 0; i < tr->inputs.count; i++) t = term_and(ts, t, variable_in_type(ts, tr->inputs.at[i]));
  const frame *inputs = presburger_frame(w->p->sets, tr->inputs.count, tr->inputs.at);
  region *types = region_of_types(w->p->sets, inputs),
         *where = region_of_term(w->p->sets, inputs, substitution_apply(by, t)), *values = region_meet(types, where);
  substitution_free(by);
  VECTOR_CLEAR(*out);
  for (size_t i = 0; i < tr->inputs.count; i++) VECTOR_PUSH(*out, number_of(0));
  bool found = answer_is_no(region_is_empty(values)) && region_point(values, out->at);
  region_free(types);
  region_free(where);
  region_free(values);
  return found;
}

static void add_state(witness *w, uint32_t transition, number_vector inputs) {
  trace_step made = {
      .transition = transition, .inputs.at = inputs.at, .inputs.count = inputs.count, .inputs.room = inputs.room};
  for (size_t i = 0; i < w->width; i++) VECTOR_PUSH(made.values, w->at[i]);
  VECTOR_PUSH(w->out->steps, made);
}

/* By transition `t` to the state `next`. */
static bool take_step(witness *w, uint32_t t, const number *next) {
  const transition *tr = &w->p->model->transitions.at[t];
  number_vector inputs = {0};
  if (tr->inputs.count && !find_inputs(w, tr, transform_relation(w->p->model, tr), next, &inputs)) {
    VECTOR_FREE(inputs);
    return fail(w, presburger_trouble(w->p->sets));
  }
  memcpy(w->at, next, w->width * sizeof *next);
  add_state(w, t, inputs);
  return true;
}

/* ---- accelerated steps ---- */

static bool contains(witness *w, const region *r, const region *point) {
  answer inside = region_meets(r, point);
  if (answer_is_unsure(inside)) fail(w, inside.reason);
  return answer_is_yes(inside);
}

/* The states after 0, 1, .. steps of the cycle, until a round ends with `goal` among them. */
static bool unroll(witness *w, const acceleration *a, const region *goal, region_vector *out) {
  VECTOR_PUSH(*out, region_of_point(w->p->sets, w->p->frame, w->at));
  do {
    for (size_t i = 0; i < a->length; i++) {
      region *next = region_tidy(relation_after(w->p->steps.at[a->cycle[i]], VECTOR_LAST(*out)));
      VECTOR_PUSH(*out, next);
    }
    if (!VECTOR_LAST(*out)) return fail(w, presburger_trouble(w->p->sets));
  } while (!contains(w, VECTOR_LAST(*out), goal) && go_on(w));
  return !w->why;
}

/* Through the sets of `unroll`, backwards from the goal; `path` gets the states after the first, in a row. */
static bool thread(witness *w, const acceleration *a, const region_vector *sets, number *path) {
  for (size_t i = sets->count - 1; i-- > 1;) {
    region *next = region_of_point(w->p->sets, w->p->frame, path + i * w->width);
    region *before = relation_before(w->p->steps.at[a->cycle[i % a->length]], next),
           *here = region_meet(before, sets->at[i]);
    bool fine = region_point(here, path + (i - 1) * w->width);
    region_free(next);
    region_free(before);
    region_free(here);
    if (!fine) return fail(w, presburger_trouble(w->p->sets));
  }
  return true;
}

/* True if a round of the cycle leads to `next` in the end; then the steps are taken. */
static bool compute_run(witness *w, const acceleration *a, int64_t *state, const int64_t *goal) {
  int64_t *after = state + w->width;
  number *values = MEMORY_ARRAY(number, w->width + 1);
  bool taken = true, there = false;
  while (taken && !there && go_on(w)) {
    for (size_t i = 0; i < a->length && taken; i++) {
      taken = semantics_step(w->meaning, a->cycle[i], state, NULL, after, NULL) == STEP_TAKEN;
      for (size_t k = 0; k < w->width && taken; k++) values[k] = number_of(state[k] = after[k]);
      taken = taken && take_step(w, a->cycle[i], values);
    }
    there = taken && memcmp(state, goal, w->width * sizeof *goal) == 0;
  }
  memory_free(values);
  return there;
}

/* The same as write_out, much faster; false if the cycle has inputs or values are too large, and then nothing has
 * happened. */
static bool run_out(witness *w, const acceleration *a, const number *next) {
  size_t before = w->out->steps.count;
  int64_t *words = MEMORY_ARRAY(int64_t, 3 * w->width + 1);
  number *from = MEMORY_ARRAY(number, w->width + 1);
  bool fits = true;
  memcpy(from, w->at, w->width * sizeof *from);
  for (size_t i = 0; i < a->length; i++) fits &= !w->p->model->transitions.at[a->cycle[i]].inputs.count;
  for (size_t i = 0; i < w->width && fits; i++)
    fits = number_to_int64(from[i], &words[i]) && number_to_int64(next[i], &words[2 * w->width + i]);
  if (fits && !w->meaning) w->meaning = semantics_new(w->p->model);
  bool done = fits && compute_run(w, a, words, words + 2 * w->width);
  if (!done) {
    memcpy(w->at, from, w->width * sizeof *from);
    while (w->out->steps.count > before) {
      trace_step last = VECTOR_POP(w->out->steps);
      VECTOR_FREE(last.values);
    }
  }
  memory_free(words);
  memory_free(from);
  return done;
}

static bool write_out(witness *w, const acceleration *a, const number *next) {
  if (run_out(w, a, next)) return true;
  region *goal = region_of_point(w->p->sets, w->p->frame, next);
  region_vector sets = {0};
  bool fine = unroll(w, a, goal, &sets);
  number *path = MEMORY_ARRAY(number, sets.count * w->width + 1);
  if (fine) {
    memcpy(path + (sets.count - 2) * w->width, next, w->width * sizeof *next);
    fine = thread(w, a, &sets, path);
    for (size_t i = 0; i + 1 < sets.count && fine; i++)
      fine = take_step(w, a->cycle[i % a->length], path + i * w->width);
  }
  memory_free(path);
  free_regions(&sets);
  region_free(goal);
  return fine;
}

/* ---- forwards ---- */

/* A state of `goal` one step of `r` away. */
static bool find_next(witness *w, const relation *r, const region *goal, number *next) {
  region *here = region_of_point(w->p->sets, w->p->frame, w->at);
  region *after = relation_after(r, here), *both = region_meet(after, goal);
  answer none = region_is_empty(both);
  bool found = answer_is_no(none) && region_point(both, next);
  if (answer_is_unsure(none)) fail(w, none.reason);
  region_free(here);
  region_free(after);
  region_free(both);
  return found;
}

static bool hop(witness *w, const region *goal) {
  problem *p = w->p;
  number *next = MEMORY_ARRAY(number, w->width + 1);
  bool done = false;
  for (uint32_t i = 0; i < p->steps.count && !done && !w->why; i++)
    done = find_next(w, p->steps.at[i], goal, next) && take_step(w, i, next);
  for (size_t i = 0; i < p->accelerations.count && !done && !w->why; i++)
    done = find_next(w, p->accelerations.at[i].rounds, goal, next) && write_out(w, &p->accelerations.at[i], next);
  memory_free(next);
  return done || fail(w, NULL);
}

/* Which fault happens in the last state. */
static bool find_fault(witness *w) {
  const model *m = w->p->model;
  for (uint32_t i = 0; i < m->transitions.count; i++)
    for (uint32_t j = 0; j < m->transitions.at[i].faults.count; j++) {
      number_vector inputs = {0};
      if (find_inputs(w, &m->transitions.at[i], m->transitions.at[i].faults.at[j].when, NULL, &inputs)) {
        w->out->fault_transition = i;
        w->out->fault = j;
        for (size_t k = 0; k < inputs.count; k++) VECTOR_PUSH(w->out->fault_inputs, inputs.at[k]);
        VECTOR_FREE(inputs);
        return true;
      }
      VECTOR_FREE(inputs);
    }
  return fail(w, NULL);
}

static bool walk(witness *w) {
  region *start = region_meet(VECTOR_LAST(w->layers), w->p->first);
  bool fine = region_point(start, w->at);
  region_free(start);
  if (!fine) return fail(w, presburger_trouble(w->p->sets));
  w->out->kind = EVIDENCE_TRACE;
  add_state(w, 0, (number_vector){0});
  for (size_t i = w->layers.count - 1; i-- > 0 && fine;) fine = hop(w, w->layers.at[i]);
  if (fine && w->p->model->properties.at[w->p->env->property].kind == PROPERTY_NO_FAULT) fine = find_fault(w);
  return fine;
}

const char *evidence_of_run(problem *p, evidence *out) {
  witness w = {.p = p, .out = out, .width = p->model->variables.count};
  w.at = MEMORY_ARRAY(number, w.width + 1);
  if (!build_layers(&w) || !walk(&w)) evidence_clear(out);
  free_regions(&w.layers);
  memory_free(w.at);
  semantics_free(w.meaning);
  return w.why;
}
