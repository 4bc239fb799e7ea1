/* From a claim, or from the way a worker ended, to an outcome: only what the check worker accepted is a verdict.
 * Whatever else happens (limits, crashes, garbage, evidence that does not hold) is UNKNOWN with a reason. */
#ifndef WHET_RUN_VERDICT_H
#define WHET_RUN_VERDICT_H

#include "run/check_worker.h"
#include "run/outcome.h"
#include "run/settings.h"

/* Limits of a worker that works until `deadline` (0: without end). */
worker_limits verdict_limits(const run_settings *s, double deadline);
/* How long the check of a claim may take that came before `engine_deadline`. */
double verdict_deadline(const run_settings *s, double engine_deadline);
/* When the time of one of `parts` equal parts of what is left is over; 0 if time is not limited. */
double verdict_share(const run_settings *s, size_t parts);
/* What the engine cannot treat, or NULL. */
KEEP const char *verdict_missing_ability(const run_settings *s, const engine *e, size_t property);
/* Why nothing more is to be started, or NULL. */
KEEP const char *verdict_stopped(const run_settings *s);

/* What the report of the check means; `out->engine` made the claim. */
void verdict_claim(const run_settings *s, outcome *out, const check_report *x, TAKE char *certificate);
/* A worker that ended without a claim or a reason: in words, and whether that is an error of whet. */
GIVE char *verdict_reason_of_end(const run_settings *s, const worker *w, bool *is_defect);

#endif
