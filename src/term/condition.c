/* Conditions compiled to tests with two exits, so that evaluation stops as soon as the outcome is known. Atoms over one
 * or two variables, which is what guards are made of, are tested in place; anything else is a piece of code (code.c).
 */
#include "term/evaluate.h"

typedef enum test_kind {
  TEST_BOOL,         /* state[a] */
  TEST_AT_MOST,      /* state[a] <= constant */
  TEST_EQUAL,        /* state[a] = constant */
  TEST_DIFF_AT_MOST, /* state[a] - state[b] <= constant */
  TEST_DIFF_EQUAL,
  TEST_CODE, /* pieces[a] */
} test_kind;

enum { EXIT_TRUE = -1, EXIT_FALSE = -2 };

typedef struct test {
  test_kind kind;
  uint32_t a, b;
  int64_t constant;
  int32_t if_true, if_false; /* the next test, or an exit */
} test;

struct condition {
  VECTOR(test) tests; /* the first is the last made */
  VECTOR(code *) pieces;
  int32_t start;
};

/* Larger formulas are compiled as one piece of code: tests are made along the tree, not the graph. */
enum { TEST_LIMIT = 256 };

typedef struct compiler {
  condition *c;
  const terms *ts;
  const uint32_t *slots;
} compiler;

static int32_t add_test(compiler *k, test t) {
  VECTOR_PUSH(k->c->tests, t);
  return (int32_t)k->c->tests.count - 1;
}

static bool simple_atom(const compiler *k, term t, test *out) {
  const terms *ts = k->ts;
  term_kind kind = term_kind_of(ts, t);
  if (kind == TERM_BOOL_VARIABLE) {
    *out = (test){.kind = TEST_BOOL, .a = k->slots[term_variable(ts, t).x]};
    return true;
  }
  if (kind != TERM_LE && kind != TERM_EQ) return false;
  linear l = term_linear(ts, term_argument(ts, t, 0));
  if (l.count > 2 || l.constant.big || l.constant.small == INT64_MIN) return false;
  for (size_t i = 0; i < l.count; i++)
    if (term_kind_of(ts, l.leaves[i]) != TERM_INT_VARIABLE || !number_is(l.coefficients[i], i == 0 ? 1 : -1))
      return false;
  *out = (test){.kind = l.count == 1 ? (kind == TERM_LE ? TEST_AT_MOST : TEST_EQUAL)
                                     : (kind == TERM_LE ? TEST_DIFF_AT_MOST : TEST_DIFF_EQUAL),
                .a = k->slots[term_variable(ts, l.leaves[0]).x],
                .b = l.count == 2 ? k->slots[term_variable(ts, l.leaves[1]).x] : 0,
                .constant = -l.constant.small};
  return true;
}

static int32_t compile_piece(compiler *k, term t, int32_t if_true, int32_t if_false) {
  VECTOR_PUSH(k->c->pieces, code_compile(k->ts, 1, &t, k->slots));
  return add_test(k, (test){TEST_CODE, (uint32_t)k->c->pieces.count - 1, 0, 0, if_true, if_false});
}

/* The entry to the tests of `t`. Recursion follows and / if-then-else only, and `depth` bounds it. */
static int32_t compile_tests(compiler *k, term t, int32_t if_true, int32_t if_false, int depth) {
  const terms *ts = k->ts;
  if (term_is_negated(t)) return compile_tests(k, term_not(t), if_false, if_true, depth);
  if (term_is_true(t)) return if_true;
  test simple;
  if (simple_atom(k, t, &simple)) {
    simple.if_true = if_true;
    simple.if_false = if_false;
    return add_test(k, simple);
  }
  term_kind kind = term_kind_of(ts, t);
  if (depth == 0 || k->c->tests.count > TEST_LIMIT || (kind != TERM_AND && kind != TERM_BOOL_ITE && kind != TERM_IFF))
    return compile_piece(k, t, if_true, if_false);
  if (kind == TERM_AND) {
    int32_t next = if_true;
    /* Tests in place come before all others. */
    for (int simple_ones = 0; simple_ones < 2; simple_ones++)
      for (size_t i = term_arguments(ts, t); i-- > 0;) {
        term part = term_argument(ts, t, i);
        if (simple_atom(k, part, &simple) == simple_ones) next = compile_tests(k, part, next, if_false, depth - 1);
      }
    return next;
  }
  term c = term_argument(ts, t, 0), a = term_argument(ts, t, 1);
  term b = kind == TERM_IFF ? term_not(a) : term_argument(ts, t, 2);
  int32_t then = compile_tests(k, a, if_true, if_false, depth - 1);
  int32_t otherwise = compile_tests(k, b, if_true, if_false, depth - 1);
  return compile_tests(k, c, then, otherwise, depth - 1);
}

condition *condition_compile(const terms *ts, term t, const uint32_t *slots) {
  condition *c = MEMORY_NEW(condition);
  c->start = compile_tests(&(compiler){c, ts, slots}, t, EXIT_TRUE, EXIT_FALSE, 8);
  return c;
}

void condition_free(condition *c) {
  if (!c) return;
  for (size_t i = 0; i < c->pieces.count; i++) code_free(c->pieces.at[i]);
  VECTOR_FREE(c->pieces);
  VECTOR_FREE(c->tests);
  memory_free(c);
}

int condition_holds(const condition *c, const int64_t *state) {
  const test *tests = c->tests.at;
  int32_t at = c->start;
  while (at >= 0) {
    const test *t = &tests[at];
    bool yes = false;
    int64_t value;
    switch (t->kind) {
      case TEST_BOOL: yes = state[t->a] != 0; break;
      case TEST_AT_MOST: yes = state[t->a] <= t->constant; break;
      case TEST_EQUAL: yes = state[t->a] == t->constant; break;
      case TEST_DIFF_AT_MOST:
        if (__builtin_sub_overflow(state[t->a], state[t->b], &value)) return -1;
        yes = value <= t->constant;
        break;
      case TEST_DIFF_EQUAL:
        if (__builtin_sub_overflow(state[t->a], state[t->b], &value)) return -1;
        yes = value == t->constant;
        break;
      case TEST_CODE:
        if (code_run(c->pieces.at[t->a], state, &value) != CODE_FINE) return -1;
        yes = value != 0;
        break;
    }
    at = yes ? t->if_true : t->if_false;
  }
  return at == EXIT_TRUE;
}
