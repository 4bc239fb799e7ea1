/* The program in whet's language, as Fig. 2 of the paper prints it: every boolean is assigned in every action. */
#include "base/escape.h"
#include "engine/syntactic/export.h"
#include "term/print.h"

typedef struct printing {
  finite_program *p;
  const model *m; /* of the program */
  text *out;
} printing;

/* ---- declarations ---- */

static void print_type(const type *t, text *out) {
  if (t->sort == SORT_BOOL) {
    text_add(out, "bool");
  } else if (t->names) {
    for (size_t i = 0; i < t->name_count; i++) {
      text_add(out, i ? ", " : "{");
      name_print_declared(t->names[i], out);
    }
    text_add_char(out, '}');
  } else {
    number_print(out, t->low);
    text_add(out, "..");
    number_print(out, t->high);
  }
}

static bool same_type(const type *a, const type *b) {
  return a->sort == b->sort && a->names == b->names &&
         (a->sort == SORT_BOOL || (number_equal(a->low, b->low) && number_equal(a->high, b->high)));
}

/* Neighbours of one type share a line; the booleans of predicates have one of their own. */
static void print_variables(printing *x) {
  const terms *ts = x->m->terms;
  size_t first_bit = x->m->variables.count - x->p->bits.count;
  for (size_t i = 0; i < x->m->variables.count;) {
    const state_variable *v = &x->m->variables.at[i];
    if (v->role == ROLE_LOCATION) {
      i++;
      continue;
    }
    text_add(x->out, v->role == ROLE_PARAMETER ? "const " : "var ");
    size_t last = i;
    for (; last < x->m->variables.count; last++) {
      const state_variable *w = &x->m->variables.at[last];
      if (w->role != v->role || (i < first_bit) != (last < first_bit) ||
          !same_type(variable_type(ts, v->var), variable_type(ts, w->var)))
        break;
      if (last > i) text_add(x->out, ", ");
      name_print_declared(variable_name(ts, w->var), x->out);
    }
    text_add(x->out, " : ");
    print_type(variable_type(ts, v->var), x->out);
    text_add_char(x->out, '\n');
    i = last;
  }
}

static void print_conjuncts(printing *x, size_t count, const term *parts) {
  const terms *ts = x->m->terms;
  if (!count) text_add(x->out, "true");
  for (size_t i = 0; i < count; i++) {
    bool bracket = count > 1 && !term_is_atom(ts, parts[i]) &&
                   !(term_kind_of(ts, parts[i]) == TERM_AND && !term_is_negated(parts[i]));
    text_add(x->out, "%s%s", i ? " && " : "", bracket ? "(" : "");
    term_print(ts, parts[i], x->out);
    if (bracket) text_add_char(x->out, ')');
  }
}

/* ---- actions ---- */

static void print_inputs(printing *x, const transition *t) {
  for (size_t i = 0; i < t->inputs.count; i++) {
    text_add(x->out, i ? ", " : "(");
    name_print_declared(variable_name(x->m->terms, t->inputs.at[i]), x->out);
    text_add(x->out, " : ");
    print_type(variable_type(x->m->terms, t->inputs.at[i]), x->out);
  }
  if (t->inputs.count) text_add_char(x->out, ')');
}

static void print_value(printing *x, variable v, term value) {
  const type *of = variable_type(x->m->terms, v);
  number n;
  int64_t k;
  if (of->names && term_is_number(x->m->terms, value, &n) && number_to_int64(n, &k) && k >= 0 &&
      (size_t)k < of->name_count)
    name_print_declared(of->names[k], x->out);
  else
    term_print(x->m->terms, value, x->out);
}

static bool is_bit(const printing *x, variable v) {
  for (size_t i = 0; i < x->p->bits.count; i++)
    if (variable_same(x->p->bits.at[i].var, v)) return true;
  return false;
}

/* The variables that are assigned, then their values; `place` (may be NULL) is printed elsewhere. */
static bool print_updates(printing *x, const transition *t, const variable *place) {
  variable_vector assigned = {0};
  for (size_t i = 0; i < t->updates.count; i++)
    if (!is_bit(x, t->updates.at[i].var) && !(place && variable_same(*place, t->updates.at[i].var)))
      VECTOR_PUSH(assigned, t->updates.at[i].var);
  for (size_t i = 0; i < x->p->bits.count; i++) VECTOR_PUSH(assigned, x->p->bits.at[i].var);
  if (assigned.count && place) text_add(x->out, " : ");
  for (size_t i = 0; i < assigned.count; i++) {
    if (i) text_add(x->out, ", ");
    name_print(variable_name(x->m->terms, assigned.at[i]), x->out);
  }
  if (assigned.count) text_add(x->out, " := ");
  for (size_t i = 0; i < assigned.count; i++) {
    if (i) text_add(x->out, ", ");
    print_value(x, assigned.at[i], transition_value_after(x->m, t, assigned.at[i]));
  }
  bool some = assigned.count > 0;
  VECTOR_FREE(assigned);
  return some;
}

static void print_action(printing *x, size_t index) {
  const transition *t = &x->m->transitions.at[index];
  const program_action *a = &x->p->actions.at[index];
  text_add(x->out, "action ");
  name_print_declared(t->name, x->out);
  print_inputs(x, t);
  text_add(x->out, ": ");
  if (term_is_false(t->guard))
    text_add(x->out, "false");
  else
    print_conjuncts(x, a->guard.count, a->guard.at);
  text_add(x->out, " -> ");
  if (term_is_false(t->guard) || !print_updates(x, t, NULL)) text_add(x->out, ";");
  text_add_char(x->out, '\n');
}

/* The value that a conjunct `place = value` fixes. */
static bool fixes_place(const terms *ts, term part, variable place, int64_t *value) {
  if (term_kind_of(ts, part) != TERM_EQ || term_is_negated(part)) return false;
  linear l = term_linear(ts, term_argument(ts, part, 0));
  return l.count == 1 && term_kind_of(ts, l.leaves[0]) == TERM_INT_VARIABLE &&
         variable_same(term_variable(ts, l.leaves[0]), place) && number_to_int64(number_negate(l.constant), value);
}

static int64_t find_place(const terms *ts, term guard, variable place) {
  term_vector parts = {0};
  int64_t value = 0;
  term_conjuncts(ts, guard, &parts);
  for (size_t i = 0; i < parts.count; i++)
    if (fixes_place(ts, parts.at[i], place, &value)) break;
  VECTOR_FREE(parts);
  return value;
}

static void print_step(printing *x, const model *concrete, const process *p, size_t index) {
  const terms *ts = x->m->terms;
  const transition *t = &x->m->transitions.at[index];
  const program_action *a = &x->p->actions.at[index];
  const type *places = variable_type(ts, p->location);
  int64_t from = find_place(ts, concrete->transitions.at[index].guard, p->location), to = from, ignored;
  number n;
  size_t length = strlen(p->name);
  bool prefixed = !strncmp(t->name, p->name, length) && t->name[length] == '.', never = term_is_false(t->guard);
  if (!never && term_is_number(ts, transition_value_after(x->m, t, p->location), &n)) number_to_int64(n, &to);
  text_add(x->out, "  ");
  name_print_declared(prefixed ? t->name + length + 1 : t->name, x->out);
  text_add(x->out, ": ");
  name_print_declared(places->names[from], x->out);
  text_add(x->out, " -> ");
  name_print_declared(places->names[to], x->out);
  if (t->inputs.count) text_add_char(x->out, ' ');
  print_inputs(x, t);
  term_vector rest = {0};
  for (size_t i = 0; i < a->guard.count; i++)
    if (!fixes_place(ts, a->guard.at[i], p->location, &ignored)) VECTOR_PUSH(rest, a->guard.at[i]);
  if (never) VECTOR_PUSH(rest, TERM_FALSE);
  if (rest.count) {
    text_add(x->out, " when ");
    print_conjuncts(x, rest.count, rest.at);
  }
  if (!never) print_updates(x, t, &p->location);
  text_add_char(x->out, '\n');
  VECTOR_FREE(rest);
}

static void print_process(printing *x, const model *concrete, uint32_t index) {
  const process *p = &x->m->processes.at[index];
  const type *places = variable_type(x->m->terms, p->location);
  text_add(x->out, "process ");
  name_print_declared(p->name, x->out);
  text_add(x->out, " {\n  states ");
  for (size_t i = 0; i < places->name_count; i++) {
    if (i) text_add(x->out, ", ");
    name_print_declared(places->names[i], x->out);
  }
  text_add_char(x->out, '\n');
  for (size_t i = 0; i < x->m->transitions.count; i++)
    if (x->m->transitions.at[i].process == index) print_step(x, concrete, p, i);
  text_add(x->out, "}\n");
}

/* ---- what is asked of it ---- */

static void print_fairness(printing *x, const fairness *f) {
  text_add(x->out, f->kind == FAIR_WEAK ? "fair " : f->kind == FAIR_STRONG ? "fair strong " : "fair when ");
  if (f->kind == FAIR_STATE) term_print(x->m->terms, f->state, x->out);
  if (f->kind == FAIR_FORMULA) temporal_print(x->m->terms, f->formula, x->out);
  bool is_group = f->transitions.count > 1;
  if (is_group) text_add_char(x->out, '{');
  for (size_t i = 0; i < f->transitions.count; i++) {
    const char *name = x->m->transitions.at[f->transitions.at[i]].name;
    if (i && !strcmp(name, x->m->transitions.at[f->transitions.at[i - 1]].name)) continue;
    if (i) text_add(x->out, ", ");
    name_print(name, x->out);
  }
  text_add(x->out, is_group ? "}\n" : "\n");
}

static void print_property(printing *x, const property *p) {
  static const char *const words[] = {
      [PROPERTY_CTL] = "ctl", [PROPERTY_LTL] = "ltl", [PROPERTY_MU] = "mu", [PROPERTY_CTLSTAR] = "ctlstar"};
  if (property_is_temporal(p)) {
    text_add(x->out, "%s ", words[p->kind]);
    name_print_declared(p->name, x->out);
    text_add(x->out, ": ");
    temporal_print(x->m->terms, finite_program_map_temporal(x->p, p->formula), x->out);
    text_add_char(x->out, '\n');
  } else if (p->kind == PROPERTY_SAFE) {
    text_add(x->out, "safe ");
    name_print_declared(p->name, x->out);
    text_add(x->out, ": ");
    term_print(x->m->terms, term_not(finite_program_map(x->p, p->bad)), x->out);
    text_add_char(x->out, '\n');
  } else if (p->kind == PROPERTY_DEADLOCKFREE && x->p->exact) {
    text_add(x->out, "deadlockfree\n");
  } else {
    text_add(x->out, "// ");
    text_add_comment(x->out, p->name);
    text_add(x->out, " is not expressed by this program\n");
  }
}

void export_whet(finite_program *p, const model *m, size_t without, text *out) {
  printing x = {p, p->model, out};
  export_heading(p, "// ", "", out);
  if (p->model->processes.count) text_add(out, "flat\n");
  print_variables(&x);
  export_legend(p, "// ", "", out);
  for (size_t i = 0; i < p->model->controls.count; i++) {
    text_add(out, "control ");
    term_print(p->model->terms, term_of_variable(p->model->terms, p->model->controls.at[i]), out);
    text_add_char(out, '\n');
  }
  text_add(out, "init ");
  print_conjuncts(&x, p->init.count, p->init.at);
  text_add_char(out, '\n');
  for (uint32_t i = 0; i < p->model->processes.count; i++) print_process(&x, m, i);
  for (size_t i = 0; i < p->model->transitions.count; i++)
    if (p->model->transitions.at[i].process == NO_PROCESS) print_action(&x, i);
  for (size_t i = 0; i < p->model->fairness.count; i++) print_fairness(&x, &p->model->fairness.at[i]);
  for (size_t i = 0; i < m->properties.count; i++)
    if (i != without) print_property(&x, &m->properties.at[i]);
}
