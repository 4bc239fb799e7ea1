/* Runs the search, makes the model smaller by what it found, and begins engines again that have begun without it. */
#include "run/correspondence/equalities.h"

#include "run/correspondence/correspondence.h"

/* The model after the passes, and not the one as read or the one that lists of states are about. */
static bool wants_small_model(const portfolio *g, const engine *e) {
  const run_settings *s = g->settings;
  bool as_read = e->wants_model_as_read && e->wants_model_as_read(s->options, s->model, g->property);
  return !e->lists_states && !as_read;
}

bool equalities_are_wanted(const portfolio *g, const model_look *look) {
  const run_settings *s = g->settings;
  bool is_of_use = !s->engine_count;
  for (size_t i = 0; i < s->engine_count; i++) is_of_use |= wants_small_model(g, s->engines[i]);
  return is_of_use && !s->wants_product && engine_order_is_one_step(look);
}

static void note_equalities(const portfolio *g, const known_invariants *known) {
  char *words = text_format("%zu equalities and conjuncts of guards always hold: of %zu variables %zu stay",
                            known->formulas.count, passes_model(g->passes)->variables.count,
                            passes_model(g->merged)->variables.count);
  portfolio_note(g, words);
  memory_free(words);
}

/* Engines that have begun with the larger model begin again, unless they have made a claim. */
static void take_merged(portfolio *g, TAKE passes *merged, const known_invariants *known) {
  g->merged = merged;
  note_equalities(g, known);
  for (size_t i = 0; i < g->contenders.count; i++) {
    contender *p = &g->contenders.at[i];
    if (contender_is_in(p) && p->turn && !p->check_worker && wants_small_model(g, p->engine)) contender_restart(p);
  }
}

void equalities_look(portfolio *g) {
  const run_settings *s = g->settings;
  budget b = portfolio_budget_of_passes(g);
  known_invariants known = {0};
  worker_limits limits = verdict_limits(s, g->deadline);
  correspondence_find_apart(passes_model(g->passes), (uint64_t)s->options->work, &limits, s->stop, &known);
  g->looks_for_equalities = false;
  passes *merged = passes_use_invariants(g->passes, &known, &b);
  if (passes_model(merged)->variables.count < passes_model(g->passes)->variables.count)
    take_merged(g, merged, &known);
  else
    passes_free(merged);
  known_invariants_clear(&known);
}
