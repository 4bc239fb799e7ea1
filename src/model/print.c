/* A model as text that parses and means the same: processes keep their places, programs have become processes, arrays
 * single variables, and named expressions are gone, but for those that whet makes itself if the text would be much longer
 * without. What evaluation could trip over stands after `fails`
 * (docs/language.md). */
#include "term/print.h"

#include "base/escape.h"
#include "base/map.h"
#include "model/model.h"
#include "term/fold.h"
#include "term/heap/node_layout.h"

static void print_type(const type *t, text *out) {
  if (t->sort == SORT_BOOL) {
    text_add(out, "bool");
  } else if (t->sort == SORT_REAL) {
    text_add(out, "real");
  } else if (t->sort == SORT_NODE) {
    text_add(out, "node");
  } else if (t->names) {
    for (size_t i = 0; i < t->name_count; i++) {
      text_add(out, i ? ", " : "{");
      name_print_declared(t->names[i], out);
    }
    text_add_char(out, '}');
  } else if (t->has_low && t->has_high) {
    number_print(out, t->low);
    text_add(out, "..");
    number_print(out, t->high);
  } else {
    text_add(out, t->has_low && number_is(t->low, 0) ? "nat" : "int");
  }
}

/* Names with dots or brackets are one name in the printed model, so they are quoted where they are declared; in
 * expressions they are plain, and the parser reads `P[1].a` as the name of that variable when there is one. */
static void print_declaration(const model *m, const state_variable *v, text *out) {
  text_add(out, v->role == ROLE_PARAMETER ? "const " : "var ");
  name_print_declared(variable_name(m->terms, v->var), out);
  text_add(out, " : ");
  print_type(variable_type(m->terms, v->var), out);
  text_add_char(out, '\n');
}

/* The data of a new node is an input that `new` stands for. */
static bool is_printed_input(const model *m, const transition *t, variable input) {
  variable_vector all = {0};
  bool is_data = false;
  if (t->heap.kind == HEAP_NEW) term_variables(m->terms, 1, &t->heap.value, &all);
  for (size_t i = 0; i < all.count; i++) is_data |= variable_same(all.at[i], input);
  VECTOR_FREE(all);
  return !is_data;
}

static void print_inputs(const model *m, const transition *t, const char *opening, text *out) {
  size_t printed = 0;
  for (size_t i = 0; i < t->inputs.count; i++) {
    if (!is_printed_input(m, t, t->inputs.at[i])) continue;
    text_add(out, "%s", printed++ ? ", " : opening);
    name_print_declared(variable_name(m->terms, t->inputs.at[i]), out);
    text_add(out, " : ");
    print_type(variable_type(m->terms, t->inputs.at[i]), out);
  }
  if (printed) text_add_char(out, ')');
}

/* The value that a field gets: `position` is where it stands in its type. */
static void print_data(const model *m, const term_names *named, const node_field *field, term position, text *out) {
  terms *ts = m->terms;
  number n;
  bool is_number = term_is_number(ts, position, &n);
  if (field->of.sort == SORT_BOOL) {
    bool is_choice = !is_number && term_kind_of(ts, position) == TERM_INT_ITE;
    term truth = is_number ? term_of_bool(!number_is(n, 0)) : term_eq(ts, position, term_int(ts, 1));
    if (is_choice && term_is_number(ts, term_argument(ts, position, 1), &n)) {
      truth = term_argument(ts, position, 0);
      if (number_is(n, 0)) truth = term_not(truth);
    }
    term_print_with(ts, truth, named, out);
  } else {
    term_print_with(ts, term_add(ts, position, term_number(ts, field->of.low)), named, out);
  }
}

static void print_heap(const model *m, const term_names *named, const heap_command *h, text *out) {
  bool to_next = h->kind == HEAP_SET_NEXT || h->kind == HEAP_CUT_NEXT, to_data = h->kind == HEAP_SET_DATA;
  if (h->kind == HEAP_FREE) text_add(out, "free ");
  name_print(variable_name(m->terms, h->target), out);
  if (h->kind == HEAP_FREE) return;
  if (to_next) text_add(out, ".%s", m->nodes->pointers[h->field]);
  if (to_data) text_add(out, ".%s", m->nodes->fields[h->field].name);
  text_add(out, " := ");
  switch (h->kind) {
    case HEAP_NONE:
    case HEAP_FREE: break;
    case HEAP_NEW: text_add(out, "new"); break;
    case HEAP_CLEAR:
    case HEAP_CUT_NEXT: text_add(out, "null"); break;
    case HEAP_COPY:
    case HEAP_NEXT:
    case HEAP_SET_NEXT:
      name_print(variable_name(m->terms, h->source), out);
      if (h->kind == HEAP_NEXT) text_add(out, ".%s", m->nodes->pointers[h->field]);
      break;
    case HEAP_SET_DATA: print_data(m, named, &m->nodes->fields[h->field], h->value, out); break;
  }
}

/* record node { next : node, color : {red, black} } */
static void print_layout(const model *m, text *out) {
  const node_layout *l = m->nodes;
  if (!l || l == &node_layout_default) return;
  text_add(out, "record node {");
  for (size_t f = 0; f < l->pointer_count; f++) text_add(out, "%s %s : node", f ? "," : "", l->pointers[f]);
  for (size_t f = 0; f < l->field_count; f++) {
    text_add(out, "%s %s : ", f || l->pointer_count ? "," : "", l->fields[f].name);
    print_type(&l->fields[f].of, out);
  }
  text_add(out, " }\n");
}

/* What `free` brings with it: it is not printed. */
static bool is_implied(const model *m, variable v) { return m->frees && variable_same(v, m->lost); }

static term printed_init(const model *m) {
  term_vector all = {0}, kept = {0};
  term none = m->frees ? term_heap_null(m->terms, m->lost) : TERM_TRUE;
  term_conjuncts(m->terms, m->init, &all);
  for (size_t i = 0; i < all.count; i++)
    if (!term_same(all.at[i], none)) VECTOR_PUSH(kept, all.at[i]);
  term result = term_and_all(m->terms, kept.count, kept.at);
  VECTOR_FREE(all);
  VECTOR_FREE(kept);
  return result;
}

static void print_updates(const model *m, const term_names *named, const transition *t, const variable *skip,
                          text *out) {
  bool first = true;
  for (size_t i = 0; i < t->updates.count; i++) {
    const update *u = &t->updates.at[i];
    if (skip && variable_same(u->var, *skip)) continue;
    if (!first) text_add(out, ", ");
    first = false;
    name_print(variable_name(m->terms, u->var), out);
    text_add(out, " := ");
    const type *of = variable_type(m->terms, u->var);
    number n;
    int64_t value;
    if (of->names && term_is_number(m->terms, u->value, &n) && number_to_int64(n, &value) && value >= 0 &&
        (size_t)value < of->name_count)
      name_print_declared(of->names[value], out);
    else
      term_print_with(m->terms, u->value, named, out);
  }
  if (t->heap.kind != HEAP_NONE) {
    if (!first) text_add(out, ", ");
    print_heap(m, named, &t->heap, out);
  }
}

static bool has_other_updates(const transition *t, variable skip) {
  for (size_t i = 0; i < t->updates.count; i++)
    if (!variable_same(t->updates.at[i].var, skip)) return true;
  return t->heap.kind != HEAP_NONE;
}

static void print_fault(const model *m, const term_names *named, const transition *t, text *out) {
  term f = transition_fault(m, t);
  if (term_is_false(f)) return;
  text_add(out, " fails ");
  term_print_with(m->terms, f, named, out);
}

/* The value that a conjunct `place = value` of the guard fixes, and the rest of the guard. */
static bool split_guard(const model *m, const transition *t, variable location, int64_t *from, term *rest) {
  terms *ts = m->terms;
  term_vector parts = {0}, others = {0};
  bool found = false;
  term_conjuncts(ts, t->guard, &parts);
  for (size_t i = 0; i < parts.count; i++) {
    term p = parts.at[i];
    if (!found && term_kind_of(ts, p) == TERM_EQ && !term_is_negated(p)) {
      linear l = term_linear(ts, term_argument(ts, p, 0));
      if (l.count == 1 && term_kind_of(ts, l.leaves[0]) == TERM_INT_VARIABLE &&
          variable_same(term_variable(ts, l.leaves[0]), location) && number_to_int64(number_negate(l.constant), from)) {
        found = true;
        continue;
      }
    }
    VECTOR_PUSH(others, p);
  }
  *rest = term_and_all(ts, others.count, others.at);
  VECTOR_FREE(parts);
  VECTOR_FREE(others);
  return found;
}

/* `name` without the process in front of it. */
static const char *label_of(const process *p, const char *name) {
  size_t length = strlen(p->name);
  return !strncmp(name, p->name, length) && name[length] == '.' ? name + length + 1 : name;
}

static void print_step(const model *m, const term_names *named, const process *p, const transition *t, text *out) {
  int64_t from = 0, to;
  term rest;
  const type *places = variable_type(m->terms, p->location);
  bool split = split_guard(m, t, p->location, &from, &rest);
  REQUIRE(split, "a transition of a process that starts at a place");
  number n;
  to = from;
  if (term_is_number(m->terms, transition_value_after(m, t, p->location), &n)) number_to_int64(n, &to);
  text_add(out, "  ");
  name_print_declared(label_of(p, t->name), out);
  text_add(out, ": ");
  name_print_declared(places->names[from], out);
  text_add(out, " -> ");
  name_print_declared(places->names[to], out);
  print_inputs(m, t, " (", out);
  if (!term_is_true(rest)) {
    text_add(out, " when ");
    term_print_with(m->terms, rest, named, out);
  }
  print_fault(m, named, t, out);
  if (has_other_updates(t, p->location)) {
    text_add(out, " : ");
    print_updates(m, named, t, &p->location, out);
  }
  text_add_char(out, '\n');
}

static void print_process(const model *m, const term_names *named, uint32_t index, text *out) {
  const process *p = &m->processes.at[index];
  const type *places = variable_type(m->terms, p->location);
  text_add(out, "process ");
  name_print_declared(p->name, out);
  text_add(out, " {\n  states ");
  for (size_t i = 0; i < places->name_count; i++) {
    if (i) text_add(out, ", ");
    name_print_declared(places->names[i], out);
  }
  text_add_char(out, '\n');
  for (size_t i = 0; i < m->transitions.count; i++)
    if (m->transitions.at[i].process == index) print_step(m, named, p, &m->transitions.at[i], out);
  text_add(out, "}\n");
}

static void print_action(const model *m, const term_names *named, const transition *t, text *out) {
  text_add(out, "action ");
  name_print_declared(t->name, out);
  print_inputs(m, t, "(", out);
  text_add(out, ": ");
  term_print_with(m->terms, t->guard, named, out);
  print_fault(m, named, t, out);
  text_add(out, " -> ");
  if (!term_is_false(t->guard)) print_updates(m, named, t, NULL, out);
  text_add(out, ";\n");
}

static void print_property(const model *m, const term_names *named, const property *p, text *out) {
  static const char *const words[] = {[PROPERTY_SAFE] = "unreachable",
                                      [PROPERTY_DEADLOCKFREE] = "deadlockfree",
                                      [PROPERTY_CTL] = "ctl",
                                      [PROPERTY_LTL] = "ltl",
                                      [PROPERTY_MU] = "mu",
                                      [PROPERTY_CTLSTAR] = "ctlstar",
                                      [PROPERTY_ENDS] = "terminates"};
  bool is_of_leaks = m->frees && !strcmp(p->name, "no-leak");
  if (p->kind == PROPERTY_NO_FAULT || is_of_leaks) return; /* implied by what can fail, or by `free` */
  bool is_formula = property_is_formula(p);
  text_add(out, "%s", words[p->written >= PROPERTY_CTL ? p->written : p->kind]);
  if (p->kind == PROPERTY_DEADLOCKFREE) {
    if (strcmp(p->name, words[p->kind])) text_add(out, " |%s|", p->name);
  } else {
    text_add_char(out, ' ');
    name_print_declared(p->name, out);
  }
  if (is_formula && p->formula) {
    text_add(out, ": ");
    temporal_print(m->terms, p->formula, out);
  } else if (p->kind == PROPERTY_SAFE) {
    text_add(out, ": ");
    term_print_with(m->terms, p->bad, named, out);
  }
  text_add_char(out, '\n');
}

/* A label that is no identifier has bars of its own. */
static void print_step_name(const model *m, const transition *t, text *out) {
  const process *p = t->process == NO_PROCESS ? NULL : &m->processes.at[t->process];
  const char *label = p ? label_of(p, t->name) : NULL;
  if (!p || !strchr(label, '.')) {
    name_print(t->name, out);
    return;
  }
  name_print(p->name, out);
  text_add_char(out, '.');
  name_print_declared(label, out);
}

static void print_fairness(const model *m, const term_names *named, const fairness *f, text *out) {
  text_add(out, f->kind == FAIR_WEAK ? "fair " : f->kind == FAIR_STRONG ? "fair strong " : "fair when ");
  if (f->kind == FAIR_STATE) term_print_with(m->terms, f->state, named, out);
  if (f->kind == FAIR_FORMULA) temporal_print(m->terms, f->formula, out);
  bool is_group = f->transitions.count > 1;
  if (is_group) text_add_char(out, '{');
  for (size_t i = 0; i < f->transitions.count; i++) {
    const char *name = m->transitions.at[f->transitions.at[i]].name;
    if (i && !strcmp(name, m->transitions.at[f->transitions.at[i - 1]].name)) continue;
    if (i) text_add(out, ", ");
    print_step_name(m, &m->transitions.at[f->transitions.at[i]], out);
  }
  text_add(out, is_group ? "}\n" : "\n");
}

static void print_terms(const model *m, const term_names *named, const char *word, const term_vector *all, text *out) {
  for (size_t i = 0; i < all->count; i++) {
    text_add(out, "%s ", word);
    term_print_with(m->terms, all->at[i], named, out);
    text_add_char(out, '\n');
  }
}

/* ---- what is shared ---- */

static void add_roots(const model *m, term_vector *out) {
  VECTOR_PUSH(*out, printed_init(m));
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    VECTOR_PUSH(*out, t->guard);
    VECTOR_PUSH(*out, transition_fault(m, t));
    for (size_t j = 0; j < t->updates.count; j++) VECTOR_PUSH(*out, t->updates.at[j].value);
  }
  const term_vector *lists[] = {&m->predicates, &m->lemmas, &m->domain};
  for (size_t i = 0; i < ARRAY_LENGTH(lists); i++)
    for (size_t j = 0; j < lists[i]->count; j++) VECTOR_PUSH(*out, lists[i]->at[j]);
  for (size_t i = 0; i < m->properties.count; i++)
    if (m->properties.at[i].kind == PROPERTY_SAFE) VECTOR_PUSH(*out, m->properties.at[i].bad);
}

typedef struct state_only {
  map *variables; /* of the state */
  term_fold has_others;
} state_only;

/* Inputs, and what reads the heap. */
static void note_others(const term_fold *f, term t, void *out) {
  const state_only *s = f->context;
  bool *has_others = out;
  term_kind kind = term_kind_of(f->ts, t);
  if (kind == TERM_BOOL_VARIABLE || kind == TERM_INT_VARIABLE || kind == TERM_REAL_VARIABLE)
    *has_others = !map_get(s->variables, term_variable(f->ts, t).x, NULL);
  else
    *has_others = kind == TERM_NODE_VARIABLE;
  for (size_t i = 0; i < term_arguments(f->ts, t); i++) *has_others |= FOLD_VALUE(bool, f, term_argument(f->ts, t, i));
}

static bool is_about_state(void *context, term t) {
  state_only *s = context;
  return !*(const bool *)term_fold_value(&s->has_others, t);
}

/* A `define` for each part that the formulas of the model share, if they would be much longer without. */
static GIVE term_names *print_definitions(const model *m, text *out) {
  term_vector roots = {0}, shared = {0};
  state_only s = {.variables = map_new(), .has_others = {.ts = m->terms, .size = sizeof(bool), .rule = note_others}};
  s.has_others.context = &s;
  for (size_t i = 0; i < m->variables.count; i++) map_set(s.variables, m->variables.at[i].var.x, 1);
  add_roots(m, &roots);
  terms_shared(m->terms, roots.count, roots.at, NULL, is_about_state, &s, &shared);
  term_names *n = shared.count ? term_names_new(m->terms, "d", NULL) : NULL;
  for (size_t i = 0; i < shared.count; i++) {
    text_add(out, "define %s%zu = ", term_names_prefix(n), i + 1);
    term_print_with(m->terms, shared.at[i], n, out);
    text_add_char(out, '\n');
    term_names_add(n, shared.at[i]);
  }
  term_fold_close(&s.has_others);
  map_free(s.variables);
  VECTOR_FREE(roots);
  VECTOR_FREE(shared);
  return n;
}

void model_print(const model *m, text *out) {
  text_add(out, "// ");
  text_add_shown(out, m->name);
  text_add(out, ", as whet understood it\nflat\n");
  print_layout(m, out);
  for (size_t i = 0; i < m->variables.count; i++)
    if (m->variables.at[i].role != ROLE_LOCATION && !is_implied(m, m->variables.at[i].var))
      print_declaration(m, &m->variables.at[i], out);
  term_names *named = print_definitions(m, out);
  text_add(out, "init ");
  term_print_with(m->terms, printed_init(m), named, out);
  text_add(out, "\n");
  for (uint32_t i = 0; i < m->processes.count; i++) print_process(m, named, i, out);
  for (size_t i = 0; i < m->transitions.count; i++)
    if (m->transitions.at[i].process == NO_PROCESS) print_action(m, named, &m->transitions.at[i], out);
  print_terms(m, named, "predicates", &m->predicates, out);
  print_terms(m, named, "lemma", &m->lemmas, out);
  print_terms(m, named, "domain", &m->domain, out);
  for (size_t i = 0; i < m->controls.count; i++) {
    text_add(out, "control ");
    term_print(m->terms, term_of_variable(m->terms, m->controls.at[i]), out);
    text_add_char(out, '\n');
  }
  for (size_t i = 0; i < m->fairness.count; i++) print_fairness(m, named, &m->fairness.at[i], out);
  for (size_t i = 0; i < m->properties.count; i++) print_property(m, named, &m->properties.at[i], out);
  term_names_free(named);
}
