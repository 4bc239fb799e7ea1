/* The engines of a run at one property: one that works alone, or several at the same time and in turn
 * (docs/engines/auto.md).
 *
 * Passes make the model smaller for the property, once and in this process: they ask no solver, take time linear in the
 * model, and make nothing larger than what was read, which this process holds anyway; they poll a budget, and if it is
 * spent the engines get the model as read. Everything that is not so is done by workers, which inherit the result:
 *     engine worker:  model after the passes -> engine -> claim -> way back -> certificate text about the model as read
 *     check worker:   that text, read as hostile -> the obligations of proof/check/check.h on the model as read
 * Only what the check worker accepts is a verdict (run/verdict.h).
 *
 * Several take turns. Time is counted, not measured: an engine's turn is an amount of work (base/work.h). In each round
 * every engine that has not ended has one turn, in the order of run/engine_order.h and at most `jobs` at once; between
 * rounds what was found out is checked and sent to all (run/exchange.h). An answer counts once its evidence is accepted
 * and every engine before it in the order has had its turn of that round. So the verdict, the evidence and all that was
 * exchanged depend on model and options alone: neither on the machine, nor on its load, nor on `jobs`. One engine alone
 * has a single turn without end. */
#ifndef WHET_RUN_PORTFOLIO_H
#define WHET_RUN_PORTFOLIO_H

#include "run/outcome.h"
#include "run/settings.h"

/* Stands for all of them in outcomes that no single one decided; has a name and a title, but cannot be run itself. */
extern const engine engine_auto;

typedef enum portfolio_end {
  PORTFOLIO_DECIDED,
  PORTFOLIO_PAUSES,  /* the limit of work is reached: there is no outcome but for its time */
  PORTFOLIO_GAVE_UP, /* all engines did */
  PORTFOLIO_OUT_OF_TIME,
} portfolio_end;

/* `s->engines` in their order, or if there are none, those that a look at the model suggests. `properties_left`
 * counts this one and those that are still to be decided: they share the time that is left. After the round in which
 * every engine has done `limit` of work it pauses; 0 is no limit. */
portfolio_end portfolio_run(const run_settings *s, size_t property, size_t properties_left, uint64_t limit,
                            GIVE outcome *out);

#endif
