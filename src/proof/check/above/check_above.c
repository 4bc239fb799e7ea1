/* A list of states, of a model with channels of any length, is accepted when no state above one of them can be reached.
 *
 * A state is above another one if all variables outside of channels have the same values, and what is in each channel of
 * the lower one are some of the messages in that of the upper one, in their order. The claim: the states that are above
 * none of the list contain the initial ones, are left by no step, and none of them breaks the property.
 *
 * queues_beyond_heads makes sure that all but channels is finite, and that what a step does with a state depends on its
 * control (the variables outside of channels) and on a head for each channel: none if it is empty, else its first message. So a
 * step with one control, some heads, and inputs is one case; it is tried in the state that has these heads alone. The states of a
 * case are those with this control, in which a channel is empty where there is no head and begins with the head
 * elsewhere; a channel that no term of the step reads may have any content. The checker walks, from the initial
 * states, over the controls that are reached and the messages that are sent, until there are no more of both, and for each
 * case of them asks:
 * - does it lead to a state above one of the list? What the channel must have had is, for a word `w` of that one that the
 *   step leaves as it is, w; if it sends m, w without its last message if that is m, else w; if it receives its head h, h
 *   and then w; and of a channel that is known to begin with h, h and then that without its first message if it is h. This
 *   is the least such content: every state of the case from which the step leads above is above it. (An empty channel
 *   must suffice.) So if this state is above one of the list, all of them are.
 * - does the least state of the case break the property? Then so do all of them, for that is a matter of control and
 *   heads; it must be above one of the list.
 * A case whose least state is above one of the list has excluded states only, and is skipped. So every reachable state
 * has a control and messages that were walked over, and is above none of the list, by induction on its steps.
 *
 * The steps are tried with 64-bit words; what does not fit makes the checker unsure. No solver is asked. */
#include "model/queue/heads.h"
#include "model/semantics.h"
#include "proof/check/above/above_sets.h"
#include "proof/check/checkers.h"

/* More first states are not tried one by one. */
enum { MOST_FIRST_STATES = 1 << 20 };

typedef VECTOR(uint32_t) channel_list;

typedef struct above_checker {
  const model *m;
  const property *p;
  questions *questions;
  check_result *result;
  semantics *meaning;
  state_condition *bad;      /* PROPERTY_SAFE */
  VECTOR(size_t) control;    /* positions of the variables outside of channels */
  VECTOR(channel_list) read; /* of each transition: the channels that its terms read */
  channel_list all, read_by_bad;
  excluded_states excluded;
  row_set walked;
  row_set *sent;     /* of each channel: messages */
  bool is_last_walk; /* nothing new is found: all questions are asked */
  int64_t *state, *after, *row;
  int64_t *heads; /* of each channel; -1: empty */
  bool *is_known; /* of each channel: the case says what its head is */
  queue_word *least;
} above_checker;

static bool refuse(above_checker *c, check_kind kind, TAKE char *what) {
  return check_end(c->result, kind, what, NULL);
}

static const queue *channel(const above_checker *c, size_t i) { return &c->m->queues.at[i]; }

/* ---- cases ---- */

static const int64_t *control_of(above_checker *c, const int64_t *state) {
  for (size_t i = 0; i < c->control.count; i++) c->row[i] = state[c->control.at[i]];
  return c->row;
}

static void set_word(queue_word *w, size_t count, const uint64_t *messages) {
  VECTOR_CLEAR(*w);
  for (size_t i = 0; i < count; i++) VECTOR_PUSH(*w, messages[i]);
}

/* The least state of the case is excluded. */
static bool case_is_excluded(above_checker *c) {
  for (size_t i = 0; i < c->m->queues.count; i++) {
    uint64_t head = (uint64_t)c->heads[i];
    set_word(&c->least[i], c->is_known[i] && c->heads[i] >= 0, &head);
  }
  return excluded_has(&c->excluded, control_of(c, c->state), c->least);
}

/* The first case of the channels in `known`: all are empty. */
static void first_heads(above_checker *c, const channel_list *known) {
  for (size_t i = 0; i < c->m->queues.count; i++) {
    c->heads[i] = -1;
    c->is_known[i] = false;
    queue_set_head(c->m, channel(c, i), -1, c->state);
  }
  for (size_t i = 0; i < known->count; i++) c->is_known[known->at[i]] = true;
}

/* Heads are tried in the order in which they were found; `at` says how far each channel is. */
static bool next_heads(above_checker *c, const channel_list *known, size_t *at) {
  for (size_t i = 0; i < known->count; i++) {
    uint32_t q = known->at[i];
    bool has_more = at[i] < c->sent[q].count;
    c->heads[q] = has_more ? c->sent[q].words.at[at[i]] : -1;
    at[i] = has_more ? at[i] + 1 : 0;
    queue_set_head(c->m, channel(c, q), c->heads[q], c->state);
    if (has_more) return true;
  }
  return false;
}

/* Calls `each` for every case until it is false. */
typedef bool case_visitor(above_checker *c, const void *context);
static bool each_case(above_checker *c, const channel_list *known, case_visitor *each, const void *context) {
  size_t *at = MEMORY_ARRAY(size_t, known->count + 1);
  bool fine = true;
  first_heads(c, known);
  do fine = check_within_budget(c->questions, c->result) && (case_is_excluded(c) || each(c, context));
  while (fine && next_heads(c, known, at));
  memory_free(at);
  return fine;
}

/* ---- steps ---- */

/* What channel `q` must have had so that it is above `w` after the step; false if the empty channel does not do. */
static bool make_least(above_checker *c, size_t q, const queue_word *w, int effect, int64_t sent) {
  size_t count = w->count, start = 0;
  uint64_t head = (uint64_t)c->heads[q];
  queue_word *least = &c->least[q];
  if (effect > 0 && count && w->at[count - 1] == (uint64_t)sent) count--;
  if (!c->is_known[q] || c->heads[q] < 0) {
    set_word(least, count, w->at);
    return !c->is_known[q] || !count;
  }
  if (effect >= 0 && count && w->at[0] == head) start = 1;
  set_word(least, 1, &head);
  for (size_t i = start; i < count; i++) VECTOR_PUSH(*least, w->at[i]);
  return true;
}

/* What the step of this case does with each channel; false if that is not one thing. */
static bool find_effects(above_checker *c, const transition *t, int *effects, int64_t *sent) {
  for (size_t i = 0; i < c->m->queues.count; i++) {
    effects[i] = queue_effect(c->m, channel(c, i), c->state, c->after, &sent[i]);
    bool fine = effects[i] == 0 || (effects[i] == 1 && sent[i] >= 0 && sent[i] < channel(c, i)->base) ||
                (effects[i] == -1 && c->is_known[i] && c->heads[i] >= 0);
    if (!fine)
      return refuse(c, CHECK_UNSURE,
                    text_format("step %s: it is not clear what it does with %s", t->name, channel(c, i)->name));
    if (effects[i] > 0) row_set_add(&c->sent[i], &sent[i]);
  }
  return true;
}

/* No state of the case leads above an element of the list without being excluded. */
static bool ask_step(above_checker *c, const transition *t, const int *effects, const int64_t *sent) {
  size_t e = excluded_first(&c->excluded, control_of(c, c->after));
  for (; e; e = excluded_next(&c->excluded, e)) {
    const queue_word *words = excluded_words(&c->excluded, e);
    bool leads_there = true;
    for (size_t i = 0; i < c->m->queues.count && leads_there; i++)
      leads_there = make_least(c, i, &words[i], effects[i], sent[i]);
    c->result->obligations++;
    if (leads_there && !excluded_has(&c->excluded, control_of(c, c->state), c->least))
      return refuse(c, CHECK_REJECTED,
                    text_format("preserved: step %s leads to a state above number %zu of the list", t->name, e));
  }
  return true;
}

static bool take_step(above_checker *c, const transition *t) {
  size_t count = c->m->queues.count;
  int *effects = MEMORY_ARRAY(int, count);
  int64_t *sent = MEMORY_ARRAY(int64_t, count);
  bool fine = find_effects(c, t, effects, sent);
  if (fine && !c->is_last_walk) row_set_add(&c->walked, control_of(c, c->after));
  if (fine && c->is_last_walk) fine = ask_step(c, t, effects, sent);
  memory_free(effects);
  memory_free(sent);
  return fine;
}

static int64_t *new_inputs(const transition *t) { return MEMORY_ARRAY(int64_t, t->inputs.count + 1); }

static bool try_inputs(above_checker *c, const void *context) {
  const transition *t = context;
  size_t index = (size_t)(t - c->m->transitions.at), fault = 0;
  int64_t *inputs = new_inputs(t);
  bool fine = true;
  inputs_first(c->m, t, inputs);
  do {
    step_status status = semantics_step(c->meaning, index, c->state, inputs, c->after, &fault);
    if (status == STEP_TAKEN)
      fine = take_step(c, t);
    else if (status == STEP_FAULT && c->p->kind == PROPERTY_NO_FAULT)
      fine =
          refuse(c, CHECK_REJECTED, text_format("excludes: step %s can fail: %s", t->name, t->faults.at[fault].what));
    else if (status != STEP_DISABLED && status != STEP_FAULT)
      fine = refuse(c, CHECK_UNSURE, text_format("%s: values beyond 64 bits", t->name));
  } while (fine && inputs_advance(c->m, t, inputs) && (fine = check_within_budget(c->questions, c->result)));
  memory_free(inputs);
  return fine;
}

/* ---- what is bad ---- */

static bool ask_bad(above_checker *c, const void *unused) {
  (void)unused;
  int holds = state_condition_holds(c->bad, c->state);
  if (holds < 0) return refuse(c, CHECK_UNSURE, text_format("the property: values beyond 64 bits"));
  return !holds ||
         refuse(c, CHECK_REJECTED, text_format("excludes: a state that breaks the property is above none of the list"));
}

/* 1, 0 or -1. */
static int can_be_taken(above_checker *c, size_t index) {
  const transition *t = &c->m->transitions.at[index];
  int64_t *inputs = new_inputs(t);
  int can = 0;
  inputs_first(c->m, t, inputs);
  do {
    step_status status = semantics_step(c->meaning, index, c->state, inputs, c->after, NULL);
    can = status == STEP_TAKEN ? 1 : status == STEP_DISABLED || status == STEP_FAULT ? 0 : -1;
  } while (!can && inputs_advance(c->m, t, inputs));
  memory_free(inputs);
  return can;
}

static bool ask_moves(above_checker *c, const void *unused) {
  (void)unused;
  int can = 0;
  for (size_t i = 0; i < c->m->transitions.count && !can; i++) can = can_be_taken(c, i);
  if (can < 0) return refuse(c, CHECK_UNSURE, text_format("values beyond 64 bits"));
  return can || refuse(c, CHECK_REJECTED, text_format("excludes: a state without a step is above none of the list"));
}

static bool ask_property(above_checker *c) {
  if (c->p->kind == PROPERTY_SAFE) return each_case(c, &c->read_by_bad, ask_bad, NULL);
  return c->p->kind != PROPERTY_DEADLOCKFREE || each_case(c, &c->all, ask_moves, NULL);
}

/* ---- the walk ---- */

static bool visit(above_checker *c, size_t row) {
  bool fine = true;
  for (size_t i = 0; i < c->control.count; i++)
    c->state[c->control.at[i]] = c->walked.words.at[row * c->walked.width + i];
  for (size_t i = 0; i < c->m->transitions.count && fine; i++)
    fine = each_case(c, &c->read.at[i], try_inputs, &c->m->transitions.at[i]);
  if (fine && c->is_last_walk) fine = ask_property(c);
  c->result->obligations++;
  return fine;
}

static size_t messages_sent(const above_checker *c) {
  size_t all = 0;
  for (size_t i = 0; i < c->m->queues.count; i++) all += c->sent[i].count;
  return all;
}

static bool walk(above_checker *c) {
  size_t controls, messages;
  bool fine = true;
  do {
    controls = c->walked.count, messages = messages_sent(c);
    for (size_t i = 0; i < c->walked.count && fine; i++) fine = visit(c, i);
  } while (fine && (controls != c->walked.count || messages != messages_sent(c)));
  c->is_last_walk = true;
  for (size_t i = 0; i < c->walked.count && fine; i++) fine = visit(c, i);
  return fine;
}

/* ---- first states ---- */

/* Conjuncts of the initial condition that give a variable a value, with the variables' ranges: what is tried. */
typedef struct first_range {
  int64_t low, high;
} first_range;

static first_range range_of(const above_checker *c, variable v, const term_vector *parts) {
  const type *of = variable_type(c->m->terms, v);
  first_range r = {0, of->sort == SORT_BOOL ? 1 : -1};
  if (of->has_low) number_to_int64(of->low, &r.low);
  if (of->has_high) number_to_int64(of->high, &r.high);
  for (size_t i = 0; i < parts->count; i++) {
    fixed_value known;
    int64_t value;
    bool is_this = fixed_of_literal(c->m->terms, parts->at[i], &known) && variable_same(known.var, v);
    if (is_this && number_to_int64(known.value, &value)) return (first_range){value, value};
  }
  return r;
}

/* The initial condition says that the channel is empty. */
static bool begins_empty(const above_checker *c, const queue *q, const term_vector *parts) {
  int64_t *state = MEMORY_ARRAY(int64_t, c->m->variables.count);
  bool fine = true;
  queue_set_head(c->m, q, -1, state);
  for (size_t i = 0; i < queue_variable_count(q) && fine; i++) {
    variable v = queue_variable(q, i);
    first_range r = range_of(c, v, parts);
    fine = r.low == r.high && r.low == state[model_position(c->m, v)];
  }
  memory_free(state);
  return fine;
}

static bool add_first(above_checker *c, const state_condition *init, const first_range *ranges) {
  uint64_t tried = 0;
  for (size_t i = 0; i < c->control.count; i++) {
    if (ranges[i].low > ranges[i].high) return true;
    c->state[c->control.at[i]] = ranges[i].low;
  }
  for (;;) {
    int holds = state_condition_holds(init, c->state);
    if (holds < 0 || ++tried > MOST_FIRST_STATES)
      return refuse(c, CHECK_UNSURE, text_format("initial: too many states to try them all"));
    if (holds) row_set_add(&c->walked, control_of(c, c->state));
    if (holds && case_is_excluded(c))
      return refuse(c, CHECK_REJECTED, text_format("initial: an initial state is above one of the list"));
    size_t i = 0;
    for (; i < c->control.count && c->state[c->control.at[i]] == ranges[i].high; i++)
      c->state[c->control.at[i]] = ranges[i].low;
    if (i == c->control.count) return true;
    c->state[c->control.at[i]]++;
  }
}

static bool walk_from_first(above_checker *c) {
  term_vector parts = {0};
  term_conjuncts(c->m->terms, c->m->init, &parts);
  first_range *ranges = MEMORY_ARRAY(first_range, c->control.count + 1);
  for (size_t i = 0; i < c->control.count; i++)
    ranges[i] = range_of(c, c->m->variables.at[c->control.at[i]].var, &parts);
  bool fine = true;
  for (size_t i = 0; i < c->m->queues.count && fine; i++)
    if (!begins_empty(c, channel(c, i), &parts))
      fine = refuse(c, CHECK_UNSURE, text_format("initial: %s need not be empty", channel(c, i)->name));
  state_condition *init = state_condition_new(c->m, c->m->init);
  first_heads(c, &c->all);
  fine = fine && add_first(c, init, ranges) && walk(c);
  state_condition_free(init);
  memory_free(ranges);
  VECTOR_FREE(parts);
  return fine;
}

/* ---- preparing ---- */

static void add_read(const above_checker *c, term t, channel_list *out) {
  variable_vector all = {0};
  term_variables(c->m->terms, 1, &t, &all);
  for (uint32_t q = 0; q < c->m->queues.count; q++) {
    bool reads = false, is_known = false;
    for (size_t i = 0; i < all.count; i++)
      for (size_t j = 0; j < queue_variable_count(channel(c, q)); j++)
        reads |= variable_same(all.at[i], queue_variable(channel(c, q), j));
    for (size_t i = 0; i < out->count; i++) is_known |= out->at[i] == q;
    if (reads && !is_known) VECTOR_PUSH(*out, q);
  }
  VECTOR_FREE(all);
}

/* All that a step reads, but what a channel itself becomes. */
static void add_read_by_step(const above_checker *c, const transition *t, channel_list *out) {
  add_read(c, t->guard, out);
  for (size_t i = 0; i < t->faults.count; i++) add_read(c, t->faults.at[i].when, out);
  for (size_t i = 0; i < t->messages.count; i++) {
    const queue_use *u = &t->messages.at[i];
    add_read(c, u->when, out);
    for (size_t j = 0; u->action == QUEUE_SEND && j < channel(c, u->queue)->part_count; j++)
      add_read(c, u->message[j], out);
    if (u->action == QUEUE_RECEIVE) add_read(c, term_of_variable(c->m->terms, channel(c, u->queue)->length), out);
  }
  for (size_t i = 0; i < t->updates.count; i++) {
    bool is_of_channel = false;
    for (size_t q = 0; q < c->m->queues.count; q++)
      for (size_t j = 0; j < queue_variable_count(channel(c, q)); j++)
        is_of_channel |= variable_same(t->updates.at[i].var, queue_variable(channel(c, q), j));
    if (!is_of_channel) add_read(c, t->updates.at[i].value, out);
  }
}

static void find_control(above_checker *c) {
  for (size_t i = 0; i < c->m->variables.count; i++) {
    bool is_of_channel = false;
    for (size_t q = 0; q < c->m->queues.count; q++)
      for (size_t j = 0; j < queue_variable_count(channel(c, q)); j++)
        is_of_channel |= variable_same(c->m->variables.at[i].var, queue_variable(channel(c, q), j));
    if (!is_of_channel) VECTOR_PUSH(c->control, i);
  }
}

static void open_checker(above_checker *c) {
  size_t channels = c->m->queues.count;
  c->meaning = semantics_new(c->m);
  if (c->p->kind == PROPERTY_SAFE) c->bad = state_condition_new(c->m, c->p->bad);
  for (size_t i = 0; i < c->m->transitions.count; i++) {
    channel_list read = {0};
    add_read_by_step(c, &c->m->transitions.at[i], &read);
    VECTOR_PUSH(c->read, read);
  }
  if (c->p->kind == PROPERTY_SAFE) add_read(c, c->p->bad, &c->read_by_bad);
  for (uint32_t i = 0; i < channels; i++) VECTOR_PUSH(c->all, i);
  row_set_open(&c->walked, c->control.count);
  c->sent = MEMORY_ARRAY(row_set, channels);
  for (size_t i = 0; i < channels; i++) row_set_open(&c->sent[i], 1);
  c->state = MEMORY_ARRAY(int64_t, c->m->variables.count);
  c->after = MEMORY_ARRAY(int64_t, c->m->variables.count);
  c->row = MEMORY_ARRAY(int64_t, c->control.count + 1);
  c->heads = MEMORY_ARRAY(int64_t, channels);
  c->is_known = MEMORY_ARRAY(bool, channels);
  c->least = MEMORY_ARRAY(queue_word, channels);
}

static void close_checker(above_checker *c) {
  size_t channels = c->m->queues.count;
  semantics_free(c->meaning);
  state_condition_free(c->bad);
  for (size_t i = 0; i < c->read.count; i++) VECTOR_FREE(c->read.at[i]);
  for (size_t i = 0; i < channels; i++) {
    row_set_close(&c->sent[i]);
    VECTOR_FREE(c->least[i]);
  }
  row_set_close(&c->walked);
  VECTOR_FREE(c->read);
  VECTOR_FREE(c->all);
  VECTOR_FREE(c->read_by_bad);
  memory_free(c->sent);
  memory_free(c->state);
  memory_free(c->after);
  memory_free(c->row);
  memory_free(c->heads);
  memory_free(c->is_known);
  memory_free(c->least);
}

void check_above(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  model *whole = (model *)m; /* terms are built; the model stays as it is */
  char *why = queues_beyond_heads(whole, p);
  if (why) {
    check_end(result, CHECK_UNSURE, why, NULL);
    return;
  }
  above_checker c = {.m = m, .p = p, .questions = q, .result = result};
  find_control(&c);
  if (e->above.channels != m->queues.count || e->above.width != c.control.count) {
    check_end(result, CHECK_REJECTED, text_format("the list is not about all variables and channels"), NULL);
  } else {
    excluded_open(&c.excluded, &e->above);
    open_checker(&c);
    walk_from_first(&c);
    close_checker(&c);
    excluded_close(&c.excluded);
  }
  VECTOR_FREE(c.control);
}
