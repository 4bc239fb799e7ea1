/* Messages that are sent and received: what they are, and who may do it. */
#include "input/whet/check.h"

bool check_is_in_channel(checker *c, const expression *target) {
  const expression *e = target;
  while (!type_is_channel(e->type) && (e->kind == EXPRESSION_INDEX || e->kind == EXPRESSION_MEMBER)) e = e->parts[0];
  if (!type_is_channel(e->type)) return false;
  report_error(c->reporter, target->at.start, "a channel changes by `c ! EXPRESSION` and `c ? VARIABLE` only");
  return true;
}

/* False, with a message, if it is none. */
static bool check_channel(checker *c, expression *e) {
  const value_type *t = check_expression(c, e);
  if (t->kind == VALUE_UNKNOWN) return false;
  if (type_is_channel(t)) return true;
  char *type = type_describe(t), *words = source_excerpt(c->reporter->source, e->at, 40);
  report_error(c->reporter, e->at.start, "`%s` is of type %s, and only channels have messages", words, type);
  report_hint(c->reporter, "a channel is `channel c[4] of int`; not is `!x` in expressions, and `:=` assigns");
  memory_free(type);
  memory_free(words);
  return false;
}

void check_message(checker *c, const assignment *a) {
  bool sends = a->kind == ASSIGN_SEND;
  if (!check_channel(c, a->target)) {
    check_expression(c, a->value);
    return;
  }
  const record_type *channel = a->target->type->record;
  if (channel->channel->is_sync && !c->inside)
    report_error(c->reporter, a->at.start, "a handshake is a step of two processes or programs, not of an action");
  if (!sends && !check_target(c, a->value)) return;
  if (sends) check_expression(c, a->value);
  const value_type *from = sends ? a->value->type : channel->message, *to = sends ? channel->message : a->value->type;
  if (!types_agree(c, from, to))
    check_report_mismatch(c, a->value, channel->message, "a message of the channel");
  else if (sends)
    check_fit(c, a->value, channel->message);
}
