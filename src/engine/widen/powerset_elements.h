/* Elements of an abstract domain that are powersets of polyhedra (set/powerset.h). */
#ifndef WHET_ENGINE_WIDEN_POWERSET_ELEMENTS_H
#define WHET_ENGINE_WIDEN_POWERSET_ELEMENTS_H

#include "engine/widen/domain.h"
#include "engine/widen/graph/cases.h"
#include "set/powerset.h"

static inline const powerset *element_set(const element *e) { return (const powerset *)e; }
static inline element *element_of_set(powerset *s) { return (element *)s; }

/* Sets the functions that do not depend on what the sets are about: sharing, comparing, joining, meeting, measuring. */
void elements_are_powersets(domain *d);
/* The set as a formula over the frame's variables. */
term elements_term(const case_frame *f, const powerset *set);

#endif
