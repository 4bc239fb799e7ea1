/* Parts of SV-LIB texts. */
#include "model/svlib_text.h"

#include "base/escape.h"
#include "term/print.h"

void svlib_line(text *out, unsigned depth) { text_add(out, "\n%*s", (int)(2 * depth), ""); }

void svlib_comment(text *out, unsigned depth, const char *words) {
  svlib_line(out, depth);
  text_add(out, "; ");
  text_add_comment(out, words);
}

void svlib_declaration(const terms *ts, variable v, text *out) {
  text_add(out, "(");
  variable_print_smtlib(ts, v, out);
  text_add(out, " %s)", type_smtlib_sort(variable_type(ts, v)));
}

void svlib_assume(const terms *ts, term t, unsigned depth, text *out) {
  if (term_is_true(t)) return;
  svlib_line(out, depth);
  text_add(out, "(assume ");
  term_print_smtlib(ts, t, out);
  text_add(out, ")");
}

void svlib_havoc(terms *ts, size_t count, const variable *inputs, unsigned depth, text *out) {
  term fits = TERM_TRUE;
  if (!count) return;
  svlib_line(out, depth);
  text_add(out, "(havoc");
  for (size_t i = 0; i < count; i++) {
    text_add(out, " ");
    variable_print_smtlib(ts, inputs[i], out);
    fits = term_and(ts, fits, variable_in_type(ts, inputs[i]));
  }
  text_add(out, ")");
  svlib_assume(ts, fits, depth, out);
}

void svlib_assign(const terms *ts, size_t count, const update *updates, unsigned depth, text *out) {
  if (!count) return;
  svlib_line(out, depth);
  text_add(out, "(assign");
  for (size_t i = 0; i < count; i++) {
    text_add(out, " (");
    variable_print_smtlib(ts, updates[i].var, out);
    text_add(out, " ");
    term_print_smtlib(ts, updates[i].value, out);
    text_add(out, ")");
  }
  text_add(out, ")");
}

void svlib_check(const terms *ts, const char *tag, term holds, unsigned depth, text *out) {
  if (term_is_true(holds)) return;
  svlib_line(out, depth);
  text_add(out, "(! (sequence) :tag ");
  name_print_smtlib(tag, out);
  text_add(out, " :check-true ");
  if (term_is_false(holds))
    text_add(out, "false");
  else
    term_print_smtlib(ts, holds, out);
  text_add(out, ")");
}

void svlib_goto(const char *label, unsigned depth, text *out) {
  svlib_line(out, depth);
  text_add(out, "(goto ");
  name_print_smtlib(label, out);
  text_add(out, ")");
}

void svlib_label(const char *name, unsigned depth, text *out) {
  svlib_line(out, depth);
  char *tag = text_format("at %s", name); /* properties have names of places too */
  text_add(out, "(! (label ");
  name_print_smtlib(name, out);
  text_add(out, ") :tag ");
  name_print_smtlib(tag, out);
  text_add(out, ")");
  memory_free(tag);
}
