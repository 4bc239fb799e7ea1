/* Frees what a claim holds. */
#include "engine/engine.h"

#include "base/memory.h"

void claim_clear(claim *c) {
  evidence_clear(&c->evidence);
  memory_free(c->reason);
  *c = (claim){0};
}
