/* Sets of truth assignments as decision diagrams (BuDDy).
 *
 * BuDDy keeps one table for the whole process, so only one `obdds` can live at a time; engines that run side by side
 * are processes. Once its node limit is reached or the budget is spent, every operation gives the empty set: nothing
 * may be concluded from an obdd before `obdds_trouble` has said NULL, and the questions below answer unsure after
 * trouble by themselves.
 *
 * Invariant, while there is no trouble: what is kept are nodes of the table, over variables that are there, with
 * different branches whose variables come later.
 *
 * Every result is kept until `obdds_release`, so callers bracket work whose intermediate results they do not need with
 * a mark. */
#ifndef WHET_SET_OBDD_H
#define WHET_SET_OBDD_H

#include "base/base.h"
#include "solver/solver.h"

typedef struct obdds obdds;

typedef struct obdd {
  int node; /* 0 is false, 1 is true; two diagrams are the same set exactly when the numbers are equal */
} obdd;

#define OBDD_FALSE ((obdd){0})
#define OBDD_TRUE ((obdd){1})
static inline bool obdd_same(obdd a, obdd b) { return a.node == b.node; }

/* Variables 0 .. variables-1, in this order from the root. REQUIREs that no other lives in this process. */
GIVE obdds *obdds_new(size_t variables, size_t node_limit);
void obdds_free(TAKE obdds *d);
/* `count` more variables, below all others in the order; the first one's number. */
size_t obdds_extend(obdds *d, size_t count);
size_t obdds_variables(const obdds *d);
/* Once the budget is spent, that is trouble too, also in the middle of an operation (at its next collection of
 * garbage). */
void obdds_watch(obdds *d, budget *b);
/* NULL while all results so far are right, else why they are not; stays so. */
KEEP const char *obdds_trouble(const obdds *d);

/* NULL, or what is broken of the invariant (base/instruments/check.h). */
KEEP const char *obdds_check(const obdds *d);

/* Everything made since the mark is given up, but for what `kept` points to. */
size_t obdds_mark(const obdds *d);
void obdds_release(obdds *d, size_t mark, size_t count, const obdd *kept);

obdd obdd_variable(obdds *d, size_t variable);
obdd obdd_not(obdds *d, obdd f);
obdd obdd_and(obdds *d, obdd f, obdd g);
obdd obdd_or(obdds *d, obdd f, obdd g);
obdd obdd_iff(obdds *d, obdd f, obdd g);
obdd obdd_minus(obdds *d, obdd f, obdd g);
obdd obdd_ite(obdds *d, obdd condition, obdd then, obdd otherwise);
/* The conjunction of some variables, as `cube` below wants it. */
obdd obdd_cube(obdds *d, size_t count, const uint32_t *variables);
obdd obdd_exists(obdds *d, obdd f, obdd cube);
/* exists cube. f and g */
obdd obdd_join(obdds *d, obdd f, obdd g, obdd cube);
/* `f` with the value put in for `variable`. */
obdd obdd_restrict(obdds *d, obdd f, size_t variable, bool value);
/* The first variable that `f` depends on; SIZE_MAX: none. */
size_t obdd_first_variable(const obdds *d, obdd f);
/* The same for a variable before which `f` depends on none. A part of `f`: kept as long as that is. */
obdd obdd_branch(const obdds *d, obdd f, size_t variable, bool value);

/* Renaming variables all at once. Lives as long as `d`. */
typedef struct renaming renaming;
KEEP renaming *obdds_renaming(obdds *d, size_t count, const uint32_t *from, const uint32_t *to);
obdd obdd_rename(obdds *d, obdd f, const renaming *r);

/* Is the set empty? Yes and no are right; unsure after trouble. */
answer obdd_is_empty(const obdds *d, obdd f);
size_t obdd_nodes(const obdds *d, obdd f);
/* How many assignments to the given variables (ascending) are in the set, whose variables are among them. Exact up to
 * 2^53. */
double obdd_count(const obdds *d, obdd f, size_t count, const uint32_t *variables);
/* The first assignment in the order of the variables given, false before true. False if the set is empty. */
bool obdd_pick(obdds *d, obdd f, size_t count, const uint32_t *variables, bool *values);

/* Whether the assignment, a value for each variable of the diagrams, is in the set. */
bool obdd_holds(const obdds *d, obdd f, const bool *values);
/* Every assignment to the given variables (ascending, all that `f` depends on) that is in the set, in the order of
 * `obdd_pick`. */
typedef void obdd_visitor(void *context, const bool *values);
void obdd_each(obdds *d, obdd f, size_t count, const uint32_t *variables, obdd_visitor *visit, void *context);

#endif
