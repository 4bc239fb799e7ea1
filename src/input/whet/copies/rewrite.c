/* Expressions about processes as expressions about arrays. */
#include "input/whet/copies/inside.h"
#include "input/whet/parse/token.h"

expression *copies_name(copier *c, word *w, span at) {
  expression *e = arena_alloc(c->arena, sizeof(expression));
  *e = (expression){.kind = EXPRESSION_NAME, .at = at, .word = w};
  return e;
}

expression *copies_parts(copier *c, expression_kind kind, span at, size_t count, expression **parts) {
  expression *e = arena_alloc(c->arena, sizeof(expression));
  *e = (expression){.kind = (uint8_t)kind, .at = at, .count = (uint32_t)count};
  e->parts = arena_alloc(c->arena, (count + 1) * sizeof(expression *));
  for (size_t i = 0; i < count; i++) {
    e->parts[i] = parts[i];
    if (parts[i]->depth >= e->depth) e->depth = (uint16_t)(parts[i]->depth + 1);
  }
  return e;
}

expression *copies_compare(copier *c, uint8_t operator, expression * left, expression *right) {
  expression *e = copies_parts(c, EXPRESSION_COMPARE, left->at, 2, (expression *[]){left, right});
  e->operators = arena_alloc(c->arena, 2);
  e->operators[0] = operator;
  return e;
}

bool copies_have_binders(const expression *e) {
  switch (e->kind) {
    case EXPRESSION_FORALL:
    case EXPRESSION_EXISTS:
    case EXPRESSION_TOTAL:
    case EXPRESSION_LEAST:
    case EXPRESSION_GREATEST:
    case EXPRESSION_LET: return true;
    default: return false;
  }
}

bool copies_mention(const expression *e, const word *w) {
  if (e->kind == EXPRESSION_NAME && e->word == w) return true;
  for (size_t i = 0; copies_have_binders(e) && i < e->binder_count; i++) {
    const binder *b = &e->binders[i];
    if ((b->low && copies_mention(b->low, w)) || (b->high && copies_mention(b->high, w))) return true;
  }
  for (size_t i = 0; i < e->count; i++)
    if (copies_mention(e->parts[i], w)) return true;
  return false;
}

static binder *copy_binders(copier *c, const expression *e) {
  binder *made = arena_alloc(c->arena, (e->binder_count + 1) * sizeof(binder));
  for (size_t i = 0; i < e->binder_count; i++) {
    made[i] = e->binders[i];
    if (made[i].low) made[i].low = copies_copy(c, made[i].low);
    if (made[i].high) made[i].high = copies_copy(c, made[i].high);
  }
  return made;
}

expression *copies_copy(copier *c, const expression *e) {
  expression *made = arena_alloc(c->arena, sizeof(expression));
  *made = *e;
  if (copies_have_binders(e)) made->binders = copy_binders(c, e);
  made->parts = arena_alloc(c->arena, (e->count + 1) * sizeof(expression *));
  for (size_t i = 0; i < e->count; i++) made->parts[i] = copies_copy(c, e->parts[i]);
  return made;
}

word *copies_word(copier *c, const process_tree *p, const char *between, const char *member) {
  char *name = text_format("%s%s%s", p->name.word->text, between, member);
  word *made = words_make(c->words, name);
  memory_free(name);
  return made;
}

expression *copies_place(copier *c, const process_tree *p, expression *index, span at) {
  expression *parts[] = {copies_name(c, copies_word(c, p, " ", "at"), at), index};
  return copies_parts(c, EXPRESSION_INDEX, at, 2, parts);
}

expression *copies_state(copier *c, const process_tree *p, const declared_name *state) {
  for (size_t i = 0; i < p->states.count; i++)
    if (p->states.at[i].word == state->word)
      return copies_name(c, copies_word(c, p, ".", state->word->text), state->at);
  report_error(c->reporter, state->at.start, "the process `%s` has no state `%s`", p->name.word->text,
               state->word->text);
  return copies_name(c, copies_word(c, p, ".", p->states.count ? p->states.at[0].word->text : ""), state->at);
}

/* ---- which process ---- */

void copies_bind(copier *c, const word *w, const expression *low, const expression *high) {
  VECTOR_PUSH(c->bound, (hiding_name){w, low, high});
}

void copies_bind_inputs(copier *c, const variables_trees *inputs) {
  for (size_t i = 0; i < inputs->count; i++) {
    const type_tree *t = inputs->at[i]->type;
    bool has_range = t && t->kind == TYPE_RANGE;
    for (size_t j = 0; j < inputs->at[i]->names.count; j++)
      copies_bind(c, inputs->at[i]->names.at[j].word, has_range ? t->low : NULL, has_range ? t->high : NULL);
  }
}

/* What the name was bound by last; NULL: it is not bound. */
static const hiding_name *find_bound(const copier *c, const word *w) {
  for (size_t i = c->bound.count; i-- > 0;)
    if (c->bound.at[i].word == w) return &c->bound.at[i];
  return NULL;
}

static bool is_bound(const copier *c, const word *w) { return find_bound(c, w) != NULL; }

static const process_tree *find_process(const copier *c, const expression *e) {
  for (size_t i = 0; e->kind == EXPRESSION_NAME && !is_bound(c, e->word) && i < c->all.count; i++)
    if (c->all.at[i]->name.word == e->word) return c->all.at[i];
  return NULL;
}

/* P[e] */
static const process_tree *find_copy(const copier *c, const expression *e) {
  return e->kind == EXPRESSION_INDEX ? find_process(c, e->parts[0]) : NULL;
}

static bool has_variable(const process_tree *p, const word *w) {
  for (size_t i = 0; i < p->variables.count; i++)
    for (size_t j = 0; j < p->variables.at[i]->names.count; j++)
      if (p->variables.at[i]->names.at[j].word == w) return true;
  return false;
}

static void become(expression *e, const expression *other) {
  span at = e->at;
  *e = *other;
  e->at = at;
}

static void rewrite_field(copier *c, expression *e) {
  const process_tree *p = find_copy(c, e->parts[0]);
  if (!p) return;
  if (!has_variable(p, e->word))
    report_error(c->reporter, e->at.start, "the process `%s` has no variable `%s`", p->name.word->text, e->word->text);
  expression *parts[] = {copies_name(c, copies_word(c, p, ".", e->word->text), e->at), e->parts[0]->parts[1]};
  become(e, copies_parts(c, EXPRESSION_INDEX, e->at, 2, parts));
}

/* Two ends of ranges are surely the same. */
static bool is_same_end(const expression *a, const expression *b) {
  if (!a || !b || a->kind != b->kind) return false;
  if (a->kind == EXPRESSION_NAME) return a->word == b->word;
  return a->kind == EXPRESSION_NUMBER && !a->is_decimal && !b->is_decimal && number_equal(a->number, b->number);
}

/* The index of some copy, for sure: the process's own, or a name that goes over its range. */
static bool is_in_range(const copier *c, const process_tree *p, const expression *index) {
  const hiding_name *found = index->kind == EXPRESSION_NAME ? find_bound(c, index->word) : NULL;
  return found && is_same_end(found->low, p->index->low) && is_same_end(found->high, p->index->high);
}

/* P at[e] = s && L <= e && e <= H: there is no copy outside of the range, and then it is nowhere. An element that an array does not have
 * is an error where there are errors, so it stands first. */
static void rewrite_at(copier *c, expression *e) {
  const process_tree *p = e->count ? find_copy(c, e->parts[0]) : c->is_own ? c->inside : NULL;
  if (!p) return;
  expression *index = e->count ? e->parts[0]->parts[1] : copies_name(c, p->index->word, e->at);
  declared_name state = {.word = e->word, .at = e->at};
  expression *is_there = copies_compare(c, TOKEN_EQUAL, copies_place(c, p, index, e->at), copies_state(c, p, &state));
  if (!e->count || is_in_range(c, p, index)) {
    become(e, is_there);
    return;
  }
  expression *parts[] = {is_there,
                         copies_compare(c, TOKEN_LESS_EQUAL, copies_copy(c, p->index->low), copies_copy(c, index)),
                         copies_compare(c, TOKEN_LESS_EQUAL, copies_copy(c, index), copies_copy(c, p->index->high))};
  become(e, copies_parts(c, EXPRESSION_AND, e->at, 3, parts));
}

static void rewrite_name(copier *c, expression *e) {
  if (find_process(c, e)) {
    report_error(c->reporter, e->at.start, "`%s` has any number of copies", e->word->text);
    report_hint(c->reporter, "say which one is meant: `%s[1]`", e->word->text);
  }
  if (!c->is_own || is_bound(c, e->word) || !has_variable(c->inside, e->word)) return;
  expression *parts[] = {copies_name(c, copies_word(c, c->inside, ".", e->word->text), e->at),
                         copies_name(c, c->inside->index->word, e->at)};
  become(e, copies_parts(c, EXPRESSION_INDEX, e->at, 2, parts));
}

/* ---- all of it ---- */

/* A binder can be used in the ranges and values that stand to the right of it. */
static void rewrite_binders(copier *c, expression *e) {
  size_t before = c->bound.count;
  bool is_let = e->kind == EXPRESSION_LET;
  for (size_t i = 0; i < e->binder_count; i++) {
    if (e->binders[i].low) copies_rewrite(c, e->binders[i].low);
    if (e->binders[i].high) copies_rewrite(c, e->binders[i].high);
    if (is_let) copies_rewrite(c, e->parts[i]);
    copies_bind(c, e->binders[i].word, e->binders[i].low, e->binders[i].high);
  }
  for (size_t i = is_let ? e->binder_count : 0; i < e->count; i++) copies_rewrite(c, e->parts[i]);
  c->bound.count = before;
}

void copies_rewrite(copier *c, expression *e) {
  if (copies_have_binders(e)) {
    rewrite_binders(c, e);
    return;
  }
  bool is_of_copy =
      (e->kind == EXPRESSION_FIELD || (e->kind == EXPRESSION_AT && e->count)) && find_copy(c, e->parts[0]);
  if (is_of_copy) copies_rewrite(c, e->parts[0]->parts[1]);
  for (size_t i = 0; i < e->count && !is_of_copy; i++) copies_rewrite(c, e->parts[i]);
  if (e->kind == EXPRESSION_FIELD) rewrite_field(c, e);
  if (e->kind == EXPRESSION_AT) rewrite_at(c, e);
  if (e->kind == EXPRESSION_NAME) rewrite_name(c, e);
}

/* The process that a target P[e].x[..] belongs to. */
static const process_tree *owner_of(const copier *c, const expression *target) {
  while (target->count && (target->kind == EXPRESSION_INDEX || target->kind == EXPRESSION_FIELD)) {
    const process_tree *p = target->kind == EXPRESSION_FIELD ? find_copy(c, target->parts[0]) : NULL;
    if (p) return p;
    target = target->parts[0];
  }
  return NULL;
}

void copies_rewrite_updates(copier *c, assignments *all) {
  for (size_t i = 0; i < all->count; i++) {
    assignment *a = &all->at[i];
    size_t before = c->bound.count;
    if (c->inside && owner_of(c, a->target))
      report_error(c->reporter, a->at.start, "only the edges of a copy itself, and actions, may set its variables");
    if (a->each) {
      copies_rewrite(c, a->each->low);
      copies_rewrite(c, a->each->high);
      copies_bind(c, a->each->word, a->each->low, a->each->high);
    }
    copies_rewrite(c, a->target);
    if (a->value) copies_rewrite(c, a->value);
    c->bound.count = before;
  }
}

void copies_rewrite_block(copier *c, block *b) {
  for (size_t i = 0; i < b->count; i++) {
    statement *s = b->at[i];
    copies_rewrite_updates(c, &s->updates);
    if (s->condition) copies_rewrite(c, s->condition);
    if (s->call) copies_rewrite(c, s->call);
    for (size_t j = 0; j < s->arm_count; j++) {
      if (s->arms[j].condition) copies_rewrite(c, s->arms[j].condition);
      copies_rewrite_block(c, &s->arms[j].body);
    }
    copies_rewrite_block(c, &s->otherwise);
  }
}
