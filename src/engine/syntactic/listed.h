/* The states of an abstract program and the steps between them, listed: what evidence for temporal properties is made
 * of. */
#ifndef WHET_ENGINE_SYNTACTIC_LISTED_H
#define WHET_ENGINE_SYNTACTIC_LISTED_H

#include "engine/syntactic/syntactic.h"

/* Blocks and edges of `out`, as proof/evidence.h has them, but for what is claimed. NULL, or why there is no such list.
 */
KEEP const char *listed_quotient(const syntactic *s, const finite_program *p, evidence *out);

#endif
