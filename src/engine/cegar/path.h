/* What the files of this engine share: the tools, and a counterexample under analysis. */
#ifndef WHET_ENGINE_CEGAR_PATH_H
#define WHET_ENGINE_CEGAR_PATH_H

#include "engine/concrete_run.h"
#include "engine/engine.h"
#include "predicate/abstraction.h"
#include "predicate/first_predicates.h"

typedef struct cegar_tools {
  engine_environment *env;
  terms *ts;
  predicate_model *system;
  solver *solver;
  presburger *sets;
  allsat *allsat;
  term_vector predicates;
  size_t known; /* so many of them, the first, are those of the abstraction whose counterexample is looked at */
  input_copies *copies;
} cegar_tools;

/* Backward analysis of an abstract counterexample. */
typedef enum analysis_end {
  ANALYSIS_REFINED, /* predicates were added */
  ANALYSIS_PASSED,  /* the initial states were reached: it may be a real run */
  ANALYSIS_STUCK,   /* spurious, but no new predicate was found */
  ANALYSIS_FAILED,  /* something could not be computed */
} analysis_end;

typedef enum analysis_mode {
  ANALYSE_PLAIN,       /* CouAnal */
  ANALYSE_LOOPS,       /* AccCouAnal, closures without divisions */
  ANALYSE_CONGRUENCES, /* AccCouAnal, closures as they are */
  ANALYSE_AT_LOOPS,    /* as ANALYSE_LOOPS, but stuck if what refutes the trace is not the closure of a loop itself */
} analysis_mode;

/* The predicates that the engine has in use when it has decided the property, can do no more, or has refined as often as
 * `--max-iterations` allows (or MOST_REFINEMENTS_FOR_PRODUCT): appended, each once. */
enum { MOST_REFINEMENTS_FOR_PRODUCT = 8 };
void cegar_find_predicates(const engine_environment *env, size_t property, term_vector *out);
/* The abstract states as a formula, sent as the engine's product; an invariant as evidence. ENGINE_DONE. */
engine_status cegar_make_product(engine_environment *env, claim *out);

/* A loop of the trace: the actions from state `from` to state `to` lead to the same control; `word` of them are one
 * round, and they are that repeated. */
typedef struct trace_loop {
  size_t from, to, word;
} trace_loop;

typedef VECTOR(trace_loop) loop_vector;

/* `loops` are disjoint; none if the mode is plain. */
analysis_end analyse(cegar_tools *t, const abstract_trace *trace, const loop_vector *loops, analysis_mode mode,
                     bool all_atoms);

bool path_same_control(const cegar_tools *t, const abstract_state *a, const abstract_state *b);
/* The partitions of a trace into steps and loops, those with fewer and shorter loops first, until `visit` says false or
 * many were visited. */
typedef bool partition_visitor(void *context, const loop_vector *loops);
void partitions_visit(const cegar_tools *t, const abstract_trace *trace, partition_visitor *visit, void *context);

/* Disjoint, in order: shortest ones first, repeated words as one. */
void loops_find(const cegar_tools *t, const abstract_trace *trace, loop_vector *out);
/* The states from which any number of rounds, also none, leads into `goal` (over data), as a formula; an upper bound of
 * it if nothing better is known. False if it cannot be computed. */
bool loop_before(cegar_tools *t, const abstract_trace *trace, const trace_loop *loop, term goal, bool keep_divisions,
                 term *out);

/* `f` if the control is that of the state: over data (and inputs) only. */
term path_in_control(const cegar_tools *t, const abstract_state *s, term f);
/* What an action needs in addition to the goal to lead from the control of one state to that of the other: enabled, and
 * the right control values. */
term path_step_condition(const cegar_tools *t, const abstract_state *from, uint32_t action, const abstract_state *to);

#endif
