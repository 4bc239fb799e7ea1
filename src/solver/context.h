/* The left side of implications, as the layers see it. What costs anything is found out when it is first asked for. */
#ifndef WHET_SOLVER_CONTEXT_H
#define WHET_SOLVER_CONTEXT_H

#include "solver/shape.h"

typedef struct exclusion {
  const form *form;
  number value; /* which the form does not have */
} exclusion;

typedef struct context context;
GIVE context *context_new(terms *ts, shapes *s);
void context_free(TAKE context *c);

/* Starts again: the conjuncts of all these terms, each once. */
void context_set(context *c, size_t count, const term *literals, size_t fact_count, const term *facts,
                 bool satisfiable);
/* Known from the caller: some state satisfies it. */
bool context_is_satisfiable(const context *c);
/* No state satisfies it: `false` or an atom of both polarities is there, or `context_refute` was called. */
bool context_is_refuted(const context *c);
void context_refute(context *c);

size_t context_count(const context *c);
term context_literal(const context *c, size_t i);
/* Sorted by their numbers. */
KEEP const term *context_sorted(context *c);
bool context_has(const context *c, term literal);

/* The values that the literals about this very form and the types allow. */
interval context_interval(context *c, const form *f);
bool context_excludes(context *c, const form *f, number value);
/* The forms that literals speak of, and the values that they are not to have. */
size_t context_forms(context *c, const form *const **forms);
size_t context_exclusions(context *c, const exclusion **exclusions);

/* Marks the literals that are connected with the given terms through shared variables; all of them if the context is
 * not known to be satisfiable, because one that is not connected may be the contradiction. */
void context_mark_relevant(context *c, size_t count, const term *terms);
bool context_is_relevant(context *c, term literal);

#endif
