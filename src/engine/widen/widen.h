/* The engine's state, which its parts share: the lanes, and whose turn it is. */
#ifndef WHET_ENGINE_WIDEN_WIDEN_H
#define WHET_ENGINE_WIDEN_WIDEN_H

#include "base/text.h"
#include "engine/engine.h"
#include "engine/widen/graph/programs_by_control.h"
#include "engine/widen/heap/heap_runs.h"
#include "engine/widen/lane/lane.h"
#include "engine/widen/trees/clause_widening.h"

/* A turn, in PPL's own count of work and in runs; each round doubles it. */
#define FIRST_TURN POLYHEDRA_WORK_SECOND
enum { FIRST_RUNS = 8 };

typedef struct lane {
  const lane_style *style;
  numeric *numeric;  /* NULL if it begins again */
  heap_domain *heap; /* on top of it, if the model has a heap; else NULL */
  repair *repair;
  size_t runs;  /* in this turn */
  bool is_over; /* it will never prove anything */
} lane;

typedef struct lane_processes lane_processes;

typedef struct widen {
  engine_environment *env;
  clause_widening *clauses; /* in place of all that follows, if it is about clauses */
  polyhedra *space;
  term bad;
  bool has_target; /* `bad` is there */
  programs programs;
  VECTOR(lane) lanes;
  lane_style paper; /* the lane of that name as the options ask for it */
  size_t current;
  uint64_t turn; /* work in it */
  bool turn_begins;
  lane_processes *lane_processes; /* the lanes as processes, once there are some; else NULL */
  bool has_sent;                  /* it has sent the lemmas of the first lane that came to the end of its turn */
  term_vector known;              /* lemmas that a preview found */
  evidence preview_evidence;      /* for them, until they are checked */
} widen;

static inline program *lane_program(const widen *w, const lane *l) {
  return programs_get(&w->programs, l->style->control);
}

/* The widening that the options ask for. */
widening widen_chosen(const widen *w);
/* At the end of this round all lanes may begin again, over the integers. */
bool widen_may_change(const widen *w);

#endif
