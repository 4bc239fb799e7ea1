/* Rounds: the steps of one are executed on terms over the state that it starts in; then it is found out what is fixed. */
#include "model/rounds.h"

#include "term/evaluate.h"
#include "term/fold.h"
#include "term/substitute.h"

typedef struct round_search {
  const model *model;
  terms *ts;
  const number *state;  /* by variable of the model */
  number_vector values; /* the same by variable */
  term_vector after;    /* by variable of the model: what it holds after the steps so far */
  term_vector holds;    /* conditions of a round */
  substitution *known;  /* variables that keep their values */
  bool *is_fixed;       /* by variable of the model */
} round_search;

/* ---- one round on terms ---- */

static void require_type(round_search *s, const transition *t, size_t changed) {
  variable v = t->updates.at[changed].var;
  term now = s->after.at[model_position(s->model, v)];
  VECTOR_PUSH(s->holds, term_replace(s->ts, variable_in_type(s->ts, v), v, now));
}

static void execute(round_search *s, const trace_step *step) {
  const model *m = s->model;
  const transition *t = &m->transitions.at[step->transition];
  substitution *now = substitution_new(s->ts);
  for (size_t i = 0; i < m->variables.count; i++) substitution_set(now, m->variables.at[i].var, s->after.at[i]);
  for (size_t i = 0; i < t->inputs.count; i++) {
    bool is_bool = variable_type(s->ts, t->inputs.at[i])->sort == SORT_BOOL;
    number value = step->inputs.at[i];
    substitution_set(now, t->inputs.at[i], is_bool ? term_of_bool(!number_is(value, 0)) : term_number(s->ts, value));
  }
  VECTOR_PUSH(s->holds, substitution_apply(now, t->guard));
  for (size_t i = 0; i < t->faults.count; i++)
    VECTOR_PUSH(s->holds, term_not(substitution_apply(now, t->faults.at[i].when)));
  for (size_t i = 0; i < t->updates.count; i++)
    s->after.at[model_position(m, t->updates.at[i].var)] = substitution_apply(now, t->updates.at[i].value);
  for (size_t i = 0; i < t->updates.count; i++) require_type(s, t, i);
  substitution_free(now);
}

/* ---- cases, as they are in the state at hand ---- */

static number value_of(const round_search *s, term t) { return term_evaluate(s->ts, t, s->values.at); }

/* The quotient stays what it is. */
static term decide_division(round_search *s, term t, term dividend) {
  number divisor;
  if (!term_is_number(s->ts, term_argument(s->ts, t, 1), &divisor) || number_is(divisor, 0)) return t;
  number quotient = number_div(value_of(s, term_argument(s->ts, t, 0)), divisor);
  term whole = term_number(s->ts, number_mul(quotient, divisor));
  term rest = term_sub(s->ts, dividend, whole);
  VECTOR_PUSH(s->holds, term_ge(s->ts, rest, term_int(s->ts, 0)));
  VECTOR_PUSH(s->holds, term_lt(s->ts, rest, term_number(s->ts, number_abs(divisor))));
  return term_kind_of(s->ts, t) == TERM_MOD ? rest : term_number(s->ts, quotient);
}

static term decide_case(round_search *s, const term_fold *f, term t) {
  term condition = term_argument(s->ts, t, 0);
  bool is_so = !number_is(value_of(s, condition), 0);
  VECTOR_PUSH(s->holds, is_so ? condition : term_not(condition));
  return fold_term(f, term_argument(s->ts, t, is_so ? 1 : 2));
}

static void decide(const term_fold *f, term t, void *out) {
  round_search *s = f->context;
  term *made = out;
  term_kind kind = term_kind_of(s->ts, t);
  if (kind == TERM_INT_ITE)
    *made = decide_case(s, f, t);
  else if (kind == TERM_DIV || kind == TERM_MOD)
    *made = decide_division(s, t, fold_term(f, term_argument(s->ts, t, 0)));
  else
    *made = fold_rebuilt(f, s->ts, t);
}

/* Values without cases. Truth values stay what they are. */
static void decide_values(round_search *s) {
  const model *m = s->model;
  term_fold f = {.ts = s->ts, .size = sizeof(term), .rule = decide, .context = s};
  for (size_t i = 0; i < m->variables.count; i++) {
    term after = s->after.at[i];
    if (variable_type(s->ts, m->variables.at[i].var)->sort != SORT_BOOL) {
      s->after.at[i] = *(term *)term_fold_value(&f, after);
      continue;
    }
    bool is_so = !number_is(value_of(s, after), 0);
    if (!term_same(after, term_of_variable(s->ts, m->variables.at[i].var)))
      VECTOR_PUSH(s->holds, is_so ? after : term_not(after));
    s->after.at[i] = term_of_bool(is_so);
  }
  term_fold_close(&f);
}

/* ---- what is fixed ---- */

static term value_term(const round_search *s, size_t i) {
  bool is_bool = variable_type(s->ts, s->model->variables.at[i].var)->sort == SORT_BOOL;
  return is_bool ? term_of_bool(!number_is(s->state[i], 0)) : term_number(s->ts, s->state[i]);
}

static void know_fixed(round_search *s) {
  substitution_clear(s->known);
  for (size_t i = 0; i < s->model->variables.count; i++)
    if (s->is_fixed[i]) substitution_set(s->known, s->model->variables.at[i].var, value_term(s, i));
}

/* The most variables that keep their values if all of them do. */
static void find_fixed(round_search *s) {
  size_t count = s->model->variables.count;
  for (size_t i = 0; i < count; i++) s->is_fixed[i] = true;
  for (bool changes = true; changes;) {
    changes = false;
    know_fixed(s);
    for (size_t i = 0; i < count; i++) {
      if (!s->is_fixed[i] || term_same(substitution_apply(s->known, s->after.at[i]), value_term(s, i))) continue;
      s->is_fixed[i] = false;
      changes = true;
    }
  }
}

static bool find_moving(round_search *s, round_effect *out) {
  for (size_t i = 0; i < s->model->variables.count; i++) {
    if (s->is_fixed[i]) continue;
    variable v = s->model->variables.at[i].var;
    number by;
    if (variable_type(s->ts, v)->sort == SORT_BOOL) return false;
    term change = term_sub(s->ts, substitution_apply(s->known, s->after.at[i]), term_of_variable(s->ts, v));
    if (!term_is_number(s->ts, change, &by)) return false;
    VECTOR_PUSH(out->moving, v);
    VECTOR_PUSH(out->by, by);
  }
  out->holds = substitution_apply(s->known, term_and_all(s->ts, s->holds.count, s->holds.at));
  return true;
}

/* ---- all of it ---- */

bool rounds_find(const model *m, const trace_step *first, size_t count, const number *state, round_effect *out) {
  REQUIRE(!m->has_heap, "a model without a heap");
  round_search s = {.model = m, .ts = m->terms, .state = state};
  *out = (round_effect){.holds = TERM_TRUE};
  s.known = substitution_new(s.ts);
  s.is_fixed = MEMORY_ARRAY(bool, m->variables.count + 1);
  trace_assignment(m, state, NULL, NULL, &s.values);
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(s.after, term_of_variable(s.ts, m->variables.at[i].var));
  for (size_t i = 0; i < count; i++) execute(&s, &first[i]);
  decide_values(&s);
  find_fixed(&s);
  bool found = find_moving(&s, out);
  if (!found) rounds_clear(out);
  VECTOR_FREE(s.values);
  VECTOR_FREE(s.after);
  VECTOR_FREE(s.holds);
  memory_free(s.is_fixed);
  substitution_free(s.known);
  return found;
}

void rounds_clear(round_effect *r) {
  VECTOR_FREE(r->moving);
  VECTOR_FREE(r->by);
}

term rounds_go_on(const model *m, const round_effect *r, const number *state, term times) {
  terms *ts = m->terms;
  substitution *s = substitution_new(ts);
  for (size_t i = 0; i < r->moving.count; i++) {
    term start = term_number(ts, state[model_position(m, r->moving.at[i])]);
    substitution_set(s, r->moving.at[i], term_add(ts, start, term_scale(ts, r->by.at[i], times)));
  }
  term result = substitution_apply(s, r->holds);
  substitution_free(s);
  return result;
}

void rounds_apply(const model *m, const round_effect *r, const number *state, number times, number_vector *out) {
  VECTOR_CLEAR(*out);
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(*out, state[i]);
  for (size_t i = 0; i < r->moving.count; i++) {
    number *value = &out->at[model_position(m, r->moving.at[i])];
    *value = number_add(*value, number_mul(times, r->by.at[i]));
  }
}
