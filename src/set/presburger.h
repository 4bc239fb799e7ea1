/* Sets of integer points and relations between them, as isl has them: unions of conjunctions of linear constraints with
 * division and remainder by constants. Everything here is exact unless it says otherwise.
 *
 * A set is over a frame: a list of variables, integer or boolean (0 and 1). Sets that meet must be over the same frame.
 * A function that gives a set or a relation gives NULL if the term is not of this kind or if the work allowed was
 * not enough; NULL may be passed on, and gives NULL or unsure again. `presburger_trouble` then says why. */
#ifndef WHET_SET_PRESBURGER_H
#define WHET_SET_PRESBURGER_H

#include "solver/solver.h"
#include "term/term.h"

typedef struct presburger presburger;
typedef struct frame frame;
typedef struct region region;
typedef struct relation relation;
typedef VECTOR(relation *) relation_vector;

/* `operations` bounds the work of each call (in isl's own count); 0: a default that ends within seconds. */
GIVE presburger *presburger_new(terms *ts, uint64_t operations);
void presburger_free(TAKE presburger *p); /* after all sets and relations */
KEEP const char *presburger_trouble(const presburger *p);
/* From now on; as above. */
void presburger_set_operations(presburger *p, uint64_t operations);

/* Lives as long as `p`; the same list gives the same frame. */
KEEP const frame *presburger_frame(presburger *p, size_t count, const variable *variables);
/* True if the term is of the kind that can be represented, over any frame with its variables. */
bool presburger_can(const terms *ts, term t);

/* The points where `t` holds, as far as they are within the types; of others it says nothing: meet it with
 * region_of_types. The variables of `t` are all in the frame: REQUIREd. */
GIVE region *region_of_term(presburger *p, const frame *f, term t);
/* The points within the types of the frame's variables. */
GIVE region *region_of_types(presburger *p, const frame *f);
GIVE region *region_copy(const region *r);
void region_free(TAKE region *r);
GIVE region *region_meet(const region *a, const region *b);
GIVE region *region_join(const region *a, const region *b);
GIVE region *region_minus(const region *a, const region *b);
answer region_is_empty(const region *r);
answer region_is_within(const region *a, const region *b);
answer region_meets(const region *a, const region *b);
/* The same set in a simpler form, if isl finds one. */
GIVE region *region_tidy(TAKE region *r);
/* exists the variables of r's frame that are not in `smaller`; those of `smaller` are all in r's frame. */
GIVE region *region_project(const region *r, const frame *smaller);
/* Something simpler that is the same inside `context`. */
GIVE region *region_simplify_under(const region *r, const region *context);
/* Whether the text needs division or remainder; and a larger set that does not. */
bool region_has_divisions(const region *r);
GIVE region *region_without_divisions(const region *r);
/* Back to a term: a disjunction of conjunctions. False if it does not work out. */
bool region_term(const region *r, term *out);
/* The conjunctions, appended. */
bool region_terms(const region *r, term_vector *out);
/* How many conjunctions that would be. */
size_t region_pieces(const region *r);
/* Some point of the set, the same one each time, as values in the order of the frame. False if there is none. */
bool region_point(const region *r, number *values);
GIVE region *region_of_point(presburger *p, const frame *f, const number *values);

/* The pairs (x, x!next) over the frame for which some values of `hidden` make `t` hold. `t` says itself that x and
 * `hidden` are within their types. */
GIVE relation *relation_of_term(presburger *p, const frame *f, size_t count, const variable *hidden, term t);
GIVE relation *relation_copy(const relation *r);
void relation_free(TAKE relation *r);
/* One or more steps. If not `*exact`, the result may have pairs too many, never too few. */
GIVE relation *relation_closure(const relation *r, bool *exact);
GIVE relation *relation_join(const relation *a, const relation *b);
/* A step of `a`, then one of `b`. */
GIVE relation *relation_then(const relation *a, const relation *b);
/* Relations of one conjunction each, appended, which together are `r`. False if it does not work out. */
bool relation_split(const relation *r, relation_vector *out);
GIVE relation *relation_turned(const relation *r);
answer relation_is_within(const relation *a, const relation *b);
answer relation_is_empty(const relation *r);
/* Can a step be followed by another? */
answer relation_can_repeat(const relation *r);
/* The points with a partner in `after`; the points with a partner in `before`. */
GIVE region *relation_before(const relation *r, const region *after);
GIVE region *relation_after(const relation *r, const region *before);

#endif
