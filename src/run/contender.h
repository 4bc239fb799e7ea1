/* One engine of a portfolio: its worker, what it has sent, and its state in this round. */
#ifndef WHET_RUN_CONTENDER_H
#define WHET_RUN_CONTENDER_H

#include "run/check_worker.h"
#include "run/engine_order.h"
#include "run/engine_worker.h"
#include "run/outcome.h"

typedef enum contender_state {
  CONTENDER_WAITS,   /* its turn in this round is still to come */
  CONTENDER_WORKS,   /* it has its turn */
  CONTENDER_RESTS,   /* its turn is over */
  CONTENDER_LATE,    /* it, or the check of its evidence, came to no end in its turn and is held until the next */
  CONTENDER_CLAIMS,  /* its evidence is being checked */
  CONTENDER_DECIDED, /* its evidence was accepted */
  CONTENDER_OUT,     /* it has ended without a verdict */
} contender_state;

typedef struct contender {
  const engine *engine;
  bool provides; /* only what always holds, for the others: it decides nothing */
  bool is_alone; /* there are no others: it takes no turns, and its notes need not name it */
  turn_plan plan;
  contender_state state;
  worker *worker;             /* NULL before its first turn and after its end */
  check_worker *check_worker; /* while CONTENDER_CLAIMS, or CONTENDER_LATE with that */
  uint64_t turn;              /* the count of work at which its turn ends; at first 0 */
  double turn_used;           /* processor seconds before this turn */
  double awake, used;         /* when it was last found at work, and its processor seconds then */
  char *certificate, *reason, *progress, *builds_on, *product;
  char *lemmas, *lemmas_shown; /* for processes and for people, as all formulas are sent */
  char *likely;                /* candidates that were not looked at yet, for processes */
  bool is_defect;              /* it crashed, or its evidence was rejected */
  bool is_held;
  outcome outcome;       /* once its evidence is checked */
  statistics statistics; /* at its end */
  string_vector iterations, predicates, notes;
  string_vector offers, hints; /* predicates that were not sent to the others yet, for processes */
} contender;

void contender_init(contender *p, const engine *e, bool provides, bool is_alone);
/* The engine's, or what it does here. */
KEEP const char *contender_name(const contender *p);
void contender_clear(contender *p); /* what it holds; ends its worker */

/* As at the beginning. */
void contender_restart(contender *p);
bool contender_is_in(const contender *p); /* may still decide something */
/* Begins its turn, or goes on with it. `turn` is 0 for one that is alone. */
void contender_work(contender *p, const engine_worker_task *task, uint64_t turn, const worker_limits *limits);
/* The worker of the engine, or of the check of its evidence; NULL if there is none. */
KEEP worker *contender_worker(const contender *p);
/* Takes in what it and the check worker have sent. */
void contender_listen(contender *p, const run_settings *s, size_t property, double deadline);
/* Reports what it has noted so far. */
void contender_report_notes(contender *p, const run_settings *s);
/* True if it has used far more than the turn should take. */
bool contender_is_late(contender *p, uint64_t work);
void contender_hold(contender *p);
/* True if one that was late has used more than the others, which have done `turn` of work. */
bool contender_is_ahead(const contender *p, uint64_t turn);
/* Ends it: `reason` unless it has one. */
void contender_drop(contender *p, TAKE char *reason);
/* So far, or at the end. */
KEEP const statistics *contender_statistics(const contender *p);

#endif
