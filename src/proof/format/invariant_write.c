/* Writes an invariant as SMT-LIB 2, with its obligations spelt out; docs/certificates.md describes the file. Every
 * check-sat is to answer unsat. The obligations are those of check.h, one for each transition and not for each part. */
#include "base/escape.h"
#include "proof/format/formats.h"
#include "proof/format/invariant_writer.h"
#include "proof/type_and_input_conditions.h"
#include "term/print.h"

static const char *sort_name(const terms *ts, variable v) {
  sort of = variable_type(ts, v)->sort;
  return of == SORT_BOOL ? "Bool" : of == SORT_REAL ? "Real" : "Int";
}

static void add_name(const invariant_writer *w, variable v) { variable_print_smtlib(w->ts, v, w->out); }

void writer_text(const invariant_writer *w, const char *s) { text_add_bytes(w->out, s, strlen(s)); }

void writer_parameter(const invariant_writer *w, variable v) {
  text_add_char(w->out, '(');
  add_name(w, v);
  text_add(w->out, " %s)", sort_name(w->ts, v));
}

/* ---- definitions ---- */

static void open_function(const invariant_writer *w, const char *name, const char *sort) {
  text_add(w->out, "(define-fun %s (", name);
  for (size_t i = 0; i < w->model->variables.count; i++) {
    variable v = w->model->variables.at[i].var;
    if (i) text_add_char(w->out, ' ');
    writer_parameter(w, v);
  }
  text_add(w->out, ") %s\n  ", sort);
}

void writer_define(const invariant_writer *w, const char *name, const char *sort, term value) {
  open_function(w, name, sort);
  term_print_smtlib(w->ts, value, w->out);
  writer_text(w, ")\n");
}

static void add_fixed(const invariant_writer *w, fixed_value f) {
  bool is_bool = variable_type(w->ts, f.var)->sort == SORT_BOOL;
  if (is_bool && number_is(f.value, 1)) {
    add_name(w, f.var);
  } else if (is_bool && number_is(f.value, 0)) {
    writer_text(w, "(not ");
    add_name(w, f.var);
    text_add_char(w->out, ')');
  } else if (is_bool) {
    writer_text(w, "false");
  } else {
    writer_text(w, "(= ");
    add_name(w, f.var);
    text_add_char(w->out, ' ');
    number_print_smtlib(f.value, w->out);
    text_add_char(w->out, ')');
  }
}

static void add_part(const invariant_writer *w, const invariant_part *p) {
  bool has_formula = !term_is_true(p->formula) || !p->fixed.count, several = p->fixed.count + has_formula > 1;
  if (several) writer_text(w, "(and");
  for (size_t i = 0; i < p->fixed.count; i++) {
    if (several) text_add_char(w->out, ' ');
    add_fixed(w, p->fixed.at[i]);
  }
  if (several && has_formula) text_add_char(w->out, ' ');
  if (has_formula) term_print_smtlib(w->ts, p->formula, w->out);
  if (several) text_add_char(w->out, ')');
}

static void add_invariant(const invariant_writer *w, const evidence *e) {
  open_function(w, "inv", "Bool");
  if (!e->parts.count) writer_text(w, "false");
  if (e->parts.count > 1) writer_text(w, "(or");
  for (size_t i = 0; i < e->parts.count; i++) {
    if (e->parts.count > 1) writer_text(w, "\n    ");
    add_part(w, &e->parts.at[i]);
  }
  writer_text(w, e->parts.count > 1 ? "))\n" : ")\n");
}

/* The values that a variable of an enumeration stands for, as a comment. */
static void add_value_names(const invariant_writer *w, variable v) {
  const type *t = variable_type(w->ts, v);
  for (size_t i = 0; i < t->name_count; i++) {
    text_add(w->out, "%s %zu = ", i ? "," : " ;", i);
    text_add_comment(w->out, t->names[i]);
  }
}

void writer_declare(const invariant_writer *w, variable v) {
  writer_text(w, "(declare-const ");
  add_name(w, v);
  text_add(w->out, " %s)", sort_name(w->ts, v));
  add_value_names(w, v);
  text_add_char(w->out, '\n');
}

/* ---- obligations ---- */

void writer_open_obligation(const invariant_writer *w, const char *what, const char *by) {
  text_add(w->out, "\n; %s", what);
  text_add_comment(w->out, by);
  writer_text(w, "\n(push 1)\n");
}

void writer_close_obligation(const invariant_writer *w) { writer_text(w, "(check-sat)\n(pop 1)\n"); }

void writer_assert_any(const invariant_writer *w, term t) {
  writer_text(w, "(assert ");
  term_print_smtlib(w->ts, t, w->out);
  writer_text(w, ")\n");
}

void writer_obligation(const invariant_writer *w, const char *what, const transition *t, term violation) {
  writer_open_obligation(w, what, t ? t->name : "");
  if (t) writer_choose_inputs(w, t);
  writer_assume_invariant(w);
  writer_assert_any(w, violation);
  writer_close_obligation(w);
}

void writer_assert(const invariant_writer *w, term t) {
  if (!term_is_true(t)) writer_assert_any(w, t);
}

/* A value for `v`: an integer is made a real if that is of sort real. */
static void add_value(const invariant_writer *w, variable v, term value) {
  bool converts = variable_type(w->ts, v)->sort == SORT_REAL && term_sort(w->ts, value) == SORT_INT;
  number n;
  if (converts && term_is_number(w->ts, value, &n)) {
    number_print_smtlib_real(n, w->out);
    return;
  }
  if (converts) writer_text(w, "(to_real ");
  term_print_smtlib(w->ts, value, w->out);
  if (converts) text_add_char(w->out, ')');
}

/* (name x y ..), with the values after `t` if it is not NULL. */
static void add_application(const invariant_writer *w, const char *name, const transition *t) {
  const model *m = w->model;
  if (m->variables.count) text_add_char(w->out, '(');
  writer_text(w, name);
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    text_add_char(w->out, ' ');
    add_value(w, v, t ? transition_value_after(m, t, v) : term_of_variable(w->ts, v));
  }
  if (m->variables.count) text_add_char(w->out, ')');
}

void writer_assume_invariant(const invariant_writer *w) {
  writer_text(w, "(assert ");
  add_application(w, "types", NULL);
  writer_text(w, ")\n(assert ");
  add_application(w, "inv", NULL);
  writer_text(w, ")\n");
}

static void refute_invariant(const invariant_writer *w, const transition *t) {
  writer_text(w, "(assert (not (and ");
  add_application(w, "types", t);
  text_add_char(w->out, ' ');
  add_application(w, "inv", t);
  writer_text(w, ")))\n");
}

void writer_choose_inputs(const invariant_writer *w, const transition *t) {
  for (size_t i = 0; i < t->inputs.count; i++) writer_declare(w, t->inputs.at[i]);
  writer_assert(w, condition_input_types(w->model, t));
}

static void add_initial(const invariant_writer *w) {
  writer_open_obligation(w, "initial", "");
  writer_assert(w, w->model->init);
  refute_invariant(w, NULL);
  writer_close_obligation(w);
}

static void add_preserved(const invariant_writer *w, const transition *t) {
  writer_open_obligation(w, "preserved by ", t->name);
  writer_choose_inputs(w, t);
  writer_assume_invariant(w);
  writer_assert(w, transition_enabled(w->model, t));
  refute_invariant(w, t);
  writer_close_obligation(w);
}

void writer_inductive(const invariant_writer *w) {
  add_initial(w);
  for (size_t i = 0; i < w->model->transitions.count; i++) add_preserved(w, &w->model->transitions.at[i]);
}

static void add_excluded_fault(const invariant_writer *w, const transition *t) {
  if (!t->faults.count) return;
  writer_open_obligation(w, "excludes faults of ", t->name);
  writer_choose_inputs(w, t);
  writer_assume_invariant(w);
  writer_assert(w, transition_fault(w->model, t));
  writer_close_obligation(w);
}

static void add_excludes(const invariant_writer *w) {
  const model *m = w->model;
  bool exact = true;
  if (w->property->kind == PROPERTY_NO_FAULT) {
    for (size_t i = 0; i < m->transitions.count; i++) add_excluded_fault(w, &m->transitions.at[i]);
    return;
  }
  bool deadlock = w->property->kind == PROPERTY_DEADLOCKFREE;
  writer_open_obligation(w, "excludes ", deadlock ? "deadlock" : "bad states");
  writer_assume_invariant(w);
  if (deadlock)
    for (size_t i = 0; i < m->transitions.count; i++)
      writer_assert(w, term_not(condition_can_be_taken(m, &m->transitions.at[i], &exact)));
  else
    writer_assert(w, w->property->bad);
  writer_close_obligation(w);
}

/* ---- the file ---- */

static bool is_linear(const invariant_writer *w, const evidence *e) {
  const model *m = w->model;
  term_vector all = {0};
  VECTOR_PUSH(all, m->init);
  VECTOR_PUSH(all, w->property->bad);
  for (size_t i = 0; i < e->parts.count; i++) VECTOR_PUSH(all, e->parts.at[i].formula);
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    VECTOR_PUSH(all, transition_enabled(m, t));
    for (size_t j = 0; j < t->updates.count; j++) VECTOR_PUSH(all, t->updates.at[j].value);
  }
  bool linear_so_far = true;
  for (size_t i = 0; i < all.count && linear_so_far; i++) linear_so_far = term_is_linear(w->ts, all.at[i]);
  VECTOR_FREE(all);
  return linear_so_far;
}

void writer_info(const invariant_writer *w, const char *key, const char *value) {
  text_add(w->out, "(set-info :%s \"", key);
  text_add_escaped(w->out, value, "\\|\"");
  writer_text(w, "\")\n");
}

/* The SMT-LIB logic by what the numbers are. */
static const char *logic_of(const invariant_writer *w, const evidence *e) {
  bool has_reals = terms_have_reals(w->ts), has_integers = false;
  for (size_t i = 0; i < w->model->variables.count; i++)
    has_integers |= variable_type(w->ts, w->model->variables.at[i].var)->sort == SORT_INT;
  for (size_t i = 0; i < w->model->transitions.count; i++)
    for (size_t j = 0; j < w->model->transitions.at[i].inputs.count; j++)
      has_integers |= variable_type(w->ts, w->model->transitions.at[i].inputs.at[j])->sort == SORT_INT;
  if (!has_reals) return is_linear(w, e) ? "QF_LIA" : "QF_NIA";
  if (!has_integers) return is_linear(w, e) ? "QF_LRA" : "QF_NRA";
  return is_linear(w, e) ? "QF_LIRA" : "QF_NIRA";
}

void writer_types(const invariant_writer *w, const evidence *e) {
  text_add(w->out, "(set-logic %s)\n\n; every variable is within its type\n", logic_of(w, e));
  writer_define(w, "types", "Bool", condition_types(w->model));
  text_add_char(w->out, '\n');
}

void writer_definitions(const invariant_writer *w, const evidence *e) {
  writer_types(w, e);
  add_invariant(w, e);
  text_add_char(w->out, '\n');
}

void invariant_write(const model *m, size_t property, const evidence *e, text *out) {
  invariant_writer w = {.model = m, .property = &m->properties.at[property], .ts = m->terms, .out = out};
  text_add(out, "%s%d\n", evidence_row_of(EVIDENCE_INVARIANT)->first_words, CERTIFICATE_VERSION);
  writer_text(&w, "; An inductive invariant, and what must be shown of it: each check-sat below answers unsat.\n");
  writer_info(&w, "whet-model", m->name);
  writer_info(&w, "whet-property", w.property->name);
  writer_definitions(&w, e);
  for (size_t i = 0; i < m->variables.count; i++) writer_declare(&w, m->variables.at[i].var);
  writer_inductive(&w);
  add_excludes(&w);
}
