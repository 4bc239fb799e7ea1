/* The atom of the run is kept with arrays that are versions (term/array_versions.h), so that a long loop over a large
 * array takes time for each round alone. */
#include "proof/replay/clause_replay.h"

#include "proof/replay/clause_plan.h"
#include "term/array_value.h"
#include "term/exact_code.h"

/* A clause made ready. */
typedef struct replayed_clause {
  clause_plan *plan;
  variable_vector choices;
  exact_code *divisors; /* NULL: none that may be 0 */
  VECTOR(exact_place) places;
} replayed_clause;

struct clause_replay {
  terms *ts;
  const clauses *all;
  array_versions *arrays;
  replayed_clause *ready; /* by clause; without a plan before it is used */
  uint32_t predicate;
  number_vector atom, next, values; /* the atom of the run, and the values of the last step */
  const number *chosen;             /* of the step under way */
  const replayed_clause *now;
  number_vector assignment; /* by variable, for divisors */
};

clause_replay *clause_replay_new(terms *ts, const clauses *all) {
  clause_replay *r = MEMORY_NEW(clause_replay);
  *r = (clause_replay){.ts = ts, .all = all, .arrays = array_versions_new(), .predicate = NO_PREDICATE};
  r->ready = MEMORY_ARRAY(replayed_clause, all->clauses.count + 1);
  return r;
}

void clause_replay_free(clause_replay *r) {
  if (!r) return;
  for (size_t i = 0; i < r->all->clauses.count; i++) {
    clause_plan_free(r->ready[i].plan);
    exact_code_free(r->ready[i].divisors);
    VECTOR_FREE(r->ready[i].choices);
    VECTOR_FREE(r->ready[i].places);
  }
  memory_free(r->ready);
  array_versions_free(r->arrays);
  VECTOR_FREE(r->atom);
  VECTOR_FREE(r->next);
  VECTOR_FREE(r->values);
  VECTOR_FREE(r->assignment);
  memory_free(r);
}

/* ---- making ready ---- */

static number take_choice(void *context, variable v, const number *values) {
  clause_replay *r = context;
  (void)values;
  size_t i = 0;
  while (!variable_same(r->now->choices.at[i], v)) i++;
  return r->chosen[i];
}

/* Of what SMT-LIB leaves open. In a program x / 0 stands only in parts of a formula that are not evaluated. */
static void find_divisors(clause_replay *r, const clause *c, replayed_clause *to) {
  term_vector roots = {0}, divisors = {0};
  index_vector cone = {0};
  clause_terms(c, &roots);
  terms_cone(r->ts, roots.count, roots.at, &cone);
  for (size_t i = 0; i < cone.count && !r->all->is_program; i++) {
    term t = {2 * cone.at[i]};
    term_kind kind = term_kind_of(r->ts, t);
    if ((kind == TERM_DIV || kind == TERM_MOD) && !term_is_number(r->ts, term_argument(r->ts, t, 1), NULL))
      VECTOR_PUSH(divisors, term_argument(r->ts, t, 1));
  }
  if (divisors.count) {
    to->divisors = exact_code_new(r->ts);
    exact_code_add(to->divisors, divisors.count, divisors.at);
  }
  for (size_t i = 0; i < divisors.count; i++) VECTOR_PUSH(to->places, exact_code_place(to->divisors, divisors.at[i]));
  VECTOR_FREE(roots);
  VECTOR_FREE(divisors);
  VECTOR_FREE(cone);
}

static replayed_clause *ready_clause(clause_replay *r, uint32_t number) {
  replayed_clause *made = &r->ready[number];
  const clause *c = &r->all->clauses.at[number];
  if (made->plan) return made;
  made->plan = clause_plan_new(r->ts, c, false);
  for (size_t i = 0; i < c->variables.count; i++) {
    if (clause_plan_gives(made->plan, c->variables.at[i])) continue;
    VECTOR_PUSH(made->choices, c->variables.at[i]);
    clause_plan_choose(made->plan, c->variables.at[i], take_choice, r);
  }
  find_divisors(r, c, made);
  return made;
}

const variable_vector *clause_replay_choices(clause_replay *r, uint32_t clause) {
  return &ready_clause(r, clause)->choices;
}

/* ---- steps ---- */

static bool is_of_sort(const terms *ts, number n, const type *of) {
  if (of->sort == SORT_ARRAY) return array_value_is_of(ts, n, of);
  if (of->sort == SORT_BOOL) return number_is(n, 0) || number_is(n, 1);
  return of->sort == SORT_REAL || number_is_integer(n);
}

/* The values of the choices, arrays as versions; false if they are none. */
static bool take_choices(clause_replay *r, const replayed_clause *c, const number_vector *choices, number_vector *out) {
  if (choices->count != c->choices.count) return false;
  for (size_t i = 0; i < choices->count; i++) {
    const type *of = variable_type(r->ts, c->choices.at[i]);
    if (!is_of_sort(r->ts, choices->at[i], of)) return false;
    bool is_array = of->sort == SORT_ARRAY;
    VECTOR_PUSH(*out, is_array ? array_versions_of_value(r->arrays, r->ts, choices->at[i]) : choices->at[i]);
  }
  return true;
}

static bool divides_by_zero(clause_replay *r, const replayed_clause *c, const clause *of) {
  if (!c->divisors) return false;
  while (r->assignment.count < variable_count(r->ts)) VECTOR_PUSH(r->assignment, number_of(0));
  for (size_t i = 0; i < of->variables.count; i++) r->assignment.at[of->variables.at[i].x] = r->values.at[i];
  exact_code_run(c->divisors, 0, r->assignment.at, r->arrays);
  for (size_t i = 0; i < c->places.count; i++)
    if (number_is(exact_code_value(c->divisors, c->places.at[i]), 0)) return true;
  return false;
}

/* Its body is the atom of the run, or empty at the beginning. */
static bool leads_on(const clause_replay *r, const clause *c) {
  return c->body.count ? c->body.at[0].predicate == r->predicate : r->predicate == NO_PREDICATE;
}

static replay_answer apply(clause_replay *r, uint32_t number, const number_vector *chosen) {
  const clause *c = &r->all->clauses.at[number];
  const replayed_clause *ready = &r->ready[number];
  const number_vector *body = &r->atom;
  r->chosen = chosen->at;
  r->now = ready;
  VECTOR_CLEAR(r->values);
  VECTOR_CLEAR(r->next);
  if (!clause_plan_apply_on(ready->plan, r->arrays, &body, NULL, &r->values, &r->next)) return REPLAY_NO_STEP;
  if (c->has_constants || divides_by_zero(r, ready, c)) return REPLAY_NO_MEANING;
  number_vector before = r->atom;
  r->atom = r->next;
  r->next = before;
  r->predicate = c->head;
  return REPLAY_FINE;
}

replay_answer clause_replay_step(clause_replay *r, uint32_t number, const number_vector *choices) {
  if (number >= r->all->clauses.count || r->all->clauses.at[number].body.count > 1) return REPLAY_NO_CLAUSE;
  if (!leads_on(r, &r->all->clauses.at[number])) return REPLAY_NO_STEP;
  number_vector chosen = {0};
  bool fine = take_choices(r, ready_clause(r, number), choices, &chosen);
  replay_answer a = fine ? apply(r, number, &chosen) : REPLAY_NO_VALUES;
  VECTOR_FREE(chosen);
  return a;
}

uint32_t clause_replay_predicate(const clause_replay *r) { return r->predicate; }

number clause_replay_value(clause_replay *r, uint32_t clause, size_t i) {
  const type *of = variable_type(r->ts, r->all->clauses.at[clause].variables.at[i]);
  number n = r->values.at[i];
  return of->sort == SORT_ARRAY ? array_versions_value(r->arrays, r->ts, n) : n;
}
