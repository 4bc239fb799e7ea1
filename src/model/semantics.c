/* Transitions compiled for 64-bit states. Updates that copy, count or set a constant, which most are, need no code. */
#include "model/semantics.h"

#include "model/heap.h"
#include "term/evaluate.h"

typedef enum update_kind { UPDATE_CONSTANT, UPDATE_SHIFT, UPDATE_CODE } update_kind;

typedef struct compiled_update {
  update_kind kind;
  uint32_t target, source; /* UPDATE_SHIFT: state[source] + constant; UPDATE_CODE: position in the outputs */
  int64_t constant;
} compiled_update;

typedef struct compiled_transition {
  condition *guard;
  VECTOR(condition *) guard_faults;  /* may hold when the guard does not */
  VECTOR(condition *) update_faults; /* only if it does */
  VECTOR(size_t) guard_fault_index, update_fault_index;
  VECTOR(compiled_update) updates;
  code *values; /* those of UPDATE_CODE, together */
  size_t value_count, input_count;
  code *heap_value; /* of commands that have one, else NULL */
} compiled_transition;

struct semantics {
  const model *model;
  size_t nodes;
  VECTOR(compiled_transition) transitions;
};

/* Where each variable stands: state variables first, then the inputs of `t`. */
static GIVE uint32_t *make_slots(const model *m, const transition *t) {
  uint32_t *slots = MEMORY_ARRAY(uint32_t, variable_count(m->terms));
  for (size_t i = 0; i < m->variables.count; i++) slots[m->variables.at[i].var.x] = (uint32_t)i;
  if (t)
    for (size_t i = 0; i < t->inputs.count; i++) slots[t->inputs.at[i].x] = (uint32_t)(m->variables.count + i);
  return slots;
}

/* True if every conjunct of `part` is one of `whole`. */
static bool contains_conjuncts(const terms *ts, term whole, term part) {
  term_vector all = {0}, wanted = {0};
  term_conjuncts(ts, whole, &all);
  term_conjuncts(ts, part, &wanted);
  bool every = true;
  for (size_t i = 0; i < wanted.count && every; i++) {
    bool found = false;
    for (size_t j = 0; j < all.count && !found; j++) found = term_same(all.at[j], wanted.at[i]);
    every = found;
  }
  VECTOR_FREE(all);
  VECTOR_FREE(wanted);
  return every;
}

static bool compile_simple_update(const terms *ts, const update *u, const uint32_t *slots, compiled_update *out) {
  if (term_sort(ts, u->value) == SORT_BOOL) {
    if (term_index(u->value) == 0) {
      *out = (compiled_update){UPDATE_CONSTANT, out->target, 0, term_is_true(u->value)};
      return true;
    }
    if (term_kind_of(ts, u->value) != TERM_BOOL_VARIABLE || term_is_negated(u->value)) return false;
    *out = (compiled_update){UPDATE_SHIFT, out->target, slots[term_variable(ts, u->value).x], 0};
    return true;
  }
  linear l = term_linear(ts, u->value);
  if (l.constant.big || l.count > 1) return false;
  if (l.count == 0) {
    *out = (compiled_update){UPDATE_CONSTANT, out->target, 0, l.constant.small};
    return true;
  }
  if (!number_is(l.coefficients[0], 1) || term_kind_of(ts, l.leaves[0]) != TERM_INT_VARIABLE) return false;
  *out = (compiled_update){UPDATE_SHIFT, out->target, slots[term_variable(ts, l.leaves[0]).x], l.constant.small};
  return true;
}

static compiled_transition compile_transition(const model *m, const transition *t) {
  const terms *ts = m->terms;
  compiled_transition c = {.input_count = t->inputs.count};
  uint32_t *slots = make_slots(m, t);
  c.guard = condition_compile(ts, t->guard, slots);
  for (size_t i = 0; i < t->faults.count; i++) {
    condition *when = condition_compile(ts, t->faults.at[i].when, slots);
    if (contains_conjuncts(ts, t->faults.at[i].when, t->guard)) {
      VECTOR_PUSH(c.update_faults, when);
      VECTOR_PUSH(c.update_fault_index, i);
    } else {
      VECTOR_PUSH(c.guard_faults, when);
      VECTOR_PUSH(c.guard_fault_index, i);
    }
  }
  if (heap_has_value(t->heap.kind)) c.heap_value = code_compile(ts, 1, &t->heap.value, slots);
  term_vector values = {0};
  for (size_t i = 0; i < t->updates.count; i++) {
    const update *u = &t->updates.at[i];
    compiled_update made = {.kind = UPDATE_CODE, .target = (uint32_t)model_position(m, u->var)};
    if (!compile_simple_update(ts, u, slots, &made)) {
      made.source = (uint32_t)values.count;
      VECTOR_PUSH(values, u->value);
    }
    VECTOR_PUSH(c.updates, made);
  }
  c.value_count = values.count;
  if (values.count) c.values = code_compile(ts, values.count, values.at, slots);
  VECTOR_FREE(values);
  memory_free(slots);
  return c;
}

semantics *semantics_new(const model *m) {
  REQUIRE(!m->has_heap, "a model without a heap");
  return semantics_new_bounded(m, 0);
}

semantics *semantics_new_bounded(const model *m, size_t nodes) {
  semantics *s = MEMORY_NEW(semantics);
  s->model = m;
  s->nodes = nodes;
  for (size_t i = 0; i < m->transitions.count; i++)
    VECTOR_PUSH(s->transitions, compile_transition(m, &m->transitions.at[i]));
  return s;
}

void semantics_free(semantics *s) {
  if (!s) return;
  for (size_t i = 0; i < s->transitions.count; i++) {
    compiled_transition *c = &s->transitions.at[i];
    condition_free(c->guard);
    for (size_t j = 0; j < c->guard_faults.count; j++) condition_free(c->guard_faults.at[j]);
    for (size_t j = 0; j < c->update_faults.count; j++) condition_free(c->update_faults.at[j]);
    VECTOR_FREE(c->guard_faults);
    VECTOR_FREE(c->update_faults);
    VECTOR_FREE(c->guard_fault_index);
    VECTOR_FREE(c->update_fault_index);
    VECTOR_FREE(c->updates);
    code_free(c->values);
    code_free(c->heap_value);
  }
  VECTOR_FREE(s->transitions);
  memory_free(s);
}

size_t semantics_width(const semantics *s) { return s->model->variables.count + s->nodes; }

static step_status test_faults(size_t count, condition *const *faults, const size_t *index, const int64_t *words,
                               size_t *fault) {
  for (size_t i = 0; i < count; i++) {
    int holds = condition_holds(faults[i], words);
    if (holds < 0) return STEP_OVERFLOW;
    if (holds) {
      if (fault) *fault = index[i];
      return STEP_FAULT;
    }
  }
  return STEP_TAKEN;
}

static step_status apply_updates(const compiled_transition *c, const int64_t *words, int64_t *out) {
  enum { FEW = 32 };
  int64_t few[FEW], *values = c->value_count <= FEW ? few : MEMORY_ARRAY(int64_t, c->value_count);
  step_status status = STEP_TAKEN;
  if (c->values && code_run(c->values, words, values) != CODE_FINE) status = STEP_OVERFLOW;
  for (size_t i = 0; i < c->updates.count && status == STEP_TAKEN; i++) {
    const compiled_update *u = &c->updates.at[i];
    switch (u->kind) {
      case UPDATE_CONSTANT: out[u->target] = u->constant; break;
      case UPDATE_SHIFT:
        if (__builtin_add_overflow(words[u->source], u->constant, &out[u->target])) status = STEP_OVERFLOW;
        break;
      case UPDATE_CODE: out[u->target] = values[u->source]; break;
    }
  }
  if (values != few) memory_free(values);
  return status;
}

static step_status step_on(const compiled_transition *c, size_t width, const int64_t *words, int64_t *out,
                           size_t *fault) {
  step_status status = test_faults(c->guard_faults.count, c->guard_faults.at, c->guard_fault_index.at, words, fault);
  if (status != STEP_TAKEN) return status;
  int enabled = condition_holds(c->guard, words);
  if (enabled <= 0) return enabled < 0 ? STEP_OVERFLOW : STEP_DISABLED;
  status = test_faults(c->update_faults.count, c->update_faults.at, c->update_fault_index.at, words, fault);
  if (status != STEP_TAKEN) return status;
  memcpy(out, words, width * sizeof *out);
  return apply_updates(c, words, out);
}

/* `state` as it is, `words` with its node variables tagged and the inputs behind the variables. */
static step_status step_with_heap(const semantics *s, size_t transition, const int64_t *state, const int64_t *words,
                                  int64_t *out, size_t *fault) {
  const model *m = s->model;
  const compiled_transition *c = &s->transitions.at[transition];
  step_status status = step_on(c, m->variables.count, words, out, fault);
  if (status != STEP_TAKEN) return status;
  for (size_t i = 0; i < m->variables.count; i++)
    if (variable_type(m->terms, m->variables.at[i].var)->sort == SORT_NODE) out[i] = state[i];
  int64_t value = 0;
  if (c->heap_value && code_run(c->heap_value, words, &value) != CODE_FINE) return STEP_OVERFLOW;
  const heap_command *h = &m->transitions.at[transition].heap;
  return heap_words_run(m, h, (unsigned)value, s->nodes, state, out) ? STEP_TAKEN : STEP_NO_NODES;
}

step_status semantics_step(const semantics *s, size_t transition, const int64_t *state, const int64_t *inputs,
                           int64_t *out, size_t *fault) {
  const compiled_transition *c = &s->transitions.at[transition];
  size_t width = s->model->variables.count;
  bool has_heap = s->model->has_heap;
  if (!c->input_count && !has_heap) return step_on(c, width, state, out, fault);
  enum { FEW = 128 };
  size_t total = width + c->input_count;
  int64_t few[FEW], *words = total <= FEW ? few : MEMORY_ARRAY(int64_t, total);
  memcpy(words, state, width * sizeof *words);
  if (c->input_count) memcpy(words + width, inputs, c->input_count * sizeof *words);
  if (has_heap) heap_words_tag(s->model, state, words);
  step_status status =
      has_heap ? step_with_heap(s, transition, state, words, out, fault) : step_on(c, width, words, out, fault);
  if (words != few) memory_free(words);
  return status;
}

struct state_condition {
  condition *compiled;
  const model *heap_model; /* NULL if there is no heap */
};

state_condition *state_condition_new(const model *m, term t) {
  state_condition *c = MEMORY_NEW(state_condition);
  uint32_t *slots = make_slots(m, NULL);
  c->heap_model = m->has_heap ? m : NULL;
  c->compiled = condition_compile(m->terms, t, slots);
  memory_free(slots);
  return c;
}

void state_condition_free(state_condition *c) {
  if (!c) return;
  condition_free(c->compiled);
  memory_free(c);
}

int state_condition_holds(const state_condition *c, const int64_t *state) {
  if (!c->heap_model) return condition_holds(c->compiled, state);
  size_t width = c->heap_model->variables.count;
  int64_t *words = MEMORY_ARRAY(int64_t, width + 1);
  memcpy(words, state, width * sizeof *words);
  heap_words_tag(c->heap_model, state, words);
  int holds = condition_holds(c->compiled, words);
  memory_free(words);
  return holds;
}

/* ---- inputs of finite types ---- */

static int64_t word_of(number n) {
  int64_t word = 0;
  bool fits = number_to_int64(n, &word);
  REQUIRE(fits, "bounds of 64 bits");
  return word;
}

static void input_range(const model *m, variable v, int64_t *low, int64_t *high) {
  const type *t = variable_type(m->terms, v);
  *low = t->sort == SORT_BOOL ? 0 : word_of(t->low);
  *high = t->sort == SORT_BOOL ? 1 : word_of(t->high);
}

bool transition_has_finite_inputs(const model *m, const transition *t) {
  for (size_t i = 0; i < t->inputs.count; i++)
    if (!type_fits_in_words(variable_type(m->terms, t->inputs.at[i]))) return false;
  return true;
}

void inputs_first(const model *m, const transition *t, int64_t *inputs) {
  int64_t high;
  for (size_t i = 0; i < t->inputs.count; i++) input_range(m, t->inputs.at[i], &inputs[i], &high);
}

bool inputs_advance(const model *m, const transition *t, int64_t *inputs) {
  for (size_t i = 0; i < t->inputs.count; i++) {
    int64_t low, high;
    input_range(m, t->inputs.at[i], &low, &high);
    if (inputs[i] < high) {
      inputs[i]++;
      return true;
    }
    inputs[i] = low;
  }
  return false;
}
