/* The values of a derivation's rules: Z3 tells the atoms that it derives, not by which rule and with what values. Both
 * are asked of a solver, step by step; that the step is one is computed by the checker. */
#include "engine/spacer/spacer.h"

void rule_instances_free(rule_instances *v) {
  for (size_t i = 0; i < v->count; i++) VECTOR_FREE(v->at[i].values);
  VECTOR_FREE(*v);
}

number instance_value(const spacer *s, const rule_instance *i, variable v) {
  const variable_vector *variables = &s->problem.rules.at[i->rule].variables;
  for (size_t j = 0; j < variables->count; j++)
    if (variable_same(variables->at[j], v)) return i->values.at[j];
  return solver_any_value(variable_type(s->ts, v));
}

/* NULL-like `false` where the atom's form excludes it. */
static term atom_is(const spacer *s, const horn_atom *a, const horn_node *n) {
  if (a->relation != n->relation || a->arguments.count != n->values.count) return TERM_FALSE;
  term_vector parts = {0};
  for (size_t i = 0; i < n->values.count; i++) {
    term argument = a->arguments.at[i];
    bool is_bool = term_sort(s->ts, argument) == SORT_BOOL;
    term value = is_bool ? term_of_bool(!number_is(n->values.at[i], 0)) : term_number(s->ts, n->values.at[i]);
    VECTOR_PUSH(parts, term_eq(s->ts, argument, value));
  }
  term all = term_and_all(s->ts, parts.count, parts.at);
  VECTOR_FREE(parts);
  return all;
}

/* Premises stand in the order of the body's atoms. */
static term derives(const spacer *s, const horn_rule *r, const horn_derivation *d, const horn_node *n) {
  if (r->head.relation != n->relation || r->body.count != n->premises.count) return TERM_FALSE;
  term all = term_and(s->ts, r->constraint, atom_is(s, &r->head, n));
  for (size_t i = 0; i < r->body.count; i++)
    all = term_and(s->ts, all, atom_is(s, &r->body.at[i], &d->at[n->premises.at[i]]));
  return all;
}

static answer find_instance(const spacer *s, solver *asked, uint32_t rule, term whole, rule_instance *out) {
  const variable_vector *variables = &s->problem.rules.at[rule].variables;
  solver_push(asked);
  solver_assert(asked, whole);
  answer found = solver_check(asked, 0);
  out->rule = rule;
  for (size_t i = 0; i < variables->count && answer_is_yes(found); i++)
    VECTOR_PUSH(out->values, solver_value(asked, variables->at[i]));
  solver_pop(asked);
  return found;
}

static const char *find_rule(const spacer *s, solver *asked, const horn_derivation *d, const horn_node *n,
                             rule_instance *out) {
  const char *unsure = NULL;
  for (uint32_t i = 0; i < s->problem.rules.count; i++) {
    term whole = derives(s, &s->problem.rules.at[i], d, n);
    if (term_is_false(whole)) continue;
    answer found = find_instance(s, asked, i, whole, out);
    if (answer_is_yes(found)) return NULL;
    if (answer_is_unsure(found)) unsure = found.reason;
  }
  return unsure ? unsure : "a step of Z3's derivation is an instance of no rule";
}

bool instances_find(spacer *s, const horn_derivation *d, rule_instances *out, const char **reason) {
  solver *asked = solver_new(s->ts, s->env->budget);
  static char kept[200];
  const char *why = NULL;
  for (size_t i = 0; i < d->count && !why; i++) {
    rule_instance found = {0};
    why = find_rule(s, asked, d, &d->at[i], &found);
    VECTOR_PUSH(*out, found);
    if (!why) why = budget_spent(s->env->budget);
  }
  if (why) snprintf(kept, sizeof kept, "%s", why); /* the solver's reasons go with it */
  solver_free(asked);
  *reason = why ? kept : NULL;
  return !why;
}
