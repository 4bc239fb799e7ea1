/* The term is printed with the names of the model, which are all between bars, and these are replaced. */
#include "run/program/svlib_expression.h"

#include "term/print.h"

/* `name`, with its bars, as it is printed. */
static const char *own_name(const terms *ts, const source_loop *loop, const char *name, size_t length) {
  const char *found = NULL;
  for (size_t i = 0; i < loop->names.count && !found; i++) {
    text printed = {0};
    variable_print_smtlib(ts, loop->names.at[i].var, &printed);
    if (printed.count == length && !memcmp(printed.at, name, length)) found = loop->names.at[i].expression;
    text_clear(&printed);
  }
  return found;
}

bool svlib_expression_print(const terms *ts, term t, const source_loop *loop, text *out) {
  text printed = {0};
  size_t before = out->count;
  bool fine = true;
  term_print_smtlib(ts, t, &printed);
  const char *at = text_string(&printed);
  while (fine && *at) {
    if (*at != '|') {
      text_add_char(out, *at++);
      continue;
    }
    const char *end = strchr(at + 1, '|');
    const char *name = end ? own_name(ts, loop, at, (size_t)(end + 1 - at)) : NULL;
    fine = name != NULL;
    if (fine) text_add(out, "|%s|", name);
    at = end ? end + 1 : at + strlen(at);
  }
  text_clear(&printed);
  if (!fine) text_cut(out, before);
  return fine;
}
