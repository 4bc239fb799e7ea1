/* Writes a k-inductive invariant as SMT-LIB 2, with its obligations (check.h) spelt out; docs/certificates.md describes
 * the file. Every check-sat is to answer unsat. */
#include "proof/copies.h"
#include "proof/format/formats.h"
#include "proof/format/invariant_writer.h"
#include "proof/type_and_input_conditions.h"
#include "term/print.h"

typedef struct k_writer {
  invariant_writer base;
  copies *copies;
  const evidence *evidence;
} k_writer;

/* ---- steps ---- */

static void add_variables(const k_writer *w, const variable_vector *all) {
  for (size_t i = 0; i < all->count; i++) {
    text_add_char(w->base.out, ' ');
    term_print_smtlib(w->base.ts, term_of_variable(w->base.ts, all->at[i]), w->base.out);
  }
}

/* (define-fun step (state next inputs) Bool ..) */
static void define_step(const k_writer *w) {
  term step = copies_step(w->copies, 0);
  const variable_vector *parameters[] = {copies_states(w->copies, 0), copies_states(w->copies, 1),
                                         copies_inputs(w->copies, 0)};
  writer_text(&w->base, "; some transition leads from one state to the next\n(define-fun step (");
  for (size_t i = 0; i < ARRAY_LENGTH(parameters); i++)
    for (size_t j = 0; j < parameters[i]->count; j++) writer_parameter(&w->base, parameters[i]->at[j]);
  writer_text(&w->base, ") Bool\n  ");
  term_print_smtlib(w->base.ts, step, w->base.out);
  writer_text(&w->base, ")\n\n");
}

static void assume_step(const k_writer *w, size_t time) {
  copies_states(w->copies, time + 1); /* makes it, so that nothing moves below */
  bool has_parameters = copies_states(w->copies, 0)->count || copies_inputs(w->copies, 0)->count;
  writer_text(&w->base, has_parameters ? "(assert (step" : "(assert step");
  add_variables(w, copies_states(w->copies, time));
  add_variables(w, copies_states(w->copies, time + 1));
  add_variables(w, copies_inputs(w->copies, time));
  writer_text(&w->base, has_parameters ? "))\n" : ")\n");
}

/* The invariant and the types, at that time. */
static void add_both(const k_writer *w, size_t time) {
  const variable_vector *state = copies_states(w->copies, time);
  static const char *const names[] = {"types", "inv"};
  writer_text(&w->base, "(and");
  for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
    text_add(w->base.out, state->count ? " (%s" : " %s", names[i]);
    add_variables(w, state);
    if (state->count) text_add_char(w->base.out, ')');
  }
  text_add_char(w->base.out, ')');
}

static void assume_invariant(const k_writer *w, size_t time) {
  writer_text(&w->base, "(assert ");
  add_both(w, time);
  writer_text(&w->base, ")\n");
}

static void refute_invariant(const k_writer *w, size_t time) {
  writer_text(&w->base, "(assert (not ");
  add_both(w, time);
  writer_text(&w->base, "))\n");
}

/* ---- obligations ---- */

static void open_numbered(const k_writer *w, const char *what, size_t number, const char *of_what) {
  char *by = text_format("%zu %s", number, of_what);
  writer_open_obligation(&w->base, what, by);
  memory_free(by);
}

static void add_first_states(const k_writer *w) {
  for (size_t i = 0; i < w->evidence->depth; i++) {
    open_numbered(w, "holds after ", i, "steps");
    writer_assert(&w->base, w->base.model->init);
    for (size_t j = 0; j < i; j++) {
      assume_invariant(w, j);
      assume_step(w, j);
    }
    refute_invariant(w, i);
    writer_close_obligation(&w->base);
  }
}

static void add_step(const k_writer *w) {
  size_t depth = w->evidence->depth;
  open_numbered(w, "holds after ", depth, "states in which it holds");
  for (size_t i = 0; i < depth; i++) {
    assume_invariant(w, i);
    assume_step(w, i);
    for (size_t j = 0; w->evidence->states_differ && j < i; j++)
      writer_assert(&w->base, copies_differ(w->copies, j, i));
  }
  refute_invariant(w, depth);
  writer_close_obligation(&w->base);
}

static void add_excluded(const k_writer *w, const char *what, const char *by, term inputs, term bad) {
  writer_open_obligation(&w->base, what, by);
  assume_invariant(w, 0);
  writer_assert(&w->base, inputs);
  writer_assert(&w->base, bad);
  writer_close_obligation(&w->base);
}

static void add_excludes(const k_writer *w) {
  const model *m = w->base.model;
  term_vector stuck = {0};
  bool exact = true;
  switch (w->base.property->kind) {
    case PROPERTY_NO_FAULT:
      for (size_t i = 0; i < m->transitions.count; i++) {
        const transition *t = &m->transitions.at[i];
        add_excluded(w, "excludes faults of ", t->name, condition_input_types(m, t), transition_fault(m, t));
      }
      return;
    case PROPERTY_DEADLOCKFREE:
      for (size_t i = 0; i < m->transitions.count; i++)
        VECTOR_PUSH(stuck, term_not(condition_can_be_taken(m, &m->transitions.at[i], &exact)));
      add_excluded(w, "excludes ", "deadlock", TERM_TRUE, term_and_all(w->base.ts, stuck.count, stuck.at));
      VECTOR_FREE(stuck);
      return;
    default: add_excluded(w, "excludes ", "bad states", TERM_TRUE, w->base.property->bad);
  }
}

static void declare_all(const k_writer *w) {
  for (size_t i = 0; i <= w->evidence->depth; i++) {
    const variable_vector states = *copies_states(w->copies, i), inputs = *copies_inputs(w->copies, i);
    for (size_t j = 0; j < states.count; j++) writer_declare(&w->base, states.at[j]);
    for (size_t j = 0; i < w->evidence->depth && j < inputs.count; j++) writer_declare(&w->base, inputs.at[j]);
  }
}

void k_induction_write(const model *m, size_t property, const evidence *e, text *out) {
  k_writer w = {.base = {.model = m, .property = &m->properties.at[property], .ts = m->terms, .out = out},
                .copies = copies_new(m),
                .evidence = e};
  text_add(out, "%s%d\n", evidence_row_of(EVIDENCE_K_INDUCTIVE)->first_words, CERTIFICATE_VERSION);
  writer_text(&w.base,
              "; A k-inductive invariant, and what must be shown of it: each check-sat below answers unsat.\n");
  writer_info(&w.base, "whet-model", m->name);
  writer_info(&w.base, "whet-property", w.base.property->name);
  text_add(out, "(set-info :whet-depth %zu)\n(set-info :whet-states-differ %s)\n", e->depth,
           e->states_differ ? "true" : "false");
  writer_definitions(&w.base, e);
  define_step(&w);
  declare_all(&w);
  add_first_states(&w);
  add_step(&w);
  add_excludes(&w);
  copies_free(w.copies);
}
