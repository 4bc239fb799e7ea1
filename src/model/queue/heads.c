/* What conditions see of channels of any length. */
#include "model/queue/heads.h"

#include "model/semantics.h"
#include "term/fold.h"

/* What is seen by a term: heads alone; the length of a channel that heads choose; more. */
typedef enum seen { SEEN_HEADS, SEEN_LENGTH, SEEN_MORE } seen;

typedef struct sight {
  model *m;
  VECTOR(bool) is_queue;  /* of each variable of the table: part of a channel */
  VECTOR(bool) is_length; /* its length */
  VECTOR(bool) is_hidden; /* its rest, or power */
  term_fold beyond;       /* what is seen */
} sight;

/* An atom over one length: true everywhere from 1 on, or nowhere. Then it is so for a length that heads choose, too. */
static bool is_about_emptiness(const term_fold *f, term t) {
  term_kind kind = term_kind_of(f->ts, t);
  if (kind != TERM_LE && kind != TERM_EQ) return false;
  linear l = term_linear(f->ts, term_argument(f->ts, t, 0));
  enum { LARGEST = 1000000 };
  int64_t a, k;
  if (l.count != 1 || FOLD_VALUE(seen, f, l.leaves[0]) != SEEN_LENGTH) return false;
  if (!number_to_int64(l.coefficients[0], &a) || !number_to_int64(l.constant, &k)) return false;
  if (a == 0 || a < -LARGEST || a > LARGEST || k < -LARGEST || k > LARGEST) return false;
  if (kind == TERM_EQ) return a > 0 ? k >= 0 : k <= 0; /* where it holds is -k / a, not above 0 */
  return a > 0 ? a + k > 0 : a + k <= 0;               /* false from 1 on, or true */
}

static seen seen_by_variable(const sight *s, uint32_t v) {
  return s->is_hidden.at[v] ? SEEN_MORE : s->is_length.at[v] ? SEEN_LENGTH : SEEN_HEADS;
}

static void rule(const term_fold *f, term t, void *out) {
  seen *result = out;
  term_kind kind = term_kind_of(f->ts, t);
  if (kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE || kind == TERM_REAL_VARIABLE) {
    *result = seen_by_variable(f->context, term_variable(f->ts, t).x);
    return;
  }
  if (is_about_emptiness(f, t)) return;
  for (size_t i = 0; i < term_arguments(f->ts, t); i++) {
    seen below = FOLD_VALUE(seen, f, term_argument(f->ts, t, i));
    bool is_choice = kind == TERM_INT_ITE && i > 0;
    if (below != SEEN_HEADS && !is_choice) below = SEEN_MORE;
    if (below > *result) *result = below;
  }
}

/* A value that is a length is more, too: of this only atoms may make something. */
static bool sees_beyond(sight *s, term t) {
  return *(seen *)term_fold_value(&s->beyond, term_positive(t)) != SEEN_HEADS;
}

static void open_sight(sight *s, model *m) {
  *s = (sight){.m = m};
  for (size_t i = 0; i < variable_count(m->terms); i++) {
    VECTOR_PUSH(s->is_queue, false);
    VECTOR_PUSH(s->is_length, false);
    VECTOR_PUSH(s->is_hidden, false);
  }
  for (size_t i = 0; i < m->queues.count; i++) {
    const queue *q = &m->queues.at[i];
    for (size_t j = 0; j < queue_variable_count(q); j++) s->is_queue.at[queue_variable(q, j).x] = true;
    s->is_length.at[q->length.x] = true;
    s->is_hidden.at[q->rest.x] = s->is_hidden.at[q->power.x] = true;
  }
  s->beyond = (term_fold){.ts = m->terms, .size = sizeof(seen), .rule = rule, .context = s};
}

static void close_sight(sight *s) {
  VECTOR_FREE(s->is_queue);
  VECTOR_FREE(s->is_length);
  VECTOR_FREE(s->is_hidden);
  term_fold_close(&s->beyond);
}

static const queue_use *use_of(const transition *t, uint32_t queue) {
  for (size_t i = 0; i < t->messages.count; i++)
    if (t->messages.at[i].queue == queue) return &t->messages.at[i];
  return NULL;
}

static bool has_value(const model *m, const transition *t, variable v, term value) {
  for (size_t i = 0; i < t->updates.count; i++)
    if (variable_same(t->updates.at[i].var, v)) return term_same(t->updates.at[i].value, value);
  return term_same(term_of_variable(m->terms, v), value);
}

/* The variables of the channel change as the list of messages says. */
static bool changes_as_listed(const model *m, const transition *t, uint32_t index) {
  const queue *q = &m->queues.at[index];
  const queue_use *use = use_of(t, index);
  for (size_t i = 0; i < queue_variable_count(q); i++) {
    variable v = queue_variable(q, i);
    term value = term_of_variable(m->terms, v);
    if (use) {
      term new = use->action == QUEUE_SEND ? queue_sent(m->terms, q, use->message, v) : queue_received(m->terms, q, v);
      value = term_ite(m->terms, use->when, new, value);
    }
    if (!has_value(m, t, v, value)) return false;
  }
  return true;
}

static bool lists_one_use_each(const transition *t) {
  for (size_t i = 0; i < t->messages.count; i++)
    if (use_of(t, t->messages.at[i].queue) != &t->messages.at[i]) return false;
  return true;
}

static bool transition_sees_beyond(sight *s, const transition *t) {
  bool beyond = sees_beyond(s, t->guard);
  for (size_t i = 0; i < t->faults.count; i++) beyond |= sees_beyond(s, t->faults.at[i].when);
  for (size_t i = 0; i < t->updates.count; i++)
    if (!s->is_queue.at[t->updates.at[i].var.x]) beyond |= sees_beyond(s, t->updates.at[i].value);
  for (size_t i = 0; i < t->messages.count; i++) {
    const queue_use *u = &t->messages.at[i];
    size_t parts = u->action == QUEUE_SEND ? s->m->queues.at[u->queue].part_count : 0;
    beyond |= sees_beyond(s, u->when);
    for (size_t j = 0; j < parts; j++) beyond |= sees_beyond(s, u->message[j]);
  }
  return beyond;
}

static GIVE char *refuse_transition(sight *s, const transition *t) {
  if (!transition_has_finite_inputs(s->m, t))
    return text_format("step %s has an input of infinitely many values", t->name);
  if (transition_sees_beyond(s, t))
    return text_format("step %s counts the messages of a channel; only whether it is empty may be asked", t->name);
  bool fine = lists_one_use_each(t);
  for (uint32_t i = 0; i < s->m->queues.count && fine; i++) fine = changes_as_listed(s->m, t, i);
  return fine ? NULL : text_format("step %s may change a channel in several ways at once", t->name);
}

static GIVE char *refuse_variables(sight *s) {
  for (size_t i = 0; i < s->m->variables.count; i++) {
    variable v = s->m->variables.at[i].var;
    const type *of = variable_type(s->m->terms, v);
    int64_t low, high;
    bool fits = of->sort == SORT_BOOL || (of->sort == SORT_INT && type_is_finite(of) &&
                                          number_to_int64(of->low, &low) && number_to_int64(of->high, &high));
    if (!s->is_queue.at[v.x] && !fits)
      return text_format("%s has infinitely many values, and only channels may", variable_shown(s->m->terms, v));
  }
  return NULL;
}

char *queues_beyond_heads(model *m, const property *p) {
  sight s;
  if (m->has_heap || !m->queues.count) return memory_copy_string("the model has no channels of any length");
  if (property_is_temporal(p))
    return memory_copy_string("only properties of states are decided for channels of any length");
  open_sight(&s, m);
  char *why = refuse_variables(&s);
  for (size_t i = 0; i < m->transitions.count && !why; i++) why = refuse_transition(&s, &m->transitions.at[i]);
  if (!why && p->kind == PROPERTY_SAFE && sees_beyond(&s, p->bad))
    why = memory_copy_string("the property counts the messages of a channel; only whether it is empty may be asked");
  close_sight(&s);
  return why;
}

void queue_set_head(const model *m, const queue *q, int64_t message, int64_t *state) {
  state[model_position(m, q->length)] = message >= 0;
  state[model_position(m, q->rest)] = 0;
  state[model_position(m, q->power)] = 1;
  for (size_t i = 0; i < q->part_count; i++)
    state[model_position(m, q->parts[i].first)] = queue_part_of(q, i, message >= 0 ? (uint64_t)message : 0);
}

int queue_effect(const model *m, const queue *q, const int64_t *before, const int64_t *after, int64_t *sent) {
  size_t length = model_position(m, q->length);
  int64_t change = after[length] - before[length];
  if (change <= 0) return (int)change;
  *sent = after[model_position(m, q->rest)];
  if (before[length]) return 1;
  *sent = 0;
  for (size_t i = 0; i < q->part_count; i++) {
    const queue_part *p = &q->parts[i];
    *sent += (after[model_position(m, p->first)] - p->low) * p->stride;
  }
  return 1;
}
