/* A line that says what it is, declarations, so that other programs can read it, and one assertion. */
#include "run/fact_folder/fact_file.h"

#include "base/digest/digest.h"

#define FIRST_LINE "; whet fact 1: this holds in every reachable state\n"
#define ASSERTION "\n(assert "

char *fact_file_content(const terms *ts, term fact) {
  text out = {0};
  variable_vector used = {0};
  term_variables(ts, 1, &fact, &used);
  text_add(&out, FIRST_LINE "(set-logic ALL)");
  for (size_t i = 0; i < used.count; i++) {
    text_add(&out, "\n(declare-const ");
    formulas_add(ts, term_of_variable((terms *)ts, used.at[i]), &out);
    text_cut(&out, out.count - 1);
    text_add(&out, variable_type(ts, used.at[i])->sort == SORT_BOOL ? " Bool)" : " Int)");
  }
  text_add(&out, ASSERTION);
  formulas_add(ts, fact, &out);
  text_cut(&out, out.count - 1);
  text_add(&out, ")\n");
  VECTOR_FREE(used);
  if (out.count > FACT_FILE_MOST_BYTES) text_reset(&out);
  return text_give(&out);
}

char *fact_file_name(const char *content) {
  char digits[DIGEST_DIGITS + 1];
  digest_digits(content, strlen(content), digits);
  return text_format("%s" FACT_FILE_ENDING, digits);
}

bool fact_file_is_named(const char *name) {
  return strlen(name) == DIGEST_DIGITS + strlen(FACT_FILE_ENDING) &&
         strspn(name, "0123456789abcdef") == DIGEST_DIGITS && !strcmp(name + DIGEST_DIGITS, FACT_FILE_ENDING);
}

/* What is asserted, as text; NULL if there is no assertion at the end. */
static GIVE char *assertion_of(const char *content) {
  const char *start = strstr(content, ASSERTION);
  size_t length = start ? strlen(start) : 0, before = strlen(ASSERTION), after = strlen(")\n");
  if (length <= before + after || strcmp(start + length - after, ")\n") != 0) return NULL;
  return memory_copy_bytes(start + before, length - before - after);
}

fact_file_answer fact_file_read(model *m, const formula_names *n, const char *name, const char *content, term *out) {
  char *right = fact_file_name(content);
  bool is_whole = !strcmp(right, name) && !strncmp(content, FIRST_LINE, strlen(FIRST_LINE));
  memory_free(right);
  char *formula = is_whole ? assertion_of(content) : NULL;
  if (!formula) return FACT_FILE_DAMAGED;
  term_vector read = {0};
  bool fine = formulas_read_named(m, n, formula, &read) && read.count == 1;
  if (fine) *out = read.at[0];
  VECTOR_FREE(read);
  memory_free(formula);
  return fine ? FACT_FILE_READ : FACT_FILE_FOREIGN;
}
