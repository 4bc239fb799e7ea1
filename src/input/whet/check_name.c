/* Names, and what is reached from them: elements, fields, places of processes. */
#include "input/whet/check.h"

bool expression_is_word(const expression *e, keyword w) {
  return e->kind == EXPRESSION_NAME && e->word->keyword == w && !e->symbol && !e->word->meaning;
}

static void check_body(checker *c, symbol *s) {
  family *inside = c->inside;
  dependence allowed = c->allowed, depends = c->depends;
  const char *constant_for = c->constant_for;
  bool negative = c->negative;
  unsigned iffs = c->iffs;
  unsigned level = c->scope->level;
  size_t suspended = scope_suspend(c->scope);
  bool is_constant = s->kind == SYMBOL_CONSTANT;
  c->scope->level = 0;
  c->inside = NULL;
  c->depends = DEPENDS_CONSTANTS;
  c->allowed = is_constant ? DEPENDS_CONSTANTS : DEPENDS_STATE;
  c->constant_for = is_constant ? "the value of a constant" : NULL;
  const value_type *type = check_expression(c, s->body);
  s->depends = c->depends;
  if (type->kind == VALUE_NODE || type_is_compound(type)) {
    char *is = type_describe(type);
    report_error(c->reporter, s->body->at.start, "%s of type %s cannot be given a name of its own", symbol_describe(s),
                 is);
    memory_free(is);
    type = &value_unknown;
  }
  if (s->type->kind == VALUE_UNKNOWN)
    s->type = type;
  else if (types_agree(c, type, s->type))
    check_fit(c, s->body, s->type);
  else
    check_report_mismatch(c, s->body, s->type, "this constant");
  c->scope->level = level;
  scope_resume(c->scope, suspended);
  c->inside = inside;
  c->allowed = allowed;
  c->depends = depends;
  c->constant_for = constant_for;
  c->negative = negative;
  c->iffs = iffs;
}

void check_symbol(checker *c, symbol *s) {
  if (s->checked == PROGRESS_DONE || !s->body || s->parameters) return;
  if (s->checked == PROGRESS_BUSY) {
    report_error(c->reporter, s->offset, "the definition of `%s` refers to itself", s->word->text);
    return;
  }
  s->checked = PROGRESS_BUSY;
  check_body(c, s);
  s->checked = PROGRESS_DONE;
}

static dependence symbol_dependence(const symbol *s) {
  switch (s->kind) {
    case SYMBOL_CONSTANT:
    case SYMBOL_VALUE: return DEPENDS_CONSTANTS;
    case SYMBOL_PARAMETER: return DEPENDS_PARAMETERS;
    case SYMBOL_INDEX: /* of a quantifier: what its range depends on */
    case SYMBOL_LOCAL:
    case SYMBOL_DEFINITION: return s->depends;
    default: return DEPENDS_STATE;
  }
}

/* A use of `s` at `e`: is it allowed here? */
static void check_use(checker *c, const expression *e, const symbol *s) {
  dependence depends = symbol_dependence(s);
  if (c->in_declarations && s->kind == SYMBOL_VARIABLE && s->family && !s->is_argument) {
    report_error(c->reporter, e->at.start, "`%s` has no value yet when its procedure starts", s->word->text);
    report_hint(c->reporter, "the parameters and the variables of the model have values then");
  }
  if (depends > c->depends) c->depends = depends;
  if (depends <= c->allowed) return;
  if (c->allowed == DEPENDS_PARAMETERS) {
    report_error(c->reporter, e->at.start, "an initial value may use constants and parameters, but `%s` is %s",
                 s->word->text, symbol_describe(s));
    report_hint(c->reporter, "`init` relates variables: init x = y");
    return;
  }
  report_error(c->reporter, e->at.start, "%s must be constant, but `%s` is %s", c->constant_for, s->word->text,
               symbol_describe(s));
  if (s->kind == SYMBOL_PARAMETER)
    report_hint(c->reporter, "give `%s` a value where it is declared: const %s = 3", s->word->text, s->word->text);
}

static const value_type *use_symbol(checker *c, expression *e, symbol *s) {
  e->symbol = s;
  scope_note_last(c->scope, e->at, s);
  check_symbol(c, s);
  check_use(c, e, s);
  if (s->kind == SYMBOL_FIXPOINT && (c->iffs != s->iffs || c->negative != s->negative)) {
    report_error(c->reporter, e->at.start, "`%s` stands below a negation inside its fixpoint", s->word->text);
    report_hint(c->reporter, "a fixpoint exists only if its variable stands below an even number of negations");
  }
  return s->type;
}

static const value_type *report_unknown(checker *c, const expression *e, const word *w, const char *what) {
  report_error(c->reporter, e->at.start, "%s `%s` is not declared", what, w->text);
  return &value_unknown;
}

const value_type *check_name(checker *c, expression *e) {
  symbol *s = e->symbol ? e->symbol : e->word->meaning;
  if (!s) {
    if (e->word->keyword == WORD_null) return &value_node;
    report_unknown(c, e, e->word, "the name");
    size_t state;
    if (c->inside && family_state(c->inside, e->word, &state))
      report_hint(c->reporter, "to test the place of the process, write `at %s`", e->word->text);
    else if (e->word->keyword == WORD_new)
      report_hint(c->reporter, "`new` makes a node as the right side of an assignment: `p := new`");
    else
      scope_suggest(c->scope, e->word);
    return &value_unknown;
  }
  if (s->kind == SYMBOL_PROCESS) {
    report_error(c->reporter, e->at.start, "`%s` is %s, not a value", e->word->text, symbol_describe(s));
    report_hint(c->reporter,
                s->family->is_replicated ? "write `%s[i] at STATE`, or `%s[i].x` for one of its variables"
                                         : "write `%s at STATE`, or `%s.x` for one of its variables",
                e->word->text, e->word->text);
    e->symbol = s;
    return &value_unknown;
  }
  if (s->parameters) {
    report_error(c->reporter, e->at.start, "`%s` has parameters: `%s(..)`", e->word->text, e->word->text);
    return &value_unknown;
  }
  if (s->kind == SYMBOL_TYPE) {
    report_error(c->reporter, e->at.start, "`%s` is a type, not a value", e->word->text);
    return &value_unknown;
  }
  if (s->kind == SYMBOL_PROCEDURE) {
    report_error(c->reporter, e->at.start, "`%s` is a procedure, not a value", e->word->text);
    report_hint(c->reporter, "call it by a statement of a program or procedure: `x := %s(..)`", e->word->text);
    e->symbol = s;
    return &value_unknown;
  }
  return use_symbol(c, e, s);
}

/* The text of a chain of names, constant indices and fields; false if it is anything else. */
static bool add_chain(const expression *e, text *out) {
  if (e->kind == EXPRESSION_NAME) {
    text_add(out, "%s", e->word->text);
    return true;
  }
  if (e->kind == EXPRESSION_FIELD) {
    if (!add_chain(e->parts[0], out)) return false;
    text_add(out, ".%s", e->word->text);
    return true;
  }
  if (e->kind != EXPRESSION_INDEX || !add_chain(e->parts[0], out)) return false;
  const expression *index = e->parts[1];
  bool negative = index->kind == EXPRESSION_NEGATE;
  if (negative) index = index->parts[0];
  if (index->kind != EXPRESSION_NUMBER) return false;
  text_add(out, negative ? "[-" : "[");
  number_print(out, index->number);
  text_add_char(out, ']');
  return true;
}

void check_qualified(checker *c, expression *e) {
  if (!c->scope->has_qualified || (e->kind != EXPRESSION_INDEX && e->kind != EXPRESSION_FIELD)) return;
  text chain = {0};
  word *w = add_chain(e, &chain) ? words_find(c->scope->words, text_string(&chain)) : NULL;
  text_clear(&chain);
  if (!w || !w->meaning) return;
  e->kind = EXPRESSION_NAME;
  e->word = w;
  e->count = 0;
}

/* The process that `e` names, with its index if it has copies; NULL if it names none. */
static symbol *check_process_name(checker *c, expression *e) {
  check_qualified(c, e);
  expression *base = e->kind == EXPRESSION_INDEX ? e->parts[0] : e;
  if (base->kind != EXPRESSION_NAME || !base->word->meaning || base->word->meaning->kind != SYMBOL_PROCESS) return NULL;
  symbol *s = base->symbol = base->word->meaning;
  scope_note_first(c->scope, base->at, s);
  e->symbol = s;
  e->type = &value_unknown;
  if (e->kind == EXPRESSION_INDEX) {
    check_expect(c, e->parts[1], &value_int, "the index of a process");
    if (!s->family->is_replicated)
      report_error(c->reporter, e->at.start, "`%s` is a single process and has no index", s->word->text);
  } else if (s->family->is_replicated) {
    report_error(c->reporter, e->at.start, "`%s` has several copies: which one is meant?", s->word->text);
    report_hint(c->reporter, "write `%s[1]`, or quantify: `forall i : 1..N . %s[i] ..`", s->word->text, s->word->text);
  }
  return s;
}

const value_type *check_index(checker *c, expression *e) {
  check_qualified(c, e);
  if (e->kind == EXPRESSION_NAME) return check_name(c, e);
  symbol *process = check_process_name(c, e);
  if (process) {
    report_error(c->reporter, e->at.start, "`%s[..]` is %s, not a value", process->word->text,
                 symbol_describe(process));
    report_hint(c->reporter, "write `%s[i] at STATE`, or `%s[i].x` for one of its variables", process->word->text,
                process->word->text);
    return &value_unknown;
  }
  const value_type *base = check_expression(c, e->parts[0]);
  check_expect(c, e->parts[1], &value_int, "an index");
  if (base->kind == VALUE_UNKNOWN) return base;
  if (base->kind == VALUE_ARRAY) return base->element;
  char *excerpt = source_excerpt(c->reporter->source, e->parts[0]->at, 40), *is = type_describe(base);
  report_error(c->reporter, e->at.start, "`%s` is of type %s and has no elements", excerpt, is);
  memory_free(excerpt);
  memory_free(is);
  return &value_unknown;
}

static void suggest_member(checker *c, const family *f, const word *w) {
  const char *near = NULL;
  size_t distance = SIZE_MAX;
  for (size_t i = 0; f->tree && i < f->tree->variables.count; i++) {
    for (size_t j = 0; j < f->tree->variables.at[i]->names.count; j++) {
      const char *known = f->tree->variables.at[i]->names.at[j].word->text;
      size_t d = words_distance(w->text, known);
      if (words_are_near(w->text, known) && d < distance) near = known, distance = d;
    }
  }
  if (near) report_hint(c->reporter, "did you mean `%s`?", near);
}

static const value_type *check_member(checker *c, expression *e, const family *f) {
  symbol *s = family_member(f, e->word);
  if (!s) {
    report_error(c->reporter, e->at.start, "%s `%s` has no variable `%s`", family_describe(f), f->word->text,
                 e->word->text);
    size_t state;
    if (family_state(f, e->word, &state))
      report_hint(c->reporter, "to test its place, write `at %s`", e->word->text);
    else
      suggest_member(c, f, e->word);
    return &value_unknown;
  }
  return use_symbol(c, e, s);
}

static const value_type *check_record_field(checker *c, expression *e, const record_type *r) {
  const record_field *found = record_find(r, e->word);
  e->kind = EXPRESSION_MEMBER;
  e->symbol = NULL;
  e->field = found;
  if (found) return found->type;
  const char *near = NULL;
  report_error(c->reporter, e->at.start, "the record `%s` has no field `%s`", r->symbol->word->text, e->word->text);
  for (size_t i = 0; i < r->count && !near; i++)
    if (words_are_near(e->word->text, r->fields[i].word->text)) near = r->fields[i].word->text;
  if (near) report_hint(c->reporter, "did you mean `%s`?", near);
  return &value_unknown;
}

const value_type *check_field(checker *c, expression *e) {
  check_qualified(c, e);
  if (e->kind == EXPRESSION_NAME) return check_name(c, e);
  expression *base = e->parts[0];
  symbol *process = check_process_name(c, base);
  if (process) return check_member(c, e, process->family);
  const value_type *type = check_expression(c, base);
  if (type->kind == VALUE_UNKNOWN) return type;
  bool is_variable = base->kind == EXPRESSION_NAME || (base->kind == EXPRESSION_FIELD && base->symbol);
  if (type->kind == VALUE_NODE && !is_variable) {
    report_error(c->reporter, e->at.start, "only the fields of a variable can be read");
    report_hint(c->reporter, "go one step at a time: `q := p.next; r := q.next`");
    return &value_unknown;
  }
  if (type->kind == VALUE_NODE && expression_is_word(base, WORD_null)) {
    report_error(c->reporter, e->at.start, "null has no fields");
    return &value_unknown;
  }
  if (type->kind == VALUE_RECORD) return check_record_field(c, e, type->record);
  const record_field *field = type->kind == VALUE_NODE ? scope_node_field(c->scope, e->word) : NULL;
  e->field = field;
  if (field) return field->type;
  char *is = type_describe(type);
  report_error(c->reporter, e->at.start, "a value of type %s has no field `%s`", is, e->word->text);
  if (type->kind == VALUE_NODE && !c->scope->nodes)
    report_hint(c->reporter, "a node has the fields `data` and `next`, unless `record node { .. }` gives it others");
  memory_free(is);
  return &value_unknown;
}

static void suggest_state(checker *c, const family *f, const word *w) {
  const word *near = NULL;
  size_t distance = SIZE_MAX;
  for (size_t i = 0; i < f->state_words.count; i++) {
    const word *known = f->state_words.at[i];
    size_t d = words_distance(w->text, known->text);
    if (words_are_near(w->text, known->text) && d < distance) near = known, distance = d;
  }
  if (near) report_hint(c->reporter, "did you mean `%s`?", near->text);
}

/* Places of programs have names only when they are lowered, so those are looked up then. */
static void check_state(checker *c, const expression *e, const family *f) {
  size_t state;
  scope_note_member(c->scope, e->at, f, e->word);
  if ((f->tree && f->tree->is_program) || family_state(f, e->word, &state)) return;
  report_error(c->reporter, e->at.start, "process `%s` has no state `%s`", f->word->text, e->word->text);
  suggest_state(c, f, e->word);
}

const value_type *check_at(checker *c, expression *e) {
  if (DEPENDS_STATE > c->allowed) {
    report_error(c->reporter, e->at.start, "the place of a process is not constant");
    return &value_bool;
  }
  c->depends = DEPENDS_STATE;
  if (c->is_recursive) {
    report_error(c->reporter, e->at.start, "in a model with recursive procedures, places cannot be asked for");
    report_hint(c->reporter, "`assert` stands at a place; a variable can say where the program is");
    return &value_unknown;
  }
  if (!e->count) {
    if (c->inside)
      check_state(c, e, c->inside);
    else {
      report_error(c->reporter, e->at.start, "`at %s` stands outside of a process", e->word->text);
      report_hint(c->reporter, "say which process is meant: `P at %s`", e->word->text);
    }
    e->symbol = c->inside ? c->inside->symbol : NULL;
    return &value_bool;
  }
  symbol *process = check_process_name(c, e->parts[0]);
  e->symbol = process;
  if (process) {
    check_state(c, e, process->family);
    return &value_bool;
  }
  expression *base = e->parts[0];
  if (base->kind == EXPRESSION_NAME && !base->word->meaning) {
    report_unknown(c, base, base->word, "the process");
    scope_suggest(c->scope, base->word);
    return &value_bool;
  }
  if (check_expression(c, base)->kind != VALUE_UNKNOWN) {
    char *excerpt = source_excerpt(c->reporter->source, base->at, 40);
    report_error(c->reporter, base->at.start, "`%s` is not a process", excerpt);
    report_hint(c->reporter, "only processes and programs are `at` a place");
    memory_free(excerpt);
  }
  return &value_bool;
}
