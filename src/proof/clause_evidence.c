/* The way back from the model to the clauses: images say which states stand for which atoms (model/clauses.h).
 *
 * A step of the model does not give all values of the clause's variables; if equations do not either they are asked
 * of a solver, and the checker computes with them exactly. */
#include "proof/clause_evidence.h"

#include "proof/clause_chain.h"
#include "proof/clause_rewriting.h"
#include "proof/replay/clause_plan.h"
#include "solver/solver.h"
#include "term/evaluate.h"
#include "term/fold.h"
#include "term/substitute.h"

/* ---- invariants ---- */

static term interpretation_of(const model *m, substitution *s, term invariant, uint32_t predicate) {
  const clauses *all = clauses_lowered(m->clauses);
  term_vector parts = {0};
  VECTOR_PUSH(parts, all->otherwise.at[predicate]);
  for (size_t i = 0; i < all->images.count; i++) {
    const clause_image *image = &all->images.at[i];
    if (image->predicate != predicate) continue;
    substitution_clear(s);
    for (size_t j = 0; j < m->variables.count; j++) substitution_set(s, m->variables.at[j].var, image->values.at[j]);
    VECTOR_PUSH(parts, term_and(m->terms, image->when, substitution_apply(s, invariant)));
  }
  term result = term_or_all(m->terms, parts.count, parts.at);
  VECTOR_FREE(parts);
  return result;
}

/* Invariants are about states within their types. */
void clause_interpretation(const model *m, evidence *e) {
  term invariant = evidence_formula(m->terms, e);
  for (size_t i = 0; i < m->variables.count; i++)
    if (m->variables.at[i].role != ROLE_LOCATION)
      invariant = term_and(m->terms, invariant, variable_in_type(m->terms, m->variables.at[i].var));
  substitution *s = substitution_new(m->terms);
  bool is_k = e->kind == EVIDENCE_K_INDUCTIVE;
  evidence made = {.kind = is_k ? EVIDENCE_K_INTERPRETATION : EVIDENCE_INTERPRETATION, .depth = e->depth};
  for (uint32_t i = 0; i < m->clauses->predicates.count; i++)
    VECTOR_PUSH(made.interpretation, interpretation_of(m, s, invariant, i));
  substitution_free(s);
  evidence_clear(e);
  *e = made;
}

/* ---- traces ---- */

typedef struct deriving {
  const model *m;
  const clauses *all;
  size_t property;
  solver *solver;
  budget *budget;
  uint32_t predicate; /* derived so far */
  number_vector atom;
  evidence made;
  VECTOR(clause_plan *) plans; /* two for each clause, without and with its head; NULL if there was no need yet */
} deriving;

static term value_term(terms *ts, term like, number n) {
  return term_sort(ts, like) == SORT_BOOL ? term_of_bool(!number_is(n, 0)) : term_number(ts, n);
}

static void equate(terms *ts, const term_vector *arguments, const number_vector *values, term_vector *out) {
  for (size_t i = 0; i < arguments->count; i++)
    VECTOR_PUSH(*out, term_eq(ts, arguments->at[i], value_term(ts, arguments->at[i], values->at[i])));
}

static void advance(deriving *d, const clause *c, const derivation_step *s) {
  const terms *ts = d->m->terms;
  number_vector assignment = {0};
  for (size_t i = 0; i < variable_count(ts); i++) VECTOR_PUSH(assignment, number_of(0));
  for (size_t i = 0; i < c->variables.count; i++) assignment.at[c->variables.at[i].x] = s->values.at[i];
  VECTOR_CLEAR(d->atom);
  for (size_t i = 0; i < c->head_arguments.count; i++)
    VECTOR_PUSH(d->atom, term_evaluate(ts, c->head_arguments.at[i], assignment.at));
  d->predicate = c->head;
  VECTOR_FREE(assignment);
}

/* Each step is applied to what the one before derived. */
static void add_step(deriving *d, TAKE derivation_step s) {
  if (d->all->clauses.at[s.clause].body.count) VECTOR_PUSH(s.premises, (uint32_t)d->made.derivation.count - 1);
  VECTOR_PUSH(d->made.derivation, s);
}

static uint32_t body_of(const clause *c) { return c->body.count ? c->body.at[0].predicate : NO_PREDICATE; }

static bool apply_by_plan(deriving *d, uint32_t index, const number_vector *next) {
  size_t at = 2 * (size_t)index + (next != NULL);
  while (d->plans.count <= at) VECTOR_PUSH(d->plans, NULL);
  if (!d->plans.at[at]) d->plans.at[at] = clause_plan_new(d->m->terms, &d->all->clauses.at[index], next != NULL);
  derivation_step s = {.clause = index};
  number_vector derived = {0};
  const number_vector *body = &d->atom;
  bool found = clause_plan_apply(d->plans.at[at], &body, next, &s.values, &derived);
  if (found) {
    add_step(d, s);
    d->predicate = d->all->clauses.at[index].head;
    VECTOR_FREE(d->atom);
    d->atom = derived;
  }
  return found;
}

/* Applies the clause to what is derived so far, so that it derives `next` (NULL: anything). False if that is not so,
 * or not known. */
static bool apply(deriving *d, uint32_t index, const number_vector *next) {
  const clause *c = &d->all->clauses.at[index];
  terms *ts = d->m->terms;
  term_vector parts = {0};
  if (body_of(c) != d->predicate) return false;
  if (apply_by_plan(d, index, next)) return true;
  VECTOR_PUSH(parts, c->constraint);
  if (c->body.count) equate(ts, &c->body.at[0].arguments, &d->atom, &parts);
  if (next) equate(ts, &c->head_arguments, next, &parts);
  term whole = term_and_all(ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  solver_push(d->solver);
  solver_assert(d->solver, whole);
  bool found = !term_is_false(whole) && answer_is_yes(solver_check(d->solver, 0));
  if (found) {
    derivation_step s = {.clause = index};
    for (size_t i = 0; i < c->variables.count; i++) VECTOR_PUSH(s.values, solver_value(d->solver, c->variables.at[i]));
    add_step(d, s);
    advance(d, c, &s);
  }
  solver_pop(d->solver);
  return found;
}

/* What a state of the model stands for: the arguments of an atom; NULL if it stands for none. */
static const clause_image *image_of(const deriving *d, const trace_step *s, number_vector *atom) {
  const terms *ts = d->m->terms;
  const clause_image *found = NULL;
  number_vector assignment = {0};
  trace_assignment(d->m, s->values.at, NULL, NULL, &assignment);
  for (size_t i = 0; i < d->all->images.count && !found; i++)
    if (number_is(term_evaluate(ts, d->all->images.at[i].at, assignment.at), 1)) found = &d->all->images.at[i];
  VECTOR_CLEAR(*atom);
  for (size_t i = 0; found && i < found->arguments.count; i++)
    VECTOR_PUSH(*atom, term_evaluate(ts, found->arguments.at[i], assignment.at));
  VECTOR_FREE(assignment);
  return found;
}

/* The first clause that leads to the atom, among facts. */
static bool apply_fact(deriving *d, uint32_t predicate, const number_vector *atom) {
  for (uint32_t i = 0; i < d->all->clauses.count; i++) {
    const clause *c = &d->all->clauses.at[i];
    if (!c->body.count && c->head == predicate && apply(d, i, atom)) return true;
  }
  return false;
}

static bool has_image(const deriving *d, uint32_t predicate) {
  for (size_t i = 0; i < d->all->images.count; i++)
    if (d->all->images.at[i].predicate == predicate) return true;
  return false;
}

/* A query that what is derived breaks, or a clause to a predicate that is itself forbidden: those have neither image
 * nor fallback. */
static bool apply_query(deriving *d) {
  for (uint32_t i = 0; i < d->all->clauses.count; i++) {
    const clause *c = &d->all->clauses.at[i];
    if (c->head == NO_PREDICATE && c->property == d->property && apply(d, i, NULL)) return true;
  }
  for (uint32_t i = 0; i < d->all->clauses.count; i++) {
    uint32_t head = d->all->clauses.at[i].head;
    bool is_forbidden = head != NO_PREDICATE && term_is_false(d->all->otherwise.at[head]) && !has_image(d, head);
    if (is_forbidden && head != d->predicate && apply(d, i, NULL)) return true;
  }
  return false;
}

static bool is_done(const deriving *d) { return d->made.derivation.count && d->predicate == NO_PREDICATE; }

static bool derive_state(deriving *d, const trace *t, size_t i) {
  const trace_step *s = &t->at[i];
  number_vector atom = {0};
  const clause_image *image = image_of(d, s, &atom);
  bool is_first = !i || s->transition >= d->all->of_transition.count;
  bool fine = true;
  if (!is_first)
    fine = apply(d, d->all->of_transition.at[s->transition], image ? &atom : NULL);
  else if (image)
    fine = apply_fact(d, image->predicate, &atom);
  VECTOR_FREE(atom);
  return fine;
}

static bool derive(deriving *d, const trace *t) {
  for (size_t i = 0; i < t->count; i++)
    if (!derive_state(d, t, i) || budget_spent(d->budget)) return false;
  for (size_t i = 0; i <= d->all->predicates.count && !is_done(d); i++)
    if (!apply_query(d)) return false;
  return is_done(d);
}

static GIVE char *derive_trace(const model *m, size_t property, evidence *e, budget *b) {
  deriving d = {
      .m = m, .all = clauses_lowered(m->clauses), .property = property, .budget = b, .predicate = NO_PREDICATE};
  d.solver = solver_new(m->terms, b);
  d.made.kind = EVIDENCE_DERIVATION;
  bool fine = derive(&d, &e->steps);
  size_t steps = d.made.derivation.count;
  solver_free(d.solver);
  VECTOR_FREE(d.atom);
  for (size_t i = 0; i < d.plans.count; i++) clause_plan_free(d.plans.at[i]);
  VECTOR_FREE(d.plans);
  evidence_clear(e);
  if (fine) {
    *e = d.made;
    return NULL;
  }
  evidence_clear(&d.made);
  return text_format("no derivation was found for the run, beyond step %zu", steps);
}

static bool is_open_division(const terms *ts, term t, const void *unused) {
  (void)unused;
  term_kind kind = term_kind_of(ts, t);
  return (kind == TERM_DIV || kind == TERM_MOD) && !term_is_number(ts, term_argument(ts, t, 1), NULL);
}

/* Facts and steps divide by what may be 0 somewhere. */
static bool has_open_division(const model *m) {
  term_vector roots = {0};
  for (size_t i = 0; i < m->clauses->clauses.count; i++)
    if (m->clauses->clauses.at[i].head != NO_PREDICATE) VECTOR_PUSH(roots, m->clauses->clauses.at[i].constraint);
  bool found = term_any(m->terms, roots.count, roots.at, is_open_division, NULL);
  VECTOR_FREE(roots);
  return found;
}

/* Runs of what was read are infinite; whet's may end, and then idle. What holds of all of whet's holds of those too,
 * but only a run that goes on breaks a property, and one in which a division by 0, which is anything at each
 * step of whet's, cannot be needed. */
static const char *refuse_temporal(const model *m, const evidence *e) {
  if (!evidence_is_against(e)) return NULL;
  bool goes_on = e->kind == EVIDENCE_TRACE && e->has_loop && e->loop + 1 < e->steps.count;
  if (!goes_on) return "only a run that ends was found against it, which is no run of the system as read";
  if (has_open_division(m)) return "the run that was found against it may divide by 0, which has no value in SMT-LIB";
  return NULL;
}

static bool has_query(const clauses *all, size_t property) {
  for (size_t i = 0; i < all->clauses.count; i++)
    if (all->clauses.at[i].head == NO_PREDICATE && all->clauses.at[i].property == property) return true;
  return false;
}

static bool is_about_clauses(const evidence *e) {
  return evidence_row_of(e->kind)->about & (ABOUT_CLAUSES | ABOUT_END);
}

bool clause_evidence_takes_induction(const model *m) {
  const clauses *all = m->clauses;
  return all && !terms_have_arrays(m->terms) && clauses_have_system(all) && !clauses_were_unfolded(all) &&
         !clause_chain_refusal(all);
}

const char *clause_evidence_refusal(const model *m, size_t property, const evidence *e) {
  if (!m->clauses) return NULL;
  if (m->properties.at[property].kind == PROPERTY_ENDS)
    return is_about_clauses(e) ? NULL : "it is not about the clauses of the program";
  if (property_is_temporal(&m->properties.at[property])) return refuse_temporal(m, e);
  return is_about_clauses(e) || !has_query(m->clauses, property) ? NULL : "it is not about the clauses that were read";
}

GIVE char *clause_evidence(const model *m, size_t property, evidence *e, budget *b) {
  if (!m->clauses || e->kind == EVIDENCE_NONE || is_about_clauses(e)) return NULL;
  if (property_is_temporal(&m->properties.at[property])) {
    const char *why = refuse_temporal(m, e);
    if (why) evidence_clear(e);
    return why ? memory_copy_string(why) : NULL;
  }
  if (m->properties.at[property].kind != PROPERTY_SAFE) return NULL;
  char *why = NULL;
  if (e->kind == EVIDENCE_K_INDUCTIVE && (e->states_differ || !clause_evidence_takes_induction(m))) {
    why = text_format("the property is %zu-inductive, which is no interpretation of the predicates", e->depth);
    evidence_clear(e);
    return why;
  }
  if (e->kind == EVIDENCE_TRACE)
    why = derive_trace(m, property, e, b);
  else
    clause_interpretation(m, e);
  return why ? why : clause_rewriting_back(m, property, e, b);
}
