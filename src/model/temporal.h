/* Temporal formulas over state predicates: CTL, LTL, CTL* and the modal mu-calculus in one tree. In CTL* operators of CTL and of LTL
 * and the path quantifiers stand in one formula.
 * Nodes live in the model's arena; nothing here is freed on its own. */
#ifndef WHET_MODEL_TEMPORAL_H
#define WHET_MODEL_TEMPORAL_H

#include "term/term.h"

typedef enum temporal_kind {
  TEMPORAL_STATE, /* a boolean term */
  TEMPORAL_NOT,
  TEMPORAL_AND,
  TEMPORAL_OR,
  TEMPORAL_IMPLIES,
  TEMPORAL_IFF,
  /* CTL */
  TEMPORAL_AX,
  TEMPORAL_EX,
  TEMPORAL_AF,
  TEMPORAL_EF,
  TEMPORAL_AG,
  TEMPORAL_EG,
  TEMPORAL_AU,
  TEMPORAL_EU,
  /* LTL */
  TEMPORAL_X,
  TEMPORAL_F,
  TEMPORAL_G,
  TEMPORAL_U,
  TEMPORAL_R,
  TEMPORAL_W,
  /* CTL*: all fair runs from a state, or some, are as the operand says */
  TEMPORAL_A,
  TEMPORAL_E,
  /* of fairness conditions, see model/fairness/cases.h: the operand, a state formula, holds infinitely often; .. where a step ends */
  TEMPORAL_INF,
  TEMPORAL_INF_NEXT,
  /* mu-calculus */
  TEMPORAL_MU,
  TEMPORAL_NU,
  TEMPORAL_DIAMOND,
  TEMPORAL_BOX,
  TEMPORAL_FIXPOINT_VARIABLE,
} temporal_kind;

typedef struct temporal {
  temporal_kind kind;
  term state;            /* TEMPORAL_STATE */
  const char *name;      /* MU, NU: the variable bound; FIXPOINT_VARIABLE: which */
  struct temporal *left; /* the only operand of unary kinds */
  struct temporal *right;
} temporal;

/* In whet's language; parses back. */
void temporal_print(const terms *ts, const temporal *f, text *out);
/* No temporal operator in it. */
bool temporal_is_propositional(const temporal *f);
/* No operator of LTL but below a path quantifier: it is true or false of a state. */
bool temporal_is_of_states(const temporal *f);
/* Without temporal operators, as one formula. REQUIREs that it has none. */
term temporal_as_term(terms *ts, const temporal *f);

/* A formula of the shape `F gives` or `G (asks => F gives)`, or the same in CTL with AF and AG: from every initial state, or (`is_always`)
 * every reachable one, in which `asks` holds every run comes to one in which `gives` does. */
typedef struct temporal_promise {
  bool is_always;
  term asks, gives;
} temporal_promise;
bool temporal_is_promise(terms *ts, const temporal *f, temporal_promise *out);
/* Does "holds" carry over from what has more behaviour to what has less? LTL: always. CTL, CTL*: if each `E` and what is like it stands
 * below an odd number of negations, and each `A` below an even one. */
bool temporal_is_universal(const temporal *f);

#endif
