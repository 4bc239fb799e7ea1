/* The checker of evidence (proof/check/check.h) has the last word. */
#include "engine/own_lemmas.h"

#include "engine/events.h"
#include "proof/check/check.h"

#define LONGEST_CHECK 1.0 /* seconds */

bool own_lemmas_are_inductive(const engine_environment *env, const term_vector *lemmas) {
  terms *ts = env->model->terms;
  evidence e = {.kind = EVIDENCE_INVARIANT};
  budget b = *env->budget;
  if (budget_seconds_left(&b) > LONGEST_CHECK) b.deadline = clock_seconds() + LONGEST_CHECK;
  term known = term_and_all(ts, env->facts.count, env->facts.at);
  evidence_add_part(ts, &e, term_and(ts, known, term_and_all(ts, lemmas->count, lemmas->at)));
  check_result checked = check_inductive(env->model, &e, &b);
  bool accepted = checked.kind == CHECK_ACCEPTED;
  if (!accepted) events_note(env->events, "lemmas that are kept for itself: %s", checked.what);
  memory_free(checked.what);
  evidence_clear(&e);
  return accepted;
}
