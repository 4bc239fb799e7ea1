/* One engine of several that take turns: its worker, what it has told, and where it stands in this round. */
#ifndef WHET_ENGINE_PLAYER_H
#define WHET_ENGINE_PLAYER_H

#include "engine/examine.h"
#include "engine/run.h"

typedef enum player_state {
  PLAYER_WAITS,  /* its turn in this round is still to come */
  PLAYER_PLAYS,  /* it has its turn */
  PLAYER_RESTS,  /* its turn is over */
  PLAYER_LATE,   /* it, or the examination of its evidence, came to no end in its turn and is held until the next */
  PLAYER_CLAIMS, /* its evidence is being examined */
  PLAYER_WINS,   /* its evidence was accepted */
  PLAYER_OUT,    /* it has ended without a verdict */
} player_state;

typedef struct player {
  const engine *engine;
  bool provides; /* only what always holds, for the others: it decides nothing */
  player_state state;
  worker *worker;     /* NULL before its first turn and after its end */
  examiner *examiner; /* while PLAYER_CLAIMS, or PLAYER_LATE with that */
  uint64_t turn;      /* the count of work at which its turn ends; at first 0 */
  double turn_used;   /* processor seconds before this turn */
  double awake, used; /* when it was last found at work, and its processor seconds then */
  char *certificate, *reason, *progress, *lemmas, *builds_on;
  bool is_defect; /* it crashed, or its evidence was rejected */
  bool is_held;
  outcome outcome;       /* once its evidence is examined */
  statistics statistics; /* at its end */
  string_vector iterations, predicates, notes;
  string_vector offers, hints; /* predicates that the others have not heard of yet */
} player;

void player_init(player *p, const engine *e, bool provides);
/* The engine's, or what it does here. */
KEEP const char *player_name(const player *p);
void player_free(player *p); /* what it holds; ends its worker */

/* As at the beginning. */
void player_restart(player *p);
bool player_is_in(const player *p); /* may still decide something */
/* Begins its turn, or goes on with it. */
void player_play(player *p, const run_settings *s, size_t property, uint64_t turn, const worker_limits *limits);
/* Takes in what it and its examiner have sent. */
void player_listen(player *p, const run_settings *s, size_t property, double deadline);
/* True where it has used far more than the turn should take. */
bool player_is_late(player *p, uint64_t work);
void player_hold(player *p);
/* True where one that was late has used more than the others, who have done `turn` of work. */
bool player_is_ahead(const player *p, uint64_t turn);
/* Ends it: `reason` unless it has one. */
void player_drop(player *p, TAKE char *reason);
/* So far, or at the end. */
KEEP const statistics *player_statistics(const player *p);

#endif
