/* What is known about a model, whoever found it out: facts that hold in every reachable state, predicates that helped,
 * and how far every run was followed without a violation. Facts are checked, on the model as read and apart from all
 * engines, before anybody may use them; predicates need no check, for they claim nothing. It lasts as long as a run:
 * what was found out for one property serves the next.
 *
 * Invariant: facts are different, none is `true`, each has a prover and is found under its number; predicates and hints
 * are different formulas; there are at most so many of each as their limits say. */
#ifndef WHET_RUN_SHARED_FACTS_H
#define WHET_RUN_SHARED_FACTS_H

#include "model/model.h"
#include "process/worker.h"
#include "proof/evidence.h"

typedef struct shared_facts shared_facts;

/* `m` is the model as read; checks end when `stop`, which may be NULL, is set. Both outlive the result. */
GIVE shared_facts *shared_facts_new(model *m, const atomic_bool *stop);
void shared_facts_free(TAKE shared_facts *k);
/* NULL, or what is broken of the invariant (base/instruments/check.h). */
KEEP const char *shared_facts_check(const shared_facts *k);

/* Together inductive on the model as read. */
KEEP const term_vector *shared_facts_facts(const shared_facts *k);
/* Who proved `t`, if it is one of them; else NULL. */
KEEP const char *shared_facts_prover(const shared_facts *k, term t);

typedef enum learned { LEARNED_NOTHING, LEARNED_FACTS, LEARNED_REFUSED } learned;

/* Formulas (proof/formulas.h) that engine `from`, a name that outlives `k`, says hold in every reachable state in which
 * `of_passes` does, which the passes found out. LEARNED_FACTS: they do, and at least one is new; what is new is
 * appended to `news`, first the short formulas that follow from it (run/short_facts.h). LEARNED_REFUSED: they could not
 * be shown to. */
learned shared_facts_add_lemmas(shared_facts *k, term of_passes, const char *from, const char *lines,
                                const worker_limits *limits, term_vector *news);
/* Formulas that are inductive together with the facts known, as far as `from` can tell; they are checked here. */
learned shared_facts_add_kept(shared_facts *k, const char *from, const term_vector *claimed,
                              const worker_limits *limits, term_vector *news);
/* Are all conjuncts of `t` among the facts? */
bool shared_facts_has(const shared_facts *k, term t);
/* A property was proved by an invariant that the check worker accepted. If what it says is inductive given the facts
 * known, that is one more; else the invariant is, unless it is too large to be of use to anybody. */
void shared_facts_add_proof(shared_facts *k, size_t property, const char *from, const evidence *accepted,
                            const worker_limits *limits);

/* A predicate of some engine, a formula as text; false if it is known already or cannot be read, else `*read` is it.
 */
bool shared_facts_add_predicate(shared_facts *k, const char *line, term *read);
KEEP const term_vector *shared_facts_predicates(const shared_facts *k);
/* One that is worth starting from, likewise; only a few are kept. */
bool shared_facts_add_hint(shared_facts *k, const char *line, term *read);
KEEP const term_vector *shared_facts_hints(const shared_facts *k);

/* Facts in whet's language, a line each. */
void shared_facts_print_facts(const shared_facts *k, text *out);

#endif
