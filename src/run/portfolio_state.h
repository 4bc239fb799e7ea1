/* The inside of a portfolio, for portfolio.c, exchange.c and correspondence/equalities.c only. */
#ifndef WHET_RUN_PORTFOLIO_STATE_H
#define WHET_RUN_PORTFOLIO_STATE_H

#include "base/map.h"
#include "run/contender.h"
#include "run/settings.h"
#include "run/verdict.h"

typedef struct portfolio {
  const run_settings *settings; /* as given */
  run_settings shared;          /* with the facts known at the start */
  size_t property;
  passes *passes;               /* of the property, for all engines */
  passes *merged;               /* with equal variables merged; NULL before they are looked for */
  bool looks_for_equalities;    /* still to be done */
  VECTOR(contender) contenders; /* in order */
  size_t jobs;                  /* how many work at once */
  unsigned round;
  uint64_t turn, turn_before; /* all work up to the end of this round, and of the last */
  double started, deadline, next_tick;
  worker_limits limits;
  map *likely_tried;    /* candidates that were looked at; NULL if there were none */
  uint64_t likely_next; /* candidates are looked at again once turns are that long */
  likely_outcome likely;
} portfolio;

/* What was found out so far, for engines that do not list states. */
static inline passes *portfolio_passes(const portfolio *g) { return g->merged ? g->merged : g->passes; }

static inline budget portfolio_budget_of_passes(const portfolio *g) {
  const run_settings *s = g->settings;
  return (budget){.deadline = g->deadline, .memory = verdict_limits(s, 0).memory, .stop = (atomic_bool *)s->stop};
}

static inline void portfolio_note(const portfolio *g, const char *line) {
  settings_report(g->settings, RUN_NOTE, line);
}

#endif
