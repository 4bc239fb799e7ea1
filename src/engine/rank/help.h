/* A measure that a fairness constraint helps (proof/ranking.h): it grows by no step that is left, and falls by those that take the constraint
 * where it is waited for, or end the waiting. Guessed from steps (guessing.h). */
#ifndef WHET_ENGINE_RANK_HELP_H
#define WHET_ENGINE_RANK_HELP_H

#include "engine/rank/guessing.h"
#include "engine/rank/model_steps.h"

/* Steps of a transition, if the condition holds before them. */
typedef struct transition_case {
  uint32_t transition;
  term when;
} transition_case;
typedef VECTOR(transition_case) transition_cases;

/* A constraint of the model, and where it is waited for. One that is not strong is possible there. */
typedef struct help_candidate {
  uint32_t fairness;
  term helpful;
} help_candidate;
typedef VECTOR(help_candidate) help_candidates;

/* How many candidates: each has more than the one before. */
typedef enum help_level {
  HELPS_NONE,
  HELPS_POSSIBLE, /* each constraint, where it is possible; a strong one everywhere too */
  HELPS_AT_PLACES /* the same at each value of a place or enumeration */
} help_level;

void help_find_candidates(const model *m, help_level level, help_candidates *out);
/* Before which steps the measure need not fall, if they do not take the constraint and the waiting goes on. */
term help_covers(const model *m, const help_candidate *c);

typedef struct helping helping;

/* Of these steps, and these features. All arguments outlive the result. */
GIVE helping *helping_new(const model *m, budget *b, model_steps *steps, const transition_cases *left,
                          const term_vector *features, const factor_limits *limits, const help_candidate *c);
void helping_free(TAKE helping *h);
/* Done: there is one, `*measure`. */
measuring_end helping_step(helping *h, term *measure);
uint64_t helping_questions(const helping *h);

#endif
