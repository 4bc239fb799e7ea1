/* The inside of the engine `spacer`: a property as Horn rules, and what Z3 says of these, said about the model or the
 * clauses. */
#ifndef WHET_ENGINE_SPACER_SPACER_H
#define WHET_ENGINE_SPACER_SPACER_H

#include "base/map.h"
#include "engine/engine.h"
#include "solver/fixedpoint.h"

/* What a rule stands for, if it is no transition or clause. */
enum { ORIGIN_INITIAL = UINT32_MAX, ORIGIN_BAD = UINT32_MAX - 1 };

typedef struct spacer {
  engine_environment *env;
  terms *ts;
  bool is_of_clauses; /* rules are clauses, relations predicates; else relations are places, or all states */
  bool is_as_read;    /* of the clauses as read, though they were rewritten */
  bool has_places;    /* relation i has the states where `location` is `first_place` + i; else there is one */
  variable location;  /* not among the parameters then */
  int64_t first_place;
  horn_problem problem;      /* the last relation is the query */
  horn_problem approximated; /* without divisions by terms, if there are such: what Z3 is asked about */
  bool is_approximated;
  fixedpoint *fixedpoint;
  char *trouble;     /* why evidence cannot be said about the clauses as read; owned */
  solver *solver;    /* for steps of derivations; NULL before */
  horn_covers known; /* facts of the environment, and what a query before had learned */
  size_t facts_taken;
  term_vector sent;    /* lemmas that were sent, or that could not be shown to hold */
  names *own;          /* the same as text */
  size_t waiting_seen; /* texts of facts that wait and were looked at */
  uint64_t send_at;    /* the count of work when lemmas are next looked for */
} spacer;

/* The property as rules. NULL, or what cannot be treated. Of the model: a relation for each place if there are places
 * process, else one of all states. Of clauses: the rewritten ones, if there are such
 * and not `is_as_read`. */
KEEP const char *problem_of_model(spacer *s);
void problem_of_clauses(spacer *s);
size_t problem_relations(const spacer *s); /* all but the query */
/* `location = place` of a relation of states; true if there are no places. */
term problem_place(const spacer *s, uint32_t relation);

/* Facts of the environment that came since the last call become covers. */
void spacer_lemmas_take_facts(spacer *s);
/* Others have proved something that this engine has not sent itself. */
bool spacer_lemmas_wait(spacer *s);
/* New formulas among `covers` that hold always, checked and sent to the others. */
void spacer_lemmas_send(spacer *s, const horn_covers *covers);

/* An instance of a rule: values of its variables. */
typedef struct rule_instance {
  uint32_t rule;
  number_vector values;
} rule_instance;
typedef VECTOR(rule_instance) rule_instances;
void rule_instances_clear(rule_instances *v);
/* `printed` with the premises that are missing, and for each node a rule that derives it. False: `*reason` says why not.
 */
bool instances_find(spacer *s, const horn_derivation *printed, horn_derivation *out, rule_instances *by,
                    const char **reason);
/* The same if the values of some nodes are not known; no premise is missing then. */
bool derivation_solve(spacer *s, const horn_derivation *printed, horn_derivation *out, rule_instances *by,
                      const char **reason);
number instance_value(const spacer *s, const rule_instance *i, variable v);

/* After an answer: the claim. NULL, or why nothing can be claimed. */
KEEP const char *evidence_of_proof(spacer *s, evidence *out);
KEEP const char *evidence_of_derivation(spacer *s, evidence *out);

#endif
