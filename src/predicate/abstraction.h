/* The exact predicate abstraction of a system, as decision diagrams.
 *
 * An abstract state gives every control variable a value and every predicate a truth value; it stands for the concrete
 * states that agree with both. There is an abstract step exactly if there is a concrete one between two states that
 * these stand for, the first of which is one from which steps count (predicate_model_relative_to; Lakhnech, Bensalem,
 * Berezin, Owre 2001, Definition 1, read "exact" as in its footnote 1), as far as every question could be answered; else
 * there may be more steps, never fewer. */
#ifndef WHET_PREDICATE_ABSTRACTION_H
#define WHET_PREDICATE_ABSTRACTION_H

#include "predicate/allsat.h"
#include "predicate/control_and_data.h"
#include "set/obdd.h"

typedef struct abstraction abstraction;

typedef struct abstract_state {
  int64_t *controls; /* values, in the order of the system's controls that are of the state */
  bool *predicates;
} abstract_state;

typedef struct abstract_trace {
  VECTOR(abstract_state) states;
  VECTOR(uint32_t) actions; /* actions.at[i], in the system's list, leads from state i to i + 1 */
} abstract_trace;

void abstract_trace_clear(abstract_trace *t); /* what it holds */

/* Work for finding a relation; if it is not enough, searching without one is faster on the problems that it was
 * measured on (docs/engines/cegar.md). */
enum { ABSTRACTION_WORK = 80000, ABSTRACTION_NODES = 5000000, ABSTRACTION_STATES = 2000000 };

typedef struct abstraction_limits {
  size_t nodes;     /* of the decision diagrams */
  uint64_t work;    /* for finding the relation, as allsat_limit counts it; 0: no limit */
  size_t states;    /* that are searched one by one; 0: ABSTRACTION_STATES */
  bool is_implicit; /* states one by one, steps on demand (abstraction_on_demand.h): the relation is not built */
  bool cartesian;   /* every predicate for itself: coarser, kept for comparison (`--cartesian`) */
} abstraction_limits;

/* `predicates` are atoms over data (positive). Takes the process's one table of diagrams until freed. */
GIVE abstraction *abstraction_new(const predicate_model *s, allsat *a, budget *b, size_t count, const term *predicates,
                                  abstraction_limits limits);
void abstraction_free(TAKE abstraction *a);
/* NULL while what it says is right. */
KEEP const char *abstraction_trouble(const abstraction *a);
/* The relation was not built, because it was not wanted or took more than the limits allow. */
bool abstraction_is_implicit(const abstraction *a);
/* False if some question could not be answered: there may then be steps too many. */
bool abstraction_is_exact(const abstraction *a);

typedef enum reach_end {
  REACH_SAFE, /* all states found, none bad */
  REACH_BAD,
  REACH_TROUBLE,
} reach_end;

/* Breadth first. Stops at the first ring with a bad state unless `all` is wanted. */
reach_end abstraction_reach(abstraction *a, bool all);
double abstraction_reached(const abstraction *a);
size_t abstraction_rings(const abstraction *a);
/* After REACH_BAD: a shortest way to a bad state; the same one every time: backwards, the first action of the text that
 * works, then the first state in the order of values. False in trouble. */
bool abstraction_counterexample(abstraction *a, abstract_trace *out);

/* The states that an abstract state stands for, as a formula over control and data. */
term abstraction_predicates_term(const abstraction *a, const abstract_state *s);

/* The reached states as a formula (bdd2f, Lakhnech, Bensalem, Berezin, Owre 2001, Fig. 2 with its simplifications).
 * Control is decided first, then predicates; shared parts are shared. After trouble it means nothing. */
term abstraction_reached_term(abstraction *a);
/* The same, split by the values of the given control variables (indices): called once for each combination that is
 * reached. What was reported means nothing if there is trouble afterwards. */
typedef void abstraction_visitor(void *context, const int64_t *values, term rest);
void abstraction_visit(abstraction *a, size_t count, const uint32_t *controls, abstraction_visitor *visit,
                       void *context);
/* As text, predicates before control, as in Example 1 of the paper; if that is too long, there is trouble afterwards. Nested, with predicates named by `names` (may be
 * NULL: their formulas). */
void abstraction_print(abstraction *a, const char *const *names, text *out);
/* One clause a leaf of that: antecedent over predicates => consequent; what the antecedent implies in the theory is
 * left out. */
void abstraction_print_clauses(abstraction *a, text *out);

#endif
