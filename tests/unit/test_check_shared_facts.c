/* Shared facts that are damaged are noticed to be. */
#include "unit/damage.h"
#include "run/shared_facts.c"

static model *model_of_one(void) {
  model *m = model_new(terms_new(), "one");
  type integers = {.sort = SORT_INT};
  model_add_variable(m, "x", &integers, (variable_role){0}, (place){0});
  return m;
}

static shared_facts *some_facts(model *m) {
  shared_facts *k = shared_facts_new(m, NULL);
  term known;
  for (int i = 0; i < 5; i++) {
    term_vector read = {0};
    char *line = text_format("(>= |x| %d)", 10 * i);
    CHECK(formulas_read(m, line, &read) && read.count == 1);
    add_fact(k, read.at[0], "alpha", NULL);
    CHECK(shared_facts_add_predicate(k, line, &known));
    CHECK(!shared_facts_add_predicate(k, line, &known));
    memory_free(line);
    VECTOR_FREE(read);
  }
  CHECK(shared_facts_add_hint(k, "(>= |x| 77)", &known));
  return k;
}

TEST(damage_to_facts) {
  model *m = model_of_one();
  shared_facts *k = some_facts(m);
  CHECK_TEXT(said(shared_facts_check(k)), WHOLE);
  term third = k->facts.at[2];
  k->facts.at[2] = k->facts.at[3];
  CHECK_TEXT(said(shared_facts_check(k)), "facts are found under their numbers");
  k->facts.at[2] = TERM_TRUE;
  CHECK_TEXT(said(shared_facts_check(k)), "no fact is true in itself");
  k->facts.at[2] = third;
  k->provers.count--;
  CHECK_TEXT(said(shared_facts_check(k)), "every fact has a prover");
  k->provers.count++;
  map_set(k->known_predicates, 123456, 1);
  CHECK_TEXT(said(shared_facts_check(k)), "predicates and hints are different formulas");
  size_t hints = k->hints.count;
  k->hints.count = MOST_HINTS + 1;
  CHECK_TEXT(said(shared_facts_check(k)), "there are no more than the limits say");
  k->hints.count = hints;
  shared_facts_free(k);
  model_free(m);
}

TEST_MAIN
