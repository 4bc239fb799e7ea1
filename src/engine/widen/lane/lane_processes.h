/* Lanes at the same time: each is a process, which inherits all that was computed before it was started.
 *
 * Turns are what they are without processes, and so is their order: at most `env->cores` of them are taken at the same
 * time, the next ones in order first; what a lane sends, and how its turn ended, is taken note of only when those
 * before it have had their turns. So verdict, evidence and iterations depend neither on the clock nor on which process
 * was quicker. A lane that crashes or runs out of memory is over; the others go on. */
#ifndef WHET_ENGINE_WIDEN_LANE_LANE_PROCESSES_H
#define WHET_ENGINE_WIDEN_LANE_LANE_PROCESSES_H

#include "engine/widen/lane/lane_turn.h"

/* True if there are cores, memory and lanes for it. */
bool lane_processes_is_possible(const widen *w);
/* From now on lanes are processes; what the current one has computed goes with it. */
GIVE lane_processes *lane_processes_new(widen *w);
/* Ends them all. */
void lane_processes_free(TAKE lane_processes *b);
/* As lane_turn_step, for the current lane: waits until it has ended or all is to stop, or takes note of one iteration.
 * `reason` lives until the next call. */
lane_turn_end lane_processes_step(widen *w, claim *out, const char **reason);

#endif
