/* Steps: inputs, assignments, edges of processes, statements of programs. */
#include "input/whet/check.h"

void check_inputs(checker *c, const variables_trees *inputs) {
  for (size_t i = 0; i < inputs->count; i++) {
    variables_tree *v = inputs->at[i];
    if (v->value_type->kind == VALUE_NODE || type_is_compound(v->value_type))
      report_error(c->reporter, v->type->at.start, "an input is a number, a truth value or a value of an enumeration");
    for (size_t j = 0; j < v->names.count; j++) {
      symbol *s = v->names.at[j].symbol =
          scope_add(c->scope, SYMBOL_INPUT, v->names.at[j].word, v->names.at[j].at.start);
      if (s) s->type = v->value_type;
    }
  }
}

/* The symbol that a target assigns: that of its outermost name or field. */
static const expression *target_root(const expression *target) {
  while (target->kind == EXPRESSION_INDEX || target->kind == EXPRESSION_MEMBER) target = target->parts[0];
  return target;
}

bool check_target(checker *c, expression *target) {
  const value_type *type = check_expression(c, target);
  if (type->kind == VALUE_UNKNOWN) return false;
  const expression *root = target_root(target);
  bool is_heap_field = root->kind == EXPRESSION_FIELD && !root->symbol;
  if (is_heap_field) return true;
  const symbol *s = root->symbol;
  if (!s || s->kind != SYMBOL_VARIABLE) {
    report_error(c->reporter, target->at.start, "`%s` is %s and cannot be assigned", root->word->text,
                 s ? symbol_describe(s) : "no variable");
    return false;
  }
  if (s->is_argument) {
    report_error(c->reporter, target->at.start, "`%s` is %s and keeps its value", root->word->text, symbol_describe(s));
    report_hint(c->reporter, "copy it into a variable of the procedure: `var x : int = %s`", root->word->text);
    return false;
  }
  if (check_is_in_channel(c, target)) return false;
  /* Actions belong to no process and may set the variables of all. */
  if (s->family && c->inside && (s->family != c->inside || root->kind == EXPRESSION_FIELD)) {
    report_error(c->reporter, target->at.start, "`%s` belongs to %s `%s`, and only its own steps may assign it",
                 s->word->text, family_describe(s->family), s->family->word->text);
    report_hint(c->reporter,
                s->family == c->inside ? "inside `%s`, its own variable is just `%s`"
                                       : "declare it outside of `%s` to share it: var %s : ..",
                s->family->word->text, s->word->text);
    return false;
  }
  return true;
}

/* One variable, one value: `x` twice among the targets of a step is a mistake. Elements of arrays are compared when
 * lowered. */
static void check_assigned_once(checker *c, const expression *target) {
  bool is_copy = target->kind == EXPRESSION_FIELD && target->parts[0]->kind == EXPRESSION_INDEX;
  if (target->kind == EXPRESSION_INDEX || target->kind == EXPRESSION_MEMBER || is_copy || !target->symbol) return;
  if (target->symbol->stamp == c->stamp)
    report_error(c->reporter, target->at.start, "`%s` is assigned twice in one step", target->symbol->word->text);
  target->symbol->stamp = c->stamp;
}

/* p := new | null | q | q.next; p.next := null | q */
static void check_node_value(checker *c, const expression *target, expression *value) {
  bool to_field = target->kind == EXPRESSION_FIELD && !target->symbol;
  if (expression_is_word(value, WORD_free)) {
    value->type = &value_node;
    c->scope->frees = true;
    if (!to_field) return;
    report_error(c->reporter, target->at.start, "only what a variable points to can be freed");
    report_hint(c->reporter, "q := p.next; free q");
    return;
  }
  if (expression_is_word(value, WORD_new)) {
    value->type = &value_node;
    if (!to_field) return;
    report_error(c->reporter, value->at.start, "`new` must be assigned to a variable first");
    report_hint(c->reporter, "p := new; q.next := p");
    return;
  }
  check_expect(c, value, &value_node, "this assignment");
  bool from_field = value->kind == EXPRESSION_FIELD && !value->symbol;
  if (value->type->kind != VALUE_NODE || !to_field || !from_field) return;
  report_error(c->reporter, value->at.start, "a field cannot be copied to a field in one step");
  report_hint(c->reporter, "read it into a variable first: `r := q.next; p.next := r`");
}

static void report_assignment(checker *c, const assignment *a) {
  if (a->target->type->kind == VALUE_ARRAY && a->value->type->kind != VALUE_ARRAY) {
    report_error(c->reporter, a->target->at.start, "`%s` is an array and is assigned element by element",
                 target_root(a->target)->word->text);
    const char *name = target_root(a->target)->word->text;
    report_hint(c->reporter, "write `%s[i] := ..`, or `forall i : L..H . %s[i] := ..` for all elements", name, name);
    return;
  }
  char *excerpt = source_excerpt(c->reporter->source, a->target->at, 40), *where = text_format("`%s`", excerpt);
  check_report_mismatch(c, a->value, a->target->type, where);
  memory_free(where);
  memory_free(excerpt);
}

/* P := idle of a text of whet's own, in which copies of processes are processes. */
static bool check_place_update(checker *c, assignment *a) {
  if (!c->scope->is_flat || !a->value || a->value->kind != EXPRESSION_NAME) return false;
  check_qualified(c, a->target);
  symbol *s = a->target->kind == EXPRESSION_NAME ? a->target->word->meaning : NULL;
  if (!s || s->kind != SYMBOL_PROCESS || s->family->is_replicated) return false;
  a->kind = ASSIGN_PLACE;
  a->target->symbol = s;
  check_edge_state(c, s->family, &(declared_name){.word = a->value->word, .at = a->value->at});
  return true;
}

static void check_assignment(checker *c, assignment *a, bool *has_heap) {
  if (a->kind == ASSIGN_SEND || a->kind == ASSIGN_RECEIVE) {
    check_message(c, a);
    return;
  }
  if (check_place_update(c, a)) return;
  if (!check_target(c, a->target)) {
    bool is_word = a->value && (expression_is_word(a->value, WORD_new) || expression_is_word(a->value, WORD_free));
    if (a->value && !is_word) check_expression(c, a->value);
    return;
  }
  check_assigned_once(c, a->target);
  const value_type *type = a->target->type;
  bool is_heap = type->kind == VALUE_NODE || (a->target->kind == EXPRESSION_FIELD && !a->target->symbol);
  if (is_heap && *has_heap) {
    report_error(c->reporter, a->at.start, "two heap assignments in one step");
    report_hint(c->reporter, "put a `;` between them to make them two steps");
  }
  *has_heap |= is_heap;
  bool is_free = a->value && expression_is_word(a->value, WORD_free) && a->value->at.start < a->target->at.start;
  if (is_free && type->kind != VALUE_NODE) {
    report_error(c->reporter, a->target->at.start, "only nodes can be freed");
    return;
  }
  if (a->target->kind == EXPRESSION_FIELD && !a->target->symbol && a->target->field == &node_field_freed)
    report_error(c->reporter, a->target->at.start, "`freed` is set by `free` alone");
  if (!a->value) {
    if (is_heap) report_error(c->reporter, a->at.start, "`*` cannot be assigned here");
  } else if (type->kind == VALUE_NODE) {
    check_node_value(c, a->target, a->value);
  } else {
    const value_type *is = check_expression(c, a->value);
    if (types_agree(c, is, type))
      check_fit(c, a->value, type);
    else
      report_assignment(c, a);
  }
}

/* forall i : low..high . a[i] := e */
static void check_each(checker *c, assignment *a) {
  size_t mark = scope_enter(c->scope);
  bool has_heap = true;
  check_binder(c, a->each, true, "`forall`");
  check_assignment(c, a, &has_heap);
  const expression *t = a->target;
  bool is_element = t->kind == EXPRESSION_INDEX && t->parts[0]->kind == EXPRESSION_NAME &&
                    t->parts[1]->kind == EXPRESSION_NAME && t->parts[1]->symbol == a->each->symbol;
  if (t->type->kind != VALUE_UNKNOWN && (!is_element || type_is_compound(t->type) || !a->value)) {
    report_error(c->reporter, a->target->at.start, "an update for all indices is `forall %s : 0..n-1 . a[%s] := ..`",
                 a->each->word->text, a->each->word->text);
  } else if (is_element) {
    check_assigned_once(c, t->parts[0]);
  }
  scope_leave(c->scope, mark);
}

void check_assignments(checker *c, const assignments *list) {
  bool has_heap = false;
  c->stamp++;
  for (size_t i = 0; i < list->count; i++) {
    if (list->at[i].each)
      check_each(c, &list->at[i]);
    else
      check_assignment(c, &list->at[i], &has_heap);
  }
}

void check_edge_state(checker *c, const family *f, const declared_name *state) {
  size_t index;
  scope_note_member(c->scope, state->at, f, state->word);
  if (family_state(f, state->word, &index)) return;
  report_error(c->reporter, state->at.start, "process `%s` has no state `%s`", f->word->text, state->word->text);
  for (size_t i = 0; i < f->state_words.count; i++) {
    if (!words_are_near(state->word->text, f->state_words.at[i]->text)) continue;
    report_hint(c->reporter, "did you mean `%s`?", f->state_words.at[i]->text);
    return;
  }
}

static void check_edge(checker *c, const family *f, command_tree *edge) {
  size_t mark = scope_enter(c->scope);
  check_edge_state(c, f, &edge->from);
  check_edge_state(c, f, &edge->to);
  check_inputs(c, &edge->inputs);
  if (edge->guard) check_condition(c, edge->guard, "the condition after `when`");
  if (edge->fails) check_condition(c, edge->fails, "the condition after `fails`");
  check_assignments(c, &edge->updates);
  scope_leave(c->scope, mark);
}

void check_open_process(checker *c, process_tree *p) {
  family *f = p->family;
  if (p->index) {
    check_constant(c, p->index->low, &value_int, "the range of the copies");
    check_constant(c, p->index->high, &value_int, "the range of the copies");
    f->index = p->index->symbol = scope_add(c->scope, SYMBOL_INDEX, p->index->word, p->index->at.start);
    if (f->index) f->index->type = &value_int;
  }
  for (size_t i = 0; i < p->variables.count; i++)
    for (size_t j = 0; j < p->variables.at[i]->names.count; j++) {
      symbol *s = p->variables.at[i]->names.at[j].symbol;
      if (s && s->family) scope_bind(c->scope, s);
    }
  c->inside = f;
}

void check_process(checker *c, process_tree *p) {
  size_t mark = scope_enter(c->scope);
  check_open_process(c, p);
  for (size_t i = 0; i < p->variables.count; i++) check_initial_value(c, p->variables.at[i]);
  if (!p->is_program && !p->states.count) {
    report_error(c->reporter, p->name.at.start, "process `%s` has no states", p->name.word->text);
    report_hint(c->reporter, "list them: `states idle, busy`; the process starts in the first");
  } else if (!p->is_program) {
    for (size_t i = 0; i < p->commands.count; i++) check_edge(c, p->family, p->commands.at[i]);
  } else {
    check_program_body(c, p);
  }
  if (p->is_program || p->states.count) {
    check_invariants(c, p);
    check_marks(c, p);
  }
  c->inside = NULL;
  scope_leave(c->scope, mark);
}
