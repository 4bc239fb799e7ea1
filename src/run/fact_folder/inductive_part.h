/* Which of some formulas are inductive together (Flanagan, Leino: Houdini, an Annotation Assistant for ESC/Java, FME 2001): those that an
 * initial state breaks are dropped, then those that a step breaks from a state in which all that are left hold, until none is. */
#ifndef WHET_RUN_FACT_FOLDER_INDUCTIVE_PART_H
#define WHET_RUN_FACT_FOLDER_INDUCTIVE_PART_H

#include "model/model.h"
#include "process/worker.h"

/* Leaves in `candidates` those that are, given `known`, which holds in every reachable state; none, if the limits, or `work` (0: no limit), do not do: then it is false. A formula
 * that the solver cannot decide about is dropped. Done in a worker. This is a guess for the checker of evidence (proof/check/check.h),
 * and nobody relies on it. */
bool inductive_part_find(model *m, term known, uint64_t work, const worker_limits *limits, const atomic_bool *stop,
                         term_vector *candidates);

#endif
