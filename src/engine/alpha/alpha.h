/* The parts of the alpha engine and what they share. See alpha.c for the method and the map from the paper. */
#ifndef WHET_ENGINE_ALPHA_ALPHA_H
#define WHET_ENGINE_ALPHA_ALPHA_H

#include "base/map.h"
#include "engine/engine.h"
#include "model/semantics.h"
#include "predicate/likely/likely.h"
#include "predicate/likely/seen_states.h"
#include "solver/prover.h"
#include "store/layout.h"
#include "store/store.h"
#include "term/evaluate.h"
#include "term/substitute.h"

/* ---- kept variables: kept as they are (places, booleans, enumerations, short ranges: model/control.h); all others are
 * data ---- */

typedef struct kept_variables {
  const model *m;
  VECTOR(bool) is_kept;     /* by position */
  VECTOR(size_t) positions; /* of control variables */
  layout *packing;          /* of their values */
} kept_variables;

void kept_init(kept_variables *c, const model *m);
void kept_clear(kept_variables *c);
bool kept_is_data_free(const kept_variables *c, term t); /* mentions control variables only */
bool kept_is_free_of(const kept_variables *c, term t);   /* mentions no control variable */
/* The values of the control variables in `state`, packed; `words` has room for packing->words. */
void kept_pack(const kept_variables *c, const int64_t *state, uint64_t *words);
/* The boolean terms v = value, one for each control variable. */
term kept_literal(const kept_variables *c, terms *ts, size_t position, int64_t value);

/* ---- predicates and where they count ---- */

/* A place is a value of a control variable; place 0 is everywhere. */
typedef struct predicates predicates;

GIVE predicates *predicates_new(terms *ts, const kept_variables *c);
void predicates_free(TAKE predicates *p);
size_t predicates_count(const predicates *p);
term predicates_at(const predicates *p, size_t i);
bool predicates_is_mixed(const predicates *p, size_t i); /* mentions control variables too */
/* Position of an atom (of either polarity), or SIZE_MAX. */
size_t predicates_find(const predicates *p, term atom);
/* Makes `atom` count at `place`; false if it did already. */
bool predicates_add(predicates *p, term atom, uint32_t place);
uint32_t predicates_place(predicates *p, size_t position, int64_t value);
/* How many words a set of predicates takes. */
size_t predicates_words(const predicates *p);
/* The predicates that count in `state`. */
void predicates_active(const predicates *p, const int64_t *state, uint64_t *mask);
/* Their truth, those that do not count as 0. False if a value does not fit in 64 bits. */
bool predicates_evaluate(predicates *p, const int64_t *state, const uint64_t *mask, uint64_t *bits);
static inline bool word_bit(const uint64_t *words, size_t i) { return words[i / 64] >> (i % 64) & 1; }

/* ---- actions: transitions with the values of their finite inputs fixed ---- */

typedef enum image_kind {
  IMAGE_UNTOUCHED, /* the action assigns no variable of the predicate */
  IMAGE_CONSTANT,  /* the assignment decides it */
  IMAGE_FORMULA,   /* it becomes `formula`, whose data atoms are listed */
} image_kind;

typedef struct image {
  image_kind kind;
  bool mixed;        /* mentions control variables */
  term formula;      /* p[e/x], if-then-else lifted */
  term_vector atoms; /* its data atoms, positive */
} image;

typedef struct alpha_action {
  uint32_t transition;
  VECTOR(int64_t) inputs;        /* fixed values; empty if `open` or none */
  bool open;                     /* has inputs of infinite type: chosen by the solver */
  term enabled;                  /* guard and no fault, inputs fixed, if-then-else lifted */
  state_condition *control_test; /* conjuncts over control variables alone */
  term data_test;                /* the rest */
  term_vector test_atoms;        /* its data atoms */
  bool test_mixed;
  VECTOR(update) updates;         /* inputs fixed */
  VECTOR(image) images;           /* by predicate; grows with them */
  VECTOR(image) control_images;   /* one for each control variable whose new value depends on data */
  VECTOR(size_t) control_targets; /* its position */
  uint32_t place;                 /* where predicates that this action needs are kept */
  uint32_t inexact_rounds;        /* iterations in a row in which it was not exact */
  bool inexact;                   /* in this iteration */
} alpha_action;

typedef VECTOR(alpha_action) action_vector;

/* Makes the actions of a model. */
void actions_make(const model *m, const kept_variables *c, predicates *p, action_vector *out);
void actions_clear(action_vector *all);
/* Brings the images of all predicates up to date. */
void action_make_images(const model *m, const kept_variables *c, const predicates *p, alpha_action *a);
/* The data atoms of `t`: positive, those over control variables alone left out. */
void data_atoms(const terms *ts, const kept_variables *c, term t, term_vector *out);

/* ---- one search ---- */

typedef struct wanted_predicate {
  term atom;
  uint32_t place;
} wanted_predicate;

#define NO_STATE UINT32_MAX

typedef struct edge {
  uint32_t from, action, to;
} edge;

/* What one search found: the abstract states in the order they came, a concrete state for each, and the steps between.
 *
 * Invariant: as many of `visited`, `states`, `parents`, `actions` and `input_starts`; parents come before their
 * children; edges join states that are there; what is wanted is positive and wanted once; an error has a state, after
 * one that is there. */
typedef struct exploration {
  store *visited;                    /* control words, then predicate words */
  size_t width;                      /* words of a concrete state */
  VECTOR(int64_t) states;            /* width words for each abstract state */
  VECTOR(uint32_t) parents, actions; /* of each but the first ones, which have NO_STATE */
  VECTOR(int64_t) input_words;       /* inputs of open actions, in the order of `input_starts` */
  VECTOR(uint32_t) input_starts;     /* for each abstract state, where its inputs start */
  VECTOR(edge) edges;
  VECTOR(bool) whole; /* of must- systems: for each abstract state, whether all of its states can be reached */
  likely_ranges seen; /* for each abstract state a row: what the concrete states seen there have in common */
  uint64_t concrete;  /* initial states and steps taken, repetitions included */
  VECTOR(wanted_predicate) wanted;
  map *wanted_index; /* (atom, place) -> 1 */
  bool has_error; /* then the run to `error_parent` (NO_STATE: none), and a step of `error_action` to `error_state` */
  uint32_t error_parent, error_action;
  VECTOR(int64_t) error_state, error_inputs;
  size_t fault_action, fault; /* for no-runtime-error: what goes wrong there */
  VECTOR(int64_t) fault_inputs;
  uint64_t queries, cache_hits;
  const char *incomplete; /* why SAFE cannot be claimed from this search, NULL if it can */
} exploration;

typedef struct alpha {
  engine_environment *env;
  struct alpha_lists *lists; /* if the model has a heap: instead of all that follows */
  const char *refused;       /* or why it is not treated */
  model *m;
  const property *property;
  terms *ts;
  semantics *semantics;
  solver *solver;
  prover *prover;
  kept_variables kept;
  predicates *predicates;
  action_vector actions;
  state_condition *bad; /* PROPERTY_SAFE */
  bool paper, local, lightweight;
  bool relaxed, by_property; /* what was visited may be closed instead of exact; refine what matters for the property */
  likely_forms likely;       /* none if not `relaxed` */
  seen_states *seen;         /* of this iteration, if it is to be told what they have in common; else NULL */
  uint64_t likely_told;      /* the work that was done when it last was */
  uint64_t closed_work;      /* work that was done when closedness was last looked at */
  uint32_t concretize_after; /* iterations */
  uint64_t iteration;
  uint64_t looked_at_work; /* work that was done when a run that breaks a temporal property was last looked for */
  size_t reported;         /* how many predicates were */
  size_t offers_taken;
  term_vector facts_everywhere, facts_by_control; /* those that questions get: without and with control variables */
  struct paper_account *account;                  /* paper accounting only */
  exploration *last;
} alpha;

typedef enum explore_outcome { EXPLORE_COMPLETE, EXPLORE_STOPPED } explore_outcome;

GIVE exploration *explore_new(const alpha *a);
void explore_free(TAKE exploration *s);
/* NULL, or what is broken of the invariant (base/instruments/check.h); so many `actions` there are. */
KEEP const char *exploration_check(const exploration *s, size_t actions);
/* EXPLORE_STOPPED if the budget ended or a value did not fit; `*reason` then says which. */
explore_outcome explore_run(alpha *a, exploration *s, const char **reason);
/* The number of the abstract state with this key, for which `state` stands if it is new, reached from `parent` by the action; NO_STATE if
 * there is no room. */
uint32_t explore_add(exploration *s, const uint64_t *key, const int64_t *state, uint32_t parent, uint32_t act);
/* Schedules an atom for the next iteration; false if it was already. */
bool explore_want(exploration *s, term atom, uint32_t place);

/* ---- exactness of a step ---- */

/* The source of the steps being checked. */
typedef struct alpha_source {
  const int64_t *state;
  const uint64_t *mask, *bits;
  bool context_set;     /* the prover knows the literals */
  substitution *values; /* control variables by their values; NULL until needed */
} alpha_source;

/* Chooses those facts of the environment that questions get. */
void exact_learn(alpha *a);
bool exact_may_use(const terms *ts, term fact);
/* Makes the abstraction of the source the prover's left side. */
void exact_context(alpha *a, alpha_source *from);
/* Is the outcome of the test, as it is in the source, the same in all states with its abstraction? Schedules what is
 * missing. */
void exact_test(alpha *a, exploration *s, alpha_source *from, alpha_action *act, bool taken);
/* And are the predicates of the target? */
void exact_image(alpha *a, exploration *s, alpha_source *from, alpha_action *act, size_t predicate, bool holds);
void exact_control_images(alpha *a, exploration *s, alpha_source *from, alpha_action *act, const int64_t *target);
void exact_images(alpha *a, exploration *s, alpha_source *from, alpha_action *act, const int64_t *target,
                  const uint64_t *target_mask, const uint64_t *target_bits);

/* Do all states with the source's abstraction have their targets among `targets` (formulas over the source and the
 * inputs)? `atoms` are offered if not. */
void exact_open(alpha *a, exploration *s, alpha_source *from, alpha_action *act, const term_vector *targets,
                const term_vector *atoms);
/* Every state with the source's abstraction can take the step by `way`, which the source can. */
void exact_movable(alpha *a, exploration *s, alpha_source *from, alpha_action *act, term way);

/* Paper accounting (rules R1 to R8). */
GIVE struct paper_account *paper_account_new(void);
void paper_account_free(TAKE struct paper_account *p);
void paper_start_iteration(alpha *a);
void paper_images(alpha *a, exploration *s, alpha_source *from, alpha_action *act, const int64_t *target,
                  const uint64_t *target_bits);

/* ---- closed instead of exact ---- */

/* Whether what was visited, made larger if need be, is an invariant that proves the property: then `out` claims so. Else, if refinement is by the property and it can be
 * told what matters, `s` wants nothing but that. */
bool closed_conclude(alpha *a, exploration *s, claim *out);

/* ---- may and must ---- */

typedef enum modal_kind { MODAL_MAY, MODAL_MUST, MODAL_MUST_MINUS } modal_kind;

/* The abstract system of that kind for the predicates there are. NULL in trouble, which `*trouble` then names. */
GIVE exploration *modal_system(alpha *a, modal_kind kind, const char **trouble);

/* ---- results ---- */

/* What holds in abstract state `n`: the values of kept variables, and the predicates that count there. */
void alpha_literals(const alpha *a, const exploration *s, uint32_t n, term_vector *literals);

void alpha_evidence_trace(const alpha *a, const exploration *s, evidence *out);
void alpha_evidence_invariant(alpha *a, const exploration *s, evidence *out);
/* NULL if every abstract state decides the property and has it, else why not. */
KEEP const char *alpha_property_undecided(alpha *a, const exploration *s);
/* The verdict of a temporal property, from an exact search. NULL, or why there is none. */
KEEP const char *alpha_conclude_temporal(alpha *a, const exploration *s, claim *out);
/* A run that breaks the temporal property, from a search that is not exact; looked for after iterations 1, 2, 4, 8, .. only. */
bool alpha_find_broken_run(alpha *a, const exploration *s, claim *out);
/* What was visited, by an exact search the quotient; `format` is aut, dot or json. */
void alpha_print_graph(const alpha *a, const exploration *s, const char *format, text *out);
/* Runs that cover what was visited. NULL, or why they could not all be written. */
KEEP const char *alpha_print_tests(alpha *a, const exploration *s, bool is_exact, text *out);
void alpha_report_iteration(alpha *a, const exploration *s, double seconds);

#endif
