/* Writes a ranking of calls as SMT-LIB 2, with its obligations (check/check_call_ranking.c) spelt out; docs/certificates.md describes the
 * file. Every check-sat is to answer unsat. */
#include "proof/call_ranking.h"
#include "proof/format/clause_names.h"
#include "proof/format/formats.h"
#include "proof/format/invariant_writer.h"
#include "term/print.h"

static void write_measure(const invariant_writer *w, const evidence *e, uint32_t predicate, size_t number) {
  const clause_predicate *p = &w->model->clauses->predicates.at[predicate];
  text_add(w->out, "(define-fun |measure%zu of ", number + 1);
  clause_name_escape(p->name, w->out);
  writer_text(w, "| (");
  for (size_t i = 0; i < p->parameters.count; i++) {
    if (i) text_add_char(w->out, ' ');
    writer_parameter(w, p->parameters.at[i]);
  }
  writer_text(w, ") Int ");
  term_print_smtlib(w->ts, e->measures.at[predicate * call_ranking_width(w->model, e) + number], w->out);
  writer_text(w, ")\n");
}

static void write_obligation(const invariant_writer *w, const char *what, const clause *c, term known, term shown) {
  char *line = text_format("%u", c->place.line);
  writer_open_obligation(w, what, line);
  for (size_t i = 0; i < c->variables.count; i++) writer_declare(w, c->variables.at[i]);
  writer_assert(w, known);
  writer_assert_any(w, term_not(shown));
  writer_close_obligation(w);
  memory_free(line);
}

void call_ranking_write(const model *m, size_t property, const evidence *e, text *out) {
  invariant_writer w = {.model = m, .property = &m->properties.at[property], .ts = m->terms, .out = out};
  const clauses *all = m->clauses;
  size_t width = call_ranking_width(m, e);
  text_add(
      out,
      "%s\n; An interpretation and measures, and what must be shown of them: each check-sat below answers unsat.\n",
      evidence_row_of(EVIDENCE_CALL_RANKING)->first_words);
  text_add(out, "(set-info :whet-measures %zu)\n", width);
  interpretation_write(m, property, e, out);
  for (uint32_t i = 0; i < all->predicates.count; i++)
    for (size_t j = 0; j < width; j++) write_measure(&w, e, i, j);
  for (size_t i = 0; i < all->clauses.count; i++) {
    const clause *c = &all->clauses.at[i];
    if (c->head == NO_PREDICATE) continue;
    term body = call_ranking_body(m, e, c);
    write_obligation(&w, "the clause holds that stands for what is at line ", c, body, call_ranking_head(m, e, c));
    if (call_ranking_is_step(all, c))
      write_obligation(&w, "a measure falls by what is at line ", c, body, call_ranking_falls(m, e, c));
  }
}
