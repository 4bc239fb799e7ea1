/* `whet tests` (section 8.6: systematic testing): runs that together come to every abstract state that a search has visited and take every action that it has taken,
 * as JSON. The runs are those of the search, so they are real. Each goes from a first state to a state that no other visited state was first reached from; an action that none of
 * these takes gets a run of its own. */
#include "engine/alpha/alpha.h"

typedef struct run_list {
  alpha *a;
  const exploration *s;
  json_writer *w;
  bool *taken; /* by transition */
} run_list;

static void add_value(json_writer *w, const type *of, int64_t value) {
  if (of->sort == SORT_BOOL)
    json_add_bool(w, value != 0);
  else if (of->names && value >= 0 && (size_t)value < of->name_count)
    json_add_string(w, of->names[value]);
  else
    json_add_integer(w, value);
}

/* A step by action `act` (NO_STATE: none, the run begins) to `state`. */
static void add_step(run_list *r, uint32_t act, const int64_t *inputs, const int64_t *state) {
  const alpha *a = r->a;
  json_space(r->w, "\n   ");
  json_begin_object(r->w);
  if (act != NO_STATE) {
    const transition *t = &a->m->transitions.at[a->actions.at[act].transition];
    r->taken[a->actions.at[act].transition] = true;
    json_field_string(r->w, "action", t->name);
    if (t->inputs.count) json_field_array(r->w, "inputs");
    for (size_t i = 0; i < t->inputs.count; i++) add_value(r->w, variable_type(a->ts, t->inputs.at[i]), inputs[i]);
    if (t->inputs.count) json_end_array(r->w);
  }
  json_field_object(r->w, "state");
  for (size_t i = 0; i < a->m->variables.count; i++) {
    json_key(r->w, variable_name(a->ts, a->m->variables.at[i].var));
    add_value(r->w, variable_type(a->ts, a->m->variables.at[i].var), state[i]);
  }
  json_end_object(r->w);
  json_end_object(r->w);
}

/* The run by which the search first came to abstract state `n`. */
static void add_way(run_list *r, uint32_t n) {
  const exploration *s = r->s;
  VECTOR(uint32_t) path = {0};
  for (uint32_t at = n; at != NO_STATE; at = s->parents.at[at]) VECTOR_PUSH(path, at);
  json_field_array(r->w, "covers");
  for (size_t i = path.count; i-- > 0;) json_add_count(r->w, path.at[i]);
  json_end_array(r->w);
  json_field_array(r->w, "steps");
  for (size_t i = path.count; i-- > 0;) {
    uint32_t at = path.at[i];
    bool is_first = s->parents.at[at] == NO_STATE;
    const alpha_action *act = is_first ? NULL : &r->a->actions.at[s->actions.at[at]];
    const int64_t *inputs = !act ? NULL : act->open ? s->input_words.at + s->input_starts.at[at] : act->inputs.at;
    add_step(r, is_first ? NO_STATE : s->actions.at[at], inputs, s->states.at + at * s->width);
  }
  VECTOR_FREE(path);
}

/* One more step of an action with fixed inputs, from the state that stands for `e->from`. */
static void add_last_step(run_list *r, const edge *e) {
  const alpha_action *act = &r->a->actions.at[e->action];
  int64_t *after = MEMORY_ARRAY(int64_t, r->s->width + 1);
  step_status status = semantics_step(r->a->semantics, act->transition, r->s->states.at + e->from * r->s->width,
                                      act->inputs.at, after, NULL);
  assert(status == STEP_TAKEN);
  if (status == STEP_TAKEN) add_step(r, e->action, act->inputs.at, after);
  memory_free(after);
}

static void add_run(run_list *r, uint32_t to, const edge *last) {
  json_space(r->w, "\n ");
  json_begin_object(r->w);
  add_way(r, to);
  if (last) add_last_step(r, last);
  json_end_array(r->w);
  json_end_object(r->w);
}

/* States that nothing was first reached from end a run; then what no run takes. */
static const char *add_runs(run_list *r) {
  const exploration *s = r->s;
  const char *spent = NULL;
  bool *goes_on = MEMORY_ARRAY(bool, s->parents.count + 1);
  for (size_t i = 0; i < s->parents.count; i++)
    if (s->parents.at[i] != NO_STATE) goes_on[s->parents.at[i]] = true;
  for (uint32_t n = 0; n < s->parents.count && !(spent = budget_spent(r->a->env->budget)); n++)
    if (!goes_on[n]) add_run(r, n, NULL);
  for (size_t i = 0; i < s->edges.count && !spent; i++) {
    const alpha_action *act = &r->a->actions.at[s->edges.at[i].action];
    if (!r->taken[act->transition] && !act->open) add_run(r, s->edges.at[i].from, &s->edges.at[i]);
  }
  memory_free(goes_on);
  return spent;
}

const char *alpha_print_tests(alpha *a, const exploration *s, bool is_exact, text *out) {
  json_writer w = json_object_to(out);
  run_list r = {a, s, &w, MEMORY_ARRAY(bool, a->m->transitions.count + 1)};
  json_field_bool(&w, "exact", is_exact);
  json_field_count(&w, "abstract_states", s->parents.count);
  json_field_count(&w, "predicates", predicates_count(a->predicates));
  json_field_array(&w, "runs");
  const char *trouble = add_runs(&r);
  json_end_array(&w);
  json_field_array(&w, "not_taken");
  for (size_t i = 0; i < a->m->transitions.count; i++)
    if (!r.taken[i]) json_add_string(&w, a->m->transitions.at[i].name);
  json_end_array(&w);
  json_end_object(&w);
  text_add(out, "\n");
  memory_free(r.taken);
  return trouble;
}
