/* The conjuncts of what should hold, evaluated in one state. An assertion holds also elsewhere than at its place, so that
 * its parts stand one level further down. */
#include "report/failing.h"

#include "term/evaluate.h"
#include "term/print.h"

enum { MOST_SHOWN = 3, LONGEST_SHOWN = 120 };

/* The conjuncts of `t` that are false; false if `t` is no conjunction. */
static bool add_false(const model *m, term t, const number *values, term_vector *out) {
  term_vector parts = {0};
  term_conjuncts(m->terms, t, &parts);
  bool is_conjunction = parts.count > 1;
  for (size_t i = 0; i < parts.count && is_conjunction; i++)
    if (number_is(term_evaluate(m->terms, parts.at[i], values), 0)) VECTOR_PUSH(*out, parts.at[i]);
  VECTOR_FREE(parts);
  return is_conjunction;
}

void failing_parts(const model *m, const property *p, const trace_step *last, term_vector *out) {
  if (p->kind != PROPERTY_SAFE || m->has_heap) return;
  number *values = MEMORY_ARRAY(number, variable_count(m->terms) + 1);
  for (size_t i = 0; i < m->variables.count; i++) values[m->variables.at[i].var.x] = last->values.at[i];
  if (!add_false(m, term_not(p->bad), values, out)) {
    term_vector parts = {0};
    term_conjuncts(m->terms, p->bad, &parts);
    for (size_t i = 0; i < parts.count; i++) add_false(m, term_not(parts.at[i]), values, out);
    VECTOR_FREE(parts);
  }
  memory_free(values);
}

void failing_print(const model *m, const property *p, const trace_step *last, text *out) {
  term_vector parts = {0};
  failing_parts(m, p, last, &parts);
  for (size_t i = 0; i < parts.count && i < MOST_SHOWN; i++) {
    char *shown = term_string(m->terms, parts.at[i]);
    bool is_long = strlen(shown) > LONGEST_SHOWN;
    text_add(out, "    !  this fails: %.*s%s\n", LONGEST_SHOWN, shown, is_long ? " .." : "");
    memory_free(shown);
  }
  if (parts.count > MOST_SHOWN) text_add(out, "    !  and %zu more parts of the property\n", parts.count - MOST_SHOWN);
  VECTOR_FREE(parts);
}
