/* Cases of formulas: a worklist of branches, each with formulas still to be looked at and the facts found so far. Facts
 * stay terms until a branch is done: a leaf of a sum that is no variable of the frame becomes a local dimension then.
 */
#include "engine/widen/graph/cases.h"

enum { MOST_CASES = 4096 };

typedef enum fact_kind {
  FACT_NOT_NEGATIVE, /* sum >= 0 */
  FACT_POSITIVE,     /* sum > 0, of reals */
  FACT_ZERO,         /* sum = 0 */
  FACT_BOOL,         /* a boolean variable, true or false by its polarity */
} fact_kind;

typedef struct fact {
  fact_kind kind;
  term sum;
} fact;

typedef struct branch {
  term_vector pending;
  VECTOR(fact) facts;
  term_vector defined; /* leaves with their facts already there */
  term_vector values;  /* of the updates, as integer sums */
  term_vector heap;    /* tests */
  size_t next_update;  /* whose value is to be looked at */
} branch;

typedef struct casing {
  const case_frame *frame;
  terms *ts;
  const update *updates;
  size_t update_count;
  VECTOR(branch) branches;
  size_t made;
  const char *failure;
} casing;

void frame_add(case_frame *f, variable v) {
  while (f->of.count <= v.x) VECTOR_PUSH(f->of, NO_DIMENSION);
  f->of.at[v.x] = f->dimensions.count;
  VECTOR_PUSH(f->dimensions, v);
}

void frame_clear(case_frame *f) {
  VECTOR_FREE(f->dimensions);
  VECTOR_FREE(f->of);
}

void case_clear(linear_case *c) {
  rows_clear(&c->rows);
  for (size_t i = 0; i < c->updates.count; i++) row_clear(&c->updates.at[i].value);
  VECTOR_FREE(c->updates);
  VECTOR_FREE(c->heap);
}

void cases_clear(case_vector *cases) {
  for (size_t i = 0; i < cases->count; i++) case_clear(&cases->at[i]);
  VECTOR_FREE(*cases);
}

/* ---- branches ---- */

static void branch_free(branch *b) {
  VECTOR_FREE(b->pending);
  VECTOR_FREE(b->facts);
  VECTOR_FREE(b->defined);
  VECTOR_FREE(b->values);
  VECTOR_FREE(b->heap);
}

#define COPY_VECTOR(TO, FROM)                                                                    \
  do {                                                                                           \
    VECTOR_RESERVE(TO, (FROM).count);                                                            \
    for (size_t copy_i = 0; copy_i < (FROM).count; copy_i++) VECTOR_PUSH(TO, (FROM).at[copy_i]); \
  } while (0)

static branch branch_copy(const branch *b) {
  branch c = {.next_update = b->next_update};
  COPY_VECTOR(c.pending, b->pending);
  COPY_VECTOR(c.facts, b->facts);
  COPY_VECTOR(c.defined, b->defined);
  COPY_VECTOR(c.values, b->values);
  COPY_VECTOR(c.heap, b->heap);
  return c;
}

static void put_back(casing *c, branch b) {
  if (++c->made > MOST_CASES) c->failure = "too many cases in a formula";
  VECTOR_PUSH(c->branches, b);
}

/* A copy of b in which `extra` holds as well. The last one put back is looked at first. */
static void fork_with(casing *c, const branch *b, term first, term second) {
  branch copy = branch_copy(b);
  VECTOR_PUSH(copy.pending, first);
  if (!term_is_true(second)) VECTOR_PUSH(copy.pending, second);
  put_back(c, copy);
}

/* ---- leaves that are not variables ---- */

static bool is_defined(const branch *b, term leaf) {
  for (size_t i = 0; i < b->defined.count; i++)
    if (term_same(b->defined.at[i], leaf)) return true;
  return false;
}

static void add_fact(branch *b, fact_kind kind, term sum) { VECTOR_PUSH(b->facts, (fact){kind, sum}); }

/* low <= sum <= high */
static void add_between(casing *c, branch *b, term sum, term low, term high) {
  add_fact(b, FACT_NOT_NEGATIVE, term_sub(c->ts, sum, low));
  add_fact(b, FACT_NOT_NEGATIVE, term_sub(c->ts, high, sum));
}

/* `leaf` is the quotient or remainder of its argument by a constant. */
static void define_division(casing *c, branch *b, term leaf, number divisor) {
  terms *ts = c->ts;
  term dividend = term_argument(ts, leaf, 0);
  term zero = term_int(ts, 0), most = term_number(ts, number_sub(number_abs(divisor), number_of(1)));
  if (term_kind_of(ts, leaf) == TERM_DIV) {
    add_between(c, b, term_sub(ts, dividend, term_scale(ts, divisor, leaf)), zero, most);
    return;
  }
  term quotient = term_div(ts, dividend, term_number(ts, divisor));
  add_fact(b, FACT_ZERO, term_sub(ts, term_sub(ts, dividend, term_scale(ts, divisor, quotient)), leaf));
  add_between(c, b, leaf, zero, most);
}

/* True if the branch was replaced by two. */
static bool define_leaf(casing *c, branch *b, term leaf) {
  terms *ts = c->ts;
  term_kind kind = term_kind_of(ts, leaf);
  number divisor;
  if (kind == TERM_INT_VARIABLE || kind == TERM_REAL_VARIABLE || is_defined(b, leaf)) return false;
  VECTOR_PUSH(b->defined, leaf);
  if ((kind == TERM_DIV || kind == TERM_MOD) && term_is_number(ts, term_argument(ts, leaf, 1), &divisor) &&
      !number_is(divisor, 0)) {
    define_division(c, b, leaf, divisor);
    return false;
  }
  if (kind != TERM_INT_ITE) return false;
  term condition = term_argument(ts, leaf, 0);
  for (size_t i = 2; i >= 1; i--) {
    branch copy = branch_copy(b);
    VECTOR_PUSH(copy.pending, i == 1 ? condition : term_not(condition));
    add_fact(&copy, FACT_ZERO, term_sub(ts, leaf, term_argument(ts, leaf, i)));
    put_back(c, copy);
  }
  return true;
}

/* Looks for a leaf without its facts; true if the branch was replaced. */
static bool define_leaves(casing *c, branch *b, term sum) {
  linear l = term_linear(c->ts, sum);
  term_vector leaves = {0};
  for (size_t i = 0; i < l.count; i++) VECTOR_PUSH(leaves, l.leaves[i]); /* building terms moves `l` */
  bool replaced = false;
  for (size_t i = 0; i < leaves.count && !replaced; i++) replaced = define_leaf(c, b, leaves.at[i]);
  VECTOR_FREE(leaves);
  return replaced;
}

/* ---- one formula ---- */

typedef enum progress { GOES_ON, REPLACED, IMPOSSIBLE } progress;

static progress split_equality(casing *c, branch *b, term sum) {
  terms *ts = c->ts;
  fork_with(c, b, term_gt(ts, sum, term_int(ts, 0)), TERM_TRUE);
  fork_with(c, b, term_lt(ts, sum, term_int(ts, 0)), TERM_TRUE);
  return REPLACED;
}

/* sum <= 0, or not. */
static void take_bound(casing *c, branch *b, term t) {
  terms *ts = c->ts;
  term sum = term_argument(ts, t, 0);
  if (!term_is_negated(t))
    add_fact(b, FACT_NOT_NEGATIVE, term_negate(ts, sum));
  else if (term_is_real_atom(ts, t))
    add_fact(b, FACT_POSITIVE, sum);
  else
    add_fact(b, FACT_NOT_NEGATIVE, term_sub(ts, sum, term_int(ts, 1)));
}

static progress look_at(casing *c, branch *b, term t) {
  terms *ts = c->ts;
  bool negated = term_is_negated(t);
  term first, second, third;
  switch (term_kind_of(ts, t)) {
    case TERM_CONSTANT_TRUE: return negated ? IMPOSSIBLE : GOES_ON;
    case TERM_BOOL_VARIABLE: add_fact(b, FACT_BOOL, t); return GOES_ON;
    case TERM_LE: take_bound(c, b, t); return GOES_ON;
    case TERM_EQ:
      first = term_argument(ts, t, 0);
      if (negated) return split_equality(c, b, first);
      add_fact(b, FACT_ZERO, first);
      return GOES_ON;
    case TERM_AND:
      if (!negated) {
        for (size_t i = term_arguments(ts, t); i-- > 0;) VECTOR_PUSH(b->pending, term_argument(ts, t, i));
        return GOES_ON;
      }
      for (size_t i = term_arguments(ts, t); i-- > 0;) fork_with(c, b, term_not(term_argument(ts, t, i)), TERM_TRUE);
      return REPLACED;
    case TERM_IFF:
      first = term_argument(ts, t, 0), second = term_argument(ts, t, 1);
      fork_with(c, b, term_not(first), negated ? second : term_not(second));
      fork_with(c, b, first, negated ? term_not(second) : second);
      return REPLACED;
    case TERM_BOOL_ITE:
      first = term_argument(ts, t, 0), second = term_argument(ts, t, 1), third = term_argument(ts, t, 2);
      fork_with(c, b, term_not(first), negated ? term_not(third) : third);
      fork_with(c, b, first, negated ? term_not(second) : second);
      return REPLACED;
    case TERM_HEAP_NULL:
    case TERM_HEAP_SAME:
    case TERM_HEAP_DATA: VECTOR_PUSH(b->heap, t); return GOES_ON;
    default: REQUIRE(false, "a formula"); return IMPOSSIBLE;
  }
}

/* The next update's value as an integer sum; a boolean one is 1 in one case and 0 in another. */
static bool take_update(casing *c, branch *b) {
  term value = c->updates[b->next_update++].value;
  if (term_sort(c->ts, value) != SORT_BOOL) {
    VECTOR_PUSH(b->values, value);
    return false;
  }
  for (int i = 0; i <= 1; i++) {
    branch copy = branch_copy(b);
    VECTOR_PUSH(copy.pending, i ? value : term_not(value));
    VECTOR_PUSH(copy.values, term_int(c->ts, i));
    put_back(c, copy);
  }
  return true;
}

/* Works on a branch until it is done (GOES_ON), was replaced by others, or cannot hold. */
static progress finish(casing *c, branch *b) {
  size_t facts_seen = 0, values_seen = 0;
  for (;;) {
    if (c->failure) return IMPOSSIBLE;
    if (b->pending.count) {
      progress p = look_at(c, b, VECTOR_POP(b->pending));
      if (p != GOES_ON) return p;
    } else if (facts_seen < b->facts.count) {
      fact f = b->facts.at[facts_seen++];
      if (f.kind != FACT_BOOL && define_leaves(c, b, f.sum)) return REPLACED;
    } else if (values_seen < b->values.count) {
      if (define_leaves(c, b, b->values.at[values_seen++])) return REPLACED;
    } else if (b->next_update < c->update_count) {
      if (take_update(c, b)) return REPLACED;
    } else {
      return GOES_ON;
    }
  }
}

/* ---- rows ---- */

typedef struct local_terms {
  const case_frame *frame;
  terms *ts;
  term_vector leaves; /* local dimension i stands for leaf i */
} local_terms;

static bool is_variable(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  return kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE || kind == TERM_REAL_VARIABLE;
}

static size_t dimension_of(local_terms *l, term leaf) {
  size_t base = l->frame->dimensions.count;
  if (is_variable(l->ts, leaf)) {
    size_t d = frame_dimension(l->frame, term_variable(l->ts, leaf));
    if (d != NO_DIMENSION) return d;
  }
  for (size_t i = 0; i < l->leaves.count; i++)
    if (term_same(l->leaves.at[i], leaf)) return base + i;
  VECTOR_PUSH(l->leaves, leaf);
  return base + l->leaves.count - 1;
}

static void meet_leaves(local_terms *l, term sum) {
  linear s = term_linear(l->ts, sum);
  for (size_t i = 0; i < s.count; i++) dimension_of(l, s.leaves[i]);
}

static linear_row row_of_sum(local_terms *l, term sum, size_t width) {
  linear_row r = row_new(width);
  linear s = term_linear(l->ts, sum);
  r.at[0] = s.constant;
  for (size_t i = 0; i < s.count; i++) {
    number *at = &r.at[1 + dimension_of(l, s.leaves[i])];
    *at = number_add(*at, s.coefficients[i]);
  }
  return r;
}

static void add_limit(row_vector *rows, size_t width, size_t dimension, number limit, bool is_low) {
  linear_row r = row_new(width);
  r.at[dimension + 1] = number_of(is_low ? 1 : -1);
  r.at[0] = is_low ? number_negate(limit) : limit;
  VECTOR_PUSH(*rows, r);
}

static void add_type(const terms *ts, variable v, row_vector *rows, size_t width, size_t dimension) {
  const type *t = variable_type(ts, v);
  bool is_bool = t->sort == SORT_BOOL;
  if (is_bool || t->has_low) add_limit(rows, width, dimension, is_bool ? number_of(0) : t->low, true);
  if (is_bool || t->has_high) add_limit(rows, width, dimension, is_bool ? number_of(1) : t->high, false);
}

void frame_types(const case_frame *f, row_vector *out) {
  for (size_t i = 0; i < f->dimensions.count; i++)
    add_type(f->model->terms, f->dimensions.at[i], out, f->dimensions.count, i);
}

static linear_row row_of_fact(local_terms *l, fact f, size_t width) {
  if (f.kind != FACT_BOOL) {
    linear_row r = row_of_sum(l, f.sum, width);
    r.equality = f.kind == FACT_ZERO;
    r.strict = f.kind == FACT_POSITIVE;
    return r;
  }
  linear_row r = row_new(width);
  r.at[1 + dimension_of(l, term_positive(f.sum))] = number_of(1);
  r.at[0] = number_of(term_is_negated(f.sum) ? 0 : -1);
  r.equality = true;
  return r;
}

static linear_case rows_of(const casing *c, const branch *b) {
  local_terms l = {.frame = c->frame, .ts = c->ts};
  linear_case made = {0};
  for (size_t i = 0; i < b->facts.count; i++) {
    if (b->facts.at[i].kind == FACT_BOOL)
      dimension_of(&l, term_positive(b->facts.at[i].sum));
    else
      meet_leaves(&l, b->facts.at[i].sum);
  }
  for (size_t i = 0; i < b->values.count; i++) meet_leaves(&l, b->values.at[i]);
  made.locals = l.leaves.count;
  size_t base = c->frame->dimensions.count, width = base + made.locals;
  for (size_t i = 0; i < b->facts.count; i++) VECTOR_PUSH(made.rows, row_of_fact(&l, b->facts.at[i], width));
  for (size_t i = 0; i < made.locals; i++) {
    if (is_variable(c->ts, l.leaves.at[i]))
      add_type(c->ts, term_variable(c->ts, l.leaves.at[i]), &made.rows, width, base + i);
  }
  for (size_t i = 0; i < b->values.count; i++) {
    row_update u = {frame_dimension(c->frame, c->updates[i].var), row_of_sum(&l, b->values.at[i], width)};
    VECTOR_PUSH(made.updates, u);
  }
  COPY_VECTOR(made.heap, b->heap);
  VECTOR_FREE(l.leaves);
  return made;
}

static bool is_empty(const case_frame *f, const row_vector *types, const linear_case *c) {
  polyhedron *p = polyhedron_universe(f->space, f->dimensions.count + c->locals);
  for (size_t i = 0; i < types->count; i++) polyhedron_add(p, &types->at[i]);
  for (size_t i = 0; i < c->rows.count; i++) polyhedron_add(p, &c->rows.at[i]);
  bool empty = !polyhedron_has_point(p);
  polyhedron_free(p);
  return empty;
}

const char *cases_of(const case_frame *f, term condition, size_t count, const update *updates, case_vector *out) {
  casing c = {.frame = f, .ts = f->model->terms, .updates = updates, .update_count = count};
  branch first = {0};
  row_vector types = {0};
  frame_types(f, &types);
  VECTOR_PUSH(first.pending, condition);
  VECTOR_PUSH(c.branches, first);
  while (c.branches.count) {
    branch b = VECTOR_POP(c.branches);
    if (finish(&c, &b) == GOES_ON) {
      linear_case made = rows_of(&c, &b);
      if (is_empty(f, &types, &made))
        case_clear(&made);
      else
        VECTOR_PUSH(*out, made);
    }
    branch_free(&b);
  }
  VECTOR_FREE(c.branches);
  rows_clear(&types);
  return c.failure ? c.failure : polyhedra_failure(f->space);
}

term frame_sum(const case_frame *f, const linear_row *row) {
  terms *ts = f->model->terms;
  term_vector leaves = {0};
  VECTOR(number) coefficients = {0};
  for (size_t i = 0; i + 1 < row->count; i++) {
    if (number_is(row->at[i + 1], 0)) continue;
    term v = term_of_variable(ts, f->dimensions.at[i]);
    if (term_sort(ts, v) == SORT_BOOL) v = term_ite(ts, v, term_int(ts, 1), term_int(ts, 0));
    VECTOR_PUSH(leaves, v);
    VECTOR_PUSH(coefficients, row->at[i + 1]);
  }
  term sum = term_sum(ts, row->at[0], leaves.count, leaves.at, coefficients.at);
  VECTOR_FREE(leaves);
  VECTOR_FREE(coefficients);
  return sum;
}

term frame_term(const case_frame *f, const linear_row *row) {
  terms *ts = f->model->terms;
  term sum = frame_sum(f, row);
  term zero = term_int(ts, 0);
  return row->equality ? term_eq(ts, sum, zero) : row->strict ? term_gt(ts, sum, zero) : term_ge(ts, sum, zero);
}

static bool has_reals(const case_frame *f, const linear_row *row) {
  for (size_t i = 0; i + 1 < row->count; i++)
    if (!number_is(row->at[i + 1], 0) && variable_type(f->model->terms, f->dimensions.at[i])->sort == SORT_REAL)
      return true;
  return false;
}

linear_row frame_negation(const case_frame *f, const linear_row *row) {
  bool is_real = has_reals(f, row);
  linear_row r = row_copy(row);
  r.equality = false;
  r.strict = is_real && !row->strict;
  for (size_t i = 0; i < r.count; i++) r.at[i] = number_negate(r.at[i]);
  if (!is_real && !row->strict) r.at[0] = number_sub(r.at[0], number_of(1));
  return r;
}
