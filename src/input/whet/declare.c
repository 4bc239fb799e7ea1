/* The global scope of a text: what its declarations declare, before any expression is looked at. */
#include "input/whet/check.h"

static void declare_variables(checker *c, variables_tree *v, bool is_constant) {
  if (v->type) v->value_type = scope_type(c->scope, v->type);
  for (size_t i = 0; i < v->names.count; i++) {
    declared_name *n = &v->names.at[i];
    symbol_kind kind = !is_constant ? SYMBOL_VARIABLE : v->value ? SYMBOL_CONSTANT : SYMBOL_PARAMETER;
    symbol *s = n->symbol = scope_add(c->scope, kind, n->word, n->at.start);
    if (!s) continue;
    if (v->value_type) s->type = v->value_type;
    s->is_clock = v->is_clock;
    if (kind == SYMBOL_CONSTANT) s->body = v->value;
  }
  bool is_node = v->value_type && v->value_type->kind == VALUE_NODE,
       is_array = v->value_type && v->value_type->kind == VALUE_ARRAY;
  if (is_constant && (is_node || (is_array && v->value)))
    report_error(c->reporter, v->type->at.start, "a constant cannot be %s", is_node ? "a node" : "an array");
}

/* Variables of a process: reached from outside through its name, so they are kept apart. */
symbol *declare_member(checker *c, family *f, declared_name *n, const value_type *type) {
  symbol *first = family_member(f, n->word);
  if (first) {
    report_error(c->reporter, n->at.start, "`%s` is declared twice", n->word->text);
    report_first_place(c->reporter, "first declared", first->offset);
    return NULL;
  }
  if (f->tree->index && f->tree->index->word == n->word) {
    report_error(c->reporter, n->at.start, "`%s` is already the index of this process", n->word->text);
    return NULL;
  }
  symbol *s = n->symbol = arena_alloc(c->arena, sizeof(symbol));
  *s = (symbol){.kind = SYMBOL_VARIABLE, .word = n->word, .offset = n->at.start, .type = type, .family = f};
  map_set(f->members, (uint64_t)(uintptr_t)n->word, (uint64_t)(uintptr_t)s);
  scope_note_symbol(c->scope, s);
  return s;
}

static void declare_states(checker *c, family *f) {
  for (size_t i = 0; i < f->tree->states.count; i++) {
    const declared_name *n = &f->tree->states.at[i];
    size_t first;
    if (family_state(f, n->word, &first)) {
      report_error(c->reporter, n->at.start, "the state `%s` is listed twice", n->word->text);
      report_first_place(c->reporter, "first listed", f->tree->states.at[first].at.start);
      continue;
    }
    map_set(f->states, (uint64_t)(uintptr_t)n->word, i);
    VECTOR_PUSH(f->state_words, n->word);
  }
}

static void declare_process(checker *c, process_tree *p) {
  bool is_named = p->name.word;
  if (!is_named) p->name.word = words_make(c->scope->words, "program");
  family *f = arena_alloc(c->arena, sizeof(family));
  *f = (family){.word = p->name.word,
                .tree = p,
                .is_replicated = p->index,
                .is_unnamed = !is_named,
                .members = map_new(),
                .states = map_new(),
                .copies = 1};
  VECTOR_PUSH(c->scope->families, f);
  p->family = f;
  bool again = !is_named && f->word->meaning && f->word->meaning->kind == SYMBOL_PROCESS;
  f->symbol = scope_add(c->scope, SYMBOL_PROCESS, f->word, p->name.at.start);
  if (again) report_hint(c->reporter, "if there are several programs, each needs a name: `program A {..}`");
  if (!f->symbol) f->symbol = arena_alloc(c->arena, sizeof(symbol));
  *f->symbol = (symbol){
      .kind = SYMBOL_PROCESS, .word = f->word, .offset = p->name.at.start, .type = &value_unknown, .family = f};
  for (size_t i = 0; i < p->variables.count; i++) {
    variables_tree *v = p->variables.at[i];
    if (!is_named) {
      declare_variables(c, v, false);
      continue;
    }
    v->value_type = scope_type(c->scope, v->type);
    for (size_t j = 0; j < v->names.count; j++) {
      symbol *s = declare_member(c, f, &v->names.at[j], v->value_type);
      if (s) s->is_clock = v->is_clock;
    }
  }
  declare_states(c, f);
}

static void declare_inputs(checker *c, const variables_trees *inputs) {
  for (size_t i = 0; i < inputs->count; i++) inputs->at[i]->value_type = scope_type(c->scope, inputs->at[i]->type);
}

static void declare_definition(checker *c, declaration *d) {
  symbol *s = d->name.symbol = scope_add(c->scope, SYMBOL_DEFINITION, d->name.word, d->name.at.start);
  if (!s) return;
  s->body = d->expressions.at[0];
  if (d->parameters.count) s->parameters = &d->parameters;
}

/* Types are known before what is declared with them. */
static void declare_types(checker *c, const declaration *d) {
  for (size_t i = 0; i < d->types.count; i++) {
    const declared_name *n = &d->types.at[i];
    symbol *s = scope_add(c->scope, SYMBOL_TYPE, n->word, n->at.start);
    if (!s) continue;
    value_type *t = arena_alloc(c->arena, sizeof(value_type));
    *t = (value_type){.kind = VALUE_DATA, .data = s, .cells = 1};
    s->type = t;
  }
}

static void declare_record(checker *c, const declaration *d) {
  symbol *s = scope_add(c->scope, SYMBOL_TYPE, d->name.word, d->name.at.start);
  if (!s) return;
  value_type *t = arena_alloc(c->arena, sizeof(value_type));
  record_type *r = arena_alloc(c->arena, sizeof(record_type));
  *r = (record_type){.symbol = s, .tree = &d->fields};
  *t = (value_type){.kind = VALUE_RECORD, .record = r, .cells = 1};
  s->type = t;
  if (d->name.word->keyword == WORD_node) c->scope->nodes = r;
}

static void declare_all_types(checker *c, const module *m) {
  for (size_t i = 0; i < m->declarations.count; i++) {
    const declaration *d = m->declarations.at[i];
    if (d->kind == DECLARATION_TYPE) declare_types(c, d);
    if (d->kind == DECLARATION_RECORD) declare_record(c, d);
  }
  for (size_t i = 0; i < m->declarations.count; i++) {
    const declaration *d = m->declarations.at[i];
    const symbol *s = d->kind == DECLARATION_RECORD ? d->name.word->meaning : NULL;
    if (s && s->type->kind == VALUE_RECORD) scope_complete_record(c->scope, (value_type *)s->type);
  }
}

void declare_module(checker *c, const module *m) {
  declare_all_types(c, m);
  for (size_t i = 0; i < m->declarations.count; i++) {
    declaration *d = m->declarations.at[i];
    switch (d->kind) {
      case DECLARATION_FLAT: c->scope->is_flat = true; break;
      case DECLARATION_CONST: declare_variables(c, d->variables, true); break;
      case DECLARATION_VAR: declare_variables(c, d->variables, false); break;
      case DECLARATION_DEFINE: declare_definition(c, d); break;
      case DECLARATION_ACTION: declare_inputs(c, &d->action->inputs); break;
      case DECLARATION_PROCEDURE: declare_procedure(c, d->process); break;
      case DECLARATION_PROCESS:
        declare_process(c, d->process);
        for (size_t j = 0; j < d->process->commands.count; j++) declare_inputs(c, &d->process->commands.at[j]->inputs);
        break;
      default: break;
    }
  }
}
