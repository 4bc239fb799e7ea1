/* A run as text: one line a step with the action taken and what it changed, aligned.
 *
 *       0  initial             x = 0, P[1] at idle
 *       1  P[1].take           x = 1, P[1] at waiting
 *       2  pick(i = 3)         x = 3
 *
 * Steps of programs show the statement and its line. Blocks of steps that are repeated are left out. */
#ifndef WHET_REPORT_TRACE_H
#define WHET_REPORT_TRACE_H

#include "proof/evidence.h"

typedef struct trace_style {
  bool full;   /* every variable at each step, not only those that changed */
  bool colour; /* for a terminal */
} trace_style;

/* `p` is the property that the run breaks: the last line then says how, if the states do not show it (a run-time error,
 * a deadlock). It may be NULL. */
void trace_print(const model *m, const evidence *e, const property *p, trace_style style, text *out);
/* The action with its inputs, as a line of a run has it. */
GIVE char *action_string(const model *m, uint32_t transition_index, size_t count, const number *inputs);
/* What changes from one state to the next; in `style.full` every variable of it. `before` may be NULL: then every variable. */
void state_print(const model *m, const trace_step *before, const trace_step *now, trace_style style, text *out);
/* What stands for the action: its name, or the statement of a program and its line. */
void step_name_print(const model *m, const transition *t, text *out);
/* The list that the node variable at `position` leads to: `[1] -> [0] -> null`, data in brackets; a list that leads
 * back into itself ends in `back to node 2`, counted from its first. */
void list_print(const model *m, const trace_step *s, size_t position, text *out);
/* `number` as the value of a variable of type `t`: names of enumerations, true and false, maps. */
void value_print(const terms *ts, const type *t, number n, text *out);

#endif
