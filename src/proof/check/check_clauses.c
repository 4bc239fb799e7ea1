/* Evidence about clauses: every clause is valid with the interpretation; every step of the derivation is an instance of
 * a clause. Neither the model nor how it was made from the clauses plays a part. */
#include "base/map.h"
#include "proof/check/any_index.h"
#include "proof/check/by_cases.h"
#include "proof/check/checkers.h"
#include "term/array_value.h"
#include "term/evaluate.h"
#include "term/fold.h"
#include "term/substitute.h"

static void reject(check_result *result, check_kind kind, TAKE char *what) { check_end(result, kind, what, NULL); }

char *check_clause_name(const clauses *all, size_t i) {
  return text_format("the clause at line %u, column %u", all->clauses.at[i].place.line,
                     all->clauses.at[i].place.column);
}

/* Clauses name properties by number. */
static size_t number_of_property(const model *m, const property *p) {
  assert(p >= m->properties.at && p < m->properties.at + m->properties.count);
  return (size_t)(p - m->properties.at);
}

bool check_is_of_property(const model *m, const clause *c, const property *p) {
  return c->head != NO_PREDICATE || c->property == number_of_property(m, p);
}

/* ---- interpretations ---- */

static bool is_index(const evidence *e, variable v) {
  for (size_t i = 0; i < e->indices.count; i++)
    if (variable_same(e->indices.at[i], v)) return true;
  return false;
}

static bool is_by_zero(const evidence *e, variable v) {
  for (size_t i = 0; i < e->divisions.count; i++)
    if (variable_same(e->divisions.at[i].in_body, v)) return true;
  return false;
}

/* Speaks of its parameters, of any index, and of nothing else. */
static bool is_closed(const terms *ts, const evidence *e, const clause_predicate *p, term formula) {
  variable_vector inside = {0};
  term_variables(ts, 1, &formula, &inside);
  bool closed = true;
  for (size_t i = 0; i < inside.count && closed; i++) {
    bool known = is_by_zero(e, inside.at[i]) || is_index(e, inside.at[i]);
    for (size_t j = 0; j < p->parameters.count && !known; j++) known = variable_same(p->parameters.at[j], inside.at[i]);
    closed = known;
  }
  VECTOR_FREE(inside);
  return closed;
}

/* A division by 0 in an instance of an interpretation. */
typedef struct by_zero {
  bool is_mod;
  term dividend, value;
} by_zero;
typedef VECTOR(by_zero) by_zeros;

typedef struct instances {
  terms *ts;
  const clauses *all;
  const evidence *evidence;
  substitution *substitution;
  any_index *any;
  by_zeros divisions;
  variable_vector more; /* values of divisions: all those of the body's second atom, then of its third and so on */
} instances;

/* Which atom of a clause: those of the body are counted from 0. */
#define THE_HEAD SIZE_MAX

/* The value of a division by 0 in the interpretation of this atom: dividends differ, so each has its own. */
static variable value_of_division(instances *in, size_t division, size_t atom) {
  const open_divisions *all = &in->evidence->divisions;
  if (atom == THE_HEAD) return all->at[division].in_head;
  if (!atom) return all->at[division].in_body;
  size_t at = (atom - 1) * all->count + division;
  while (in->more.count <= at) VECTOR_PUSH(in->more, variable_fresh(in->ts, "by zero", &(type){.sort = SORT_INT}));
  return in->more.at[at];
}

/* Which divisions by 0 `formula`, the interpretation of one predicate, speaks of. */
static void note_divisions(instances *in, term formula, size_t atom) {
  for (size_t i = 0; i < in->evidence->divisions.count; i++) {
    const open_division *d = &in->evidence->divisions.at[i];
    if (!term_mentions(in->ts, formula, d->in_body)) continue;
    by_zero made = {.is_mod = d->is_mod, .dividend = substitution_apply(in->substitution, d->dividend)};
    made.value = term_of_variable(in->ts, value_of_division(in, i, atom));
    VECTOR_PUSH(in->divisions, made);
  }
}

static term instance(instances *in, uint32_t predicate, const term_vector *arguments, size_t atom) {
  const clause_predicate *p = &in->all->predicates.at[predicate];
  const open_divisions *divisions = &in->evidence->divisions;
  term formula = in->evidence->interpretation.at[predicate];
  substitution_clear(in->substitution);
  for (size_t i = 0; i < p->parameters.count; i++)
    substitution_set(in->substitution, p->parameters.at[i], arguments->at[i]);
  for (size_t i = 0; i < divisions->count && atom; i++)
    substitution_set(in->substitution, divisions->at[i].in_body,
                     term_of_variable(in->ts, value_of_division(in, i, atom)));
  any_index_set(in->any, atom != THE_HEAD, in->substitution);
  note_divisions(in, formula, atom);
  return substitution_apply(in->substitution, formula);
}

/* What the same dividend divided by 0 is, is the same. */
static term divisions_agree(instances *in) {
  enum { MOST = 64 };
  term_vector parts = {0};
  for (size_t i = 0; i < in->divisions.count && in->divisions.count <= MOST; i++)
    for (size_t j = 0; j < i; j++) {
      const by_zero *a = &in->divisions.at[i], *b = &in->divisions.at[j];
      if (a->is_mod == b->is_mod)
        VECTOR_PUSH(parts, term_implies(in->ts, term_eq(in->ts, a->dividend, b->dividend),
                                        term_eq(in->ts, a->value, b->value)));
    }
  term all = term_and_all(in->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return all;
}

/* What would make the clause false: its constraint and all atoms of its body hold, its head does not. Of what holds for
 * any index, instances. False if there are too many of them. */
static bool counterexample_to(instances *in, const clause *c, term *out) {
  term_vector parts = {0};
  VECTOR_CLEAR(in->divisions);
  VECTOR_PUSH(parts, c->constraint);
  if (c->head != NO_PREDICATE) VECTOR_PUSH(parts, term_not(instance(in, c->head, &c->head_arguments, THE_HEAD)));
  size_t known_from = parts.count;
  for (size_t i = 0; i < c->body.count; i++)
    VECTOR_PUSH(parts, instance(in, c->body.at[i].predicate, &c->body.at[i].arguments, i));
  bool fine = true;
  if (in->evidence->indices.count) {
    fine = any_index_question(in->any, parts.count, parts.at, known_from, out);
  } else {
    VECTOR_PUSH(parts, divisions_agree(in));
    *out = term_and_all(in->ts, parts.count, parts.at);
  }
  VECTOR_FREE(parts);
  return fine;
}

static void check_clause(instances *in, size_t i, questions *q, check_result *result) {
  term counterexample;
  result->obligations++;
  if (!counterexample_to(in, &in->all->clauses.at[i], &counterexample)) {
    char *which = check_clause_name(in->all, i);
    result->obligations--;
    reject(result, CHECK_UNSURE, text_format("%s has too many instances of what holds for any index", which));
    memory_free(which);
    return;
  }
  if (term_is_false(counterexample)) return;
  answer a = by_cases_satisfiable(in->ts, questions_solver(q), 1, &counterexample, &result->queries);
  if (answer_is_no(a)) return;
  char *which = check_clause_name(in->all, i);
  result->obligations--;
  if (answer_is_yes(a) && in->divisions.count)
    reject(result, CHECK_UNSURE, text_format("%s is not known to be valid whatever a division by 0 is", which));
  else if (answer_is_yes(a) && in->evidence->indices.count)
    reject(result, CHECK_UNSURE,
           text_format("%s is not known to be valid: instances at its indices do not show it", which));
  else if (answer_is_yes(a))
    reject(result, CHECK_REJECTED, text_format("%s is not valid", which));
  else
    reject(result, CHECK_UNSURE, text_format("%s: %s", which, a.reason));
  memory_free(which);
}

bool check_is_interpreted(const model *m, const evidence *e, check_result *result) {
  const clauses *all = m->clauses;
  if (e->interpretation.count != all->predicates.count)
    return check_end(result, CHECK_REJECTED, text_format("not every predicate is interpreted"), NULL);
  for (size_t i = 0; i < all->predicates.count; i++) {
    const clause_predicate *p = &all->predicates.at[i];
    if (!is_closed(m->terms, e, p, e->interpretation.at[i]))
      return check_end(result, CHECK_REJECTED, text_format("`%s` speaks of more than its arguments", p->name), NULL);
  }
  return true;
}

void check_interpretation(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  const clauses *all = m->clauses;
  if (!check_is_interpreted(m, e, result)) return;
  if (e->indices.count && e->divisions.count) {
    reject(result, CHECK_UNSURE, text_format("a formula for any index divides by what may be 0"));
    return;
  }
  instances in = {.ts = m->terms, .all = all, .evidence = e, .substitution = substitution_new(m->terms)};
  in.any = any_index_new(m->terms, &e->indices);
  for (size_t i = 0; i < all->clauses.count && result->kind == CHECK_ACCEPTED; i++)
    if (check_is_of_property(m, &all->clauses.at[i], p)) check_clause(&in, i, q, result);
  substitution_free(in.substitution);
  any_index_free(in.any);
  VECTOR_FREE(in.divisions);
  VECTOR_FREE(in.more);
}

/* ---- derivations ---- */

/* What a step derives. */
typedef struct derived_atom {
  uint32_t predicate; /* or NO_PREDICATE */
  number_vector values;
} derived_atom;

typedef struct replay {
  const model *m;
  number_vector assignment;     /* by variable */
  VECTOR(derived_atom) derived; /* by the steps so far */
  check_result *result;
} replay;

/* SMT-LIB gives a division by 0 no value: a step that has one proves nothing. */
static bool is_zero_division(const terms *ts, term t, const void *assignment) {
  term_kind kind = term_kind_of(ts, t);
  if (kind != TERM_DIV && kind != TERM_MOD) return false;
  term divisor = term_argument(ts, t, 1);
  return !term_is_number(ts, divisor, NULL) && number_is(term_evaluate(ts, divisor, assignment), 0);
}

/* Of what SMT-LIB leaves open. In a program x / 0 stands only in parts of a formula that are not evaluated, and is 0
 * there: if it were evaluated, the step would be an error, and the clause would not allow it. */
static bool divides_by_zero(const replay *r, const clause *c) {
  term_vector roots = {0};
  if (r->m->clauses->is_program) return false;
  clause_terms(c, &roots);
  bool found = term_any(r->m->terms, roots.count, roots.at, is_zero_division, r->assignment.at);
  VECTOR_FREE(roots);
  return found;
}

static bool assign(replay *r, const clause *c, const derivation_step *s) {
  const terms *ts = r->m->terms;
  if (s->values.count != c->variables.count) return false;
  for (size_t i = 0; i < c->variables.count; i++) {
    number n = s->values.at[i];
    sort of = variable_type(ts, c->variables.at[i])->sort;
    if (of == SORT_ARRAY && !array_value_is_of(ts, n, variable_type(ts, c->variables.at[i]))) return false;
    if (of == SORT_BOOL && !number_is(n, 0) && !number_is(n, 1)) return false;
    if (of != SORT_REAL && !number_is_integer(n)) return false;
    r->assignment.at[c->variables.at[i].x] = n;
  }
  return true;
}

/* The premise is an earlier step, and derives this atom. */
static bool is_derived(const replay *r, const clause_atom *a, uint32_t premise) {
  if (premise >= r->derived.count || r->derived.at[premise].predicate != a->predicate) return false;
  for (size_t i = 0; i < a->arguments.count; i++)
    if (!number_equal(term_evaluate(r->m->terms, a->arguments.at[i], r->assignment.at),
                      r->derived.at[premise].values.at[i]))
      return false;
  return true;
}

static bool body_is_derived(const replay *r, const clause *c, const derivation_step *s) {
  if (s->premises.count != c->body.count) return false;
  for (size_t i = 0; i < c->body.count; i++)
    if (!is_derived(r, &c->body.at[i], s->premises.at[i])) return false;
  return true;
}

static const char *fault_of_step(replay *r, const derivation_step *s, const clause *c) {
  const terms *ts = r->m->terms;
  if (!assign(r, c, s)) return "has not a value for each of its variables";
  if (!body_is_derived(r, c, s)) return "has another body than what its premises derive";
  if (!number_is(term_evaluate(ts, c->constraint, r->assignment.at), 1)) return "has a constraint that does not hold";
  return NULL;
}

/* What the certificate says of the step is what it derives. */
static bool is_as_given(const derived_atom *a, const derivation_step *s) {
  if (!s->has_atom) return true;
  bool same = s->predicate == a->predicate && s->atom.count == a->values.count;
  for (size_t i = 0; i < a->values.count && same; i++) same = number_equal(s->atom.at[i], a->values.at[i]);
  return same;
}

static bool replay_step(replay *r, size_t i, const derivation_step *s) {
  const clauses *all = r->m->clauses;
  if (s->clause >= all->clauses.count) {
    reject(r->result, CHECK_REJECTED, text_format("step %zu is of no clause", i));
    return false;
  }
  const clause *c = &all->clauses.at[s->clause];
  const char *fault = fault_of_step(r, s, c);
  char *which = check_clause_name(all, s->clause);
  if (fault)
    reject(r->result, CHECK_REJECTED, text_format("step %zu, %s, %s", i, which, fault));
  else if (c->has_constants)
    reject(r->result, CHECK_UNSURE,
           text_format("%s is about a declared constant: it is derived for one value of it, not for all", which));
  else if (divides_by_zero(r, c))
    reject(r->result, CHECK_UNSURE, text_format("step %zu, %s, divides by 0, which has no value in SMT-LIB", i, which));
  memory_free(which);
  if (r->result->kind != CHECK_ACCEPTED) return false;
  derived_atom made = {.predicate = c->head};
  for (size_t j = 0; j < c->head_arguments.count; j++)
    VECTOR_PUSH(made.values, term_evaluate(r->m->terms, c->head_arguments.at[j], r->assignment.at));
  VECTOR_PUSH(r->derived, made);
  if (!is_as_given(&made, s)) {
    reject(r->result, CHECK_REJECTED, text_format("step %zu derives something other than it says", i));
    return false;
  }
  r->result->obligations++;
  return true;
}

/* NULL, or why the derivation is none against the property: its last step is to break it. */
static const char *not_against(const replay *r, const property *p, const evidence *e) {
  if (!e->derivation.count || VECTOR_LAST(r->derived).predicate != NO_PREDICATE)
    return "the derivation does not end with a query";
  bool is_of_property =
      r->m->clauses->clauses.at[VECTOR_LAST(e->derivation).clause].property == number_of_property(r->m, p);
  return is_of_property ? NULL : "the derivation ends with a query of another property";
}

static bool is_same_atom(const derived_atom *a, const derived_atom *b) {
  bool same = a->predicate == b->predicate && a->values.count == b->values.count;
  for (size_t i = 0; i < a->values.count && same; i++) same = number_equal(a->values.at[i], b->values.at[i]);
  return same;
}

/* NULL, or why the derivation is no run of the program that comes back to where it was: what its last step derives was derived before, and
 * the steps from there lead from place to place, or to the entry of what is called. They can be repeated for ever. */
static const char *not_repeated(const replay *r, const evidence *e) {
  static const char why[] = "no run comes back to where it was";
  const clauses *all = r->m->clauses;
  if (!all->is_program || !e->derivation.count || VECTOR_LAST(r->derived).predicate == NO_PREDICATE) return why;
  for (size_t at = e->derivation.count - 1;;) {
    const derivation_step *s = &e->derivation.at[at];
    uint32_t place = clause_place_atom(&all->clauses.at[s->clause]);
    if (place == NO_ATOM) return why;
    at = s->premises.at[place];
    if (is_same_atom(&r->derived.at[at], &VECTOR_LAST(r->derived))) return NULL;
  }
}

void check_derivation(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  (void)q; /* all of it is computed */
  replay r = {.m = m, .result = result};
  bool fine = true;
  for (size_t i = 0; i < variable_count(m->terms); i++) VECTOR_PUSH(r.assignment, number_of(0));
  for (size_t i = 0; i < e->derivation.count && fine; i++) {
    fine = replay_step(&r, i, &e->derivation.at[i]);
    if (fine && VECTOR_LAST(r.derived).predicate == NO_PREDICATE && i + 1 < e->derivation.count) {
      reject(result, CHECK_REJECTED, text_format("step %zu derives nothing, and is not the last", i));
      fine = false;
    }
  }
  const char *why = NULL;
  if (fine) why = p->kind == PROPERTY_ENDS ? not_repeated(&r, e) : not_against(&r, p, e);
  if (why) reject(result, CHECK_REJECTED, text_format("%s", why));
  VECTOR_FREE(r.assignment);
  for (size_t i = 0; i < r.derived.count; i++) VECTOR_FREE(r.derived.at[i].values);
  VECTOR_FREE(r.derived);
}
