/* Each function that gives inputs returns them in the order of the run, whichever function is asked. An input is known
 * as the result of a call by its name, which is that of the function; others ("any x") are what variables without an
 * initial value hold, and cannot be given. */
#include "report/harness.h"

#include <ctype.h>

#include "base/map.h"
#include "report/program_run.h"

enum { MOST_EVENTS = 1000000 };

typedef struct harness {
  const model *model;
  text *out;
  names *written; /* functions */
  text functions;
  size_t inputs;
} harness;

/* The C type that has these values. */
static const char *type_name(const type *t) {
  static const char *const signed_names[] = {"signed char", "short", "int", "long long"};
  static const char *const unsigned_names[] = {"unsigned char", "unsigned short", "unsigned int", "unsigned long long"};
  static const size_t bits[] = {8, 16, 32, 64};
  bool is_signed = number_sign(t->low) < 0;
  if (number_is(t->high, 1)) return "_Bool";
  for (size_t i = 0; i < ARRAY_LENGTH(bits); i++)
    if (number_bits(t->high) + is_signed == bits[i]) return is_signed ? signed_names[i] : unsigned_names[i];
  return NULL;
}

static GIVE char *function_name(const char *input) {
  size_t n = 0;
  while (isalnum((unsigned char)input[n]) || input[n] == '_') n++;
  return n && (input[n] == '!' || !input[n]) ? memory_copy_bytes(input, n) : NULL;
}

static void add_value(harness *h, number value, bool is_signed) {
  char *digits = number_string(value);
  if (is_signed && number_bits(value) == 64) /* the least number has no constant of its own */
    text_add(h->out, "    (unsigned long long)(-9223372036854775807ll - 1),\n");
  else
    text_add(h->out, "    (unsigned long long)%s%s,\n", digits, is_signed ? "ll" : "ull");
  memory_free(digits);
  h->inputs++;
}

static void add_input(void *context, variable v, number value) {
  harness *h = context;
  const type *t = variable_type(h->model->terms, v);
  char *name = function_name(variable_name(h->model->terms, v));
  const char *of = name ? type_name(t) : NULL;
  if (of) {
    add_value(h, value, number_sign(t->low) < 0);
    if (!names_get(h->written, name, NULL))
      text_add(&h->functions, "%s %s(void) { return (%s)whet_input(); }\n", of, name, of);
    names_set(h->written, name, 1);
  }
  memory_free(name);
}

static const char start[] =
    "/* The inputs of a run that whet found: cc -fsanitize=undefined,address PROGRAM.c THIS.c, then run it. */\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "static const unsigned long long whet_inputs[] = {\n";

static const char end[] =
    "    0};\n"
    "static unsigned long long whet_input(void) {\n"
    "  static size_t next;\n"
    "  return next + 1 < sizeof whet_inputs / sizeof *whet_inputs ? whet_inputs[next++] : 0;\n"
    "}\n"
    "static void whet_reached(void) {\n"
    "  fprintf(stderr, \"the error is reached\\n\");\n"
    "  exit(10);\n"
    "}\n"
    "__attribute__((weak)) void reach_error(void) { whet_reached(); }\n"
    "__attribute__((weak)) void __VERIFIER_error(void) { whet_reached(); }\n"
    "__attribute__((weak)) void __VERIFIER_assert(int holds) { if (!holds) whet_reached(); }\n"
    "__attribute__((weak)) void __VERIFIER_assume(int holds) { if (!holds) exit(0); }\n"
    "__attribute__((weak)) void assume_abort_if_not(int holds) { if (!holds) exit(0); }\n";

static void hear(void *context, const program_event *e) {
  if (e->kind == EVENT_INPUT) add_input(context, e->input, e->value);
}

bool harness_print(const model *m, const evidence *e, text *out) {
  harness h = {.model = m, .out = out, .written = names_new()};
  text_add(out, "%s", start);
  bool fits = trace_hear_inputs(m, &e->steps, MOST_EVENTS, add_input, &h);
  if (evidence_is_shown_as(e->kind, SHOWN_AS_DERIVATION)) fits = program_run_report(m, e, MOST_EVENTS, hear, &h);
  text_add(out, "%s%s", end, text_string(&h.functions));
  text_clear(&h.functions);
  names_free(h.written);
  return fits;
}
