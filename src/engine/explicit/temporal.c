/* All steps between the states found are listed, and the property is checked on that graph
 * (temporal/temporal_listed.h). A failure that one path shows becomes a run with a loop; for everything else the graph
 * is the evidence, one block a state. */
#include "engine/explicit/temporal.h"

#include "temporal/temporal_listed.h"

enum { MOST_STATES = 1 << 17, MOST_STEPS = 1 << 22, MOST_DIAGRAM_NODES = 1 << 24 };

typedef struct compiled_label {
  term formula;
  state_condition *holds;
} compiled_label;

typedef struct looking {
  search *search;
  listed_system system;
  uint32_t from; /* the state whose steps are being listed */
  uint64_t *packed;
  VECTOR(compiled_label) labels;
  const char *trouble;
} looking;

/* ---- the graph ---- */

static bool list_step(void *context, const machine_step *taken) {
  looking *l = context;
  uint64_t to;
  REQUIRE(store_find(l->search->store, taken->packed, &to), "a state that was found");
  VECTOR_PUSH(l->system.steps, (listed_step){l->from, taken->transition, (uint32_t)to});
  return l->system.steps.count < MOST_STEPS;
}

/* The packed state is a good code: bits that belong together are next to each other. */
static void list_codes(looking *l) {
  const search *s = l->search;
  for (uint32_t n = 0; n < l->system.states && s->layout->words == 1; n++) {
    store_read(s->store, n, l->packed);
    if (l->packed[0] >> 31) {
      VECTOR_CLEAR(l->system.codes);
      return;
    }
    VECTOR_PUSH(l->system.codes, (uint32_t)l->packed[0]);
  }
}

static void list(looking *l) {
  search *s = l->search;
  l->system.states = store_count(s->store);
  if (l->system.states > MOST_STATES) {
    l->trouble = "too many states for a temporal property";
    return;
  }
  list_codes(l);
  for (uint32_t i = 0; i < s->initial; i++) VECTOR_PUSH(l->system.initial, i);
  for (uint32_t i = 0; i < s->model->transitions.count; i++) VECTOR_PUSH(l->system.transitions, i);
  for (uint32_t n = 0; n < l->system.states && !l->trouble; n++) {
    l->from = n;
    store_read(s->store, n, l->packed);
    expansion e = stepper_expand(s->steppers[0], l->packed, false, s->env->budget, list_step, l);
    if (e.end != EXPANDED) {
      const char *spent = budget_spent(s->env->budget);
      l->trouble = spent ? spent : "too many steps for a temporal property";
    }
    s->env->statistics->transitions = l->system.steps.count;
  }
}

static bool holds_in(void *context, uint32_t state, term t) {
  looking *l = context;
  size_t i = 0;
  while (i < l->labels.count && !term_same(l->labels.at[i].formula, t)) i++;
  if (i == l->labels.count) VECTOR_PUSH(l->labels, (compiled_label){t, state_condition_new(l->search->model, t)});
  store_read(l->search->store, state, l->packed);
  int holds = stepper_test(l->search->steppers[0], l->labels.at[i].holds, l->packed);
  if (holds < 0) l->trouble = "a value does not fit in 64 bits";
  return holds > 0;
}

/* ---- evidence ---- */

static void read_values(looking *l, uint32_t state, int64_t *values) {
  store_read(l->search->store, state, l->packed);
  layout_unpack(l->search->layout, l->packed, values);
}

static void graph_evidence(looking *l, bool fails, evidence *out) {
  const model *m = l->search->model;
  int64_t *values = MEMORY_ARRAY(int64_t, m->variables.count + 1);
  out->kind = EVIDENCE_QUOTIENT;
  out->quotient.is_exact = true;
  out->quotient.fails = fails;
  for (uint32_t n = 0; n < l->system.states; n++) {
    invariant_part block = {.formula = TERM_TRUE};
    read_values(l, n, values);
    for (size_t i = 0; i < m->variables.count; i++)
      VECTOR_PUSH(block.fixed, (fixed_value){m->variables.at[i].var, number_of(values[i])});
    VECTOR_PUSH(out->parts, block);
  }
  for (size_t i = 0; i < l->system.initial.count; i++) VECTOR_PUSH(out->quotient.initial, l->system.initial.at[i]);
  for (size_t i = 0; i < l->system.steps.count; i++) {
    const listed_step *s = &l->system.steps.at[i];
    VECTOR_PUSH(out->quotient.edges, (quotient_edge){s->from, s->action, s->to});
  }
  memory_free(values);
}

typedef struct wanted_step {
  looking *looking;
  uint32_t transition, to;
  trace_step *out;
} wanted_step;

static bool is_wanted(void *context, const machine_step *taken) {
  wanted_step *w = context;
  uint64_t to;
  const model *m = w->looking->search->model;
  if (taken->transition != w->transition || !store_find(w->looking->search->store, taken->packed, &to) || to != w->to)
    return true;
  w->out->transition = taken->transition;
  for (size_t i = 0; i < m->transitions.at[taken->transition].inputs.count; i++)
    VECTOR_PUSH(w->out->inputs, number_of(taken->inputs[i]));
  return false;
}

static void add_state(looking *l, const listed_path *p, size_t position, evidence *out) {
  const model *m = l->search->model;
  int64_t *values = MEMORY_ARRAY(int64_t, m->variables.count + 1);
  trace_step made = {0};
  if (position) {
    wanted_step w = {l, p->actions.at[position - 1], p->states.at[position], &made};
    store_read(l->search->store, p->states.at[position - 1], l->packed);
    expansion e = stepper_expand(l->search->steppers[0], l->packed, false, NULL, is_wanted, &w);
    REQUIRE(e.end == EXPANSION_STOPPED, "a step between two states of a path");
  }
  read_values(l, p->states.at[position], values);
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(made.values, number_of(values[i]));
  VECTOR_PUSH(out->steps, made);
  memory_free(values);
}

/* The run along the path. A state without steps is left idling: there it ends. */
static void path_evidence(looking *l, const listed_path *p, evidence *out) {
  out->has_loop = p->loop != TEMPORAL_NO_LOOP;
  out->loop = p->loop;
  add_state(l, p, 0, out);
  for (size_t i = 0; i < p->actions.count; i++) {
    if (p->actions.at[i] == TEMPORAL_IDLE) {
      out->has_loop = true;
      out->loop = i;
      return;
    }
    add_state(l, p, i + 1, out);
  }
}

/* ---- the verdict ---- */

static void report(const search *s, const listed_answer *found) {
  if (found->deadlocks > 0) events_note(s->env->events, "%.0f states have no step: they idle", found->deadlocks);
  if (s->model->fairness.count && s->property->kind == PROPERTY_MU)
    events_note(s->env->events, "fairness plays no part in formulas of the mu-calculus");
  else if (!found->has_fair_run)
    events_note(s->env->events, "no run from an initial state is fair");
}

static void make_claim(looking *l, const listed_answer *found, claim *out) {
  bool fails = answer_is_no(found->holds);
  out->verdict = fails ? VERDICT_FAILS : VERDICT_HOLDS;
  if (found->has_path) path_evidence(l, &found->path, &out->evidence);
  if (found->has_path && found->is_whole)
    out->evidence.kind = EVIDENCE_TRACE;
  else
    graph_evidence(l, fails, &out->evidence);
}

const char *temporal_claim(search *s, claim *out) {
  looking l = {.search = s, .packed = MEMORY_ARRAY(uint64_t, s->layout->words + 1)};
  list(&l);
  if (!l.trouble) {
    listed_answer found =
        listed_check(s->model, s->property, &l.system, holds_in, &l, MOST_DIAGRAM_NODES, s->env->budget);
    if (!l.trouble && answer_is_unsure(found.holds)) l.trouble = found.holds.reason;
    if (!l.trouble) {
      report(s, &found);
      make_claim(&l, &found, out);
    }
    listed_path_clear(&found.path);
  }
  for (size_t i = 0; i < l.labels.count; i++) state_condition_free(l.labels.at[i].holds);
  VECTOR_FREE(l.labels);
  listed_system_clear(&l.system);
  memory_free(l.packed);
  return l.trouble;
}
