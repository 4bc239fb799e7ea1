/* Definitions with parameters: `define larger(x, y) = if x > y then x else y`. A call of one is its body, copied, with the
 * arguments bound to the parameters by `let`. Names of the body mean what they mean where it was written. */
#include "input/whet/check.h"

bool check_is_defined_call(const expression *call) {
  const symbol *s = call->word->meaning;
  return call->kind == EXPRESSION_CALL && s && s->kind == SYMBOL_DEFINITION && s->parameters;
}

/* Calls within calls may double what each one copies. */
enum { MOST_COPIED = 1000000 };

static expression *copy(checker *c, const expression *e) {
  arena *a = c->arena;
  c->copied++;
  expression *made = arena_alloc(a, sizeof *made);
  *made = *e;
  made->parts = e->count ? arena_alloc(a, e->count * sizeof *made->parts) : NULL;
  for (size_t i = 0; i < e->count; i++) made->parts[i] = copy(c, e->parts[i]);
  if (!e->binder_count) return made;
  made->binders = arena_alloc(a, e->binder_count * sizeof *made->binders);
  for (size_t i = 0; i < e->binder_count; i++) {
    binder b = e->binders[i];
    if (b.low) b.low = copy(c, b.low);
    if (b.high) b.high = copy(c, b.high);
    made->binders[i] = b;
  }
  return made;
}

/* The type of `body` where the definition stands, with its parameters of these types. */
static const value_type *check_body_with(checker *c, symbol *s, const value_type *const *types,
                                         const dependence *depends, binder *bound, expression *body) {
  family *inside = c->inside;
  unsigned level = c->scope->level;
  size_t suspended = scope_suspend(c->scope);
  c->scope->level = 0;
  c->inside = NULL;
  size_t mark = scope_enter(c->scope);
  for (size_t i = 0; i < s->parameters->count; i++) {
    bound[i].symbol = scope_add(c->scope, SYMBOL_LOCAL, bound[i].word, bound[i].at.start);
    if (!bound[i].symbol) continue;
    bound[i].symbol->type = types[i];
    bound[i].symbol->depends = depends[i];
  }
  s->checked = PROGRESS_BUSY;
  const value_type *type = check_expression(c, body);
  check_refuse_temporal(c, body, "a definition with parameters");
  s->checked = PROGRESS_DONE;
  scope_leave(c->scope, mark);
  c->scope->level = level;
  scope_resume(c->scope, suspended);
  c->inside = inside;
  return type;
}

/* The parameters, as what a `let` binds. */
static binder *parameters_of(checker *c, const symbol *s) {
  binder *list = arena_alloc(c->arena, s->parameters->count * sizeof *list);
  for (size_t i = 0; i < s->parameters->count; i++)
    list[i] = (binder){.word = s->parameters->at[i].word, .at = s->parameters->at[i].at};
  return list;
}

static bool may_be_called(checker *c, const expression *e, const symbol *s) {
  size_t wanted = s->parameters->count;
  bool is_said = c->copied == SIZE_MAX;
  if (s->checked == PROGRESS_BUSY) {
    report_error(c->reporter, e->at.start, "the definition of `%s` refers to itself", s->word->text);
  } else if (e->count != wanted) {
    report_error(c->reporter, e->at.start, "`%s` takes %zu argument%s, not %u", s->word->text, wanted,
                 wanted == 1 ? "" : "s", (unsigned)e->count);
  } else if (c->copied <= MOST_COPIED) {
    return true;
  } else if (!is_said) {
    report_error(c->reporter, e->at.start, "definitions with parameters become too large here");
    c->copied = SIZE_MAX;
  }
  return false;
}

const value_type *check_defined_call(checker *c, expression *e) {
  symbol *s = e->word->meaning;
  scope_note_first(c->scope, e->at, s);
  if (!may_be_called(c, e, s)) return &value_unknown;
  size_t count = e->count;
  const value_type **types = arena_alloc(c->arena, count * sizeof *types);
  dependence *depends = arena_alloc(c->arena, count * sizeof *depends), before = c->depends;
  expression **parts = arena_alloc(c->arena, (count + 1) * sizeof *parts);
  for (size_t i = 0; i < count; i++) {
    c->depends = DEPENDS_CONSTANTS;
    types[i] = check_named_value(c, e->parts[i], "a definition with parameters");
    depends[i] = c->depends;
    if (c->depends > before) before = c->depends;
    parts[i] = e->parts[i];
  }
  c->depends = before;
  parts[count] = copy(c, s->body);
  binder *bound = parameters_of(c, s);
  const value_type *type = check_body_with(c, s, types, depends, bound, parts[count]);
  e->kind = EXPRESSION_LET;
  e->parts = parts;
  e->count = (uint32_t)count + 1;
  e->binders = bound;
  e->binder_count = (uint32_t)count;
  return type;
}

/* One that is never called is checked all the same, with parameters of any type. */
void check_parametric(checker *c, symbol *s) {
  if (s->checked != PROGRESS_NONE) return;
  size_t count = s->parameters->count;
  const value_type **types = arena_alloc(c->arena, count * sizeof *types);
  dependence *depends = arena_alloc(c->arena, count * sizeof *depends);
  for (size_t i = 0; i < count; i++) types[i] = &value_unknown, depends[i] = DEPENDS_CONSTANTS;
  binder *bound = parameters_of(c, s);
  check_body_with(c, s, types, depends, bound, s->body);
}
