/* Compiling transitions.
 *
 * A *switch* is a finite variable whose value guards ask for: for each of its values there is a list of the actions
 * that want it. Places of processes are such variables; so are enumerations used as such in models without
 * processes. An action stands in one list, chosen by the conjunct of its guard that leaves the fewest states, or among
 * those that are always tried. */
#include "engine/explicit/compiled.h"

static const uint64_t MOST_SWITCH_VALUES = 1024;
/* With more values than these, inputs are enumerated under the guard (store/enumerate.h) instead of tried one by
 * one. */
static const uint64_t MOST_TRIED_INPUTS = 1024;

/* ---- which conjunct of a guard to look up ---- */

typedef struct wish {
  size_t position; /* of the variable */
  int64_t value;
  term conjunct;
} wish;

static bool switch_range(const terms *ts, variable v, int64_t *low, int64_t *high) {
  const type *t = variable_type(ts, v);
  if (t->sort == SORT_NODE || !type_is_finite(t) || type_size(t, MOST_SWITCH_VALUES + 1) > MOST_SWITCH_VALUES)
    return false;
  *low = 0;
  *high = 1;
  return t->sort == SORT_BOOL || (number_to_int64(t->low, low) && number_to_int64(t->high, high));
}

/* True if `t` says that a variable of the state has one value of a small range. */
static bool read_wish(const model *m, term t, wish *out) {
  const terms *ts = m->terms;
  variable v;
  int64_t low, high;
  out->conjunct = t;
  if (term_kind_of(ts, t) == TERM_BOOL_VARIABLE) {
    v = term_variable(ts, t);
    out->value = !term_is_negated(t);
  } else if (term_kind_of(ts, t) == TERM_EQ && !term_is_negated(t)) {
    linear l = term_linear(ts, term_argument(ts, t, 0));
    if (l.count != 1 || !number_is(l.coefficients[0], 1) || term_kind_of(ts, l.leaves[0]) != TERM_INT_VARIABLE)
      return false;
    if (!number_to_int64(number_negate(l.constant), &out->value)) return false;
    v = term_variable(ts, l.leaves[0]);
  } else {
    return false;
  }
  out->position = model_position(m, v);
  return out->position != SIZE_MAX && switch_range(ts, v, &low, &high) && out->value >= low && out->value <= high;
}

static uint64_t wish_strength(const model *m, const wish *w) {
  const state_variable *v = &m->variables.at[w->position];
  return (v->role == ROLE_LOCATION ? MOST_SWITCH_VALUES : 0) +
         type_size(variable_type(m->terms, v->var), MOST_SWITCH_VALUES);
}

static bool has_conjunct(const term_vector *parts, term t) {
  for (size_t i = 0; i < parts->count; i++)
    if (term_same(parts->at[i], t)) return true;
  return false;
}

static bool has_all_conjuncts(const term_vector *whole, const term_vector *part) {
  for (size_t i = 0; i < part->count; i++)
    if (!has_conjunct(whole, part->at[i])) return false;
  return true;
}

/* Faults that may hold although the guard does not must ask for the same value: a fault is never to be overlooked. */
static bool choose_wish(const model *m, const transition *t, const term_vector *guard, wish *best) {
  bool found = false;
  for (size_t i = 0; i < guard->count; i++) {
    wish w;
    if (!read_wish(m, guard->at[i], &w) || (found && wish_strength(m, &w) <= wish_strength(m, best))) continue;
    bool in_all_faults = true;
    for (size_t j = 0; j < t->faults.count; j++) {
      term_vector parts = {0};
      term_conjuncts(m->terms, t->faults.at[j].when, &parts);
      in_all_faults = in_all_faults && has_conjunct(&parts, w.conjunct);
      VECTOR_FREE(parts);
    }
    if (!in_all_faults) continue;
    *best = w;
    found = true;
  }
  return found;
}

/* ---- pieces of an action ---- */

/* The conjunction of those conjuncts that `without` lacks and that mention inputs or, if `with_inputs` is false, do
 * not. */
static term part_of(const model *m, const transition *t, const term_vector *parts, const term_vector *without,
                    bool with_inputs) {
  term_vector chosen = {0};
  for (size_t i = 0; i < parts->count; i++) {
    bool mentions = false;
    for (size_t j = 0; j < t->inputs.count && !mentions; j++)
      mentions = term_mentions(m->terms, parts->at[i], t->inputs.at[j]);
    if (mentions == with_inputs && !has_conjunct(without, parts->at[i])) VECTOR_PUSH(chosen, parts->at[i]);
  }
  term result = term_and_all(m->terms, chosen.count, chosen.at);
  VECTOR_FREE(chosen);
  return result;
}

static condition *compile_test(const terms *ts, term t, const uint32_t *slots) {
  return term_is_true(t) ? NULL : condition_compile(ts, t, slots);
}

static void compile_guard(compiled_action *a, const model *m, const transition *t, const term_vector *guard,
                          const term_vector *known, const uint32_t *slots) {
  a->guard = compile_test(m->terms, part_of(m, t, guard, known, false), slots);
  a->input_guard = compile_test(m->terms, part_of(m, t, guard, known, true), slots);
}

static void compile_faults(compiled_action *a, const model *m, const transition *t, const term_vector *guard,
                           const uint32_t *slots) {
  term_vector none = {0};
  for (size_t i = 0; i < t->faults.count; i++) {
    term_vector parts = {0};
    term_conjuncts(m->terms, t->faults.at[i].when, &parts);
    bool after_guard = has_all_conjuncts(&parts, guard);
    term rest = term_and(m->terms, part_of(m, t, &parts, after_guard ? guard : &none, false),
                         part_of(m, t, &parts, after_guard ? guard : &none, true));
    fault_test f = {condition_compile(m->terms, rest, slots), (uint32_t)i};
    if (after_guard)
      VECTOR_PUSH(a->late_faults, f);
    else
      VECTOR_PUSH(a->early_faults, f);
    VECTOR_FREE(parts);
  }
}

static change compile_change(const model *m, const update *u, const uint32_t *slots, term_vector *coded) {
  const terms *ts = m->terms;
  change c = {.position = (uint32_t)model_position(m, u->var)};
  term_kind kind = term_kind_of(ts, u->value);
  if (term_sort(ts, u->value) == SORT_BOOL) {
    if (kind == TERM_CONSTANT_TRUE) {
      c.kind = CHANGE_CONSTANT;
      c.constant = term_is_true(u->value);
    } else if (kind == TERM_BOOL_VARIABLE && !term_is_negated(u->value)) {
      c.kind = CHANGE_SHIFT;
      c.source = slots[term_variable(ts, u->value).x];
    } else {
      c.kind = CHANGE_TEST;
      c.test = condition_compile(ts, u->value, slots);
    }
    return c;
  }
  linear l = term_linear(ts, u->value);
  bool is_shift = l.count == 1 && number_is(l.coefficients[0], 1) && term_kind_of(ts, l.leaves[0]) == TERM_INT_VARIABLE;
  if (!number_to_int64(l.constant, &c.constant) || (l.count && !is_shift)) {
    c.kind = CHANGE_CODE;
    c.source = (uint32_t)coded->count;
    VECTOR_PUSH(*coded, u->value);
  } else if (l.count) {
    c.kind = CHANGE_SHIFT;
    c.source = slots[term_variable(ts, l.leaves[0]).x];
  } else {
    c.kind = CHANGE_CONSTANT;
  }
  return c;
}

static void compile_changes(compiled_action *a, const model *m, const transition *t, const uint32_t *slots) {
  term_vector coded = {0};
  for (size_t i = 0; i < t->updates.count; i++)
    VECTOR_PUSH(a->changes, compile_change(m, &t->updates.at[i], slots, &coded));
  a->code_count = coded.count;
  if (coded.count) a->code = code_compile(m->terms, coded.count, coded.at, slots);
  VECTOR_FREE(coded);
}

/* Ranges of the inputs, and whether they can be tried one by one. */
static void compile_inputs(compiled_action *a, machine *machine, const transition *t) {
  const terms *ts = machine->model->terms;
  uint64_t choices = 1;
  for (size_t i = 0; i < t->inputs.count; i++) {
    const type *of = variable_type(ts, t->inputs.at[i]);
    input_range r = {0, 1};
    if (!type_is_finite(of)) {
      a->counts_out = true;
      machine->has_endless_input = true;
      machine->endless_input = t->inputs.at[i];
    } else if (of->sort == SORT_INT && !(number_to_int64(of->low, &r.low) && number_to_int64(of->high, &r.high))) {
      a->counts_out = true;
    } else if (choices <= MOST_TRIED_INPUTS) {
      choices *= type_size(of, MOST_TRIED_INPUTS + 1);
    }
    VECTOR_PUSH(a->inputs, r);
  }
  if (choices > MOST_TRIED_INPUTS) a->counts_out = true;
}

/* ---- the machine ---- */

static switch_table *switch_at(machine *machine, size_t position) {
  if (machine->switch_of[position]) return &machine->switches.at[machine->switch_of[position] - 1];
  switch_table fresh = {.position = position};
  int64_t high = 0;
  switch_range(machine->model->terms, machine->model->variables.at[position].var, &fresh.low, &high);
  fresh.size = (size_t)(high - fresh.low) + 1;
  fresh.lists = memory_alloc_zero(fresh.size, sizeof *fresh.lists);
  VECTOR_PUSH(machine->switches, fresh);
  machine->switch_of[position] = (uint32_t)machine->switches.count;
  return &VECTOR_LAST(machine->switches);
}

static void compile_transition(machine *machine, uint32_t index) {
  const model *m = machine->model;
  const transition *t = &m->transitions.at[index];
  compiled_action a = {.transition = index};
  term_vector guard = {0}, known = {0};
  uint32_t number = (uint32_t)machine->actions.count;
  wish w = {0};
  if (term_is_false(t->guard) && !t->faults.count) return;
  for (size_t i = 0; i < t->inputs.count; i++) machine->slots[t->inputs.at[i].x] = (uint32_t)(m->variables.count + i);
  term_conjuncts(m->terms, t->guard, &guard);
  if (choose_wish(m, t, &guard, &w)) {
    VECTOR_PUSH(known, w.conjunct);
    switch_table *s = switch_at(machine, w.position);
    VECTOR_PUSH(s->lists[w.value - s->low], number);
  } else {
    VECTOR_PUSH(machine->always, number);
  }
  compile_guard(&a, m, t, &guard, &known, machine->slots);
  compile_faults(&a, m, t, &guard, machine->slots);
  compile_changes(&a, m, t, machine->slots);
  compile_inputs(&a, machine, t);
  if (t->inputs.count > machine->most_inputs) machine->most_inputs = t->inputs.count;
  if (a.code_count > machine->most_codes) machine->most_codes = a.code_count;
  VECTOR_PUSH(machine->actions, a);
  VECTOR_FREE(guard);
  VECTOR_FREE(known);
}

machine *machine_new(const model *m) {
  REQUIRE(!m->has_heap, "a model without heap");
  machine *machine = MEMORY_NEW(struct machine);
  machine->model = m;
  machine->slots = MEMORY_ARRAY(uint32_t, variable_count(m->terms));
  machine->switch_of = MEMORY_ARRAY(uint32_t, m->variables.count);
  for (size_t i = 0; i < m->variables.count; i++) machine->slots[m->variables.at[i].var.x] = (uint32_t)i;
  for (size_t i = 0; i < m->transitions.count; i++) compile_transition(machine, (uint32_t)i);
  return machine;
}

static void action_free(compiled_action *a) {
  condition_free(a->guard);
  condition_free(a->input_guard);
  for (size_t i = 0; i < a->early_faults.count; i++) condition_free(a->early_faults.at[i].when);
  for (size_t i = 0; i < a->late_faults.count; i++) condition_free(a->late_faults.at[i].when);
  for (size_t i = 0; i < a->changes.count; i++) condition_free(a->changes.at[i].test);
  VECTOR_FREE(a->early_faults);
  VECTOR_FREE(a->late_faults);
  VECTOR_FREE(a->changes);
  VECTOR_FREE(a->patches);
  VECTOR_FREE(a->inputs);
  code_free(a->code);
}

void machine_free(machine *m) {
  if (!m) return;
  for (size_t i = 0; i < m->actions.count; i++) action_free(&m->actions.at[i]);
  for (size_t i = 0; i < m->switches.count; i++) {
    for (size_t j = 0; j < m->switches.at[i].size; j++) VECTOR_FREE(m->switches.at[i].lists[j]);
    memory_free(m->switches.at[i].lists);
  }
  VECTOR_FREE(m->actions);
  VECTOR_FREE(m->switches);
  VECTOR_FREE(m->always);
  memory_free(m->slots);
  memory_free(m->switch_of);
  memory_free(m);
}

bool machine_has_endless_input(const machine *m, variable *input) {
  if (m->has_endless_input) *input = m->endless_input;
  return m->has_endless_input;
}

static void add_patch(compiled_action *a, const field *f, int64_t value) {
  uint64_t clear = f->mask << f->shift, bits = ((uint64_t)value - (uint64_t)f->low) << f->shift;
  for (size_t i = 0; i < a->patches.count; i++) {
    patch *p = &a->patches.at[i];
    if (p->word != f->word) continue;
    p->keep &= ~clear;
    p->bits |= bits;
    return;
  }
  VECTOR_PUSH(a->patches, (patch){f->word, ~clear, bits});
}

/* Constants that fit become patches, all of a word at once; those that do not are left to be found out when the step is
 * taken. */
void machine_set_layout(machine *m, const layout *l) {
  m->layout = l;
  for (size_t i = 0; i < m->actions.count; i++) {
    compiled_action *a = &m->actions.at[i];
    VECTOR_CLEAR(a->patches);
    for (size_t j = 0; j < a->changes.count; j++) {
      change *c = &a->changes.at[j];
      if (c->kind != CHANGE_CONSTANT && c->kind != CHANGE_BY_PATCH) continue;
      c->kind = field_fits(&l->fields[c->position], c->constant) ? CHANGE_BY_PATCH : CHANGE_CONSTANT;
      if (c->kind == CHANGE_BY_PATCH) add_patch(a, &l->fields[c->position], c->constant);
    }
  }
}
