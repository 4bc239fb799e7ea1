/* What both orders of search share: the states found so far, what was left out, what was found to be wrong. */
#ifndef WHET_ENGINE_EXPLICIT_SEARCH_H
#define WHET_ENGINE_EXPLICIT_SEARCH_H

#include "engine/engine.h"
#include "engine/explicit/lineage.h"
#include "engine/explicit/machine.h"
#include "engine/explicit/threads.h"
#include "store/store.h"

typedef VECTOR(int64_t) word_vector;

/* A state that breaks the property, and for faults the step that does. */
typedef struct violation {
  bool is_found;
  uint64_t state;
  uint32_t transition, fault;
  word_vector inputs;
} violation;

typedef struct search {
  engine_environment *env;
  const model *model;
  const property *property;
  machine *machine;
  int64_t *low, *high; /* of the fields */
  layout *layout;
  store *store;
  threads *threads;
  stepper **steppers;   /* one a member */
  solver *solver;       /* if inputs are endless, else NULL */
  state_condition *bad; /* PROPERTY_SAFE */
  violation violation;
  char *gap;         /* why not all states may have been found; NULL while they may */
  const char *spent; /* why the search had to stop */
  bool is_full;      /* the store has no more room */
  uint64_t initial;  /* how many initial states */
} search;

GIVE search *search_new(engine_environment *env, unsigned threads);
void search_free(TAKE search *s);
/* Initial states into the store. */
void search_begin(search *s);
/* The same with at most so many; more than these are a gap. */
void search_begin_some(search *s, uint64_t most);
/* For a search whose states are not in the store: the ranges of the fields become those of all initial states; */
void search_begin_ranges(search *s);
/* then each of them is visited. */
void search_each_initial(search *s, bool (*visit)(void *context, const uint64_t *packed), void *context);

/* The range of `position` grows so that `value` fits, and the states found so far are packed again. */
void search_widen(search *s, size_t position, int64_t value);
/* The ranges of all fields, while there are no states. */
void search_set_ranges(search *s, const int64_t *low, const int64_t *high);
/* Notes why states may be missing; the first reason stays. */
void search_note_gap(search *s, const expansion *e);
void search_note_size_gap(search *s);
/* The budget is spent. */
void search_stop(search *s);
bool search_is_over(const search *s);

/* Does the state break a property of states? Notes values beyond 64 bits in `*lacks_size`. */
bool search_is_bad(const search *s, stepper *by, const uint64_t *packed, bool *lacks_size);
void search_set_fault(violation *v, const machine_step *s, size_t input_count);

#endif
