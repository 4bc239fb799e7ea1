/* Breadth-first search of the states of a model with lists on the heap: those with up to a number of nodes (--nodes).
 * States that differ only in how their nodes are numbered, or in nodes that no variable leads to, are one
 * (model/heap.h). States may be matched by more than that: of those with one *key* only the first is kept. Each state
 * that is kept is reached by a run. */
#ifndef WHET_ENGINE_LISTS_LIST_SEARCH_H
#define WHET_ENGINE_LISTS_LIST_SEARCH_H

#include "engine/engine.h"

typedef struct list_search list_search;
/* The key of a state. False if there is none: the state is then left out. */
typedef bool list_key(void *context, const int64_t *words, uint64_t *key);

/* States of up to `nodes` nodes. `key` is NULL if they are matched as they are; else keys have so many words, and it has
 * room for some more behind them. */
GIVE list_search *list_search_new(engine_environment *env, size_t nodes, size_t key_words, size_t more_words,
                                  list_key *key, void *context);
void list_search_free(TAKE list_search *l);
/* Takes the steps from up to so many states; false at the end of the search, or once a violation is found. */
bool list_search_run(list_search *l, uint64_t states);

size_t list_search_width(const list_search *l);   /* words of a state */
uint64_t list_search_count(const list_search *l); /* states that are kept */
void list_search_state(const list_search *l, uint64_t number, int64_t *words);
bool list_search_is_violated(const list_search *l);
/* Why it ended before its end, and why states may be missing that no other stands for; or NULL. */
KEEP const char *list_search_spent(const list_search *l);
KEEP const char *list_search_gap(const list_search *l);
/* The run to the violation. */
void list_search_claim_violation(list_search *l, claim *out);

/* The heap of a state as a graph of single nodes; `nodes` are the node variables (heap_variables). */
void list_search_graph(const model *m, const variable_vector *nodes, const int64_t *words, heap_graph *g);

#endif
