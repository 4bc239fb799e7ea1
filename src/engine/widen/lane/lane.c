/* The table of lanes. */
#include "engine/widen/lane/lane.h"

#define LANE(CONSTANT, NAME, PREVIEW, CONTROL, SCHEDULE, UNION_FIRST, CONNECT_AGAIN, WEAK, LIMITS, GUARDS, ROWS, \
             PARTS, WHAT)                                                                                        \
  {LANES_##CONSTANT,                                                                                             \
   NAME,                                                                                                         \
   PREVIEW,                                                                                                      \
   CONTROL,                                                                                                      \
   {.schedule = SCHEDULE, .union_first = UNION_FIRST, .connect_again = CONNECT_AGAIN},                           \
   .weak_hull = WEAK,                                                                                            \
   .limits = LIMITS,                                                                                             \
   .guard_limits = GUARDS,                                                                                       \
   .is_uninterrupted = LANES_##CONSTANT == LANES_PAPER,                                                          \
   .most_rows = ROWS,                                                                                            \
   .most_parts = PARTS},
static const lane_style styles[] = {
#include "engine/widen/lane/lanes.def"
};
#undef LANE

size_t lanes_count(void) { return ARRAY_LENGTH(styles); }

const lane_style *lanes_at(size_t i) { return &styles[i]; }

const lane_style *lanes_get(option_lane which) {
  const lane_style *found = NULL;
  for (size_t i = 0; i < ARRAY_LENGTH(styles) && !found; i++)
    if (styles[i].which == which) found = &styles[i];
  REQUIRE(found, "a lane of lanes.def");
  return found;
}
