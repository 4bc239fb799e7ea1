/* Finite sets of convex polyhedra, none of which contains another: disjunctions of linear constraints, kept apart on
 * purpose.
 *
 * The operations are those of Gulavani, Rajamani 2006, section 3 (after Bagnara, Hill and Zaffanella). A set is never
 * changed after it was made: it is shared and counted. */
#ifndef WHET_SET_POWERSET_H
#define WHET_SET_POWERSET_H

#include "set/shapes.h"

typedef struct powerset powerset;

/* Which merge [+] makes if several are least: the paper leaves it open, and it decides whether repairs come to an end
 * (docs/papers/gulavani.md). */
typedef enum merge_ties { MERGE_TIES_OLDEST, MERGE_TIES_NEWEST, MERGE_TIES_MOST_ROWS } merge_ties;

/* How hulls and widenings are made. */
typedef struct powerset_style {
  widening widening;
  bool weak_hull;           /* polyhedron_weak_hull in place of the hull */
  size_t most_rows;         /* the same if both have more constraints than this together; 0: as many as there are */
  size_t most_parts;        /* [+] merges until there are no more polyhedra than this; 0: as many as there are */
  const row_vector *limits; /* of widenings; may be NULL */
  merge_ties ties;
  weak_shape_kind shape; /* what is merged or widened becomes one; SHAPE_NONE: stays a polyhedron */
} powerset_style;

GIVE powerset *powerset_new(polyhedra *s, size_t dimension); /* empty: false */
/* Adds one, to a set that is not shared yet: what is empty or within another does not stay (Omega). */
void powerset_add(powerset *s, TAKE polyhedron *p);
KEEP powerset *powerset_share(powerset *s);
void powerset_free(TAKE powerset *s);
size_t powerset_count(const powerset *s);
KEEP const polyhedron *powerset_at(const powerset *s, size_t i);
size_t powerset_constraints(const powerset *s); /* in all of its polyhedra */

bool powerset_is_empty(const powerset *s);
/* Every polyhedron of `a` is within one of `b`:  a |-P b. */
bool powerset_within(const powerset *a, const powerset *b);
/* The order of Egli and Milner: also every polyhedron of `b` contains one of `a`. */
bool powerset_precedes(const powerset *a, const powerset *b);
bool powerset_meets(const powerset *a, const powerset *b);
GIVE powerset *powerset_join(const powerset *a, const powerset *b);
GIVE powerset *powerset_meet(const powerset *a, const powerset *b);

/* If a |-P b: the least merging of b's polyhedra that `a` precedes ([+], section 3), and the widening made of it. */
GIVE powerset *powerset_connect(const powerset *a, const powerset *b, const powerset_style *style);
GIVE powerset *powerset_widen(const powerset *a, const powerset *b, const powerset_style *style);

#endif
