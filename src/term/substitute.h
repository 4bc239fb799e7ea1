/* Replacing variables in terms. */
#ifndef WHET_TERM_SUBSTITUTE_H
#define WHET_TERM_SUBSTITUTE_H

#include "term/term.h"

typedef struct substitution substitution;
GIVE substitution *substitution_new(terms *ts);
void substitution_free(TAKE substitution *s);
/* From now on `v` stands for `by`, of the same sort. All replacements happen at once: right sides are not substituted
 * again. */
void substitution_set(substitution *s, variable v, term by);
/* From now on the heap test stands for `by`. */
void substitution_decide(substitution *s, term test, term by);
void substitution_clear(substitution *s);
/* Results are remembered until the substitution changes. */
term substitution_apply(substitution *s, term t);

/* `t` with one variable replaced. */
term term_replace(terms *ts, term t, variable v, term by);

#endif
