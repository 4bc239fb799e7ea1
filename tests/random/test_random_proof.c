/* The checker against brute force, on random finite models: it accepts an invariant exactly if enumerating all
 * states finds it inductive and free of what the property forbids. Meanings are computed on trees
 * (random_expression.h), not on terms. */
#include <stdlib.h>

#include "proof/type_and_input_conditions.h"
#include "random/random_expression.h"
#include "term/evaluate.h"
#include "unit/proof/proof_models.h"
#include "unit/test.h"

enum { INTS = 2, LOW = -1, HIGH = 2, WIDTH = HIGH - LOW + 1, STATES = WIDTH * WIDTH * 2, ACTIONS = 3 };

typedef struct raw_action {
  raw *guard, *ints[INTS], *flag; /* NULL: not assigned */
  bool has_int_input, has_bool_input;
  int64_t input_low, input_high;
} raw_action;

typedef struct raw_model {
  raw *init, *bad;
  raw_action actions[ACTIONS];
} raw_model;

/* ints: x, y, then the input; bools: b, then the input. */
typedef struct values {
  number ints[INTS + 1];
  bool bools[2];
} values;

static values state_number(int s) {
  return (values){{number_of(s / 2 % WIDTH + LOW), number_of(s / 2 / WIDTH + LOW), number_of(0)}, {s % 2, false}};
}

static bool in_range(number n) {
  return number_compare(n, number_of(LOW)) >= 0 && number_compare(n, number_of(HIGH)) <= 0;
}
static bool truth(const raw *r, const values *v) { return !number_is(raw_evaluate(r, v->ints, v->bools), 0); }
static int number_of_state(number x, number y, bool b) {
  return (int)((x.small - LOW + (y.small - LOW) * WIDTH) * 2 + b);
}

/* ---- brute force ---- */

typedef struct meaning {
  bool initial[STATES], bad[STATES], faulty[STATES], stuck[STATES];
  bool step[STATES][STATES];
} meaning;

static void try_action(const raw_action *a, int s, values v, meaning *out) {
  if (!truth(a->guard, &v)) return;
  number after[INTS];
  for (int i = 0; i < INTS; i++) {
    after[i] = a->ints[i] ? raw_evaluate(a->ints[i], v.ints, v.bools) : v.ints[i];
    if (!in_range(after[i])) {
      out->faulty[s] = true;
      return;
    }
  }
  bool flag = a->flag ? truth(a->flag, &v) : v.bools[0];
  out->step[s][number_of_state(after[0], after[1], flag)] = true;
  out->stuck[s] = false;
}

static void find_meaning(const raw_model *m, meaning *out) {
  memset(out, 0, sizeof *out);
  for (int s = 0; s < STATES; s++) {
    values v = state_number(s);
    out->initial[s] = truth(m->init, &v);
    out->bad[s] = truth(m->bad, &v);
    out->stuck[s] = true;
    for (int a = 0; a < ACTIONS; a++) {
      const raw_action *by = &m->actions[a];
      for (int64_t i = by->has_int_input ? by->input_low : 0; i <= (by->has_int_input ? by->input_high : 0); i++)
        for (int b = 0; b <= by->has_bool_input; b++) {
          v.ints[INTS] = number_of(i);
          v.bools[1] = b;
          try_action(by, s, v, out);
        }
    }
  }
}

static bool is_good(const meaning *of, const bool *inside, property_kind kind) {
  for (int s = 0; s < STATES; s++) {
    if (of->initial[s] && !inside[s]) return false;
    if (!inside[s]) continue;
    for (int t = 0; t < STATES; t++)
      if (of->step[s][t] && !inside[t]) return false;
    if (kind == PROPERTY_SAFE && of->bad[s]) return false;
    if (kind == PROPERTY_NO_FAULT && of->faulty[s]) return false;
    if (kind == PROPERTY_DEADLOCKFREE && of->stuck[s]) return false;
  }
  return true;
}

static void find_reachable(const meaning *of, bool *inside) {
  memcpy(inside, of->initial, STATES * sizeof(bool));
  for (bool grown = true; grown;) {
    grown = false;
    for (int s = 0; s < STATES; s++)
      for (int t = 0; t < STATES; t++)
        if (inside[s] && of->step[s][t] && !inside[t]) inside[t] = grown = true;
  }
}

/* ---- the same as a model of whet ---- */

typedef struct built {
  model *m;
  variable ints[INTS + 1], bools[2];
} built;

static void build_action(built *b, const raw_action *a, const char *name) {
  model *m = b->m;
  terms *ts = m->terms;
  type wide = type_range(a->input_low, a->input_high), flag = type_bool();
  transition *t = model_add_transition(m, name, NO_PROCESS, TERM_TRUE, (place){0});
  if (a->has_int_input) b->ints[INTS] = transition_add_input(m, t, "i", &wide);
  if (a->has_bool_input) b->bools[1] = transition_add_input(m, t, "f", &flag);
  t->guard = raw_term(ts, a->guard, b->ints, b->bools);
  for (int i = 0; i < INTS; i++) {
    if (!a->ints[i]) continue;
    term value = raw_term(ts, a->ints[i], b->ints, b->bools);
    term inside = term_and(ts, term_ge(ts, value, term_int(ts, LOW)), term_le(ts, value, term_int(ts, HIGH)));
    transition_add_update(t, b->ints[i], value);
    transition_add_fault(m, t, term_and(ts, t->guard, term_not(inside)), "out of range", (place){0});
  }
  if (a->flag) transition_add_update(t, b->bools[0], raw_term(ts, a->flag, b->ints, b->bools));
}

static built build(const raw_model *from) {
  terms *ts = terms_new();
  built b = {.m = model_new(ts, "random.whet")};
  type small = type_range(LOW, HIGH), flag = type_bool();
  b.ints[0] = b.ints[INTS] = model_add_variable(b.m, "x", &small, ROLE_STATE, (place){0});
  b.ints[1] = model_add_variable(b.m, "y", &small, ROLE_STATE, (place){0});
  b.bools[0] = b.bools[1] = model_add_variable(b.m, "b", &flag, ROLE_STATE, (place){0});
  term within = term_and(ts, variable_in_type(ts, b.ints[0]), variable_in_type(ts, b.ints[1]));
  b.m->init = term_and(ts, within, raw_term(ts, from->init, b.ints, b.bools));
  for (int i = 0; i < ACTIONS; i++) build_action(&b, &from->actions[i], i == 0 ? "first" : i == 1 ? "second" : "third");
  model_add_property(b.m, "safe", PROPERTY_SAFE, (place){0})->bad = raw_term(ts, from->bad, b.ints, b.bools);
  model_add_property(b.m, "deadlockfree", PROPERTY_DEADLOCKFREE, (place){0});
  model_add_property(b.m, "faultless", PROPERTY_NO_FAULT, (place){0});
  return b;
}

/* ---- random ones ---- */

static raw *one_of(raw_source *s, raw *(*make)(raw_source *, int), int depth, uint32_t ints, uint32_t bools) {
  s->int_variables = ints;
  s->bool_variables = bools;
  return make(s, depth);
}

static void random_model(raw_source *s, raw_model *m) {
  m->init = one_of(s, raw_boolean, 2, INTS, 1);
  m->bad = one_of(s, raw_boolean, 2, INTS, 1);
  for (int i = 0; i < ACTIONS; i++) {
    raw_action *a = &m->actions[i];
    *a = (raw_action){.has_int_input = random_below(&s->random, 2), .has_bool_input = random_below(&s->random, 3) == 0};
    a->input_low = random_between(&s->random, -2, 0);
    a->input_high = a->input_low + random_between(&s->random, 0, 2);
    uint32_t ints = INTS + a->has_int_input, bools = 1 + a->has_bool_input;
    a->guard = one_of(s, raw_boolean, 3, ints, bools);
    for (int j = 0; j < INTS; j++)
      if (random_below(&s->random, 3)) a->ints[j] = one_of(s, raw_integer, 2, ints, bools);
    if (random_below(&s->random, 2)) a->flag = one_of(s, raw_boolean, 1, ints, bools);
  }
}

/* The part of exactly one state, with one variable or another only in the formula. */
static void add_state(const built *b, evidence *e, int s, raw_source *r) {
  terms *ts = b->m->terms;
  values v = state_number(s);
  invariant_part p = {.formula = TERM_TRUE};
  for (int i = 0; i < INTS; i++) {
    if (random_below(&r->random, 4))
      VECTOR_PUSH(p.fixed, (fixed_value){b->ints[i], v.ints[i]});
    else
      p.formula = term_and(ts, p.formula, fixed_term(ts, b->ints[i], v.ints[i]));
  }
  if (random_below(&r->random, 4))
    p.formula = term_and(ts, p.formula, fixed_term(ts, b->bools[0], number_of(v.bools[0])));
  else
    VECTOR_PUSH(p.fixed, (fixed_value){b->bools[0], number_of(v.bools[0])});
  VECTOR_PUSH(e->parts, p);
}

/* A random invariant: sets of states, one by one or as formulas. `inside` is what it means. */
static void random_invariant(const built *b, const meaning *of, raw_source *r, evidence *e, bool *inside) {
  *e = (evidence){.kind = EVIDENCE_INVARIANT};
  memset(inside, 0, STATES * sizeof(bool));
  if (random_below(&r->random, 3)) {
    bool reachable[STATES];
    find_reachable(of, reachable);
    int odd = random_below(&r->random, 3) ? -1 : (int)random_below(&r->random, STATES);
    for (int s = 0; s < STATES; s++) {
      if (reachable[s] == (s == odd)) continue;
      inside[s] = true;
      add_state(b, e, s, r);
    }
  }
  for (uint64_t i = random_below(&r->random, e->parts.count ? 2 : 4); i > 0; i--) {
    raw *f = one_of(r, raw_boolean, 3, INTS, 1);
    for (int s = 0; s < STATES; s++) {
      values v = state_number(s);
      inside[s] |= truth(f, &v);
    }
    if (random_below(&r->random, 2))
      evidence_add_part(b->m->terms, e, raw_term(b->m->terms, f, b->ints, b->bools));
    else
      VECTOR_PUSH(e->parts, (invariant_part){.formula = raw_term(b->m->terms, f, b->ints, b->bools)});
  }
}

static int accepted, rejected;

static void compare(const built *b, size_t property, const meaning *of, const bool *inside, const evidence *e,
                    uint64_t seed) {
  budget unlimited = budget_unlimited();
  bool good = is_good(of, inside, b->m->properties.at[property].kind);
  check_result r = check_evidence(b->m, property, e, &unlimited, NULL);
  CHECK(r.kind == (good ? CHECK_ACCEPTED : CHECK_REJECTED), "seed %llu, property %zu: %d (%s) but brute force says %s",
        (unsigned long long)seed, property, (int)r.kind, r.what ? r.what : "", good ? "good" : "bad");
  accepted += good;
  rejected += !good;
  memory_free(r.what);
}

static void compare_after_writing(const built *b, size_t property, const meaning *of, const bool *inside,
                                  const evidence *e, uint64_t seed) {
  text out = {0};
  evidence again;
  size_t property_again;
  char *error = NULL;
  certificate_write(b->m, property, e, &out);
  bool read = certificate_read(b->m, out.at, out.count, &property_again, &again, &error);
  CHECK(read && property_again == property, "seed %llu: %s", (unsigned long long)seed, error ? error : "");
  if (read) compare(b, property, of, inside, &again, seed);
  evidence_clear(&again);
  memory_free(error);
  text_clear(&out);
}

TEST(invariants_are_accepted_exactly_where_brute_force_agrees) {
  for (uint64_t seed = 1; seed <= (uint64_t)rounds(250); seed++) {
    raw_source s = {.random = {seed}, .arena = arena_new(), .nonlinear = seed % 5 == 0};
    raw_model m;
    meaning of;
    bool inside[STATES];
    evidence e;
    random_model(&s, &m);
    find_meaning(&m, &of);
    built b = build(&m);
    for (size_t i = 0; i < b.m->properties.count; i++) {
      random_invariant(&b, &of, &s, &e, inside);
      compare(&b, i, &of, inside, &e, seed);
      if (seed % 4 == 0) compare_after_writing(&b, i, &of, inside, &e, seed);
      evidence_clear(&e);
    }
    model_free(b.m);
    arena_free(s.arena);
  }
  CHECK(accepted > rounds(100) && rejected > rounds(60), "%d accepted, %d rejected: the test is one-sided", accepted,
        rejected);
}

/* ---- sets of states ---- */

/* The order of the levels and which variables are listed: digits 0 x, 1 y, 2 b. */
static const char *const listings[] = {"012", "210", "120", "01", "2", "", "20"};

static int64_t value_listed(const values *v, char which) {
  return which == '2' ? v->bools[0] : v->ints[which - '0'].small;
}

static int compare_rows(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  for (int i = 0; i < 3; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

/* The set of states that agree with one in `inside` on what is listed; `inside` becomes that. */
static GIVE diagram *list_states(const built *b, const char *listing, bool *inside) {
  variable all[3] = {b->ints[0], b->ints[1], b->bools[0]}, levels[3];
  int64_t rows[STATES][3] = {{0}};
  bool wider[STATES] = {0};
  size_t count = 0, width = strlen(listing);
  for (size_t i = 0; i < width; i++) levels[i] = all[listing[i] - '0'];
  for (int s = 0; s < STATES; s++) {
    values v = state_number(s);
    for (int t = 0; t < STATES && !wider[s]; t++) {
      values w = state_number(t);
      bool agree = inside[t];
      for (size_t i = 0; i < width; i++) agree &= value_listed(&v, listing[i]) == value_listed(&w, listing[i]);
      wider[s] = agree;
    }
    if (!wider[s]) continue;
    for (size_t i = 0; i < width; i++) rows[count][i] = value_listed(&v, listing[i]);
    count++;
  }
  memcpy(inside, wider, sizeof wider);
  qsort(rows, count, sizeof rows[0], compare_rows);
  diagram *d = diagram_new(width, levels);
  diagram_builder *builder = diagram_builder_new(d);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || compare_rows(rows[i - 1], rows[i])) diagram_builder_add(builder, rows[i]);
  diagram_builder_finish(builder);
  return d;
}

/* If all variables are listed the checker knows; else it may be unsure, but never wrong. */
static void compare_states(const built *b, size_t property, const meaning *of, const bool *inside, const evidence *e,
                           bool all_listed, uint64_t seed) {
  budget unlimited = budget_unlimited();
  bool good = is_good(of, inside, b->m->properties.at[property].kind);
  check_result r = check_evidence(b->m, property, e, &unlimited, NULL);
  bool fits = r.kind == (good ? CHECK_ACCEPTED : CHECK_REJECTED) || (r.kind == CHECK_UNSURE && !all_listed);
  CHECK(fits, "seed %llu, property %zu: %d (%s) but brute force says %s", (unsigned long long)seed, property,
        (int)r.kind, r.what ? r.what : "", good ? "good" : "bad");
  accepted += r.kind == CHECK_ACCEPTED;
  rejected += r.kind == CHECK_REJECTED;
  memory_free(r.what);
}

TEST(sets_of_states_are_accepted_exactly_where_brute_force_agrees) {
  accepted = rejected = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)rounds(600); seed++) {
    raw_source s = {.random = {seed}, .arena = arena_new(), .nonlinear = seed % 5 == 0};
    raw_model m;
    meaning of;
    random_model(&s, &m);
    find_meaning(&m, &of);
    built b = build(&m);
    for (size_t i = 0; i < b.m->properties.count; i++) {
      bool inside[STATES];
      const char *listing = listings[random_below(&s.random, ARRAY_LENGTH(listings))];
      find_reachable(&of, inside);
      if (random_below(&s.random, 2)) inside[random_below(&s.random, STATES)] ^= true;
      evidence e = {.kind = EVIDENCE_STATES, .states = list_states(&b, listing, inside)}, again;
      compare_states(&b, i, &of, inside, &e, strlen(listing) == 3, seed);
      text out = {0};
      size_t property;
      char *error = NULL;
      certificate_write(b.m, i, &e, &out);
      bool read = certificate_read(b.m, out.at, out.count, &property, &again, &error);
      CHECK(read && property == i, "seed %llu: %s", (unsigned long long)seed, error ? error : "another property");
      if (read && seed % 4 == 0) compare_states(&b, i, &of, inside, &again, strlen(listing) == 3, seed);
      memory_free(error);
      text_clear(&out);
      evidence_clear(&e);
      evidence_clear(&again);
    }
    model_free(b.m);
    arena_free(s.arena);
  }
  CHECK(accepted > rounds(100) && rejected > rounds(100), "%d accepted, %d rejected: the test is one-sided", accepted,
        rejected);
}

/* ---- traces ---- */

/* The state after one random choice, or -1 if it cannot be taken. */
static int random_step(const raw_model *m, raw_source *s, int from, uint32_t *action, values *chosen) {
  *action = (uint32_t)random_below(&s->random, ACTIONS);
  const raw_action *a = &m->actions[*action];
  *chosen = state_number(from);
  chosen->ints[INTS] = number_of(random_between(&s->random, a->input_low, a->input_high));
  chosen->bools[1] = random_below(&s->random, 2);
  meaning one;
  memset(&one, 0, sizeof one);
  try_action(a, from, *chosen, &one);
  for (int t = 0; t < STATES; t++)
    if (one.step[from][t]) return t;
  return -1;
}

static trace_step step_to(const raw_model *m, int s, uint32_t action, const values *chosen) {
  values v = state_number(s);
  trace_step t = {.transition = action};
  for (int i = 0; i < INTS; i++) VECTOR_PUSH(t.values, v.ints[i]);
  VECTOR_PUSH(t.values, number_of(v.bools[0]));
  if (!chosen) return t;
  if (m->actions[action].has_int_input) VECTOR_PUSH(t.inputs, chosen->ints[INTS]);
  if (m->actions[action].has_bool_input) VECTOR_PUSH(t.inputs, number_of(chosen->bools[1]));
  return t;
}

/* Is the trace a run of the model, by trees alone? */
static bool trace_is_run(const raw_model *m, const meaning *of, const evidence *e) {
  int before = -1;
  for (size_t i = 0; i < e->steps.count; i++) {
    const trace_step *t = &e->steps.at[i];
    if (!in_range(t->values.at[0]) || !in_range(t->values.at[1])) return false;
    int now = number_of_state(t->values.at[0], t->values.at[1], number_is(t->values.at[2], 1));
    if (i == 0 && !of->initial[now]) return false;
    if (i > 0) {
      const raw_action *a = &m->actions[t->transition];
      if (t->inputs.count != (size_t)a->has_int_input + a->has_bool_input) return false;
      values v = state_number(before);
      size_t next = 0;
      if (a->has_int_input) {
        v.ints[INTS] = t->inputs.at[next++];
        if (v.ints[INTS].small < a->input_low || v.ints[INTS].small > a->input_high) return false;
      }
      if (a->has_bool_input) v.bools[1] = number_is(t->inputs.at[next], 1);
      meaning one;
      memset(&one, 0, sizeof one);
      try_action(a, before, v, &one);
      if (!one.step[before][now]) return false;
    }
    before = now;
  }
  return true;
}

static bool trace_is_good(const raw_model *m, const meaning *of, const evidence *e, property_kind kind) {
  if (!trace_is_run(m, of, e)) return false;
  const trace_step *t = &VECTOR_LAST(e->steps);
  int last = number_of_state(t->values.at[0], t->values.at[1], number_is(t->values.at[2], 1));
  return kind == PROPERTY_SAFE ? of->bad[last] : of->stuck[last];
}

static void change_something(raw_source *s, evidence *e) {
  trace_step *t = &e->steps.at[random_below(&s->random, e->steps.count)];
  switch (random_below(&s->random, 5)) {
    case 0: t->values.at[random_below(&s->random, 2)] = number_of(random_between(&s->random, LOW - 1, HIGH + 1)); break;
    case 1: t->values.at[2] = number_of(1 - t->values.at[2].small); break;
    case 2: t->transition = (uint32_t)random_below(&s->random, ACTIONS); break;
    case 3:
      if (t->inputs.count) t->inputs.at[0] = number_of(random_between(&s->random, 0, 1));
      break;
    default:
      if (e->steps.count > 1) {
        trace_step last = VECTOR_POP(e->steps);
        VECTOR_FREE(last.values);
        VECTOR_FREE(last.inputs);
      }
  }
}

TEST(traces_are_accepted_exactly_where_brute_force_agrees) {
  accepted = rejected = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)rounds(1500); seed++) {
    raw_source s = {.random = {seed}, .arena = arena_new()};
    raw_model m;
    meaning of;
    evidence e = {.kind = EVIDENCE_TRACE};
    random_model(&s, &m);
    find_meaning(&m, &of);
    built b = build(&m);
    property_kind kind = b.m->properties.at[seed % 2].kind;
    int now = (int)random_below(&s.random, STATES);
    for (int i = 0; i < STATES && !of.initial[now]; i++) now = (now + 1) % STATES;
    VECTOR_PUSH(e.steps, step_to(&m, now, 0, NULL));
    for (int tries = 0; tries < 30; tries++) {
      uint32_t action;
      values chosen;
      if (kind == PROPERTY_SAFE && of.bad[now]) break;
      int next = random_step(&m, &s, now, &action, &chosen);
      if (next < 0) continue;
      now = next;
      VECTOR_PUSH(e.steps, step_to(&m, now, action, &chosen));
    }
    if (random_below(&s.random, 2)) change_something(&s, &e);
    bool good = trace_is_good(&m, &of, &e, kind);
    budget unlimited = budget_unlimited();
    check_result r = check_evidence(b.m, seed % 2, &e, &unlimited, NULL);
    CHECK(r.kind == (good ? CHECK_ACCEPTED : CHECK_REJECTED), "seed %llu: %d (%s) but brute force says %s",
          (unsigned long long)seed, (int)r.kind, r.what ? r.what : "", good ? "good" : "bad");
    accepted += good;
    rejected += !good;
    memory_free(r.what);
    evidence_clear(&e);
    model_free(b.m);
    arena_free(s.arena);
  }
  CHECK(accepted > rounds(100) && rejected > rounds(60), "%d accepted, %d rejected: the test is one-sided", accepted,
        rejected);
}

/* ---- cubes: parts of many shapes, guards and assignments of literals ---- */

enum { FLAGS = 8, FLAG_STATES = 1 << FLAGS, FLAG_ACTIONS = 4 };

/* Flag i: bit i of `mask` says that it matters, bit i of `value` what it is. */
typedef struct cube {
  unsigned mask, value;
} cube;

/* Flags in `assigned.mask` become `assigned.value`, exclusive or the old value of flag i + 1 if bit i of `copies` is
 * set. */
typedef struct flag_action {
  cube guard, assigned;
  unsigned copies;
} flag_action;

static cube random_cube(random_source *r, unsigned dense) {
  cube c = {0, (unsigned)random_below(r, FLAG_STATES)};
  for (int i = 0; i < FLAGS; i++)
    if (random_below(r, 8) < dense) c.mask |= 1u << i;
  return c;
}

static bool cube_has(cube c, unsigned state) { return (c.value & c.mask) == (state & c.mask); }

static unsigned flags_after(const flag_action *a, unsigned state) {
  unsigned rotated = (state >> 1 | state << (FLAGS - 1)) & (FLAG_STATES - 1);
  unsigned value = a->assigned.value ^ (rotated & a->copies);
  return (state & ~a->assigned.mask) | (value & a->assigned.mask);
}

static term cube_term(terms *ts, cube c, const variable *flags) {
  term result = TERM_TRUE;
  for (int i = 0; i < FLAGS; i++)
    if (c.mask >> i & 1) result = term_and(ts, result, fixed_term(ts, flags[i], number_of(c.value >> i & 1)));
  return result;
}

static bool cubes_are_good(cube init, const flag_action *actions, cube bad, size_t count, const cube *parts) {
  bool inside[FLAG_STATES] = {0};
  for (unsigned s = 0; s < FLAG_STATES; s++)
    for (size_t i = 0; i < count; i++) inside[s] |= cube_has(parts[i], s);
  for (unsigned s = 0; s < FLAG_STATES; s++) {
    if (cube_has(init, s) && !inside[s]) return false;
    if (inside[s] && cube_has(bad, s)) return false;
    for (int a = 0; a < FLAG_ACTIONS; a++)
      if (inside[s] && cube_has(actions[a].guard, s) && !inside[flags_after(&actions[a], s)]) return false;
  }
  return true;
}

static model *flag_model(cube init, const flag_action *actions, cube bad, variable *flags) {
  terms *ts = terms_new();
  model *m = model_new(ts, "flags.whet");
  type flag = type_bool();
  for (int i = 0; i < FLAGS; i++)
    flags[i] = model_add_variable(m, (char[]){'f', (char)('0' + i), 0}, &flag, ROLE_STATE, (place){0});
  m->init = cube_term(ts, init, flags);
  for (int a = 0; a < FLAG_ACTIONS; a++) {
    transition *t = model_add_transition(m, (char[]){'a', (char)('0' + a), 0}, NO_PROCESS,
                                         cube_term(ts, actions[a].guard, flags), (place){0});
    for (int i = 0; i < FLAGS; i++) {
      if (!(actions[a].assigned.mask >> i & 1)) continue;
      term value = term_of_bool(actions[a].assigned.value >> i & 1);
      if (actions[a].copies >> i & 1)
        value = term_not(term_iff(ts, value, term_of_variable(ts, flags[(i + 1) % FLAGS])));
      transition_add_update(t, flags[i], value);
    }
  }
  model_add_property(m, "safe", PROPERTY_SAFE, (place){0})->bad = cube_term(ts, bad, flags);
  return m;
}

/* Cubes that cover the reachable states, each grown by a flag or two that need not matter. */
static size_t random_cover(random_source *r, cube init, const flag_action *actions, cube *parts) {
  bool inside[FLAG_STATES] = {0};
  size_t count = 0;
  for (unsigned s = 0; s < FLAG_STATES; s++) inside[s] = cube_has(init, s);
  for (int round = 0; round < FLAG_STATES; round++)
    for (unsigned s = 0; s < FLAG_STATES; s++)
      for (int a = 0; a < FLAG_ACTIONS; a++)
        if (inside[s] && cube_has(actions[a].guard, s)) inside[flags_after(&actions[a], s)] = true;
  for (unsigned s = 0; s < FLAG_STATES; s++) {
    if (!inside[s]) continue;
    cube c = {FLAG_STATES - 1, s};
    for (int tries = 0; tries < FLAGS; tries++) {
      cube wider = {c.mask & ~(1u << random_below(r, FLAGS)), s};
      bool fits = true;
      for (unsigned t = 0; t < FLAG_STATES; t++) fits &= inside[t] || !cube_has(wider, t);
      if (fits || random_below(r, 2000) == 0) c = wider;
    }
    parts[count++] = c;
  }
  return count;
}

TEST(cubes_are_accepted_exactly_where_brute_force_agrees) {
  accepted = rejected = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)rounds(600); seed++) {
    random_source r = {seed};
    cube parts[FLAG_STATES], init = random_cube(&r, 7), bad = random_cube(&r, 7);
    flag_action actions[FLAG_ACTIONS];
    for (int a = 0; a < FLAG_ACTIONS; a++)
      actions[a] = (flag_action){random_cube(&r, 2), random_cube(&r, 3), (unsigned)random_below(&r, FLAG_STATES)};
    size_t count = random_cover(&r, init, actions, parts);
    if (count && random_below(&r, 2)) parts[random_below(&r, count)] = parts[count - 1], count--;
    variable flags[FLAGS];
    model *m = flag_model(init, actions, bad, flags);
    evidence e = {.kind = EVIDENCE_INVARIANT};
    for (size_t i = 0; i < count; i++) evidence_add_part(m->terms, &e, cube_term(m->terms, parts[i], flags));
    bool good = cubes_are_good(init, actions, bad, count, parts);
    budget unlimited = budget_unlimited();
    check_result result = check_evidence(m, 0, &e, &unlimited, NULL);
    CHECK(result.kind == (good ? CHECK_ACCEPTED : CHECK_REJECTED), "seed %llu: %d (%s) but brute force says %s",
          (unsigned long long)seed, (int)result.kind, result.what ? result.what : "", good ? "good" : "bad");
    accepted += good;
    rejected += !good;
    memory_free(result.what);
    evidence_clear(&e);
    model_free(m);
  }
  CHECK(accepted > rounds(100) && rejected > rounds(60), "%d accepted, %d rejected: the test is one-sided", accepted,
        rejected);
}

/* ---- inputs of infinite types ---- */

/* Linear conditions with small numbers have small witnesses: those within +-WITNESS are tried one by one. */
enum { WITNESS = 120 };

TEST(inputs_are_eliminated_as_trying_them_all_would) {
  int exact_ones = 0, holds = 0, fails = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)rounds(1500); seed++) {
    raw_source s = {.random = {seed}, .arena = arena_new()};
    terms *ts = terms_new();
    type any = type_int(), half = seed % 3 ? type_int() : type_nat();
    variable ints[3] = {variable_new(ts, "x", &any), variable_new(ts, "y", &any), variable_new(ts, "i", &half)};
    variable bools[1] = {variable_new(ts, "b", &(type){.sort = SORT_BOOL})};
    raw *condition = one_of(&s, raw_boolean, 3, 3, 1);
    bool exact = true;
    term some = condition_for_some(ts, raw_term(ts, condition, ints, bools), 1, &ints[2], &exact);
    CHECK(!term_mentions(ts, some, ints[2]));
    exact_ones += exact;
    for (int trial = 0; trial < 12; trial++) {
      values v = {{number_of(random_between(&s.random, -4, 4)), number_of(random_between(&s.random, -4, 4))},
                  {trial % 2}};
      number assigned[4] = {v.ints[0], v.ints[1], number_of(0), number_of(v.bools[0])};
      bool found = false, said = !number_is(term_evaluate(ts, some, assigned), 0);
      for (int64_t i = half.has_low ? 0 : -WITNESS; i <= WITNESS && !found; i++) {
        v.ints[2] = number_of(i);
        found = truth(condition, &v);
      }
      CHECK(!said || found, "seed %llu: eliminated to true, but no value fits", (unsigned long long)seed);
      CHECK(said || !found || !exact, "seed %llu: eliminated to false, but a value fits", (unsigned long long)seed);
      holds += said;
      fails += !said;
    }
    terms_free(ts);
    arena_free(s.arena);
  }
  CHECK(exact_ones > rounds(300) && holds > rounds(300) && fails > rounds(300), "%d exact, %d true, %d false",
        exact_ones, holds, fails);
}

TEST_MAIN
