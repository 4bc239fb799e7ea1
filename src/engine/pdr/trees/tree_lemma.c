/* Lemmas about trees that exclude more than the cube at hand: as few of its literals as will do; then, if several
 * inequalities are left, one that is a sum of them with factors.
 *
 * The factors are found from examples. Each is an atom that clauses derive from the frame below, or can be derived at
 * all, so that the inequality must not hold of it; as long as it holds of another such atom, that is one more example.
 * So a half-space is found that excludes the cube and nothing that can be reached, whatever the shape of what can be. */
#include "base/work.h"
#include "engine/literal_sum.h"
#include "engine/pdr/trees/tree_block.h"
#include "term/evaluate.h"
#include "term/substitute.h"

enum { MOST_EXAMPLES = 16 };
/* Factors are tried up to the first of these, then up to the next. */
static const int64_t largest_factors[] = {1, 2, 5, 100};

/* ---- fewer literals ---- */

static void take_core(const cube *c, const core_names *core, cube *out) {
  VECTOR_CLEAR(*out);
  for (size_t i = 0; i < c->count; i++)
    for (size_t j = 0; j < core->count; j++)
      if (core->at[j] == i) VECTOR_PUSH(*out, c->at[i]);
}

/* Whether `lemma` without its literal number `i` will do; it is then replaced by what the proof has used. */
static bool drop(tree_frames *f, uint32_t predicate, size_t level, cube *lemma, size_t i) {
  cube fewer = {0};
  core_names core = {0};
  for (size_t j = 0; j < lemma->count; j++)
    if (j != i) VECTOR_PUSH(fewer, lemma->at[j]);
  bool fine = answer_is_no(tree_ask_all(f, predicate, &fewer, level, true, &core, NULL));
  if (fine) {
    VECTOR_CLEAR(*lemma);
    for (size_t j = 0; j < fewer.count; j++) VECTOR_PUSH(*lemma, fewer.at[j]);
  }
  VECTOR_FREE(fewer);
  VECTOR_FREE(core);
  return fine;
}

/* ---- sums ---- */

typedef struct sum_search {
  tree_frames *f;
  uint32_t predicate;
  size_t level;
  term_vector sums; /* of the inequalities, each at most 0 */
  bool is_strict;   /* one of them is */
  cube others;      /* literals that are none */
  terms *own;       /* of the factors */
  solver *solver;
  variable_vector factors;
  number_vector found;
} sum_search;

static void open_sums(sum_search *s, const cube *c) {
  static const type whole = {.sort = SORT_INT};
  s->own = terms_new();
  s->solver = solver_new(s->own, s->f->env->budget);
  for (size_t i = 0; i < c->count; i++) {
    term sum;
    bool is_strict;
    if (!literal_sum(s->f->ts, c->at[i], &sum, &is_strict)) {
      VECTOR_PUSH(s->others, c->at[i]);
      continue;
    }
    s->is_strict |= is_strict;
    variable v = variable_fresh(s->own, "factor", &whole);
    VECTOR_PUSH(s->sums, sum);
    VECTOR_PUSH(s->factors, v);
    solver_assert(s->solver, term_ge(s->own, term_of_variable(s->own, v), term_int(s->own, 0)));
  }
}

static void close_sums(sum_search *s) {
  solver_free(s->solver);
  terms_free(s->own);
  VECTOR_FREE(s->sums);
  VECTOR_FREE(s->others);
  VECTOR_FREE(s->factors);
  VECTOR_FREE(s->found);
}

/* The sum must be more than 0 for the atom whose arguments `values` has, by parameter. */
static void add_example(sum_search *s) {
  const tree_frames *f = s->f;
  term_vector leaves = {0};
  number_vector by = {0};
  for (size_t i = 0; i < s->others.count; i++)
    if (number_is(term_evaluate(f->ts, s->others.at[i], f->values.at), 0)) goto end;
  for (size_t i = 0; i < s->sums.count; i++) {
    VECTOR_PUSH(leaves, term_of_variable(s->own, s->factors.at[i]));
    VECTOR_PUSH(by, term_evaluate(f->ts, s->sums.at[i], f->values.at));
  }
  term sum = term_sum(s->own, number_of(0), leaves.count, leaves.at, by.at), zero = term_int(s->own, 0);
  solver_assert(s->solver, s->is_strict ? term_ge(s->own, sum, zero) : term_gt(s->own, sum, zero));
end:
  VECTOR_FREE(leaves);
  VECTOR_FREE(by);
}

static void add_points(sum_search *s) {
  const tree_predicate *p = &s->f->predicates.at[s->predicate];
  for (size_t i = 0; i < p->points.count; i++) {
    for (size_t j = 0; j < p->parameters.count; j++) s->f->values.at[p->parameters.at[j].x] = p->points.at[i].at[j];
    add_example(s);
  }
}

static bool find_factors(sum_search *s, int64_t most) {
  term_vector positive = {0};
  solver_push(s->solver);
  for (size_t i = 0; i < s->factors.count; i++) {
    term t = term_of_variable(s->own, s->factors.at[i]);
    solver_assert(s->solver, term_le(s->own, t, term_int(s->own, most)));
    VECTOR_PUSH(positive, term_ge(s->own, t, term_int(s->own, 1)));
  }
  solver_assert(s->solver, term_or_all(s->own, positive.count, positive.at));
  bool fine = answer_is_yes(solver_check(s->solver, 0));
  VECTOR_CLEAR(s->found);
  for (size_t i = 0; fine && i < s->factors.count; i++)
    VECTOR_PUSH(s->found, solver_value(s->solver, s->factors.at[i]));
  solver_pop(s->solver);
  VECTOR_FREE(positive);
  return fine;
}

static void make_cube(const sum_search *s, cube *out) {
  terms *ts = s->f->ts;
  term sum = term_int(ts, 0);
  bool is_strict = false;
  for (size_t i = 0; i < s->sums.count; i++) sum = term_add(ts, sum, term_scale(ts, s->found.at[i], s->sums.at[i]));
  VECTOR_CLEAR(*out);
  for (size_t i = 0; i < s->others.count; i++) VECTOR_PUSH(*out, s->others.at[i]);
  is_strict = s->is_strict;
  VECTOR_PUSH(*out, is_strict ? term_lt(ts, sum, term_int(ts, 0)) : term_le(ts, sum, term_int(ts, 0)));
}

/* The head of the instance that was found, as values of the parameters. */
static bool read_head(tree_frames *f, uint32_t clause) {
  const struct clause *c = &f->all->clauses.at[clause];
  if (!tree_read(f, clause)) return false;
  for (size_t i = 0; i < c->head_arguments.count; i++)
    f->values.at[f->predicates.at[c->head].parameters.at[i].x] =
        term_evaluate(f->ts, c->head_arguments.at[i], f->values.at);
  return true;
}

/* One more example, or the lemma. */
static bool try_factors(sum_search *s, cube *out, bool *goes_on) {
  uint32_t clause = 0;
  make_cube(s, out);
  answer a = tree_ask_all(s->f, s->predicate, out, s->level, false, NULL, &clause);
  if (answer_is_no(a)) return true;
  *goes_on = answer_is_yes(a) && read_head(s->f, clause);
  if (*goes_on) add_example(s);
  return false;
}

/* A sum with factors in place of all inequalities of the cube, if there is one. */
static void sum_up(tree_frames *f, uint32_t predicate, size_t level, cube *lemma) {
  sum_search s = {.f = f, .predicate = predicate, .level = level};
  open_sums(&s, lemma);
  cube found = {0};
  bool done = s.sums.count < 2 || s.is_strict, fine = false;
  size_t most = 0;
  if (!done) add_points(&s);
  for (size_t i = 0; !done && i < MOST_EXAMPLES && !budget_spent(f->env->budget); i++) {
    while (most < ARRAY_LENGTH(largest_factors) && !find_factors(&s, largest_factors[most])) most++;
    bool goes_on = false;
    if (most < ARRAY_LENGTH(largest_factors)) fine = try_factors(&s, &found, &goes_on);
    done = !goes_on;
  }
  if (fine) {
    VECTOR_FREE(*lemma);
    *lemma = found;
  } else {
    VECTOR_FREE(found);
  }
  close_sums(&s);
}

void tree_generalise(tree_frames *f, uint32_t predicate, size_t level, const cube *c, const core_names *core,
                     cube *out) {
  take_core(c, core, out);
  for (size_t i = 0; i < out->count && !budget_spent(f->env->budget);)
    if (!drop(f, predicate, level, out, i)) i++;
  sum_up(f, predicate, level, out);
}
