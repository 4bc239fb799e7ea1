/* Handshakes: a sender and a receiver of different processes, or copies of one, take a step together. */
#include "input/whet/channels/channel.h"

/* A step that sends or receives, and whose it is. */
typedef struct handshake_part {
  lowered_step step;
  const assignment *message;
  family *family;
  size_t copy;
} handshake_part;

static bool is_handshake(const assignment *a) {
  return assignment_is_message(a) && a->target->type->record->channel->is_sync;
}

/* The first message; a second one is refused. */
static const assignment *find_message(lowering *l, const assignments *list) {
  const assignment *found = NULL;
  for (size_t i = 0; list && i < list->count; i++) {
    if (!is_handshake(&list->at[i])) continue;
    if (found) report_error(l->reporter, list->at[i].at.start, "a step takes part in one handshake only");
    found = &list->at[i];
  }
  return found;
}

static family *family_of_process(const lowering *l, uint32_t process) {
  for (size_t i = 0; i < l->scope->families.count; i++) {
    family *f = l->scope->families.at[i];
    bool is_procedure = f->tree && f->tree->is_procedure;
    if (!is_procedure && process >= f->first_process && process - f->first_process < f->copies) return f;
  }
  return NULL;
}

bool handshake_keep(lowering *l, const lowered_step *s) {
  const assignment *message = find_message(l, s->updates);
  family *f = message ? family_of_process(l, s->process) : NULL;
  if (!f) return false;
  handshake_part *part = arena_alloc(l->scope->arena, sizeof(*part));
  *part = (handshake_part){*s, message, f, s->process - f->first_process};
  part->step.name = model_string(l->model, s->name);
  VECTOR_PUSH(l->handshakes, part);
  if (s->fails) report_error(l->reporter, s->fails->at.start, "a step of a handshake has no `fails`");
  return true;
}

void handshake_refuse_inside(lowering *l, const assignments *list) {
  for (size_t i = 0; i < list->count; i++)
    if (is_handshake(&list->at[i]))
      report_error(
          l->reporter, list->at[i].at.start,
          "a handshake may begin an atomic block, but not stand inside of one: the other side would have to move");
}

/* What is shown of programs: both statements. */
static KEEP const char *statement_of(lowering *l, const handshake_part *a, const handshake_part *b) {
  text out = {0};
  const handshake_part *both[] = {a, b};
  if (!a->step.statement && !b->step.statement) return NULL;
  for (size_t i = 0; i < 2; i++) {
    const handshake_part *p = both[i];
    const char *owner = l->model->processes.at[p->step.process].name;
    if (i) text_add(&out, " + ");
    if (i && p->step.statement) text_add(&out, "%s line %u: ", owner, lower_place(l, p->step.at).line);
    text_add(&out, "%s", p->step.statement ? p->step.statement : p->step.name);
    if (!i && p->step.statement) text_add(&out, " by %s", owner);
  }
  const char *kept = model_string(l->model, text_string(&out));
  text_clear(&out);
  return kept;
}

static void lower_pair(lowering *l, const handshake_part *from, const handshake_part *to) {
  char *name = text_format("%s+%s", from->step.name, to->step.name);
  transition *t = model_add_transition(l->model, name, NO_PROCESS, TERM_TRUE, lower_place(l, from->step.at));
  writer w = {.transition = t};
  const handshake_part *both[] = {from, to};
  t->statement = statement_of(l, from, to);
  memory_free(name);
  for (size_t i = 0; i < 2; i++) {
    lower_set_copy(l, both[i]->family, both[i]->copy);
    step_lower_guard(l, &w, &both[i]->step);
  }
  for (size_t i = 0; i < 2; i++) { /* the step is tried when both guards hold */
    lower_set_copy(l, both[i]->family, both[i]->copy);
    step_lower_updates(l, &w, &both[i]->step);
  }
  step_close(&w);
}

static bool can_meet(const handshake_part *from, const handshake_part *to) {
  return from->message->kind == ASSIGN_SEND && to->message->kind == ASSIGN_RECEIVE &&
         from->message->target->symbol == to->message->target->symbol && from->step.process != to->step.process;
}

void lower_handshakes(lowering *l) {
  for (size_t i = 0; i < l->handshakes.count; i++)
    for (size_t j = 0; j < l->handshakes.count && lowering_spend(l, 1, 0); j++)
      if (can_meet(l->handshakes.at[i], l->handshakes.at[j])) lower_pair(l, l->handshakes.at[i], l->handshakes.at[j]);
}
