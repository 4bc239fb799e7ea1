/* The meter of this process's work. */
#include "base/work.h"

_Thread_local work_meter work_of_process = {.turn = UINT64_MAX};

void work_turn_over(void) {
  assert(work_of_process.pause); /* without one, no turn ends */
  work_of_process.pause(work_of_process.context);
}

void work_set_turn(uint64_t turn, void (*pause)(void *context), void *context) {
  work_of_process.turn = turn;
  work_of_process.pause = pause;
  work_of_process.context = context;
}

#ifdef WHET_FIRE
void work_end_turn_early(void) {
  if (work_of_process.pause) work_turn_over();
}
#endif
