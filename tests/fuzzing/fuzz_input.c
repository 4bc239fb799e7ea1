/* The reader of the whet language under fire. Any text gives a model or messages, never both; the model's printed form
 * reads back; and formulas read in the names of a model print as texts that read as the same terms.
 *
 * `make fuzz` runs this under libFuzzer with sanitizers; tests/unit/input/test_input_fuzz.c runs the corpus on every test run. */
#include "fuzzing/always.h"
#include "input/input.h"
#include "term/fold.h"
#include "term/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIZE_LIMIT = 20000 };

/* How large the text of `t` becomes: shared parts are printed each time. */
static void size_rule(const term_fold *f, term t, void *out) {
  uint64_t *size = out;
  *size = 1;
  for (size_t i = 0; i < term_arguments(f->ts, t); i++) {
    *size += FOLD_VALUE(uint64_t, f, term_argument(f->ts, t, i));
    if (*size > SIZE_LIMIT) *size = SIZE_LIMIT;
  }
}

static uint64_t printed_size(const terms *ts, term t) {
  term_fold f = {.ts = ts, .size = sizeof(uint64_t), .rule = size_rule};
  uint64_t size = *(uint64_t *)term_fold_value(&f, t);
  term_fold_close(&f);
  return size;
}

static uint64_t formula_size(const terms *ts, const temporal *f) {
  if (!f) return 0;
  if (f->kind == TEMPORAL_STATE) return printed_size(ts, f->state);
  return 1 + formula_size(ts, f->left) + formula_size(ts, f->right);
}

static bool is_small(const model *m) {
  uint64_t size = printed_size(m->terms, m->init);
  for (size_t i = 0; i < m->transitions.count && size < SIZE_LIMIT; i++) {
    const transition *t = &m->transitions.at[i];
    size += printed_size(m->terms, t->guard) + printed_size(m->terms, transition_fault(m, t));
    for (size_t j = 0; j < t->updates.count; j++) size += printed_size(m->terms, t->updates.at[j].value);
  }
  for (size_t i = 0; i < m->properties.count && size < SIZE_LIMIT; i++) {
    size += printed_size(m->terms, m->properties.at[i].bad);
    size += formula_size(m->terms, m->properties.at[i].formula);
  }
  for (size_t i = 0; i < m->predicates.count; i++) size += printed_size(m->terms, m->predicates.at[i]);
  for (size_t i = 0; i < m->lemmas.count; i++) size += printed_size(m->terms, m->lemmas.at[i]);
  for (size_t i = 0; i < m->domain.count; i++) size += printed_size(m->terms, m->domain.at[i]);
  for (size_t i = 0; i < m->fairness.count; i++)
    if (m->fairness.at[i].kind == FAIR_STATE) size += printed_size(m->terms, m->fairness.at[i].state);
  return size < SIZE_LIMIT;
}

/* Printing adds parentheses, so what is just within a limit may come out just beyond it. */
static bool is_limit(const char *message) {
  return strstr(message, "levels deep") || strstr(message, "too large") || strstr(message, "more than");
}

static void check_printed(const model *m) {
  text printed = {0};
  diagnostics d = {0};
  model_print(m, &printed);
  model *again = input_read_text("printed.whet", text_string(&printed), printed.count, &d);
  if (!again && !is_limit(text_string(&d.text))) {
    fprintf(stderr, "%s\n%s", text_string(&printed), text_string(&d.text));
    abort();
  }
  if (again) {
    ALWAYS(again->variables.count == m->variables.count);
    ALWAYS(again->transitions.count == m->transitions.count);
    ALWAYS(again->fairness.count == m->fairness.count);
    ALWAYS(again->properties.count == m->properties.count);
  }
  model_free(again);
  text_clear(&printed);
  text_clear(&d.text);
}

static void try_model(const char *content, size_t size) {
  diagnostics d = {0};
  model *m = input_read_text("fuzz.whet", content, size, &d);
  ALWAYS((m == NULL) == (d.errors > 0));
  ALWAYS((d.errors > 0) == (d.text.count > 0));
  if (m && is_small(m)) check_printed(m);
  model_free(m);
  text_clear(&d.text);
}

static const char base_model[] =
    "const N = 3 const K : int var x, y : int var n : nat var r : 0..7 var b, c : bool var s : {A, B, C} var a : "
    "int[0..2]\n"
    "define big = x + y > N\n"
    "process P[i : 1..2] { var t : int states idle, busy  idle -> busy }\n"
    "program Q { var p, q : node = null  L: p := q }\n";

static void try_expressions(const char *content, size_t size) {
  diagnostics d = {0};
  term_vector list = {0}, again = {0};
  model *m = input_read_text("base.whet", base_model, strlen(base_model), &d);
  ALWAYS(m);
  bool fine = input_read_expressions(m, "fuzz", content, size, &list, &d);
  ALWAYS(fine == (d.errors == 0) && (fine || !list.count));
  for (size_t i = 0; i < list.count; i++) {
    if (printed_size(m->terms, list.at[i]) >= SIZE_LIMIT) continue;
    char *printed = term_string(m->terms, list.at[i]);
    VECTOR_CLEAR(again);
    bool reads = input_read_expressions(m, "printed", printed, strlen(printed), &again, &d);
    if (!reads && !is_limit(text_string(&d.text))) {
      fprintf(stderr, "%s\n%s", printed, text_string(&d.text));
      abort();
    }
    if (reads && (again.count != 1 || !term_same(again.at[0], list.at[i]))) {
      fprintf(stderr, "%s\nreads back as\n%s\n", printed,
              again.count == 1 ? term_string(m->terms, again.at[0]) : "several");
      abort();
    }
    memory_free(printed);
  }
  VECTOR_FREE(list);
  VECTOR_FREE(again);
  model_free(m);
  text_clear(&d.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *content = memory_copy_bytes((const char *)data, size);
  if (size && content[0] == '?')
    try_expressions(content + 1, size - 1);
  else
    try_model(content, size);
  memory_free(content);
  return 0;
}
