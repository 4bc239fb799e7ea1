#include "engine/widen/lane/lane.h"

#define LANE(CONSTANT, NAME, PREVIEW, CONTROL, SCHEDULE, UNION_FIRST, CONNECT_AGAIN, WEAK, LIMITS, GUARDS, ROWS, \
             PARTS, WHAT)                                                                                        \
  {NAME, PREVIEW, CONTROL, {SCHEDULE, UNION_FIRST, CONNECT_AGAIN}, WEAK, LIMITS, GUARDS, ROWS, PARTS},
static const lane_style styles[] = {
#include "engine/widen/lane/lanes.def"
};
#undef LANE

const lane_style *lane_style_of(lane_name which) { return &styles[which]; }
