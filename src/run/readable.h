/* An invariant in the language of the model, for people: lines that hold all together, as a file of lemmas has them. */
#ifndef WHET_RUN_READABLE_H
#define WHET_RUN_READABLE_H

#include "process/worker.h"
#include "proof/evidence.h"

/* `e` is an invariant or a set of states. If a part of it fixes values, the line is `values => what holds there`;
 * values with the same rest share a line. False if it would be too large. */
bool readable_invariant(terms *ts, const evidence *e, budget *b, text *out);
/* The same of an accepted certificate about `m`, in a worker that may do `work` (base/work.h; 0: no limit). If that does
 * not work out, the invariant as it was found, unless that is long. NULL if it is, or the certificate holds none. */
GIVE char *readable_of_certificate(model *m, const char *certificate, uint64_t work, const worker_limits *limits,
                                   const atomic_bool *stop);

#endif
