/* One lane's turn, run by run: what it proves, what it refutes, and why it ends. */
#ifndef WHET_ENGINE_WIDEN_LANE_LANE_TURN_H
#define WHET_ENGINE_WIDEN_LANE_LANE_TURN_H

#include "engine/widen/widen.h"

typedef enum lane_turn_end {
  TURN_GOES_ON, /* one run is done */
  TURN_OVER,    /* its runs are used up */
  TURN_SPENT,   /* its work is: the lane begins again in its next turn */
  TURN_DECIDES, /* `*out` is a claim with evidence */
  TURN_REFUTED, /* an error that exists over the rationals only */
  TURN_UNSURE,  /* an error that could not be confirmed */
  TURN_LAST,    /* the lane will never prove anything */
} lane_turn_end;

/* `reason` is set for the last three, and then lives as long as the program does. */
lane_turn_end lane_turn_step(widen *w, lane *l, claim *out, const char **reason);
/* Gives a lane whose turn begins this much work. NULL, or why the lane cannot begin. */
KEEP const char *lane_turn_begin(widen *w, lane *l, uint64_t work);
/* What the lane has computed goes. */
void lane_turn_drop(lane *l);

#endif
