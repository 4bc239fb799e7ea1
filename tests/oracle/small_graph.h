/* Graphs of at most eight nodes with fairness, and the meaning of temporal formulas on them by counting out: a node has
 * a fair run exactly if it can come to a strongly connected set of nodes, of all 2^n sets, in which every constraint
 * is met. Sets of nodes are bytes. */
#ifndef WHET_TESTS_SMALL_GRAPH_H
#define WHET_TESTS_SMALL_GRAPH_H

#include "base/random.h"
#include "model/model.h"

enum { MOST_NODES = 8, MOST_ACTIONS = 3, MOST_FAIR = 3, PROPOSITIONS = 2, MOST_FORMULA = 64 };

typedef struct small_fairness {
  fairness_kind kind;
  unsigned group; /* a set of actions */
  uint8_t state;
  /* FAIR_FORMULA: two atoms, of states or of steps; `truth >> (first + 2 * second) & 1` says whether the condition is met if the first and
   * the second happen infinitely often. `form` says how it is written (small_fair_forms). */
  struct {
    bool is_of_steps;
    uint8_t states, steps[MOST_NODES]; /* steps: from each node, to which nodes */
  } often[2];
  unsigned form;
} small_fairness;

enum { SMALL_FAIR_FORMS = 9 };
/* Truth, and text with `a` and `b` for the atoms. */
extern const struct small_fair_form {
  unsigned truth;
  const char *text;
} small_fair_forms[SMALL_FAIR_FORMS];

typedef struct small_graph {
  unsigned nodes, actions, fair_count;
  uint8_t after[MOST_ACTIONS][MOST_NODES];
  uint8_t initial, truth[PROPOSITIONS];
  small_fairness fair[MOST_FAIR];
} small_graph;

small_graph small_graph_random(random_source *r, unsigned most_nodes);
/* At most `most` constraints, of which at least one is a formula. */
void small_graph_add_formulas(random_source *r, small_graph *g, unsigned most);
static inline uint8_t small_graph_all(const small_graph *g) { return (uint8_t)((1u << g->nodes) - 1); }
/* Nodes that `n` has a step to; itself if it has none, unless `!with_idling`. */
uint8_t small_graph_after(const small_graph *g, unsigned n, bool with_idling);
uint8_t small_graph_reachable(const small_graph *g);
bool small_graph_enabled(const small_graph *g, unsigned group, unsigned n);
/* Nodes from which a fair run stays in `within`. */
uint8_t small_graph_fair(const small_graph *g, uint8_t within);

/* ---- formulas ---- */

typedef struct small_formula {
  terms *ts;
  term proposition[PROPOSITIONS];
  temporal nodes[MOST_FORMULA];
  unsigned count;
} small_formula;

void small_formula_init(small_formula *f);
void small_formula_free(small_formula *f);
KEEP temporal *small_formula_random(small_formula *f, random_source *r, property_kind logic, unsigned depth);
/* The node set of a state formula. */
uint8_t small_truth(const small_graph *g, const small_formula *f, term t);
/* CTL, CTL* and mu. */
uint8_t small_meaning(const small_graph *g, const small_formula *f, const temporal *t);

/* Nodes from which some fair run is such that the formula, LTL over any state formulas, is true on it (small_star.c). */
uint8_t small_star_some(const small_graph *g, const small_formula *f, const temporal *t);
/* How many operators about runs stand below one path quantifier, at most, or more. */
unsigned small_star_operators(const temporal *t);

/* A run: nodes[0..length-1], then from nodes[loop] again; actions[i] is taken in nodes[i], MOST_ACTIONS stands for
 * idling. */
typedef struct small_run {
  unsigned length, loop;
  uint8_t nodes[64], actions[64];
} small_run;

bool small_run_is_real(const small_graph *g, const small_run *r);
bool small_run_is_fair(const small_graph *g, const small_run *r);
/* An LTL formula at the first node of the run. */
bool small_run_satisfies(const small_graph *g, const small_formula *f, const small_run *r, const temporal *t);
/* Whether `t` holds in all initial nodes; runs against LTL are looked for up to `most` nodes. */
bool small_holds(const small_graph *g, const small_formula *f, const temporal *t, property_kind logic, unsigned most);
/* Some fair run of at most `most` nodes from `start` on which `t` is false. */
bool small_run_search(const small_graph *g, const small_formula *f, const temporal *t, unsigned start, unsigned most,
                      small_run *out);

#endif
