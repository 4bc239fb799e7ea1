/* Controls and the steps between them, forwards from the initial ones: first without keeping anything, until no new control and
 * no new message comes, then once more for the steps. */
#include "engine/lossy/control_graph.h"

#include "term/term.h"

enum { MOST_FIRST_STATES = 1 << 20, MOST_CONTROLS = 1 << 24, MOST_EDGES = 1 << 26 };

static bool is_part_of(const queue *q, variable v) {
  for (size_t i = 0; i < queue_variable_count(q); i++)
    if (variable_same(queue_variable(q, i), v)) return true;
  return false;
}

static bool is_part_of_any(const model *m, variable v) {
  for (size_t i = 0; i < m->queues.count; i++)
    if (is_part_of(&m->queues.at[i], v)) return true;
  return false;
}

/* ---- what is read ---- */

static void note_reads(const model *m, term t, bits *out) {
  variable_vector all = {0};
  term_variables(m->terms, 1, &t, &all);
  for (size_t i = 0; i < all.count; i++)
    for (size_t q = 0; q < m->queues.count; q++)
      if (is_part_of(&m->queues.at[q], all.at[i])) bits_add(out, q);
  VECTOR_FREE(all);
}

static bits read_by(const model *m, const transition *t) {
  bits out = bits_new(m->queues.count);
  note_reads(m, t->guard, &out);
  for (size_t i = 0; i < t->faults.count; i++) note_reads(m, t->faults.at[i].when, &out);
  for (size_t i = 0; i < t->updates.count; i++)
    if (!is_part_of_any(m, t->updates.at[i].var)) note_reads(m, t->updates.at[i].value, &out);
  for (size_t i = 0; i < t->messages.count; i++) {
    const queue_use *u = &t->messages.at[i];
    note_reads(m, u->when, &out);
    if (u->action == QUEUE_RECEIVE) bits_add(&out, u->queue);
    for (size_t j = 0; u->action == QUEUE_SEND && j < m->queues.at[u->queue].part_count; j++)
      note_reads(m, u->message[j], &out);
  }
  return out;
}

/* ---- controls ---- */

static uint32_t add_control(control_graph *g, const int64_t *state) {
  size_t width = g->positions.count, start = g->controls.count;
  for (size_t i = 0; i < width; i++) VECTOR_PUSH(g->controls, state[g->positions.at[i]]);
  uint64_t at = 0, hash = hash_bytes(g->controls.at + start, width * sizeof(int64_t), 7);
  map_get(g->known, hash, &at);
  uint32_t last = (uint32_t)at;
  for (; at; at = g->same_hash.at[at - 1])
    if (!memcmp(g->controls.at + (at - 1) * width, g->controls.at + start, width * sizeof(int64_t))) {
      g->controls.count = start;
      return (uint32_t)at - 1;
    }
  VECTOR_PUSH(g->same_hash, last);
  map_set(g->known, hash, ++g->count);
  if (g->count >= MOST_CONTROLS) g->gap = "too many combinations of values outside of channels";
  return (uint32_t)g->count - 1;
}

void control_graph_state(const control_graph *g, uint32_t control, int64_t *state) {
  for (size_t i = 0; i < g->positions.count; i++)
    state[g->positions.at[i]] = g->controls.at[control * g->positions.count + i];
  for (size_t q = 0; q < g->model->queues.count; q++)
    queue_set_head(g->model, &g->model->queues.at[q], HEAD_NONE, state);
}

static void add_message(control_graph *g, size_t q, int64_t message) {
  queue_word *w = &g->sent.at[q];
  for (size_t i = 0; i < w->count; i++)
    if (w->at[i] == (uint64_t)message) return;
  VECTOR_PUSH(*w, (uint64_t)message);
}

/* ---- cases ---- */

static void set_heads(control_graph *g, uint32_t control, const bits *read) {
  control_graph_state(g, control, g->state);
  for (size_t q = 0; q < g->model->queues.count; q++) g->heads[q] = bits_has(read, q) ? HEAD_NONE : HEAD_OPEN;
}

/* `turn[q]` counts through the messages of each channel that is read. */
static bool advance_heads(control_graph *g, size_t *turn) {
  for (size_t q = 0; q < g->model->queues.count; q++) {
    if (g->heads[q] == HEAD_OPEN) continue;
    bool has_more = turn[q] < g->sent.at[q].count;
    g->heads[q] = has_more ? (int64_t)g->sent.at[q].at[turn[q]] : HEAD_NONE;
    turn[q] = has_more ? turn[q] + 1 : 0;
    queue_set_head(g->model, &g->model->queues.at[q], g->heads[q], g->state);
    if (has_more) return true;
  }
  return false;
}

static bool is_stopped(control_graph *g) {
  if (!g->gap) g->gap = budget_spent(g->env->budget);
  work_add(1);
  return g->gap;
}

static size_t keep_acts(control_graph *g, const channel_act *acts) {
  size_t start = g->acts.count;
  for (size_t q = 0; q < g->model->queues.count; q++) VECTOR_PUSH(g->acts, acts[q]);
  return start;
}

static size_t keep_inputs(control_graph *g, size_t count, const int64_t *inputs) {
  size_t start = g->inputs.count;
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(g->inputs, inputs[i]);
  return start;
}

static void add_bad(control_graph *g, uint32_t control, uint32_t transition, size_t fault, size_t inputs) {
  channel_act *acts = MEMORY_ARRAY(channel_act, g->model->queues.count);
  for (size_t q = 0; q < g->model->queues.count; q++) acts[q].head = g->heads[q];
  bad_case made = {control, keep_acts(g, acts), transition, (uint32_t)fault, inputs};
  VECTOR_PUSH(g->bad_cases, made);
  memory_free(acts);
}

/* A step that only loses or receives and stays in its control leads nowhere that one could not be without it. */
static bool matters(const control_graph *g, uint32_t from, uint32_t to, const channel_act *acts) {
  bool sends = false;
  for (size_t q = 0; q < g->model->queues.count; q++) sends |= acts[q].effect > 0;
  return from != to || sends;
}

static void note_step(control_graph *g, uint32_t from, uint32_t transition, const int64_t *inputs) {
  const model *m = g->model;
  channel_act *acts = MEMORY_ARRAY(channel_act, m->queues.count);
  for (size_t q = 0; q < m->queues.count; q++) {
    acts[q].head = g->heads[q];
    acts[q].effect = queue_effect(m, &m->queues.at[q], g->state, g->after, &acts[q].sent);
    if (acts[q].effect > 0 && (acts[q].sent < 0 || acts[q].sent >= m->queues.at[q].base))
      g->gap = "a message has no value of its type";
    if (acts[q].effect > 0 && !g->gap) add_message(g, q, acts[q].sent);
  }
  uint32_t to = add_control(g, g->after);
  if (g->is_recording && matters(g, from, to, acts)) {
    lossy_edge made = {from, to, transition, 0, 0};
    made.inputs = keep_inputs(g, m->transitions.at[transition].inputs.count, inputs);
    made.acts = keep_acts(g, acts);
    VECTOR_PUSH(g->edges, made);
    g->env->statistics->transitions = g->edges.count;
    if (g->edges.count >= MOST_EDGES) g->gap = "too many steps between combinations of values outside of channels";
  }
  memory_free(acts);
}

/* In the case that is set. True if the step can be taken. */
static bool try_transition(control_graph *g, uint32_t control, uint32_t index, bool only_asks) {
  const transition *t = &g->model->transitions.at[index];
  int64_t *inputs = MEMORY_ARRAY(int64_t, t->inputs.count + 1);
  bool can = false;
  size_t fault = 0;
  inputs_first(g->model, t, inputs);
  do {
    step_status status = semantics_step(g->meaning, index, g->state, inputs, g->after, &fault);
    can |= status == STEP_TAKEN;
    if (status == STEP_OVERFLOW) g->gap = "values beyond 64 bits";
    if (only_asks) continue;
    if (status == STEP_TAKEN) note_step(g, control, index, inputs);
    if (status == STEP_FAULT && g->is_recording && g->property->kind == PROPERTY_NO_FAULT)
      add_bad(g, control, index, fault, keep_inputs(g, t->inputs.count, inputs));
  } while (!is_stopped(g) && !(only_asks && can) && inputs_advance(g->model, t, inputs));
  memory_free(inputs);
  return can;
}

static void look_at_transition(control_graph *g, uint32_t control, uint32_t index) {
  size_t *turn = MEMORY_ARRAY(size_t, g->model->queues.count);
  set_heads(g, control, &g->reads.at[index]);
  do try_transition(g, control, index, false);
  while (!g->gap && advance_heads(g, turn));
  memory_free(turn);
}

static bool case_is_bad(control_graph *g, uint32_t control) {
  if (g->property->kind == PROPERTY_SAFE) {
    int holds = state_condition_holds(g->bad, g->state);
    if (holds < 0) g->gap = "values beyond 64 bits";
    return holds > 0;
  }
  for (uint32_t i = 0; i < g->model->transitions.count; i++)
    if (try_transition(g, control, i, true)) return false;
  return true;
}

static void look_for_bad(control_graph *g, uint32_t control) {
  if (g->property->kind == PROPERTY_NO_FAULT) return;
  size_t *turn = MEMORY_ARRAY(size_t, g->model->queues.count);
  set_heads(g, control, &VECTOR_LAST(g->reads));
  do
    if (case_is_bad(g, control)) add_bad(g, control, 0, 0, 0);
  while (!is_stopped(g) && advance_heads(g, turn));
  memory_free(turn);
}

/* ---- all of it ---- */

static size_t found_so_far(const control_graph *g) {
  size_t all = g->count;
  for (size_t q = 0; q < g->sent.count; q++) all += g->sent.at[q].count;
  return all;
}

static void look_at_all(control_graph *g) {
  for (uint32_t i = 0; i < g->count && !g->gap; i++) {
    for (uint32_t j = 0; j < g->model->transitions.count && !g->gap; j++) look_at_transition(g, i, j);
    if (g->is_recording && !g->gap) look_for_bad(g, i);
    g->env->statistics->states = g->count;
  }
}

/* The least and the greatest value that a variable has at first, as far as conjuncts of the initial condition say it. */
static void first_range(const control_graph *g, variable v, const term_vector *parts, int64_t *low, int64_t *high) {
  const type *of = variable_type(g->model->terms, v);
  *low = 0, *high = 1;
  if (of->sort != SORT_BOOL) {
    number_to_int64(of->low, low);
    number_to_int64(of->high, high);
  }
  for (size_t i = 0; i < parts->count; i++) {
    fixed_value known;
    int64_t value;
    if (!fixed_of_literal(g->model->terms, parts->at[i], &known) || !variable_same(known.var, v)) continue;
    if (number_to_int64(known.value, &value)) *low = *high = value;
  }
}

static void add_first_controls(control_graph *g) {
  size_t width = g->positions.count;
  term_vector parts = {0};
  int64_t *low = MEMORY_ARRAY(int64_t, width + 1), *high = MEMORY_ARRAY(int64_t, width + 1);
  state_condition *init = state_condition_new(g->model, g->model->init);
  term_conjuncts(g->model->terms, g->model->init, &parts);
  for (size_t q = 0; q < g->model->queues.count; q++)
    queue_set_head(g->model, &g->model->queues.at[q], HEAD_NONE, g->state);
  bool is_empty = false;
  for (size_t i = 0; i < width; i++) {
    first_range(g, g->model->variables.at[g->positions.at[i]].var, &parts, &low[i], &high[i]);
    is_empty |= low[i] > high[i];
    g->state[g->positions.at[i]] = low[i];
  }
  for (uint64_t tried = 0; !is_empty && !g->gap; tried++) {
    if (tried >= MOST_FIRST_STATES) g->gap = "too many initial states to try them one by one";
    if (state_condition_holds(init, g->state) > 0) add_control(g, g->state);
    size_t i = 0;
    for (; i < width && g->state[g->positions.at[i]] == high[i]; i++) g->state[g->positions.at[i]] = low[i];
    if (i == width || is_stopped(g)) break;
    g->state[g->positions.at[i]]++;
  }
  g->first_count = g->count;
  state_condition_free(init);
  VECTOR_FREE(parts);
  memory_free(low);
  memory_free(high);
}

bool control_graph_make(control_graph *g) {
  size_t before;
  add_first_controls(g);
  do {
    before = found_so_far(g);
    look_at_all(g);
    events_progress(g->env->events, "%zu combinations of values outside of channels", g->count);
  } while (!g->gap && found_so_far(g) != before);
  g->is_recording = true;
  if (!g->gap) look_at_all(g);
  return !g->gap;
}

control_graph *control_graph_new(engine_environment *env) {
  control_graph *g = MEMORY_NEW(control_graph);
  const model *m = env->model;
  *g = (control_graph){.model = env->model, .env = env, .property = &m->properties.at[env->property]};
  g->meaning = semantics_new(m);
  g->known = map_new();
  for (uint32_t i = 0; i < m->variables.count; i++)
    if (!is_part_of_any(m, m->variables.at[i].var)) VECTOR_PUSH(g->positions, i);
  for (size_t i = 0; i < m->queues.count; i++) VECTOR_PUSH(g->sent, (queue_word){0});
  for (size_t i = 0; i < m->transitions.count; i++) VECTOR_PUSH(g->reads, read_by(m, &m->transitions.at[i]));
  bits of_property = bits_new(m->queues.count);
  if (g->property->kind == PROPERTY_SAFE) {
    g->bad = state_condition_new(m, g->property->bad);
    note_reads(m, g->property->bad, &of_property);
  } else {
    for (size_t q = 0; q < m->queues.count; q++) bits_add(&of_property, q);
  }
  VECTOR_PUSH(g->reads, of_property);
  g->state = MEMORY_ARRAY(int64_t, m->variables.count);
  g->after = MEMORY_ARRAY(int64_t, m->variables.count);
  g->heads = MEMORY_ARRAY(int64_t, m->queues.count);
  return g;
}

void control_graph_free(control_graph *g) {
  if (!g) return;
  semantics_free(g->meaning);
  state_condition_free(g->bad);
  map_free(g->known);
  for (size_t i = 0; i < g->sent.count; i++) VECTOR_FREE(g->sent.at[i]);
  for (size_t i = 0; i < g->reads.count; i++) bits_free(&g->reads.at[i]);
  VECTOR_FREE(g->sent);
  VECTOR_FREE(g->reads);
  VECTOR_FREE(g->positions);
  VECTOR_FREE(g->controls);
  VECTOR_FREE(g->same_hash);
  VECTOR_FREE(g->edges);
  VECTOR_FREE(g->bad_cases);
  VECTOR_FREE(g->acts);
  VECTOR_FREE(g->inputs);
  memory_free(g->state);
  memory_free(g->after);
  memory_free(g->heads);
  memory_free(g);
}
