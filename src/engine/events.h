/* What a run reports while it goes on. Engines call these; the worker sends them to the parent, where reports and
 * progress read them. */
#ifndef WHET_ENGINE_EVENTS_H
#define WHET_ENGINE_EVENTS_H

#include "base/json_writer.h"
#include "process/channel.h"
#include "term/term.h"

/* Where events go. Every function here takes NULL: events are then dropped. */
typedef struct events events;

/* An iteration is done. `object` was begun by `json_object_to` and has the engine's own keys: {"concrete_states":52,..};
 * it is ended here, and its text cleared. Kept in order and shown under `iterations`. */
void events_iteration(events *e, json_writer *object);
/* A line for -v. */
void events_note(events *e, const char *format, ...) PRINTF_LIKE(2, 3);
/* What the progress line says now; only the latest counts. Cheap to call often: most calls are dropped. */
void events_progress(events *e, const char *format, ...) PRINTF_LIKE(2, 3);
/* Predicates in use when the run ended, one call each; shown under `predicates`. */
void events_predicate(events *e, const terms *ts, term predicate);
/* A predicate that other engines had better start from; it claims nothing. */
void events_hint(events *e, const terms *ts, term predicate);
/* What was found to hold in every reachable state, whatever becomes of the property. Whoever calls this has checked
 * it (proof/check/check.h, check_inductive): together, and with what the passes found out, the formulas are inductive.
 * Only the latest call counts. */
void events_lemmas(events *e, const terms *ts, const term_vector *lemmas);
/* Candidates for such formulas: they hold in the states that were seen (predicate/likely/seen_states.h), and claim nothing. Only the latest call counts. */
void events_likely(events *e, const terms *ts, const term_vector *candidates);
/* What was asked for in addition to the verdict: a structure or formulas as text (`whet quotient`, `whet invariants`).
 */
void events_product(events *e, const char *product);

/* For those who run engines: events that go as messages into a pipe (process/channel.h). */
GIVE events *events_new(int descriptor);
/* Into another pipe from now on: for a process that inherited them. */
void events_send_to(events *e, int descriptor);
/* Passes on what a process of the engine's own has sent to it. */
void events_hand_on(events *e, message_kind kind, const char *bytes, size_t count);
void events_free(TAKE events *e);
uint64_t events_iterations(const events *e); /* how many there were */

#endif
