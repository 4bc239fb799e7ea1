/* Claims: what they hold, and the one of an engine that gives up. */
#include "engine/engine.h"

#include "base/memory.h"

void claim_clear(claim *c) {
  evidence_clear(&c->evidence);
  memory_free(c->reason);
  *c = (claim){0};
}

engine_status claim_give_up(claim *out, const char *reason) {
  char *kept = memory_copy_string(reason);
  claim_clear(out);
  out->reason = kept;
  return ENGINE_DONE;
}
