/* Lowering of messages: of channels, which are variables, and of handshakes, which are steps of two processes. */
#ifndef WHET_INPUT_WHET_CHANNELS_CHANNEL_H
#define WHET_INPUT_WHET_CHANNELS_CHANNEL_H

#include "input/whet/lower.h"

/* A transition while its updates are made (lower_step.c). */
typedef struct writer {
  transition *transition;
  term guard;
  pending_faults faults;
  map *positions; /* variable -> index in the updates; NULL while there are few */
  map *elements;  /* elements of arrays that were written with a constant index */
  term message;   /* of a handshake: what the receiver gets */
} writer;

/* A value that leaves the type of what it is assigned to is a run-time error, if `when` holds. */
void step_range_fault(lowering *l, writer *w, const assignment *a, term value, term when);
/* Writes `value` to every cell that the indices from dimension `k` on can mean, each under the condition that they mean it. */
void step_write_cells(lowering *l, writer *w, const access *a, size_t k, size_t cell, term when, term value,
                      const expression *target);
/* The inputs and the guard of the step, and that of its messages, which are added to those of the transition; then what it changes. */
void step_lower_guard(lowering *l, writer *w, const lowered_step *s);
void step_lower_updates(lowering *l, writer *w, const lowered_step *s);
void step_close(writer *w);

bool assignment_is_message(const assignment *a);
bool has_messages(const assignments *list);
/* The channels have room for what is sent, and what is received is there; evaluated if `guard` holds. */
term messages_enabled(lowering *l, term guard, const assignments *list);
void lower_message(lowering *l, writer *w, const assignment *a);
/* What an unused place of a channel holds. */
term channel_default(lowering *l, variable v);
/* Channels of any length: their places in `model->queues` (endless.c). */
void lower_queues(lowering *l, const module *m);
void lower_endless_message(lowering *l, writer *w, const assignment *a, const access *to);
/* A step in which the first message of a lossy one is lost. */
void lower_endless_loss(lowering *l, size_t first, const char *name, span at);
bool channel_is_endless(const value_type *t);
/* Calls `each` for every channel, c or c[1], c[2], .., with its first cell. */
typedef void channel_hearer(lowering *l, const symbol *s, const value_type *t, size_t first, const char *name);
void channels_each(lowering *l, const module *m, channel_hearer *each);
/* What is received goes to its target. */
void lower_receipt(lowering *l, writer *w, const assignment *a, const access *from);
/* Steps in which a lossy channel loses a message. */
void lower_losses(lowering *l, const module *m);

/* The step is part of a handshake: it is kept until all steps are there. */
bool handshake_keep(lowering *l, const lowered_step *s);
void handshake_refuse_inside(lowering *l, const assignments *list);
/* A step for each pair of a sender and a receiver. */
void lower_handshakes(lowering *l);

#endif
