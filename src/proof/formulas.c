/* Names are between bars as print_smtlib.c writes them. */
#include "proof/formulas.h"

#include "proof/smtlib_term.h"
#include "term/print.h"

struct formula_names {
  named_terms symbols;
};

void formulas_add(const terms *ts, term t, text *out) {
  term_print_smtlib(ts, t, out);
  text_add_char(out, '\n');
}

GIVE formula_names *formula_names_of(const model *m) {
  formula_names *n = MEMORY_NEW(formula_names);
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    if (variable_type(m->terms, v)->sort != SORT_NODE) named_terms_add_variable(&n->symbols, m->terms, v);
  }
  return n;
}

void formula_names_free(formula_names *n) {
  if (!n) return;
  named_terms_clear(&n->symbols);
  memory_free(n);
}

static bool is_at_end(token_reader from) { return token_next(&from).kind == TOKEN_END; }

bool formulas_read_named(model *m, const formula_names *n, const char *lines, term_vector *out) {
  token_reader from = tokens_open(lines, strlen(lines));
  term_vector disjuncts = {0};
  bool fine = true;
  while (fine && !is_at_end(from)) {
    char *error = NULL;
    size_t place;
    fine = smtlib_read_formula(m->terms, &from, &n->symbols, NULL, &disjuncts, &error, &place);
    if (fine) VECTOR_PUSH(*out, term_or_all(m->terms, disjuncts.count, disjuncts.at));
    memory_free(error);
  }
  VECTOR_FREE(disjuncts);
  return fine;
}

bool formulas_read(model *m, const char *lines, term_vector *out) {
  if (is_at_end(tokens_open(lines, strlen(lines)))) return true;
  formula_names *n = formula_names_of(m);
  bool fine = formulas_read_named(m, n, lines, out);
  formula_names_free(n);
  return fine;
}
