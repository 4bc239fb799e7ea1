/* The earlier of a question's deadline and the run's, and which of the two was reached. */
#include "base/limits.h"

#include <math.h>

limits limits_of(const budget *b, double seconds) {
  limits l = {b, b->deadline > 0 ? b->deadline : INFINITY, "time limit reached"};
  if (seconds > 0 && clock_seconds() + seconds < l.deadline) {
    l.deadline = clock_seconds() + seconds;
    l.deadline_reason = "time limit of one question reached";
  }
  return l;
}

const char *limits_reached(const limits *l, bool with_memory) {
  if (l->budget->stop && *l->budget->stop) return "interrupted";
  if (l->deadline < INFINITY && clock_seconds() >= l->deadline) return l->deadline_reason;
  if (with_memory && l->budget->memory && memory_resident() > l->budget->memory) return "memory limit reached";
  return NULL;
}

bool limits_exist(const limits *l) { return l->deadline < INFINITY || l->budget->stop || l->budget->memory; }
