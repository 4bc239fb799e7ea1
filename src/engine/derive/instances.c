/* Instances of clauses: facts for the atoms of a body, found atom by atom; then the values of the other variables. Those
 * that arguments and equations give are computed. Else they are asked of a solver, a few at a time: an instance that may
 * derive more heads is left open. */
#include "base/work.h"
#include "engine/derive/derive.h"
#include "term/evaluate.h"
#include "term/fold.h"

enum { HEADS_AT_ONCE = 4 };

typedef struct search {
  derive *d;
  uint32_t clause;
  size_t atom; /* whose fact is given */
  uint32_t fact;
  index_vector premises;
  variable_vector bound; /* in the order of binding */
} search;

void open_instance_clear(open_instance *o) {
  VECTOR_FREE(o->premises);
  VECTOR_FREE(o->excluded);
}

static derivation_step step_of(uint32_t clause, const index_vector *premises) {
  derivation_step made = {.clause = clause};
  for (size_t i = 0; i < premises->count; i++) VECTOR_PUSH(made.premises, premises->at[i]);
  return made;
}

/* ---- by computation ---- */

static clause_plan *plan_of(derive *d, uint32_t clause) {
  while (d->plans.count <= clause) {
    VECTOR_PUSH(d->plans, NULL);
    VECTOR_PUSH(d->is_whole, false);
  }
  if (!d->plans.at[clause]) {
    d->plans.at[clause] = clause_plan_new(d->ts, &d->all->clauses.at[clause], false);
    d->is_whole.at[clause] = clause_plan_is_whole(d->plans.at[clause]);
  }
  return d->plans.at[clause];
}

static void compute(derive *d, uint32_t clause, const index_vector *premises) {
  VECTOR(const number_vector *) body = {0};
  number_vector derived = {0};
  for (size_t i = 0; i < premises->count; i++) VECTOR_PUSH(body, &d->known.list.at[premises->at[i]].values);
  derivation_step s = step_of(clause, premises);
  if (clause_plan_apply(plan_of(d, clause), body.at, NULL, &s.values, &derived)) {
    facts_add(&d->known, d->all->clauses.at[clause].head, &derived, s, NULL);
  } else {
    VECTOR_FREE(s.premises);
    VECTOR_FREE(s.values);
  }
  VECTOR_FREE(body);
  VECTOR_FREE(derived);
}

/* ---- by a solver ---- */

static term value_term(terms *ts, term like, number n) {
  return term_sort(ts, like) == SORT_BOOL ? term_of_bool(!number_is(n, 0)) : term_number(ts, n);
}

static void equate(terms *ts, const term_vector *arguments, const number_vector *values, term_vector *out) {
  for (size_t i = 0; i < arguments->count; i++)
    VECTOR_PUSH(*out, term_eq(ts, arguments->at[i], value_term(ts, arguments->at[i], values->at[i])));
}

static bool is_division(const terms *ts, term t, const void *unused) {
  (void)unused;
  number n;
  term_kind kind = term_kind_of(ts, t);
  return (kind == TERM_DIV || kind == TERM_MOD) && !term_is_number(ts, term_argument(ts, t, 1), &n);
}

typedef struct divisors {
  terms *ts;
  term none_is_zero;
} divisors;

static void note_divisor(const term_fold *f, term t, void *out) {
  divisors *d = f->context;
  (void)out;
  if (!is_division(f->ts, t, NULL)) return;
  term zero = term_eq(d->ts, term_argument(f->ts, t, 1), term_int(d->ts, 0));
  d->none_is_zero = term_and(d->ts, d->none_is_zero, term_not(zero));
}

/* No divisor of the clause is 0. */
static term divisors_of(terms *ts, const clause *c) {
  divisors d = {ts, TERM_TRUE};
  term_vector all = {0};
  clause_terms(c, &all);
  if (term_any(ts, all.count, all.at, is_division, NULL)) {
    term_fold f = {.ts = ts, .size = 1, .rule = note_divisor, .context = &d};
    term_fold_prepare(&f, all.count, all.at);
    term_fold_close(&f);
  }
  VECTOR_FREE(all);
  return d.none_is_zero;
}

static term question_of(const derive *d, const open_instance *o) {
  const clause *c = &d->all->clauses.at[o->clause];
  term_vector parts = {0};
  VECTOR_PUSH(parts, c->constraint);
  for (size_t i = 0; i < c->body.count; i++)
    equate(d->ts, &c->body.at[i].arguments, &d->known.list.at[o->premises.at[i]].values, &parts);
  for (size_t i = 0; i < o->excluded.count; i++) VECTOR_PUSH(parts, term_not(o->excluded.at[i]));
  if (o->avoids_zero) VECTOR_PUSH(parts, divisors_of(d->ts, c));
  term all = term_and_all(d->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return all;
}

/* The head in the model that the solver has; it is excluded from now on. */
static void take_model(derive *d, open_instance *o) {
  const clause *c = &d->all->clauses.at[o->clause];
  derivation_step s = step_of(o->clause, &o->premises);
  number_vector derived = {0};
  term_vector same = {0};
  for (size_t i = 0; i < c->variables.count; i++) {
    number n = solver_value(d->solver, c->variables.at[i]);
    VECTOR_PUSH(s.values, n);
    d->assignment.at[c->variables.at[i].x] = n;
  }
  for (size_t i = 0; i < c->head_arguments.count; i++)
    VECTOR_PUSH(derived, term_evaluate(d->ts, c->head_arguments.at[i], d->assignment.at));
  equate(d->ts, &c->head_arguments, &derived, &same);
  VECTOR_PUSH(o->excluded, term_and_all(d->ts, same.count, same.at));
  facts_add(&d->known, c->head, &derived, s, NULL);
  VECTOR_FREE(same);
  VECTOR_FREE(derived);
}

/* The rest is left for the time when there is nothing else. */
static bool goes_on_with_zero(open_instance *o) {
  bool was_avoided = o->avoids_zero;
  o->avoids_zero = false;
  return was_avoided;
}

bool instances_more(derive *d, open_instance *o) {
  for (size_t i = 0; i < HEADS_AT_ONCE && d->known.query == NO_FACT; i++) {
    term question = question_of(d, o);
    if (term_is_false(question)) return goes_on_with_zero(o);
    work_add(1);
    solver_push(d->solver);
    solver_assert(d->solver, question);
    answer a = solver_check(d->solver, 0);
    if (answer_is_yes(a)) take_model(d, o);
    solver_pop(d->solver);
    if (answer_is_unsure(a)) d->unsure = a.reason;
    if (!answer_is_yes(a)) return goes_on_with_zero(o);
  }
  return true;
}

static void ask(derive *d, uint32_t clause, const index_vector *premises) {
  open_instance made = {.clause = clause};
  made.avoids_zero = d->all->is_horn && !term_is_true(divisors_of(d->ts, &d->all->clauses.at[clause]));
  for (size_t i = 0; i < premises->count; i++) VECTOR_PUSH(made.premises, premises->at[i]);
  if (instances_more(d, &made))
    VECTOR_PUSH(d->open, made);
  else
    open_instance_clear(&made);
}

/* ---- facts for the body ---- */

static bool is_variable(const terms *ts, term t) {
  term_kind kind = term_kind_of(ts, t);
  return !term_is_negated(t) && (kind == TERM_INT_VARIABLE || kind == TERM_BOOL_VARIABLE || kind == TERM_REAL_VARIABLE);
}

/* False if a constant, or a variable with a value, says that the fact is none for this atom. */
static bool bind_atom(search *s, const clause_atom *a, const fact *f) {
  derive *d = s->d;
  for (size_t i = 0; i < a->arguments.count; i++) {
    term t = a->arguments.at[i];
    number n;
    bool is_number = term_is_number(d->ts, t, &n);
    if (term_is_true(t) || term_is_false(t)) n = number_of(term_is_true(t)), is_number = true;
    if (is_number && !number_equal(n, f->values.at[i])) return false;
    if (is_number || !is_variable(d->ts, t)) continue;
    variable v = term_variable(d->ts, t);
    if (d->is_bound.at[v.x] && !number_equal(d->assignment.at[v.x], f->values.at[i])) return false;
    if (d->is_bound.at[v.x]) continue;
    d->is_bound.at[v.x] = true;
    d->assignment.at[v.x] = f->values.at[i];
    VECTOR_PUSH(s->bound, v);
  }
  return true;
}

static void unbind(search *s, size_t down_to) {
  while (s->bound.count > down_to) s->d->is_bound.at[VECTOR_POP(s->bound).x] = false;
}

static void apply(search *s) {
  work_add(1);
  plan_of(s->d, s->clause);
  if (s->d->is_whole.at[s->clause])
    compute(s->d, s->clause, &s->premises);
  else
    ask(s->d, s->clause, &s->premises);
}

/* Facts for the atom and those after it. Earlier atoms than the given one take earlier facts only, so that no combination
 * is looked at twice. */
static void choose(search *s, size_t atom) {
  derive *d = s->d;
  const clause *c = &d->all->clauses.at[s->clause];
  if (atom == c->body.count) {
    apply(s);
    return;
  }
  const index_vector *facts = &d->known.of_predicate[c->body.at[atom].predicate];
  size_t end = facts->count;
  for (size_t i = 0; i < end && d->known.query == NO_FACT; i++) {
    uint32_t candidate = atom == s->atom ? s->fact : facts->at[i];
    if (candidate > s->fact || (candidate == s->fact && atom < s->atom) || budget_spent(d->env->budget)) break;
    size_t before = s->bound.count;
    if (bind_atom(s, &c->body.at[atom], &d->known.list.at[candidate])) {
      VECTOR_PUSH(s->premises, candidate);
      choose(s, atom + 1);
      s->premises.count--;
    }
    unbind(s, before);
    if (atom == s->atom) break;
  }
}

void instances_with(derive *d, uint32_t clause, size_t atom, uint32_t fact) {
  search s = {.d = d, .clause = clause, .atom = atom, .fact = fact};
  choose(&s, 0);
  VECTOR_FREE(s.premises);
  VECTOR_FREE(s.bound);
}
