/* Procedures: their names and variables, their calls, and what they do not go together with. */
#include "input/whet/check.h"

/* ---- declarations ---- */

static void declare_typed(checker *c, family *f, const variables_trees *list, bool is_argument) {
  for (size_t i = 0; i < list->count; i++) {
    variables_tree *v = list->at[i];
    v->value_type = scope_type(c->scope, v->type);
    bool is_plain = v->value_type->kind != VALUE_NODE && !type_is_compound(v->value_type);
    if (!is_plain) {
      report_error(c->reporter, v->type->at.start,
                   "what a procedure gets and gives back is a number, a truth value or a value of an enumeration");
      report_hint(c->reporter,
                  "an array or a record can be a variable of the model, which procedures may read and change");
    }
    for (size_t j = 0; j < v->names.count; j++) {
      symbol *s = declare_member(c, f, &v->names.at[j], v->value_type);
      if (s) s->is_argument = is_argument;
    }
  }
}

static size_t name_count(const variables_trees *list) {
  size_t count = 0;
  for (size_t i = 0; i < list->count; i++) count += list->at[i]->names.count;
  return count;
}

/* What a call gives back is kept until it is assigned, apart from the variables of the procedure: they may be in use. */
static void declare_returned(checker *c, process_tree *p) {
  p->returned = arena_alloc(c->arena, (name_count(&p->results) + 1) * sizeof *p->returned);
  for (size_t i = 0; i < p->results.count; i++)
    for (size_t j = 0; j < p->results.at[i]->names.count; j++) {
      const declared_name *n = &p->results.at[i]->names.at[j];
      symbol *s = arena_alloc(c->arena, sizeof(symbol));
      char *name = text_format("%s.%s", p->name.word->text, n->word->text);
      word *w = words_make(c->scope->words, name);
      memory_free(name);
      *s = (symbol){.kind = SYMBOL_VARIABLE, .word = w, .offset = n->at.start, .type = p->results.at[i]->value_type};
      p->returned[p->returned_count++] = s;
    }
}

void declare_procedure(checker *c, process_tree *p) {
  family *f = arena_alloc(c->arena, sizeof(family));
  *f = (family){.word = p->name.word, .tree = p, .members = map_new(), .states = map_new(), .copies = 1};
  VECTOR_PUSH(c->scope->families, f);
  p->family = f;
  f->symbol = scope_add(c->scope, SYMBOL_PROCEDURE, f->word, p->name.at.start);
  if (f->symbol) f->symbol->family = f;
  declare_typed(c, f, &p->parameters, true);
  declare_typed(c, f, &p->results, false);
  declare_returned(c, p);
  for (size_t i = 0; i < p->variables.count; i++) {
    variables_tree *v = p->variables.at[i];
    v->value_type = scope_type(c->scope, v->type);
    const value_type *inner = v->value_type;
    while (inner->kind == VALUE_ARRAY) inner = inner->element;
    if (inner->kind == VALUE_RECORD) {
      report_error(c->reporter, v->type->at.start, "a procedure cannot have records of its own");
      report_hint(c->reporter, "a record can be a variable of the model, which procedures may read and change");
    }
    for (size_t j = 0; j < v->names.count; j++) declare_member(c, f, &v->names.at[j], v->value_type);
  }
}

/* ---- the procedure ---- */

static void bind_names(checker *c, const variables_trees *list) {
  for (size_t i = 0; i < list->count; i++)
    for (size_t j = 0; j < list->at[i]->names.count; j++)
      if (list->at[i]->names.at[j].symbol) scope_bind(c->scope, list->at[i]->names.at[j].symbol);
}

/* Values may depend on the call; those of the elements of an array are the same for all calls. */
static void check_first_values(checker *c, const process_tree *p) {
  c->in_declarations = true;
  for (size_t i = 0; i < p->variables.count; i++) {
    const variables_tree *v = p->variables.at[i];
    if (v->value && v->value_type->kind != VALUE_ARRAY)
      check_expect(c, v->value, v->value_type, "the variable");
    else
      check_initial_value(c, v);
  }
  c->in_declarations = false;
}

/* All that a procedure requires is one property, and all that it ensures. */
static void name_contracts(checker *c, const process_tree *p, bool is_ensured) {
  bool has_some = false;
  for (size_t i = 0; i < p->contract_count; i++) has_some |= p->contracts[i].is_ensured == is_ensured;
  if (!has_some) return;
  char *name = text_format("%s.%s", p->name.word->text, is_ensured ? "ensures" : "requires");
  declared_name made = {.word = words_make(c->scope->words, name), .at = p->name.at};
  check_property_name(c, &made, false);
  memory_free(name);
}

static void check_contracts(checker *c, const process_tree *p) {
  name_contracts(c, p, false);
  name_contracts(c, p, true);
  for (size_t i = 0; i < p->contract_count; i++) {
    const contract *k = &p->contracts[i];
    for (size_t j = 0; j < k->conditions.count; j++) {
      c->in_declarations = !k->is_ensured;
      c->in_ensures = k->is_ensured;
      check_condition(c, k->conditions.at[j], k->is_ensured ? "`ensures`" : "`requires`");
      c->in_declarations = c->in_ensures = false;
    }
  }
}

void check_procedure(checker *c, process_tree *p) {
  size_t mark = scope_enter(c->scope);
  check_open_process(c, p);
  bind_names(c, &p->parameters);
  bind_names(c, &p->results);
  check_contracts(c, p);
  check_first_values(c, p);
  check_program_body(c, p);
  c->inside = NULL;
  scope_leave(c->scope, mark);
}

/* ---- calls ---- */

static expression *name_of(checker *c, symbol *s, span at) {
  expression *e = arena_alloc(c->arena, sizeof(expression));
  *e = (expression){.kind = EXPRESSION_NAME, .at = at, .word = s->word, .symbol = s, .type = s->type};
  return e;
}

static void report_count(checker *c, const expression *call, const char *takes, size_t count, const char *what,
                         size_t given) {
  report_error(c->reporter, call->at.start, "`%s` %s %zu %s%s, not %zu", call->word->text, takes, count, what,
               count == 1 ? "" : "s", given);
}

/* The parameters, each with its value. */
static void check_arguments(checker *c, statement *s, const process_tree *p) {
  const expression *call = s->call;
  size_t count = name_count(&p->parameters), next = 0;
  if (count != call->count) report_count(c, call, "takes", count, "argument", call->count);
  s->arguments.at = arena_alloc(c->arena, (count + 1) * sizeof *s->arguments.at);
  for (size_t i = 0; i < p->parameters.count; i++)
    for (size_t j = 0; j < p->parameters.at[i]->names.count && next < call->count; j++) {
      symbol *to = p->parameters.at[i]->names.at[j].symbol;
      expression *value = call->parts[next++];
      if (!to) continue;
      char *where = text_format("the parameter `%s` of `%s`", to->word->text, call->word->text);
      check_expect(c, value, to->type, where);
      memory_free(where);
      assignment made = {.target = name_of(c, to, value->at), .value = value, .at = value->at};
      s->arguments.at[s->arguments.count++] = made;
    }
  while (next < call->count) check_expression(c, call->parts[next++]);
}

static void check_results(checker *c, statement *s, const process_tree *p) {
  if (s->updates.count && s->updates.count != p->returned_count) {
    report_count(c, s->call, "gives back", p->returned_count, "value", s->updates.count);
    if (!p->returned_count) report_hint(c->reporter, "call it by `%s(..)` alone", s->call->word->text);
    return;
  }
  for (size_t i = 0; i < s->updates.count; i++) s->updates.at[i].value = name_of(c, p->returned[i], s->call->at);
  check_assignments(c, &s->updates);
}

void check_call(checker *c, statement *s) {
  symbol *to = s->call->word->meaning;
  if (!to || to->kind != SYMBOL_PROCEDURE) {
    report_error(c->reporter, s->call->at.start, "there is no procedure `%s`", s->call->word->text);
    const char *near = NULL;
    for (size_t i = 0; i < c->scope->families.count && !near; i++) {
      const family *f = c->scope->families.at[i];
      if (f->tree->is_procedure && words_are_near(s->call->word->text, f->word->text)) near = f->word->text;
    }
    if (near) report_hint(c->reporter, "did you mean `%s`?", near);
    return;
  }
  s->call->symbol = to;
  scope_note_first(c->scope, s->call->at, to);
  check_arguments(c, s, to->family->tree);
  check_results(c, s, to->family->tree);
}

typedef VECTOR(symbol *) symbols;

/* Adds variables that are not of the procedure, and definitions: what a procedure has of its own has no value before it
 * starts, or keeps it. */
static void note_names(const family *f, const expression *e, symbols *out) {
  symbol *s = e->symbol;
  bool is_new = s && ((s->kind == SYMBOL_VARIABLE && s->family != f) || s->kind == SYMBOL_DEFINITION);
  for (size_t i = 0; is_new && i < out->count; i++) is_new = out->at[i] != s;
  if (is_new) VECTOR_PUSH(*out, s);
  if (is_new && s->kind == SYMBOL_DEFINITION) note_names(f, s->body, out);
  for (size_t i = 0; i < e->count; i++) note_names(f, e->parts[i], out);
}

static void note_olds(family *f, const expression *e) {
  symbols all = {0};
  for (size_t i = 0; i < f->olds.count; i++) VECTOR_PUSH(all, f->olds.at[i]);
  note_names(f, e, &all);
  for (size_t i = f->olds.count; i < all.count; i++)
    if (all.at[i]->kind == SYMBOL_VARIABLE) VECTOR_PUSH(f->olds, all.at[i]);
  VECTOR_FREE(all);
}

/* old(e): what e was when the procedure started. */
static const value_type *check_old(checker *c, expression *e) {
  if (!c->in_ensures || e->count != 1) {
    report_error(c->reporter, e->at.start, "`old(..)` takes one expression, and stands in `ensures` only");
    return &value_unknown;
  }
  c->in_declarations = true;
  const value_type *type = check_expression(c, e->parts[0]);
  c->in_declarations = false;
  if (type->kind != VALUE_UNKNOWN) note_olds(c->inside, e->parts[0]);
  e->kind = EXPRESSION_OLD;
  return type;
}

const value_type *check_inner_call(checker *c, expression *e) {
  const symbol *s = e->word->meaning;
  if (check_is_defined_call(e)) return check_defined_call(c, e);
  if (e->word->keyword == WORD_old && !s && c->has_procedures) return check_old(c, e);
  if (s && s->kind == SYMBOL_PROCEDURE) {
    report_error(c->reporter, e->at.start, "`%s` is a procedure, and is called by a statement of its own",
                 e->word->text);
    report_hint(c->reporter, "write `x := %s(..)` in a program or procedure, and use x", e->word->text);
  } else {
    report_error(c->reporter, e->at.start, "`%s` is not a function", e->word->text);
    report_hint(c->reporter,
                "the functions are min(a, b), max(a, b), abs(a), to_real(a), and what `define f(x) = ..` makes; an "
                "array is indexed with `[`");
  }
  return &value_unknown;
}

/* ---- what else the model declares ---- */

static const declaration *first_procedure(const module *m) {
  for (size_t i = 0; i < m->declarations.count; i++)
    if (m->declarations.at[i]->kind == DECLARATION_PROCEDURE) return m->declarations.at[i];
  return NULL;
}

static const char *what_does_not_fit(const declaration *d) {
  switch (d->kind) {
    case DECLARATION_ACTION: return "actions";
    case DECLARATION_PROCESS: return d->process->is_program ? NULL : "processes";
    case DECLARATION_FLAT: return "`flat`";
    case DECLARATION_TERMINATES: return NULL;
    default: return check_needs_system(d);
  }
}

static void refuse(checker *c, uint32_t offset, const char *what) {
  report_error(c->reporter, offset, "a model with recursive procedures cannot have %s", what);
  report_hint(c->reporter,
              "it has constants, variables, definitions, one program, and the properties `assert`, `safe`, "
              "`unreachable`, `requires`, `ensures` and `terminates`");
}

static void refuse_nodes(checker *c, const variables_tree *v) {
  if (v->value_type && v->value_type->kind == VALUE_NODE) refuse(c, v->at.start, "lists on the heap");
}

static void check_beside(checker *c, const declaration *d, const process_tree **program) {
  const char *what = what_does_not_fit(d);
  if (what) refuse(c, d->at.start, what);
  if (d->kind == DECLARATION_VAR) refuse_nodes(c, d->variables);
  if (d->kind == DECLARATION_VAR && d->variables->is_clock) refuse(c, d->at.start, "clocks");
  if (d->kind != DECLARATION_PROCESS) return;
  for (size_t i = 0; i < d->process->variables.count; i++) {
    refuse_nodes(c, d->process->variables.at[i]);
    if (d->process->variables.at[i]->is_clock) refuse(c, d->process->variables.at[i]->at.start, "clocks");
  }
  if (what) return;
  if (*program) refuse(c, d->at.start, "several programs");
  if (d->process->index) refuse(c, d->at.start, "copies of a program");
  *program = d->process;
}

static void refuse_own_nodes(checker *c, const process_tree *p) {
  for (size_t i = 0; i < p->variables.count; i++) {
    const variables_tree *v = p->variables.at[i];
    if (!v->value_type || v->value_type->kind != VALUE_NODE) continue;
    report_error(c->reporter, v->at.start, "a procedure cannot have variables for lists of its own");
    report_hint(c->reporter, "declare them outside of it: procedures may change the variables of the model");
  }
}

/* The time of a call would be that of each frame below it too. */
static void refuse_own_clocks(checker *c, const process_tree *p) {
  uint32_t at = p->invariant_count ? p->invariants[0].at.start : 0;
  bool found = p->invariant_count;
  for (size_t i = 0; i < p->variables.count && !found; i++) {
    found = p->variables.at[i]->is_clock;
    at = p->variables.at[i]->at.start;
  }
  if (!found) return;
  report_error(c->reporter, at, "a procedure cannot have clocks or invariants of its own");
  report_hint(c->reporter, "declare them in the model or in the program that calls it");
}

/* The first `assume` of the block; NULL if there is none. */
static const statement *find_assume(const block *b) {
  const statement *found = NULL;
  for (size_t i = 0; i < b->count && !found; i++) {
    const statement *s = b->at[i];
    if (s->kind == STATEMENT_ASSUME) return s;
    for (size_t j = 0; j < s->arm_count && !found; j++) found = find_assume(&s->arms[j].body);
    if (!found) found = find_assume(&s->otherwise);
  }
  return found;
}

/* That every run ends is asked of the clauses: a run that stops at an `assume` ends there, but not at the end of its program. */
static void refuse_assume_if_ends(checker *c, const module *m) {
  bool asks = false;
  const statement *found = NULL;
  for (size_t i = 0; i < m->declarations.count; i++) {
    const declaration *d = m->declarations.at[i];
    asks |= d->kind == DECLARATION_TERMINATES;
    if (!found && (d->kind == DECLARATION_PROCEDURE || d->kind == DECLARATION_PROCESS))
      found = find_assume(&d->process->body);
  }
  if (!asks || !found) return;
  report_error(c->reporter, found->at.start,
               "a model with recursive procedures and the property `terminates` cannot have `assume`");
  report_hint(c->reporter, "`init` says what holds at first; `if` goes on in both cases");
}

static bool is_program(const declaration *d) { return d->kind == DECLARATION_PROCESS && d->process->is_program; }

void check_beside_procedures(checker *c, const module *m) {
  const declaration *first = first_procedure(m);
  const process_tree *program = NULL;
  bool has_program = false;
  if (!first) return;
  c->has_procedures = true;
  c->is_recursive = !check_call_order(c);
  for (size_t i = 0; i < m->declarations.count; i++) {
    const declaration *d = m->declarations.at[i];
    has_program |= is_program(d);
    if (d->kind == DECLARATION_PROCEDURE) {
      refuse_own_nodes(c, d->process);
      refuse_own_clocks(c, d->process);
    }
    if (c->is_recursive) check_beside(c, d, &program);
  }
  if (c->is_recursive) refuse_assume_if_ends(c, m);
  if (has_program) return;
  report_error(c->reporter, first->at.start, "the model has procedures but no program that calls them");
  report_hint(c->reporter, "`program { x := %s(..) }` runs one", first->process->name.word->text);
}
