/* Repeats of cycles. A cycle is made one transition of first: short ones before longer ones, and none is made longer
 * that can be repeated. A value that depends on cases (`if`) makes a repeat for each way in which they can be decided: all
 * rounds then decide them so. A repeat can be taken if its first and its last round can: that the rounds in between
 * can too is not asked here, but before a run is claimed (written_out.c). */
#include "engine/accelerate/repeated_transitions.h"

#include "term/fold.h"
#include "term/substitute.h"

enum { MOST_CASES = 3, MOST_REPEATS = 200, MOST_CYCLES = 2000 };

/* A cycle as one transition: its guard says all that one round needs, faults and types included. */
typedef struct composed {
  transition_cycle cycle;
  term guard;
  variable_vector inputs;
  VECTOR(update) updates;
} composed;
typedef VECTOR(composed) composed_vector;

typedef struct repeat_maker {
  repeated_transitions *out;
  const cycle_vector *left_out;
  terms *ts;
  size_t tried;
  const composed *of;
  term_vector cases;  /* conditions of values */
  unsigned decided;   /* a digit for each: it holds */
  term_vector values; /* of the updates, so decided */
} repeat_maker;

/* ---- cycles as transitions ---- */

static void composed_clear(composed *c) {
  VECTOR_FREE(c->inputs);
  VECTOR_FREE(c->updates);
}

static void set_update(composed *c, variable v, term value) {
  for (size_t i = 0; i < c->updates.count; i++) {
    if (!variable_same(c->updates.at[i].var, v)) continue;
    c->updates.at[i].value = value;
    return;
  }
  VECTOR_PUSH(c->updates, (update){v, value});
}

/* The cycle, and then the transition. */
static composed followed_by(const repeat_maker *k, const composed *c, uint32_t next) {
  terms *ts = k->ts;
  const transition *t = &k->out->all.transitions.at[next];
  composed made = {.cycle = c->cycle, .guard = c->guard};
  made.cycle.transitions[made.cycle.length++] = next;
  for (size_t i = 0; i < c->inputs.count; i++) VECTOR_PUSH(made.inputs, c->inputs.at[i]);
  for (size_t i = 0; i < t->inputs.count; i++) VECTOR_PUSH(made.inputs, t->inputs.at[i]);
  for (size_t i = 0; i < c->updates.count; i++) VECTOR_PUSH(made.updates, c->updates.at[i]);
  substitution *now = substitution_new(ts);
  for (size_t i = 0; i < c->updates.count; i++) substitution_set(now, c->updates.at[i].var, c->updates.at[i].value);
  made.guard = term_and(ts, made.guard, substitution_apply(now, t->guard));
  for (size_t i = 0; i < t->faults.count; i++)
    made.guard = term_and(ts, made.guard, term_not(substitution_apply(now, t->faults.at[i].when)));
  for (size_t i = 0; i < t->updates.count; i++)
    set_update(&made, t->updates.at[i].var, substitution_apply(now, t->updates.at[i].value));
  for (size_t i = 0; i < t->updates.count; i++) {
    variable v = t->updates.at[i].var;
    term value = substitution_apply(now, t->updates.at[i].value);
    made.guard = term_and(ts, made.guard, term_replace(ts, variable_in_type(ts, v), v, value));
  }
  substitution_free(now);
  return made;
}

static bool has(const transition_cycle *c, uint32_t transition) {
  for (size_t i = 0; i < c->length; i++)
    if (c->transitions[i] == transition) return true;
  return false;
}

static bool is_left_out(const repeat_maker *k, const transition_cycle *c) {
  for (size_t i = 0; i < k->left_out->count; i++) {
    const transition_cycle *one = &k->left_out->at[i];
    bool same = one->length == c->length;
    for (size_t j = 0; j < c->length && same; j++) same = one->transitions[j] == c->transitions[j];
    if (same) return true;
  }
  return false;
}

/* ---- cases ---- */

static void find_cases(repeat_maker *k) {
  term_vector values = {0};
  index_vector below = {0};
  VECTOR_CLEAR(k->cases);
  for (size_t i = 0; i < k->of->updates.count; i++) VECTOR_PUSH(values, k->of->updates.at[i].value);
  terms_cone(k->ts, values.count, values.at, &below);
  for (size_t i = 0; i < below.count && k->cases.count <= MOST_CASES; i++) {
    term t = {2 * below.at[i]};
    if (term_kind_of(k->ts, t) != TERM_INT_ITE) continue;
    term condition = term_argument(k->ts, t, 0);
    bool known = false;
    for (size_t j = 0; j < k->cases.count; j++) known |= term_same(k->cases.at[j], condition);
    if (!known) VECTOR_PUSH(k->cases, condition);
  }
  VECTOR_FREE(values);
  VECTOR_FREE(below);
}

static void decide(const term_fold *f, term t, void *out) {
  const repeat_maker *k = f->context;
  term *made = out;
  *made = fold_rebuilt(f, k->ts, t);
  if (term_kind_of(k->ts, t) != TERM_INT_ITE) return;
  for (size_t i = 0; i < k->cases.count; i++)
    if (term_same(k->cases.at[i], term_argument(k->ts, t, 0)))
      *made = fold_term(f, term_argument(k->ts, t, k->decided >> i & 1 ? 1 : 2));
}

static void decide_values(repeat_maker *k) {
  term_fold f = {.ts = k->ts, .size = sizeof(term), .rule = decide, .context = k};
  VECTOR_CLEAR(k->values);
  for (size_t i = 0; i < k->of->updates.count; i++) {
    term value = k->of->updates.at[i].value, made = *(term *)term_fold_value(&f, value);
    VECTOR_PUSH(k->values, term_is_negated(value) ? term_not(made) : made);
  }
  term_fold_close(&f);
}

/* What one round needs. */
static term round_condition(const repeat_maker *k) {
  term all = k->of->guard;
  for (size_t i = 0; i < k->cases.count; i++)
    all = term_and(k->ts, all, k->decided >> i & 1 ? k->cases.at[i] : term_not(k->cases.at[i]));
  return all;
}

/* ---- one repeat ---- */

typedef enum movement { MOVES, IS_SET, IS_NEITHER } movement;

/* The value of an update is the variable and a constant, or nothing that a round changes. */
static movement movement_of(const repeat_maker *k, size_t update, number *by) {
  variable v = k->of->updates.at[update].var;
  term value = k->values.at[update];
  sort of = variable_type(k->ts, v)->sort;
  if (of == SORT_INT && term_is_number(k->ts, term_sub(k->ts, value, term_of_variable(k->ts, v)), by)) return MOVES;
  for (size_t i = 0; i < k->of->updates.count; i++)
    if (term_mentions(k->ts, value, k->of->updates.at[i].var)) return IS_NEITHER;
  return IS_SET;
}

/* Makes variables stand for what they hold after so many rounds. False if some value is neither. `moves`: some variable
 * does. */
static bool after_rounds(const repeat_maker *k, term times, substitution *out, bool *moves) {
  *moves = false;
  for (size_t i = 0; i < k->of->updates.count; i++) {
    variable v = k->of->updates.at[i].var;
    number by;
    movement how = movement_of(k, i, &by);
    if (how == IS_NEITHER) return false;
    term value = k->values.at[i];
    if (how == MOVES) value = term_add(k->ts, term_of_variable(k->ts, v), term_scale(k->ts, by, times));
    *moves |= how == MOVES && !number_is(by, 0);
    substitution_set(out, v, value);
  }
  return true;
}

static void add_repeat(const repeat_maker *k, substitution *before_last, substitution *after, variable times) {
  term once = round_condition(k);
  const transition *last = &k->out->all.transitions.at[k->of->cycle.transitions[k->of->cycle.length - 1]];
  transition made = {.name = last->name, .process = last->process, .place = last->place};
  made.guard = term_and(k->ts, once, substitution_apply(before_last, once));
  made.guard = term_and(k->ts, made.guard, term_ge(k->ts, term_of_variable(k->ts, times), term_int(k->ts, 2)));
  if (term_is_false(made.guard)) return;
  VECTOR_COPY(made.inputs, k->of->inputs);
  VECTOR_PUSH(made.inputs, times);
  for (size_t i = 0; i < k->of->updates.count; i++) {
    variable v = k->of->updates.at[i].var;
    VECTOR_PUSH(made.updates, (update){v, substitution_apply(after, term_of_variable(k->ts, v))});
  }
  VECTOR_PUSH(k->out->all.transitions, made);
  VECTOR_PUSH(k->out->of, k->of->cycle);
}

static void repeat_so_decided(repeat_maker *k) {
  type many = {.sort = SORT_INT, .has_low = true, .low = number_of(2)};
  variable input = variable_fresh(k->ts, "times", &many);
  term times = term_of_variable(k->ts, input);
  substitution *before_last = substitution_new(k->ts), *after = substitution_new(k->ts);
  bool moves;
  decide_values(k);
  if (after_rounds(k, term_sub(k->ts, times, term_int(k->ts, 1)), before_last, &moves) && moves &&
      after_rounds(k, times, after, &moves))
    add_repeat(k, before_last, after, input);
  substitution_free(before_last);
  substitution_free(after);
}

/* ---- all of them ---- */

/* Places that the cycle comes back to: all that its end says about them fits its start. */
static bool comes_back(const repeat_maker *k, const composed *c) {
  substitution *end = substitution_new(k->ts);
  for (size_t i = 0; i < c->updates.count; i++) substitution_set(end, c->updates.at[i].var, c->updates.at[i].value);
  bool back = !term_is_false(term_and(k->ts, c->guard, substitution_apply(end, c->guard)));
  substitution_free(end);
  return back;
}

/* Takes the cycle: it is repeated, or kept to be made longer. */
static void look_at(repeat_maker *k, TAKE composed c, composed_vector *longer) {
  k->tried++;
  if (!term_is_false(c.guard) && !comes_back(k, &c)) {
    VECTOR_PUSH(*longer, c);
    return;
  }
  k->of = &c;
  find_cases(k);
  bool is_tried = !term_is_false(c.guard) && k->cases.count <= MOST_CASES && !is_left_out(k, &c.cycle);
  for (k->decided = 0; is_tried && k->decided < 1u << k->cases.count; k->decided++) repeat_so_decided(k);
  composed_clear(&c);
}

static bool is_enough(const repeat_maker *k, budget *b) {
  return k->out->of.count >= MOST_REPEATS || k->tried >= MOST_CYCLES || budget_spent(b);
}

static void look_at_longer(repeat_maker *k, const composed *c, budget *b, composed_vector *longer) {
  for (uint32_t i = 0; i < k->out->first && !is_enough(k, b); i++)
    if (!has(&c->cycle, i)) look_at(k, followed_by(k, c, i), longer);
}

void repeated_transitions_make(const model *m, const cycle_vector *left_out, budget *b, repeated_transitions *out) {
  *out = (repeated_transitions){.all = *m, .first = m->transitions.count};
  out->all.transitions.at = NULL;
  out->all.transitions.count = out->all.transitions.room = 0;
  VECTOR_COPY(out->all.transitions, m->transitions);
  repeat_maker k = {.out = out, .left_out = left_out, .ts = m->terms};
  composed_vector now = {0}, next = {0};
  VECTOR_PUSH(now, (composed){.guard = TERM_TRUE});
  for (size_t length = 1; length <= LONGEST_REPEATED_CYCLE; length++) {
    for (size_t i = 0; i < now.count; i++) {
      look_at_longer(&k, &now.at[i], b, &next);
      composed_clear(&now.at[i]);
    }
    composed_vector spent = now;
    now = next;
    next = spent;
    VECTOR_CLEAR(next);
  }
  for (size_t i = 0; i < now.count; i++) composed_clear(&now.at[i]);
  VECTOR_FREE(now);
  VECTOR_FREE(next);
  VECTOR_FREE(k.cases);
  VECTOR_FREE(k.values);
}

void repeated_transitions_clear(repeated_transitions *r) {
  for (size_t i = r->first; i < r->all.transitions.count; i++) {
    VECTOR_FREE(r->all.transitions.at[i].inputs);
    VECTOR_FREE(r->all.transitions.at[i].updates);
  }
  VECTOR_FREE(r->all.transitions);
  VECTOR_FREE(r->of);
}
