/* Relaxed exactness (sections 8.6 and 10): the search need not be exact to have shown the property. It is enough that what was visited, made larger if need be, is
 * closed under steps and free of bad states: then it is an invariant.
 *
 * Of each visited abstract state it is assumed that its states have what those seen there have in common (likely.h). The solver looks for a step that leads out of
 * all that: where it leads to, the assumption is made weaker, or, if no state with that abstraction was visited, an abstract state is added that stands for
 * it. If a bad state is met, the way to it begins with a step from a visited abstract state by a state that was never seen. Only the predicates that tell that state from the one
 * seen there can matter for the property; refinement may add them alone. What is claimed in the end is checked like any invariant. */
#include "base/instruments/log.h"
#include "base/work.h"
#include "engine/alpha/alpha.h"
#include "term/bounds.h"

enum { LEAST_WORK = 200000, MOST_ADDED = 64, WORK_OF_A_QUESTION = 20, DROPS_OF_A_BOUND = 3 };

/* An abstract state with what is assumed of it. */
typedef struct closed_block {
  uint32_t
      source; /* the block from which it was added, by `act` from the state at `witness`; NO_STATE: it was visited */
  uint32_t act;
  size_t witness; /* in `witnesses` */
  bool is_dirty;  /* its steps are to be looked at */
  term formula;   /* over data; the values of kept variables are in its state */
} closed_block;

typedef VECTOR(uint32_t) block_list;

typedef struct closing {
  alpha *a;
  const exploration *s;
  budget share;
  solver *solver;
  exploration *blocks; /* visited ones first, with the same numbers */
  VECTOR(closed_block) all;
  likely_ranges ranges;      /* a row for each block */
  VECTOR(uint8_t) drops;     /* for each form, in how many blocks its lower and its upper bound was given up */
  VECTOR(int64_t) witnesses; /* states from which blocks were added */
  map *by_control;           /* hash of the kept variables -> position in `groups` */
  VECTOR(block_list) groups;
  size_t width, forms, words;
  uint64_t *key, *mask;
  int64_t *state, *target, *inputs;
  uint32_t bad_block; /* where a bad state may be; its state is `target` */
  bool stuck;
  size_t questions;
} closing;

/* ---- blocks ---- */

static uint64_t control_hash(const closing *c, const uint64_t *key) {
  uint64_t hash = 1;
  for (size_t i = 0; i < c->a->kept.packing->words; i++) hash = hash_mix(hash ^ key[i]);
  return hash;
}

static block_list *group_of(closing *c, uint64_t hash) {
  uint64_t at;
  if (!map_get(c->by_control, hash, &at)) {
    at = c->groups.count;
    map_set(c->by_control, hash, at);
    VECTOR_PUSH(c->groups, (block_list){0});
  }
  return &c->groups.at[at];
}

static substitution *values_of_control(const closing *c, const int64_t *state) {
  alpha *a = c->a;
  substitution *by = substitution_new(a->ts);
  for (size_t i = 0; i < a->kept.positions.count; i++) {
    variable v = a->m->variables.at[a->kept.positions.at[i]].var;
    substitution_set(by, v, term_of_value(a->ts, v, state[a->kept.positions.at[i]]));
  }
  return by;
}

/* What is assumed of block `n`: its predicates and what its ranges say. */
static void make_formula(closing *c, uint32_t n) {
  alpha *a = c->a;
  term_vector parts = {0};
  const int64_t *state = c->blocks->states.at + n * c->width;
  substitution *control = values_of_control(c, state);
  store_read(c->blocks->visited, n, c->key);
  predicates_active(a->predicates, state, c->mask);
  for (size_t i = 0; i < predicates_count(a->predicates); i++) {
    if (!word_bit(c->mask, i)) continue;
    term p = predicates_at(a->predicates, i);
    if (predicates_is_mixed(a->predicates, i)) p = substitution_apply(control, p);
    VECTOR_PUSH(parts, word_bit(c->key + c->words, i) ? p : term_not(p));
  }
  likely_terms(a->ts, &a->likely, c->ranges.at + n * c->forms, &parts);
  c->all.at[n].formula = term_and_all(a->ts, parts.count, parts.at);
  c->all.at[n].is_dirty = true;
  substitution_free(control);
  VECTOR_FREE(parts);
}

static bool abstract(closing *c, const int64_t *state) {
  alpha *a = c->a;
  kept_pack(&a->kept, state, c->key);
  predicates_active(a->predicates, state, c->mask);
  return predicates_evaluate(a->predicates, state, c->mask, c->key + c->words);
}

static void add_block(closing *c, uint32_t number, closed_block b, const likely_range *ranges) {
  assert(number == c->all.count);
  VECTOR_PUSH(c->all, b);
  for (size_t i = 0; i < c->forms; i++) VECTOR_PUSH(c->ranges, ranges ? ranges[i] : (likely_range){0});
  store_read(c->blocks->visited, number, c->key);
  VECTOR_PUSH(*group_of(c, control_hash(c, c->key)), number);
}

static void take_visited(closing *c) {
  for (uint32_t n = 0; n < c->s->parents.count; n++) {
    store_read(c->s->visited, n, c->key);
    explore_add(c->blocks, c->key, c->s->states.at + n * c->width, NO_STATE, 0);
    add_block(c, n, (closed_block){.source = NO_STATE}, c->s->seen.at + n * c->forms);
    make_formula(c, n);
  }
}

static bool is_bad(const closing *c, const int64_t *state) {
  return c->a->bad && state_condition_holds(c->a->bad, state) != 0;
}

/* Bounds that had to be given up in several blocks are given up in all in which they are more than one value: they hold nowhere for long. */
static void give_up_everywhere(closing *c, uint32_t after) {
  for (size_t i = 0; i < c->forms; i++) {
    const likely_range *r = &c->ranges.at[after * c->forms + i];
    bool low = !r->has_low && c->drops.at[2 * i] < DROPS_OF_A_BOUND && ++c->drops.at[2 * i] == DROPS_OF_A_BOUND;
    bool high =
        !r->has_high && c->drops.at[2 * i + 1] < DROPS_OF_A_BOUND && ++c->drops.at[2 * i + 1] == DROPS_OF_A_BOUND;
    for (uint32_t n = 0; n < c->all.count && (low || high); n++) {
      likely_range *other = &c->ranges.at[n * c->forms + i];
      if (!other->is_seen || (other->has_low && other->has_high && other->low == other->high)) continue;
      bool changes = (low && other->has_low) || (high && other->has_high);
      if (low) other->has_low = false;
      if (high) other->has_high = false;
      if (changes) make_formula(c, n);
    }
  }
}

/* The step from block `from` by `act`, or a first state (NO_STATE), leads to `c->target`, which no block has. The block that has it then, NO_STATE if that cannot be. */
static uint32_t make_room(closing *c, uint32_t from, uint32_t act) {
  uint64_t found;
  c->stuck |= !abstract(c, c->target);
  if (c->stuck) return NO_STATE;
  bool is_known = store_find(c->blocks->visited, c->key, &found);
  c->stuck |= !is_known && c->all.count >= 2 * c->s->parents.count + MOST_ADDED;
  uint32_t number = is_known   ? (uint32_t)found
                    : c->stuck ? NO_STATE
                               : explore_add(c->blocks, c->key, c->target, NO_STATE, 0);
  c->stuck |= number == NO_STATE;
  if (c->stuck) return NO_STATE;
  if (!is_known) {
    closed_block b = {.source = from, .act = act, .witness = c->witnesses.count};
    for (size_t i = 0; i < c->width; i++) VECTOR_PUSH(c->witnesses, c->state[i]);
    add_block(c, number, b, NULL);
  }
  bool changes = likely_widen(&c->a->likely, c->target, c->ranges.at + number * c->forms);
  c->stuck |= is_known && !changes;
  make_formula(c, number);
  give_up_everywhere(c, number);
  if (is_bad(c, c->target)) c->bad_block = number;
  return number;
}

/* ---- steps ---- */

static bool goes_on(closing *c) {
  if (c->stuck || c->bad_block != NO_STATE) return false;
  c->questions++;
  work_add(WORK_OF_A_QUESTION);
  c->stuck = budget_spent_now(&c->share) != NULL;
  return !c->stuck;
}

static bool read_values(closing *c, size_t count, const variable *variables, int64_t *out) {
  for (size_t i = 0; i < count; i++)
    if (!number_to_int64(solver_value(c->solver, variables[i]), &out[i])) return false;
  return true;
}

/* The source's values into c->state: those of control from the block, data from the solver. */
static bool read_state(closing *c, uint32_t block) {
  const alpha *a = c->a;
  for (size_t i = 0; i < c->width; i++) {
    if (block != NO_STATE && a->kept.is_kept.at[i])
      c->state[i] = c->blocks->states.at[block * c->width + i];
    else if (!number_to_int64(solver_value(c->solver, a->m->variables.at[i].var), &c->state[i]))
      return false;
  }
  return true;
}

/* The kept variables after the action, if the source's control decides them; else false. */
static bool control_after(closing *c, const alpha_action *act, substitution *control, const int64_t *state) {
  alpha *a = c->a;
  memcpy(c->target, state, c->width * sizeof *state);
  for (size_t i = 0; i < act->updates.count; i++) {
    size_t at = model_position(a->m, act->updates.at[i].var);
    if (!a->kept.is_kept.at[at]) continue;
    term value = term_simplify_in_types(a->ts, substitution_apply(control, act->updates.at[i].value));
    number n;
    if (term_sort(a->ts, value) == SORT_BOOL) {
      if (term_index(value) != 0) return false;
      c->target[at] = term_is_true(value);
    } else if (!term_is_number(a->ts, value, &n) || !number_to_int64(n, &c->target[at])) {
      return false;
    }
  }
  return true;
}

/* Asserts that the state, after the updates if there are any, is not in block `n`. */
static void exclude(closing *c, uint32_t n, bool with_control, substitution *after) {
  alpha *a = c->a;
  term inside = c->all.at[n].formula;
  for (size_t k = 0; k < a->kept.positions.count && with_control; k++) {
    size_t at = a->kept.positions.at[k];
    inside = term_and(a->ts, inside, kept_literal(&a->kept, a->ts, at, c->blocks->states.at[n * c->width + at]));
  }
  solver_assert(c->solver, term_not(after ? substitution_apply(after, inside) : inside));
}

static void assert_facts(closing *c, substitution *control) {
  const engine_environment *env = c->a->env;
  for (size_t i = 0; i < env->facts.count && env->used_facts; i++)
    solver_assert(c->solver, control ? substitution_apply(control, env->facts.at[i]) : env->facts.at[i]);
}

/* A step by the action from the block to where no block is: its source and target become c->state and c->target. False if there is none, or it is not known. */
static bool find_step_out(closing *c, uint32_t from, const alpha_action *act) {
  alpha *a = c->a;
  const transition *t = &a->m->transitions.at[act->transition];
  answer found = solver_check(c->solver, 0);
  if (answer_is_unsure(found)) c->stuck = true;
  if (!answer_is_yes(found)) return false;
  bool fits = read_state(c, from) && (!act->open || read_values(c, t->inputs.count, t->inputs.at, c->inputs));
  fits = fits && semantics_step(a->semantics, act->transition, c->state, act->open ? c->inputs : act->inputs.at,
                                c->target, NULL) == STEP_TAKEN;
  c->stuck |= !fits;
  return fits;
}

/* Makes room for all that one action leads to from the block. Ends early if the block itself becomes larger. */
static void close_step(closing *c, uint32_t from, uint32_t index, substitution *control) {
  alpha *a = c->a;
  const alpha_action *act = &a->actions.at[index];
  substitution *after = substitution_new(a->ts);
  const int64_t *state = c->blocks->states.at + from * c->width;
  for (size_t i = 0; i < a->kept.positions.count; i++) {
    variable v = a->m->variables.at[a->kept.positions.at[i]].var;
    substitution_set(after, v, term_of_value(a->ts, v, state[a->kept.positions.at[i]]));
  }
  for (size_t i = 0; i < act->updates.count; i++)
    substitution_set(after, act->updates.at[i].var, substitution_apply(control, act->updates.at[i].value));
  const block_list *group = NULL;
  if (control_after(c, act, control, state)) {
    kept_pack(&a->kept, c->target, c->key);
    group = group_of(c, control_hash(c, c->key));
  }
  solver_push(c->solver);
  solver_assert(c->solver, c->all.at[from].formula);
  solver_assert(c->solver, substitution_apply(control, act->enabled));
  assert_facts(c, control);
  for (size_t i = 0; i < (group ? group->count : c->all.count); i++)
    exclude(c, group ? group->at[i] : (uint32_t)i, !group, after);
  while (goes_on(c) && !c->all.at[from].is_dirty && find_step_out(c, from, act)) {
    uint32_t to = make_room(c, from, index);
    if (to != NO_STATE) exclude(c, to, true, after);
  }
  solver_pop(c->solver);
  substitution_free(after);
}

static void close_block(closing *c, uint32_t n) {
  alpha *a = c->a;
  c->all.at[n].is_dirty = false;
  substitution *control = values_of_control(c, c->blocks->states.at + n * c->width);
  for (size_t i = 0; i < a->actions.count && !c->all.at[n].is_dirty; i++) {
    int here = state_condition_holds(a->actions.at[i].control_test, c->blocks->states.at + n * c->width);
    if (here != 0) close_step(c, n, (uint32_t)i, control);
  }
  substitution_free(control);
}

static void close_first_states(closing *c) {
  solver_push(c->solver);
  solver_assert(c->solver, c->a->m->init);
  assert_facts(c, NULL);
  for (uint32_t n = 0; n < c->all.count; n++) exclude(c, n, true, NULL);
  for (bool more = true; more && goes_on(c);) {
    answer found = solver_check(c->solver, 0);
    more = answer_is_yes(found);
    if (answer_is_unsure(found) || (more && !read_state(c, NO_STATE))) c->stuck = true;
    if (!more || c->stuck) break;
    memcpy(c->target, c->state, c->width * sizeof *c->state);
    uint32_t to = make_room(c, NO_STATE, 0);
    if (to != NO_STATE) exclude(c, to, true, NULL);
  }
  solver_pop(c->solver);
}

/* A state of the block that is bad, at least as far as is known: into c->target. */
static term bad_states(const closing *c) {
  const alpha *a = c->a;
  if (a->property->kind != PROPERTY_DEADLOCKFREE) return a->property->bad;
  term stuck = TERM_TRUE;
  for (size_t i = 0; i < a->actions.count; i++) stuck = term_and(a->ts, stuck, term_not(a->actions.at[i].enabled));
  return stuck;
}

static void look_for_bad_states(closing *c) {
  alpha *a = c->a;
  term bad = bad_states(c);
  for (uint32_t n = 0; n < c->all.count && goes_on(c); n++) {
    substitution *control = values_of_control(c, c->blocks->states.at + n * c->width);
    term here = term_simplify_in_types(a->ts, substitution_apply(control, bad));
    if (!term_is_false(here)) {
      solver_push(c->solver);
      solver_assert(c->solver, c->all.at[n].formula);
      solver_assert(c->solver, here);
      assert_facts(c, control);
      answer found = solver_check(c->solver, 0);
      if (answer_is_yes(found) && read_state(c, n)) {
        memcpy(c->target, c->state, c->width * sizeof *c->state);
        c->bad_block = n;
      } else if (!answer_is_no(found)) {
        c->stuck = true;
      }
      solver_pop(c->solver);
    }
    substitution_free(control);
  }
}

/* ---- what can matter ---- */

/* The atoms that differ between the state that stands for a visited abstract state and another that was assumed there: none of them is a predicate that counts
 * there. If there are any, nothing else is wanted. */
static void want_differing(alpha *a, exploration *s, const term_vector *atoms, const int64_t *seen,
                           const int64_t *other, uint32_t place) {
  bool any = false;
  for (size_t i = 0; i < atoms->count; i++) {
    state_condition *holds = state_condition_new(a->m, atoms->at[i]);
    int one = state_condition_holds(holds, seen), two = state_condition_holds(holds, other);
    state_condition_free(holds);
    if (one < 0 || two < 0 || one == two) continue;
    if (!any) {
      VECTOR_CLEAR(s->wanted);
      map_clear(s->wanted_index);
    }
    any = true;
    explore_want(s, term_positive(atoms->at[i]), place);
  }
}

static void want_what_matters(closing *c, exploration *s) {
  alpha *a = c->a;
  uint32_t n = c->bad_block;
  const int64_t *other = c->target;
  uint32_t act = NO_STATE;
  while (c->all.at[n].source != NO_STATE) {
    other = c->witnesses.at + c->all.at[n].witness;
    act = c->all.at[n].act;
    n = c->all.at[n].source;
  }
  if (n >= c->s->parents.count) return; /* a first state: its abstraction is new */
  const int64_t *seen = c->s->states.at + n * c->width;
  uint32_t place = 0;
  term_vector atoms = {0};
  if (act == NO_STATE) {
    data_atoms(a->ts, &a->kept, term_lift_ite(a->ts, bad_states(c)), &atoms);
  } else {
    const alpha_action *by = &a->actions.at[act];
    place = a->local ? by->place : 0;
    data_atoms(a->ts, &a->kept, by->enabled, &atoms);
    for (size_t i = 0; i < by->images.count; i++) {
      if (by->images.at[i].kind == IMAGE_UNTOUCHED) VECTOR_PUSH(atoms, predicates_at(a->predicates, i));
      for (size_t k = 0; k < by->images.at[i].atoms.count; k++) VECTOR_PUSH(atoms, by->images.at[i].atoms.at[k]);
    }
    for (size_t i = 0; i < by->control_targets.count; i++)
      data_atoms(a->ts, &a->kept, by->control_images.at[i].formula, &atoms);
  }
  want_differing(a, s, &atoms, seen, other, place);
  VECTOR_FREE(atoms);
}

/* ---- the whole ---- */

static void give_invariant(const closing *c, claim *out) {
  const alpha *a = c->a;
  out->verdict = VERDICT_SAFE;
  out->evidence.kind = EVIDENCE_INVARIANT;
  for (uint32_t n = 0; n < c->all.count; n++) {
    invariant_part part = {.formula = c->all.at[n].formula};
    for (size_t i = 0; i < a->kept.positions.count; i++) {
      size_t at = a->kept.positions.at[i];
      VECTOR_PUSH(part.fixed,
                  (fixed_value){a->m->variables.at[at].var, number_of(c->blocks->states.at[n * c->width + at])});
    }
    VECTOR_PUSH(out->evidence.parts, part);
  }
}

/* Looking costs about as much as searching: after 1, 2, 4, .. searches is enough, unless its outcome says how to refine. */
static bool can_be_closed(const alpha *a, const exploration *s) {
  if (!a->by_property && (a->iteration & (a->iteration - 1))) return false;
  if (s->incomplete || property_is_temporal(a->property)) return false;
  for (size_t i = 0; i < a->actions.count && a->property->kind == PROPERTY_DEADLOCKFREE; i++)
    if (a->actions.at[i].open) return false;
  return true;
}

static void closing_init(closing *c, alpha *a, const exploration *s) {
  size_t inputs = 1;
  for (size_t i = 0; i < a->m->transitions.count; i++)
    if (a->m->transitions.at[i].inputs.count > inputs) inputs = a->m->transitions.at[i].inputs.count;
  *c = (closing){.a = a, .s = s, .share = *a->env->budget, .bad_block = NO_STATE, .blocks = explore_new(a)};
  uint64_t most = work_done() + LEAST_WORK + (work_done() - a->closed_work);
  if (!c->share.work || c->share.work > most) c->share.work = most;
  c->solver = solver_new(a->ts, &c->share);
  c->by_control = map_new();
  c->width = s->width;
  c->forms = a->likely.count;
  c->words = a->kept.packing->words;
  for (size_t i = 0; i < 2 * c->forms; i++) VECTOR_PUSH(c->drops, 0);
  c->key = MEMORY_ARRAY(uint64_t, c->words + predicates_words(a->predicates) + 1);
  c->mask = MEMORY_ARRAY(uint64_t, predicates_words(a->predicates) + 1);
  c->state = MEMORY_ARRAY(int64_t, c->width + 1);
  c->target = MEMORY_ARRAY(int64_t, c->width + 1);
  c->inputs = MEMORY_ARRAY(int64_t, inputs);
}

static void closing_clear(closing *c) {
  for (size_t i = 0; i < c->groups.count; i++) VECTOR_FREE(c->groups.at[i]);
  VECTOR_FREE(c->groups);
  VECTOR_FREE(c->all);
  VECTOR_FREE(c->ranges);
  VECTOR_FREE(c->drops);
  VECTOR_FREE(c->witnesses);
  map_free(c->by_control);
  explore_free(c->blocks);
  solver_free(c->solver);
  memory_free(c->key);
  memory_free(c->mask);
  memory_free(c->state);
  memory_free(c->target);
  memory_free(c->inputs);
}

/* The next block whose steps are to be looked at, from `*n` on and round; false if there is none. */
static bool next_dirty(const closing *c, uint32_t *n) {
  for (size_t i = 0; i < c->all.count; i++) {
    uint32_t at = (uint32_t)((*n + i) % c->all.count);
    if (!c->all.at[at].is_dirty) continue;
    *n = at;
    return true;
  }
  return false;
}

bool closed_conclude(alpha *a, exploration *s, claim *out) {
  if (!can_be_closed(a, s)) return false;
  closing c;
  uint32_t n = 0;
  uint64_t before = work_done();
  closing_init(&c, a, s);
  take_visited(&c);
  close_first_states(&c);
  while (goes_on(&c) && next_dirty(&c, &n)) close_block(&c, n++);
  if (goes_on(&c)) look_for_bad_states(&c);
  bool is_closed = goes_on(&c);
  LOG(alpha, "closedness: %zu questions, %zu blocks of which %zu visited, %llu units of work: %s", c.questions,
      c.all.count, s->parents.count, (unsigned long long)(work_done() - before),
      is_closed                 ? "closed"
      : c.bad_block != NO_STATE ? "a bad state"
                                : "not known");
  if (is_closed) {
    events_note(a->env->events, "the %zu abstract states of iteration %llu, and %zu more, are closed under steps",
                s->parents.count, (unsigned long long)a->iteration, c.all.count - s->parents.count);
    give_invariant(&c, out);
  } else if (c.bad_block != NO_STATE && a->by_property) {
    want_what_matters(&c, s);
  }
  closing_clear(&c);
  a->closed_work = work_done();
  return is_closed;
}
