/* Taking the steps of a state: the hot loop of the search. */
#include "engine/explicit/compiled.h"
#include "proof/evidence.h"
#include "store/enumerate.h"
#include "term/array_value.h"

/* How many values of its inputs a step is tried with if they are enumerated. */
static const enumeration_limits INPUT_LIMITS = {.all = 10000000, .some = 12};
/* Of a transition that is taken at most once in a run. */
static const enumeration_limits FIRST_INPUT_LIMITS = {.all = 10000000, .some = 1000};
/* So many values of an input lead to more states than temporal properties are looked at on. */
enum { FAR_IF_TEMPORAL = 1 << 16 };

/* An action that counts out its inputs. */
typedef struct counted {
  enumerator *takes, *fails; /* when the step is taken, when it faults */
  enumeration_limits limits;
} counted;

struct stepper {
  const machine *machine;
  int64_t *words;   /* the state, unpacked; then the inputs of the action at work */
  int64_t *inputs;  /* the place of those */
  int64_t *outputs; /* of code */
  uint64_t *next;   /* packed */
  counted *counted; /* one an action; empty if it does not count */
  /* The expansion under way. */
  const uint64_t *packed;
  bool with_faults;
  budget *budget;
  step_visitor *visit;
  void *context;
  expansion result;
};

static bool is_read(const terms *ts, const transition *t, variable input) {
  bool found = term_mentions(ts, t->guard, input);
  for (size_t i = 0; i < t->updates.count && !found; i++) found = term_mentions(ts, t->updates.at[i].value, input);
  for (size_t i = 0; i < t->faults.count && !found; i++) found = term_mentions(ts, t->faults.at[i].when, input);
  return found;
}

/* Of an input that the transition does not read one value is as good as any other. */
static term one_value_of_unread(const model *m, const transition *t) {
  terms *ts = m->terms;
  term_vector parts = {0};
  for (size_t i = 0; i < t->inputs.count; i++)
    if (!is_read(ts, t, t->inputs.at[i])) {
      const type *of = variable_type(ts, t->inputs.at[i]);
      VECTOR_PUSH(parts,
                  term_eq(ts, term_of_variable(ts, t->inputs.at[i]), term_of_any_value(ts, of, solver_any_value(of))));
    }
  term all = term_and_all(ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return all;
}

static bool leads_to(const model *m, const fixed_value *place) {
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].updates.count; j++) {
      const update *u = &m->transitions.at[i].updates.at[j];
      number to;
      bool is_other = !variable_same(u->var, place->var) ||
                      (term_is_number(m->terms, u->value, &to) && !number_equal(to, place->value));
      if (!is_other) return true;
    }
  return false;
}

/* It begins at a place that it leaves and to which none leads. */
static bool is_taken_once(const model *m, const transition *t) {
  term_vector parts = {0};
  bool found = false;
  term_conjuncts(m->terms, t->guard, &parts);
  for (size_t i = 0; i < parts.count && !found; i++) {
    fixed_value place;
    if (!fixed_of_literal(m->terms, parts.at[i], &place) || leads_to(m, &place)) continue;
    for (size_t j = 0; j < t->updates.count; j++) found |= variable_same(t->updates.at[j].var, place.var);
  }
  VECTOR_FREE(parts);
  return found;
}

stepper *stepper_new(const machine *m, bool is_temporal, solver *solver) {
  const model *model = m->model;
  stepper *s = MEMORY_NEW(stepper);
  s->machine = m;
  s->words = MEMORY_ARRAY(int64_t, model->variables.count + m->most_inputs);
  s->inputs = s->words + model->variables.count;
  s->outputs = MEMORY_ARRAY(int64_t, m->most_codes);
  s->next = MEMORY_ARRAY(uint64_t, model->variables.count + 1);
  s->counted = MEMORY_ARRAY(counted, m->actions.count);
  variable_vector state = {0};
  for (size_t i = 0; i < model->variables.count; i++) VECTOR_PUSH(state, model->variables.at[i].var);
  for (size_t i = 0; i < m->actions.count; i++) {
    const transition *t = &model->transitions.at[m->actions.at[i].transition];
    if (!m->actions.at[i].counts_out) continue;
    s->counted[i].limits = is_taken_once(model, t) ? FIRST_INPUT_LIMITS : INPUT_LIMITS;
    if (is_temporal) s->counted[i].limits.far = FAR_IF_TEMPORAL;
    term unread = one_value_of_unread(model, t);
    s->counted[i].takes = enumerator_new(model->terms, term_and(model->terms, transition_enabled(model, t), unread),
                                         t->inputs.count, t->inputs.at, state.count, state.at, solver);
    if (t->faults.count)
      s->counted[i].fails = enumerator_new(model->terms, term_and(model->terms, transition_fault(model, t), unread),
                                           t->inputs.count, t->inputs.at, state.count, state.at, solver);
  }
  VECTOR_FREE(state);
  return s;
}

void stepper_free(stepper *s) {
  if (!s) return;
  for (size_t i = 0; i < s->machine->actions.count; i++) {
    enumerator_free(s->counted[i].takes);
    enumerator_free(s->counted[i].fails);
  }
  memory_free(s->words);
  memory_free(s->outputs);
  memory_free(s->next);
  memory_free(s->counted);
  memory_free(s);
}

static bool stop(stepper *s, expansion_end why) {
  s->result.end = why;
  return false;
}

static bool lacks_size(stepper *s) {
  s->result.lacks_size = true;
  return true;
}

static bool is_spent(stepper *s) { return s->budget && budget_spent(s->budget); }

static bool visit_fault(stepper *s, const compiled_action *a, uint32_t fault) {
  machine_step made = {a->transition, s->inputs, NULL, fault};
  return s->visit(s->context, &made) || stop(s, EXPANSION_STOPPED);
}

/* The value of a change that is no patch; false if it is beyond 64 bits. */
static inline bool value_of(const stepper *s, const change *c, int64_t *value) {
  switch (c->kind) {
    case CHANGE_SHIFT: return !__builtin_add_overflow(s->words[c->source], c->constant, value);
    case CHANGE_CODE: *value = s->outputs[c->source]; return true;
    case CHANGE_TEST: {
      int holds = condition_holds(c->test, s->words);
      *value = holds;
      return holds >= 0;
    }
    default: *value = c->constant; return true;
  }
}

/* Below, false says that the expansion ends. */

static bool take(stepper *s, const compiled_action *a) {
  const layout *l = s->machine->layout;
  if (a->code && code_run(a->code, s->words, s->outputs) != CODE_FINE) return lacks_size(s);
  memcpy(s->next, s->packed, l->words * sizeof *s->next);
  for (size_t i = 0; i < a->patches.count; i++) {
    const patch *p = &a->patches.at[i];
    s->next[p->word] = (s->next[p->word] & p->keep) | p->bits;
  }
  for (size_t i = 0; i < a->changes.count; i++) {
    const change *c = &a->changes.at[i];
    if (c->kind == CHANGE_BY_PATCH) continue;
    int64_t value;
    if (!value_of(s, c, &value)) return lacks_size(s);
    const field *f = &l->fields[c->position];
    if (!field_fits(f, value)) {
      s->result.misfit = c->position;
      s->result.misfit_value = value;
      return stop(s, EXPANSION_MISFIT);
    }
    field_set(f, s->next, value);
  }
  s->result.taken++;
  machine_step made = {a->transition, s->inputs, s->next, 0};
  return s->visit(s->context, &made) || stop(s, EXPANSION_STOPPED);
}

/* One choice of inputs: early faults, the guard over inputs, late faults, the step. */
static bool try_choice(stepper *s, const compiled_action *a, bool guard_holds) {
  for (size_t i = 0; i < a->early_faults.count; i++) {
    int holds = condition_holds(a->early_faults.at[i].when, s->words);
    if (holds < 0) return lacks_size(s);
    if (holds) return !s->with_faults || visit_fault(s, a, a->early_faults.at[i].fault);
  }
  if (!guard_holds) return true;
  if (a->input_guard) {
    int holds = condition_holds(a->input_guard, s->words);
    if (holds <= 0) return holds == 0 || lacks_size(s);
  }
  for (size_t i = 0; i < a->late_faults.count; i++) {
    int holds = condition_holds(a->late_faults.at[i].when, s->words);
    if (holds < 0) return lacks_size(s);
    if (holds) return !s->with_faults || visit_fault(s, a, a->late_faults.at[i].fault);
  }
  return take(s, a);
}

static bool next_choice(const compiled_action *a, int64_t *inputs) {
  for (size_t i = 0; i < a->inputs.count; i++) {
    if (inputs[i] < a->inputs.at[i].high) {
      inputs[i]++;
      return true;
    }
    inputs[i] = a->inputs.at[i].low;
  }
  return false;
}

static bool try_all_choices(stepper *s, const compiled_action *a, bool guard_holds) {
  for (size_t i = 0; i < a->inputs.count; i++) s->inputs[i] = a->inputs.at[i].low;
  do {
    if (!try_choice(s, a, guard_holds)) return false;
    if (a->inputs.count && is_spent(s)) return stop(s, EXPANSION_STOPPED);
  } while (next_choice(a, s->inputs));
  return true;
}

typedef struct counting {
  stepper *stepper;
  const compiled_action *action;
} counting;

static bool try_counted(void *context, const int64_t *values) {
  counting *c = context;
  memcpy(c->stepper->inputs, values, c->action->inputs.count * sizeof *values);
  return try_choice(c->stepper, c->action, true);
}

static bool count_out(stepper *s, const compiled_action *a, enumerator *e, enumeration_limits limits) {
  counting c = {s, a};
  enumeration found = enumerator_run(e, s->words, limits, s->budget, try_counted, &c);
  if (s->result.end != EXPANDED) return false;
  if (found.end == ENUMERATION_STOPPED) return stop(s, EXPANSION_STOPPED);
  if (found.end == ENUMERATION_TOO_LARGE) s->result.lacks_size = true;
  if (found.end == ENUMERATION_UNBOUNDED || found.end == ENUMERATION_TOO_MANY) s->result.lacks_inputs = true;
  return true;
}

static bool try_action(stepper *s, uint32_t number) {
  const compiled_action *a = &s->machine->actions.at[number];
  int holds = a->guard ? condition_holds(a->guard, s->words) : 1;
  if (holds < 0) return lacks_size(s);
  if (!holds && !a->early_faults.count) return true;
  if (!a->counts_out) return a->inputs.count ? try_all_choices(s, a, holds) : try_choice(s, a, holds);
  const counted *c = &s->counted[number];
  if (s->with_faults && c->fails && !count_out(s, a, c->fails, c->limits)) return false;
  return !holds || count_out(s, a, c->takes, c->limits);
}

static void try_actions(stepper *s) {
  const machine *m = s->machine;
  for (size_t i = 0; i < m->switches.count; i++) {
    const switch_table *t = &m->switches.at[i];
    size_t value = (size_t)(s->words[t->position] - t->low);
    if (value >= t->size) continue;
    for (size_t j = 0; j < t->lists[value].count; j++)
      if (!try_action(s, t->lists[value].at[j])) return;
  }
  for (size_t i = 0; i < m->always.count; i++)
    if (!try_action(s, m->always.at[i])) return;
}

expansion stepper_expand(stepper *s, const uint64_t *packed, bool with_faults, budget *b, step_visitor *visit,
                         void *context) {
  layout_unpack(s->machine->layout, packed, s->words);
  s->packed = packed;
  s->with_faults = with_faults;
  s->budget = b;
  s->visit = visit;
  s->context = context;
  s->result = (expansion){.end = EXPANDED};
  if (is_spent(s))
    s->result.end = EXPANSION_STOPPED;
  else
    try_actions(s);
  return s->result;
}

int stepper_test(stepper *s, const state_condition *c, const uint64_t *packed) {
  layout_unpack(s->machine->layout, packed, s->words);
  return state_condition_holds(c, s->words);
}
