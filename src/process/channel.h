/* Messages through a pipe: a kind and some bytes. The reader treats what comes as hostile: the writer may be a process
 * that went wrong. */
#ifndef WHET_PROCESS_CHANNEL_H
#define WHET_PROCESS_CHANNEL_H

#include "base/base.h"

typedef enum message_kind {
  MESSAGE_ITERATION = 'i',
  MESSAGE_NOTE = 'n',
  MESSAGE_PROGRESS = 'p',
  /* Formulas: SMT-LIB 2 terms (proof/formulas.h), a zero, and the same in whet's language, for people. */
  MESSAGE_PREDICATE = 'q',
  MESSAGE_HINT = 'o',        /* a predicate for other engines to start from */
  MESSAGE_LEMMAS = 'l',      /* what holds in every reachable state */
  MESSAGE_LIKELY = 'k',      /* what may hold in every reachable state: it did in those that were seen */
  MESSAGE_BUILDS_ON = 'b',   /* facts of others that the claim rests on: SMT-LIB 2 terms alone */
  MESSAGE_CERTIFICATE = 'c', /* evidence of a claim, as certificate text */
  MESSAGE_UNKNOWN = 'u',     /* no verdict: the reason */
  MESSAGE_ACCEPTED = 'a',    /* the checker's answers */
  MESSAGE_REJECTED = 'r',
  MESSAGE_UNSURE = 's',
  MESSAGE_TEXT = 't', /* output for the user */
  MESSAGE_TURN =
      'x', /* to the parent: this turn is over; to the worker: the count of work at which the next one ends */
  MESSAGE_NEWS = 'w', /* to the worker, before its next turn: what others found out */
} message_kind;

/* Blocks until all is written; false if the other end is closed. One sender at a time, but for messages of less than
 * 4000 bytes, which stay whole also among others. */
bool channel_send(int descriptor, message_kind kind, const char *bytes, size_t count);
/* The same into a socket whose other end may be gone: that is then no signal. */
bool channel_send_to_socket(int descriptor, message_kind kind, const char *bytes, size_t count);

typedef struct message {
  message_kind kind;
  const char *bytes; /* with a terminating zero after them */
  size_t count;
} message;

typedef struct channel {
  int descriptor; /* does not block; -1 once closed */
  char *buffer;
  size_t count, room, taken;
  char held; /* the byte that the last message's zero replaced */
  bool holds;
  bool garbled;
} channel;

/* `c->descriptor` is set by the caller. Closes it. */
void channel_clear(channel *c);
/* Takes in what there is, up to some megabytes. False at the end of the stream. */
bool channel_fill(channel *c);
/* The next complete message, valid until the next call. False if there is none, or if what came is no message
 * (`garbled`). */
bool channel_next(channel *c, message *out);

#endif
