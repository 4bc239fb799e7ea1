/* Loops of a counterexample and what any number of their rounds leads from (Lakhnech, Bensalem, Berezin, Owre 2001,
 * Fig. 5).
 *
 * A loop is a stretch of the trace between states with equal control. One round is executed on terms, which gives a
 * relation over data. */
#include "base/map.h"
#include "engine/cegar/path.h"
#include "engine/loop_round.h"
#include "term/substitute.h"

/* ---- finding loops ---- */

bool path_same_control(const cegar_tools *t, const abstract_state *a, const abstract_state *b) {
  for (size_t i = 0; i < t->system->controls.count && !t->system->controls.at[i].is_input; i++)
    if (a->controls[i] != b->controls[i]) return false;
  return true;
}

static bool same_word(const abstract_trace *trace, size_t a, size_t b, size_t length) {
  return !memcmp(trace->actions.at + a, trace->actions.at + b, length * sizeof(uint32_t));
}

void loops_find(const cegar_tools *t, const abstract_trace *trace, loop_vector *out) {
  size_t free_from = 0;
  for (size_t end = 1; end < trace->states.count; end++) {
    size_t begin = end;
    while (begin-- > free_from && !path_same_control(t, &trace->states.at[begin], &trace->states.at[end])) continue;
    if (begin + 1 <= free_from) continue;
    trace_loop *last = out->count ? &VECTOR_LAST(*out) : NULL;
    if (last && last->to == begin && last->word == end - begin && same_word(trace, last->from, begin, last->word))
      last->to = end;
    else
      VECTOR_PUSH(*out, (trace_loop){begin, end, end - begin});
    free_from = end;
  }
}

/* ---- one round as a relation ---- */

typedef struct execution {
  cegar_tools *t;
  map *now; /* data variable -> term, if it changed */
  term_vector conditions;
  variable_vector hidden;
} execution;

static term value_now(const execution *r, variable v) {
  uint64_t known;
  return map_get(r->now, v.x, &known) ? (term){(uint32_t)known} : term_of_variable(r->t->ts, v);
}

static GIVE substitution *values_in(execution *r, const abstract_state *s, const transition *tr, size_t step) {
  cegar_tools *t = r->t;
  substitution *by = substitution_new(t->ts);
  for (size_t i = 0; i < t->system->controls.count && !t->system->controls.at[i].is_input; i++) {
    variable v = t->system->controls.at[i].var;
    bool truth = variable_type(t->ts, v)->sort == SORT_BOOL;
    substitution_set(by, v, truth ? term_of_bool(s->controls[i] != 0) : term_int(t->ts, s->controls[i]));
  }
  for (size_t i = 0; i < t->system->data.count; i++)
    substitution_set(by, t->system->data.at[i], value_now(r, t->system->data.at[i]));
  for (size_t i = 0; i < tr->inputs.count; i++) {
    variable copy = input_copies_get(t->copies, tr->inputs.at[i], step);
    substitution_set(by, tr->inputs.at[i], term_of_variable(t->ts, copy));
    VECTOR_PUSH(r->hidden, copy);
  }
  return by;
}

static void execute(execution *r, const abstract_trace *trace, size_t step) {
  cegar_tools *t = r->t;
  const abstract_state *from = &trace->states.at[step], *to = &trace->states.at[step + 1];
  uint32_t action = trace->actions.at[step];
  const transition *tr = &t->env->model->transitions.at[t->system->actions.at[action].transition];
  substitution *by = values_in(r, from, tr, step);
  VECTOR_PUSH(r->conditions, substitution_apply(by, path_step_condition(t, from, action, to)));
  term_vector values = {0};
  for (size_t i = 0; i < tr->updates.count; i++) VECTOR_PUSH(values, substitution_apply(by, tr->updates.at[i].value));
  for (size_t i = 0; i < tr->updates.count; i++)
    if (!map_get(t->system->control_of, tr->updates.at[i].var.x, NULL))
      map_set(r->now, tr->updates.at[i].var.x, values.at[i].x);
  VECTOR_FREE(values);
  substitution_free(by);
}

/* The data variables that the goal, the conditions, or the new value of one of them mentions. */
static void relevant_data(const execution *r, term goal, variable_vector *out) {
  const cegar_tools *t = r->t;
  term_vector roots = {0};
  VECTOR_PUSH(roots, goal);
  for (size_t i = 0; i < r->conditions.count; i++) VECTOR_PUSH(roots, r->conditions.at[i]);
  variable_vector all = {0};
  for (size_t before = SIZE_MAX; before != roots.count;) {
    before = roots.count;
    VECTOR_CLEAR(all);
    term_variables(t->ts, roots.count, roots.at, &all);
    VECTOR_CLEAR(roots);
    VECTOR_PUSH(roots, goal);
    for (size_t i = 0; i < r->conditions.count; i++) VECTOR_PUSH(roots, r->conditions.at[i]);
    for (size_t i = 0; i < all.count; i++)
      if (model_is_state_variable(t->env->model, all.at[i])) VECTOR_PUSH(roots, value_now(r, all.at[i]));
  }
  for (size_t i = 0; i < all.count; i++)
    if (model_is_state_variable(t->env->model, all.at[i])) VECTOR_PUSH(*out, all.at[i]);
  VECTOR_FREE(all);
  VECTOR_FREE(roots);
}

static term round_term(const execution *r, const variable_vector *data) {
  terms *ts = r->t->ts;
  term_vector all = {0};
  for (size_t i = 0; i < r->conditions.count; i++) VECTOR_PUSH(all, r->conditions.at[i]);
  for (size_t i = 0; i < r->hidden.count; i++) VECTOR_PUSH(all, variable_in_type(ts, r->hidden.at[i]));
  for (size_t i = 0; i < data->count; i++) {
    variable v = data->at[i];
    VECTOR_PUSH(all, variable_in_type(ts, v));
    VECTOR_PUSH(all, term_eq(ts, term_of_variable(ts, variable_next(ts, v)), value_now(r, v)));
  }
  term result = term_and_all(ts, all.count, all.at);
  VECTOR_FREE(all);
  return result;
}

/* ---- any number of rounds ---- */

bool loop_before(cegar_tools *t, const abstract_trace *trace, const trace_loop *loop, term goal, bool keep_divisions,
                 term *out) {
  execution r = {.t = t, .now = map_new()};
  loop_round round = {.sets = t->sets};
  for (size_t i = loop->from; i < loop->from + loop->word; i++) execute(&r, trace, i);
  relevant_data(&r, goal, &round.data);
  round.step = round_term(&r, &round.data);
  round.hidden = r.hidden;
  bool fine = loop_round_before(&round, goal, keep_divisions, out);
  loop_round_clear(&round);
  VECTOR_FREE(r.conditions);
  map_free(r.now);
  return fine;
}
