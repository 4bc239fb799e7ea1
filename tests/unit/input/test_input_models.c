/* Whole models: each one we have loads, its formulas read back as themselves, and so does the model that whet prints.
 */
#include "term/print.h"
#include "unit/input/input_helper.h"
#include "unit/test.h"

static bool has_inputs(const model *m, term t) {
  variable_vector vars = {0};
  bool found = false;
  term_variables(m->terms, 1, &t, &vars);
  for (size_t i = 0; i < vars.count; i++) found |= !model_is_state_variable(m, vars.at[i]);
  VECTOR_FREE(vars);
  return found;
}

/* `t` of model `from`, printed and read in the names of `m`, is `wanted`. */
static void check_reads_as(model *m, const model *from, term t, term wanted) {
  if (has_inputs(from, t)) return;
  char *printed = term_string(from->terms, t);
  term back = read_condition(m, printed);
  char *got = term_string(m->terms, back);
  CHECK(term_same(back, wanted), "%s: %s reads back as %s", m->name, printed, got);
  memory_free(got);
  memory_free(printed);
}

/* A printed model has no initial values any more, so its initial condition repeats the bounds of every variable. */
static void check_init(model *m, const model *n) {
  char *printed = term_string(n->terms, n->init);
  term back = read_condition(m, printed), wanted = m->init;
  for (size_t i = 0; i < m->variables.count; i++) {
    term in_type = variable_in_type(m->terms, m->variables.at[i].var);
    back = term_and(m->terms, back, in_type);
    wanted = term_and(m->terms, wanted, in_type);
  }
  CHECK(term_same(back, wanted), "%s: %s", m->name, printed);
  memory_free(printed);
}

static void check_terms(model *m, const model *n) {
  check_init(m, n);
  CHECK(m->transitions.count == n->transitions.count, "%s", m->name);
  for (size_t i = 0; i < m->transitions.count && i < n->transitions.count; i++) {
    const transition *a = &m->transitions.at[i], *b = &n->transitions.at[i];
    if (m == n) CHECK_TEXT(b->name, a->name);
    if (strcmp(a->name, b->name)) continue; /* actions are printed after processes */
    check_reads_as(m, n, b->guard, a->guard);
    check_reads_as(m, n, transition_fault(n, b), transition_fault(m, a));
    CHECK(a->updates.count == b->updates.count, "%s: %s", m->name, a->name);
  }
  CHECK(m->properties.count == n->properties.count, "%s", m->name);
  for (size_t i = 0; i < m->properties.count && i < n->properties.count; i++) {
    CHECK_TEXT(n->properties.at[i].name, m->properties.at[i].name);
    check_reads_as(m, n, n->properties.at[i].bad, m->properties.at[i].bad);
  }
}

static void check_file(const char *path) {
  diagnostics d = {0};
  model *m = input_read_file(path, &d);
  CHECK(m, "%s", text_string(&d.text));
  CHECK((m == NULL) == (d.errors > 0));
  text_clear(&d.text);
  if (!m) return;
  CHECK(m->properties.count > 0, "%s", path);
  check_terms(m, m);
  text printed = {0};
  model_print(m, &printed);
  model *n = read_good_model(text_string(&printed));
  check_terms(m, n);
  text_clear(&printed);
  model_free(n);
  model_free(m);
}

static void check_folder(const char *folder, size_t at_least) {
  paths files = {0};
  find_files(folder, ".whet", &files);
  CHECK(files.count >= at_least, "%zu files in %s", files.count, folder);
  for (size_t i = 0; i < files.count; i++) check_file(files.at[i]);
  paths_free(&files);
}

TEST(our_models_load_and_read_back) { check_folder(TESTS_FOLDER "/data/models", 40); }

TEST(benchmarks_load_and_read_back) {
  const char *folder = getenv("WHET_BENCH");
  if (!folder) SKIP("WHET_BENCH is not set");
  char *whet = text_format("%s/whet", folder);
  check_folder(whet, 100);
  memory_free(whet);
}

/* The block that starts after `*at` with the line "```kind"; `*at` moves behind it. NULL if there is none. */
static GIVE char *next_block(const char **at, const char *kind) {
  char *open = text_format("\n```%s\n", kind);
  const char *start = strstr(*at, open);
  size_t length = strlen(open);
  memory_free(open);
  if (!start) return NULL;
  const char *end = strstr(start + length, "\n```");
  *at = end + 1;
  return memory_copy_bytes(start + length, (size_t)(end + 1 - (start + length)));
}

TEST(examples_of_the_manual) {
  size_t length, count = 0;
  char *manual = read_file(TESTS_FOLDER "/../docs/language.md", &length), *block;
  const char *at = manual;
  for (; (block = next_block(&at, "whet")); count++) {
    text message = {0};
    model *m = read_model(block, &message);
    CHECK(m && m->properties.count, "%s\n%s", text_string(&message), block);
    model_free(m);
    text_clear(&message);
    memory_free(block);
  }
  CHECK(count > 8);
  at = manual;
  for (count = 0; (block = next_block(&at, "wrong")); count++) {
    char *wanted = next_block(&at, "message");
    diagnostics d = {0};
    CHECK(!input_read_text("model.whet", block, strlen(block), &d));
    CHECK(wanted && !strcmp(wanted, text_string(&d.text)), "%s\n%s", block, text_string(&d.text));
    memory_free(wanted);
    memory_free(block);
    text_clear(&d.text);
  }
  CHECK(count == 2);
  memory_free(manual);
}

TEST_MAIN
