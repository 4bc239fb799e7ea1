/* Temporal formulas on finite graphs that are listed edge by edge: what the checker of evidence looks at properties
 * with.
 *
 * It works with strongly connected components and lists, and shares nothing with the checker of diagrams
 * (temporal/temporal.h); what formulas mean is the same: docs/temporal.md. */
#ifndef WHET_PROOF_CHECK_KRIPKE_H
#define WHET_PROOF_CHECK_KRIPKE_H

#include "base/bits.h"
#include "base/budget.h"
#include "model/model.h"

#define KRIPKE_IDLE UINT32_MAX /* the label of a step of no action */

typedef struct kripke_edge {
  uint32_t from, label, to;
} kripke_edge;

/* An atom of a fairness condition that is a formula: the nodes that may count, and those that surely do. Of a whole and exact graph
 * these are the same. */
typedef struct kripke_often {
  const temporal *atom;
  bits maybe, surely;
} kripke_often;

/* If there is a formula: its atoms hold infinitely often as it says. Else:
 * Infinitely often a node of `seen` or an edge labelled from `group`; if it is strong, that or only finitely often a
 * node of `wanted`. */
typedef struct kripke_constraint {
  bool is_strong;
  bits wanted, seen;      /* nodes */
  VECTOR(uint32_t) group; /* labels, ascending */
  const temporal *formula;
  VECTOR(kripke_often) atoms; /* of the formula */
} kripke_constraint;

typedef struct kripke {
  size_t nodes;
  VECTOR(kripke_edge) edges; /* by `from`, once kripke_sort was called */
  size_t *first;             /* nodes + 1: where each node's edges start */
  uint32_t *backward;        /* edge numbers by `to`, */
  size_t *backward_first;
  VECTOR(kripke_constraint) constraints;
} kripke;

GIVE kripke *kripke_new(size_t nodes);
void kripke_free(TAKE kripke *g);
void kripke_add_edge(kripke *g, uint32_t from, uint32_t label, uint32_t to);
/* An empty constraint to fill in; valid until the next one is added. */
KEEP kripke_constraint *kripke_add_constraint(kripke *g);
/* Makes it one of a formula, whose atoms hold nowhere yet. */
void kripke_set_formula(const kripke *g, kripke_constraint *c, const temporal *formula);
/* Puts its labels in order. */
void kripke_sort_group(kripke_constraint *c);
/* Call once after the last edge, before anything below. */
void kripke_sort(kripke *g);

/* Nodes of `within` from which a run that meets all constraints stays in it. Nothing if the budget was spent: ask
 * it. */
GIVE bits kripke_fair(const kripke *g, const bits *within, budget *b);
/* Nodes of `target`, and those of `through` that come to it through such. Grows `target`. */
void kripke_reach_back(const kripke *g, const bits *through, bits *target);

typedef struct kripke_question {
  const kripke *graph;
  property_kind logic; /* CTL, LTL, CTL*, mu */
  const temporal *formula;
  /* The nodes where the state formula surely has this value. */
  const bits *(*truth)(void *context, term t, bool value);
  void *context;
  /* The graph shows a part of what can happen: no claim about all runs follows from it. */
  bool is_partial;
  budget *budget;
} kripke_question;

/* The nodes where the formula surely has the value `wanted`, for LTL on all (true) or some (false) of the fair runs.
 * False and `*why` if the formula is too large or the budget is spent. */
bool kripke_ask(const kripke_question *q, bool wanted, GIVE bits *out, const char **why);

/* ---- between the files ---- */

/* How kripke_fair treats constraints that are formulas (kripke_fairness.c). An atom below a negation, in a formula with several such:
 * runs are looked at without it, and with it. */
enum { KRIPKE_MOST_CHOICES = 16 };
typedef VECTOR(const kripke_often *) kripke_choices;
/* False if there are more than that. */
bool kripke_find_choices(const kripke *g, kripke_choices *out);
/* Can a run that visits these nodes again and again, and no others, be as the formula says? */
bool kripke_formula_is_met(const kripke_constraint *c, size_t count, const uint32_t *nodes);
/* The only atom of the formula below a negation; NULL if there are none or several. */
KEEP const kripke_often *kripke_only_negated(const kripke_constraint *c);

/* The nodes where a formula that is true or false of states surely has the value. */
typedef GIVE bits kripke_states(void *context, const temporal *f, bool value);
/* Nodes from which surely some fair run is such that `f` has the value `wanted` on it: all such nodes, if the graph is whole and every node
 * decides the state formulas. Fewer, and `*why`, if the formula is too large or the budget is spent. */
GIVE bits kripke_with_run(const kripke_question *q, const temporal *f, bool wanted, kripke_states *states_of,
                          void *context, const char **why);

#endif
