#include "unit/proof/proof_models.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/budget.h"

/* ---- types and terms, shortly ---- */

type type_int(void) { return (type){.sort = SORT_INT}; }
type type_nat(void) { return (type){.sort = SORT_INT, .has_low = true}; }
type type_bool(void) { return (type){.sort = SORT_BOOL}; }
type type_range(int64_t low, int64_t high) {
  return (type){.sort = SORT_INT, .has_low = true, .has_high = true, .low = number_of(low), .high = number_of(high)};
}

static type type_named(const char *const *all, size_t count, bool is_location) {
  type t = type_range(0, (int64_t)count - 1);
  t.names = all;
  t.name_count = count;
  t.is_location = is_location;
  return t;
}

static const place nowhere = {0};

typedef struct builder {
  model *m;
  terms *ts;
} builder;

static builder start(const char *name) {
  terms *ts = terms_new();
  return (builder){model_new(ts, name), ts};
}

static term state(builder b, const char *name, type t) {
  variable v = model_add_variable(b.m, name, &t, t.is_location ? ROLE_LOCATION : ROLE_STATE, nowhere);
  b.m->init = term_and(b.ts, b.m->init, variable_in_type(b.ts, v));
  return term_of_variable(b.ts, v);
}

static term is(builder b, term x, int64_t n) { return term_eq(b.ts, x, term_int(b.ts, n)); }
static term plus(builder b, term x, int64_t n) { return term_add(b.ts, x, term_int(b.ts, n)); }
static term le(builder b, term x, term y) { return term_le(b.ts, x, y); }
static term lt(builder b, term x, term y) { return term_lt(b.ts, x, y); }
static term ge(builder b, term x, int64_t n) { return term_ge(b.ts, x, term_int(b.ts, n)); }
static void init(builder b, term t) { b.m->init = term_and(b.ts, b.m->init, t); }

static void action(builder b, const char *name, term guard) {
  model_add_transition(b.m, name, NO_PROCESS, guard, nowhere);
}

static term input(builder b, const char *name, type t) {
  return term_of_variable(b.ts, transition_add_input(b.m, &VECTOR_LAST(b.m->transitions), name, &t));
}

/* x := value in the last action, with the fault of leaving the type. */
static void assign(builder b, term x, term value) {
  transition *t = &VECTOR_LAST(b.m->transitions);
  variable v = term_variable(b.ts, x);
  const type *of = variable_type(b.ts, v);
  term within = TERM_TRUE;
  if (of->has_low) within = term_and(b.ts, within, term_ge(b.ts, value, term_number(b.ts, of->low)));
  if (of->has_high) within = term_and(b.ts, within, term_le(b.ts, value, term_number(b.ts, of->high)));
  transition_add_update(t, v, value);
  if (of->sort == SORT_INT && !term_is_true(within))
    transition_add_fault(b.m, t, term_and(b.ts, t->guard, term_not(within)), "leaves its type", nowhere);
}

static void property_safe(builder b, const char *name, term bad) {
  model_add_property(b.m, name, PROPERTY_SAFE, nowhere)->bad = bad;
}

/* ---- models ---- */

enum { N, W, C };

model *bakery(void) {
  static const char *const places[] = {"N", "W", "C"};
  builder b = start("bakery2.whet");
  term st[2] = {state(b, "st1", type_named(places, 3, false)), state(b, "st2", type_named(places, 3, false))};
  term y[2] = {state(b, "y1", type_nat()), state(b, "y2", type_nat())};
  for (int i = 0; i < 2; i++) init(b, term_and(b.ts, is(b, st[i], N), is(b, y[i], 0)));
  for (int i = 0; i < 2; i++) {
    term other = y[1 - i], first = i ? lt(b, y[1], y[0]) : le(b, y[0], y[1]);
    action(b, i ? "wait2" : "wait1", is(b, st[i], N));
    assign(b, st[i], term_int(b.ts, W));
    assign(b, y[i], plus(b, other, 1));
    action(b, i ? "enter2" : "enter1", term_and(b.ts, is(b, st[i], W), term_or(b.ts, is(b, other, 0), first)));
    assign(b, st[i], term_int(b.ts, C));
    action(b, i ? "release2" : "release1", is(b, st[i], C));
    assign(b, st[i], term_int(b.ts, N));
    assign(b, y[i], term_int(b.ts, 0));
  }
  property_safe(b, "mutex", term_and(b.ts, is(b, st[0], C), is(b, st[1], C)));
  model_add_property(b.m, "deadlockfree", PROPERTY_DEADLOCKFREE, nowhere);
  model_close(b.m);
  return b.m;
}

enum { IDLE, WAITING, CRITICAL };

/* `broken`: a process enters without waiting for its number. */
static model *ticket(bool broken) {
  static const char *const places[] = {"idle", "waiting", "critical"};
  builder b = start("ticket2.whet");
  term t = state(b, "t", type_int()), s = state(b, "s", type_int());
  term p[2] = {state(b, "P[1]", type_named(places, 3, true)), state(b, "P[2]", type_named(places, 3, true))};
  term a[2] = {state(b, "P[1].a", type_int()), state(b, "P[2].a", type_int())};
  init(b, term_and(b.ts, is(b, t, 0), is(b, s, 0)));
  for (int i = 0; i < 2; i++) init(b, term_and(b.ts, is(b, p[i], IDLE), is(b, a[i], 0)));
  for (int i = 0; i < 2; i++) {
    action(b, i ? "P[2].take" : "P[1].take", is(b, p[i], IDLE));
    assign(b, p[i], term_int(b.ts, WAITING));
    assign(b, a[i], t);
    assign(b, t, plus(b, t, 1));
    action(b, i ? "P[2].enter" : "P[1].enter",
           term_and(b.ts, is(b, p[i], WAITING), broken ? TERM_TRUE : le(b, a[i], s)));
    assign(b, p[i], term_int(b.ts, CRITICAL));
    action(b, i ? "P[2].leave" : "P[1].leave", is(b, p[i], CRITICAL));
    assign(b, p[i], term_int(b.ts, IDLE));
    assign(b, s, plus(b, s, 1));
  }
  property_safe(b, "mutex", term_and(b.ts, is(b, p[0], CRITICAL), is(b, p[1], CRITICAL)));
  model_close(b.m);
  return b.m;
}

/* Inputs: one moves x within a band around it, the other jumps. Two actions have the same name. */
static model *jumps(void) {
  builder b = start("jumps.whet");
  term x = state(b, "x", type_range(0, 9)), on = state(b, "on", type_bool()), big = state(b, "big", type_int());
  init(b, term_and(b.ts, is(b, x, 3), on));
  init(b, term_eq(b.ts, big, term_scale(b.ts, number_of(INT64_MAX), term_int(b.ts, 8))));
  action(b, "move", on);
  term d = input(b, "move.d", type_range(-1, 1));
  assign(b, x, term_add(b.ts, x, d));
  assign(b, big, term_mul(b.ts, big, d));
  action(b, "move", term_not(on));
  assign(b, on, TERM_TRUE);
  action(b, "jump", ge(b, x, 0));
  term k = input(b, "jump.k", type_int()), flag = input(b, "jump.flag", type_bool());
  VECTOR_LAST(b.m->transitions).guard =
      term_and(b.ts, VECTOR_LAST(b.m->transitions).guard,
               term_and(b.ts, lt(b, x, k), le(b, term_scale(b.ts, number_of(2), k), plus(b, x, 10))));
  assign(b, x, k);
  assign(b, on, flag);
  property_safe(b, "off", term_and(b.ts, term_not(on), is(b, x, 9)));
  model_add_property(b.m, "deadlockfree", PROPERTY_DEADLOCKFREE, nowhere);
  model_close(b.m);
  return b.m;
}

/* A counter that stops: deadlock at 5, fault of `over` at 4. */
static model *counter(void) {
  builder b = start("counter.whet");
  term x = state(b, "x", type_range(0, 5));
  init(b, is(b, x, 0));
  action(b, "up", lt(b, x, term_int(b.ts, 5)));
  assign(b, x, plus(b, x, 1));
  action(b, "over", is(b, x, 4));
  assign(b, x, plus(b, x, 7));
  property_safe(b, "small", ge(b, x, 6));
  model_add_property(b.m, "deadlockfree", PROPERTY_DEADLOCKFREE, nowhere);
  model_close(b.m);
  return b.m;
}

model *wheel(void) {
  builder b = start("wheel.whet");
  term x = state(b, "x", type_range(0, 2)), y = state(b, "div", type_int()), z = state(b, "inv", type_nat());
  init(b, term_and(b.ts, is(b, x, 0), term_and(b.ts, is(b, y, 1), is(b, z, 4))));
  action(b, "turn", TERM_TRUE);
  assign(b, x, term_mod(b.ts, plus(b, x, 1), term_int(b.ts, 3)));
  assign(b, y, term_mul(b.ts, y, y));
  assign(b, z, plus(b, term_div(b.ts, z, y), 3));
  property_safe(b, "one", term_not(is(b, y, 1)));
  model_close(b.m);
  return b.m;
}

/* ---- evidence ---- */

static term variable_called(const model *m, const char *name) {
  variable v;
  REQUIRE(variable_find(m->terms, name, &v), "a variable of the model");
  return term_of_variable(m->terms, v);
}

static size_t property_called(const model *m, const char *name) {
  size_t index;
  REQUIRE(model_find_property(m, name, &index), "a property of the model");
  return index;
}

/* A part that fixes two variables. */
static void add_part(case_of_evidence *c, const char *v, int64_t at_v, const char *w, int64_t at_w, term formula) {
  terms *ts = c->model->terms;
  invariant_part p = {.formula = formula};
  VECTOR_PUSH(p.fixed, (fixed_value){term_variable(ts, variable_called(c->model, v)), number_of(at_v)});
  VECTOR_PUSH(p.fixed, (fixed_value){term_variable(ts, variable_called(c->model, w)), number_of(at_w)});
  VECTOR_PUSH(c->evidence.parts, p);
}

static case_of_evidence invariant_of(const char *name, model *m, const char *property) {
  return (case_of_evidence){name, m, property_called(m, property), {.kind = EVIDENCE_INVARIANT}};
}

/* By places: y is 0 exactly outside, and who is inside came first. */
static case_of_evidence bakery_invariant(const char *property) {
  case_of_evidence c = invariant_of("bakery", bakery(), property);
  builder b = {c.model, c.model->terms};
  term y1 = variable_called(b.m, "y1"), y2 = variable_called(b.m, "y2");
  for (int i = N; i <= C; i++)
    for (int j = N; j <= C; j++) {
      if (i == C && j == C) continue;
      term f = term_and(b.ts, i == N ? is(b, y1, 0) : ge(b, y1, 1), j == N ? is(b, y2, 0) : ge(b, y2, 1));
      if (i == C && j == W) f = term_and(b.ts, f, le(b, y1, y2));
      if (i == W && j == C) f = term_and(b.ts, f, lt(b, y2, y1));
      add_part(&c, "st1", i, "st2", j, f);
    }
  return c;
}

static case_of_evidence bakery_mutex(void) { return bakery_invariant("mutex"); }
static case_of_evidence bakery_deadlockfree(void) { return bakery_invariant("deadlockfree"); }

/* The same as one formula without parts. */
static case_of_evidence bakery_whole(void) {
  case_of_evidence c = bakery_mutex();
  term whole = evidence_formula(c.model->terms, &c.evidence);
  evidence_clear(&c.evidence);
  c.evidence.kind = EVIDENCE_INVARIANT;
  VECTOR_PUSH(c.evidence.parts, (invariant_part){.formula = whole});
  c.name = "bakery as one formula";
  return c;
}

/* t - s counts those who are not idle; numbers s, s + 1 are theirs. */
static case_of_evidence ticket_mutex(void) {
  case_of_evidence c = invariant_of("ticket", ticket(false), "mutex");
  builder b = {c.model, c.model->terms};
  term t = variable_called(b.m, "t"), s = variable_called(b.m, "s");
  term a[2] = {variable_called(b.m, "P[1].a"), variable_called(b.m, "P[2].a")};
  for (int i = IDLE; i <= CRITICAL; i++)
    for (int j = IDLE; j <= CRITICAL; j++)
      for (int first = 0; first < 2; first++) {
        bool has[2] = {i != IDLE, j != IDLE};
        bool waits_behind_critical = (i == CRITICAL && first == 1) || (j == CRITICAL && first == 0);
        if ((i == CRITICAL && j == CRITICAL) || (has[0] && has[1] && waits_behind_critical)) continue;
        if (!(has[0] && has[1]) && first) continue;
        term f = term_eq(b.ts, t, plus(b, s, has[0] + has[1]));
        for (int k = 0; k < 2; k++)
          if (has[k]) f = term_and(b.ts, f, term_eq(b.ts, a[k], plus(b, s, has[0] && has[1] && k != first)));
        add_part(&c, "P[1]", i, "P[2]", j, f);
      }
  return c;
}

static case_of_evidence jumps_invariant(const char *property) {
  case_of_evidence c = invariant_of("jumps", jumps(), property);
  builder b = {c.model, c.model->terms};
  term x = variable_called(b.m, "x"), on = variable_called(b.m, "on");
  evidence_add_part(b.ts, &c.evidence, term_and(b.ts, on, ge(b, x, 0)));
  evidence_add_part(b.ts, &c.evidence, term_and(b.ts, term_not(on), le(b, x, term_int(b.ts, 8))));
  c.name = property;
  return c;
}

/* A jump from x = 8 leads to 9 at most, with k <= (8 + 10) / 2: `off` needs on = false there. */
static case_of_evidence jumps_deadlockfree(void) {
  case_of_evidence c = jumps_invariant("deadlockfree");
  evidence_clear(&c.evidence);
  c.evidence.kind = EVIDENCE_INVARIANT;
  evidence_add_part(c.model->terms, &c.evidence, TERM_TRUE);
  return c;
}

static case_of_evidence counter_small(void) {
  case_of_evidence c = invariant_of("counter", counter(), "small");
  for (int i = 0; i <= 5; i++) {
    builder b = {c.model, c.model->terms};
    evidence_add_part(b.ts, &c.evidence, is(b, variable_called(b.m, "x"), i));
  }
  return c;
}

static case_of_evidence wheel_one(void) {
  case_of_evidence c = invariant_of("wheel", wheel(), "one");
  builder b = {c.model, c.model->terms};
  term z = variable_called(b.m, "inv"), y = variable_called(b.m, "div");
  evidence_add_part(b.ts, &c.evidence, term_and(b.ts, is(b, y, 1), is(b, term_mod(b.ts, z, y), 0)));
  return c;
}

/* No fault: the guard of `up` keeps it below 5, and `over` is cut off by starting at 5. */
static case_of_evidence counter_no_fault(void) {
  case_of_evidence c = {.name = "counter without fault", .model = counter()};
  builder b = {c.model, c.model->terms};
  term x = variable_called(b.m, "x");
  c.model->init = is(b, x, 5);
  c.property = property_called(c.model, "no-runtime-error");
  c.evidence.kind = EVIDENCE_INVARIANT;
  evidence_add_part(b.ts, &c.evidence, is(b, x, 5));
  return c;
}

/* ---- traces ---- */

static case_of_evidence trace_of(const char *name, model *m, const char *property) {
  return (case_of_evidence){name, m, property_called(m, property), {.kind = EVIDENCE_TRACE}};
}

static void add_state(case_of_evidence *c, uint32_t transition, size_t inputs, const int64_t *input_values,
                      const int64_t *values) {
  trace_step s = {.transition = transition};
  for (size_t i = 0; i < inputs; i++) VECTOR_PUSH(s.inputs, number_of(input_values[i]));
  for (size_t i = 0; i < c->model->variables.count; i++) VECTOR_PUSH(s.values, number_of(values[i]));
  VECTOR_PUSH(c->evidence.steps, s);
}

static case_of_evidence ticket_broken(void) {
  case_of_evidence c = trace_of("ticket, broken", ticket(true), "mutex");
  /* t s P1 P2 a1 a2 */
  add_state(&c, 0, 0, NULL, (int64_t[]){0, 0, IDLE, IDLE, 0, 0});
  add_state(&c, 0, 0, NULL, (int64_t[]){1, 0, WAITING, IDLE, 0, 0});
  add_state(&c, 1, 0, NULL, (int64_t[]){1, 0, CRITICAL, IDLE, 0, 0});
  add_state(&c, 2, 0, NULL, (int64_t[]){1, 1, IDLE, IDLE, 0, 0});
  add_state(&c, 3, 0, NULL, (int64_t[]){2, 1, IDLE, WAITING, 0, 1});
  add_state(&c, 0, 0, NULL, (int64_t[]){3, 1, WAITING, WAITING, 2, 1});
  add_state(&c, 4, 0, NULL, (int64_t[]){3, 1, WAITING, CRITICAL, 2, 1});
  add_state(&c, 1, 0, NULL, (int64_t[]){3, 1, CRITICAL, CRITICAL, 2, 1});
  return c;
}

static case_of_evidence jumps_off(void) {
  case_of_evidence c = trace_of("jumps to off", jumps(), "off");
  number big = number_mul(number_of(INT64_MAX), number_of(8));
  number bigs[] = {big, number_negate(big), number_negate(big), number_negate(big), big};
  add_state(&c, 0, 0, NULL, (int64_t[]){3, 1, 0});
  add_state(&c, 0, 1, (int64_t[]){-1}, (int64_t[]){2, 1, 0});
  add_state(&c, 2, 2, (int64_t[]){6, 0}, (int64_t[]){6, 0, 0});
  add_state(&c, 1, 0, NULL, (int64_t[]){6, 1, 0});
  add_state(&c, 0, 1, (int64_t[]){-1}, (int64_t[]){5, 1, 0});
  for (size_t i = 0; i < ARRAY_LENGTH(bigs); i++) c.evidence.steps.at[i].values.at[2] = bigs[i];
  /* x = 9 and off: 5, 7, 8, 9 */
  add_state(&c, 2, 2, (int64_t[]){7, 1}, (int64_t[]){7, 1, 0});
  add_state(&c, 2, 2, (int64_t[]){8, 1}, (int64_t[]){8, 1, 0});
  add_state(&c, 2, 2, (int64_t[]){9, 0}, (int64_t[]){9, 0, 0});
  for (size_t i = 5; i < 8; i++) c.evidence.steps.at[i].values.at[2] = big;
  return c;
}

static case_of_evidence counter_stops(void) {
  case_of_evidence c = trace_of("counter stops", counter(), "deadlockfree");
  for (int64_t i = 0; i <= 5; i++) add_state(&c, 0, 0, NULL, &i);
  return c;
}

static case_of_evidence counter_faults(void) {
  case_of_evidence c = trace_of("counter faults", counter(), "no-runtime-error");
  for (int64_t i = 0; i <= 4; i++) add_state(&c, 0, 0, NULL, &i);
  c.evidence.fault_transition = 1;
  return c;
}

static case_of_evidence counter_states(void) {
  case_of_evidence c = {"states of the counter", counter(), 0, {.kind = EVIDENCE_STATES}};
  c.evidence.states = diagram_new(1, &c.model->variables.at[0].var);
  diagram_builder *b = diagram_builder_new(c.evidence.states);
  for (int64_t i = 0; i <= 5; i++) diagram_builder_add(b, &i);
  diagram_builder_finish(b);
  return c;
}

/* ---- the list ---- */

static case_of_evidence (*const makers[])(void) = {
    bakery_mutex,     bakery_deadlockfree, bakery_whole, ticket_mutex,  jumps_deadlockfree, counter_small,  wheel_one,
    counter_no_fault, ticket_broken,       jumps_off,    counter_stops, counter_faults,     counter_states,
};

size_t proof_cases(void) { return ARRAY_LENGTH(makers); }
size_t proof_invariants(void) { return 8; }
case_of_evidence proof_case(size_t i) { return makers[i](); }

void proof_case_free(case_of_evidence *c) {
  evidence_clear(&c->evidence);
  model_free(c->model);
}

int rounds(int many) { return getenv("WHET_SANITIZED") ? many / 6 : many; }

check_result check_now(const case_of_evidence *c) {
  budget b = budget_unlimited();
  return check_evidence(c->model, c->property, &c->evidence, &b, NULL);
}

char *certificate_text(const case_of_evidence *c, size_t *length) {
  text out = {0};
  certificate_write(c->model, c->property, &c->evidence, &out);
  *length = out.count;
  return text_give(&out);
}

/* ---- other solvers ---- */

static size_t count_words(const char *content, const char *word) {
  size_t count = 0;
  for (const char *at = content; (at = strstr(at, word)); at += strlen(word)) count++;
  return count;
}

other_answer ask_other(const char *command, const char *content) {
  char path[] = "/tmp/whet-proof-XXXXXX.smt2", line[200];
  int file = mkstemps(path, 5);
  REQUIRE(file >= 0 && write(file, content, strlen(content)) == (ssize_t)strlen(content), "a file for the solver");
  close(file);
  char *full = text_format("%s %s 2>&1", command, path);
  FILE *output = popen(full, "r");
  REQUIRE(output, "a shell");
  size_t unsat = 0, sat = 0, other = 0;
  while (fgets(line, sizeof line, output)) {
    unsat += !strcmp(line, "unsat\n");
    sat += !strcmp(line, "sat\n");
    other += strcmp(line, "unsat\n") && strcmp(line, "sat\n");
    if (other == 1 && strcmp(line, "unknown\n")) printf("# %s says: %s", command, line);
  }
  pclose(output);
  unlink(path);
  memory_free(full);
  if (other || unsat + sat != count_words(content, "(check-sat)")) return OTHER_UNSURE;
  return sat ? OTHER_REFUTES : OTHER_CONFIRMS;
}
