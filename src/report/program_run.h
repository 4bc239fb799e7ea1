/* A derivation from clauses that stand for a program, as the run that it means: what happens, in the order of time. The
 * derivation of a call that has returned is told between the call and its return. One that is needed twice is told
 * twice, so a run may be much longer than its derivation. */
#ifndef WHET_REPORT_PROGRAM_RUN_H
#define WHET_REPORT_PROGRAM_RUN_H

#include "proof/evidence.h"

typedef enum program_event_kind {
  EVENT_STATEMENTS,
  EVENT_INPUT,
  EVENT_CALL,
  EVENT_RETURN,
  EVENT_STATE, /* only of programs that are not C: there inputs say it */
} program_event_kind;

typedef struct program_event {
  program_event_kind kind;
  size_t depth;              /* how many calls are under way */
  const derivation_step *by; /* of a call: the step that says so; of a return: the step that says what is given back;
                                of a state: the step that leads to it */
  const derivation_step *before; /* of a state: the step that led to the one before; NULL at the start */
  const char *words;             /* of statements: `length` characters */
  size_t length;
  variable input; /* of an input, with its value */
  number value;
} program_event;

typedef void program_listener(void *context, const program_event *e);

/* False if the run has more than `most` events: those that come first are told. */
bool program_run_report(const model *m, const evidence *e, size_t most, program_listener *listen, void *context);
/* The run as text, an event a line, calls indented; no more than `most` events. */
void program_run_print(const model *m, const evidence *e, size_t most, text *out);
enum { MOST_EVENTS_SHOWN = 400 };

#endif
