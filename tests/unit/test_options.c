#include "base/memory.h"
#include "base/options.h"
#include "base/statistics.h"
#include "unit/test.h"

static void expect_error(options *o, const char *name, const char *value, const char *wanted) {
  char *error = options_set(o, name, value);
  CHECK(error, "--%s %s was taken", name, value ? value : "");
  if (error) CHECK_TEXT(error, wanted);
  memory_free(error);
}

static void expect_fine(options *o, const char *name, const char *value) {
  char *error = options_set(o, name, value);
  CHECK(!error, "--%s: %s", name, error);
  memory_free(error);
}

TEST(defaults) {
  options *o = options_new();
  CHECK(o->threads == 1);
  CHECK(o->order == ORDER_BFS);
  CHECK(o->trace == TRACE_DIFF);
  CHECK(o->timeout == 0);
  CHECK(!o->quiet && !o->verbose);
  CHECK(!o->json && !o->property);
  CHECK(!o->engine);
  options_free(o);
}

TEST(values_of_every_kind) {
  options *o = options_new();
  expect_fine(o, "threads", "64");
  expect_fine(o, "timeout", "0.25");
  expect_fine(o, "order", "dfs");
  expect_fine(o, "trace", "full");
  expect_fine(o, "quiet", NULL);
  expect_fine(o, "json", "first");
  expect_fine(o, "json", "-");
  expect_fine(o, "v", NULL);
  expect_fine(o, "seed", "18446744073709551615");
  options *copy = options_copy(o);
  options_free(o);
  CHECK(copy->threads == 64);
  CHECK(copy->timeout == 0.25);
  CHECK(copy->order == ORDER_DFS);
  CHECK(copy->trace == TRACE_FULL);
  CHECK(copy->quiet && copy->verbose);
  CHECK(copy->seed == UINT64_MAX);
  CHECK_TEXT(copy->json, "-");
  options_free(copy);
}

TEST(wrong_values_say_what_would_be_right) {
  options *o = options_new();
  expect_error(o, "threads", "0", "--threads: '0' is not a whole number from 1 to 64");
  expect_error(o, "threads", "65", "--threads: '65' is not a whole number from 1 to 64");
  expect_error(o, "threads", "-1", "--threads: '-1' is not a whole number from 1 to 64");
  expect_error(o, "threads", "", "--threads: '' is not a whole number from 1 to 64");
  expect_error(o, "threads", " 2", "--threads: ' 2' is not a whole number from 1 to 64");
  expect_error(o, "threads", "2x", "--threads: '2x' is not a whole number from 1 to 64");
  expect_error(o, "seed", "18446744073709551616",
               "--seed: '18446744073709551616' is not a whole number from 0 to 18446744073709551615");
  expect_error(o, "timeout", "-1", "--timeout: '-1' is not a number of seconds such as 10 or 0.5");
  expect_error(o, "timeout", "nan", "--timeout: 'nan' is not a number of seconds such as 10 or 0.5");
  expect_error(o, "timeout", "1e999", "--timeout: '1e999' is not a number of seconds such as 10 or 0.5");
  expect_error(o, "timeout", "5s", "--timeout: '5s' is not a number of seconds such as 10 or 0.5");
  expect_error(o, "order", "bf", "--order: 'bf' is none of bfs|dfs");
  expect_error(o, "order", "", "--order: '' is none of bfs|dfs");
  expect_error(o, "order", NULL, "--order wants an argument: --order bfs|dfs");
  expect_error(o, "json", NULL, "--json wants an argument: --json FILE");
  expect_error(o, "quiet", "yes", "--quiet takes no argument");
  expect_error(o, "tiemout", "1", "there is no option --tiemout; did you mean --timeout?");
  expect_error(o, "qqqqqqqqqqqq", "1", "there is no option --qqqqqqqqqqqq");
  CHECK(o->threads == 1 && o->order == ORDER_BFS && o->timeout == 0, "a wrong value must change nothing");
  options_free(o);
}

static void expect_value(const options *o, const char *name, const char *wanted) {
  char *value = options_get(o, name);
  CHECK_TEXT(value, wanted);
  memory_free(value);
}

TEST(values_read_back_as_text) {
  options *o = options_new();
  expect_value(o, "order", "bfs");
  expect_value(o, "quiet", "");
  expect_value(o, "json", "");
  expect_fine(o, "order", "dfs");
  expect_fine(o, "trace", "off");
  expect_fine(o, "quiet", NULL);
  expect_fine(o, "timeout", "2.5");
  expect_fine(o, "threads", "7");
  expect_fine(o, "json", "a.json");
  expect_value(o, "order", "dfs");
  expect_value(o, "trace", "off");
  expect_value(o, "quiet", "yes");
  expect_value(o, "timeout", "2.5");
  expect_value(o, "threads", "7");
  expect_value(o, "json", "a.json");
  options_free(o);
}

TEST(the_table_is_consistent) {
  for (size_t i = 0; i < options_count(); i++) {
    const option_row *row = options_at(i);
    CHECK(options_find(row->name) == row, "%s is there twice", row->name);
    if (row->letter) CHECK(options_find((char[]){row->letter, 0}) == row, "-%c is there twice", row->letter);
    CHECK(*row->help && *row->commands, "%s", row->name);
    CHECK((row->kind == OPTION_IS_FLAG) == !*row->argument, "%s", row->name);
    if (row->kind != OPTION_IS_CHOICE) continue;
    size_t words = 1;
    for (const char *c = row->choices; *c; c++) words += *c == '|';
    CHECK(words == row->high + 1, "%s has %zu words for %zu constants", row->name, words, (size_t)row->high + 1);
  }
}

TEST(lists) {
  CHECK(options_list_has("verify check", "check"));
  CHECK(options_list_has("a,b", "a"));
  CHECK(!options_list_has("verify check", "ver"));
  CHECK(!options_list_has("", "verify"));
}

TEST(statistics_are_read_back_by_key) {
  statistics s = {.states = 7, .obligations = 9};
  uint64_t sum = 0;
  for (size_t i = 0; i < statistics_count(); i++) {
    if (!strcmp(statistics_key(i), "states")) CHECK(statistics_value(&s, i) == 7);
    sum += statistics_value(&s, i);
    for (size_t j = 0; j < i; j++) CHECK(strcmp(statistics_key(i), statistics_key(j)), "%s twice", statistics_key(i));
  }
  CHECK(sum == 16);
  CHECK(statistics_count() * sizeof(uint64_t) == sizeof s);
}

TEST_MAIN
