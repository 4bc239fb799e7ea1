/* The explicit engine against a search that is as plain as can be: lists, exact evaluation, no packing, no compiling.
 */
#include "base/map.h"
#include "base/options.h"
#include "base/random.h"
#include "engine/engine.h"
#include "model/model.h"
#include "proof/certificate.h"
#include "proof/check.h"
#include "term/evaluate.h"
#include "test.h"

/* ---- models ---- */

enum { MOST_VARIABLES = 5, MOST_INPUTS = 2 };

static type bool_type(void) { return (type){.sort = SORT_BOOL}; }
static type range_type(int64_t low, int64_t high) {
  return (type){.sort = SORT_INT, .has_low = true, .has_high = true, .low = number_of(low), .high = number_of(high)};
}

typedef struct maker {
  model *m;
  random_source r;
  variable_vector scope; /* what expressions may use */
} maker;

static term random_int(maker *k, int depth);

static term random_bool(maker *k, int depth) {
  terms *ts = k->m->terms;
  switch (depth <= 0 ? random_below(&k->r, 3) : random_below(&k->r, 8)) {
    case 0: {
      variable v = k->scope.at[random_below(&k->r, k->scope.count)];
      term t = term_of_variable(ts, v);
      if (variable_type(ts, v)->sort == SORT_BOOL) return random_below(&k->r, 2) ? t : term_not(t);
      return term_eq(ts, t, term_int(ts, random_between(&k->r, -2, 4)));
    }
    case 1:
      return term_le(ts, random_int(k, depth - 1), random_int(k, depth - 1));
    case 2:
      return term_eq(ts, random_int(k, depth - 1), random_int(k, depth - 1));
    case 3:
      return term_and(ts, random_bool(k, depth - 1), random_bool(k, depth - 1));
    case 4:
      return term_or(ts, random_bool(k, depth - 1), random_bool(k, depth - 1));
    case 5:
      return term_not(random_bool(k, depth - 1));
    case 6:
      return term_iff(ts, random_bool(k, depth - 1), random_bool(k, depth - 1));
    default:
      return term_ite(ts, random_bool(k, depth - 1), random_bool(k, depth - 1), random_bool(k, depth - 1));
  }
}

static term random_int(maker *k, int depth) {
  terms *ts = k->m->terms;
  switch (depth <= 0 ? random_below(&k->r, 3) : random_below(&k->r, 10)) {
    case 0:
      return term_int(ts, random_between(&k->r, -3, 5));
    case 1:
    case 2: {
      variable v = k->scope.at[random_below(&k->r, k->scope.count)];
      term t = term_of_variable(ts, v);
      return variable_type(ts, v)->sort == SORT_BOOL ? term_ite(ts, t, term_int(ts, 1), term_int(ts, 0)) : t;
    }
    case 3:
      return term_add(ts, random_int(k, depth - 1), term_int(ts, random_between(&k->r, -1, 1)));
    case 4:
      return term_sub(ts, random_int(k, depth - 1), random_int(k, depth - 1));
    case 5:
      return term_scale(ts, number_of(random_between(&k->r, -2, 3)), random_int(k, depth - 1));
    case 6:
      return term_mul(ts, random_int(k, depth - 1), random_int(k, depth - 1));
    case 7:
      return term_mod(ts, random_int(k, depth - 1), random_int(k, depth - 1));
    case 8:
      return term_div(ts, random_int(k, depth - 1), random_int(k, depth - 1));
    default:
      return term_ite(ts, random_bool(k, depth - 1), random_int(k, depth - 1), random_int(k, depth - 1));
  }
}

static void add_random_update(maker *k, transition *t, variable v) {
  terms *ts = k->m->terms;
  const type *of = variable_type(ts, v);
  if (of->sort == SORT_BOOL) {
    transition_add_update(t, v, random_bool(k, 2));
    return;
  }
  term value = random_int(k, 2), low = term_number(ts, of->low), high = term_number(ts, of->high);
  if (random_below(&k->r, 3)) {
    /* Most of the time folded into the range, else a run-time error where it leaves it. */
    term size = term_add(ts, term_sub(ts, high, low), term_int(ts, 1));
    value = term_add(ts, low, term_mod(ts, value, size));
  } else {
    term outside = term_or(ts, term_lt(ts, value, low), term_gt(ts, value, high));
    transition_add_fault(k->m, t, term_and(ts, t->guard, outside), "leaves its range", (place){0});
  }
  transition_add_update(t, v, value);
}

static void add_random_transition(maker *k, size_t number) {
  char name[32];
  type b = bool_type(), small = range_type(-1, random_between(&k->r, 0, 3));
  size_t inputs = random_below(&k->r, 4) ? 0 : 1 + random_below(&k->r, MOST_INPUTS),
         state_variables = k->m->variables.count;
  snprintf(name, sizeof name, "t%zu", number);
  transition *t = model_add_transition(k->m, name, NO_PROCESS, TERM_TRUE, (place){0});
  for (size_t i = 0; i < inputs; i++)
    VECTOR_PUSH(k->scope, transition_add_input(k->m, t, "in", random_below(&k->r, 2) ? &b : &small));
  t->guard = random_bool(k, 2);
  if (random_below(&k->r, 2)) {
    variable v = k->m->variables.at[0].var;
    term place =
        term_eq(k->m->terms, term_of_variable(k->m->terms, v), term_int(k->m->terms, random_between(&k->r, 0, 3)));
    t->guard = random_below(&k->r, 2) ? place : term_and(k->m->terms, place, t->guard);
  }
  if (!random_below(&k->r, 12)) transition_add_fault(k->m, t, random_bool(k, 1), "for no reason", (place){0});
  for (size_t i = 0; i < state_variables; i++)
    if (!random_below(&k->r, 2)) add_random_update(k, t, k->m->variables.at[i].var);
  k->scope.count = state_variables;
}

/* All variables at one of their bounds: rarely reached, and late. */
static term random_corner(maker *k) {
  terms *ts = k->m->terms;
  term corner = TERM_TRUE;
  for (size_t i = 0; i < k->m->variables.count; i++) {
    variable v = k->m->variables.at[i].var;
    const type *t = variable_type(ts, v);
    bool high = random_below(&k->r, 2);
    term x = term_of_variable(ts, v);
    corner = term_and(
        ts, corner,
        t->sort == SORT_BOOL ? (high ? x : term_not(x)) : term_eq(ts, x, term_number(ts, high ? t->high : t->low)));
  }
  return corner;
}

static GIVE model *random_model(uint64_t seed) {
  maker k = {.r = {seed}};
  k.m = model_new(terms_new(), "random");
  size_t variables = 1 + random_below(&k.r, MOST_VARIABLES), transitions = 1 + random_below(&k.r, 6);
  for (size_t i = 0; i < variables; i++) {
    char name[8];
    int64_t low = i ? random_between(&k.r, -3, 1) : 0;
    type b = bool_type(), range = range_type(low, i ? low + random_between(&k.r, 0, 5) : 3);
    snprintf(name, sizeof name, "v%zu", i);
    bool is_bool = i && random_below(&k.r, 3) == 0;
    variable v = model_add_variable(k.m, name, is_bool ? &b : &range, i ? ROLE_STATE : ROLE_LOCATION, (place){0});
    VECTOR_PUSH(k.scope, v);
    k.m->init = term_and(k.m->terms, k.m->init, variable_in_type(k.m->terms, v));
    if (random_below(&k.r, 3) && !is_bool)
      k.m->init = term_and(k.m->terms, k.m->init,
                           term_eq(k.m->terms, term_of_variable(k.m->terms, v), term_int(k.m->terms, low)));
  }
  if (!random_below(&k.r, 3)) k.m->init = term_and(k.m->terms, k.m->init, random_bool(&k, 2));
  for (size_t i = 0; i < transitions; i++) add_random_transition(&k, i);
  model_add_property(k.m, "safe", PROPERTY_SAFE, (place){0});
  k.m->properties.at[0].bad =
      random_below(&k.r, 2) ? term_and(k.m->terms, random_bool(&k, 1), random_bool(&k, 2)) : random_corner(&k);
  model_add_property(k.m, "deadlockfree", PROPERTY_DEADLOCKFREE, (place){0});
  model_close(k.m);
  VECTOR_FREE(k.scope);
  return k.m;
}

/* ---- the oracle ---- */

typedef struct plain_state {
  int64_t values[MOST_VARIABLES];
} plain_state;

typedef struct plain {
  const model *m;
  VECTOR(plain_state) states;
  VECTOR(size_t) depths;
  number_vector assignment;
} plain;

static void assign(plain *p, const plain_state *s) {
  for (size_t i = 0; i < p->m->variables.count; i++)
    p->assignment.at[p->m->variables.at[i].var.x] = number_of(s->values[i]);
}

static bool evaluates(plain *p, term t) { return !number_is(term_evaluate(p->m->terms, t, p->assignment.at), 0); }

static bool plain_has(const plain *p, const plain_state *s) {
  for (size_t i = 0; i < p->states.count; i++)
    if (!memcmp(p->states.at[i].values, s->values, p->m->variables.count * sizeof(int64_t))) return true;
  return false;
}

static void plain_add(plain *p, const plain_state *s, size_t depth) {
  if (plain_has(p, s)) return;
  VECTOR_PUSH(p->states, *s);
  VECTOR_PUSH(p->depths, depth);
}

static void bounds_of(const model *m, variable v, int64_t *low, int64_t *high) {
  const type *t = variable_type(m->terms, v);
  *low = t->sort == SORT_BOOL ? 0 : t->low.small;
  *high = t->sort == SORT_BOOL ? 1 : t->high.small;
}

/* Counts through all values of `count` variables; false after the last. */
static bool next_values(const model *m, size_t count, const variable *vars, int64_t *values) {
  for (size_t i = 0; i < count; i++) {
    int64_t low, high;
    bounds_of(m, vars[i], &low, &high);
    if (values[i]++ < high) return true;
    values[i] = low;
  }
  return false;
}

static void first_values(const model *m, size_t count, const variable *vars, int64_t *values) {
  int64_t high;
  for (size_t i = 0; i < count; i++) bounds_of(m, vars[i], &values[i], &high);
}

/* What a transition with given inputs does: -1 a fault, 0 nothing, 1 a step. */
static int plain_step(plain *p, const transition *t, const plain_state *from, const int64_t *inputs, plain_state *to) {
  assign(p, from);
  for (size_t i = 0; i < t->inputs.count; i++) p->assignment.at[t->inputs.at[i].x] = number_of(inputs[i]);
  for (size_t i = 0; i < t->faults.count; i++)
    if (evaluates(p, t->faults.at[i].when)) return -1;
  if (!evaluates(p, t->guard)) return 0;
  *to = *from;
  for (size_t i = 0; i < t->updates.count; i++) {
    number value = term_evaluate(p->m->terms, t->updates.at[i].value, p->assignment.at);
    CHECK(!value.big);
    to->values[model_position(p->m, t->updates.at[i].var)] = value.small;
  }
  return 1;
}

typedef struct verdict_of {
  bool is_bad;
  size_t depth;
} verdict_of;

static plain plain_search(const model *m, const property *prop, verdict_of *out) {
  plain p = {.m = m};
  variable vars[MOST_VARIABLES];
  plain_state s = {0}, to = {0};
  VECTOR_RESERVE(p.assignment, variable_count(m->terms));
  p.assignment.count = variable_count(m->terms);
  for (size_t i = 0; i < p.assignment.count; i++) p.assignment.at[i] = number_of(0);
  for (size_t i = 0; i < m->variables.count; i++) vars[i] = m->variables.at[i].var;
  first_values(m, m->variables.count, vars, s.values);
  do {
    assign(&p, &s);
    if (evaluates(&p, m->init)) plain_add(&p, &s, 0);
  } while (next_values(m, m->variables.count, vars, s.values));
  *out = (verdict_of){false, SIZE_MAX};
  for (size_t at = 0; at < p.states.count; at++) {
    bool faults = false, moves = false, bad = false;
    plain_state from = p.states.at[at];
    for (size_t i = 0; i < m->transitions.count; i++) {
      const transition *t = &m->transitions.at[i];
      int64_t inputs[MOST_INPUTS];
      first_values(m, t->inputs.count, t->inputs.at, inputs);
      do {
        int what = plain_step(&p, t, &from, inputs, &to);
        if (what < 0) faults = true;
        if (what > 0) moves = true;
        if (what > 0) plain_add(&p, &to, p.depths.at[at] + 1);
      } while (next_values(m, t->inputs.count, t->inputs.at, inputs));
    }
    assign(&p, &from);
    if (prop->kind == PROPERTY_SAFE) bad = evaluates(&p, prop->bad);
    if (prop->kind == PROPERTY_DEADLOCKFREE) bad = !moves;
    if (prop->kind == PROPERTY_NO_FAULT) bad = faults;
    if (bad && p.depths.at[at] < out->depth) *out = (verdict_of){true, p.depths.at[at]};
  }
  return p;
}

static void plain_free(plain *p) {
  VECTOR_FREE(p->states);
  VECTOR_FREE(p->depths);
  VECTOR_FREE(p->assignment);
}

/* ---- running the engine ---- */

extern const engine engine_explicit;

static claim run(model *m, size_t property, option_order order, unsigned threads, statistics *n) {
  options *o = options_new();
  budget b = budget_unlimited();
  *n = (statistics){0};
  o->order = order;
  o->threads = threads;
  engine_environment env = {.model = m, .property = property, .options = o, .statistics = n, .budget = &b};
  claim c = {0};
  void *state = engine_explicit.open(&env);
  while (engine_explicit.step(state, &c) == ENGINE_GOES_ON)
    ;
  engine_explicit.close(state);
  options_free(o);
  return c;
}

static void drop(claim *c) {
  evidence_free(&c->evidence);
  memory_free(c->reason);
}

/* A trace is what the transitions do, starts well and ends badly. */
static void check_trace(plain *p, const property *prop, const evidence *e, uint64_t seed) {
  const model *m = p->m;
  plain_state now = {0}, next = {0};
  int64_t inputs[MOST_INPUTS];
  for (size_t i = 0; i < e->steps.count; i++) {
    const trace_step *step = &e->steps.at[i];
    for (size_t j = 0; j < m->variables.count; j++) next.values[j] = step->values.at[j].small;
    if (i == 0) {
      assign(p, &next);
      CHECK(evaluates(p, m->init), "seed %llu", (unsigned long long)seed);
    } else {
      plain_state computed = {0};
      const transition *t = &m->transitions.at[step->transition];
      CHECK(step->inputs.count == t->inputs.count);
      for (size_t j = 0; j < t->inputs.count; j++) inputs[j] = step->inputs.at[j].small;
      CHECK(plain_step(p, t, &now, inputs, &computed) == 1, "seed %llu", (unsigned long long)seed);
      CHECK(!memcmp(computed.values, next.values, m->variables.count * sizeof(int64_t)), "seed %llu",
            (unsigned long long)seed);
    }
    now = next;
  }
  if (prop->kind == PROPERTY_SAFE) {
    assign(p, &now);
    CHECK(evaluates(p, prop->bad), "seed %llu", (unsigned long long)seed);
  } else if (prop->kind == PROPERTY_NO_FAULT) {
    const transition *t = &m->transitions.at[e->fault_transition];
    for (size_t j = 0; j < t->inputs.count; j++) inputs[j] = e->fault_inputs.at[j].small;
    CHECK(plain_step(p, t, &now, inputs, &next) == -1, "seed %llu", (unsigned long long)seed);
    CHECK(evaluates(p, t->faults.at[e->fault].when), "seed %llu", (unsigned long long)seed);
  } else {
    for (size_t i = 0; i < m->transitions.count; i++) {
      const transition *t = &m->transitions.at[i];
      first_values(m, t->inputs.count, t->inputs.at, inputs);
      do {
        CHECK(plain_step(p, t, &now, inputs, &next) <= 0, "seed %llu", (unsigned long long)seed);
      } while (next_values(m, t->inputs.count, t->inputs.at, inputs));
    }
  }
}

/* The invariant holds in exactly the states that can be reached. */
static void check_reached(plain *p, const evidence *e, uint64_t seed) {
  const model *m = p->m;
  variable vars[MOST_VARIABLES];
  plain_state s = {0};
  for (size_t i = 0; i < m->variables.count; i++) vars[i] = m->variables.at[i].var;
  CHECK(e->kind == EVIDENCE_STATES || e->kind == EVIDENCE_INVARIANT);
  term formula = e->kind == EVIDENCE_STATES ? diagram_term(m->terms, e->states) : e->parts.at[0].formula;
  first_values(m, m->variables.count, vars, s.values);
  do {
    assign(p, &s);
    CHECK(evaluates(p, formula) == plain_has(p, &s), "seed %llu", (unsigned long long)seed);
    if (e->kind == EVIDENCE_STATES)
      CHECK(diagram_has(e->states, s.values) == plain_has(p, &s), "seed %llu", (unsigned long long)seed);
  } while (next_values(m, m->variables.count, vars, s.values));
  if (e->kind == EVIDENCE_STATES) CHECK(diagram_count(e->states) == p->states.count);
}

/* ---- the checker of listed states ---- */

static size_t compared_levels;

static int by_values(const void *a, const void *b) {
  const plain_state *x = a, *y = b;
  for (size_t i = 0; i < compared_levels; i++)
    if (x->values[i] != y->values[i]) return x->values[i] < y->values[i] ? -1 : 1;
  return 0;
}

/* The states of `p`, but for number `without`, as evidence. */
static evidence list_states(const plain *p, size_t without) {
  evidence e = {.kind = EVIDENCE_STATES};
  variable_vector levels = {0};
  plain_state *sorted = MEMORY_ARRAY(plain_state, p->states.count);
  size_t count = 0;
  for (size_t i = 0; i < p->m->variables.count; i++) VECTOR_PUSH(levels, p->m->variables.at[i].var);
  for (size_t i = 0; i < p->states.count; i++)
    if (i != without) sorted[count++] = p->states.at[i];
  compared_levels = levels.count;
  qsort(sorted, count, sizeof *sorted, by_values);
  e.states = diagram_new(levels.count, levels.at);
  diagram_builder *b = diagram_builder_new(e.states);
  for (size_t i = 0; i < count; i++) diagram_builder_add(b, sorted[i].values);
  diagram_builder_finish(b);
  VECTOR_FREE(levels);
  memory_free(sorted);
  return e;
}

/* Written, read again and checked. */
static check_kind check_again(model *m, size_t property, const evidence *e) {
  text file = {0};
  size_t read_property = 99;
  evidence read = {0};
  char *error = NULL;
  budget b = budget_unlimited();
  certificate_write(m, property, e, &file);
  bool fine = certificate_read(m, file.at, file.count, &read_property, &read, &error);
  CHECK(fine && read_property == property, "%s\n%s", error ? error : "", file.at);
  check_result r = check_evidence(m, property, &read, &b, NULL);
  evidence_free(&read);
  text_free(&file);
  memory_free(r.what);
  memory_free(error);
  return r.kind;
}

static void check_the_checker(model *m, size_t index, const plain *p, bool is_bad, uint64_t seed) {
  evidence all = list_states(p, SIZE_MAX);
  CHECK(diagram_count(all.states) == p->states.count);
  CHECK(check_again(m, index, &all) == (is_bad ? CHECK_REJECTED : CHECK_ACCEPTED), "seed %llu property %zu",
        (unsigned long long)seed, index);
  evidence_free(&all);
  for (size_t i = 0; i < p->states.count; i += 1 + p->states.count / 3) {
    evidence some = list_states(p, i);
    CHECK(check_again(m, index, &some) == CHECK_REJECTED, "seed %llu property %zu without %zu",
          (unsigned long long)seed, index, i);
    evidence_free(&some);
  }
}

static bool same_trace(const trace *a, const trace *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++)
    for (size_t j = 0; j < a->at[i].values.count; j++)
      if (!number_equal(a->at[i].values.at[j], b->at[i].values.at[j])) return false;
  return true;
}

static void compare(model *m, size_t index, uint64_t seed) {
  const property *prop = &m->properties.at[index];
  verdict_of wanted;
  statistics n, n2, n3;
  plain p = plain_search(m, prop, &wanted);
  claim bfs = run(m, index, ORDER_BFS, 1, &n), many = run(m, index, ORDER_BFS, 3, &n2),
        dfs = run(m, index, ORDER_DFS, 1, &n3);
  verdict is = wanted.is_bad ? VERDICT_UNSAFE : VERDICT_SAFE;
  CHECK(bfs.verdict == is && many.verdict == is && dfs.verdict == is, "seed %llu property %zu: %d %d %d, wanted %d",
        (unsigned long long)seed, index, bfs.verdict, many.verdict, dfs.verdict, is);
  if (bfs.verdict == is && is == VERDICT_UNSAFE) {
    CHECK(bfs.evidence.steps.count == wanted.depth + 1, "seed %llu: %zu, wanted %zu", (unsigned long long)seed,
          bfs.evidence.steps.count - 1, wanted.depth);
    check_trace(&p, prop, &bfs.evidence, seed);
    check_trace(&p, prop, &dfs.evidence, seed);
    CHECK(same_trace(&bfs.evidence.steps, &many.evidence.steps), "seed %llu", (unsigned long long)seed);
  }
  if (bfs.verdict == is && is == VERDICT_SAFE) {
    CHECK(n.states == p.states.count && n2.states == p.states.count && n3.states == p.states.count,
          "seed %llu: %llu %llu %llu, wanted %zu", (unsigned long long)seed, (unsigned long long)n.states,
          (unsigned long long)n2.states, (unsigned long long)n3.states, p.states.count);
    CHECK(n.transitions == n2.transitions && n.transitions == n3.transitions && n.depth == n2.depth);
    check_reached(&p, &bfs.evidence, seed);
    check_reached(&p, &dfs.evidence, seed);
  }
  if (seed % 10 == 0) {
    CHECK(check_again(m, index, &bfs.evidence) == CHECK_ACCEPTED, "seed %llu property %zu", (unsigned long long)seed,
          index);
    check_the_checker(m, index, &p, wanted.is_bad, seed);
  }
  drop(&bfs);
  drop(&many);
  drop(&dfs);
  plain_free(&p);
}

TEST(all_orders_agree_with_a_plain_search_on_random_models) {
  for (uint64_t seed = 1; seed <= 700; seed++) {
    model *m = random_model(seed);
    for (size_t i = 0; i < m->properties.count; i++) compare(m, i, seed);
    model_free(m);
  }
}

TEST_MAIN
