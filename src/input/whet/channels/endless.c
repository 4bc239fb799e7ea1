/* Channels of any length: a number for all messages behind the first one (model/queue/queue.h). */
#include "input/whet/channels/channel.h"
#include "term/term.h"

bool channel_is_endless(const value_type *t) { return type_is_channel(t) && t->record->channel->is_endless; }

/* ---- the channels of the model ---- */

/* How many values the variable has, or 0: infinitely many, or too many. */
static int64_t part_size(const terms *ts, variable v, int64_t *low) {
  const type *of = variable_type(ts, v);
  int64_t high;
  *low = 0;
  if (of->sort == SORT_BOOL) return 2;
  bool fits = of->sort == SORT_INT && of->has_low && of->has_high && number_to_int64(of->low, low) &&
              number_to_int64(of->high, &high) && *low > -(INT64_C(1) << 60) && high < INT64_C(1) << 60;
  return fits && high - *low < INT64_C(1) << QUEUE_MOST_LOG2 ? high - *low + 1 : 0;
}

static void refuse_messages(lowering *l, const type_tree *tree) {
  report_error(l->reporter, tree->element->at.start, "the messages of a channel of any length have at most 2^%d values",
               QUEUE_MOST_LOG2);
  report_hint(l->reporter,
              "a range like `0..9`, an enumeration or `bool` is possible, and in a channel with a length, "
              "`channel c[4] of int`, any number");
}

static void add_queue(lowering *l, const symbol *s, const value_type *t, size_t first, const char *name) {
  (void)s;
  const type_tree *tree = t->record->channel;
  size_t parts = t->record->message->cells;
  if (!tree->is_endless || l->reporter->out->errors) return;
  queue q = {.name = model_string(l->model, name), .part_count = parts, .is_lossy = tree->is_lossy, .base = 1};
  q.length = l->cells.at[first];
  q.rest = l->cells.at[first + 1 + parts];
  q.power = l->cells.at[first + 2 + parts];
  q.parts = arena_alloc(terms_arena(l->terms), parts * sizeof *q.parts);
  for (size_t i = 0; i < parts; i++) {
    queue_part *p = &q.parts[i];
    p->first = l->cells.at[first + 1 + i];
    p->size = part_size(l->terms, p->first, &p->low);
    p->stride = q.base;
    if (!p->size || p->size > (INT64_C(1) << QUEUE_MOST_LOG2) / q.base) {
      refuse_messages(l, tree);
      return;
    }
    q.base *= p->size;
  }
  VECTOR_PUSH(l->model->queues, q);
}

void lower_queues(lowering *l, const module *m) { channels_each(l, m, add_queue); }

/* ---- messages ---- */

typedef struct endless_message {
  const assignment *of;
  queue_action action;
  term *parts; /* QUEUE_SEND */
} endless_message;

static bool find_queue(const lowering *l, size_t cell, uint32_t *out) {
  for (*out = 0; *out < l->model->queues.count; ++*out)
    if (variable_same(l->model->queues.at[*out].length, l->cells.at[cell])) return true;
  return false;
}

/* The channel whose cells begin at `cell`. */
static void change(lowering *l, writer *w, const endless_message *x, size_t cell, term when) {
  uint32_t index;
  if (!find_queue(l, cell, &index)) {
    report_error(l->reporter, x->of->at.start, "channels of any length are not in models with recursive procedures");
    l->exhausted = true;
    return;
  }
  const queue *q = &l->model->queues.at[index];
  access whole = {.first = cell};
  for (size_t i = 0; i < queue_variable_count(q); i++) {
    variable v = queue_variable(q, i);
    term value = x->action == QUEUE_SEND ? queue_sent(l->terms, q, x->parts, v) : queue_received(l->terms, q, v);
    step_write_cells(l, w, &whole, 0, cell + i, when, value, x->of->target);
  }
  queue_use use = {.queue = index, .action = x->action, .when = when, .message = x->parts};
  VECTOR_PUSH(w->transition->messages, use);
}

/* Every channel that the indices from dimension `k` on can mean. */
static void change_each(lowering *l, writer *w, const endless_message *x, const access *to, size_t k, size_t cell,
                        term when) {
  if (k == to->dimensions.count) {
    change(l, w, x, cell, when);
    return;
  }
  const dimension *d = &to->dimensions.at[k];
  if (d->is_constant) {
    change_each(l, w, x, to, k + 1, cell + d->constant * d->stride, when);
    return;
  }
  for (size_t i = 0; i < d->count && lowering_spend(l, INSTANCE_WORK, x->of->at.start); i++) {
    term here = term_eq(l->terms, d->index, term_int(l->terms, d->low + (int64_t)i));
    if (!term_is_false(here)) change_each(l, w, x, to, k + 1, cell + i * d->stride, term_and(l->terms, when, here));
  }
}

/* Each part of what is sent. */
static KEEP term *message_parts(lowering *l, writer *w, const assignment *a) {
  const value_type *t = a->target->type->record->message;
  term *parts = arena_alloc(terms_arena(l->terms), t->cells * sizeof *parts);
  if (!type_is_compound(t)) {
    expression message = {.type = t, .at = a->target->at};
    assignment plain = {.target = &message, .value = a->value, .at = a->at};
    parts[0] = lower_expression(l, a->value);
    if (t->kind != VALUE_BOOL) step_range_fault(l, w, &plain, parts[0], TERM_TRUE);
    return parts;
  }
  access from;
  access_open(l, &from, a->value);
  for (size_t i = 0; i < t->cells; i++) parts[i] = from.is_outside ? TERM_FALSE : access_value(l, &from, i, a->value);
  bool is_outside = from.is_outside;
  access_close(&from);
  return is_outside ? NULL : parts;
}

/* The message is sent, or lost on its way into the channel. */
static term arrives(lowering *l, writer *w) {
  char *name = text_format("%s.lost", w->transition->name);
  type boolean = {.sort = SORT_BOOL};
  variable lost = transition_add_input(l->model, w->transition, name, &boolean);
  memory_free(name);
  return term_not(term_of_variable(l->terms, lost));
}

void lower_endless_message(lowering *l, writer *w, const assignment *a, const access *to) {
  endless_message x = {.of = a, .action = a->kind == ASSIGN_SEND ? QUEUE_SEND : QUEUE_RECEIVE};
  term when = TERM_TRUE;
  for (size_t k = 0; k < to->dimensions.count; k++)
    if (to->dimensions.at[k].kept) {
      report_error(l->reporter, a->at.start, "an array of channels of any length is not kept as an array");
      return;
    }
  if (x.action == QUEUE_SEND) {
    x.parts = message_parts(l, w, a);
    if (!x.parts) return;
    if (a->target->type->record->channel->is_lossy) when = arrives(l, w);
  } else {
    lower_receipt(l, w, a, to);
  }
  change_each(l, w, &x, to, 0, to->first, when);
}

void lower_endless_loss(lowering *l, size_t first, const char *name, span at) {
  term there = term_gt(l->terms, cell_term(l, first), term_int(l->terms, 0));
  expression whole = {.kind = EXPRESSION_NAME, .at = at};
  whole.type = &value_bool;
  assignment a = {.kind = ASSIGN_RECEIVE, .target = &whole, .at = at};
  endless_message x = {.of = &a, .action = QUEUE_RECEIVE};
  writer w = {.guard = there};
  w.transition = model_add_transition(l->model, name, NO_PROCESS, there, lower_place(l, at));
  change(l, &w, &x, first, TERM_TRUE);
  step_close(&w);
}
