/* Channels of any length, as numbers.
 *
 * A channel is four groups of variables: how many messages there are, the parts of the first one (each the least value of its
 * type if there is none), `rest`, and `power`. A message is a number below `base`: its parts are digits, the first the least one. The digits of
 * `rest` to that base are the messages behind the first one, the next one the least digit; `power` is the value of the
 * digit that the next message sent will be, so 1 while there is at most one. A content has one such state.
 *
 * A model has both: its transitions change these variables, which is what they mean, and it lists what they do with channels.
 * The two say the same: the updates of a channel's variables are those that queue_sent and queue_received make. */
#ifndef WHET_MODEL_QUEUE_QUEUE_H
#define WHET_MODEL_QUEUE_QUEUE_H

#include "term/term.h"

struct model;
struct transition;

/* A message has at most so many values. */
enum { QUEUE_MOST_LOG2 = 32 };

typedef struct queue_part {
  variable first; /* what the first message has here */
  int64_t low;    /* of its type; booleans have 0 and 1 */
  int64_t size;   /* so many values */
  int64_t stride; /* of the digit in the number of a message */
} queue_part;

typedef struct queue {
  const char *name;
  variable length, rest, power;
  queue_part *parts; /* in the arena of the terms */
  size_t part_count;
  int64_t base;
  bool is_lossy;
} queue;

typedef enum queue_action { QUEUE_SEND, QUEUE_RECEIVE } queue_action;

/* One thing that a transition does with a channel, if `when` holds; over state variables and inputs. */
typedef struct queue_use {
  uint32_t queue;
  queue_action action;
  term when;
  term *message; /* QUEUE_SEND: each part; in the arena of the terms */
} queue_use;

typedef VECTOR(uint64_t) queue_word; /* messages, the oldest first */

/* What the first message has in this part if there is none. */
term queue_no_part(terms *ts, const queue_part *p);
/* The value that a variable of a channel gets when the message is sent. */
term queue_sent(terms *ts, const queue *q, const term *message, variable v);
/* The same when the first message is received or lost. */
term queue_received(terms *ts, const queue *q, variable v);
/* The variables: length, the parts of the first message, rest, power. */
size_t queue_variable_count(const queue *q);
variable queue_variable(const queue *q, size_t i);

/* The content in a state with these values by variable; false if it is none, or longer than `most`. `out` is emptied first. */
bool queue_content(const queue *q, const number *by_variable, size_t most, queue_word *out);
/* A part of a message. */
int64_t queue_part_of(const queue *q, size_t part, uint64_t message);

#endif
