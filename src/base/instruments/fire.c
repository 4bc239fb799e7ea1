/* The list of stop points is a section of the program, made by the linker from one pointer a place in the source. */
#include "base/instruments/fire.h"

#ifdef WHET_FIRE

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

extern stop_point *__start_whet_stop_points[] __attribute__((weak, visibility("hidden")));
extern stop_point *__stop_whet_stop_points[] __attribute__((weak, visibility("hidden")));

static const stop_point *wanted; /* NULL: none fires */
static uint64_t wanted_time;
static uint64_t allocations, last_allocation = UINT64_MAX;
static int notes = -1; /* a descriptor */

static size_t point_count(void) { return (size_t)(__stop_whet_stop_points - __start_whet_stop_points); }

static size_t number_of_point(const stop_point *p) {
  for (size_t i = 0; i < point_count(); i++)
    if (__start_whet_stop_points[i] == p) return i + 1;
  return 0;
}

/* One write a line: processes share the file. */
static void note(const char *format, size_t number, const char *file, uint64_t count, const char *what) {
  char line[256];
  int length = snprintf(line, sizeof line, format, number, file, (unsigned long long)count, what);
  if (length > 0 && write(notes, line, (size_t)length) != length) notes = -1;
}

static const char *path_in_sources(const char *file) {
  const char *inside = strstr(file, "src/");
  return inside ? inside : file;
}

static void list_points(void) {
  for (size_t i = 0; i < point_count(); i++) {
    const stop_point *p = __start_whet_stop_points[i];
    note("point %zu %s:%llu %s\n", i + 1, path_in_sources(p->file), (uint64_t)p->line, p->what);
  }
}

__attribute__((constructor)) static void read_environment(void) {
  const char *stop = getenv("WHET_FIRE_STOP"), *points = getenv("WHET_FIRE_POINTS"),
             *allocation = getenv("WHET_FAIL_ALLOCATION");
  unsigned long number = 0;
  unsigned long long time = 1;
  if (stop && sscanf(stop, "%lu:%llu", &number, &time) >= 1 && number >= 1 && number <= point_count()) {
    wanted = __start_whet_stop_points[number - 1];
    wanted_time = time;
  }
  if (allocation) last_allocation = strtoull(allocation, NULL, 10);
  if (points) notes = open(points, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (notes >= 0) list_points();
}

bool fire_reached(stop_point *p) {
  uint64_t times = __atomic_add_fetch(&p->reached, 1, __ATOMIC_RELAXED);
  bool fires = p == wanted && times == wanted_time;
  if (notes >= 0 && (times & (times - 1)) == 0) note("reached %zu%s %llu%s\n", number_of_point(p), "", times, "");
  if (notes >= 0 && fires) note("fired %zu%s %llu%s\n", number_of_point(p), "", times, "");
  return fires;
}

bool fire_allocation(void) { return __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED) >= last_allocation; }

#endif
