/* Channels with a length: a number of messages, and these, the oldest first. Unused places hold one value, so that no state is
 * there twice. */
#include "input/whet/channels/channel.h"

bool assignment_is_message(const assignment *a) { return a->kind == ASSIGN_SEND || a->kind == ASSIGN_RECEIVE; }

bool has_messages(const assignments *list) {
  for (size_t i = 0; i < list->count; i++)
    if (assignment_is_message(&list->at[i])) return true;
  return false;
}

term channel_default(lowering *l, variable v) {
  const type *t = variable_type(l->terms, v);
  if (t->sort == SORT_BOOL) return TERM_FALSE;
  bool is_below = t->has_high && number_sign(t->high) < 0;
  return t->has_low ? term_number(l->terms, t->low) : is_below ? term_number(l->terms, t->high) : term_int(l->terms, 0);
}

static const record_type *channel_of(const assignment *a) { return a->target->type->record; }

static size_t room_of(const record_type *r) { return type_array_length(r->fields[1].type); }

term messages_enabled(lowering *l, term guard, const assignments *list) {
  term all = TERM_TRUE;
  for (size_t i = 0; i < list->count; i++) {
    const assignment *a = &list->at[i];
    if (!assignment_is_message(a) || channel_of(a)->channel->is_sync) continue;
    bool sends = a->kind == ASSIGN_SEND, has_room = sends && channel_of(a)->channel->is_endless;
    access to;
    VECTOR_PUSH(l->path, guard);
    access_open(l, &to, a->target);
    term length = to.is_outside ? term_int(l->terms, 0) : access_value(l, &to, 0, a->target);
    l->path.count--;
    access_close(&to);
    term room = term_int(l->terms, (int64_t)room_of(channel_of(a)));
    if (has_room) continue;
    all = term_and(l->terms, all,
                   sends ? term_lt(l->terms, length, room) : term_gt(l->terms, length, term_int(l->terms, 0)));
  }
  return all;
}

/* The assignment of the message to `target`, for messages about its range. */
static assignment as_assignment(const assignment *a, const expression *target) {
  return (assignment){.target = (expression *)target, .value = a->value, .at = a->at};
}

static void lower_send(lowering *l, writer *w, const assignment *a, const access *to, term length) {
  const record_type *r = channel_of(a);
  bool is_whole = type_is_compound(r->message);
  access from = {0};
  term value = TERM_TRUE;
  expression message = {.type = r->message, .at = a->target->at};
  assignment plain = as_assignment(a, &message);
  if (is_whole)
    access_open(l, &from, a->value);
  else
    value = lower_expression(l, a->value);
  if (!is_whole && r->message->kind != VALUE_BOOL) step_range_fault(l, w, &plain, value, TERM_TRUE);
  for (size_t j = 0; j < r->message->cells && !from.is_outside; j++) {
    if (is_whole) value = access_value(l, &from, j, a->value);
    for (size_t i = 0; i < room_of(r) && lowering_spend(l, INSTANCE_WORK, a->at.start); i++) {
      term here = term_eq(l->terms, length, term_int(l->terms, (int64_t)i));
      step_write_cells(l, w, to, 0, to->first + 1 + i * r->message->cells + j, here, value, a->target);
    }
  }
  access_close(&from);
}

/* Those behind `position` come one place nearer. */
static void shift(lowering *l, writer *w, const assignment *a, const access *to, term length, size_t position) {
  const record_type *r = channel_of(a);
  size_t cells = r->message->cells, room = room_of(r);
  for (size_t i = position; i < room; i++) {
    term is_next = term_gt(l->terms, length, term_int(l->terms, (int64_t)i + 1));
    for (size_t j = 0; j < cells && lowering_spend(l, INSTANCE_WORK, a->at.start); j++) {
      size_t cell = 1 + i * cells + j;
      term value = channel_default(l, l->cells.at[to->first + cell]);
      if (i + 1 < room) value = term_ite(l->terms, is_next, access_value(l, to, cell + cells, a->target), value);
      step_write_cells(l, w, to, 0, to->first + cell, TERM_TRUE, value, a->target);
    }
  }
}

void lower_receipt(lowering *l, writer *w, const assignment *a, const access *from) {
  const record_type *r = channel_of(a);
  access to;
  assignment plain = as_assignment(a, a->value);
  access_open(l, &to, a->value);
  for (size_t j = 0; j < r->message->cells && !to.is_outside; j++) {
    term value = access_value(l, from, 1 + j, a->target);
    if (!type_is_compound(r->message) && r->message->kind != VALUE_BOOL)
      step_range_fault(l, w, &plain, value, TERM_TRUE);
    step_write_cells(l, w, &to, 0, to.first + j, TERM_TRUE, value, a->value);
  }
  access_close(&to);
}

static void lower_receive(lowering *l, writer *w, const assignment *a, const access *from, term length) {
  lower_receipt(l, w, a, from);
  shift(l, w, a, from, length, 0);
}

/* Of a handshake, the sender comes first. */
static void lower_shaken(lowering *l, writer *w, const assignment *a) {
  if (a->kind == ASSIGN_SEND) {
    expression message = {.type = channel_of(a)->message, .at = a->target->at};
    assignment plain = as_assignment(a, &message);
    w->message = lower_expression(l, a->value);
    if (message.type->kind != VALUE_BOOL) step_range_fault(l, w, &plain, w->message, TERM_TRUE);
    return;
  }
  access to;
  assignment plain = as_assignment(a, a->value);
  access_open(l, &to, a->value);
  if (a->value->type->kind != VALUE_BOOL) step_range_fault(l, w, &plain, w->message, TERM_TRUE);
  if (!to.is_outside) step_write_cells(l, w, &to, 0, to.first, TERM_TRUE, w->message, a->value);
  access_close(&to);
}

void lower_message(lowering *l, writer *w, const assignment *a) {
  if (channel_of(a)->channel->is_sync) {
    lower_shaken(l, w, a);
    return;
  }
  access to;
  access_open(l, &to, a->target);
  if (!to.is_outside && channel_of(a)->channel->is_endless) {
    lower_endless_message(l, w, a, &to);
  } else if (!to.is_outside) {
    term length = access_value(l, &to, 0, a->target), one = term_int(l->terms, 1);
    bool sends = a->kind == ASSIGN_SEND;
    if (sends)
      lower_send(l, w, a, &to, length);
    else
      lower_receive(l, w, a, &to, length);
    term after = sends ? term_add(l->terms, length, one) : term_sub(l->terms, length, one);
    step_write_cells(l, w, &to, 0, to.first, TERM_TRUE, after, a->target);
  }
  access_close(&to);
}

/* ---- loss ---- */

/* Of the channel that begins at `first`: a step for each place that a message can be lost from. */
static void lose(lowering *l, const symbol *s, const value_type *t, size_t first, const char *name) {
  expression whole = {.kind = EXPRESSION_NAME, .type = t, .word = s->word, .at = {s->offset, s->offset}};
  assignment a = {.kind = ASSIGN_RECEIVE, .target = &whole, .at = whole.at};
  access at = {.first = first};
  term length = cell_term(l, first);
  for (size_t i = 0; i < room_of(t->record) && lowering_spend(l, INSTANCE_WORK, s->offset); i++) {
    term there = term_gt(l->terms, length, term_int(l->terms, (int64_t)i));
    transition *made = model_add_transition(l->model, name, NO_PROCESS, there, lower_place(l, whole.at));
    writer w = {.transition = made, .guard = there};
    shift(l, &w, &a, &at, length, i);
    step_write_cells(l, &w, &at, 0, first, TERM_TRUE, term_sub(l->terms, length, term_int(l->terms, 1)), &whole);
    step_close(&w);
  }
}

static void lose_one(lowering *l, const symbol *s, const value_type *t, size_t first, const char *name) {
  if (!t->record->channel->is_lossy) return;
  char *step = text_format("%s.lose", name);
  if (t->record->channel->is_endless)
    lower_endless_loss(l, first, step, (span){s->offset, s->offset});
  else
    lose(l, s, t, first, step);
  memory_free(step);
}

/* c, c[1], c[2], .. */
static void hear_each(lowering *l, const symbol *s, const value_type *t, size_t first, text *name,
                      channel_hearer *each) {
  size_t length = name->count;
  if (t->kind != VALUE_ARRAY) {
    each(l, s, t, first, text_string(name));
    return;
  }
  int64_t low;
  number_to_int64(t->low, &low);
  for (size_t i = 0; i < type_array_length(t) && !l->exhausted; i++) {
    text_add(name, "[%lld]", (long long)(low + (int64_t)i));
    hear_each(l, s, t->element, first + i * t->element->cells, name, each);
    text_cut(name, length);
  }
}

void channels_each(lowering *l, const module *m, channel_hearer *each) {
  for (size_t i = 0; i < m->declarations.count; i++) {
    const declaration *d = m->declarations.at[i];
    const value_type *t = d->kind == DECLARATION_VAR ? d->variables->value_type : NULL;
    while (t && t->kind == VALUE_ARRAY) t = t->element;
    if (!t || !type_is_channel(t) || t->record->channel->is_sync) continue;
    for (size_t j = 0; j < d->variables->names.count; j++) {
      const symbol *s = d->variables->names.at[j].symbol;
      text name = {0};
      text_add(&name, "%s", s->word->text);
      hear_each(l, s, s->type, s->first_cell, &name, each);
      text_clear(&name);
    }
  }
}

void lower_losses(lowering *l, const module *m) { channels_each(l, m, lose_one); }
