/* Substitution goes over the cone of a term from below; what it made of each term is remembered. */
#include "term/substitute.h"

#include "term/fold.h"
#include "term/table.h"

typedef struct decided {
  uint32_t test; /* index */
  term by;
} decided;

struct substitution {
  terms *ts;
  VECTOR(uint32_t) by;  /* variable -> replacement + 1; 0 = itself */
  VECTOR(uint32_t) set; /* variables that `by` may have a replacement for */
  VECTOR(decided) tests;
  term_fold made; /* what has become of each term */
};

static void replace_one(const term_fold *f, term t, void *out);

substitution *substitution_new(terms *ts) {
  substitution *s = MEMORY_NEW(substitution);
  s->ts = ts;
  s->made = (term_fold){.ts = ts, .size = sizeof(term), .rule = replace_one, .context = s};
  return s;
}

void substitution_free(substitution *s) {
  if (!s) return;
  VECTOR_FREE(s->by);
  VECTOR_FREE(s->set);
  VECTOR_FREE(s->tests);
  term_fold_close(&s->made);
  memory_free(s);
}

void substitution_clear(substitution *s) {
  for (size_t i = 0; i < s->set.count; i++) s->by.at[s->set.at[i]] = 0;
  VECTOR_CLEAR(s->set);
  VECTOR_CLEAR(s->tests);
  term_fold_clear(&s->made);
}

void substitution_set(substitution *s, variable v, term by) {
  REQUIRE(term_fits(s->ts, by, variable_type(s->ts, v)), "a replacement of the variable's sort");
  while (s->by.count <= v.x) VECTOR_PUSH(s->by, 0);
  if (!s->by.at[v.x]) VECTOR_PUSH(s->set, v.x);
  s->by.at[v.x] = by.x + 1;
  term_fold_clear(&s->made);
}

void substitution_decide(substitution *s, term test, term by) {
  VECTOR_PUSH(s->tests, (decided){term_index(test), term_is_negated(test) ? term_not(by) : by});
  term_fold_clear(&s->made);
}

/* Heap tests keep their variables: a node variable may only be replaced by another one. */
term term_rebuild(terms *ts, term t, const term *arguments) {
  size_t count = term_arguments(ts, t);
  switch (term_kind_of(ts, t)) {
    case TERM_HEAP_NULL: return term_heap_null(ts, term_variable(ts, arguments[0]));
    case TERM_HEAP_SAME: return term_heap_same(ts, term_variable(ts, arguments[0]), term_variable(ts, arguments[1]));
    case TERM_HEAP_DATA: return term_heap_data(ts, term_variable(ts, arguments[0]), term_heap_values(ts, t));
    case TERM_LE: return term_at_most_zero(ts, arguments[0]);
    case TERM_EQ: return term_equals_zero(ts, arguments[0]);
    case TERM_AND: return term_and_all(ts, count, arguments);
    case TERM_IFF: return term_iff(ts, arguments[0], arguments[1]);
    case TERM_ARRAY_SAME: return term_array_same(ts, arguments[0], arguments[1]);
    case TERM_BOOL_SELECT:
    case TERM_ARRAY_SELECT:
    case TERM_SELECT: return term_select(ts, arguments[0], arguments[1]);
    case TERM_STORE: return term_store(ts, arguments[0], arguments[1], arguments[2]);
    case TERM_CONSTANT_ARRAY: return term_constant_array(ts, term_element(ts, t), arguments[0]);
    case TERM_BOOL_ITE:
    case TERM_ARRAY_ITE:
    case TERM_INT_ITE: return term_ite(ts, arguments[0], arguments[1], arguments[2]);
    case TERM_DIV: return term_div(ts, arguments[0], arguments[1]);
    case TERM_MOD: return term_mod(ts, arguments[0], arguments[1]);
    case TERM_PRODUCT: {
      term product = arguments[0];
      for (size_t i = 1; i < count; i++) product = term_mul(ts, product, arguments[i]);
      return product;
    }
    case TERM_SUM: {
      linear l = term_linear(ts, t);
      VECTOR(number) coefficients = {0};
      for (size_t i = 0; i < count; i++) VECTOR_PUSH(coefficients, l.coefficients[i]);
      term sum = term_sum(ts, l.constant, count, arguments, coefficients.at);
      VECTOR_FREE(coefficients);
      return sum;
    }
    default: REQUIRE(count == 0, "a kind with arguments"); return t;
  }
}

static term replacement(const substitution *s, const term_fold *f, term t) {
  term_kind kind = term_kind_of(s->ts, t);
  if (kind == TERM_BOOL_VARIABLE || kind == TERM_INT_VARIABLE || kind == TERM_NODE_VARIABLE ||
      kind == TERM_REAL_VARIABLE || kind == TERM_ARRAY_VARIABLE) {
    uint32_t v = term_variable(s->ts, t).x;
    return v < s->by.count && s->by.at[v] ? (term){s->by.at[v] - 1} : t;
  }
  for (size_t i = 0; i < s->tests.count; i++)
    if (s->tests.at[i].test == term_index(t)) return s->tests.at[i].by;
  return fold_rebuilt(f, s->ts, t);
}

static void replace_one(const term_fold *f, term t, void *out) { *(term *)out = replacement(f->context, f, t); }

term substitution_apply(substitution *s, term t) {
  term_fold_value(&s->made, t);
  return fold_term(&s->made, t);
}

term term_replace(terms *ts, term t, variable v, term by) {
  substitution *s = substitution_new(ts);
  substitution_set(s, v, by);
  term result = substitution_apply(s, t);
  substitution_free(s);
  return result;
}
