/* What is known about a model, whoever found it out: facts that hold in every reachable state, predicates that helped,
 * and how far every run was followed without a violation. Facts are checked, on the model as read and apart from all
 * engines, before anybody may use them; predicates need no check, for they claim nothing. It lasts as long as a run:
 * what was found out for one property serves the next. */
#ifndef WHET_ENGINE_KNOWLEDGE_H
#define WHET_ENGINE_KNOWLEDGE_H

#include "engine/worker.h"
#include "model/model.h"
#include "proof/evidence.h"

typedef bool formulas_reader(model *m, const char *lines, term_vector *out);

typedef struct knowledge knowledge;

/* `m` is the model as read; `read` takes formulas of whet's language; checks end when `stop`, which may be NULL, is
 * set. All outlive the result. */
GIVE knowledge *knowledge_new(model *m, formulas_reader *read, const volatile bool *stop);
void knowledge_free(TAKE knowledge *k);

/* Together inductive on the model as read. */
KEEP const term_vector *knowledge_facts(const knowledge *k);
/* Who proved a formula that is one of them, or NULL. */
KEEP const char *knowledge_prover(const knowledge *k, const char *line);

typedef enum learned { LEARNED_NOTHING, LEARNED_FACTS, LEARNED_REFUSED } learned;

/* Lines that engine `from`, a name that outlives `k`, says hold in every reachable state when `property` is asked for.
 * LEARNED_FACTS: they do, and at least one is new; what is new is appended to `news`, a line each, first the short
 * formulas that follow from it (engine/consequences.h). LEARNED_REFUSED: they could not be shown to. */
learned knowledge_add_lemmas(knowledge *k, size_t property, const char *from, const char *lines,
                             const worker_limits *limits, text *news);
/* A property was proved by an invariant that the examiner accepted. Where what it says is inductive given the facts
 * known, that is one more; else the invariant is, unless it is too large to be of use to anybody. */
void knowledge_add_proof(knowledge *k, size_t property, const char *from, const evidence *accepted,
                         const worker_limits *limits);

/* A predicate of some engine, as text; false where it is known already or cannot be read. */
bool knowledge_add_predicate(knowledge *k, const char *line);
size_t knowledge_predicates(const knowledge *k);
KEEP const char *knowledge_predicate(const knowledge *k, size_t i);

/* One that is worth starting from, likewise; only a few are kept. */
bool knowledge_add_hint(knowledge *k, const char *line);
size_t knowledge_hints(const knowledge *k);
KEEP const char *knowledge_hint(const knowledge *k, size_t i);

/* Facts as lines. */
void knowledge_print_facts(const knowledge *k, text *out);

#endif
