/* All steps between the states found are listed, and the property is checked on that graph
 * (temporal/temporal_listed.h). A failure that one path shows becomes a run with a loop; for everything else the graph
 * is the evidence, one block a state.
 *
 * While the search goes on, steps to states that were not found yet lead to one more state, which stands for all of
 * them. The property is weakened so that no run through it breaks it: a run that does is one of the system. */
#include "engine/explicit/temporal.h"

#include "base/work.h"
#include "temporal/temporal_listed.h"
#include "temporal/temporal_promise.h"

enum { MOST_STATES = 1 << 17, MOST_STEPS = 1 << 22, MOST_DIAGRAM_NODES = 1 << 24 };
enum { STEPS_A_UNIT = 16, NO_STATE = UINT32_MAX };
enum { FIRST_LOOK = 64, LOOKS_GROW_BY = 4, LEAST_WORK_OF_LOOK = 1000000 };

typedef struct compiled_label {
  term formula;
  state_condition *holds;
} compiled_label;

typedef struct looking {
  search *search;
  budget *budget;
  listed_system system;
  uint32_t from; /* the state whose steps are being listed */
  bool is_partial;
  uint32_t unknown; /* if it is partial: stands for the states that were not found yet */
  term is_unknown;  /* a variable that is true there only */
  uint64_t *packed;
  VECTOR(compiled_label) labels;
  const char *trouble;
} looking;

/* ---- the graph ---- */

static bool list_step(void *context, const machine_step *taken) {
  looking *l = context;
  uint64_t to = l->unknown;
  bool found = store_find(l->search->store, taken->packed, &to);
  REQUIRE(found || l->is_partial, "a state that was found");
  VECTOR_PUSH(l->system.steps, (listed_step){l->from, taken->transition, (uint32_t)to});
  return l->system.steps.count < MOST_STEPS;
}

/* The packed state is a good code: bits that belong together are next to each other. */
static void list_codes(looking *l) {
  const search *s = l->search;
  uint64_t most = 0;
  for (uint32_t n = 0; n < store_count(s->store) && s->layout->words == 1; n++) {
    store_read(s->store, n, l->packed);
    if (l->packed[0] >> 30) {
      VECTOR_CLEAR(l->system.codes);
      return;
    }
    if (l->packed[0] > most) most = l->packed[0];
    VECTOR_PUSH(l->system.codes, (uint32_t)l->packed[0]);
  }
  if (l->is_partial && l->system.codes.count) VECTOR_PUSH(l->system.codes, (uint32_t)most + 1);
}

/* If not all steps of a state are known, there is one to the unknown. With fairness it is the only one: which transitions can be taken
 * there matters, and is not known. */
static void list_steps(looking *l, uint32_t from) {
  search *s = l->search;
  size_t before = l->system.steps.count;
  l->from = from;
  store_read(s->store, from, l->packed);
  expansion e = stepper_expand(s->steppers[0], l->packed, false, l->budget, list_step, l);
  bool lacks_steps = e.end == EXPANSION_MISFIT || e.lacks_inputs || e.lacks_size;
  if (l->is_partial && lacks_steps) {
    if (s->model->fairness.count) l->system.steps.count = before;
    VECTOR_PUSH(l->system.steps, (listed_step){from, 0, l->unknown});
  } else if (e.end != EXPANDED) {
    const char *spent = budget_spent(l->budget);
    l->trouble = spent ? spent : "too many steps for a temporal property";
  }
}

static void list(looking *l) {
  search *s = l->search;
  uint32_t found = (uint32_t)store_count(s->store);
  if (store_count(s->store) > MOST_STATES) {
    l->trouble = "too many states for a temporal property";
    return;
  }
  l->unknown = found;
  l->system.states = found + (l->is_partial ? 1 : 0);
  list_codes(l);
  for (uint32_t i = 0; i < s->initial; i++) VECTOR_PUSH(l->system.initial, i);
  for (uint32_t i = 0; i < s->model->transitions.count; i++) VECTOR_PUSH(l->system.transitions, i);
  for (uint32_t n = 0; n < found && !l->trouble; n++) list_steps(l, n);
}

static bool holds_in(void *context, uint32_t state, term t) {
  looking *l = context;
  size_t i = 0;
  if (l->is_partial && (state == l->unknown || term_same(t, l->is_unknown))) return state == l->unknown;
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

static void looking_clear(looking *l) {
  for (size_t i = 0; i < l->labels.count; i++) state_condition_free(l->labels.at[i].holds);
  VECTOR_FREE(l->labels);
  listed_system_clear(&l->system);
  memory_free(l->packed);
}

/* A short run that breaks a promise, if the formula is one and fairness plays no part. It may not come to the state `never`. */
static bool claim_broken_promise(looking *l, uint32_t never, claim *out) {
  const model *m = l->search->model;
  const property *p = l->search->property;
  temporal_promise promise;
  listed_answer found = {.holds = answer_no(), .has_fair_run = true, .has_path = true, .is_whole = true};
  if (m->fairness.count || p->kind != PROPERTY_LTL || !temporal_is_promise(m->terms, p->formula, &promise))
    return false;
  work_add(l->system.steps.count / STEPS_A_UNIT);
  bool is_broken = listed_promise_run(&promise, &l->system, never, holds_in, l, &found.path) && !l->trouble;
  for (size_t i = 0, next = 0; i < l->system.states && !l->is_partial; i++) {
    bool has_step = next < l->system.steps.count && l->system.steps.at[next].from == i;
    while (next < l->system.steps.count && l->system.steps.at[next].from == i) next++;
    found.deadlocks += !has_step;
  }
  if (is_broken && !l->is_partial) report(l->search, &found);
  if (is_broken) make_claim(l, &found, out);
  listed_path_clear(&found.path);
  return is_broken;
}

const char *temporal_claim(search *s, claim *out) {
  looking l = {.search = s, .budget = s->env->budget, .packed = MEMORY_ARRAY(uint64_t, s->layout->words + 1)};
  list(&l);
  s->env->statistics->transitions = l.system.steps.count;
  if (!l.trouble && !claim_broken_promise(&l, NO_STATE, out) && !l.trouble) {
    listed_answer found =
        listed_check(s->model, s->property, &l.system, holds_in, &l, MOST_DIAGRAM_NODES, s->env->budget);
    if (!l.trouble && answer_is_unsure(found.holds)) l.trouble = found.holds.reason;
    if (!l.trouble) {
      report(s, &found);
      make_claim(&l, &found, out);
    }
    listed_path_clear(&found.path);
  }
  looking_clear(&l);
  return l.trouble;
}

/* ---- while the search goes on ---- */

static bool is_on(const listed_path *p, uint32_t state) {
  bool found = false;
  for (size_t i = 0; i < p->states.count && !found; i++) found = p->states.at[i] == state;
  return found;
}

/* In the unknown state the formula holds, whatever stands at its leaves. CTL and CTL*, universal, without equivalences. */
static temporal *weaken_leaves(terms *ts, const temporal *f, term is_unknown, bool positive) {
  temporal *made = arena_alloc(terms_arena(ts), sizeof *made);
  *made = *f;
  if (temporal_is_propositional(f)) {
    temporal *unknown = arena_alloc(terms_arena(ts), sizeof *unknown);
    *unknown = (temporal){.kind = TEMPORAL_STATE, .state = positive ? is_unknown : term_not(is_unknown)};
    *made = (temporal){.kind = positive ? TEMPORAL_OR : TEMPORAL_AND, .left = (temporal *)f, .right = unknown};
    return made;
  }
  bool flips = f->kind == TEMPORAL_NOT || f->kind == TEMPORAL_IMPLIES;
  if (f->left) made->left = weaken_leaves(ts, f->left, is_unknown, positive != flips);
  if (f->right) made->right = weaken_leaves(ts, f->right, is_unknown, positive);
  return made;
}

/* LTL: .. or the unknown is reached. */
static temporal *weaken(terms *ts, const property *p, term is_unknown) {
  if (p->kind != PROPERTY_LTL) return weaken_leaves(ts, p->formula, is_unknown, true);
  temporal *made = arena_alloc(terms_arena(ts), 3 * sizeof *made);
  made[0] = (temporal){.kind = TEMPORAL_OR, .left = p->formula, .right = made + 1};
  made[1] = (temporal){.kind = TEMPORAL_F, .left = made + 2};
  made[2] = (temporal){.kind = TEMPORAL_STATE, .state = is_unknown};
  return made;
}

static bool has_equivalence(const temporal *f) {
  if (temporal_is_propositional(f)) return false;
  return f->kind == TEMPORAL_IFF || has_equivalence(f->left) || (f->right && has_equivalence(f->right));
}

static bool is_weakened(const property *p) {
  if (p->kind == PROPERTY_LTL) return true;
  bool is_of_states = p->kind == PROPERTY_CTL || p->kind == PROPERTY_CTLSTAR;
  return is_of_states && temporal_is_universal(p->formula) && !has_equivalence(p->formula);
}

void run_finder_init(run_finder *f, const search *s) {
  terms *ts = s->model->terms;
  const property *p = s->property;
  *f = (run_finder){.next = FIRST_LOOK, .work_before = work_done()};
  if (!is_weakened(p)) return;
  f->is_unknown = term_of_variable(ts, variable_fresh(ts, "unknown", &(type){.sort = SORT_BOOL}));
  f->weaker = *p;
  f->weaker.formula = weaken(ts, p, f->is_unknown);
  f->is_able = true;
}

bool run_finder_look(run_finder *f, search *s, claim *out) {
  if (!f->is_able || store_count(s->store) < f->next || store_count(s->store) >= MOST_STATES) return false;
  f->next = LOOKS_GROW_BY * store_count(s->store);
  budget share = *s->env->budget;
  uint64_t most = work_done() + LEAST_WORK_OF_LOOK + (work_done() - f->work_before);
  if (!share.work || share.work > most) share.work = most;
  looking l = {.search = s,
               .budget = &share,
               .packed = MEMORY_ARRAY(uint64_t, s->layout->words + 1),
               .is_partial = true,
               .is_unknown = f->is_unknown};
  bool is_run = false;
  list(&l);
  is_run = !l.trouble && claim_broken_promise(&l, l.unknown, out);
  if (!is_run && !l.trouble) {
    listed_answer found = listed_check(s->model, &f->weaker, &l.system, holds_in, &l, MOST_DIAGRAM_NODES, &share);
    is_run =
        !l.trouble && answer_is_no(found.holds) && found.has_path && found.is_whole && !is_on(&found.path, l.unknown);
    if (is_run) make_claim(&l, &found, out);
    listed_path_clear(&found.path);
  }
  looking_clear(&l);
  f->work_before = work_done();
  return is_run;
}
