/* The rules of a derivation and the values of their variables: Z3 gives the atoms that it derives, not by which rule
 * and with what values, and leaves out atoms that hold whatever the values. All this is asked of a solver, step by
 * step; that each step is one is computed by the checker. */
#include "engine/spacer/spacer.h"
#include "term/array_value.h"
#include "term/evaluate.h"

void rule_instances_clear(rule_instances *v) {
  for (size_t i = 0; i < v->count; i++) VECTOR_FREE(v->at[i].values);
  VECTOR_FREE(*v);
}

number instance_value(const spacer *s, const rule_instance *i, variable v) {
  const variable_vector *variables = &s->problem.rules.at[i->rule].variables;
  for (size_t j = 0; j < variables->count; j++)
    if (variable_same(variables->at[j], v)) return i->values.at[j];
  return solver_any_value(variable_type(s->ts, v));
}

typedef struct finding {
  spacer *s;
  solver *solver;
  horn_derivation *out;
  rule_instances *by;
  const char *unsure; /* the last reason */
} finding;

static term atom_is(const finding *f, const horn_atom *a, const horn_node *n) {
  terms *ts = f->s->ts;
  term_vector parts = {0};
  for (size_t i = 0; i < n->values.count && i < a->arguments.count; i++) {
    term argument = a->arguments.at[i];
    type of = term_type(ts, argument);
    term value = term_of_any_value(ts, &of, n->values.at[i]);
    VECTOR_PUSH(parts, term_eq(ts, argument, value));
  }
  term all = term_and_all(ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return all;
}

/* When `r` derives `n` from its premises. Those stand in the order of the body's atoms; `matched` gets for each of
 * these its premise, NO_PREMISE if it is missing. */
enum { NO_PREMISE = UINT32_MAX };

static term derives(const finding *f, const horn_rule *r, const horn_node *n, index_vector *matched) {
  size_t next = 0;
  VECTOR_CLEAR(*matched);
  if (r->head.relation != n->relation) return TERM_FALSE;
  term all = term_and(f->s->ts, r->constraint, atom_is(f, &r->head, n));
  for (size_t i = 0; i < r->body.count; i++) {
    uint32_t premise = next < n->premises.count ? n->premises.at[next] : NO_PREMISE;
    bool fits = premise != NO_PREMISE && f->out->at[premise].relation == r->body.at[i].relation;
    VECTOR_PUSH(*matched, fits ? premise : NO_PREMISE);
    if (!fits) continue;
    all = term_and(f->s->ts, all, atom_is(f, &r->body.at[i], &f->out->at[premise]));
    next++;
  }
  return next == n->premises.count ? all : TERM_FALSE;
}

static bool find_values(finding *f, term whole, rule_instance *out) {
  const variable_vector *variables = &f->s->problem.rules.at[out->rule].variables;
  solver_push(f->solver);
  solver_assert(f->solver, whole);
  answer found = solver_check(f->solver, 0);
  for (size_t i = 0; i < variables->count && answer_is_yes(found); i++)
    VECTOR_PUSH(out->values, solver_value(f->solver, variables->at[i]));
  solver_pop(f->solver);
  if (answer_is_unsure(found)) f->unsure = found.reason;
  return answer_is_yes(found);
}

/* The atom of the body, with the values of the instance. */
static horn_node node_of(const finding *f, const rule_instance *i, const horn_atom *a) {
  const horn_rule *r = &f->s->problem.rules.at[i->rule];
  horn_node made = {.relation = a->relation};
  number_vector assignment = {0};
  for (size_t j = 0; j < variable_count(f->s->ts); j++) VECTOR_PUSH(assignment, number_of(0));
  for (size_t j = 0; j < r->variables.count; j++) assignment.at[r->variables.at[j].x] = i->values.at[j];
  for (size_t j = 0; j < a->arguments.count; j++)
    VECTOR_PUSH(made.values, term_evaluate(f->s->ts, a->arguments.at[j], assignment.at));
  VECTOR_FREE(assignment);
  return made;
}

static bool add_node(finding *f, TAKE horn_node n, size_t depth);

/* Derives the premises that are missing; `n` has all of them then. */
static bool fill_premises(finding *f, const rule_instance *i, horn_node *n, const index_vector *matched, size_t depth) {
  const horn_rule *r = &f->s->problem.rules.at[i->rule];
  VECTOR_CLEAR(n->premises);
  for (size_t j = 0; j < r->body.count; j++) {
    uint32_t premise = matched->at[j];
    if (premise == NO_PREMISE) {
      if (!depth || !add_node(f, node_of(f, i, &r->body.at[j]), depth - 1)) return false;
      premise = (uint32_t)f->out->count - 1;
    }
    VECTOR_PUSH(n->premises, premise);
  }
  return true;
}

static bool try_rule(finding *f, uint32_t rule, const horn_node *n, size_t depth) {
  index_vector matched = {0};
  rule_instance found = {.rule = rule};
  horn_node made = {.relation = n->relation};
  term whole = derives(f, &f->s->problem.rules.at[rule], n, &matched);
  bool fine = !term_is_false(whole) && !budget_spent(f->s->env->budget) && find_values(f, whole, &found) &&
              fill_premises(f, &found, &made, &matched, depth);
  VECTOR_FREE(matched);
  if (!fine) {
    VECTOR_FREE(found.values);
    VECTOR_FREE(made.premises);
    return false;
  }
  for (size_t i = 0; i < n->values.count; i++) VECTOR_PUSH(made.values, n->values.at[i]);
  VECTOR_PUSH(*f->out, made);
  VECTOR_PUSH(*f->by, found);
  return true;
}

/* By the first rule that fits, after nodes for what is missing; those without missing premises first. */
static bool add_node(finding *f, TAKE horn_node n, size_t depth) {
  bool found = false;
  for (int with_missing = 0; with_missing < 2 && !found; with_missing++)
    for (uint32_t i = 0; i < f->s->problem.rules.count && !found; i++) {
      bool is_whole = f->s->problem.rules.at[i].body.count == n.premises.count;
      if (is_whole == !with_missing) found = try_rule(f, i, &n, depth);
    }
  VECTOR_FREE(n.values);
  VECTOR_FREE(n.premises);
  return found;
}

/* The node, with its premises as positions in `out`. */
static horn_node moved(const horn_node *n, const index_vector *place) {
  horn_node copy = {.relation = n->relation};
  for (size_t i = 0; i < n->values.count; i++) VECTOR_PUSH(copy.values, n->values.at[i]);
  for (size_t i = 0; i < n->premises.count; i++) VECTOR_PUSH(copy.premises, place->at[n->premises.at[i]]);
  return copy;
}

bool instances_find(spacer *s, const horn_derivation *printed, horn_derivation *out, rule_instances *by,
                    const char **reason) {
  if (!s->solver) s->solver = solver_new(s->ts, s->env->budget);
  finding f = {.s = s, .solver = s->solver, .out = out, .by = by};
  index_vector place = {0};
  bool fine = true;
  for (size_t i = 0; i < printed->count && fine; i++) {
    fine = add_node(&f, moved(&printed->at[i], &place), s->problem.relations.count);
    VECTOR_PUSH(place, (uint32_t)out->count - 1);
  }
  const char *spent = budget_spent(s->env->budget);
  const char *why = spent ? spent : f.unsure ? f.unsure : "a step of Z3's derivation is an instance of no rule";
  *reason = fine ? NULL : why;
  VECTOR_FREE(place);
  return fine;
}
