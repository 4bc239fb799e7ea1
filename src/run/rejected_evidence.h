/* Rejected evidence is a bug of an engine: what is needed to see it again is kept in a file. */
#ifndef WHET_RUN_REJECTED_EVIDENCE_H
#define WHET_RUN_REJECTED_EVIDENCE_H

#include "base/options.h"
#include "model/model.h"

/* The path of a new file in $TMPDIR with the command, the model and the certificate; NULL if it cannot be written.
 */
GIVE char *rejected_evidence_keep(const model *m, const char *path, size_t property, const char *engine,
                                  const options *o, const char *why, const char *certificate);

#endif
