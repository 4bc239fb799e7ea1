/* Replays a trace, state by state, with exact numbers on the model as read.
 *
 *   first state    within the types, satisfies init
 *   each step      inputs within their types, guard true, no fault, every variable as the updates say
 *   many rounds    each of them can be taken and changes variables by the same amounts: one question to the solver
 *   last state     breaks the property: bad; or the named fault; or no transition can be taken, for any inputs */
#include "model/rounds.h"
#include "proof/check/checkers.h"
#include "proof/check/heap_replay.h"
#include "proof/type_and_input_conditions.h"
#include "term/evaluate.h"
#include "term/substitute.h"

typedef struct replay {
  const model *model;
  const evidence *evidence;
  questions *questions;
  number *values; /* by variable: the state at hand, and the inputs of the transition at hand */
  number *after;  /* by variable: the state that the transition leads to */
  check_result *result;
} replay;

/* The check ends here; takes `what` and is false, for the caller to return. */
static bool end_with(replay *r, check_kind kind, TAKE char *what) {
  r->result->kind = kind;
  r->result->what = what;
  return false;
}

static bool holds(const replay *r, term t) { return !number_is(term_evaluate(r->model->terms, t, r->values), 0); }

static GIVE char *wrong_value(const replay *r, const char *where, variable v, number got, const char *instead) {
  char *value = number_string(got);
  char *what = text_format("%s: %s is %s, %s", where, variable_shown(r->model->terms, v), value, instead);
  memory_free(value);
  return what;
}

static GIVE char *what_in(const char *where, TAKE char *what) {
  char *all = text_format("%s: %s", where, what);
  memory_free(what);
  return all;
}

/* Puts in the state's values, each within its type. */
static bool load_state(replay *r, const trace_step *s, size_t index) {
  const model *m = r->model;
  char where[40];
  snprintf(where, sizeof where, "state %zu", index);
  if (s->values.count != m->variables.count)
    return end_with(r, CHECK_REJECTED,
                    text_format("%s: %zu values for %zu variables", where, s->values.count, m->variables.count));
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    if (!type_has_value(variable_type(m->terms, v), s->values.at[i]))
      return end_with(r, CHECK_REJECTED, wrong_value(r, where, v, s->values.at[i], "outside its type"));
    r->values[v.x] = s->values.at[i];
  }
  char *what = m->has_heap ? heap_replay_load(m, s, r->values) : NULL;
  return !what || end_with(r, CHECK_REJECTED, what_in(where, what));
}

static bool load_inputs(replay *r, const transition *t, size_t count, const number *inputs, const char *where) {
  if (count != t->inputs.count)
    return end_with(r, CHECK_REJECTED, text_format("%s: %zu values for %zu inputs", where, count, t->inputs.count));
  for (size_t i = 0; i < count; i++) {
    variable v = t->inputs.at[i];
    if (!type_has_value(variable_type(r->model->terms, v), inputs[i]))
      return end_with(r, CHECK_REJECTED, wrong_value(r, where, v, inputs[i], "outside its type"));
    r->values[v.x] = inputs[i];
  }
  return true;
}

/* Does `s` hold what `t` makes of the state at hand? */
static bool compare_after(replay *r, const transition *t, const trace_step *s, const char *where) {
  const model *m = r->model;
  for (size_t i = 0; i < m->variables.count; i++)
    r->after[m->variables.at[i].var.x] = r->values[m->variables.at[i].var.x];
  for (size_t i = 0; i < t->updates.count; i++)
    r->after[t->updates.at[i].var.x] = term_evaluate(m->terms, t->updates.at[i].value, r->values);
  for (size_t i = 0; i < m->variables.count && i < s->values.count; i++) {
    variable v = m->variables.at[i].var;
    bool is_node = variable_type(m->terms, v)->sort == SORT_NODE;
    if (is_node || number_equal(s->values.at[i], r->after[v.x])) continue;
    char *value = number_string(r->after[v.x]), *instead = text_format("not %s", value);
    end_with(r, CHECK_REJECTED, wrong_value(r, where, v, s->values.at[i], instead));
    memory_free(value);
    memory_free(instead);
    return false;
  }
  return true;
}

/* The values of state `index - 1` are loaded; those of `index` are afterwards. */
static bool replay_step(replay *r, size_t index) {
  const model *m = r->model;
  const trace_step *after = &r->evidence->steps.at[index];
  if (after->transition >= m->transitions.count)
    return end_with(r, CHECK_REJECTED, text_format("step %zu: no such transition", index));
  const transition *t = &m->transitions.at[after->transition];
  char where[160];
  snprintf(where, sizeof where, "step %zu (%s)", index, t->name);
  if (!load_inputs(r, t, after->inputs.count, after->inputs.at, where)) return false;
  if (!holds(r, t->guard)) return end_with(r, CHECK_REJECTED, text_format("%s: the guard does not hold", where));
  for (size_t i = 0; i < t->faults.count; i++)
    if (holds(r, t->faults.at[i].when))
      return end_with(r, CHECK_REJECTED, text_format("%s: it has a fault: %s", where, t->faults.at[i].what));
  if (!compare_after(r, t, after, where)) return false;
  int64_t value = 0;
  bool has_value = t->heap.kind == HEAP_NEW || t->heap.kind == HEAP_SET_DATA;
  bool fits = !has_value || number_to_int64(term_evaluate(m->terms, t->heap.value, r->values), &value);
  if (!fits || value < 0 || value >= NODE_MOST_VALUES)
    return end_with(r, CHECK_REJECTED, text_format("%s: no such data", where));
  char *what = m->has_heap ? heap_replay_step(m, &t->heap, (unsigned)value, after - 1, after) : NULL;
  if (what) return end_with(r, CHECK_REJECTED, what_in(where, what));
  return load_state(r, after, index);
}

/* ---- many rounds ---- */

enum { LONGEST_ROUND = 1000 };

/* Single steps before `index`, as many as its round has. */
static bool is_round(const replay *r, size_t index) {
  const trace *t = &r->evidence->steps;
  uint32_t length = t->at[index].round;
  if (r->model->has_heap || length > LONGEST_ROUND || length >= index) return false;
  for (size_t i = index - length; i < index; i++)
    if (t->at[i].round) return false;
  return true;
}

/* Every round before the last one leads to one that can be taken. */
static bool check_rounds_taken(replay *r, const round_effect *form, const trace_step *s, const char *where) {
  terms *ts = r->model->terms;
  type integer = {.sort = SORT_INT};
  term times = term_of_variable(ts, variable_fresh(ts, "rounds", &integer));
  term asked[] = {term_ge(ts, times, term_int(ts, 0)), term_lt(ts, times, term_number(ts, s->times)),
                  term_not(rounds_go_on(r->model, form, (s - 1)->values.at, times))};
  return check_refute_all(r->questions, asked, ARRAY_LENGTH(asked),
                          text_format("%s: each of the rounds can be taken", where), r->result);
}

static bool compare_state(replay *r, const trace_step *s, const number *after, const char *where) {
  for (size_t i = 0; i < r->model->variables.count; i++) {
    if (i < s->values.count && number_equal(s->values.at[i], after[i])) continue;
    variable v = r->model->variables.at[i].var;
    return end_with(r, CHECK_REJECTED, text_format("%s: wrong value of %s", where, variable_shown(r->model->terms, v)));
  }
  return true;
}

/* As `replay_step`. */
static bool replay_rounds(replay *r, size_t index) {
  const trace_step *after = &r->evidence->steps.at[index], *before = after - 1;
  char where[40];
  snprintf(where, sizeof where, "step %zu", index);
  round_effect form;
  if (!is_round(r, index) || number_sign(after->times) <= 0 || !number_is_integer(after->times))
    return end_with(r, CHECK_REJECTED, text_format("%s: no such round", where));
  if (!rounds_find(r->model, after - after->round, after->round, before->values.at, &form))
    return end_with(r, CHECK_REJECTED, text_format("%s: the rounds do not all do the same", where));
  number_vector values = {0};
  rounds_apply(r->model, &form, before->values.at, after->times, &values);
  bool fine = check_rounds_taken(r, &form, after, where) && compare_state(r, after, values.at, where);
  VECTOR_FREE(values);
  rounds_clear(&form);
  return fine && load_state(r, after, index);
}

/* ---- the last state ---- */

static bool check_fault(replay *r) {
  const evidence *e = r->evidence;
  if (e->fault_transition >= r->model->transitions.count)
    return end_with(r, CHECK_REJECTED, text_format("last state: no such transition"));
  const transition *t = &r->model->transitions.at[e->fault_transition];
  if (e->fault >= t->faults.count)
    return end_with(r, CHECK_REJECTED, text_format("last state: %s has no such fault", t->name));
  if (!load_inputs(r, t, e->fault_inputs.count, e->fault_inputs.at, "last state")) return false;
  if (holds(r, t->faults.at[e->fault].when)) return true;
  return end_with(r, CHECK_REJECTED,
                  text_format("last state: %s does not have this fault: %s", t->name, t->faults.at[e->fault].what));
}

/* `t` over the inputs alone. */
static term in_state(const model *m, const number *values, term t) {
  terms *ts = m->terms;
  substitution *s = substitution_new(ts);
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    if (variable_type(ts, v)->sort == SORT_NODE) continue;
    bool is_bool = variable_type(ts, v)->sort == SORT_BOOL;
    substitution_set(s, v, is_bool ? term_of_bool(number_is(values[v.x], 1)) : term_number(ts, values[v.x]));
  }
  if (m->has_heap) heap_decide(m, values, s);
  term result = substitution_apply(s, t);
  substitution_free(s);
  return result;
}

answer check_can_take(const model *m, const transition *t, const number *values, questions *q, check_result *result) {
  bool exact = true;
  term enabled = in_state(m, values, transition_enabled(m, t));
  term can = condition_for_some(m->terms, enabled, t->inputs.count, t->inputs.at, &exact);
  if (term_is_true(can)) return (answer){.kind = ANSWER_YES};
  if (term_is_false(can) && exact) return (answer){.kind = ANSWER_NO};
  result->queries++;
  return solver_satisfiable(questions_solver(q), term_and(m->terms, enabled, condition_input_types(m, t)));
}

static bool check_deadlock(replay *r) {
  bool fine = true;
  for (size_t i = 0; i < r->model->transitions.count && fine; i++) {
    const transition *t = &r->model->transitions.at[i];
    answer a = check_can_take(r->model, t, r->values, r->questions, r->result);
    if (answer_is_no(a)) continue;
    if (answer_is_yes(a))
      fine = end_with(r, CHECK_REJECTED, text_format("last state: %s can be taken", t->name));
    else
      fine = end_with(r, CHECK_UNSURE, text_format("last state: whether %s can be taken: %s", t->name, a.reason));
  }
  return fine;
}

static bool check_last(replay *r, const property *p) {
  if (p->kind == PROPERTY_SAFE)
    return holds(r, p->bad) || end_with(r, CHECK_REJECTED, text_format("last state: it does not violate %s", p->name));
  if (p->kind == PROPERTY_NO_FAULT) return check_fault(r);
  REQUIRE(p->kind == PROPERTY_DEADLOCKFREE, "a property of states");
  return check_deadlock(r);
}

/* Without what the last state is to show. */
static bool replay_all(replay *r) {
  const evidence *e = r->evidence;
  if (!e->steps.count) return end_with(r, CHECK_REJECTED, text_format("initial: the trace has no state"));
  if (!load_state(r, &e->steps.at[0], 0)) return false;
  if (!holds(r, r->model->init)) return end_with(r, CHECK_REJECTED, text_format("initial: state 0 is not initial"));
  r->result->obligations++;
  for (size_t i = 1; i < e->steps.count; i++) {
    const char *reason = budget_spent(r->questions->budget);
    if (reason) return end_with(r, CHECK_UNSURE, memory_copy_string(reason));
    if (!(e->steps.at[i].round ? replay_rounds(r, i) : replay_step(r, i))) return false;
    r->result->obligations++;
  }
  return true;
}

static replay replay_open(const model *m, const evidence *e, questions *q, check_result *result) {
  replay r = {.model = m, .evidence = e, .questions = q, .result = result};
  r.values = MEMORY_ARRAY(number, variable_count(m->terms) + 1);
  r.after = MEMORY_ARRAY(number, variable_count(m->terms) + 1);
  return r;
}

static void replay_close(replay *r) {
  memory_free(r->values);
  memory_free(r->after);
}

bool check_run(const model *m, const evidence *e, questions *q, check_result *result) {
  replay r = replay_open(m, e, q, result);
  bool fine =
      !trace_has_rounds(&e->steps) ||
      end_with(&r, CHECK_REJECTED, text_format("a run of single steps is wanted here, not of many rounds at once"));
  fine = fine && replay_all(&r);
  replay_close(&r);
  return fine;
}

void check_trace(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  if (property_is_temporal(p)) {
    check_loop(m, p, e, q, result);
    return;
  }
  replay r = replay_open(m, e, q, result);
  if (replay_all(&r) && check_last(&r, p)) result->obligations++;
  replay_close(&r);
}
