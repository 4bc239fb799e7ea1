/* A run of clauses: each step is an instance of its clause that leads on from the atom before it, computed exactly, and the
 * last one, and no other, is a query of the property. */
#include "proof/check/checkers.h"
#include "proof/replay/clause_replay.h"

/* Steps between two looks at the budget. */
enum { STEPS_A_LOOK = 1000 };

typedef struct run_check {
  const model *m;
  clause_replay *replay;
  questions *questions;
  check_result *result;
  uint64_t steps;
} run_check;

static bool reject(run_check *c, check_kind kind, uint32_t clause, const char *fault) {
  char *which = clause < c->m->clauses->clauses.count ? check_clause_name(c->m->clauses, clause)
                                                      : text_format("clause %u", clause + 1);
  check_end(c->result, kind, text_format("step %llu, %s, %s", (unsigned long long)c->steps, which, fault), NULL);
  memory_free(which);
  return false;
}

static bool take_step(run_check *c, const clause_run_step *s) {
  if (c->steps && clause_replay_predicate(c->replay) == NO_PREDICATE)
    return reject(c, CHECK_REJECTED, s->clause, "comes after a query");
  switch (clause_replay_step(c->replay, s->clause, &s->choices)) {
    case REPLAY_NO_CLAUSE:
      return reject(c, CHECK_REJECTED, s->clause, "is of no clause with at most one atom in its body");
    case REPLAY_NO_VALUES: return reject(c, CHECK_REJECTED, s->clause, "has not a value for each of its choices");
    case REPLAY_NO_STEP:
      return reject(c, CHECK_REJECTED, s->clause, "does not lead on from the step before it with these values");
    case REPLAY_NO_MEANING:
      return reject(c, CHECK_UNSURE, s->clause,
                    "divides by 0, which has no value in SMT-LIB, or is about a declared constant");
    case REPLAY_FINE: break;
  }
  c->steps++;
  c->result->obligations++;
  return c->steps % STEPS_A_LOOK || check_within_budget(c->questions, c->result);
}

static bool is_of_property(const model *m, const property *p, uint32_t query) {
  return p == &m->properties.at[m->clauses->clauses.at[query].property];
}

void check_clause_run(const model *m, const property *p, const evidence *e, questions *q, check_result *result) {
  if (terms_nest_arrays(m->terms)) {
    check_end(result, CHECK_UNSURE, text_format("the model has arrays of arrays, whose runs are shown by derivations"),
              NULL);
    return;
  }
  run_check c = {.m = m, .replay = clause_replay_new(m->terms, m->clauses), .questions = q, .result = result};
  bool fine = true;
  for (size_t i = 0; i < e->run.count && fine; i++)
    for (uint64_t j = 0; j < e->run.at[i].times && fine; j++) fine = take_step(&c, &e->run.at[i]);
  if (fine && (!c.steps || clause_replay_predicate(c.replay) != NO_PREDICATE))
    check_end(result, CHECK_REJECTED, text_format("the run does not end with a query"), NULL);
  else if (fine && !is_of_property(m, p, VECTOR_LAST(e->run).clause))
    check_end(result, CHECK_REJECTED, text_format("the run ends with a query of another property"), NULL);
  clause_replay_free(c.replay);
}
