/* Groups the formulas by the control of their locations and writes each group as a line or a lemma. */
#include "engine/widen/graph/print_locations.h"

#include "term/print.h"

typedef struct line {
  term place, formula;
} line;
typedef VECTOR(line) line_vector;

/* Locations of the same control (distinguished by how they are reached) share a line. */
static line_vector gather(const graph *g, const term *formulas) {
  terms *ts = g->frame.model->terms;
  line_vector lines = {0};
  for (uint32_t at = 0; at < g->locations.count; at++) {
    line new = {location_term(g, at), formulas[at]};
    size_t i = 0;
    while (i < lines.count && !term_same(lines.at[i].place, new.place)) i++;
    if (i == lines.count)
      VECTOR_PUSH(lines, new);
    else
      lines.at[i].formula = term_or(ts, lines.at[i].formula, new.formula);
  }
  return lines;
}

void locations_print(const graph *g, const term *formulas, text *out) {
  line_vector lines = gather(g, formulas);
  for (size_t i = 0; i < lines.count; i++) {
    if (term_is_false(lines.at[i].formula)) continue;
    if (g->control.count) {
      term_print(g->frame.model->terms, lines.at[i].place, out);
      text_add(out, " => ");
    }
    term_print(g->frame.model->terms, lines.at[i].formula, out);
    text_add_char(out, '\n');
  }
  VECTOR_FREE(lines);
}

void locations_lemmas(const graph *g, const term *formulas, term_vector *out) {
  terms *ts = g->frame.model->terms;
  line_vector lines = gather(g, formulas);
  term_vector places = {0};
  for (size_t i = 0; i < lines.count; i++) {
    if (!term_is_false(lines.at[i].formula)) VECTOR_PUSH(places, lines.at[i].place);
    term whole = term_implies(ts, lines.at[i].place, lines.at[i].formula);
    if (!term_is_true(whole)) VECTOR_PUSH(*out, whole);
  }
  term anywhere = term_or_all(ts, places.count, places.at);
  if (!term_is_true(anywhere)) VECTOR_PUSH(*out, anywhere);
  VECTOR_FREE(lines);
  VECTOR_FREE(places);
}
