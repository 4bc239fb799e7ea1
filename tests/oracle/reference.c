/* Breadth-first search with exact numbers. */
#include "oracle/reference.h"

/* ---- values ---- */

/* Each term is evaluated once for an assignment. Terms of test models are shallow, so this may recurse. */
typedef struct evaluation {
  const terms *ts;
  const number *values;
  VECTOR(number) known;
  VECTOR(uint64_t) stamps; /* when `known` was set */
  uint64_t stamp;
} evaluation;

static number value_of(evaluation *e, term t);

static bool is_true(evaluation *e, term t) { return !number_is(value_of(e, t), 0); }

static number compute(evaluation *e, term t) {
  const terms *ts = e->ts;
  size_t count = term_arguments(ts, t);
  number a, b;
  switch (term_kind_of(ts, t)) {
    case TERM_CONSTANT_TRUE: return number_of(1);
    case TERM_BOOL_VARIABLE:
    case TERM_INT_VARIABLE: return e->values[term_variable(ts, t).x];
    case TERM_LE: return number_of(number_sign(value_of(e, term_argument(ts, t, 0))) <= 0);
    case TERM_EQ: return number_of(number_sign(value_of(e, term_argument(ts, t, 0))) == 0);
    case TERM_AND:
      for (size_t i = 0; i < count; i++)
        if (!is_true(e, term_argument(ts, t, i))) return number_of(0);
      return number_of(1);
    case TERM_IFF: return number_of(is_true(e, term_argument(ts, t, 0)) == is_true(e, term_argument(ts, t, 1)));
    case TERM_BOOL_ITE:
    case TERM_INT_ITE: return value_of(e, term_argument(ts, t, is_true(e, term_argument(ts, t, 0)) ? 1 : 2));
    case TERM_SUM:
      a = term_constant(ts, t);
      for (size_t i = 0; i < count; i++)
        a = number_add(a, number_mul(term_coefficient(ts, t, i), value_of(e, term_argument(ts, t, i))));
      return a;
    case TERM_PRODUCT:
      a = number_of(1);
      for (size_t i = 0; i < count; i++) a = number_mul(a, value_of(e, term_argument(ts, t, i)));
      return a;
    case TERM_DIV:
    case TERM_MOD:
      a = value_of(e, term_argument(ts, t, 0));
      b = value_of(e, term_argument(ts, t, 1));
      if (term_kind_of(ts, t) == TERM_DIV) return number_is(b, 0) ? b : number_div(a, b);
      return number_is(b, 0) ? a : number_mod(a, b);
    default: REQUIRE(false, "a model without a heap"); return number_of(0);
  }
}

static number value_of(evaluation *e, term t) {
  size_t index = term_index(t);
  if (e->stamps.at[index] != e->stamp) {
    number n = compute(e, term_positive(t));
    e->known.at[index] = n;
    e->stamps.at[index] = e->stamp;
  }
  number n = e->known.at[index];
  return term_is_negated(t) ? number_of(number_is(n, 0)) : n;
}

number reference_evaluate(const terms *ts, term t, const number *values) {
  static evaluation e; /* kept between calls: there are many */
  e.ts = ts;
  e.values = values;
  e.stamp++;
  while (e.known.count < terms_count(ts)) {
    VECTOR_PUSH(e.known, number_of(0));
    VECTOR_PUSH(e.stamps, 0);
  }
  return value_of(&e, t);
}

number reference_value(const model *m, term t, const number *state, const transition *of, const number *inputs) {
  static number_vector all;
  trace_assignment(m, state, of, inputs, &all);
  return reference_evaluate(m->terms, t, all.at);
}

bool reference_holds(const model *m, term t, const number *state) {
  return !number_is(reference_value(m, t, state, NULL, NULL), 0);
}

reference_step_status reference_step(const model *m, const transition *t, const number *state, const number *inputs,
                                     number *out, size_t *fault) {
  for (size_t i = 0; i < t->faults.count; i++) {
    if (number_is(reference_value(m, t->faults.at[i].when, state, t, inputs), 0)) continue;
    *fault = i;
    return REFERENCE_FAULT;
  }
  if (number_is(reference_value(m, t->guard, state, t, inputs), 0)) return REFERENCE_DISABLED;
  for (size_t i = 0; i < m->variables.count; i++) out[i] = state[i];
  for (size_t i = 0; i < t->updates.count; i++)
    for (size_t j = 0; j < m->variables.count; j++)
      if (variable_same(m->variables.at[j].var, t->updates.at[i].var))
        out[j] = reference_value(m, t->updates.at[i].value, state, t, inputs);
  return REFERENCE_TAKEN;
}

void reference_range(const model *m, variable v, int64_t *low, int64_t *high) {
  const type *of = variable_type(m->terms, v);
  *low = 0;
  *high = 1;
  if (of->sort == SORT_BOOL) return;
  REQUIRE(of->has_low && of->has_high && number_to_int64(of->low, low) && number_to_int64(of->high, high),
          "a small finite type");
}

void reference_first_inputs(const model *m, const transition *t, number_vector *inputs) {
  VECTOR_CLEAR(*inputs);
  for (size_t i = 0; i < t->inputs.count; i++) {
    int64_t low, high;
    reference_range(m, t->inputs.at[i], &low, &high);
    VECTOR_PUSH(*inputs, number_of(low));
  }
}

bool reference_next_inputs(const model *m, const transition *t, number_vector *inputs) {
  for (size_t i = t->inputs.count; i-- > 0;) {
    int64_t low, high;
    reference_range(m, t->inputs.at[i], &low, &high);
    if (inputs->at[i].small < high) {
      inputs->at[i].small++;
      return true;
    }
    inputs->at[i] = number_of(low);
  }
  return false;
}

/* ---- states ---- */

const number *reference_values(const reference *r, size_t state) {
  return r->values.at + state * r->model->variables.count;
}

static uint64_t hash_values(const reference *r, const number *values) {
  uint64_t hash = 7;
  for (size_t i = 0; i < r->model->variables.count; i++) hash = hash_mix(hash ^ number_hash(values[i])) + i;
  return hash;
}

size_t reference_find(const reference *r, const number *values) {
  uint64_t at;
  if (!map_get(r->index, hash_values(r, values), &at)) return SIZE_MAX;
  for (size_t s = (size_t)at; s != SIZE_MAX; s = r->states.at[s].chain) {
    const number *seen = reference_values(r, s);
    size_t same = 0;
    while (same < r->model->variables.count && number_equal(seen[same], values[same])) same++;
    if (same == r->model->variables.count) return s;
  }
  return SIZE_MAX;
}

static void copy_numbers(number_vector *to, const number_vector *from) {
  for (size_t i = 0; i < from->count; i++) VECTOR_PUSH(*to, from->at[i]);
}

static void add_state(reference *r, const number *values, size_t parent, uint32_t transition,
                      const number_vector *inputs) {
  if (reference_find(r, values) != SIZE_MAX) return;
  size_t state = r->states.count;
  uint64_t hash = hash_values(r, values), chain;
  reference_state s = {.parent = parent == SIZE_MAX ? state : parent, .transition = transition, .chain = SIZE_MAX};
  if (parent != SIZE_MAX) s.depth = r->states.at[parent].depth + 1;
  if (map_get(r->index, hash, &chain)) s.chain = (size_t)chain;
  map_set(r->index, hash, state);
  if (inputs) copy_numbers(&s.inputs, inputs);
  VECTOR_PUSH(r->states, s);
  for (size_t i = 0; i < r->model->variables.count; i++) VECTOR_PUSH(r->values, values[i]);
}

/* ---- first states: variable by variable, dropping what a conjunct over the variables chosen so far forbids ---- */

typedef struct beginning {
  reference *r;
  term_vector conjuncts;
  VECTOR(size_t) last; /* conjunct -> the last of its variables, by position */
  number_vector values;
  size_t limit;
} beginning;

static bool consistent(const beginning *b, size_t position) {
  for (size_t i = 0; i < b->conjuncts.count; i++)
    if (b->last.at[i] == position && !reference_holds(b->r->model, b->conjuncts.at[i], b->values.at)) return false;
  return true;
}

/* The values to try for a variable: its type, narrowed by a conjunct `v = c`; false if there are infinitely many. */
static bool candidates(const beginning *b, size_t position, number *low, number *high) {
  const model *m = b->r->model;
  variable v = m->variables.at[position].var;
  for (size_t i = 0; i < b->conjuncts.count; i++) {
    term c = b->conjuncts.at[i];
    if (term_kind_of(m->terms, c) != TERM_EQ || term_is_negated(c)) continue;
    linear l = term_linear(m->terms, term_argument(m->terms, c, 0));
    if (l.count != 1 || !number_is(l.coefficients[0], 1) || term_kind_of(m->terms, l.leaves[0]) != TERM_INT_VARIABLE)
      continue;
    if (!variable_same(term_variable(m->terms, l.leaves[0]), v)) continue;
    *low = *high = number_negate(l.constant);
    return true;
  }
  const type *of = variable_type(m->terms, v);
  *low = of->sort == SORT_BOOL ? number_of(0) : of->low;
  *high = of->sort == SORT_BOOL ? number_of(1) : of->high;
  return of->sort == SORT_BOOL || (of->has_low && of->has_high);
}

static void begin_from(beginning *b, size_t position) {
  if (b->r->states.count > b->limit) return;
  if (position == b->r->model->variables.count) {
    add_state(b->r, b->values.at, SIZE_MAX, 0, NULL);
    return;
  }
  number low, high;
  if (!candidates(b, position, &low, &high)) {
    b->r->status = REFERENCE_INFINITE;
    return;
  }
  for (number n = low; number_compare(n, high) <= 0 && b->r->status != REFERENCE_INFINITE;
       n = number_add(n, number_of(1))) {
    b->values.at[position] = n;
    if (consistent(b, position)) begin_from(b, position + 1);
  }
}

static void begin(reference *r, size_t limit) {
  const model *m = r->model;
  beginning b = {.r = r, .limit = limit};
  term_conjuncts(m->terms, m->init, &b.conjuncts);
  bool impossible = false;
  for (size_t i = 0; i < b.conjuncts.count; i++) {
    size_t last = SIZE_MAX;
    variable_vector all = {0};
    term_variables(m->terms, 1, &b.conjuncts.at[i], &all);
    for (size_t j = 0; j < all.count; j++) {
      size_t at = model_position(m, all.at[j]);
      if (last == SIZE_MAX || at > last) last = at;
    }
    impossible |= last == SIZE_MAX && term_is_false(b.conjuncts.at[i]);
    VECTOR_PUSH(b.last, last);
    VECTOR_FREE(all);
  }
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(b.values, number_of(0));
  if (!impossible) begin_from(&b, 0);
  VECTOR_FREE(b.conjuncts);
  VECTOR_FREE(b.last);
  VECTOR_FREE(b.values);
}

/* ---- search ---- */

static void note(reference *r, size_t property, size_t state) {
  reference_breach *b = &r->breaches.at[property];
  b->found = true;
  b->state = state;
  b->depth = r->states.at[state].depth;
}

static void note_fault(reference *r, size_t state, uint32_t transition, size_t fault, const number_vector *inputs) {
  for (size_t i = 0; i < r->model->properties.count; i++) {
    reference_breach *b = &r->breaches.at[i];
    if (r->model->properties.at[i].kind != PROPERTY_NO_FAULT || b->found) continue;
    note(r, i, state);
    b->transition = transition;
    b->fault = fault;
    copy_numbers(&b->inputs, inputs);
  }
}

/* True if some step can be taken. */
static bool expand(reference *r, size_t state) {
  const model *m = r->model;
  number_vector inputs = {0}, from = {0}, to = {0};
  bool moves = false;
  for (size_t i = 0; i < m->variables.count; i++) { /* a copy: rows move when states are added */
    VECTOR_PUSH(from, reference_values(r, state)[i]);
    VECTOR_PUSH(to, number_of(0));
  }
  for (uint32_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    reference_first_inputs(m, t, &inputs);
    do {
      size_t fault;
      reference_step_status status = reference_step(m, t, from.at, inputs.at, to.at, &fault);
      if (status == REFERENCE_FAULT) note_fault(r, state, i, fault, &inputs);
      if (status != REFERENCE_TAKEN) continue;
      moves = true;
      r->steps++;
      add_state(r, to.at, state, i, &inputs);
    } while (reference_next_inputs(m, t, &inputs));
  }
  VECTOR_FREE(inputs);
  VECTOR_FREE(from);
  VECTOR_FREE(to);
  return moves;
}

static void visit(reference *r, size_t state) {
  const model *m = r->model;
  bool moves = expand(r, state);
  for (size_t i = 0; i < m->properties.count; i++) {
    const property *p = &m->properties.at[i];
    if (r->breaches.at[i].found) continue;
    if (p->kind == PROPERTY_SAFE && reference_holds(m, p->bad, reference_values(r, state))) note(r, i, state);
    if (p->kind == PROPERTY_DEADLOCKFREE && !moves) note(r, i, state);
  }
}

reference *reference_explore(const model *m, size_t limit) {
  reference *r = MEMORY_NEW(reference);
  r->model = m;
  r->index = map_new();
  for (size_t i = 0; i < m->properties.count; i++) VECTOR_PUSH(r->breaches, (reference_breach){0});
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count; j++)
      if (!type_is_finite(variable_type(m->terms, m->transitions.at[i].inputs.at[j]))) r->status = REFERENCE_INFINITE;
  if (r->status != REFERENCE_INFINITE) begin(r, limit);
  if (r->status == REFERENCE_INFINITE) return r;
  for (size_t i = 0; i < r->states.count && r->states.count <= limit; i++) visit(r, i);
  if (r->states.count > limit) r->status = REFERENCE_TOO_LARGE;
  return r;
}

void reference_free(reference *r) {
  if (!r) return;
  for (size_t i = 0; i < r->states.count; i++) VECTOR_FREE(r->states.at[i].inputs);
  for (size_t i = 0; i < r->breaches.count; i++) VECTOR_FREE(r->breaches.at[i].inputs);
  VECTOR_FREE(r->states);
  VECTOR_FREE(r->values);
  VECTOR_FREE(r->breaches);
  map_free(r->index);
  memory_free(r);
}

trace reference_trace(const reference *r, size_t state) {
  trace t = {0};
  size_t count = r->states.at[state].depth + 1;
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(t, (trace_step){0});
  for (size_t i = count; i-- > 0; state = r->states.at[state].parent) {
    const reference_state *s = &r->states.at[state];
    t.at[i].transition = s->transition;
    copy_numbers(&t.at[i].inputs, &s->inputs);
    for (size_t j = 0; j < r->model->variables.count; j++) VECTOR_PUSH(t.at[i].values, reference_values(r, state)[j]);
  }
  return t;
}

char *reference_describe(const reference *r, size_t property) {
  static const char *const extent[] = {"", " and more", ""};
  if (r->status == REFERENCE_INFINITE) return text_format("not explored");
  if (!r->breaches.at[property].found)
    return text_format("no breach in %zu states%s", r->states.count, extent[r->status]);
  return text_format("broken after %zu steps, %zu states%s", r->breaches.at[property].depth, r->states.count,
                     extent[r->status]);
}
