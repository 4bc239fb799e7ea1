/* What a run tells while it goes on. Engines call these; the worker sends them to the parent, where reports and
 * progress read them. */
#ifndef WHET_ENGINE_EVENTS_H
#define WHET_ENGINE_EVENTS_H

#include "base/base.h"

/* Where events go. Every function here takes NULL as "nobody listens". */
typedef struct events events;

/* An iteration is done: a JSON object as text, without newline, with the engine's own keys: {"concrete_states":52,..}.
 * Kept in order and shown under `iterations`. */
void events_iteration(events *e, const char *json);
/* A line for -v. */
void events_note(events *e, const char *format, ...) PRINTF_LIKE(2, 3);
/* What the progress line says now; the latest wins. Cheap to call often: most calls are dropped. */
void events_progress(events *e, const char *format, ...) PRINTF_LIKE(2, 3);
/* Predicates in use when the run ended, in whet's language, one call each; shown under `predicates`. */
void events_predicate(events *e, const char *predicate);
/* A predicate that other engines had better start from, in whet's language; it claims nothing. */
void events_hint(events *e, const char *predicate);
/* What was found to hold in every reachable state, whatever becomes of the property: formulas in whet's language, a
 * line each, as in a file of lemmas. Whoever calls this has checked them (proof/check/check.h, check_inductive): together,
 * and with what the passes found out, they are inductive. The latest wins. */
void events_lemmas(events *e, const char *lines);
/* What the run was made for besides its verdict: a structure or formulas as text (`whet quotient`, `whet invariants`).
 */
void events_product(events *e, const char *product);

/* For those who run engines: events that go as messages into a pipe (process/channel.h). */
GIVE events *events_new(int descriptor);
/* Into another pipe from now on: for a process that inherited them. */
void events_send_to(events *e, int descriptor);
void events_free(TAKE events *e);
uint64_t events_iterations(const events *e); /* how many there were */

#endif
