/* A model without the contents of its channels of any length: its controls (the values of all other variables), and which
 * steps lead from one to another if each channel that a step reads is empty or begins with a message that was ever sent. */
#ifndef WHET_ENGINE_LOSSY_CONTROL_GRAPH_H
#define WHET_ENGINE_LOSSY_CONTROL_GRAPH_H

#include "base/bits.h"
#include "base/map.h"
#include "base/work.h"
#include "engine/engine.h"
#include "model/queue/heads.h"
#include "model/semantics.h"

#define HEAD_OPEN (-2) /* the step does not read the channel */
#define HEAD_NONE (-1) /* it is empty */

/* What a step, or a bad state, is about in one channel. */
typedef struct channel_act {
  int64_t head; /* a message, or one of the two above */
  int effect;   /* -1: the head is received; 1: `sent` is sent */
  int64_t sent;
} channel_act;

typedef struct lossy_edge {
  uint32_t from, to, transition;
  size_t inputs, acts; /* where they begin; as many acts as channels */
} lossy_edge;

typedef struct bad_case {
  uint32_t control;
  size_t acts;
  uint32_t transition, fault; /* PROPERTY_NO_FAULT */
  size_t inputs;
} bad_case;

typedef struct control_graph {
  model *model;
  const property *property;
  engine_environment *env;
  semantics *meaning;
  state_condition *bad;
  VECTOR(uint32_t) positions; /* of the variables of a control */
  VECTOR(int64_t) controls;   /* as many words each */
  size_t count, first_count;  /* the first ones are those of initial states */
  map *known;                 /* hash -> control + 1, and then along `same_hash` */
  VECTOR(uint32_t) same_hash;
  VECTOR(queue_word) sent; /* of each channel, in the order of being found */
  VECTOR(lossy_edge) edges;
  VECTOR(bad_case) bad_cases;
  VECTOR(channel_act) acts;
  VECTOR(int64_t) inputs;
  VECTOR(bits) reads; /* of each transition: channels; then of the property */
  int64_t *state, *after;
  int64_t *heads;
  bool is_recording;
  const char *gap; /* why it cannot be made, or NULL */
} control_graph;

GIVE control_graph *control_graph_new(engine_environment *env);
void control_graph_free(TAKE control_graph *g);
/* All of it; false if there is a gap. */
bool control_graph_make(control_graph *g);
/* The words of a state with this control; its channels are empty. */
void control_graph_state(const control_graph *g, uint32_t control, int64_t *state);

#endif
