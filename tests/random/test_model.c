/* Models: compiled steps, transformers, passes and printing, against the slow meaning of reference.h on random models.
 */
#include "input/input.h"
#include "model/passes.h"
#include "model/semantics.h"
#include "model/transform.h"
#include "oracle/reference.h"
#include "random/random_model.h"
#include "run/correspondence/correspondence.h"
#include "unit/test.h"
#include "unit/work_budget.h"

enum { LIMIT = 400 }; /* states of models that are explored */

static const random_knobs finite = {RANDOM_FINITE, 2}, infinite = {RANDOM_INFINITE, 2};

/* What is being looked at, for messages. */
static uint64_t seed;
static char *source;
#define CHECK_SEED(COND) CHECK(COND, "seed %llu:\n%s", (unsigned long long)seed, source)

static model *read_source(const char *content) {
  diagnostics d = {0};
  model *m = input_read_text("random.whet", content, strlen(content), &d);
  CHECK(m, "seed %llu: %s\n%s", (unsigned long long)seed, text_string(&d.text), content);
  text_clear(&d.text);
  return m;
}

static model *next_model(random_knobs knobs) {
  memory_free(source);
  source = random_model(++seed, knobs);
  return read_source(source);
}

static int64_t random_word(random_source *r, const type *of) {
  if (of->sort == SORT_BOOL) return (int64_t)random_below(r, 2);
  int64_t low = -5, high = 9;
  if (of->has_low) number_to_int64(of->low, &low);
  if (of->has_high) number_to_int64(of->high, &high);
  if (of->has_low && of->has_high) return random_between(r, low, high);
  switch (random_below(r, 20)) { /* now and then near the end of 64 bits */
    case 0: return INT64_MAX - (int64_t)random_below(r, 3);
    case 1: return of->has_low ? low : INT64_MIN + (int64_t)random_below(r, 3);
    default: return random_between(r, low, low + 14);
  }
}

typedef VECTOR(int64_t) words;
typedef VECTOR(size_t) size_vector;

static void random_state(random_source *r, const model *m, words *state, number_vector *exact) {
  VECTOR_CLEAR(*state);
  VECTOR_CLEAR(*exact);
  for (size_t i = 0; i < m->variables.count; i++)
    VECTOR_PUSH(*state, random_word(r, variable_type(m->terms, m->variables.at[i].var)));
  for (size_t i = 0; i < state->count; i++) VECTOR_PUSH(*exact, number_of(state->at[i]));
}

static void random_inputs(random_source *r, const model *m, const transition *t, words *inputs, number_vector *exact) {
  VECTOR_CLEAR(*inputs);
  VECTOR_CLEAR(*exact);
  for (size_t i = 0; i < t->inputs.count; i++)
    VECTOR_PUSH(*inputs, random_word(r, variable_type(m->terms, t->inputs.at[i])));
  for (size_t i = 0; i < inputs->count; i++) VECTOR_PUSH(*exact, number_of(inputs->at[i]));
}

/* ---- compiled steps ---- */

typedef struct counts {
  unsigned taken, disabled, fault, overflow;
} counts;

static bool fits(number n) { return !n.big; }

/* One step, both ways. An overflow is right only if a number beyond 64 bits can turn up at all. */
static void compare_step(const model *m, const semantics *s, size_t t, const words *state,
                         const number_vector *exact_state, const words *inputs, const number_vector *exact_inputs,
                         counts *seen) {
  words out = {0};
  number_vector wanted = {0};
  size_t fault = 0, wanted_fault = 0;
  const transition *of = &m->transitions.at[t];
  for (size_t i = 0; i < m->variables.count; i++) {
    VECTOR_PUSH(out, 0);
    VECTOR_PUSH(wanted, number_of(0));
  }
  step_status got = semantics_step(s, t, state->at, inputs->at, out.at, &fault);
  reference_step_status right = reference_step(m, of, exact_state->at, exact_inputs->at, wanted.at, &wanted_fault);
  seen->taken += got == STEP_TAKEN, seen->disabled += got == STEP_DISABLED;
  seen->fault += got == STEP_FAULT, seen->overflow += got == STEP_OVERFLOW;
  if (got == STEP_TAKEN) {
    CHECK_SEED(right == REFERENCE_TAKEN);
    for (size_t i = 0; i < out.count; i++) CHECK_SEED(fits(wanted.at[i]) && wanted.at[i].small == out.at[i]);
  } else if (got == STEP_DISABLED) {
    CHECK_SEED(right == REFERENCE_DISABLED);
  } else if (got == STEP_FAULT) {
    CHECK_SEED(right == REFERENCE_FAULT);
    CHECK_SEED(!number_is(reference_value(m, of->faults.at[fault].when, exact_state->at, of, exact_inputs->at), 0));
  } else {
    bool large = false;
    for (size_t i = 0; i < state->count; i++) large |= state->at[i] > 1000000 || state->at[i] < -1000000;
    for (size_t i = 0; i < inputs->count; i++) large |= inputs->at[i] > 1000000 || inputs->at[i] < -1000000;
    CHECK_SEED(large);
  }
  VECTOR_FREE(out);
  VECTOR_FREE(wanted);
}

static void compare_steps(random_knobs knobs, unsigned models, counts *seen) {
  random_source r = {models};
  words state = {0}, inputs = {0};
  number_vector exact_state = {0}, exact_inputs = {0};
  for (unsigned i = 0; i < models; i++) {
    model *m = next_model(knobs);
    if (!m) continue;
    semantics *s = semantics_new(m);
    for (int round = 0; round < 12; round++) {
      random_state(&r, m, &state, &exact_state);
      for (size_t t = 0; t < m->transitions.count; t++) {
        random_inputs(&r, m, &m->transitions.at[t], &inputs, &exact_inputs);
        compare_step(m, s, t, &state, &exact_state, &inputs, &exact_inputs, seen);
      }
    }
    semantics_free(s);
    model_free(m);
  }
  VECTOR_FREE(state);
  VECTOR_FREE(inputs);
  VECTOR_FREE(exact_state);
  VECTOR_FREE(exact_inputs);
}

TEST(compiled_steps_do_what_the_terms_say) {
  counts seen = {0};
  seed = random_first_seed(100000);
  compare_steps(finite, random_rounds(900), &seen);
  CHECK(seen.taken > 100 && seen.disabled > 100 && seen.fault > 100 && !seen.overflow, "%u %u %u %u", seen.taken,
        seen.disabled, seen.fault, seen.overflow);
}

TEST(compiled_steps_say_so_where_64_bits_are_too_few) {
  counts seen = {0};
  seed = random_first_seed(200000);
  compare_steps(infinite, random_rounds(900), &seen);
  CHECK(seen.taken > 100 && seen.fault > 100 && seen.overflow > 10, "%u %u %u", seen.taken, seen.fault, seen.overflow);
}

TEST(choices_of_inputs_are_walked_once_each) {
  seed = random_first_seed(300000);
  for (unsigned i = 0; i < random_rounds(200); i++) {
    model *m = next_model(finite);
    if (!m) continue;
    for (size_t j = 0; j < m->transitions.count; j++) {
      const transition *t = &m->transitions.at[j];
      CHECK_SEED(transition_has_finite_inputs(m, t));
      words walked = {0};
      number_vector inputs = {0};
      for (size_t k = 0; k < t->inputs.count; k++) VECTOR_PUSH(walked, 0);
      uint64_t wanted = 0, got = 1;
      reference_first_inputs(m, t, &inputs);
      do wanted++;
      while (reference_next_inputs(m, t, &inputs));
      inputs_first(m, t, walked.at);
      while (inputs_advance(m, t, walked.at)) {
        got++;
        for (size_t k = 0; k < t->inputs.count; k++) {
          int64_t low, high;
          reference_range(m, t->inputs.at[k], &low, &high);
          CHECK_SEED(walked.at[k] >= low && walked.at[k] <= high);
        }
      }
      CHECK_SEED(wanted == got);
      VECTOR_FREE(walked);
      VECTOR_FREE(inputs);
    }
    model_free(m);
  }
}

/* ---- transformers ---- */

/* Some formula over the states of `m`: what a property forbids, or a guard without inputs. */
static term random_predicate(random_source *r, const model *m) {
  size_t which = (size_t)random_below(r, m->properties.count + m->transitions.count);
  if (which < m->properties.count)
    return m->properties.at[which].kind == PROPERTY_SAFE ? m->properties.at[which].bad : m->init;
  const transition *t = &m->transitions.at[which - m->properties.count];
  return t->inputs.count ? m->init : t->guard;
}

static bool truth(const model *m, term t, const number *state, const transition *of, const number *inputs) {
  return !number_is(reference_value(m, t, state, of, inputs), 0);
}

static void compare_transformers(random_source *r, const model *m, const transition *t, const number_vector *state,
                                 const number_vector *inputs) {
  number_vector after = {0}, all = {0};
  size_t fault;
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(after, number_of(0));
  bool taken = reference_step(m, t, state->at, inputs->at, after.at, &fault) == REFERENCE_TAKEN;
  term p = random_predicate(r, m), relation = transform_relation(m, t), primed = transform_prime(m, p);
  bool then = taken && truth(m, p, after.at, NULL, NULL);
  CHECK_SEED(truth(m, transform_wp(m, t, p), state->at, t, inputs->at) == (!taken || then));
  CHECK_SEED(truth(m, transform_pre(m, t, p), state->at, t, inputs->at) == then);
  if (taken) CHECK_SEED(truth(m, transform_after(m, t, p), state->at, t, inputs->at) == then);
  /* the relation holds for the right next state and for no other */
  bool changed = random_below(r, 2);
  size_t at = (size_t)random_below(r, m->variables.count);
  if (changed) after.at[at] = number_of(number_is(after.at[at], 0));
  words other = {0};
  number_vector copy = {0};
  random_state(r, m, &other, &copy);
  bool right = taken;
  if (!changed) {
    copy.count = 0;
    for (size_t i = 0; i < after.count; i++) VECTOR_PUSH(copy, after.at[i]);
  } else if (taken) {
    for (size_t i = 0; i < after.count; i++) {
      number value = reference_value(m, transition_value_after(m, t, m->variables.at[i].var), state->at, t, inputs->at);
      right &= number_equal(value, copy.at[i]);
    }
  }
  for (size_t i = 0; i < m->variables.count; i++) variable_next(m->terms, m->variables.at[i].var);
  trace_assignment(m, state->at, t, inputs->at, &all);
  for (size_t i = 0; i < m->variables.count; i++)
    all.at[variable_next(m->terms, m->variables.at[i].var).x] = copy.at[i];
  CHECK_SEED(!number_is(reference_evaluate(m->terms, relation, all.at), 0) == right);
  CHECK_SEED(!number_is(reference_evaluate(m->terms, primed, all.at), 0) == truth(m, p, copy.at, NULL, NULL));
  VECTOR_FREE(after);
  VECTOR_FREE(all);
  VECTOR_FREE(other);
  VECTOR_FREE(copy);
}

TEST(preconditions_and_the_relation_mean_what_a_step_does) {
  random_source r = {31};
  words state = {0}, inputs = {0};
  number_vector exact_state = {0}, exact_inputs = {0};
  seed = random_first_seed(400000);
  for (unsigned i = 0; i < random_rounds(600); i++) {
    model *m = next_model(i % 2 ? finite : infinite);
    if (!m) continue;
    for (int round = 0; round < 6; round++)
      for (size_t t = 0; t < m->transitions.count; t++) {
        random_state(&r, m, &state, &exact_state);
        random_inputs(&r, m, &m->transitions.at[t], &inputs, &exact_inputs);
        compare_transformers(&r, m, &m->transitions.at[t], &exact_state, &exact_inputs);
      }
    model_free(m);
  }
  VECTOR_FREE(state);
  VECTOR_FREE(inputs);
  VECTOR_FREE(exact_state);
  VECTOR_FREE(exact_inputs);
}

/* ---- passes ---- */

static bool is_initial(const model *m, const number *state) { return reference_holds(m, m->init, state); }

/* The run is one of `m`, by the slow meaning. */
static bool replays(const model *m, const trace *t) {
  number_vector next = {0};
  bool fine = is_initial(m, t->at[0].values.at);
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(next, number_of(0));
  for (size_t i = 1; i < t->count && fine; i++) {
    size_t fault;
    const transition *taken = &m->transitions.at[t->at[i].transition];
    fine = reference_step(m, taken, t->at[i - 1].values.at, t->at[i].inputs.at, next.at, &fault) == REFERENCE_TAKEN;
    for (size_t j = 0; j < next.count && fine; j++) fine = number_equal(next.at[j], t->at[i].values.at[j]);
  }
  VECTOR_FREE(next);
  return fine;
}

/* The states that were reached, as a formula. */
static term reached_formula(const reference *r) {
  terms *ts = r->model->terms;
  term_vector cubes = {0}, literals = {0};
  for (size_t i = 0; i < r->states.count; i++) {
    VECTOR_CLEAR(literals);
    for (size_t j = 0; j < r->model->variables.count; j++) {
      variable v = r->model->variables.at[j].var;
      number n = reference_values(r, i)[j];
      term x = term_of_variable(ts, v);
      bool boolean = variable_type(ts, v)->sort == SORT_BOOL;
      VECTOR_PUSH(literals, boolean ? (number_is(n, 0) ? term_not(x) : x) : term_eq(ts, x, term_number(ts, n)));
    }
    VECTOR_PUSH(cubes, term_and_all(ts, literals.count, literals.at));
  }
  term result = term_or_all(ts, cubes.count, cubes.at);
  VECTOR_FREE(cubes);
  VECTOR_FREE(literals);
  return result;
}

/* The trace of the small model, brought back, ends where the property of the large one is broken. */
static void check_way_back(const model *m, size_t index, const passes *p, const reference *small) {
  const reference_breach *b = &small->breaches.at[passes_property(p)];
  trace t = reference_trace(small, b->state);
  passes_trace_back(p, &t);
  CHECK_SEED(replays(m, &t));
  const number *last = VECTOR_LAST(t).values.at;
  const property *of = &m->properties.at[index];
  if (of->kind == PROPERTY_SAFE) CHECK_SEED(reference_holds(m, of->bad, last));
  if (of->kind == PROPERTY_NO_FAULT) {
    number_vector inputs = {0};
    for (size_t i = 0; i < b->inputs.count; i++) VECTOR_PUSH(inputs, b->inputs.at[i]);
    const transition *fails = &m->transitions.at[passes_transition_back(p, b->transition, &inputs)];
    CHECK_SEED(inputs.count == fails->inputs.count && b->fault < fails->faults.count &&
               truth(m, fails->faults.at[b->fault].when, last, fails, inputs.at));
    VECTOR_FREE(inputs);
  }
  trace_clear(&t);
}

static void check_invariant(const reference *large, const passes *p, const reference *small) {
  terms *ts = large->model->terms;
  term invariant = term_and(ts, reached_formula(small), passes_facts(p));
  for (size_t i = 0; i < large->states.count; i++)
    CHECK_SEED(reference_holds(large->model, invariant, reference_values(large, i)));
}

TEST(passes_keep_verdicts_and_know_the_way_back) {
  unsigned smaller = 0, broken = 0, intact = 0;
  seed = random_first_seed(500000);
  for (unsigned i = 0; i < random_rounds(900); i++) {
    model *m = next_model(finite);
    if (!m) continue;
    reference *large = reference_explore(m, LIMIT);
    for (size_t j = 0; j < m->properties.count && large->status == REFERENCE_COMPLETE; j++) {
      passes *p = passes_run(m, j, NULL);
      model *reduced = passes_model(p);
      if (reduced != m) {
        reference *small = reference_explore(reduced, LIMIT);
        const reference_breach *a = &large->breaches.at[j], *b = &small->breaches.at[passes_property(p)];
        smaller += reduced->variables.count < m->variables.count;
        CHECK_SEED(small->status == REFERENCE_COMPLETE && small->states.count <= large->states.count);
        CHECK_SEED(a->found == b->found && a->depth == b->depth);
        if (b->found)
          check_way_back(m, j, p, small), broken++;
        else
          check_invariant(large, p, small), intact++;
        reference_free(small);
      }
      passes_free(p);
    }
    reference_free(large);
    model_free(m);
  }
  CHECK(smaller > 20 && broken > 20 && intact > 20, "%u %u %u", smaller, broken, intact);
}

/* ---- equal variables ---- */

/* More states than before are reached if variables may take any value, but no other verdict and no other depth. */
static void check_merged(const model *m, size_t index, const reference *large, passes *p) {
  reference *small = reference_explore(passes_model(p), LIMIT);
  const reference_breach *a = &large->breaches.at[index], *b = &small->breaches.at[passes_property(p)];
  if (small->status == REFERENCE_COMPLETE) {
    CHECK_SEED(a->found == b->found && a->depth == b->depth);
    if (b->found)
      check_way_back(m, index, p, small);
    else
      check_invariant(large, p, small);
  }
  reference_free(small);
}

/* Two more variables, which only the initial condition ties, and which steps change. */
static void add_tied_variables(model *m) {
  terms *ts = m->terms;
  type boolean = {.sort = SORT_BOOL};
  variable a = model_add_variable(m, "tied1", &boolean, ROLE_STATE, (place){0});
  variable b = model_add_variable(m, "tied2", &boolean, ROLE_STATE, (place){0});
  term x = term_of_variable(ts, a), y = term_of_variable(ts, b);
  m->init = term_and(ts, m->init, term_or(ts, x, y));
  for (size_t i = 0; i < m->transitions.count; i++) {
    transition_add_update(&m->transitions.at[i], a, y);
    transition_add_update(&m->transitions.at[i], b, i % 2 ? term_not(x) : term_and(ts, x, y));
  }
}

static bool has_loose_variable(passes *p) {
  const model *m = passes_model(p);
  variable v;
  return variable_find(m->terms, "tied1", &v) && model_is_state_variable(m, v);
}

TEST(equal_variables_are_merged_and_the_way_back_is_known) {
  unsigned merged = 0, loose = 0, broken = 0;
  seed = random_first_seed(510000);
  for (unsigned i = 0; i < random_rounds(500); i++) {
    model *m = next_model(finite);
    if (!m) continue;
    if (i % 2) add_tied_variables(m);
    reference *large = reference_explore(m, LIMIT);
    for (size_t j = 0; j < m->properties.count && large->status == REFERENCE_COMPLETE; j++) {
      passes *before = passes_run(m, j, NULL);
      known_invariants known = {0};
      budget b = work_budget(2000000);
      correspondence_find(passes_model(before), &b, &known);
      passes *p = passes_use_invariants(before, &known, NULL);
      merged += passes_model(p)->variables.count < passes_model(before)->variables.count;
      loose += passes_model(p) != passes_model(before) && has_loose_variable(p);
      broken += large->breaches.at[j].found;
      if (passes_model(p) != passes_model(before)) check_merged(m, j, large, p);
      known_invariants_clear(&known);
      passes_free(p);
      passes_free(before);
    }
    reference_free(large);
    model_free(m);
  }
  CHECK(merged > 20 && broken > 20 && loose > 20, "%u %u %u", merged, broken, loose);
}

/* ---- printing ---- */

static void compare_verdicts(const reference *a, const reference *b, const char *printed) {
  const model *m = a->model;
  CHECK(a->states.count == b->states.count, "seed %llu: %zu and %zu states\n%s\n%s", (unsigned long long)seed,
        a->states.count, b->states.count, source, printed);
  for (size_t i = 0; i < m->properties.count; i++) {
    size_t j = 0;
    bool there = model_find_property(b->model, m->properties.at[i].name, &j);
    CHECK(there, "seed %llu: no %s\n%s\n%s", (unsigned long long)seed, m->properties.at[i].name, source, printed);
    if (!there) continue;
    const reference_breach *x = &a->breaches.at[i], *y = &b->breaches.at[j];
    CHECK(x->found == y->found && x->depth == y->depth, "seed %llu: %s differs\n%s\n%s", (unsigned long long)seed,
          m->properties.at[i].name, source, printed);
  }
}

/* Which step of a printed model is which: those of processes come first, process by process. */
static void printed_order(const model *m, size_vector *out) {
  for (uint32_t p = 0; p <= m->processes.count; p++)
    for (size_t i = 0; i < m->transitions.count; i++)
      if (m->transitions.at[i].process == (p < m->processes.count ? p : NO_PROCESS)) VECTOR_PUSH(*out, i);
}

/* The values of `from` in the order of the other model's variables. */
static void translate_state(const model *a, const number *from, const model *b, number_vector *to) {
  VECTOR_CLEAR(*to);
  for (size_t i = 0; i < b->variables.count; i++) {
    variable v = {0};
    CHECK_SEED(variable_find(a->terms, variable_name(b->terms, b->variables.at[i].var), &v));
    size_t at = model_position(a, v);
    VECTOR_PUSH(*to, at < a->variables.count ? from[at] : number_of(0));
  }
}

typedef struct pair {
  const model *a, *b;
  random_source random;
  words state, inputs;
  number_vector in_a, in_b, exact_inputs, after_a, after_b, translated;
} pair;

static void compare_one_step(pair *p, const transition *s, const transition *t) {
  size_t fault;
  random_inputs(&p->random, p->a, s, &p->inputs, &p->exact_inputs);
  reference_step_status x = reference_step(p->a, s, p->in_a.at, p->exact_inputs.at, p->after_a.at, &fault);
  reference_step_status y = reference_step(p->b, t, p->in_b.at, p->exact_inputs.at, p->after_b.at, &fault);
  CHECK_SEED(x == y);
  if (x != REFERENCE_TAKEN || y != x) return;
  translate_state(p->a, p->after_a.at, p->b, &p->translated);
  for (size_t i = 0; i < p->translated.count; i++) CHECK_SEED(number_equal(p->translated.at[i], p->after_b.at[i]));
}

static void compare_terms(pair *p, const term_vector *x, const term_vector *y) {
  CHECK_SEED(x->count == y->count);
  for (size_t i = 0; i < x->count && i < y->count; i++)
    CHECK_SEED(truth(p->a, x->at[i], p->in_a.at, NULL, NULL) == truth(p->b, y->at[i], p->in_b.at, NULL, NULL));
}

/* Temporal formulas of the same shape over atoms that agree. */
static bool same_formula(pair *p, const temporal *x, const temporal *y) {
  if (!x || !y) return x == y;
  if (x->kind != y->kind) return false;
  if (x->kind == TEMPORAL_STATE)
    return truth(p->a, x->state, p->in_a.at, NULL, NULL) == truth(p->b, y->state, p->in_b.at, NULL, NULL);
  return same_formula(p, x->left, y->left) && same_formula(p, x->right, y->right);
}

static void compare_properties(pair *p) {
  for (size_t i = 0; i < p->a->properties.count; i++) {
    const property *x = &p->a->properties.at[i];
    size_t at;
    CHECK_SEED(model_find_property(p->b, x->name, &at));
    if (!model_find_property(p->b, x->name, &at)) continue;
    const property *y = &p->b->properties.at[at];
    CHECK_SEED(x->kind == y->kind);
    if (x->kind == PROPERTY_SAFE)
      CHECK_SEED(truth(p->a, x->bad, p->in_a.at, NULL, NULL) == truth(p->b, y->bad, p->in_b.at, NULL, NULL));
    if (property_is_temporal(x)) CHECK_SEED(same_formula(p, x->formula, y->formula));
  }
}

static void compare_fairness(pair *p) {
  CHECK_SEED(p->a->fairness.count == p->b->fairness.count);
  for (size_t i = 0; i < p->a->fairness.count && i < p->b->fairness.count; i++) {
    const fairness *x = &p->a->fairness.at[i], *y = &p->b->fairness.at[i];
    CHECK_SEED(x->kind == y->kind && x->transitions.count == y->transitions.count);
    if (x->kind == FAIR_STATE)
      CHECK_SEED(truth(p->a, x->state, p->in_a.at, NULL, NULL) == truth(p->b, y->state, p->in_b.at, NULL, NULL));
    for (size_t j = 0; j < x->transitions.count && j < y->transitions.count; j++)
      CHECK_SEED(
          !strcmp(p->a->transitions.at[x->transitions.at[j]].name, p->b->transitions.at[y->transitions.at[j]].name));
  }
}

/* The same in random states: steps, what the first states are, properties, hints. */
static void compare_models(const model *a, const model *b) {
  pair p = {.a = a, .b = b, .random = {seed}};
  size_vector first = {0}, second = {0};
  printed_order(a, &first);
  printed_order(b, &second);
  CHECK_SEED(a->variables.count == b->variables.count && first.count == second.count &&
             a->properties.count == b->properties.count);
  for (size_t i = 0; i < a->variables.count; i++) VECTOR_PUSH(p.after_a, number_of(0));
  for (size_t i = 0; i < b->variables.count; i++) VECTOR_PUSH(p.after_b, number_of(0));
  for (int round = 0; round < 10; round++) {
    random_state(&p.random, a, &p.state, &p.in_a);
    translate_state(a, p.in_a.at, b, &p.in_b);
    CHECK_SEED(reference_holds(a, a->init, p.in_a.at) == reference_holds(b, b->init, p.in_b.at));
    compare_properties(&p);
    compare_terms(&p, &a->predicates, &b->predicates);
    compare_terms(&p, &a->lemmas, &b->lemmas);
    compare_terms(&p, &a->domain, &b->domain);
    for (size_t i = 0; i < first.count && i < second.count; i++) {
      const transition *s = &a->transitions.at[first.at[i]], *t = &b->transitions.at[second.at[i]];
      CHECK_SEED(!strcmp(s->name, t->name) && s->inputs.count == t->inputs.count);
      if (s->inputs.count == t->inputs.count) compare_one_step(&p, s, t);
    }
    compare_fairness(&p);
  }
  VECTOR_FREE(p.state);
  VECTOR_FREE(p.inputs);
  VECTOR_FREE(p.in_a);
  VECTOR_FREE(p.in_b);
  VECTOR_FREE(p.exact_inputs);
  VECTOR_FREE(p.after_a);
  VECTOR_FREE(p.after_b);
  VECTOR_FREE(p.translated);
  VECTOR_FREE(first);
  VECTOR_FREE(second);
}

static void print_and_read_back(random_knobs knobs, unsigned models, bool explore) {
  for (unsigned i = 0; i < models; i++) {
    model *m = next_model(knobs);
    if (!m) continue;
    text printed = {0};
    model_print(m, &printed);
    model *again = read_source(text_string(&printed));
    if (again) compare_models(m, again);
    if (again && explore) {
      reference *a = reference_explore(m, LIMIT), *b = reference_explore(again, LIMIT);
      compare_verdicts(a, b, text_string(&printed));
      reference_free(a);
      reference_free(b);
    }
    text_clear(&printed);
    model_free(again);
    model_free(m);
  }
}

TEST(a_printed_model_reads_back_as_the_same_model) {
  seed = random_first_seed(600000);
  print_and_read_back(finite, random_rounds(900), true);
}

TEST(what_cannot_be_explored_is_printed_too) {
  static const random_knobs all = {RANDOM_INFINITE | RANDOM_TEMPORAL | RANDOM_FAIRNESS, 2};
  seed = random_first_seed(700000);
  print_and_read_back(all, random_rounds(900), false);
}

TEST_MAIN
