/* Which checker is asked, and what cannot be checked at all. */
#include "proof/check/check.h"

#include "base/instruments/log.h"
#include "proof/check/checkers.h"
#include "proof/clause_evidence.h"

typedef void (*checker)(const model *m, const property *p, const evidence *e, questions *q, check_result *result);

#define EVIDENCE(CONSTANT, FILE, CHECKER, ...) [EVIDENCE_##CONSTANT] = check_##CHECKER,
static const checker checkers[EVIDENCE_KINDS] = {
#include "proof/evidence.def"
};
#undef EVIDENCE

/* NULL if this kind of evidence can say something about this property of this model. */
static GIVE char *refusal(const model *m, size_t property, const evidence *e) {
  if (e->kind == EVIDENCE_NONE) return memory_copy_string("there is no evidence");
  const evidence_row *row = evidence_row_of(e->kind);
  bool is_temporal = property_is_temporal(&m->properties.at[property]);
  bool asks_for_end = m->properties.at[property].kind == PROPERTY_ENDS;
  const char *why = NULL;
  if (asks_for_end && !(row->about & ABOUT_END))
    why = "this kind of evidence does not say whether a program with procedures ends";
  else if (!asks_for_end && row->about == ABOUT_END)
    return text_format("%s only says whether a program with procedures ends", row->name);
  else if (is_temporal && !asks_for_end && !(row->about & ABOUT_RUNS))
    why = "this kind of evidence says nothing about temporal properties";
  else if (is_temporal && m->has_heap)
    why = "no evidence about temporal properties of models with a heap";
  else if (is_temporal && terms_have_reals(m->terms))
    why = "no evidence about temporal properties of models with reals";
  else if (row->content == CONTENT_DIAGRAM && terms_have_reals(m->terms))
    why = "sets of listed states say nothing about reals";
  else if (row->about == ABOUT_HEAP && terms_have_reals(m->terms))
    why = "graphs of the heap say nothing about reals";
  else if (!is_temporal && row->about == ABOUT_RUNS)
    return text_format("%s is evidence for temporal properties only", row->name);
  else if (m->has_heap && !(row->about & ABOUT_HEAP))
    why = "this evidence says nothing about the heap";
  else if (!m->has_heap && row->about == ABOUT_HEAP)
    why = "the model has no heap";
  else if (!m->clauses && row->about & (ABOUT_CLAUSES | ABOUT_END))
    why = "the model was not made from clauses";
  else
    why = clause_evidence_refusal(m, property, e);
  return why ? memory_copy_string(why) : NULL;
}

solver *questions_solver(questions *q) {
  if (!q->solver) {
    q->solver = q->command ? solver_new_process(q->ts, q->budget, q->command) : solver_new(q->ts, q->budget);
    solver_assume_types(q->solver, false);
  }
  return q->solver;
}

bool check_end(check_result *result, check_kind kind, char *what, const char *reason) {
  result->kind = kind;
  result->what = reason ? text_format("%s: %s", what, reason) : memory_copy_string(what);
  memory_free(what);
  return false;
}

bool check_refute(questions *q, char *what, check_result *result) {
  answer a = solver_check(questions_solver(q), 0);
  result->queries++;
  if (answer_is_yes(a)) return check_end(result, CHECK_REJECTED, what, NULL);
  if (answer_is_unsure(a)) return check_end(result, CHECK_UNSURE, what, a.reason);
  result->obligations++;
  memory_free(what);
  return true;
}

bool check_refute_all(questions *q, const term *formulas, size_t count, char *what, check_result *result) {
  solver *s = questions_solver(q);
  solver_push(s);
  for (size_t i = 0; i < count; i++) solver_assert(s, formulas[i]);
  bool fine = check_refute(q, what, result);
  solver_pop(s);
  return fine;
}

bool check_within_budget(questions *q, check_result *result) {
  const char *reason = budget_spent(q->budget);
  return !reason || check_end(result, CHECK_UNSURE, memory_copy_string(reason), NULL);
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
  check_result result = {.kind = CHECK_ACCEPTED};
  char *why = refusal(m, property, e);
  if (why) return (check_result){.kind = CHECK_UNSURE, .what = why};
  questions q = {m->terms, b, solver_command, NULL};
  checkers[e->kind](m, &m->properties.at[property], e, &q, &result);
  assert((result.kind == CHECK_ACCEPTED) == !result.what);
  LOG(check, "%s: %s%s%s; %llu obligations", m->properties.at[property].name,
      result.kind == CHECK_ACCEPTED   ? "accepted"
      : result.kind == CHECK_REJECTED ? "rejected"
                                      : "unsure",
      result.what ? ": " : "", result.what ? result.what : "", (unsigned long long)result.obligations);
  solver_free(q.solver);
  return result;
}
