/* What a room does, line by line, on stderr: for engineers; compiled in with WHET_LOGS only (builds other than
 * release).
 *
 * WHET_LOG=alpha,check names the rooms of log_rooms.def whose lines are printed; `all` is every one. A line is
 * `whet[process] room: ..`. Arguments of LOG are evaluated only if the room is named. */
#ifndef WHET_BASE_INSTRUMENTS_LOG_H
#define WHET_BASE_INSTRUMENTS_LOG_H

#include "base/base.h"

typedef enum log_room {
#define LOG_ROOM(NAME, SAYS) LOG_##NAME,
#include "base/instruments/log_rooms.def"
#undef LOG_ROOM
  LOG_ROOMS
} log_room;

#ifdef WHET_LOGS
bool log_hears(log_room r);
#else
static inline bool log_hears(log_room r) {
  (void)r;
  return false;
}
#endif
PRINTF_LIKE(2, 3) void log_line(log_room r, const char *format, ...);

/* LOG(alpha, "%zu states", n) */
#define LOG(ROOM, ...)                                            \
  do {                                                            \
    if (log_hears(LOG_##ROOM)) log_line(LOG_##ROOM, __VA_ARGS__); \
  } while (0)

#endif
