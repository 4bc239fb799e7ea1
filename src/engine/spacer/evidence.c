/* From Z3's answers to evidence: covers become an invariant or an interpretation, a derivation a run or a derivation
 * from the clauses. */
#include "engine/bounded.h"
#include "engine/spacer/spacer.h"
#include "proof/clause_rewriting.h"
#include "term/evaluate.h"

/* ---- safe ---- */

static void claim_interpretation(const spacer *s, const term *formulas, evidence *out) {
  out->kind = EVIDENCE_INTERPRETATION;
  for (uint32_t i = 0; i < problem_relations(s); i++) VECTOR_PUSH(out->interpretation, formulas[i]);
}

/* Evidence about rewritten clauses, said about the clauses as read. */
static const char *say_as_read(spacer *s, evidence *out) {
  if (s->is_as_read) return NULL;
  memory_free(s->trouble);
  s->trouble = clause_rewriting_back(s->env->model, s->env->property, out, s->env->budget);
  return s->trouble;
}

static void claim_invariant(const spacer *s, const term *formulas, evidence *out) {
  out->kind = EVIDENCE_INVARIANT;
  for (uint32_t i = 0; i < problem_relations(s); i++)
    if (!term_is_false(formulas[i])) evidence_add_part(s->ts, out, term_and(s->ts, problem_place(s, i), formulas[i]));
}

const char *evidence_of_proof(spacer *s, evidence *out) {
  term_vector formulas = {0};
  const char *reason = NULL;
  if (fixedpoint_interpretation(s->fixedpoint, &formulas, &out->indices, &reason)) {
    for (size_t i = 0; i < s->known.count; i++) {
      const horn_cover *c = &s->known.at[i];
      if (c->level == HORN_ALWAYS) formulas.at[c->relation] = term_and(s->ts, formulas.at[c->relation], c->formula);
    }
    bool has_arrays = s->is_of_clauses && s->env->model->clauses->have_arrays;
    if (out->indices.count && !has_arrays) {
      reason = "Z3's answer has quantifiers";
    } else if (s->is_of_clauses) {
      claim_interpretation(s, formulas.at, out);
      reason = say_as_read(s, out);
    } else
      claim_invariant(s, formulas.at, out);
  }
  VECTOR_FREE(formulas);
  return reason;
}

/* ---- unsafe ---- */

/* The nodes from a fact to the query. False if it is no chain. */
static bool chain_of(const horn_derivation *d, index_vector *out) {
  uint32_t at = (uint32_t)d->count - 1;
  VECTOR_PUSH(*out, at);
  while (d->at[at].premises.count == 1) {
    at = d->at[at].premises.at[0];
    VECTOR_PUSH(*out, at);
  }
  for (size_t i = 0; i < out->count / 2; i++) {
    uint32_t kept = out->at[i];
    out->at[i] = out->at[out->count - 1 - i];
    out->at[out->count - 1 - i] = kept;
  }
  return !d->at[at].premises.count;
}

static void claim_derivation(const spacer *s, const horn_derivation *d, const rule_instances *by, evidence *out) {
  out->kind = EVIDENCE_DERIVATION;
  for (size_t i = 0; i < d->count; i++) {
    const rule_instance *instance = &by->at[i];
    derivation_step made = {.clause = s->problem.rules.at[instance->rule].origin};
    for (size_t j = 0; j < instance->values.count; j++) VECTOR_PUSH(made.values, instance->values.at[j]);
    for (size_t j = 0; j < d->at[i].premises.count; j++) VECTOR_PUSH(made.premises, d->at[i].premises.at[j]);
    VECTOR_PUSH(out->derivation, made);
  }
}

static number value_in(const spacer *s, const horn_node *n, variable v) {
  const variable_vector *parameters = &s->problem.relations.at[n->relation].parameters;
  for (size_t i = 0; i < parameters->count; i++)
    if (variable_same(parameters->at[i], v)) return n->values.at[i];
  return number_of(s->first_place + (int64_t)n->relation); /* the only one that is no parameter is the location */
}

/* The fault that the values of the inputs make happen in the last state. */
static bool find_fault(const spacer *s, const rule_instance *bad, evidence *out) {
  const model *m = s->env->model;
  number_vector values = {0};
  trace_assignment(m, VECTOR_LAST(out->steps).values.at, NULL, NULL, &values);
  for (size_t i = 0; i < m->transitions.count; i++)
    for (size_t j = 0; j < m->transitions.at[i].inputs.count; j++) {
      variable input = m->transitions.at[i].inputs.at[j];
      values.at[input.x] = instance_value(s, bad, input);
    }
  bool found = violation_find_fault(m, values.at, out);
  VECTOR_FREE(values);
  return found;
}

static trace_step step_of(const spacer *s, const horn_node *n, const rule_instance *by) {
  const model *m = s->env->model;
  trace_step made = {0};
  uint32_t origin = s->problem.rules.at[by->rule].origin;
  for (size_t i = 0; i < m->variables.count; i++) VECTOR_PUSH(made.values, value_in(s, n, m->variables.at[i].var));
  if (origin == ORIGIN_INITIAL) return made;
  made.transition = origin;
  for (size_t i = 0; i < m->transitions.at[origin].inputs.count; i++)
    VECTOR_PUSH(made.inputs, instance_value(s, by, m->transitions.at[origin].inputs.at[i]));
  return made;
}

static const char *claim_trace(const spacer *s, const horn_derivation *d, const index_vector *nodes,
                               const rule_instances *by, evidence *out) {
  const model *m = s->env->model;
  out->kind = EVIDENCE_TRACE;
  for (size_t i = 0; i + 1 < nodes->count; i++)
    VECTOR_PUSH(out->steps, step_of(s, &d->at[nodes->at[i]], &by->at[nodes->at[i]]));
  if (!out->steps.count) return "Z3's derivation has no states";
  trace_recompute(m, &out->steps);
  bool needs_fault = m->properties.at[s->env->property].kind == PROPERTY_NO_FAULT;
  if (needs_fault && !find_fault(s, &by->at[VECTOR_LAST(*nodes)], out)) return "the run found cannot be repeated";
  return NULL;
}

static bool find_steps(spacer *s, const horn_derivation *printed, horn_derivation *out, rule_instances *by,
                       const char **reason) {
  bool lacks_values = false;
  for (size_t i = 0; i < printed->count; i++) lacks_values |= printed->at[i].lacks_values;
  if (!lacks_values && instances_find(s, printed, out, by, reason)) return true;
  bool has_arrays = s->is_of_clauses && s->env->model->clauses->have_arrays;
  if (!lacks_values && (!has_arrays || budget_spent(s->env->budget))) return false;
  horn_derivation_clear(out);
  rule_instances_clear(by);
  *out = (horn_derivation){0};
  *by = (rule_instances){0};
  return derivation_solve(s, printed, out, by, reason);
}

const char *evidence_of_derivation(spacer *s, evidence *out) {
  horn_derivation printed = {0}, d = {0};
  rule_instances by = {0};
  index_vector nodes = {0};
  const char *reason = NULL;
  if (fixedpoint_derivation(s->fixedpoint, &printed, &reason) && find_steps(s, &printed, &d, &by, &reason)) {
    if (s->is_of_clauses) {
      claim_derivation(s, &d, &by, out);
      reason = say_as_read(s, out);
    } else if (!chain_of(&d, &nodes))
      reason = "Z3's derivation is no chain";
    else
      reason = claim_trace(s, &d, &nodes, &by, out);
  }
  horn_derivation_clear(&printed);
  horn_derivation_clear(&d);
  rule_instances_clear(&by);
  VECTOR_FREE(nodes);
  return reason;
}
