/* The styles of lanes: settings of the engine that prove different things (lanes.def). */
#ifndef WHET_ENGINE_WIDEN_LANE_LANE_H
#define WHET_ENGINE_WIDEN_LANE_LANE_H

#include "engine/widen/graph/graph.h"
#include "engine/widen/lane/preview.h"
#include "engine/widen/numeric.h"
#include "engine/widen/repair.h"

typedef struct lane_style {
  const char *name;
  preview_kind preview; /* PREVIEW_NONE: runs and repairs */
  control_choice control;
  repair_style repair;
  bool weak_hull, limits, guard_limits;
  size_t most_rows, most_parts; /* in the first turn; twice as many in each one that follows */
} lane_style;

#define LANE(CONSTANT, ...) LANE_##CONSTANT,
typedef enum lane_name {
#include "engine/widen/lane/lanes.def"
  LANE_COUNT
} lane_name;
#undef LANE

KEEP const lane_style *lane_style_of(lane_name which);

#endif
