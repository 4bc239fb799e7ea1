/* Writes a transition invariant as SMT-LIB 2, with its obligations (check/check_transition_invariant.c) spelt out; docs/certificates.md
 * describes the file. Every check-sat is to answer unsat. */
#include "proof/format/formats.h"
#include "proof/format/invariant_writer.h"
#include "proof/transition_invariant.h"
#include "proof/type_and_input_conditions.h"
#include "term/print.h"

/* (define-fun relationI (state next) Bool ..) */
static void write_relation(const invariant_writer *w, size_t number, term relation) {
  const model *m = w->model;
  text_add(w->out, "(define-fun relation%zu (", number);
  for (size_t i = 0; i < m->variables.count; i++) writer_parameter(w, m->variables.at[i].var);
  for (size_t i = 0; i < m->variables.count; i++) writer_parameter(w, variable_next(w->ts, m->variables.at[i].var));
  writer_text(w, ") Bool\n  ");
  term_print_smtlib(w->ts, relation, w->out);
  writer_text(w, ")\n");
}

static void write_relations(const invariant_writer *w, const evidence *e) {
  for (size_t i = 0; i < e->relations.count; i++) {
    char *name = text_format("measure%zu", i + 1);
    write_relation(w, i + 1, e->relations.at[i]);
    writer_define(w, name, "Int", e->measures.at[i]);
    memory_free(name);
  }
}

static void write_step(const invariant_writer *w, const transition_invariant *i, const transition *t, term invariant) {
  bool exact = true;
  writer_obligation(w, "states are related by ", t, transition_invariant_not_begun(i, t, &exact));
  for (size_t j = 0; j < i->base.evidence->relations.count; j++) {
    char *what = text_format("relation %zu is kept by ", j + 1);
    writer_obligation(w, what, t, transition_invariant_not_kept(i, j, t, invariant, &exact));
    memory_free(what);
  }
}

static void write_obligations(const invariant_writer *w, const transition_invariant *i) {
  const model *m = w->model;
  bool exact = true;
  term invariant = term_and(w->ts, condition_types(m), evidence_formula(w->ts, i->base.evidence));
  for (size_t j = 0; j < i->earlier.count; j++) writer_declare(w, i->earlier.at[j]);
  writer_obligation(w, "the region holds from where the promise is open on", NULL, ranking_outside(&i->base));
  writer_obligation(w, "there is a step", NULL, ranking_stuck(&i->base, &exact));
  for (size_t j = 0; j < m->transitions.count; j++) write_step(w, i, &m->transitions.at[j], invariant);
}

void transition_invariant_write(const model *m, size_t property, const evidence *e, text *out) {
  invariant_writer w = {.model = m, .property = &m->properties.at[property], .ts = m->terms, .out = out};
  transition_invariant i;
  text_add(out, "%s%d\n", evidence_row_of(EVIDENCE_TRANSITION_INVARIANT)->first_words, CERTIFICATE_VERSION);
  writer_text(
      &w,
      "; An invariant, a region, relations of states and a measure for each, and what must be shown of them: each "
      "check-sat below answers unsat.\n");
  writer_info(&w, "whet-model", m->name);
  writer_info(&w, "whet-property", w.property->name);
  text_add(out, "(set-info :whet-measures %zu)\n", e->measures.count);
  for (size_t j = 0; j < e->waits.count; j++) {
    const relation_wait *wait = &e->waits.at[j];
    text_add(out, "(set-info :whet-waits \"%u %u %d\")\n", wait->relation + 1, wait->fairness, wait->was_possible);
  }
  writer_definitions(&w, e);
  writer_define(&w, "region", "Bool", e->region);
  writer_define(&w, "cut", "Bool", e->cut);
  writer_define(&w, "between", "Int", e->between);
  write_relations(&w, e);
  for (size_t j = 0; j < m->variables.count; j++) writer_declare(&w, m->variables.at[j].var);
  writer_inductive(&w);
  if (transition_invariant_open(m, w.property, e, &i)) return; /* the checker says why it cannot be */
  write_obligations(&w, &i);
  transition_invariant_clear(&i);
}
