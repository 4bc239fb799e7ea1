/* One run of a model, from the first state to the last. */
#include "run/simulate/simulate.h"

#include "run/simulate/simulate_calls.h"
#include "run/simulate/simulate_reals.h"
#include "run/simulate/simulation.h"

char *simulate_run(model *m, const options *o, budget *b, evidence *out) {
  if (simulate_has_calls(m)) return simulate_calls(m, o, b, out);
  *out = (evidence){.kind = EVIDENCE_TRACE};
  if (terms_have_reals(m->terms)) return simulate_reals(m, o, b, out);
  simulation *s = simulation_new(m, o->seed, b);
  char *ending = simulation_start(s, out);
  for (uint64_t i = 0; i < o->steps && !ending; i++) {
    const char *spent = budget_spent(b);
    ending = spent ? memory_copy_string(spent) : simulation_step(s, out);
  }
  if (m->has_heap) trace_recompute(m, &out->steps);
  simulation_free(s);
  return ending;
}
