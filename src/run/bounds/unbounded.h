/* Whether a subject can be taken for ever: as a temporal property of a model, which the engines decide. */
#ifndef WHET_RUN_BOUNDS_UNBOUNDED_H
#define WHET_RUN_BOUNDS_UNBOUNDED_H

#include "run/bounds/subjects.h"
#include "run/settings.h"

/* True if there is a run, with evidence that was checked, in which the subject is taken again and again. `deadline` as for workers. */
bool unbounded_show(const run_settings *s, const bound_subject *subject);

#endif
