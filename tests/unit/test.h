/* A test program: cases written with TEST, run by TEST_MAIN, reported in TAP so that tests/run can count them. */
#ifndef WHET_TESTS_TEST_H
#define WHET_TESTS_TEST_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct test_case {
  const char *name;
  void (*run)(void);
  struct test_case *next;
} test_case;

__attribute__((format(printf, 4, 5), unused)) static void test_fail(const char *file, int line, const char *what,
                                                                    const char *format, ...);
static test_case *test_first, **test_end = &test_first;
static int test_failures;
static const char *test_skipped;

static void test_fail(const char *file, int line, const char *what, const char *format, ...) {
  va_list list;
  test_failures++;
  printf("# %s:%d: %s\n", file, line, what);
  if (!*format) return;
  va_start(list, format);
  printf("#   ");
  vprintf(format, list);
  printf("\n");
  va_end(list);
}

#define TEST(NAME)                                                 \
  static void test_##NAME(void);                                   \
  static test_case test_case_##NAME = {#NAME, test_##NAME, NULL};  \
  __attribute__((constructor)) static void test_add_##NAME(void) { \
    *test_end = &test_case_##NAME;                                 \
    test_end = &test_case_##NAME.next;                             \
  }                                                                \
  static void test_##NAME(void)

/* Goes on after a failure, and says where and what. */
#define CHECK(COND, ...)                                               \
  do {                                                                 \
    if (!(COND)) test_fail(__FILE__, __LINE__, #COND, "" __VA_ARGS__); \
  } while (0)

#define CHECK_TEXT(GOT, WANTED)                                                                 \
  do {                                                                                          \
    const char *test_got = (GOT), *test_wanted = (WANTED);                                      \
    if (strcmp(test_got, test_wanted)) {                                                        \
      test_failures++;                                                                          \
      printf("# %s:%d: got    %s\n#   wanted %s\n", __FILE__, __LINE__, test_got, test_wanted); \
    }                                                                                           \
  } while (0)

/* Leaves the case; it counts as skipped, not as passed. */
#define SKIP(WHY)         \
  do {                    \
    test_skipped = (WHY); \
    return;               \
  } while (0)

/* `./program NAME` runs the cases whose name contains NAME. */
#define TEST_MAIN                                                                    \
  int main(int argc, char **argv) {                                                  \
    int test_number = 0, failed = 0;                                                 \
    setvbuf(stdout, NULL, _IOLBF, 0);                                                \
    for (test_case *c = test_first; c; c = c->next) {                                \
      if (argc > 1 && !strstr(c->name, argv[1])) continue;                           \
      test_failures = 0;                                                             \
      test_skipped = NULL;                                                           \
      c->run();                                                                      \
      printf("%s %d - %s", test_failures ? "not ok" : "ok", ++test_number, c->name); \
      if (test_skipped) printf(" # SKIP %s", test_skipped);                          \
      printf("\n");                                                                  \
      failed += test_failures != 0;                                                  \
    }                                                                                \
    printf("1..%d\n", test_number);                                                  \
    return failed != 0;                                                              \
  }

#endif
