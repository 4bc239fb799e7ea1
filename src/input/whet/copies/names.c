/* Names that would be taken for others in a text in which copies have become arrays.
 *
 * What is made stands where the text stood: it has the index of the process, the constants of its range, and the names of its arrays
 * (`P.x`, `P at`). So nothing inside of the process may bind its index again, and nothing in the model may bind the others: no quantifier,
 * input, parameter or variable of a process. Types of what a copy has cannot depend on the index, which is no constant any more. */
#include "input/whet/copies/inside.h"

typedef struct looking {
  copier *c;
  const process_tree *inside; /* the chosen process that is looked at; NULL: none */
} looking;

static void refuse(const looking *l, span at, const word *w, const process_tree *p, const char *what) {
  report_error(l->c->reporter, at.start,
               "`%s` cannot be bound here: it is %s of the process `%s`, which has any number of copies", w->text, what,
               p->name.word->text);
  report_hint(l->c->reporter, "rename it");
}

static bool is_in_range(const process_tree *p, const word *w) {
  return copies_mention(p->index->low, w) || copies_mention(p->index->high, w);
}

/* P, P.x or `P at` */
static bool is_made_of(const process_tree *p, const word *w) {
  const char *name = p->name.word->text;
  size_t length = strlen(name);
  return !strncmp(w->text, name, length) && strchr(". ", w->text[length]); /* the end of the word counts */
}

static void look_at_name(const looking *l, const word *w, span at) {
  if (!w) return;
  if (l->inside && l->inside->index->word == w) refuse(l, at, w, l->inside, "the index");
  for (size_t i = 0; i < l->c->all.count; i++) {
    const process_tree *p = l->c->all.at[i];
    if (is_in_range(p, w)) refuse(l, at, w, p, "in the range");
    if (is_made_of(p, w)) refuse(l, at, w, p, "the name, or is made of the name,");
  }
}

static void look_at(const looking *l, const expression *e) {
  if (!e) return;
  for (size_t i = 0; copies_have_binders(e) && i < e->binder_count; i++) {
    look_at_name(l, e->binders[i].word, e->binders[i].at);
    look_at(l, e->binders[i].low);
    look_at(l, e->binders[i].high);
  }
  for (size_t i = 0; i < e->count; i++) look_at(l, e->parts[i]);
}

static void look_at_all(const looking *l, const expressions *all) {
  for (size_t i = 0; i < all->count; i++) look_at(l, all->at[i]);
}

static void look_at_type(const looking *l, const type_tree *t) {
  for (; t; t = t->element) {
    if (!l->inside) continue;
    const word *index = l->inside->index->word;
    if ((t->low && copies_mention(t->low, index)) || (t->high && copies_mention(t->high, index))) {
      report_error(l->c->reporter, t->at.start,
                   "a type cannot depend on the index of the process `%s`, which has any number of copies",
                   l->inside->name.word->text);
      report_hint(l->c->reporter, "give the constants of the range values, in the text or by -D");
    }
  }
}

static void look_at_variables(const looking *l, const variables_trees *all) {
  for (size_t i = 0; i < all->count; i++) {
    const variables_tree *v = all->at[i];
    for (size_t j = 0; j < v->names.count; j++) look_at_name(l, v->names.at[j].word, v->names.at[j].at);
    look_at_type(l, v->type);
    look_at(l, v->value);
  }
}

static void look_at_updates(const looking *l, const assignments *all) {
  for (size_t i = 0; i < all->count; i++) {
    const assignment *a = &all->at[i];
    if (a->each) {
      look_at_name(l, a->each->word, a->each->at);
      look_at(l, a->each->low);
      look_at(l, a->each->high);
    }
    look_at(l, a->target);
    look_at(l, a->value);
  }
}

static void look_at_command(const looking *l, const command_tree *edge) {
  look_at_variables(l, &edge->inputs);
  look_at(l, edge->guard);
  look_at(l, edge->fails);
  look_at_updates(l, &edge->updates);
}

static void look_at_block(const looking *l, const block *b) {
  for (size_t i = 0; i < b->count; i++) {
    const statement *s = b->at[i];
    look_at_updates(l, &s->updates);
    look_at(l, s->condition);
    look_at(l, s->call);
    for (size_t j = 0; j < s->arm_count; j++) {
      look_at(l, s->arms[j].condition);
      look_at_block(l, &s->arms[j].body);
    }
    look_at_block(l, &s->otherwise);
  }
}

static void look_at_process(looking *l, const process_tree *p) {
  for (size_t i = 0; i < l->c->all.count; i++)
    if (l->c->all.at[i] == p) l->inside = p;
  if (p->index && !l->inside) look_at_name(l, p->index->word, p->index->at);
  look_at_variables(l, &p->variables);
  look_at_variables(l, &p->parameters);
  look_at_variables(l, &p->results);
  for (size_t i = 0; i < p->commands.count; i++) look_at_command(l, p->commands.at[i]);
  look_at_block(l, &p->body);
  for (size_t i = 0; i < p->contract_count; i++) look_at_all(l, &p->contracts[i].conditions);
  for (size_t i = 0; i < p->invariant_count; i++) look_at(l, p->invariants[i].condition);
  l->inside = NULL;
}

void copies_look_at_names(copier *c) {
  looking l = {.c = c};
  for (size_t i = 0; i < c->all.count; i++) {
    const process_tree *p = c->all.at[i];
    if (is_in_range(p, p->index->word)) refuse(&l, p->index->at, p->index->word, p, "in the range");
  }
  for (size_t i = 0; i < c->tree->declarations.count && c->all.count; i++) {
    const declaration *d = c->tree->declarations.at[i];
    for (size_t j = 0; j < d->parameters.count; j++) look_at_name(&l, d->parameters.at[j].word, d->parameters.at[j].at);
    look_at_all(&l, &d->expressions);
    if (d->action) look_at_command(&l, d->action);
    if (d->process) look_at_process(&l, d->process);
    if (d->kind == DECLARATION_FLAT)
      report_error(c->reporter, d->at.start, "processes with any number of copies do not stand in flat texts");
  }
}
