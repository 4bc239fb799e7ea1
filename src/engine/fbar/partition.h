/* A disjunctive abstract domain as a partition of the states into blocks with an order on them (Ranzato, Rossi Doria,
 * Tapparo 2008, section 2).
 *
 * `i` is below `j` if every set of the domain that meets block j contains block i. The domain's sets are the unions
 * of blocks that are closed downwards; they are written as bit sets over blocks. The least one around a union of blocks
 * is `partition_over`, the greatest one inside is `partition_under`. Refining by a set X splits blocks and makes every
 * set of the domain cut with X a set of the domain.
 *
 * What is known of steps between blocks is remembered, and inherited when a block is split: only what the split can
 * have changed is asked again.
 *
 * Invariant: below is a preorder on the blocks; what may step to a block is what that block may be stepped to from;
 * sure steps are possible ones; no set over blocks has a number that is no block's.
 *
 * Trouble (a spent budget, too much work) is remembered too: from then on answers mean nothing: look at
 * `partition_trouble` before using any of them. */
#ifndef WHET_ENGINE_FBAR_PARTITION_H
#define WHET_ENGINE_FBAR_PARTITION_H

#include "base/bits.h"
#include "base/budget.h"
#include "engine/fbar/space.h"

typedef struct partition partition;

/* One block, `all`. `first` and `last` are the initial and the bad states, kept by the caller for as long as the
 * partition lives. */
GIVE partition *partition_new(space s, TAKE points *all, const points *first, const points *last, budget *b);
void partition_free(TAKE partition *p);
KEEP const char *partition_trouble(const partition *p);
void partition_give_up(partition *p, const char *why); /* trouble from now on */
/* NULL, or what is broken of the invariant (base/instruments/check.h). */
KEEP const char *partition_check(const partition *p);

size_t partition_count(const partition *p);
KEEP const points *partition_block(const partition *p, size_t block);
bool partition_is_below(const partition *p, size_t i, size_t j);
/* The blocks that have a first state; a last state. */
KEEP const bits *partition_first(const partition *p);
KEEP const bits *partition_last(const partition *p);

/* The smallest set of the domain around `s`, and the largest within it, in place. */
void partition_over(const partition *p, bits *s);
void partition_under(const partition *p, bits *s);

/* Is there a step from a state of `from` to one of `to`? */
bool partition_may(partition *p, size_t from, size_t to);
/* The blocks to which the answer may be yes, in that way from `block`. */
KEEP const bits *partition_candidates(const partition *p, way w, size_t block);

/* Questions of one use go on from the last one if they can: two uses that would disturb each other have a memory
 * each. */
typedef enum cover_use { COVER_OVER, COVER_UNDER } cover_use;
/* Has every state of `block` a step to (WAY_BEFORE: the block is before) or from (WAY_AFTER) a state in one of the
 * blocks `others`? No, too, if finding out is too much work: then some of the states that have one still count as
 * uncovered. */
bool partition_covers(partition *p, way w, cover_use use, size_t block, const bits *others);
/* The states that have none, after that question was answered no; NULL if these are the whole block. */
GIVE points *partition_uncovered(partition *p, way w, cover_use use, size_t block);

/* Sets of the partition's space. */
GIVE points *partition_copy(partition *p, const points *of);
void partition_drop(const partition *p, TAKE points *of);
/* `of` and the states with a step into it; NULL on trouble. `*grew` says whether that is more than `of`. */
GIVE points *partition_with_before(partition *p, const points *of, bool *grew);

/* A set to refine by, block by block. */
typedef struct halves {
  points *in, *out; /* of a block; none empty */
} halves;

typedef struct cut {
  bits inside;         /* blocks that have a state in it */
  VECTOR(halves) part; /* if that is only a part of the block; else NULL and NULL */
} cut;

GIVE cut cut_new(const partition *p);
void cut_free(const partition *p, cut *c); /* what it holds */
/* Block `b` is in the set with this part only, which is neither empty nor all of it; or as a whole, if the other
 * part is too much work. */
void cut_add_part(partition *p, cut *c, size_t b, TAKE points *part);
/* How many blocks it splits. */
size_t cut_splits(const cut *c);
/* The complement of `of`, and `of` itself. */
GIVE cut cut_outside(partition *p, const points *of);
GIVE cut cut_inside(partition *p, const points *of);

/* Block `from` became the part inside the cut; the rest is the new block `to`. */
typedef struct split {
  uint32_t from, to;
} split;
typedef VECTOR(split) split_vector;

/* Makes the set one of the domain. The parts of the cut become blocks: it has none left. `out` gets the splits; sets
 * over blocks and other cuts have to follow them. */
void partition_refine(partition *p, cut *by, split_vector *out);
/* `s` over the blocks before the splits, as the same set over those after. */
void splits_follow(const split_vector *v, bits *s);
void splits_follow_cut(partition *p, const split_vector *v, cut *c);

typedef struct partition_statistics {
  uint64_t may, cover,
      images; /* questions put to the space: steps between two blocks; sets taken away from a block; images of blocks */
} partition_statistics;
KEEP const partition_statistics *partition_statistics_of(const partition *p);

#endif
