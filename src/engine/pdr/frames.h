/* Frames of lemmas, and the one solver that all questions about steps go to.
 *
 * F(0) are the initial states; F(i), for i > 0, is the conjunction of the lemmas of level i and above. A lemma is the
 * negation of a cube, a conjunction of literals over state variables. What holds throughout: F(i) implies F(i+1), a
 * step from F(i) leads into F(i+1), and no lemma excludes an initial state.
 *
 * The step, the facts and every lemma are asserted once; which of them a question is about is a matter of assumptions.
 */
#ifndef WHET_ENGINE_PDR_FRAMES_H
#define WHET_ENGINE_PDR_FRAMES_H

#include "engine/bounded.h"

typedef term_vector cube;

/* Every literal of `small` is one of `large`: the negation of `small` excludes `large`. */
bool cube_is_within(const cube *small, const cube *large);

typedef struct lemma {
  cube cube;
  size_t level;
} lemma;

typedef VECTOR(lemma) lemma_vector;

typedef struct frames frames;

GIVE frames *frames_new(engine_environment *env, unrolling *u, const bounded_violation *v);
void frames_free(TAKE frames *f);
void frames_assume(frames *f, term fact);

size_t frames_top(const frames *f); /* the last frame, in which no state is bad once all is blocked; it begins with 0 */
void frames_extend(frames *f);
KEEP lemma_vector *frames_lemmas(frames *f);
/* The lemma that this cube is excluded, up to this level; weaker ones are forgotten. */
void frames_add(frames *f, TAKE cube c, size_t level);
/* A lemma holds one level up too. */
void frames_raise(frames *f, size_t lemma);
/* Some lemma of this level or above excludes the whole cube, plainly. */
bool frames_exclude(const frames *f, const cube *c, size_t level);

/* Is a state of F(level) bad? Yes: see frames_read. */
answer frames_ask_bad(frames *f, size_t level);
/* Is a state of the cube initial? */
answer frames_ask_initial(frames *f, const cube *c);
/* Does a step lead from F(level), if `relative` from a state that is not in the cube, into the cube? No: `core` gets
 * positions of literals that are enough for that. */
answer frames_ask_step(frames *f, size_t level, const cube *c, bool relative, core_names *core);
/* After yes to one of these: the values of state variables and inputs, indexed by variable, and the transition taken.
 */
bool frames_read(frames *f, number_vector *values, uint32_t *transition);
/* The state variables and inputs. */
KEEP const variable_vector *frames_readable(const frames *f);
/* How many questions were asked; `unsure`: how many had no answer. */
uint64_t frames_questions(const frames *f, uint64_t *unsure);

#endif
