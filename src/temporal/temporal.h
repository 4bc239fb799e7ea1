/* Temporal properties of a finite transition system given as decision diagrams: CTL, LTL, CTL* and the modal mu-calculus,
 * under weak, strong and state fairness.
 *
 * What is meant (docs/temporal.md says it for users):
 *   runs       CTL, LTL and CTL* speak of infinite runs. A state without successor idles:
 *              it has a step to itself, of no action.
 *   fairness   CTL and CTL* quantify over fair runs only, LTL speaks of all fair runs.
 *              Weak: infinitely often the group is not enabled or is taken.
 *              Strong: taken infinitely often, or enabled only finitely often.
 *              State: such a state infinitely often.
 *   mu         plain fixpoints over the steps there are: no idling, no fairness.
 *              `[] false` holds in a state without a step.
 *
 * Over an abstraction that may do more than the system, the answer "holds" carries over for universal formulas
 * (temporal_is_universal) when `enabled` says no more than what is surely enabled, and `state` and the propositions are
 * decided by every state.
 *
 * Results are diagrams of `diagrams` and are kept there like any other; what the checker made when it was new must
 * stay, so no mark from before that is released while it lives. Trouble of the diagrams and a spent budget become
 * unsure. */
#ifndef WHET_TEMPORAL_TEMPORAL_H
#define WHET_TEMPORAL_TEMPORAL_H

#include "base/budget.h"
#include "model/model.h"
#include "set/obdd.h"

typedef struct finite_action {
  const char *name; /* for witnesses */
  obdd relation;    /* over `now` and `next`; inputs are quantified */
} finite_action;

/* Of a condition that is a formula (model/fairness/cases.h), sets over `now`. `by_steps`: states in which only steps count, not idling. */
typedef struct finite_fair_clause {
  bool is_wanted;
  obdd wanted, wanted_by_steps; /* OBDD_FALSE if there is none */
  obdd seen, seen_by_steps;
} finite_fair_clause;

typedef VECTOR(finite_fair_clause) finite_fair_case;

typedef struct finite_fairness {
  fairness_kind kind;
  obdd enabled;                   /* weak, strong: over `now`, where the group can be taken */
  VECTOR(uint32_t) group;         /* weak, strong: its actions, ascending */
  obdd state;                     /* state fairness: over `now` */
  VECTOR(finite_fair_case) cases; /* FAIR_FORMULA: all clauses of one of them */
} finite_fairness;

typedef struct finite_system {
  obdds *diagrams;
  size_t bits;                /* variables of a state */
  const uint32_t *now, *next; /* bits numbers each; now[i] and next[i] next to each other is best */
  obdd domain;                /* legal states; steps from and to others are left out */
  obdd initial;
  VECTOR(finite_action) actions;
  VECTOR(finite_fairness) fairness;
} finite_system;

void finite_system_clear(finite_system *s); /* what it holds, not the diagrams */

typedef struct temporal_checker temporal_checker;

/* `s` and `b` outlive it. LTL formulas add variables to the diagrams (obdds_extend). */
GIVE temporal_checker *temporal_checker_new(const finite_system *s, budget *b);
void temporal_checker_free(TAKE temporal_checker *c);
/* States that a run from an initial one can come to. */
obdd temporal_reachable(temporal_checker *c);
/* Those of them without successor. */
obdd temporal_deadlocks(temporal_checker *c);
/* Reachable states from which there is a fair run. */
obdd temporal_fair_states(temporal_checker *c);
/* NULL while all is well; else why nothing can be concluded. */
KEEP const char *temporal_trouble(const temporal_checker *c);

/* The states, over `now`, where the state formula `t` holds. */
typedef obdd proposition_reader(void *context, term t);

/* What a condition that is a formula asks for. False if it has too many cases. */
bool finite_fairness_of(obdds *d, const temporal *formula, proposition_reader *read, void *context,
                        GIVE finite_fairness *out);

typedef struct temporal_question {
  property_kind logic; /* PROPERTY_CTL, PROPERTY_LTL, PROPERTY_CTLSTAR, PROPERTY_MU */
  const temporal *formula;
  proposition_reader *read;
  void *context;
} temporal_question;

typedef struct temporal_result {
  answer holds;    /* in every initial state */
  obdd satisfying; /* reachable states where it holds; for LTL: those all of whose fair runs have it */
} temporal_result;

temporal_result temporal_check(temporal_checker *c, const temporal_question *q);

/* ---- witnesses ---- */

#define TEMPORAL_IDLE UINT32_MAX /* the action of a step of a state without successor */
#define TEMPORAL_NO_LOOP SIZE_MAX
#define TEMPORAL_NO_PARENT UINT32_MAX

/* A path of states. The first one stands alone; every other branch starts in a state of an earlier one. */
typedef struct finite_branch {
  uint32_t parent;          /* TEMPORAL_NO_PARENT for the first, which starts in an initial state */
  size_t position;          /* of its first state in the parent */
  VECTOR(bool) states;      /* `bits` values for each state */
  VECTOR(uint32_t) actions; /* actions[i] leads from state i to state i + 1 */
  size_t loop;              /* the last state is state `loop` again; or TEMPORAL_NO_LOOP: goes on somehow */
} finite_branch;

/* Branches, as in a vector. */
typedef struct finite_witness {
  finite_branch *at;
  size_t count, room;
  bool
      is_partial; /* besides, something is so of states on the way that paths do not show: that something cannot be done from there */
} finite_witness;

void finite_witness_clear(finite_witness *w);
static inline size_t finite_branch_length(const finite_branch *b) { return b->actions.count + 1; }

/* Of the question that was checked last: why the formula fails in an initial state, or false if paths show nothing of it (EF p fails:
 * that takes all runs), or after trouble. If paths show a part (AG EF p: where there is no way to p), the witness is partial. For LTL:
 * one branch that ends in a loop, fair, on which the formula is false. For universal CTL formulas: paths that show the negation; with
 * fairness each of them ends in a fair loop, if there is one. One path if the negation asks for one thing after the other, several if
 * it asks for several at once. For CTL*: the same, with a branch that ends in a fair loop for each path quantifier that must be shown. */
bool temporal_counterexample(temporal_checker *c, const temporal_question *q, finite_witness *out);
/* Why a formula of CTL or CTL* holds in the first initial state, if a tree of paths can show that: EF p holds by a path. */
bool temporal_example(temporal_checker *c, const temporal_question *q, finite_witness *out);

#endif
