/* All declarations of a text, in the order that lets each see what it needs. */
#include "input/whet/check.h"

void checker_open(checker *c, scope *s) {
  *c = (checker){.scope = s,
                 .reporter = s->reporter,
                 .arena = s->arena,
                 .allowed = DEPENDS_STATE,
                 .properties = names_new(),
                 .asserts = names_new()};
}

void checker_close(checker *c) {
  names_free(c->properties);
  names_free(c->asserts);
}

void check_property_name(checker *c, const declared_name *name, bool is_assert) {
  const char *spelling = name->word->text;
  uint64_t first;
  bool taken = names_get(c->properties, spelling, &first) || (!is_assert && names_get(c->asserts, spelling, &first));
  if (taken) {
    report_error(c->reporter, name->at.start, "there are two properties `%s`", spelling);
    report_first_place(c->reporter, "the first is", (uint32_t)first);
  } else if (!strcmp(spelling, "no-runtime-error") && !c->scope->is_flat) { /* a text of whet's own may state it */
    report_error(c->reporter, name->at.start, "`%s` is the name of the property that every model has", spelling);
  } else {
    names_set(is_assert ? c->asserts : c->properties, spelling, name->at.start);
  }
}

/* How many of its indices are of any length. */
static unsigned long_indices(const value_type *t) {
  return t->kind == VALUE_ARRAY ? t->is_long + long_indices(t->element) : 0;
}

/* Its indices are constant, or it is an array of any length. */
static void check_array_type(checker *c, value_type *t) {
  if (t->tree->low) {
    dependence before = c->depends;
    c->depends = DEPENDS_CONSTANTS;
    c->constant_for = "the index range of an array";
    check_expect(c, t->tree->low, &value_int, "the index range of an array");
    check_expect(c, t->tree->high, &value_int, "the index range of an array");
    t->is_long = c->depends > DEPENDS_CONSTANTS;
    c->depends = before;
    c->constant_for = NULL;
  }
  if (t->is_long && t->in_record) {
    report_error(c->reporter, t->tree->at.start, "a record cannot hold an array of any length");
    report_hint(c->reporter, "an array of any length can hold records: `array[0..n-1] of Point`");
  }
  c->has_long_arrays |= t->is_long;
  c->may_have_long |= t->tree->is_array_of;
  if (!t->is_long || long_indices(t) <= MOST_NESTING + 1) return;
  report_error(c->reporter, t->tree->at.start, "at most %d indices of an array can be of any length", MOST_NESTING + 1);
}

static void check_record_type(checker *c, const record_type *r) {
  for (size_t i = 0; i < r->tree->count; i++) check_initial_value(c, r->tree->at[i]);
}

static void check_types(checker *c) {
  for (size_t i = 0; i < c->scope->types.count; i++) {
    value_type *t = c->scope->types.at[i];
    if (t->kind == VALUE_ARRAY) {
      check_array_type(c, t);
      continue;
    }
    if (t->kind == VALUE_RECORD) {
      check_record_type(c, t->record);
      continue;
    }
    check_constant(c, t->tree->low, &value_int, "a range");
    check_constant(c, t->tree->high, &value_int, "a range");
  }
}

static void check_conditions(checker *c, const declaration *d, const char *where) {
  for (size_t i = 0; i < d->expressions.count; i++) check_condition(c, d->expressions.at[i], where);
}

void check_initial_value(checker *c, const variables_tree *v) {
  if (!v->value) return;
  const value_type *type = v->value_type;
  while (type->kind == VALUE_ARRAY) type = type->element;
  if (type->kind == VALUE_NODE) {
    if (!expression_is_word(v->value, WORD_null))
      report_error(c->reporter, v->value->at.start, "the initial value of a node is `null`");
    return;
  }
  if (type->kind == VALUE_RECORD) {
    report_error(c->reporter, v->value->at.start, "the fields of a record have initial values, not the record");
    report_hint(c->reporter, "`record %s { x : int = 0 }` gives them to all, `init` to one",
                type->record->symbol->word->text);
    return;
  }
  c->allowed = DEPENDS_PARAMETERS;
  check_expect(c, v->value, type, "the variable");
  c->allowed = DEPENDS_STATE;
}

static void check_action(checker *c, command_tree *a) {
  size_t mark = scope_enter(c->scope);
  check_inputs(c, &a->inputs);
  check_condition(c, a->guard, "the guard");
  if (a->fails) check_condition(c, a->fails, "the condition after `fails`");
  check_assignments(c, &a->updates);
  scope_leave(c->scope, mark);
}

/* Programs end; processes and actions may always go on. */
static void check_has_program(checker *c, const declaration *d) {
  for (size_t i = 0; i < c->scope->families.count; i++)
    if (c->scope->families.at[i]->tree->is_program) return;
  report_error(c->reporter, d->at.start,
               "`terminates` is about programs, and there is none; `ltl NAME : F p` says that p will be");
}

/* The first operator about a run with no path quantifier around it; NULL if there is none. */
static const expression *find_open_run(const expression *e) {
  if (!e->is_temporal) return NULL;
  bool is_operator = e->kind == EXPRESSION_TEMPORAL && !temporal_is_past((temporal_kind)e->temporal);
  if (is_operator) return e->temporal == TEMPORAL_A || e->temporal == TEMPORAL_E ? NULL : e;
  const expression *found = NULL;
  for (size_t i = 0; i < e->count && !found; i++) found = find_open_run(e->parts[i]);
  return found;
}

static void check_is_of_states(checker *c, const expression *e) {
  const expression *open = find_open_run(e);
  if (!open) return;
  report_error(c->reporter, open->at.start, "this is about a run, and a ctlstar property is about states");
  report_hint(c->reporter, "put `A` (all runs from there) or `E` (some run) before it: `A (G F x = 0)`");
}

static void check_property(checker *c, declaration *d) {
  check_property_name(c, &d->name, false);
  if (d->kind == DECLARATION_TERMINATES) check_has_program(c, d);
  if (d->kind == DECLARATION_DEADLOCKFREE) check_conditions(c, d, "`unless`");
  if (d->kind == DECLARATION_DEADLOCKFREE || d->kind == DECLARATION_TERMINATES) return;
  if (d->kind == DECLARATION_SAFE || d->kind == DECLARATION_UNREACHABLE)
    check_condition(c, d->expressions.at[0], "a property");
  else
    check_expect(c, d->expressions.at[0], &value_bool, "a property");
  if (d->kind == DECLARATION_CTLSTAR) check_is_of_states(c, d->expressions.at[0]);
}

/* Actions and labels are looked up when the steps have been lowered; here only processes are. */
static void check_fair_member(checker *c, expression *e) {
  check_qualified(c, e);
  expression *base = e->kind == EXPRESSION_FIELD ? e->parts[0] : e;
  check_qualified(c, base);
  expression *name = base->kind == EXPRESSION_INDEX ? base->parts[0] : base;
  if (name == e && e->kind == EXPRESSION_NAME) scope_note_member(c->scope, e->at, NULL, e->word);
  if (name == e) return; /* an action, or a whole process */
  symbol *s = name->kind == EXPRESSION_NAME ? name->word->meaning : NULL;
  if (!s || s->kind != SYMBOL_PROCESS) {
    char *excerpt = source_excerpt(c->reporter->source, base->at, 40);
    report_error(c->reporter, base->at.start, "there is no process `%s`", excerpt);
    if (name->kind == EXPRESSION_NAME) scope_suggest(c->scope, name->word);
    memory_free(excerpt);
    return;
  }
  name->symbol = s;
  scope_note_first(c->scope, name->at, s);
  if (e->kind == EXPRESSION_FIELD) scope_note_member(c->scope, e->at, s->family, e->word);
  if (base->kind != EXPRESSION_INDEX) return;
  check_constant(c, base->parts[1], &value_int, "the index of a process");
  if (!s->family->is_replicated)
    report_error(c->reporter, base->at.start, "`%s` is a single process and has no index", s->word->text);
}

/* Beside `inf(..)` everything stands in one. */
static void check_often(checker *c, const expression *e) {
  if (e->kind == EXPRESSION_TEMPORAL) return;
  if (!e->is_temporal) {
    report_error(c->reporter, e->at.start,
                 "beside `inf(..)` a fairness condition says of everything how often it holds");
    report_hint(c->reporter, "`inf(p)`: infinitely often; `!inf(!p)`: always, from some moment on");
    return;
  }
  bool is_let = e->kind == EXPRESSION_LET;
  for (size_t i = is_let ? e->count - 1 : 0; i < e->count; i++) check_often(c, e->parts[i]);
}

static void check_fairness(checker *c, declaration *d) {
  c->in_fairness = true;
  for (size_t i = 0; i < d->expressions.count; i++) {
    check_expect(c, d->expressions.at[i], &value_bool, "fairness");
    if (d->expressions.at[i]->is_temporal) check_often(c, d->expressions.at[i]);
  }
  c->in_fairness = false;
  for (size_t i = 0; i < d->group_count; i++)
    for (size_t j = 0; j < d->groups[i].members.count; j++) check_fair_member(c, d->groups[i].members.at[j]);
}

static void check_declaration(checker *c, declaration *d) {
  switch (d->kind) {
    case DECLARATION_FLAT:
    case DECLARATION_CONST:
    case DECLARATION_TYPE:
    case DECLARATION_CONTROL: /* names are looked up when the variables are there */
    case DECLARATION_RECORD:
    case DECLARATION_DEFINE: break;
    case DECLARATION_VAR: check_initial_value(c, d->variables); break;
    case DECLARATION_INIT: check_conditions(c, d, "`init`"); break;
    case DECLARATION_PREDICATES: check_conditions(c, d, "a predicate"); break;
    case DECLARATION_LEMMA: check_conditions(c, d, "a lemma"); break;
    case DECLARATION_DOMAIN: check_conditions(c, d, "a domain"); break;
    case DECLARATION_ACTION: check_action(c, d->action); break;
    case DECLARATION_PROCESS: check_process(c, d->process); break;
    case DECLARATION_PROCEDURE: check_procedure(c, d->process); break;
    case DECLARATION_SAFE:
    case DECLARATION_UNREACHABLE:
    case DECLARATION_DEADLOCKFREE:
    case DECLARATION_TERMINATES:
    case DECLARATION_CTL:
    case DECLARATION_LTL:
    case DECLARATION_CTLSTAR:
    case DECLARATION_MU: check_property(c, d); break;
    case DECLARATION_FAIR: check_fairness(c, d); break;
  }
}

const char *check_needs_system(const declaration *d) {
  switch (d->kind) {
    case DECLARATION_DEADLOCKFREE: return "the property `deadlockfree`";
    case DECLARATION_TERMINATES: return "the property `terminates`";
    case DECLARATION_CTL: return "CTL properties";
    case DECLARATION_LTL: return "LTL properties";
    case DECLARATION_CTLSTAR: return "CTL* properties";
    case DECLARATION_MU: return "mu-calculus properties";
    case DECLARATION_FAIR: return "fairness";
    case DECLARATION_PREDICATES: return "`predicates`";
    case DECLARATION_LEMMA: return "`lemma`";
    case DECLARATION_DOMAIN: return "`domain`";
    case DECLARATION_CONTROL: return "`control`";
    default: return NULL;
  }
}

void check_module(checker *c, const module *m) {
  for (size_t i = 0; i < m->declarations.count; i++) {
    const declaration *d = m->declarations.at[i];
    for (size_t j = 0; d->kind == DECLARATION_CONST && j < d->variables->names.count; j++)
      if (d->variables->names.at[j].symbol) check_symbol(c, d->variables->names.at[j].symbol);
  }
  check_types(c); /* what quantifiers may range over depends on them */
  for (size_t i = 0; i < m->declarations.count; i++) {
    const declaration *d = m->declarations.at[i];
    if (d->kind == DECLARATION_DEFINE && d->name.symbol) check_symbol(c, d->name.symbol);
  }
  check_beside_procedures(c, m);
  check_beside_arrays(c, m);
  for (size_t i = 0; i < m->declarations.count && !reporter_is_full(c->reporter); i++)
    check_declaration(c, m->declarations.at[i]);
  for (size_t i = 0; i < m->declarations.count && !reporter_is_full(c->reporter); i++)
    if (m->declarations.at[i]->parameters.count && m->declarations.at[i]->name.symbol)
      check_parametric(c, m->declarations.at[i]->name.symbol);
}
