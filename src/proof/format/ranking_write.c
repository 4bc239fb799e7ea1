/* Writes a ranking as SMT-LIB 2, with its obligations (check/check_ranking.c) spelt out; docs/certificates.md describes the file. Every
 * check-sat is to answer unsat. */
#include "proof/format/formats.h"
#include "proof/format/invariant_writer.h"
#include "proof/ranking.h"
#include "proof/type_and_input_conditions.h"

static void write_measures(const invariant_writer *w, const evidence *e) {
  for (size_t i = 0; i < e->measures.count; i++) {
    char *name = text_format("measure%zu", i + 1);
    writer_define(w, name, "Int", e->measures.at[i]);
    memory_free(name);
  }
  for (size_t i = 0; i < e->helps.count; i++) {
    char *name = text_format("helpful%u", e->helps.at[i].measure + 1);
    writer_define(w, name, "Bool", e->helps.at[i].helpful);
    memory_free(name);
  }
}

static void write_obligations(const invariant_writer *w, const ranking *r) {
  const model *m = w->model;
  bool exact = true;
  writer_obligation(w, "the region holds from where the promise is open on", NULL, ranking_outside(r));
  writer_obligation(w, "there is a step", NULL, ranking_stuck(r, &exact));
  for (size_t i = 0; i < m->transitions.count; i++) {
    const transition *t = &m->transitions.at[i];
    writer_obligation(w, "a measure falls by ", t, ranking_not_falling(r, t, &exact));
  }
}

void ranking_write(const model *m, size_t property, const evidence *e, text *out) {
  invariant_writer w = {.model = m, .property = &m->properties.at[property], .ts = m->terms, .out = out};
  ranking r;
  text_add(out, "%s%d\n", evidence_row_of(EVIDENCE_RANKING)->first_words, CERTIFICATE_VERSION);
  writer_text(
      &w,
      "; An invariant, a region and measures, and what must be shown of them: each check-sat below answers unsat.\n");
  writer_info(&w, "whet-model", m->name);
  writer_info(&w, "whet-property", w.property->name);
  text_add(out, "(set-info :whet-measures %zu)\n", e->measures.count);
  for (size_t i = 0; i < e->helps.count; i++)
    text_add(out, "(set-info :whet-help \"%u %u\")\n", e->helps.at[i].measure + 1, e->helps.at[i].fairness);
  writer_definitions(&w, e);
  writer_define(&w, "region", "Bool", e->region);
  write_measures(&w, e);
  for (size_t i = 0; i < m->variables.count; i++) writer_declare(&w, m->variables.at[i].var);
  writer_inductive(&w);
  if (!ranking_open(m, w.property, e, &r)) write_obligations(&w, &r); /* else the checker says why it cannot be */
}
