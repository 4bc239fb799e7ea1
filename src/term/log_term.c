/* Formulas in logs. */
#include "term/log_term.h"

#include "term/print.h"

void log_term(log_room r, const char *words, const terms *ts, term t) {
  char *shown = term_string(ts, t);
  log_line(r, "%s: %s", words, shown);
  memory_free(shown);
}
