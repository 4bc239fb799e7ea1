/* One search (Fig. 2 of the paper): concrete steps, matched on their abstraction. */
#include "base/instruments/check.h"
#include "base/work.h"
#include "engine/alpha/alpha.h"

/* How many values of open inputs, or first states, are taken from the solver before the search gives up on seeing them
 * all. */
enum { SOLVER_CHOICES = 512 };

exploration *explore_new(const alpha *a) {
  exploration *s = MEMORY_NEW(exploration);
  size_t words = a->kept.packing->words + predicates_words(a->predicates);
  s->visited = store_new(words * sizeof(uint64_t), 1);
  s->width = a->m->variables.count;
  VECTOR_RESERVE(s->states, s->width + 1); /* even if no variable is left: rows are read by address */
  VECTOR_RESERVE(s->input_words, 1);
  VECTOR_RESERVE(s->seen, a->likely.count + 1);
  s->wanted_index = map_new();
  return s;
}

void explore_free(exploration *s) {
  if (!s) return;
  store_free(s->visited);
  VECTOR_FREE(s->states);
  VECTOR_FREE(s->parents);
  VECTOR_FREE(s->actions);
  VECTOR_FREE(s->input_words);
  VECTOR_FREE(s->input_starts);
  VECTOR_FREE(s->edges);
  VECTOR_FREE(s->whole);
  VECTOR_FREE(s->seen);
  VECTOR_FREE(s->wanted);
  VECTOR_FREE(s->fault_inputs);
  VECTOR_FREE(s->error_state);
  VECTOR_FREE(s->error_inputs);
  map_free(s->wanted_index);
  memory_free(s);
}

bool explore_want(exploration *s, term atom, uint32_t place) {
  uint64_t key = (uint64_t)term_index(atom) << 32 | place;
  if (map_get(s->wanted_index, key, NULL)) return false;
  map_set(s->wanted_index, key, 1);
  VECTOR_PUSH(s->wanted, (wanted_predicate){term_positive(atom), place});
  return true;
}

static const char *check_states(const exploration *s, size_t actions) {
  size_t count = s->parents.count;
  if (store_count(s->visited) != count || s->actions.count != count || s->input_starts.count != count ||
      s->states.count != count * s->width)
    return "every abstract state has a concrete one, a parent, an action and inputs";
  for (size_t i = 0; i < count; i++) {
    if (s->parents.at[i] != NO_STATE && (s->parents.at[i] >= i || s->actions.at[i] >= actions))
      return "states come after their parents, by an action";
    if (s->input_starts.at[i] > s->input_words.count || (i && s->input_starts.at[i] < s->input_starts.at[i - 1]))
      return "inputs stand in the order of the states";
  }
  return NULL;
}

static const char *check_wanted(const exploration *s) {
  if (map_count(s->wanted_index) != s->wanted.count) return "every wanted predicate is wanted once";
  for (size_t i = 0; i < s->wanted.count; i++) {
    term atom = s->wanted.at[i].atom;
    if (term_is_negated(atom)) return "wanted predicates are positive";
    if (!map_get(s->wanted_index, (uint64_t)term_index(atom) << 32 | s->wanted.at[i].place, NULL))
      return "wanted predicates are known as such";
  }
  return NULL;
}

const char *exploration_check(const exploration *s, size_t actions) {
  size_t count = s->parents.count;
  const char *broken = check_states(s, actions);
  for (size_t i = 0; i < s->edges.count && !broken; i++) {
    const edge *e = &s->edges.at[i];
    if (e->from >= count || e->to >= count || e->action >= actions) broken = "edges join states by actions";
  }
  if (!broken && s->has_error &&
      (s->error_state.count != s->width || (s->error_parent != NO_STATE && s->error_parent >= count)))
    broken = "an error has a state, after one that is there";
  return broken ? broken : check_wanted(s);
}

/* Working space of a search. */
typedef struct walker {
  alpha *a;
  exploration *s;
  VECTOR(uint32_t) stack; /* depth first: states still to be expanded */
  uint64_t *key;          /* control words, then predicate words */
  uint64_t *mask, *bits, *target_mask;
  int64_t *state, *target, *inputs;
  size_t kept_words, predicate_words;
  const char *reason; /* why the search stopped */
} walker;

/* The abstraction of `state` into w->key, its predicates that count into `mask`. */
static bool abstract(walker *w, const int64_t *state, uint64_t *mask) {
  kept_pack(&w->a->kept, state, w->key);
  predicates_active(w->a->predicates, state, mask);
  if (predicates_evaluate(w->a->predicates, state, mask, w->key + w->kept_words)) return true;
  w->reason = "a value does not fit in 64 bits";
  return false;
}

static bool breaks_property(walker *w, const int64_t *state) {
  if (w->a->property->kind != PROPERTY_SAFE) return false;
  int holds = state_condition_holds(w->a->bad, state);
  if (holds < 0) w->reason = "a value does not fit in 64 bits";
  return holds > 0;
}

/* Keeps the first error: the run to `parent`, then `act` to `state`. */
static void note_error(walker *w, const int64_t *state, uint32_t parent, uint32_t act, size_t input_count,
                       const int64_t *inputs) {
  exploration *s = w->s;
  if (s->has_error) return;
  s->has_error = true;
  s->error_parent = parent;
  s->error_action = act;
  for (size_t i = 0; i < s->width; i++) VECTOR_PUSH(s->error_state, state[i]);
  for (size_t i = 0; i < input_count; i++) VECTOR_PUSH(s->error_inputs, inputs[i]);
}

/* The error is a state that the search has expanded: a deadlock, or the source of a fault. */
static void note_error_at(walker *w, uint32_t number) {
  exploration *s = w->s;
  assert(number < s->input_starts.count);
  uint32_t start = s->input_starts.at[number];
  size_t count = (number + 1 < s->input_starts.count ? s->input_starts.at[number + 1] : s->input_words.count) - start;
  note_error(w, s->states.at + number * s->width, s->parents.at[number], s->actions.at[number], count,
             s->input_words.at + start);
}

uint32_t explore_add(exploration *s, const uint64_t *key, const int64_t *state, uint32_t parent, uint32_t act) {
  uint64_t number = 0;
  store_answer known = store_add(s->visited, key, &number);
  if (known == STORE_FULL) return NO_STATE;
  if (known == STORE_NEW) {
    assert(number == s->parents.count && (parent == NO_STATE || parent < number));
    for (size_t i = 0; i < s->width; i++) VECTOR_PUSH(s->states, state[i]);
    VECTOR_PUSH(s->parents, parent);
    VECTOR_PUSH(s->actions, act);
    VECTOR_PUSH(s->input_starts, (uint32_t)s->input_words.count);
  }
  return (uint32_t)number;
}

/* Adds the abstraction in w->key with `state` standing for it; its number. */
static uint32_t arrive(walker *w, const int64_t *state, uint32_t parent, uint32_t act, size_t input_count,
                       const int64_t *inputs) {
  exploration *s = w->s;
  size_t before = s->parents.count;
  uint32_t number = explore_add(s, w->key, state, parent, act);
  if (number == NO_STATE) {
    w->reason = "too many states";
    return 0;
  }
  if (breaks_property(w, state)) note_error(w, state, parent, act, input_count, inputs);
  if (w->a->seen) seen_states_note(w->a->seen, state);
  size_t forms = w->a->likely.count;
  for (size_t i = 0; i < forms && number == before; i++) VECTOR_PUSH(s->seen, (likely_range){0});
  likely_note(&w->a->likely, state, s->seen.at + number * forms);
  if (number == before) {
    for (size_t i = 0; i < input_count; i++) VECTOR_PUSH(s->input_words, inputs[i]);
    VECTOR_PUSH(w->stack, number);
  }
  return number;
}

/* ---- first states ---- */

static term state_value(walker *w, size_t position, int64_t value) {
  term x = term_of_variable(w->a->ts, w->a->m->variables.at[position].var);
  if (term_sort(w->a->ts, x) == SORT_BOOL) return value ? x : term_not(x);
  return term_eq(w->a->ts, x, term_int(w->a->ts, value));
}

/* The abstraction of w->target as a formula, from w->key. */
static term abstraction_formula(walker *w, const uint64_t *mask) {
  term_vector parts = {0};
  for (size_t i = 0; i < w->a->kept.positions.count; i++) {
    size_t at = w->a->kept.positions.at[i];
    VECTOR_PUSH(parts, state_value(w, at, w->target[at]));
  }
  for (size_t i = 0; i < predicates_count(w->a->predicates); i++) {
    if (!word_bit(mask, i)) continue;
    term p = predicates_at(w->a->predicates, i);
    VECTOR_PUSH(parts, word_bit(w->key + w->kept_words, i) ? p : term_not(p));
  }
  term result = term_and_all(w->a->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

static bool read_model(walker *w, size_t count, const variable *variables, int64_t *out) {
  for (size_t i = 0; i < count; i++)
    if (!number_to_int64(solver_value(w->a->solver, variables[i]), &out[i])) return false;
  return true;
}

/* One first state for each abstraction that the initial condition allows. */
static bool first_states(walker *w) {
  alpha *a = w->a;
  VECTOR(variable) all = {0};
  for (size_t i = 0; i < a->m->variables.count; i++) VECTOR_PUSH(all, a->m->variables.at[i].var);
  solver_push(a->solver);
  solver_assert(a->solver, a->m->init);
  size_t found = 0;
  for (;; found++) {
    answer more = solver_check(a->solver, 0);
    if (answer_is_no(more)) break;
    if (answer_is_unsure(more) || found == SOLVER_CHOICES || !read_model(w, all.count, all.at, w->target)) {
      w->s->incomplete = "the initial states could not all be covered";
      break;
    }
    w->s->concrete++;
    if (!abstract(w, w->target, w->target_mask)) break;
    solver_assert(a->solver, term_not(abstraction_formula(w, w->target_mask)));
    arrive(w, w->target, NO_STATE, 0, 0, NULL);
  }
  solver_pop(a->solver);
  VECTOR_FREE(all);
  return !w->reason;
}

/* ---- steps ---- */

static void note_fault(walker *w, uint32_t from, size_t act, size_t fault, size_t input_count, const int64_t *inputs) {
  exploration *s = w->s;
  if (w->a->property->kind != PROPERTY_NO_FAULT || s->has_error) return;
  note_error_at(w, from);
  s->fault_action = act;
  s->fault = fault;
  for (size_t i = 0; i < input_count; i++) VECTOR_PUSH(s->fault_inputs, inputs[i]);
}

static bool step_closed(walker *w, uint32_t number, alpha_source *from, size_t index, bool *can_move) {
  alpha *a = w->a;
  alpha_action *act = &a->actions.at[index];
  int here = state_condition_holds(act->control_test, from->state);
  size_t fault = 0;
  if (!here && !a->m->transitions.at[act->transition].faults.count) return true;
  step_status status = semantics_step(a->semantics, act->transition, from->state, act->inputs.at, w->target, &fault);
  if (status == STEP_OVERFLOW || here < 0) {
    w->reason = "a value does not fit in 64 bits";
    return false;
  }
  if (status == STEP_FAULT) note_fault(w, number, index, fault, act->inputs.count, act->inputs.at);
  if (here) exact_test(a, w->s, from, act, status == STEP_TAKEN);
  if (status != STEP_TAKEN) return true;
  *can_move = true;
  w->s->concrete++;
  work_add(1 + w->predicate_words / 4);
  if (!abstract(w, w->target, w->target_mask)) return false;
  if (a->paper)
    paper_images(a, w->s, from, act, w->target, w->key + w->kept_words);
  else
    exact_images(a, w->s, from, act, w->target, w->target_mask, w->key + w->kept_words);
  uint32_t to = arrive(w, w->target, number, (uint32_t)index, 0, NULL);
  VECTOR_PUSH(w->s->edges, (edge){number, (uint32_t)index, to});
  return !w->reason;
}

/* What the target's abstraction in w->key says, read before the step: over the source's variables and the inputs. */
static term target_formula(walker *w, const alpha_action *act) {
  substitution *by = substitution_new(w->a->ts);
  for (size_t i = 0; i < act->updates.count; i++)
    substitution_set(by, act->updates.at[i].var, act->updates.at[i].value);
  term result = substitution_apply(by, abstraction_formula(w, w->target_mask));
  substitution_free(by);
  return result;
}

/* `t` with the inputs in w->inputs put in. */
static term with_inputs(walker *w, const transition *of, term t) {
  terms *ts = w->a->ts;
  substitution *chosen = substitution_new(ts);
  for (size_t i = 0; i < of->inputs.count; i++) {
    substitution_set(chosen, of->inputs.at[i], term_of_value(ts, of->inputs.at[i], w->inputs[i]));
  }
  term result = substitution_apply(chosen, t);
  substitution_free(chosen);
  return result;
}

/* Some input for which a fault of the transition holds in this state. */
static void find_open_fault(walker *w, uint32_t number, const alpha_source *from, size_t index, substitution *here) {
  alpha *a = w->a;
  const transition *t = &a->m->transitions.at[a->actions.at[index].transition];
  if (!t->faults.count) return;
  size_t fault = 0;
  solver_push(a->solver);
  solver_assert(a->solver, substitution_apply(here, transition_fault(a->m, t)));
  answer possible = solver_check(a->solver, 0);
  if (answer_is_yes(possible) && read_model(w, t->inputs.count, t->inputs.at, w->inputs) &&
      semantics_step(a->semantics, a->actions.at[index].transition, from->state, w->inputs, w->target, &fault) ==
          STEP_FAULT)
    note_fault(w, number, index, fault, t->inputs.count, w->inputs);
  else if (!answer_is_no(possible))
    w->s->incomplete = "it could not be decided whether an input leads to a run-time error";
  solver_pop(a->solver);
}

/* Inputs chosen by the solver: one choice for each abstraction of a target (section 7.1). The step is exact if no
 * state with the source's abstraction has a target beyond these; if deadlocks matter, one of the choices must also
 * be possible in all of those states. */
static bool step_open(walker *w, uint32_t number, alpha_source *from, size_t index, bool *can_move) {
  alpha *a = w->a;
  alpha_action *act = &a->actions.at[index];
  const transition *t = &a->m->transitions.at[act->transition];
  bool possible = state_condition_holds(act->control_test, from->state) == 1;
  if (!possible && a->property->kind != PROPERTY_NO_FAULT) return true;
  substitution *here = substitution_new(a->ts);
  for (size_t i = 0; i < a->m->variables.count; i++) {
    variable v = a->m->variables.at[i].var;
    substitution_set(here, v, term_of_value(a->ts, v, from->state[i]));
  }
  term_vector targets = {0}, missing = {0}, ways = {0};
  if (a->property->kind == PROPERTY_NO_FAULT) find_open_fault(w, number, from, index, here);
  solver_push(a->solver);
  solver_assert(a->solver, substitution_apply(here, act->enabled));
  for (size_t found = 0; possible && !w->reason; found++) {
    answer more = solver_check(a->solver, 0);
    if (answer_is_no(more)) break;
    if (answer_is_unsure(more) || found == SOLVER_CHOICES || !read_model(w, t->inputs.count, t->inputs.at, w->inputs)) {
      w->s->incomplete = "the choices of an input could not all be covered";
      *can_move = true; /* for all that is known */
      break;
    }
    if (semantics_step(a->semantics, act->transition, from->state, w->inputs, w->target, NULL) != STEP_TAKEN) {
      w->reason = "a value does not fit in 64 bits";
      break;
    }
    *can_move = true;
    w->s->concrete++;
    if (!abstract(w, w->target, w->target_mask)) break;
    term target = target_formula(w, act), way = with_inputs(w, t, act->enabled);
    VECTOR_PUSH(targets, target);
    VECTOR_PUSH(ways, way);
    solver_assert(a->solver, term_not(substitution_apply(here, target)));
    data_atoms(a->ts, &a->kept, with_inputs(w, t, term_and(a->ts, act->enabled, target)), &missing);
    uint32_t to = arrive(w, w->target, number, (uint32_t)index, t->inputs.count, w->inputs);
    VECTOR_PUSH(w->s->edges, (edge){number, (uint32_t)index, to});
  }
  solver_pop(a->solver);
  substitution_free(here);
  bool known = !w->reason && !w->s->incomplete;
  if (known) exact_open(a, w->s, from, act, &targets, &missing);
  if (known && ways.count && a->property->kind == PROPERTY_DEADLOCKFREE)
    exact_movable(a, w->s, from, act, term_or_all(a->ts, ways.count, ways.at));
  VECTOR_FREE(ways);
  VECTOR_FREE(targets);
  VECTOR_FREE(missing);
  return !w->reason;
}

static bool expand(walker *w, uint32_t number) {
  alpha *a = w->a;
  memcpy(w->state, w->s->states.at + number * w->s->width, w->s->width * sizeof *w->state);
  if (!abstract(w, w->state, w->mask)) return false;
  memcpy(w->bits, w->key + w->kept_words, w->predicate_words * sizeof *w->bits);
  alpha_source from = {.state = w->state, .mask = w->mask, .bits = w->bits};
  bool can_move = false, fine = true;
  for (size_t i = 0; i < a->actions.count && fine; i++)
    fine =
        a->actions.at[i].open ? step_open(w, number, &from, i, &can_move) : step_closed(w, number, &from, i, &can_move);
  substitution_free(from.values);
  if (fine && !can_move && a->property->kind == PROPERTY_DEADLOCKFREE) note_error_at(w, number);
  return fine;
}

static void explore(walker *w) {
  alpha *a = w->a;
  for (uint32_t next = 0; !w->reason;) {
    uint32_t number;
    if (!a->paper && w->s->has_error) return;
    if (a->env->options->order == ORDER_DFS) {
      if (!w->stack.count) return;
      number = VECTOR_POP(w->stack);
    } else {
      if (next == w->stack.count) return;
      number = w->stack.at[next++];
    }
    w->reason = budget_spent(a->env->budget);
    if (!w->reason) expand(w, number);
    CHECKED_AT_TIMES(w->s->parents.count + w->s->edges.count, exploration_check(w->s, a->actions.count));
  }
}

explore_outcome explore_run(alpha *a, exploration *s, const char **reason) {
  walker w = {.a = a, .s = s, .kept_words = a->kept.packing->words, .predicate_words = predicates_words(a->predicates)};
  size_t words = w.predicate_words + 1, inputs = 1;
  for (size_t i = 0; i < a->m->transitions.count; i++)
    if (a->m->transitions.at[i].inputs.count > inputs) inputs = a->m->transitions.at[i].inputs.count;
  w.key = MEMORY_ARRAY(uint64_t, w.kept_words + words);
  w.mask = MEMORY_ARRAY(uint64_t, words);
  w.bits = MEMORY_ARRAY(uint64_t, words);
  w.target_mask = MEMORY_ARRAY(uint64_t, words);
  w.state = MEMORY_ARRAY(int64_t, s->width + 1);
  w.target = MEMORY_ARRAY(int64_t, s->width + 1);
  w.inputs = MEMORY_ARRAY(int64_t, inputs);
  for (size_t i = 0; i < a->actions.count; i++) {
    a->actions.at[i].inexact = false;
    action_make_images(a->m, &a->kept, a->predicates, &a->actions.at[i]);
  }
  if (first_states(&w)) explore(&w);
  CHECKED(exploration_check(s, a->actions.count));
  memory_free(w.key);
  memory_free(w.mask);
  memory_free(w.bits);
  memory_free(w.target_mask);
  memory_free(w.state);
  memory_free(w.target);
  memory_free(w.inputs);
  VECTOR_FREE(w.stack);
  *reason = w.reason;
  return w.reason ? EXPLORE_STOPPED : EXPLORE_COMPLETE;
}
