/* The backward search: for each control the least contents of channels from which a bad state can be reached. */
#ifndef WHET_ENGINE_LOSSY_LEAST_STATES_H
#define WHET_ENGINE_LOSSY_LEAST_STATES_H

#include "engine/lossy/control_graph.h"

#define NO_ELEMENT UINT32_MAX

/* A state of a control with these contents; all states above it reach a bad one too. */
typedef struct least_state {
  uint32_t control;
  uint32_t next;  /* the element that the step leads to (or above it); NO_ELEMENT: it is bad itself */
  uint32_t step;  /* of the edges; of a bad one, of the bad cases */
  bool is_beaten; /* another one is below it */
  size_t words;   /* where its contents begin */
} least_state;

typedef struct least_states {
  const control_graph *graph;
  VECTOR(least_state) all; /* in the order of being found */
  VECTOR(queue_word) words;
  index_vector *at_control; /* of each control, those that are not beaten */
  index_vector *into;       /* of each control, the edges that lead to it */
  size_t next;              /* the first whose steps were not looked at */
  uint32_t found;           /* NO_ELEMENT, or one that an initial state is */
  queue_word *made;
} least_states;

GIVE least_states *least_states_new(const control_graph *g);
void least_states_free(TAKE least_states *s);
/* Looks at some elements more; false when there are no others, or one is found. */
bool least_states_go_on(least_states *s, size_t some);
static inline const queue_word *element_words(const least_states *s, const least_state *e) {
  return s->words.at + e->words;
}

/* All elements that are not beaten. */
void least_states_list(const least_states *s, states_above *out);
/* The run from the element that was found, which loses what it can do without as soon as it is there. NULL, or why there is none: a
 * channel that loses nothing would have to. */
GIVE char *least_states_run(const least_states *s, evidence *out);

#endif
