/* Lines for engineers; see log.h. The rooms that are named are read from the environment when the program starts. */
#include "base/instruments/log.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const names[] = {
#define LOG_ROOM(NAME, SAYS) #NAME,
#include "base/instruments/log_rooms.def"
#undef LOG_ROOM
};

void log_line(log_room r, const char *format, ...) {
  char line[1000];
  int start = snprintf(line, sizeof line, "whet[%ld] %s: ", (long)getpid(), names[r]);
  va_list list;
  va_start(list, format);
  vsnprintf(line + start, sizeof line - (size_t)start - 1, format, list);
  va_end(list);
  for (char *c = line; *c; c++)
    if (*c == '\n') *c = ' ';
  fprintf(stderr, "%s\n", line);
}

#ifdef WHET_LOGS

static uint32_t heard; /* a bit for each room */

bool log_hears(log_room r) { return heard >> r & 1; }

static void list_rooms(const char *unknown) {
  static const char *const says[] = {
#define LOG_ROOM(NAME, SAYS) SAYS,
#include "base/instruments/log_rooms.def"
#undef LOG_ROOM
  };
  fprintf(stderr, "whet: WHET_LOG: there is no '%s'; there are all", unknown);
  for (size_t i = 0; i < LOG_ROOMS; i++) fprintf(stderr, ", %s (%s)", names[i], says[i]);
  fputc('\n', stderr);
}

static void hear(const char *name) {
  uint32_t before = heard;
  for (size_t i = 0; i < LOG_ROOMS; i++)
    if (!strcmp(name, "all") || !strcmp(name, names[i])) heard |= UINT32_C(1) << i;
  if (heard == before) list_rooms(name);
}

__attribute__((constructor)) static void read_environment(void) {
  const char *wanted = getenv("WHET_LOG");
  char *copy = wanted ? strdup(wanted) : NULL, *rest = NULL;
  for (char *name = copy ? strtok_r(copy, ", ", &rest) : NULL; name; name = strtok_r(NULL, ", ", &rest)) hear(name);
  free(copy);
}

#endif
