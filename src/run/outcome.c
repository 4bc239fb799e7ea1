/* Frees what an outcome holds, and sets it to UNKNOWN. */
#include "run/outcome.h"

void strings_clear(string_vector *v) {
  for (size_t i = 0; i < v->count; i++) memory_free(v->at[i]);
  VECTOR_FREE(*v);
}

void outcome_clear(outcome *o) {
  memory_free(o->reason);
  memory_free(o->why_vacuous);
  strings_clear(&o->never_enabled);
  memory_free(o->repro);
  memory_free(o->certificate);
  memory_free(o->product);
  memory_free(o->lemmas);
  memory_free(o->invariant);
  loop_invariants_clear(&o->loops);
  evidence_clear(&o->evidence);
  strings_clear(&o->iterations);
  strings_clear(&o->predicates);
  strings_clear(&o->likely.offered);
  strings_clear(&o->likely.inductive);
  for (size_t i = 0; i < o->facts.count; i++) memory_free(o->facts.at[i].formula);
  VECTOR_FREE(o->facts);
  *o = (outcome){0};
}

void outcome_set_unknown(outcome *o, char *reason) {
  o->verdict = VERDICT_UNKNOWN;
  memory_free(o->reason);
  o->reason = reason;
}
