#include "engine/engine.h"

#include "base/memory.h"

void claim_free(claim *c) {
  evidence_free(&c->evidence);
  memory_free(c->reason);
  *c = (claim){0};
}
