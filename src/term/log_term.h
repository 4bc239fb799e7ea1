/* LOG (base/instruments/log.h) with a formula at the end of the line. */
#ifndef WHET_TERM_LOG_TERM_H
#define WHET_TERM_LOG_TERM_H

#include "base/instruments/log.h"
#include "term/term.h"

void log_term(log_room r, const char *words, const terms *ts, term t);

#define LOG_TERM(ROOM, WORDS, TS, T)                               \
  do {                                                             \
    if (log_hears(LOG_##ROOM)) log_term(LOG_##ROOM, WORDS, TS, T); \
  } while (0)

#endif
