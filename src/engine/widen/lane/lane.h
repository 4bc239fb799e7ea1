/* The styles of lanes: settings of the engine that prove different things (lanes.def). */
#ifndef WHET_ENGINE_WIDEN_LANE_LANE_H
#define WHET_ENGINE_WIDEN_LANE_LANE_H

#include "base/options.h"
#include "engine/widen/graph/graph.h"
#include "engine/widen/lane/preview.h"
#include "engine/widen/numeric.h"
#include "engine/widen/repair.h"

typedef struct lane_style {
  option_lane which;
  const char *name;
  preview_kind preview; /* PREVIEW_NONE: runs and repairs */
  control_choice control;
  repair_style repair;
  bool weak_hull, limits, guard_limits;
  merge_ties ties;
  bool is_uninterrupted;        /* its turn has no end */
  size_t most_rows, most_parts; /* in the first turn; twice as many in each one that follows */
} lane_style;

/* The lanes in the order in which they take turns. */
size_t lanes_count(void);
KEEP const lane_style *lanes_at(size_t i);
/* By the word of --lane; REQUIREs one: not LANES_ALL. */
KEEP const lane_style *lanes_get(option_lane which);

#endif
