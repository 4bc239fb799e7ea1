/* States before the one where it is are not kept as words: going back takes the steps again from the first state. */
#include "run/simulate/guided_run.h"

#include "run/simulate/simulation.h"
#include "term/evaluate.h"

enum { MOST_LISTED_OF_ONE = 12 };

struct guided_run {
  model *model;
  budget *budget;
  simulation *simulation; /* is in the state `place` of the run */
  evidence run;
  size_t place;
  state_condition *stop; /* NULL: nowhere */
};

guided_run *guided_run_new(model *m, uint64_t seed, budget *b) {
  guided_run *x = MEMORY_NEW(guided_run);
  x->model = m;
  x->budget = b;
  x->simulation = simulation_new(m, seed, b);
  x->run.kind = EVIDENCE_TRACE;
  return x;
}

void guided_run_free(guided_run *x) {
  if (!x) return;
  state_condition_free(x->stop);
  simulation_free(x->simulation);
  evidence_clear(&x->run);
  memory_free(x);
}

const evidence *guided_run_run(const guided_run *x) { return &x->run; }

size_t guided_run_place(const guided_run *x) { return x->place; }

static void clear_step(trace_step *s) {
  VECTOR_FREE(s->inputs);
  VECTOR_FREE(s->values);
  VECTOR_FREE(s->heap);
}

/* The steps after `place` are forgotten. */
static void cut(guided_run *x) {
  while (x->run.steps.count > x->place + 1) clear_step(&x->run.steps.at[--x->run.steps.count]);
}

char *guided_run_start(guided_run *x) {
  trace_clear(&x->run.steps);
  x->place = 0;
  char *problem = simulation_start(x->simulation, &x->run);
  if (!problem) trace_recompute(x->model, &x->run.steps);
  return problem;
}

static bool is_initial(const model *m, const trace_step *s) {
  number_vector values = {0};
  for (size_t i = 0; i < m->variables.count; i++)
    if (!type_has_value(variable_type(m->terms, m->variables.at[i].var), s->values.at[i])) return false;
  trace_step_assignment(m, s, NULL, NULL, &values);
  bool is = !number_is(term_evaluate(m->terms, m->init, values.at), 0);
  VECTOR_FREE(values);
  return is;
}

static trace_step copy_step(const trace_step *s) {
  trace_step copy = {.transition = s->transition};
  for (size_t i = 0; i < s->inputs.count; i++) VECTOR_PUSH(copy.inputs, s->inputs.at[i]);
  for (size_t i = 0; i < s->values.count; i++) VECTOR_PUSH(copy.values, s->values.at[i]);
  for (size_t i = 0; i < s->heap.count; i++) VECTOR_PUSH(copy.heap, s->heap.at[i]);
  return copy;
}

bool guided_run_load(guided_run *x, const trace *steps) {
  bool fine =
      steps->count && is_initial(x->model, &steps->at[0]) && simulation_replay(x->simulation, steps->count, steps->at);
  if (!fine) {
    guided_run_go(x, x->place);
    return false;
  }
  trace_clear(&x->run.steps);
  for (size_t i = 0; i < steps->count; i++) VECTOR_PUSH(x->run.steps, copy_step(&steps->at[i]));
  trace_recompute(x->model, &x->run.steps);
  x->place = steps->count - 1;
  return true;
}

void guided_run_go(guided_run *x, size_t place) {
  x->place = place;
  bool fine = simulation_replay(x->simulation, place + 1, x->run.steps.at);
  assert(fine);
  (void)fine;
}

/* ---- what can be done ---- */

/* The step from the state where it is, with the heap after it. */
static trace_step step_made(const guided_run *x, uint32_t index, const int64_t *inputs) {
  const transition *t = &x->model->transitions.at[index];
  trace_step made = {.transition = index};
  for (size_t i = 0; i < t->inputs.count; i++) VECTOR_PUSH(made.inputs, number_of(inputs[i]));
  const int64_t *next = simulation_next(x->simulation);
  for (size_t i = 0; i < x->model->variables.count; i++) VECTOR_PUSH(made.values, number_of(next[i]));
  if (!x->model->has_heap) return made;
  trace two = {0};
  VECTOR_PUSH(two, copy_step(&x->run.steps.at[x->place]));
  VECTOR_PUSH(two, made);
  trace_recompute(x->model, &two);
  made = two.at[1];
  clear_step(&two.at[0]);
  VECTOR_FREE(two);
  return made;
}

static bool add_choice(guided_run *x, uint32_t index, const int64_t *inputs, guided_run_choices *out) {
  size_t fault = 0;
  step_status status = simulation_try(x->simulation, index, inputs, &fault);
  if (status != STEP_TAKEN && status != STEP_FAULT) return false;
  guided_run_choice c = {.is_fault = status == STEP_FAULT, .fault = (uint32_t)fault};
  c.step = step_made(x, index, inputs);
  VECTOR_PUSH(*out, c);
  return true;
}

static void list_transition(guided_run *x, uint32_t index, guided_run_choices *out) {
  const transition *t = &x->model->transitions.at[index];
  int64_t *inputs = MEMORY_ARRAY(int64_t, t->inputs.count + 1);
  if (!simulation_inputs_are_few(x->simulation, index)) {
    if (simulation_draw_inputs(x->simulation, index, inputs) && add_choice(x, index, inputs, out))
      VECTOR_LAST(*out).has_more = true;
    memory_free(inputs);
    return;
  }
  size_t listed = 0;
  inputs_first(x->model, t, inputs);
  do {
    if (listed == MOST_LISTED_OF_ONE) {
      step_status status = simulation_try(x->simulation, index, inputs, NULL);
      VECTOR_LAST(*out).has_more |= status == STEP_TAKEN || status == STEP_FAULT;
    } else {
      listed += add_choice(x, index, inputs, out);
    }
  } while (!(listed == MOST_LISTED_OF_ONE && VECTOR_LAST(*out).has_more) && inputs_advance(x->model, t, inputs));
  memory_free(inputs);
}

void guided_run_choices_list(guided_run *x, guided_run_choices *out) {
  for (size_t i = 0; i < x->model->transitions.count && !budget_spent(x->budget); i++)
    list_transition(x, (uint32_t)i, out);
}

void guided_run_choices_clear(guided_run_choices *c) {
  for (size_t i = 0; i < c->count; i++) clear_step(&c->at[i].step);
  VECTOR_FREE(*c);
}

/* ---- doing it ---- */

static GIVE char *why_not(const guided_run *x, uint32_t index, step_status status, size_t fault) {
  const transition *t = &x->model->transitions.at[index];
  switch (status) {
    case STEP_DISABLED: return memory_copy_string("it cannot be taken with these inputs");
    case STEP_FAULT: return text_format("run-time error in %s: %s", t->name, t->faults.at[fault].what);
    case STEP_NO_NODES: return memory_copy_string("the list is longer than simulation follows");
    default: return memory_copy_string("a value does not fit in 64 bits");
  }
}

static bool values_are_of_type(const guided_run *x, const transition *t, const int64_t *inputs) {
  for (size_t i = 0; i < t->inputs.count; i++)
    if (!type_has_value(variable_type(x->model->terms, t->inputs.at[i]), number_of(inputs[i]))) return false;
  return true;
}

char *guided_run_take(guided_run *x, uint32_t index, const number_vector *inputs) {
  const transition *t = &x->model->transitions.at[index];
  int64_t *words = MEMORY_ARRAY(int64_t, t->inputs.count + 1);
  bool fits = true;
  size_t fault = 0;
  for (size_t i = 0; i < t->inputs.count && fits; i++) fits = number_to_int64(inputs->at[i], &words[i]);
  step_status status = !fits                              ? STEP_OVERFLOW
                       : !values_are_of_type(x, t, words) ? STEP_DISABLED
                                                          : simulation_try(x->simulation, index, words, &fault);
  if (status == STEP_TAKEN) {
    trace_step made = step_made(x, index, words);
    cut(x);
    VECTOR_PUSH(x->run.steps, made);
    x->place++;
    simulation_take(x->simulation);
  }
  memory_free(words);
  return status == STEP_TAKEN ? NULL : why_not(x, index, status, fault);
}

void guided_run_stop_where(guided_run *x, term condition) {
  state_condition_free(x->stop);
  x->stop = term_same(condition, TERM_FALSE) ? NULL : state_condition_new(x->model, condition);
}

char *guided_run_random(guided_run *x, uint64_t count, uint64_t *taken) {
  char *ending = NULL;
  cut(x);
  for (*taken = 0; *taken < count && !ending; (*taken)++) {
    const char *spent = budget_spent(x->budget);
    ending = spent ? memory_copy_string(spent) : simulation_step(x->simulation, &x->run);
    if (ending) break;
    x->place++;
    if (x->stop && state_condition_holds(x->stop, simulation_state(x->simulation)))
      ending = memory_copy_string("the condition of `break` holds");
  }
  if (x->model->has_heap) trace_recompute(x->model, &x->run.steps);
  return ending;
}
