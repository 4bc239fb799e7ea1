/* The way back from rewritten clauses.
 *
 * A derivation: each step becomes those that the rewritten clause was made from; their variables are evaluated. Values of arguments that
 * no clause reads are those of the step that derives them.
 *
 * An interpretation: predicates that were kept have their formulas. With those put into the clauses as read, what is
 * left are clauses about the unfolded predicates, which are not recursive. They are solved by Z3's Horn engine: any
 * solution will do, and it is checked like any other. */
#include "proof/clause_rewriting.h"

#include "solver/fixedpoint.h"
#include "term/evaluate.h"
#include "term/substitute.h"

/* ---- derivations ---- */

typedef struct unrolling {
  const model *m;
  const clauses *from;         /* rewritten */
  index_vector last;           /* by step: the step that derives the same in what is made */
  index_vector parts;          /* of the step at hand: where they are in what is made */
  number_vector assignment;    /* by variable */
  number_vector as_read;       /* the same, of the clause as read at hand */
  VECTOR(number_vector) atoms; /* what the steps of what is made derive */
  evidence made;
} unrolling;

static void note_atom(unrolling *u, const derivation_step *made) {
  const clause *c = &u->m->clauses->clauses.at[made->clause];
  number_vector atom = {0};
  for (size_t i = 0; i < c->variables.count; i++) u->as_read.at[c->variables.at[i].x] = made->values.at[i];
  for (size_t i = 0; i < c->head_arguments.count; i++)
    VECTOR_PUSH(atom, term_evaluate(u->m->terms, c->head_arguments.at[i], u->as_read.at));
  VECTOR_PUSH(u->atoms, atom);
}

static void unroll_part(unrolling *u, const derivation_step *s, const clause_part *p) {
  derivation_step made = {.clause = p->clause};
  for (size_t i = 0; i < p->values.count; i++)
    VECTOR_PUSH(made.values, term_evaluate(u->m->terms, p->values.at[i], u->assignment.at));
  for (size_t i = 0; i < p->premises.count; i++) {
    uint32_t premise = p->premises.at[i];
    bool is_atom = premise >= IS_ATOM;
    VECTOR_PUSH(made.premises, is_atom ? u->last.at[s->premises.at[premise - IS_ATOM]] : u->parts.at[premise]);
  }
  VECTOR_PUSH(u->parts, (uint32_t)u->made.derivation.count);
  VECTOR_PUSH(u->made.derivation, made);
  note_atom(u, &made);
}

static void unroll_step(unrolling *u, const derivation_step *s) {
  const clause *c = &u->from->clauses.at[s->clause];
  const clause_origin *o = &u->from->origins.at[s->clause];
  VECTOR_CLEAR(u->parts);
  for (size_t i = 0; i < c->variables.count; i++) u->assignment.at[c->variables.at[i].x] = s->values.at[i];
  for (size_t i = 0; i < o->values.count; i++) {
    const clause_value *v = &o->values.at[i];
    u->assignment.at[v->var.x] = v->atom == NO_ATOM ? term_evaluate(u->m->terms, v->value, u->assignment.at)
                                                    : u->atoms.at[u->last.at[s->premises.at[v->atom]]].at[v->argument];
  }
  for (size_t i = 0; i < o->parts.count; i++) unroll_part(u, s, &o->parts.at[i]);
  VECTOR_PUSH(u->last, VECTOR_LAST(u->parts));
}

static void unroll(const model *m, evidence *e) {
  unrolling u = {.m = m, .from = m->clauses->rewritten, .made = {.kind = EVIDENCE_DERIVATION}};
  for (size_t i = 0; i < variable_count(m->terms); i++) {
    VECTOR_PUSH(u.assignment, number_of(0));
    VECTOR_PUSH(u.as_read, number_of(0));
  }
  for (size_t i = 0; i < e->derivation.count; i++) unroll_step(&u, &e->derivation.at[i]);
  VECTOR_FREE(u.last);
  VECTOR_FREE(u.parts);
  VECTOR_FREE(u.assignment);
  VECTOR_FREE(u.as_read);
  for (size_t i = 0; i < u.atoms.count; i++) VECTOR_FREE(u.atoms.at[i]);
  VECTOR_FREE(u.atoms);
  evidence_clear(e);
  *e = u.made;
}

/* ---- interpretations ---- */

typedef struct solving {
  const model *m;
  terms *ts;
  const clauses *all;
  const predicate_treatment *treatments;
  const term *known; /* by predicate: of those that were kept */
  substitution *substitution;
  horn_problem problem;
} solving;

static term instance(solving *s, uint32_t predicate, const term_vector *arguments) {
  const variable_vector *parameters = &s->all->predicates.at[predicate].parameters;
  substitution_clear(s->substitution);
  for (size_t i = 0; i < parameters->count; i++) substitution_set(s->substitution, parameters->at[i], arguments->at[i]);
  return substitution_apply(s->substitution, s->known[predicate]);
}

static horn_atom atom_of(uint32_t relation, const term_vector *arguments) {
  horn_atom made = {.relation = relation};
  for (size_t i = 0; i < arguments->count; i++) VECTOR_PUSH(made.arguments, arguments->at[i]);
  return made;
}

/* The clause holds whatever the unfolded predicates are, or says something about one of them. */
static bool is_open(const solving *s, const clause *c, size_t property) {
  if (c->head == NO_PREDICATE && c->property != property) return false;
  if (c->head != NO_PREDICATE && s->treatments[c->head] == PREDICATE_TRUE) return false;
  bool is_open = c->head != NO_PREDICATE && s->treatments[c->head] == PREDICATE_UNFOLDED;
  for (size_t i = 0; i < c->body.count; i++) {
    if (s->treatments[c->body.at[i].predicate] == PREDICATE_FALSE) return false;
    is_open |= s->treatments[c->body.at[i].predicate] == PREDICATE_UNFOLDED;
  }
  return is_open;
}

static void add_rule(solving *s, const clause *c, uint32_t index) {
  horn_rule r = {.origin = index};
  term_vector parts = {0};
  VECTOR_PUSH(parts, c->constraint);
  for (size_t i = 0; i < c->body.count; i++) {
    uint32_t predicate = c->body.at[i].predicate;
    if (s->treatments[predicate] == PREDICATE_UNFOLDED)
      VECTOR_PUSH(r.body, atom_of(predicate, &c->body.at[i].arguments));
    else if (s->treatments[predicate] == PREDICATE_KEPT)
      VECTOR_PUSH(parts, instance(s, predicate, &c->body.at[i].arguments));
  }
  bool derives = c->head != NO_PREDICATE && s->treatments[c->head] == PREDICATE_UNFOLDED;
  if (derives)
    r.head = atom_of(c->head, &c->head_arguments);
  else
    r.head = atom_of(s->problem.query, &(term_vector){0});
  if (!derives && c->head != NO_PREDICATE && s->treatments[c->head] == PREDICATE_KEPT)
    VECTOR_PUSH(parts, term_not(instance(s, c->head, &c->head_arguments)));
  r.constraint = term_and_all(s->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  for (size_t i = 0; i < c->variables.count; i++) VECTOR_PUSH(r.variables, c->variables.at[i]);
  VECTOR_PUSH(s->problem.rules, r);
}

static void set_problem(solving *s, size_t property) {
  for (size_t i = 0; i < s->all->predicates.count; i++) {
    horn_relation made = {0};
    const variable_vector *parameters = &s->all->predicates.at[i].parameters;
    for (size_t j = 0; j < parameters->count; j++) VECTOR_PUSH(made.parameters, parameters->at[j]);
    VECTOR_PUSH(s->problem.relations, made);
  }
  s->problem.query = (uint32_t)s->all->predicates.count;
  VECTOR_PUSH(s->problem.relations, (horn_relation){0});
  for (uint32_t i = 0; i < s->all->clauses.count; i++)
    if (is_open(s, &s->all->clauses.at[i], property)) add_rule(s, &s->all->clauses.at[i], i);
}

static bool is_over(void *context) { return budget_spent(context) != NULL; }

/* Formulas of the unfolded predicates; NULL, or why there are none. */
static GIVE char *solve(solving *s, budget *b, term_vector *out) {
  fixedpoint *f = fixedpoint_new(s->ts, &s->problem, b);
  answer derivable = fixedpoint_query(f, is_over, b);
  const char *reason = NULL;
  variable_vector indices = {0};
  if (answer_is_unsure(derivable))
    reason = derivable.reason;
  else if (answer_is_yes(derivable))
    reason = "there are none";
  else
    fixedpoint_interpretation(f, out, &indices, &reason);
  if (indices.count && !reason) reason = "Z3's answer has quantifiers";
  VECTOR_FREE(indices);
  char *why = reason ? text_format("no formulas were found for predicates that were unfolded: %s", reason) : NULL;
  fixedpoint_free(f);
  return why;
}

static void complete(const solving *s, const term_vector *found, evidence *e) {
  evidence made = {.kind = EVIDENCE_INTERPRETATION};
  for (size_t i = 0; i < s->all->predicates.count; i++) {
    predicate_treatment treatment = s->treatments[i];
    term formula = treatment == PREDICATE_KEPT       ? s->known[i]
                   : treatment == PREDICATE_UNFOLDED ? found->at[i]
                                                     : term_of_bool(treatment == PREDICATE_TRUE);
    VECTOR_PUSH(made.interpretation, formula);
  }
  evidence_clear(e);
  *e = made;
}

static GIVE char *solve_rest(const model *m, size_t property, evidence *e, budget *b) {
  solving s = {.m = m, .ts = m->terms, .all = m->clauses, .treatments = m->clauses->rewritten->treatments.at};
  s.known = e->interpretation.at;
  s.substitution = substitution_new(m->terms);
  set_problem(&s, property);
  term_vector found = {0};
  char *why = solve(&s, b, &found);
  if (why)
    evidence_clear(e);
  else
    complete(&s, &found, e);
  VECTOR_FREE(found);
  horn_problem_clear(&s.problem);
  substitution_free(s.substitution);
  return why;
}

/* Formulas of rewritten clauses are about the arguments that these have: of the others, those are equal that were. */
static void restore_arguments(const model *m, evidence *e) {
  const clauses *rewritten = m->clauses->rewritten;
  for (size_t i = 0; i < rewritten->predicates.count; i++) {
    const clause_predicate *p = &rewritten->predicates.at[i];
    const variable_vector *parameters = &m->clauses->predicates.at[i].parameters;
    for (size_t j = 0; j < p->dropped.count; j++) {
      dropped_argument d = p->dropped.at[j];
      if (d.same_as == NO_ARGUMENT) continue;
      term one = term_of_variable(m->terms, parameters->at[d.argument]);
      term equal = term_eq(m->terms, one, term_of_variable(m->terms, parameters->at[d.same_as]));
      e->interpretation.at[i] = term_and(m->terms, e->interpretation.at[i], equal);
    }
  }
}

GIVE char *clause_rewriting_back(const model *m, size_t property, evidence *e, budget *b) {
  if (!m->clauses->rewritten) return NULL;
  if (e->kind == EVIDENCE_INTERPRETATION || e->kind == EVIDENCE_K_INTERPRETATION) {
    restore_arguments(m, e);
    return clauses_were_unfolded(m->clauses) ? solve_rest(m, property, e, b) : NULL;
  }
  if (e->kind == EVIDENCE_DERIVATION) unroll(m, e);
  return NULL;
}
