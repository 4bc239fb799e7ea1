/* Which checker is asked, and what cannot be checked at all. */
#include "proof/check.h"

#include "proof/checkers.h"
#include "proof/clause_evidence.h"

static const char *refusal(const model *m, size_t property, const evidence *e) {
  const struct property *p = &m->properties.at[property];
  if (e->kind == EVIDENCE_NONE) return "there is no evidence";
  bool is_temporal_kind = e->kind == EVIDENCE_QUOTIENT || e->kind == EVIDENCE_TRACE;
  if (property_is_temporal(p) && !is_temporal_kind)
    return "this kind of evidence says nothing about temporal properties";
  if (property_is_temporal(p) && m->has_heap) return "no evidence about temporal properties of models with a heap";
  if (!property_is_temporal(p) && e->kind == EVIDENCE_QUOTIENT)
    return "a quotient is evidence for temporal properties only";
  bool speaks_of_heap = e->kind == EVIDENCE_HEAP || e->kind == EVIDENCE_TRACE;
  if (m->has_heap && !speaks_of_heap) return "this evidence says nothing about the heap";
  if (!m->has_heap && e->kind == EVIDENCE_HEAP) return "the model has no heap";
  bool is_about_clauses = e->kind == EVIDENCE_INTERPRETATION || e->kind == EVIDENCE_DERIVATION;
  if (is_about_clauses && !m->clauses) return "the model was not made from clauses";
  return clause_evidence_refusal(m, property, e);
}

solver *questions_solver(questions *q) {
  if (!q->solver) {
    q->solver = q->command ? solver_new_process(q->ts, q->budget, q->command) : solver_new(q->ts, q->budget);
    solver_assume_types(q->solver, false);
  }
  return q->solver;
}

check_result check_inductive(const model *m, const evidence *invariant, budget *b) {
  const property nothing_bad = {.kind = PROPERTY_SAFE, .bad = TERM_FALSE};
  check_result result = {.kind = CHECK_ACCEPTED};
  questions q = {m->terms, b, NULL, NULL};
  REQUIRE(invariant->kind == EVIDENCE_INVARIANT, "an invariant");
  if (m->has_heap)
    return (check_result){.kind = CHECK_UNSURE, .what = memory_copy_string("it says nothing about the heap")};
  check_invariant(m, &nothing_bad, invariant, &q, &result);
  solver_free(q.solver);
  return result;
}

check_result check_evidence(const model *m, size_t property, const evidence *e, budget *b, const char *solver_command) {
  REQUIRE(property < m->properties.count, "a property of the model");
  const struct property *p = &m->properties.at[property];
  check_result result = {.kind = CHECK_ACCEPTED};
  const char *why = refusal(m, property, e);
  if (why) return (check_result){.kind = CHECK_UNSURE, .what = memory_copy_string(why)};
  questions q = {m->terms, b, solver_command, NULL};
  switch (e->kind) {
    case EVIDENCE_INVARIANT: check_invariant(m, p, e, &q, &result); break;
    case EVIDENCE_K_INDUCTIVE: check_k_induction(m, p, e, &q, &result); break;
    case EVIDENCE_TRACE: (property_is_temporal(p) ? check_loop : check_trace)(m, p, e, &q, &result); break;
    case EVIDENCE_QUOTIENT: check_quotient(m, p, e, &q, &result); break;
    case EVIDENCE_STATES: check_states(m, p, e, &q, &result); break;
    case EVIDENCE_HEAP: check_heap(m, p, e, &q, &result); break;
    case EVIDENCE_INTERPRETATION: check_interpretation(m, property, e, &q, &result); break;
    case EVIDENCE_DERIVATION: check_derivation(m, property, e, &result); break;
    case EVIDENCE_NONE: break;
  }
  solver_free(q.solver);
  return result;
}
