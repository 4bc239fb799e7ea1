/* What the parts of the temporal checker share; nobody else includes this. */
#ifndef WHET_TEMPORAL_TEMPORAL_INSIDE_H
#define WHET_TEMPORAL_TEMPORAL_INSIDE_H

#include "base/vector.h"
#include "temporal/temporal.h"

/* Infinitely often a state of `seen` or a step of `group`; if it is strong, that or only finitely often a state of
 * `wanted`. */
typedef struct fair_constraint {
  bool is_strong;
  obdd wanted, seen;
  size_t count;
  const uint32_t *group; /* ascending */
} fair_constraint;

typedef VECTOR(fair_constraint) constraint_case;
typedef VECTOR(constraint_case) constraint_cases;

/* A relation in which every state has a successor, with constraints on what happens infinitely often: the system, or
 * its product with the tableau of an LTL formula. */
typedef struct fair_graph {
  obdds *d;
  budget *budget;
  size_t bits;
  uint32_t *now, *next; /* owned */
  obdd now_cube, next_cube;
  renaming *to_next, *to_now;
  obdd states;
  VECTOR(obdd) steps; /* one for each action of the system, then that of idling; within `states` */
  constraint_case constraints;
  const constraint_cases *cases; /* not owned: a fair run also meets all of one of them; NULL or empty: nothing more */
  bool is_stopped;               /* the budget was spent */
} fair_graph;

void fair_graph_init(fair_graph *g, obdds *d, budget *b, size_t bits, const uint32_t *now, const uint32_t *next);
void fair_graph_clear(fair_graph *g);
/* True when a loop must end: trouble, or the budget is spent. What was computed is then not to be used. */
bool fair_graph_must_stop(fair_graph *g);

/* Is not every run fair? */
static inline bool fair_graph_is_constrained(const fair_graph *g) {
  return g->constraints.count || (g->cases && g->cases->count);
}
/* How many ways to be fair there are: at least one. */
static inline size_t fair_graph_cases(const fair_graph *g) { return g->cases && g->cases->count ? g->cases->count : 1; }
/* Constraint number `i` of one of them; those of the graph come first. NULL behind the last. */
KEEP const fair_constraint *fair_graph_constraint(const fair_graph *g, size_t which, size_t i);

/* States with a step into `target`; with one that the constraint asks for. */
obdd fair_graph_before(fair_graph *g, obdd target);
obdd fair_graph_before_by(fair_graph *g, const fair_constraint *k, obdd target);
/* States that a step from `source` leads to. */
obdd fair_graph_after(fair_graph *g, obdd source);
/* E[through U target], without fairness. */
obdd fair_graph_until(fair_graph *g, obdd through, obdd target);
/* nu Y. within & before(Y) */
obdd fair_graph_forever(fair_graph *g, obdd within);
/* The largest set of `within` in which every run can be made fair, in this one of its ways, and stays. */
obdd fair_graph_hull(fair_graph *g, size_t which, obdd within);
/* States of `within` from which a fair run stays in it. */
obdd fair_graph_fair_forever(fair_graph *g, obdd within);

/* Where a formula with a path quantifier of CTL* holds. */
typedef struct quantified_set {
  const temporal *formula;
  obdd states;
} quantified_set;

struct temporal_checker {
  const finite_system *system;
  obdds *d;
  fair_graph graph; /* of the reachable states; dead ends idle */
  constraint_cases cases;
  obdd deadlocks;
  obdd fair; /* once has_fair */
  bool has_fair;
  VECTOR(quantified_set) quantified; /* inner ones first */
};

/* The states of the graph where `f` holds. */
obdd temporal_states_ctl(temporal_checker *c, const temporal_question *q, const temporal *f);
obdd temporal_states_ltl(temporal_checker *c, const temporal_question *q, const temporal *f);
/* Finds the sets of all formulas with a path quantifier in `f`; they are kept as long as the checker. To be called before a mark is
 * set, and before formulas with such parts are looked at. */
void temporal_find_quantified(temporal_checker *c, const temporal_question *q, const temporal *f);
/* That of one of them. */
obdd temporal_states_quantified(temporal_checker *c, const temporal *f);
obdd temporal_states_mu(temporal_checker *c, const temporal_question *q, const temporal *f);

/* The product of the system with the tableau of an LTL formula. */
typedef struct tableau {
  fair_graph graph;
  obdd violating;  /* states of the product from whose runs the formula is false */
  obdd added_cube; /* the variables that the tableau added, `now` */
} tableau;

void tableau_init(tableau *t, temporal_checker *c, const temporal_question *q, const temporal *f);
void tableau_clear(tableau *t);

/* ---- paths ---- */

/* One state as a set. */
obdd fair_graph_pick(fair_graph *g, obdd set);
/* Adds `state` to the branch, reached by step number `action`. Only the first `bits` variables are written. */
void branch_add(finite_branch *b, fair_graph *g, size_t bits, obdd state, size_t action);
/* A shortest path from `state` (one state) through `within` to a state of `target`: its states but the first are added.
 * Returns the last. */
obdd branch_walk(finite_branch *b, fair_graph *g, size_t bits, obdd state, obdd within, obdd target);
/* One step from `state` into `target`, of one of the given actions; NULL stands for all. Nothing is added if there
 * is none. */
obdd branch_step(finite_branch *b, fair_graph *g, size_t bits, obdd state, const fair_constraint *by, obdd target);
/* A path from `state` within `within` into a fair loop within `within`. `state` can do that. */
void branch_loop(finite_branch *b, fair_graph *g, size_t bits, obdd state, obdd within);

#endif
