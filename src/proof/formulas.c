/* Names are between bars as print_smtlib.c writes them. */
#include "proof/formulas.h"

#include "proof/smtlib_term.h"
#include "term/print.h"

void formulas_add(const terms *ts, term t, text *out) {
  term_print_smtlib(ts, t, out);
  text_add_char(out, '\n');
}

static void name_variables(const model *m, named_terms *out) {
  text printed = {0};
  for (size_t i = 0; i < m->variables.count; i++) {
    variable v = m->variables.at[i].var;
    if (variable_type(m->terms, v)->sort == SORT_NODE) continue;
    text_reset(&printed);
    name_print_smtlib(variable_name(m->terms, v), &printed);
    VECTOR_PUSH(*out,
                (named_term){memory_copy_bytes(printed.at + 1, printed.count - 2), term_of_variable(m->terms, v)});
  }
  text_clear(&printed);
}

static bool is_at_end(token_reader from) { return token_next(&from).kind == TOKEN_END; }

bool formulas_read(model *m, const char *lines, term_vector *out) {
  token_reader from = tokens_open(lines, strlen(lines));
  named_terms symbols = {0};
  term_vector disjuncts = {0};
  bool fine = true;
  if (!is_at_end(from)) name_variables(m, &symbols);
  while (fine && !is_at_end(from)) {
    char *error = NULL;
    size_t place;
    fine = smtlib_read_formula(m->terms, &from, &symbols, NULL, &disjuncts, &error, &place);
    if (fine) VECTOR_PUSH(*out, term_or_all(m->terms, disjuncts.count, disjuncts.at));
    memory_free(error);
  }
  for (size_t i = 0; i < symbols.count; i++) memory_free(symbols.at[i].name);
  VECTOR_FREE(symbols);
  VECTOR_FREE(disjuncts);
  return fine;
}
